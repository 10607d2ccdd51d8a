#include "analysis/occupancy_limiter.h"

#include <array>

namespace ridge {

std::string occupancy_limiter(const Execution& execution) {
  struct Limit {
    const char* name;
    const Value<double>& blocks;
  };
  const std::array limits{
      Limit{"registers", execution.limit_registers}, Limit{"shared", execution.limit_shared},
      Limit{"barriers", execution.limit_barriers},   Limit{"blocks", execution.limit_blocks},
      Limit{"warps", execution.limit_warps},
  };
  constexpr double kFull = 0.999;
  if (execution.theoretical_occupancy && *execution.theoretical_occupancy >= kFull) return "warps";
  const Limit* least = nullptr;
  for (const Limit& limit : limits) {
    if (limit.blocks && (least == nullptr || *limit.blocks < *least->blocks)) least = &limit;
  }
  return least == nullptr ? "" : least->name;
}

}  // namespace ridge
