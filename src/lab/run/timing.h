// Warm-up and samples of something that can be launched.
#pragma once

#include <functional>

#include "device/device.h"
#include "lab/run/run.h"

namespace ridge::lab {

/// `launch` is called with the number of the buffer set to use, 0 to copies - 1 in turn.
[[nodiscard]] Result<Timing> take_time(device::Device& device, device::Telemetry* telemetry, int copies,
                                       int repetitions, const std::function<Result<void>(std::size_t)>& launch);

}  // namespace ridge::lab
