#pragma once

#include <string>

#include "ridgepoint/model/profile.h"

namespace ridge {

/// "registers", "shared", "warps", "blocks" or "barriers": the resource that lets the fewest blocks on an SM, "warps"
/// when the SM is full (theoretical occupancy 1), empty if the recording does not say. Of several equal ones the first
/// in this order, which begins with what a programmer can change: registers, shared, barriers, blocks, warps.
[[nodiscard]] std::string occupancy_limiter(const Execution& execution);

}  // namespace ridge
