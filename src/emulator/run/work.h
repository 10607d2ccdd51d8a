// Counts as Work: what the kernel did, with where each number comes from.
#pragma once

#include <vector>

#include "emulator/exec/classify.h"
#include "emulator/exec/launch.h"
#include "emulator/run/traffic.h"
#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

/// What an emulated launch left behind, not scaled.
struct Counted {
  std::vector<SiteCount> sites;
  std::vector<SiteTraffic> traffic;
  MemoryCounts memory;
  LocalTraffic local;
  std::uint64_t multicast_bytes = 0;
};

/// Instructions by pipe and kind, as the machine would run them (classify.h), not scaled.
struct PipeTotals {
  double warp_instructions = 0, thread_instructions = 0;  ///< of the PTX
  double machine_instructions = 0;                        ///< warp instructions, expansions included
  FloatingWork fp32, fp64, half;                          ///< thread instructions
  double half_flops = 0, brain_flops = 0;
  double integer = 0;  ///< thread instructions
  double alu = 0, fma = 0, fp64_pipe = 0, half_pipe = 0, xu = 0, lsu = 0, branch = 0,
         shuffles = 0;  ///< warp instructions
  double shared_loads = 0, shared_stores = 0, barriers = 0;
  std::vector<std::pair<ComputeKey, double>> tensor;  ///< operations
};
[[nodiscard]] PipeTotals totals_of(const Program& program, const std::vector<SiteCount>& sites);

/// `scale`: the grid over what ran of it; counts are "counted" if it is 1, else "sampled"; what caches decide is
/// "modelled".
[[nodiscard]] Work work_of(const PipeTotals& totals, const Counted& counted, double scale);

/// The lines that cost most: executed warp instructions and excess sectors by source line, or PTX line without one.
[[nodiscard]] std::vector<HotLine> hot_lines(const Program& program, const Counted& counted, double scale);

}  // namespace ridge::emulator
