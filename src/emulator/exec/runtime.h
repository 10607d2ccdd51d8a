// Functions of the device runtime that kernels call without a body of their own: printf and assertions.
#pragma once

#include "emulator/exec/control.h"

namespace ridge::emulator {

/// vprintf and __assertfail; a fault for others (malloc: memory is laid out before a kernel runs).
void call_runtime(Warp& warp, const Step& step, const Call& call, Mask mask);

}  // namespace ridge::emulator
