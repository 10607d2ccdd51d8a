// The one place that decides which evidence each number of a launch is taken from.
//
// | number                                         | first        | then           | last           |
// |------------------------------------------------|--------------|----------------|----------------|
// | bytes of DRAM and L2                           | own counters | own samples    | representative |
// | occupancy, SM and tensor activity,             | own counters | representative | own samples    |
// |   warp instructions                            |              |                |                |
// | all other work and execution (FLOP, L1, ...)   | own counters | representative | -              |
//
// Traffic depends on what earlier kernels left in the caches, so a launch's own samples know more of it than another
// launch's counters. The same code with the same grid executes the same instructions, so there counters know more.
// Samples that neighbours share to more than kMostUncertain are not used. "Own samples" are Profile::sampled; a
// representative's numbers are those of a launch's Measurement that have the provenance kSampled (represent() in
// model). Not here: adding launches up.
#pragma once

#include "ridgepoint/analysis/report.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

/// More than this share of shared samples says more of the neighbours than of the launch.
inline constexpr float kMostUncertain = 0.5F;

/// Whose counters `measurement` holds; kNone of nullptr.
[[nodiscard]] CounterOrigin origin_of(const Measurement* measurement);

/// The samples of a launch if it has any that may be used, else nullptr.
[[nodiscard]] const SampledWork* usable_samples(const Profile& profile, const Launch& launch);

struct LaunchEvidence {
  const Measurement* counters = nullptr;
  CounterOrigin origin = CounterOrigin::kNone;
  const SampledWork* samples = nullptr;  ///< usable ones
};
[[nodiscard]] LaunchEvidence evidence_of(const Profile& profile, const Launch& launch);

/// The numbers of a launch's work that may come from samples, each by the table above.
struct SampledNumbers {
  Value<Bytes> dram, dram_read, dram_write, l2;
  Value<double> warp_instructions;
  bool any = false;  ///< one of them does come from samples
};
[[nodiscard]] SampledNumbers sampled_numbers(const LaunchEvidence& evidence);
/// Of one field of Execution: what the counters say, or the samples where they are all there is.
[[nodiscard]] Value<double> execution_field(const LaunchEvidence& evidence, Value<double> Execution::*field);

/// Why launches of a live recording have no work at all; the default reason for other sources.
[[nodiscard]] Reason reason_for_no_evidence(const Profile& profile, const Launch& launch);
/// The recording that a launch belongs to, or nullptr.
[[nodiscard]] const Recording* recording_of(const Profile& profile, const Launch& launch);

}  // namespace ridge
