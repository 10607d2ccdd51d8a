// The table of one instruction set: see lanes.h for how this is compiled.
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/select.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

RIDGE_LANE_CODE void run(Warp& warp) {
  std::uint64_t taken = 0;
  for (; warp.budget > 0; ++taken) {
    --warp.budget;
    const Step& step = *warp.pc;
    ++warp.pc;
    const Mask mask = warp.active & (warp.predicate(step.guard) ^ step.invert);
    SiteCount& count = warp.counts[step.site];
    count.warps += 1;
    count.lanes += static_cast<std::uint64_t>(__builtin_popcount(mask));
    if (mask != 0) step.run(warp, step, mask);
  }
  warp.steps_taken += taken;
}

constexpr std::string_view kName = RIDGE_ISA_NAME;
constexpr Select kFamilies[] = {select_transfer, select_integer, select_float,   select_half,    select_logic,
                                select_compare,  select_move,    select_convert, select_multiply};

}  // namespace

const LaneCode& lane_code() {
  static constexpr LaneCode kCode = {kName, kFamilies, run};
  return kCode;
}

}  // namespace ridge::emulator::RIDGE_ISA
