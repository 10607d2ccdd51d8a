// Instructions whose lanes look at one another, for handlers of this and other families.
//
// Lanes name who takes part by a mask of members. Those that come in different fragments are executed together
// (warp.h); a lane that names members which never come makes the kernel hang, as the hardware may. Several groups in
// one warp, each with a mask of its own, may come at once: cooperative groups do so.
#pragma once

#include "emulator/exec/builder.h"
#include "emulator/exec/warp.h"

namespace ridge::emulator {

/// Everybody that the lanes of `mask` name, and themselves.
[[nodiscard]] Mask members_named(const Warp& warp, Slot members, Mask mask);

/// For an instruction that all lanes of the warp must execute together (.aligned): the lanes to execute, once all are
/// here, or 0. A guard that holds for some lanes only is a finding, and execution goes on.
[[nodiscard]] Mask whole_warp(Warp& warp, const Step& step, Mask mask);

}  // namespace ridge::emulator
