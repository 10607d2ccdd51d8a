// How often a warp waits for what it has asked for: by the order of instructions, without time.
//
// A wait is an instruction that reads what an earlier load, atomic, shuffle or special function brings, the first one
// after it: all that was asked for before it is there afterwards. Waits of loads that are used before they are asked
// for in the text (prefetches for the next turn of a loop) are not seen: they overlap with the loop's work.
#pragma once

#include <vector>

#include "emulator/exec/launch.h"

namespace ridge::emulator {

/// Executed waits of all warps, by what they wait for; and the clocks that arithmetic needs in each stretch of code
/// without a branch: its longest chain of results that need one another, but at least one an instruction.
struct Waits {
  double arithmetic = 0;
  double global = 0, shared = 0, atomic = 0, barrier = 0, special = 0;
};

[[nodiscard]] Waits count_waits(const Program& program, const std::vector<SiteCount>& sites);

}  // namespace ridge::emulator
