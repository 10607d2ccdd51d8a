#include "collectors/nvml/nvml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "collectors/nvml/calls.h"

namespace ridge::collectors::nvml {
namespace {

constexpr const char* kWhere = "libnvidia-ml.so.1";
constexpr const char* kOldLibrary = "this NVML has no such call";

Error refused(const Calls& calls, Status status) {
  return not_available(fmt::format("NVML does not answer: {}", calls.error(status)), kWhere, "check nvidia-smi");
}
Error not_in_library() {
  return not_available("this NVML lacks a call that is needed", kWhere, "install a newer driver");
}

/// The text that a call of the form (handle, buffer, length) writes; empty if it fails.
template <class Call>
std::string text_of(Call call, Handle handle) {
  std::array<char, 128> text{};
  if (call == nullptr || call(handle, text.data(), unsigned(text.size() - 1)) != kSuccess) return "";
  return text.data();
}

Identity identity_of(const Calls& calls, Handle handle) {
  Identity identity;
  identity.name = text_of(calls.name, handle);
  identity.uuid = text_of(calls.uuid, handle);
  PciInfo pci{};
  if (calls.pci != nullptr && calls.pci(handle, &pci) == kSuccess) {
    pci.address[sizeof pci.address - 1] = '\0';
    identity.address = pci.address;
  }
  int major = 0;
  int minor = 0;
  if (calls.capability != nullptr && calls.capability(handle, &major, &minor) == kSuccess) {
    identity.capability = 10 * major + minor;
  }
  return identity;
}

/// The library after its init; shut down with the last owner.
struct Initialised {
  explicit Initialised(const Calls& given) : calls(given) {}
  Initialised(const Initialised&) = delete;
  Initialised& operator=(const Initialised&) = delete;
  ~Initialised() { (void)calls.shutdown(); }
  Calls calls;
};

class NvmlGpu final : public Gpu {
 public:
  NvmlGpu(std::shared_ptr<const Calls> calls, Handle handle)
      : calls_(std::move(calls)), handle_(handle), identity_(identity_of(*calls_, handle)) {}

  const Identity& identity() const override { return identity_; }

  device::Reading read() override {
    device::Reading reading;
    reading.sm_clock = clock(calls_->clock, kSmClock, Provenance::kSampled);
    reading.memory_clock = clock(calls_->clock, kMemoryClock, Provenance::kSampled);
    unsigned value = 0;
    const Status power = calls_->power(handle_, &value);
    reading.watts = told(power, value * 1e-3, Provenance::kReported);
    const Status temperature = calls_->temperature(handle_, kGpuSensor, &value);
    reading.celsius = told(temperature, double(value), Provenance::kReported);
    if (calls_->throttle != nullptr) {
      unsigned long long reasons = 0;
      const Status status = calls_->throttle(handle_, &reasons);
      reading.throttle_reasons = told(status, double(reasons), Provenance::kReported);
    } else {
      reading.throttle_reasons = Value<double>::missing(kOldLibrary);
    }
    return reading;
  }

  Value<Hertz> max_sm_clock() override { return clock(calls_->max_clock, kSmClock, Provenance::kReported); }
  Value<Hertz> max_memory_clock() override { return clock(calls_->max_clock, kMemoryClock, Provenance::kReported); }

  Value<double> utilisation() override {
    if (calls_->utilisation == nullptr) return Value<double>::missing(kOldLibrary);
    Utilisation share{};
    const Status status = calls_->utilisation(handle_, &share);
    return told(status, share.gpu * 1e-2, Provenance::kReported);
  }

  Value<bool> mig() override {
    if (calls_->mig == nullptr) return Value<bool>::missing(kOldLibrary);
    unsigned current = 0;
    unsigned pending = 0;
    const Status status = calls_->mig(handle_, &current, &pending);
    return told(status, current != 0, Provenance::kReported);
  }

  Result<std::vector<Process>> processes() override {
    if (calls_->processes == nullptr) return fail(not_in_library());
    // The list may grow between two calls, so the buffer grows with it a few times.
    std::vector<ProcessInfo> found(16);
    for (int attempt = 0; attempt < 8; ++attempt) {
      auto count = unsigned(found.size());
      const Status status = calls_->processes(handle_, &count, found.data());
      if (status == kSuccess) return listed(found, count);
      if (status != kInsufficientSize) return fail(refused(*calls_, status));
      found.resize(std::max(2 * found.size(), std::size_t(count) + 16));
    }
    return fail(refused(*calls_, kInsufficientSize));
  }

 private:
  static std::vector<Process> listed(const std::vector<ProcessInfo>& found, unsigned count) {
    std::vector<Process> processes;
    for (std::size_t i = 0; i < count && i < found.size(); ++i) {
      const bool known = found[i].memory != std::numeric_limits<unsigned long long>::max();
      processes.push_back({found[i].pid, known ? Value<Bytes>(Bytes(double(found[i].memory)), Provenance::kReported)
                                               : Value<Bytes>::missing("NVML does not tell it here")});
    }
    return processes;
  }

  Value<Hertz> clock(Status (*call)(Handle, int, unsigned*), int which, Provenance provenance) {
    if (call == nullptr) return Value<Hertz>::missing(kOldLibrary);
    unsigned megahertz = 0;
    const Status status = call(handle_, which, &megahertz);
    return told(status, Hertz(megahertz * 1e6), provenance);
  }
  template <class T>
  Value<T> told(Status status, T value, Provenance provenance) {
    if (status == kSuccess) return Value<T>(value, provenance);
    return Value<T>::missing(fmt::format("NVML does not tell: {}", calls_->error(status)));
  }

  std::shared_ptr<const Calls> calls_;
  Handle handle_;
  Identity identity_;
};

}  // namespace

Result<Nvml> Nvml::open() {
  const auto calls = load_calls();
  if (!calls) return fail(calls.error());
  return over(*calls);
}

Result<Nvml> Nvml::over(const Calls& calls) {
  const Status status = calls.init();
  if (status != kSuccess) return fail(refused(calls, status));
  const auto opened = std::make_shared<Initialised>(calls);
  return Nvml(std::shared_ptr<const Calls>(opened, &opened->calls));
}

Value<std::string> Nvml::driver_version() const {
  std::array<char, 128> text{};
  if (calls_->driver_version == nullptr) return Value<std::string>::missing(kOldLibrary);
  const Status status = calls_->driver_version(text.data(), unsigned(text.size() - 1));
  if (status == kSuccess) return Value<std::string>(text.data(), Provenance::kReported);
  return Value<std::string>::missing(fmt::format("NVML does not tell: {}", calls_->error(status)));
}

Result<std::vector<std::unique_ptr<Gpu>>> Nvml::gpus() const {
  if (calls_->count == nullptr || calls_->by_index == nullptr) return fail(not_in_library());
  unsigned count = 0;
  if (const Status status = calls_->count(&count); status != kSuccess) return fail(refused(*calls_, status));
  std::vector<std::unique_ptr<Gpu>> gpus;
  for (unsigned i = 0; i < count; ++i) {
    Handle handle = nullptr;
    // A GPU that the caller may not use, or that fell off the bus, does not hide the others.
    if (calls_->by_index(i, &handle) == kSuccess) gpus.push_back(std::make_unique<NvmlGpu>(calls_, handle));
  }
  return gpus;
}

Result<std::unique_ptr<Gpu>> Nvml::at(const std::string& pci_address) const {
  Handle handle = nullptr;
  const Status status = calls_->by_address(pci_address.c_str(), &handle);
  if (status != kSuccess) return fail(refused(*calls_, status));
  return std::make_unique<NvmlGpu>(calls_, handle);
}

Result<std::unique_ptr<Gpu>> Nvml::with_uuid(const std::string& uuid) const {
  if (calls_->by_uuid == nullptr) return fail(not_in_library());
  Handle handle = nullptr;
  const Status status = calls_->by_uuid(uuid.c_str(), &handle);
  if (status != kSuccess) return fail(refused(*calls_, status));
  return std::make_unique<NvmlGpu>(calls_, handle);
}

Result<std::unique_ptr<device::Telemetry>> open_telemetry(const std::string& pci_address) {
  const auto nvml = Nvml::open();
  if (!nvml) return fail(nvml.error());
  auto gpu = nvml->at(pci_address);
  if (!gpu) return fail(gpu.error());
  return std::unique_ptr<device::Telemetry>(std::move(*gpu));
}

}  // namespace ridge::collectors::nvml
