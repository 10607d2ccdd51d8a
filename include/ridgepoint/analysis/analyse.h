// From a Profile to a Report: launches aggregated per kernel and configuration, placed under their machine's roofs,
// judged, and explained. Pure: the same profile and options give the same report.
#pragma once

#include <string_view>
#include <vector>

#include "ridgepoint/analysis/report.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

struct AnalysisOptions {
  RoofBasis basis = RoofBasis::kMeasuredClock;
  /// Lists every launch and its samples in the report; without, kernels say how many. Of a million launches the list
  /// takes 200 MB.
  bool each_launch = true;
};

/// Devices must have their machine resolved (ridgepoint/machines/match.h); one without is reported with no roofs.
[[nodiscard]] Report analyse(const Profile& profile, const AnalysisOptions& options = {});

/// Makes the summary speak of the kernels that are left in `report`, after some were taken out: what to start with, and
/// the time and verdict of these. Totals of the recording stay.
void summarise_shown(Report& report);

/// The rules that findings come from, in the order they are tried; for the reference docs.
[[nodiscard]] std::vector<std::string_view> rule_names();

}  // namespace ridge
