// The machines of a report, and the roofs drawn for each.
#pragma once

#include <vector>

#include "ridgepoint/analysis/analyse.h"

namespace ridge {

/// Equal machines under equal device names share one entry. `of_device[i]` is the entry of Profile::devices[i].
struct ReportMachines {
  std::vector<ReportMachine> machines;
  std::vector<std::uint32_t> of_device;
};
[[nodiscard]] ReportMachines report_machines(const Profile& profile, RoofBasis basis);

/// "no-measured-ceilings" for every machine whose measured ceilings were wanted and do not exist.
void add_basis_issues(const ReportMachines& machines, RoofBasis wanted, std::vector<Issue>& issues);

/// Draws the roofs of one machine at the time-weighted conditions of its kernels.
void draw_roofs(ReportMachine& machine, const std::vector<const ReportKernel*>& kernels);

}  // namespace ridge
