// One ReportKernel from one group of launches: rates, roof, verdict, occupancy and gap. Findings come from rules/.
#pragma once

#include <vector>

#include "analysis/aggregate.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {

/// What a group's report needs to know about where it ran. `machine` is nullptr if not known.
struct GroupPlace {
  const Machine* machine = nullptr;
  std::uint32_t machine_index = 0;
  RoofBasis basis = RoofBasis::kMeasuredClock;
  bool recorded_here = true;             ///< the recording is of `machine`, not of another GPU
  const Recording* recording = nullptr;  ///< if it is a live one
};

/// Everything but id, share and findings.
[[nodiscard]] ReportKernel report_kernel(const Profile& profile, const LaunchIndices& launches, const Aggregate& sum,
                                         const GroupPlace& place);

/// The list that report_kernel leaves empty.
[[nodiscard]] std::vector<ReportLaunch> report_launches(const Profile& profile, const LaunchIndices& launches);

}  // namespace ridge
