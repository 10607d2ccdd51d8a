// Functions of the device runtime that kernels call without a body of their own: printf, malloc, assertions.
#pragma once

#include "emulator/exec/control.h"

namespace ridge::emulator {

/// vprintf, __assertfail, malloc and free; a fault for others.
void call_runtime(Warp& warp, const Step& step, const Call& call, Mask mask);

}  // namespace ridge::emulator
