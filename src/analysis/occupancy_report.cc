#include "analysis/occupancy_report.h"

#include <algorithm>
#include <array>

#include "ridgepoint/model/occupancy.h"

namespace ridge {
namespace {

constexpr double kFull = 0.999;

std::string recorded_limiter(const Execution& execution) {
  struct Limit {
    const char* name;
    const Value<double>& blocks;
  };
  const std::array limits{
      Limit{"registers", execution.limit_registers}, Limit{"shared", execution.limit_shared},
      Limit{"barriers", execution.limit_barriers},   Limit{"blocks", execution.limit_blocks},
      Limit{"warps", execution.limit_warps},
  };
  const Limit* least = nullptr;
  for (const Limit& limit : limits) {
    if (limit.blocks && (least == nullptr || *limit.blocks < *least->blocks)) least = &limit;
  }
  return least == nullptr ? "" : least->name;
}

/// The first limiter in the order of recorded_limiter.
std::string computed_limiter(const Occupancy& occupancy) {
  for (const OccupancyLimiter limiter : {OccupancyLimiter::kRegisters, OccupancyLimiter::kShared,
                                         OccupancyLimiter::kBarriers, OccupancyLimiter::kBlocks}) {
    const auto& all = occupancy.limiters;
    if (std::find(all.begin(), all.end(), limiter) != all.end()) return std::string(name(limiter));
  }
  return "warps";
}

/// Fills theoretical occupancy and limiter from the launch's configuration; leaves them as they are if it does not say
/// enough or the machine's limits are not known.
void compute(const Configuration& configuration, const Machine& machine, OccupancyReport& report) {
  const std::optional<OccupancyRequest> request = occupancy_request(configuration);
  if (!request || machine.occupancy.max_warps_per_sm <= 0) return;
  const Result<Occupancy> computed = occupancy(machine.occupancy, *request);
  if (!computed || computed->blocks_per_sm == 0) return;
  report.theoretical = Value<double>(computed->fraction, Provenance::kModelled);
  report.limiter = computed->fraction >= kFull ? "warps" : computed_limiter(*computed);
}

}  // namespace

OccupancyReport report_occupancy(const Execution& execution, const Configuration& configuration,
                                 const Machine& machine) {
  OccupancyReport report;
  report.achieved = execution.achieved_occupancy;
  report.theoretical = execution.theoretical_occupancy;
  if (!report.theoretical) {
    compute(configuration, machine, report);
  } else {
    report.limiter = *report.theoretical >= kFull ? "warps" : recorded_limiter(execution);
  }
  return report;
}

}  // namespace ridge
