// Which window of the generic address space an address lies in.
#pragma once

#include "emulator/exec/program.h"

namespace ridge::emulator {

[[nodiscard]] inline ptx::Space space_of(std::uint64_t generic) {
  if (generic - kSharedWindow < kWindowBytes) return ptx::Space::kShared;
  if (generic - kLocalWindow < kWindowBytes) return ptx::Space::kLocal;
  return generic - kParameterWindow < kWindowBytes ? ptx::Space::kParameter : ptx::Space::kGlobal;
}
[[nodiscard]] inline std::uint64_t window_of(ptx::Space space) {
  if (space == ptx::Space::kShared) return kSharedWindow;
  if (space == ptx::Space::kLocal) return kLocalWindow;
  return space == ptx::Space::kParameter ? kParameterWindow : 0;
}

}  // namespace ridge::emulator
