// Pairs of kernels that do the same work at different speed, explained from the levels without being asked.
#pragma once

#include <vector>

#include "ridgepoint/analysis/report.h"

namespace ridge {

/// Largest difference in time first.
[[nodiscard]] std::vector<Comparison> compare_pairs(const std::vector<ReportKernel>& kernels,
                                                    const std::vector<ReportMachine>& machines);

}  // namespace ridge
