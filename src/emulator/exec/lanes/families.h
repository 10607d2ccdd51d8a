// The families of this folder, for one instruction set.
#pragma once

#include "emulator/exec/builder.h"
#include "emulator/exec/lanes/lanes.h"

namespace ridge::emulator::RIDGE_ISA {

[[nodiscard]] bool select_transfer(Builder& builder);  ///< ld and st
[[nodiscard]] bool select_integer(Builder& builder);
[[nodiscard]] bool select_float(Builder& builder);
[[nodiscard]] bool select_half(Builder& builder);
[[nodiscard]] bool select_logic(Builder& builder);
[[nodiscard]] bool select_compare(Builder& builder);
[[nodiscard]] bool select_move(Builder& builder);
[[nodiscard]] bool select_convert(Builder& builder);
[[nodiscard]] bool select_multiply(Builder& builder);  ///< mma, wmma.mma, wgmma.mma_async: exec/matrix/multiply.cc

}  // namespace ridge::emulator::RIDGE_ISA
