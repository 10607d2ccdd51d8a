// Where the result of a conversion goes: a register may be wider than the type converted to.
#pragma once

#include "emulator/exec/builder.h"
#include "emulator/exec/lanes/lanes.h"

namespace ridge::emulator {
namespace {

/// A value of `flags` bits in its word gets its sign up to the register's `immediate` bits.
inline void extend_sign(Warp& warp, const Step& step, Mask mask) {
  const std::uint32_t unused = 32 - step.flags;
  const auto kept = static_cast<std::uint32_t>((std::uint64_t{1} << step.immediate) - 1);
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask & kLaneBits[i]) == 0) continue;
    const auto value = static_cast<std::int32_t>(warp.word(step.a)[i] << unused) >> unused;
    warp.word(step.d)[i] = static_cast<std::uint32_t>(value) & kept;
  }
}

/// Emits the step with operand 0 as its destination, of type `to`. (Registers of 64 bits are the builder's.)
inline void emit_conversion(Builder& builder, Step step, Type to) {
  step.d = builder.destination(0, to);
  builder.emit(step);
  const auto symbol = builder.symbol(builder.operand(0).name);
  if (!is_signed_integer(to) || !symbol || lane_of(symbol->type) != Lane::kWord) return;
  const std::uint32_t register_bytes = size_of(symbol->type);
  if (register_bytes <= size_of(to)) return;
  builder.emit(
      {.run = extend_sign, .d = step.d, .a = step.d, .flags = 8 * size_of(to), .immediate = 8 * register_bytes});
}

}  // namespace
}  // namespace ridge::emulator
