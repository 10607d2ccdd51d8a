// The registers that a kernel's threads need, estimated from its PTX: what a machine's blocks per SM follow from.
//
// PTX names as many registers as it likes; the vendor's compiler decides. What PTX does say is which values are alive
// at once. That, and a line fitted to what the compiler made of known kernels, is the estimate: docs/design/emulator.md
// says how far off it is. Not modelled: reordering for fewer or for more loads in flight, and spilling: where a
// directive bounds the registers, the bound is believed.
#pragma once

#include <cstdint>

#include "emulator/exec/program.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct RegisterEstimate {
  int registers = 0;  ///< 32-bit registers a thread, as a launch reports them: not rounded up to what is allocated
  int live = 0;       ///< 32-bit words alive at once, at the fullest point, calls included
};

/// Bad input: a branch to a label that is not there, an instruction that PTX has not.
[[nodiscard]] Result<RegisterEstimate> estimate_registers(const Program& program);

}  // namespace ridge::emulator
