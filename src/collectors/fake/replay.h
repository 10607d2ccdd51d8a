// The range profiler: replays the launches of a context while it is started, and counts what they do; or counts what is
// launched between PushRange and PopRange and replays nothing.
//
// Automatic ranges with kernel replay and ranges of the user with user replay, which is all that the product uses;
// another mode is refused as not supported. A profiler that was started in one mode is refused the other. The device's
// counters are held from the first Start until Disable. A replayed launch takes its passes one after the other and the
// call returns when they are done; nobody learns when it ran (activity.h). A pass that the script lets fail leaves its
// range without values: Stop says that not all passes were submitted and decoding fails, the next Start begins anew.
#pragma once

#include "collectors/fake/machine.h"

namespace ridge::collectors::fake {

/// Replays the launch if the profiler is started on its context, and returns when that is done. False: it is not.
bool replay(Machine& machine, const Context& context, const Configuration& configuration);

/// Adds the launch to a range of the user that is open on its context, if there is one.
void count_in_range(const Machine& machine, const Context& context, const Configuration& configuration);

}  // namespace ridge::collectors::fake
