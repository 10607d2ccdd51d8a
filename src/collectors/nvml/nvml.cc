#include "collectors/nvml/nvml.h"

#include <fmt/format.h>

#include "collectors/library.h"

namespace ridge::collectors::nvml {
namespace {

using Status = int;
using Handle = struct OpaqueNvmlDevice*;
constexpr int kSmClock = 1, kMemoryClock = 2, kGpuSensor = 0;  // nvmlClockType_t, nvmlTemperatureSensors_t

struct Calls {
  Status (*init)() = nullptr;
  Status (*shutdown)() = nullptr;
  Status (*by_address)(const char*, Handle*) = nullptr;
  Status (*clock)(Handle, int, unsigned*) = nullptr;
  Status (*power)(Handle, unsigned*) = nullptr;
  Status (*temperature)(Handle, int, unsigned*) = nullptr;
  const char* (*error)(Status) = nullptr;
};

class Nvml final : public device::Telemetry {
 public:
  Nvml(Library library, Calls calls, Handle handle) : library_(std::move(library)), calls_(calls), handle_(handle) {}
  ~Nvml() override { (void)calls_.shutdown(); }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  device::Reading read() override {
    device::Reading reading;
    unsigned value = 0;
    reading.sm_clock = clock(kSmClock);
    reading.memory_clock = clock(kMemoryClock);
    const Status power = calls_.power(handle_, &value);
    reading.watts = power == 0 ? Value<double>(value * 1e-3, Provenance::kReported) : missing<double>(power);
    const Status temperature = calls_.temperature(handle_, kGpuSensor, &value);
    reading.celsius = temperature == 0 ? Value<double>(value, Provenance::kReported) : missing<double>(temperature);
    return reading;
  }

 private:
  Value<Hertz> clock(int which) {
    unsigned megahertz = 0;
    const Status status = calls_.clock(handle_, which, &megahertz);
    if (status != 0) return missing<Hertz>(status);
    return Value<Hertz>(Hertz(megahertz * 1e6), Provenance::kSampled);
  }
  template <class T>
  Value<T> missing(Status status) {
    return Value<T>::missing(fmt::format("NVML does not tell: {}", calls_.error(status)));
  }

  Library library_;
  Calls calls_;
  Handle handle_;
};

}  // namespace

Result<std::unique_ptr<device::Telemetry>> open_telemetry(const std::string& pci_address) {
  auto library = Library::open({"libnvidia-ml.so.1"}, "install the NVIDIA driver's management library");
  if (!library) return fail(library.error());
  Calls calls;
  const bool complete =
      library->find("nvmlInit_v2", calls.init) && library->find("nvmlShutdown", calls.shutdown) &&
      library->find("nvmlDeviceGetHandleByPciBusId_v2", calls.by_address) &&
      library->find("nvmlDeviceGetClockInfo", calls.clock) && library->find("nvmlDeviceGetPowerUsage", calls.power) &&
      library->find("nvmlDeviceGetTemperature", calls.temperature) && library->find("nvmlErrorString", calls.error);
  if (!complete) {
    return fail(not_available("this NVML lacks a call that is needed", library->name(), "install a newer driver"));
  }
  Status status = calls.init();
  Handle handle = nullptr;
  if (status == 0) {
    status = calls.by_address(pci_address.c_str(), &handle);
    if (status != 0) (void)calls.shutdown();
  }
  if (status != 0) {
    return fail(not_available(fmt::format("NVML does not answer: {}", calls.error(status)), library->name(),
                              "check nvidia-smi"));
  }
  return std::make_unique<Nvml>(*std::move(library), calls, handle);
}

}  // namespace ridge::collectors::nvml
