// What the management library says of the GPUs of this machine, loaded at run time: who they are, clocks, power,
// temperature, what slows them, which processes compute on them.
//
// What the library does not tell is missing with its words. Not here: counters, setting anything, MIG instances.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace ridge::collectors::nvml {

struct Calls;

/// Fields are empty where the library does not tell.
struct Identity {
  std::string name;
  std::string uuid;     ///< "GPU-..."
  std::string address;  ///< PCI bus id, "00000000:3B:00.0"
  int capability = 0;   ///< 10 x major + minor; 0: not told
};

/// A process with a compute context. Inside a container the library may list none, or ids of the host.
struct Process {
  std::uint64_t id = 0;
  Value<Bytes> memory;
};

class Gpu : public device::Telemetry {
 public:
  [[nodiscard]] virtual const Identity& identity() const = 0;
  [[nodiscard]] virtual Value<Hertz> max_sm_clock() = 0;
  [[nodiscard]] virtual Value<Hertz> max_memory_clock() = 0;
  /// Share of the last sample period (a second or less) in which some kernel ran, 0..1.
  [[nodiscard]] virtual Value<double> utilisation() = 0;
  /// Missing on GPUs without MIG.
  [[nodiscard]] virtual Value<bool> mig() = 0;
  [[nodiscard]] virtual Result<std::vector<Process>> processes() = 0;
};

/// The library, initialised; it stays so while this or a Gpu of it lives.
class Nvml {
 public:
  /// Not available: no library, or the driver does not answer.
  [[nodiscard]] static Result<Nvml> open();
  /// Over calls that are given: for tests.
  [[nodiscard]] static Result<Nvml> over(const Calls& calls);

  [[nodiscard]] Value<std::string> driver_version() const;
  /// All of them, in the library's order, which need not be CUDA's.
  [[nodiscard]] Result<std::vector<std::unique_ptr<Gpu>>> gpus() const;
  [[nodiscard]] Result<std::unique_ptr<Gpu>> at(const std::string& pci_address) const;
  [[nodiscard]] Result<std::unique_ptr<Gpu>> with_uuid(const std::string& uuid) const;

 private:
  explicit Nvml(std::shared_ptr<const Calls> calls) : calls_(std::move(calls)) {}
  std::shared_ptr<const Calls> calls_;  ///< shut down with the last owner
};

/// The GPU at that PCI address. Not available: no library, or the driver does not answer.
[[nodiscard]] Result<std::unique_ptr<device::Telemetry>> open_telemetry(const std::string& pci_address);

}  // namespace ridge::collectors::nvml
