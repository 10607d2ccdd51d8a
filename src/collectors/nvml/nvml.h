// Clock, power and temperature of one GPU from the management library, loaded at run time.
// Not here yet: processes, throttle reasons, counters of the whole GPU.
#pragma once

#include <memory>
#include <string>

#include "device/device.h"

namespace ridge::collectors::nvml {

/// The GPU at that PCI address. Not available: no library, or the driver does not answer.
[[nodiscard]] Result<std::unique_ptr<device::Telemetry>> open_telemetry(const std::string& pci_address);

}  // namespace ridge::collectors::nvml
