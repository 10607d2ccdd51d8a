// Atomics whose result nobody reads. ptxas makes a reduction of such an `atom`, which sends nothing back.
//
// A register counts as read if any instruction of the function names it other than as a result: the order in which
// things happen is not looked at. Left out: orderings with an acquire, and exchanges, of which there is no reduction.
#pragma once

#include <vector>

#include "emulator/exec/symbols.h"

namespace ridge::emulator {

/// For each item of the body.
[[nodiscard]] std::vector<bool> unread_atomics(const Body& body);

}  // namespace ridge::emulator
