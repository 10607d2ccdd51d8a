// What the parts of the driver share: launching, waiting, and the shape of each exported call.
#pragma once

#include "collectors/fake/callbacks.h"
#include "collectors/fake/machine.h"

namespace ridge::collectors::fake {

/// Where a kernel is launched from a graph; all 0: it is not.
struct FromGraph {
  std::uint64_t node = 0;
  std::uint32_t graph = 0;
};

/// Checks, replays or schedules one kernel, and keeps its records. CUresult.
[[nodiscard]] int launch(const Configuration& configuration, Stream* stream, std::uint32_t correlation,
                         const FromGraph& graph = {});

/// Waits until the work of a stream of the current context, or of its whole device, is done.
[[nodiscard]] int wait_for(Stream* stream, bool whole_device);

/// True and CUDA_SUCCESS in `result` if the driver is initialised and the thread has a context.
[[nodiscard]] bool ready(int& result);

/// Whether a handle is one of the default streams, or one that was made.
[[nodiscard]] bool is_stream(Machine& machine, const Stream* stream);

}  // namespace ridge::collectors::fake
