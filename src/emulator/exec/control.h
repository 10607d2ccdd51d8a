// Branches, calls and ends: steps that move a warp on.
#pragma once

#include <vector>

#include "emulator/exec/builder.h"

namespace ridge::emulator {

/// A branch whose target is not known yet: patched once all steps are there.
struct BranchFix {
  std::uint32_t step = 0;    ///< index of the step
  std::uint32_t target = 0;  ///< item
  std::uint32_t rejoin = 0;  ///< item or kNowhere
};
struct TableFix {
  std::uint32_t step = 0;
  std::vector<std::uint32_t> targets;  ///< items
  std::uint32_t rejoin = 0;
};

/// Detail of brx.idx.
struct BranchTable {
  std::vector<const Step*> targets;
  const Step* rejoin = nullptr;
};

struct Argument {
  Slot slot = kNoSlot;  ///< of a register, or of an area
  std::uint32_t bytes = 0, stride = 0;
};
/// Detail of call.
struct Call {
  std::uint32_t function = 0;  ///< index; kIndirect: `address` holds it
  Slot address = kNoSlot;
  std::vector<Argument> arguments, results;
  std::string_view external;  ///< a function of the device runtime: "vprintf"
  static constexpr std::uint32_t kIndirect = UINT32_MAX;
};

// Handlers.
void branch(Warp& warp, const Step& step, Mask mask);  ///< target; detail: the Step to meet at; flags: a loop's end
void branch_always(Warp& warp, const Step& step, Mask mask);
void branch_table(Warp& warp, const Step& step, Mask mask);
void join(Warp& warp, const Step& step, Mask mask);
void exit_step(Warp& warp, const Step& step, Mask mask);
void call_step(Warp& warp, const Step& step, Mask mask);
void return_step(Warp& warp, const Step& step, Mask mask);  ///< all lanes of the call are here
void trap_step(Warp& warp, const Step& step, Mask mask);
void nothing(Warp& warp, const Step& step, Mask mask);

}  // namespace ridge::emulator
