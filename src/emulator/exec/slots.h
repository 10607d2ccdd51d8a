// Gives a function's registers their slots. PTX names a new register for nearly every result; registers that are never
// needed at the same time share a slot, so that a warp's frame stays in the host's nearest cache.
//
// Lanes may be at different places, but a lane's registers are its own lane of a slot, and each lane follows a way that
// the control flow has: what holds for one thread holds for all. Registers that are read before they are written keep
// what the slot held before (zero at the start of a frame).
#pragma once

#include <vector>

#include "emulator/exec/flow.h"
#include "emulator/exec/symbols.h"

namespace ridge::emulator {

/// Places all numbered registers (%r<n>) of the body. `flow` has one item for each of the body's and one for its end.
void place_registers(Body& body, const std::vector<FlowItem>& flow);

}  // namespace ridge::emulator
