// Launches of one kernel in one configuration on one device, added up.
//
// Work is summed over the launches whose evidence (evidence.h) is complete, and rates are that work over those
// launches' time: a launch with missing counters neither poisons its group nor counts as one that did no work.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgepoint/analysis/report.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

/// Indices into Profile::launches, in recording order.
using LaunchIndices = std::vector<std::uint32_t>;

/// Groups in the order of their first launch. A source is part of the key through its devices.
[[nodiscard]] std::vector<LaunchIndices> group_launches(const Profile& profile);

struct Aggregate {
  Value<Seconds> duration, duration_min, duration_median, duration_max;  ///< over launches that have one
  Work work;
  Execution execution;    ///< duration-weighted means
  Conditions conditions;  ///< duration-weighted means
  KernelEvidence evidence;
  Value<Seconds> measured_duration;
  std::uint32_t measured = 0;          ///< launches that `work` is the sum of
  std::uint32_t without_duration = 0;  ///< not in `duration`
  std::uint32_t without_counters = 0;  ///< not in `work` although others of the group are
};
/// Whose DRAM traffic may count as a launch's: where launches differ, another's says nothing.
enum class Traffic : unsigned char { kAny, kOwn };

/// `running_clock` is the device's SM clock while it ran, for launches without a clock of their own.
[[nodiscard]] Aggregate aggregate(const Profile& profile, const LaunchIndices& launches,
                                  const Value<Hertz>& running_clock, Traffic traffic = Traffic::kAny);

}  // namespace ridge
