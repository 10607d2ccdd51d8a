// A stopwatch result against the paper roof, and which assumption broke when it lies above.
#pragma once

#include "analysis/explain/explanation.h"

namespace ridge {

/// The time a stopwatch result stands for: given, or the work on paper / the rate given.
[[nodiscard]] Seconds stopwatch_time(const PaperWork& work, const Stopwatch& stopwatch);

/// Precondition: `at` has peak and bandwidth.
[[nodiscard]] MeasuredPlacement place_measured(const PaperWork& work, const Machine& machine,
                                               const MachinePlacement& at, const Stopwatch& stopwatch);

}  // namespace ridge
