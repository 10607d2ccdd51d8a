// Live recordings made by hand, as the store hands them out after represent(): for the reports' goldens. Figures are
// round; nothing was measured.
#pragma once

#include "ridgepoint/model/profile.h"

namespace ridge::test {

/// Two kernels, a copy and no evidence but times: no permission.
[[nodiscard]] Profile live_timing_only();
/// Replayed launches alone, each with its own counters.
[[nodiscard]] Profile live_counters_only();
/// One kernel replayed once for 300 launches and sampled, one only sampled, one too short for its samples.
[[nodiscard]] Profile live_three_sources();
/// Two GPUs that run at the same time, streams that overlap.
[[nodiscard]] Profile live_two_devices();
/// A recording of which nothing is known but that one kernel was launched.
[[nodiscard]] Profile live_nothing_known();

}  // namespace ridge::test
