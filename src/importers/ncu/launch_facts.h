// What the launch metrics and device attributes of a report say, as tables: configuration, duration, device.
#pragma once

#include "model/metric/nvidia.h"

namespace ridge::ncu {

/// gpu__time_duration in any of its roll-ups, else cycles / clock; 0 counts as missing.
[[nodiscard]] Value<Seconds> duration_of(const CounterReader& counters);

/// Grid, block and cluster from launch__ metrics fill what the header did not say.
[[nodiscard]] Configuration configuration_of(const CounterReader& counters, const std::optional<Dim3>& grid,
                                             const std::optional<Dim3>& block);

[[nodiscard]] DeviceAttributes attributes_of(const CounterReader& counters);

/// Chip name from device__attribute_chip, or empty.
[[nodiscard]] std::string_view chip_name(int chip_id);

}  // namespace ridge::ncu
