// Families of instructions whose handlers are compiled once.
#pragma once

#include "emulator/exec/builder.h"

namespace ridge::emulator {

[[nodiscard]] bool select_address(Builder& builder);  ///< what moves addresses between spaces
[[nodiscard]] bool select_atomic(Builder& builder);
[[nodiscard]] bool select_barrier(Builder& builder);
[[nodiscard]] bool select_async(Builder& builder);  ///< cp.async, bulk copies, mbarrier
[[nodiscard]] bool select_warp(Builder& builder);
[[nodiscard]] bool select_matrix(Builder& builder);
[[nodiscard]] bool select_wgmma(Builder& builder);

// Of lanes that are worked on one after another (scalar/).
[[nodiscard]] bool select_scalar_float(Builder& builder);
[[nodiscard]] bool select_scalar_convert(Builder& builder);
[[nodiscard]] bool select_carry(Builder& builder);
[[nodiscard]] bool select_video(Builder& builder);

}  // namespace ridge::emulator
