// Occupancy of a report: as recorded, else computed from the launch and the machine's limits.
#pragma once

#include "ridgepoint/analysis/report.h"

namespace ridge {

/// The limiter is the resource that lets the fewest blocks on an SM: "registers", "shared", "barriers", "blocks" or
/// "warps", of several equal ones the first in this order, which begins with what a programmer can change; "warps" when
/// the SM is full (theoretical occupancy 1); empty if neither the recording nor the machine says.
[[nodiscard]] OccupancyReport report_occupancy(const Execution& execution, const Configuration& configuration,
                                               const Machine& machine);

}  // namespace ridge
