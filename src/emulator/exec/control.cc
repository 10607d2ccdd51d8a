#include "emulator/exec/control.h"

#include <algorithm>
#include <cstring>

#include "emulator/exec/block.h"
#include "emulator/exec/runtime.h"

namespace ridge::emulator {
namespace {

const std::byte* at_lane(const std::byte* base, const Argument& argument, std::uint32_t lane) {
  return base + argument.slot + std::size_t{argument.stride} * lane;
}
std::byte* at_lane(std::byte* base, const Argument& argument, std::uint32_t lane) {
  return base + argument.slot + std::size_t{argument.stride} * lane;
}

Argument as_argument(const Area& area) {
  return {area.slot, area.bytes, area.stride};
}

void copy_lanes(std::byte* to_base, const Argument& to, const std::byte* from_base, const Argument& from, Mask mask) {
  const std::uint32_t bytes = std::min(to.bytes, from.bytes);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) != 0) std::memcpy(at_lane(to_base, to, i), at_lane(from_base, from, i), bytes);
  }
}

// A thread has 512 KiB of local memory on hardware, calls included; registers of calls are the host's to hold.
bool has_room(const Warp& warp, const FunctionCode& code) {
  constexpr std::uint64_t kMostRegisters = 32 << 20;  // of a warp
  return std::uint64_t{warp.frame->local_top} + code.local_bytes <= kMostLocal &&
         warp.frame->stack_bytes + code.register_bytes <= kMostRegisters;
}

void enter(Warp& warp, const Step& step, const Call& call, std::uint32_t function, Mask mask) {
  const Program& program = warp.block->launch().program;
  const FunctionCode& code = program.functions[function];
  if (call.arguments.size() != code.parameters.size() || call.results.size() != code.results.size()) {
    return raise(warp, step, FaultKind::kBadCall, 0, ptx::Space::kRegister, 0, 0,
                 "the call passes other arguments than '" + std::string(code.source->name) + "' takes");
  }
  if (!has_room(warp, code)) {
    return raise(warp, step, FaultKind::kBadCall, static_cast<std::uint32_t>(__builtin_ctz(mask)), ptx::Space::kLocal,
                 0, 0, "the calls are nested too deeply for a thread's stack");
  }
  const std::byte* caller = warp.base;
  Frame& frame = push_frame(warp, program, function);
  frame.call = &step;
  require_join(warp, &program.steps[code.end_step - 2]);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    copy_lanes(frame.base, as_argument(code.parameters[i]), caller, call.arguments[i], mask);
  }
  warp.pc = &program.steps[code.first_step];
}

// Functions that lanes call by address: one after the other, those with the same target together.
void call_indirect(Warp& warp, const Step& step, const Call& call, Mask mask) {
  const std::uint64_t* targets = warp.wide(call.address);
  const std::uint64_t target = targets[__builtin_ctz(mask)];
  const auto& functions = warp.block->launch().program.functions;
  const std::uint64_t index = target - kCodeWindow;
  if (target < kCodeWindow || index >= functions.size() || functions[index].first_step == functions[index].end_step) {
    return raise(warp, step, FaultKind::kBadCall, static_cast<std::uint32_t>(__builtin_ctz(mask)),
                 ptx::Space::kRegister, target, 0, "the address is no function of this module");
  }
  Mask same = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) != 0 && targets[i] == target) same |= Mask{1} << i;
  }
  // The others take the step again, until all have been called; a join follows the step.
  if (same != warp.active) {
    diverge(warp, same, warp.pc, &step + 1);
    warp.pending.back().pc = &step;
  }
  enter(warp, step, call, static_cast<std::uint32_t>(index), same);
}

}  // namespace

void branch(Warp& warp, const Step& step, Mask mask) {
  if (mask == warp.active) {
    warp.pc = step.target;
    return;
  }
  diverge(warp, mask, step.target, static_cast<const Step*>(step.detail), step.flags != 0);
}

void branch_always(Warp& warp, const Step& step, Mask) {
  warp.pc = step.target;
}

void branch_table(Warp& warp, const Step& step, Mask mask) {
  const auto& table = *static_cast<const BranchTable*>(step.detail);
  const std::uint32_t* index = warp.word(step.a);
  const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
  if (index[lane] >= table.targets.size()) {
    return raise(warp, step, FaultKind::kBadOperand, lane, ptx::Space::kRegister, index[lane], 0,
                 "brx.idx has fewer targets");
  }
  Mask same = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask >> i & 1U) != 0 && index[i] == index[lane]) same |= Mask{1} << i;
  }
  if (same == warp.active) {
    warp.pc = table.targets[index[lane]];
    return;
  }
  // The rest takes the step again, if it has lanes whose guard holds.
  diverge(warp, same, table.targets[index[lane]], table.rejoin);
  if (same != mask) warp.pending.back().pc = &step;
}

void join(Warp& warp, const Step& step, Mask) {
  arrive(warp, step);
}

void exit_step(Warp& warp, const Step&, Mask mask) {
  Block& block = *warp.block;
  exit_lanes(warp, mask);
  block.lanes_exited(static_cast<std::uint32_t>(__builtin_popcount(mask)));
}

void call_step(Warp& warp, const Step& step, Mask mask) {
  const auto& call = *static_cast<const Call*>(step.detail);
  if (call.function == Call::kIndirect) return call_indirect(warp, step, call, mask);
  const FunctionCode& code = warp.block->launch().program.functions[call.function];
  if (code.first_step == code.end_step) return call_runtime(warp, step, call, mask);
  if (mask != warp.active) diverge(warp, mask, warp.pc, warp.pc);
  enter(warp, step, call, call.function, mask);
}

void return_step(Warp& warp, const Step&, Mask mask) {
  const Frame& frame = *warp.frame;
  const Step& call_at = *frame.call;
  const auto& call = *static_cast<const Call*>(call_at.detail);
  const FunctionCode& code = warp.block->launch().program.functions[frame.function];
  for (std::size_t i = 0; i < call.results.size(); ++i) {
    copy_lanes(frame.caller->base, call.results[i], frame.base, as_argument(code.results[i]), mask);
  }
  pop_frame(warp);
  warp.pc = &call_at + 1;
}

void trap_step(Warp& warp, const Step& step, Mask mask) {
  raise(warp, step, FaultKind::kTrap, static_cast<std::uint32_t>(__builtin_ctz(mask)), ptx::Space::kRegister, 0, 0);
}

void nothing(Warp&, const Step&, Mask) {}

}  // namespace ridge::emulator
