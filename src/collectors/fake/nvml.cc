// NVML: what the script's sensors say at this time, counted from when the run's directory was first used.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>

#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"
#include "collectors/fake/world.h"

namespace ridge::collectors::fake {
namespace {

// nvmlReturn_t
enum : int {
  kSuccess = 0,
  kUninitialised = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNotFound = 6,
  kTooSmall = 7,
  kLibraryNotFound = 12
};
enum : int { kGraphicsClock = 0, kSmClock = 1, kMemoryClock = 2, kVideoClock = 3 };

/// nvmlPciInfo_t
struct PciInfo {
  char legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char address[32];
};
/// nvmlProcessInfo_t of versions 2 and 3
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
struct Utilisation {
  unsigned gpu, memory;
};

std::atomic<int>& users() {
  static std::atomic<int> count{0};
  return count;
}

/// The time of the file that the first process of the run made.
std::uint64_t run_began() {
  const std::string path = world()->directory + "/began";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return now();
  return static_cast<std::uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(status.st_mtim.tv_nsec);
}

/// Handles are numbers from 1.
const Device* device_of_handle(const void* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (users() == 0 || world() == nullptr || number == 0 || number > world()->script.devices.size()) return nullptr;
  return &world()->script.devices[number - 1];
}

int refuse() {
  return users() == 0 ? kUninitialised : kInvalidArgument;
}

const Sensors& sensors_now(const Device& device) {
  static const std::uint64_t began = run_began();
  const std::uint64_t moment = now(), since = moment > began ? moment - began : 0;
  const Sensors* found = &device.sensors.front();
  for (const Sensors& sensors : device.sensors) {
    if (sensors.at <= since) found = &sensors;
  }
  return *found;
}

int write_text(const std::string& text, char* to, unsigned length) {
  if (to == nullptr) return kInvalidArgument;
  if (length <= text.size()) return kTooSmall;
  copy_text(text, to, length);
  return kSuccess;
}

std::string uuid_of(const void* handle) {
  // As the driver tells it: sixteen bytes of 0xf0, the last one plus the device's number.
  constexpr char kDigits[] = "0123456789abcdef";
  const std::uintptr_t last = 0xf0 + reinterpret_cast<std::uintptr_t>(handle) - 1;
  return std::string("GPU-f0f0f0f0-f0f0-f0f0-f0f0-f0f0f0f0f0") + kDigits[last / 16 % 16] + kDigits[last % 16];
}

int handle_at(std::size_t index, void** handle) {
  if (handle == nullptr) return kInvalidArgument;
  if (users() == 0) return kUninitialised;
  if (index >= world()->script.devices.size()) return kNotFound;
  *handle = reinterpret_cast<void*>(index + 1);
  return kSuccess;
}

/// Addresses are told with four or eight digits of the domain, in either case.
bool same_address(std::string a, std::string b) {
  const auto plain = [](std::string& text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
      return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c);
    });
    if (text.size() == 16) text.erase(0, 4);
  };
  plain(a);
  plain(b);
  return a == b;
}

unsigned megahertz(double hertz) {
  return static_cast<unsigned>(std::lround(hertz / 1e6));
}

int tell_clock(int which, double sm, double memory, unsigned* clock) {
  if (clock == nullptr || which < kGraphicsClock || which > kVideoClock) return kInvalidArgument;
  *clock = megahertz(which == kMemoryClock ? memory : sm);
  return kSuccess;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT int nvmlInit_v2() {
  if (world() == nullptr) return kLibraryNotFound;
  if (world()->script.faults.nvml != 0) return world()->script.faults.nvml;
  ++users();
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlShutdown() {
  if (users() == 0) return kUninitialised;
  --users();
  return kSuccess;
}

RIDGE_FAKE_EXPORT const char* nvmlErrorString(int code) {
  switch (code) {
    case kSuccess:
      return "Success";
    case kUninitialised:
      return "Uninitialized";
    case kInvalidArgument:
      return "Invalid Argument";
    case kNotSupported:
      return "Not Supported";
    case 4:
      return "Insufficient Permissions";
    case kNotFound:
      return "Not Found";
    case kTooSmall:
      return "Insufficient Size";
    case 9:
      return "Driver Not Loaded";
    case kLibraryNotFound:
      return "NVML Shared Library Not Found";
    case 15:
      return "GPU is lost";
    case 18:
      return "Driver/library version mismatch";
    default:
      return "Unknown Error";
  }
}

RIDGE_FAKE_EXPORT int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  if (users() == 0) return kUninitialised;
  return write_text(world()->script.driver_text, version, length);
}

RIDGE_FAKE_EXPORT int nvmlDeviceGetCount_v2(unsigned* count) {
  if (users() == 0 || count == nullptr) return refuse();
  *count = static_cast<unsigned>(world()->script.devices.size());
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  return handle_at(index, handle);
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** handle) {
  if (users() == 0 || address == nullptr) return refuse();
  const auto& devices = world()->script.devices;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (same_address(devices[i].address, address)) return handle_at(i, handle);
  }
  return kNotFound;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle) {
  if (users() == 0 || uuid == nullptr) return refuse();
  for (std::size_t i = 0; i < world()->script.devices.size(); ++i) {
    if (uuid_of(reinterpret_cast<const void*>(i + 1)) == uuid) return handle_at(i, handle);
  }
  return kNotFound;
}

RIDGE_FAKE_EXPORT int nvmlDeviceGetName(void* handle, char* name, unsigned length) {
  const Device* device = device_of_handle(handle);
  return device == nullptr ? refuse() : write_text(device->name, name, length);
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetUUID(void* handle, char* uuid, unsigned length) {
  return device_of_handle(handle) == nullptr ? refuse() : write_text(uuid_of(handle), uuid, length);
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetPciInfo_v3(void* handle, PciInfo* info) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || info == nullptr) return refuse();
  *info = {};
  const std::string& full = device->address;
  copy_text(full, info->address, sizeof(info->address));
  copy_text(full.size() == 16 ? full.substr(4) : full, info->legacy, sizeof(info->legacy));
  const char* at = full.data();
  const char* const end = full.data() + full.size();
  for (unsigned* part : {&info->domain, &info->bus, &info->device}) {
    at = std::from_chars(at, end, *part, 16).ptr;
    if (at < end) ++at;
  }
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetCudaComputeCapability(void* handle, int* major, int* minor) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || major == nullptr || minor == nullptr) return refuse();
  *major = static_cast<int>(device->major);
  *minor = static_cast<int>(device->minor);
  return kSuccess;
}

RIDGE_FAKE_EXPORT int nvmlDeviceGetClockInfo(void* handle, int which, unsigned* clock) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr) return refuse();
  const Sensors& sensors = sensors_now(*device);
  return tell_clock(which, sensors.sm_clock, sensors.memory_clock, clock);
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetMaxClockInfo(void* handle, int which, unsigned* clock) {
  const Device* device = device_of_handle(handle);
  return device == nullptr ? refuse() : tell_clock(which, device->sm_clock, device->memory_clock, clock);
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetPowerUsage(void* handle, unsigned* milliwatts) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || milliwatts == nullptr) return refuse();
  *milliwatts = static_cast<unsigned>(sensors_now(*device).watts * 1e3);
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetTemperature(void* handle, int sensor, unsigned* celsius) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || celsius == nullptr || sensor != 0) return refuse();
  *celsius = static_cast<unsigned>(sensors_now(*device).celsius);
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetCurrentClocksEventReasons(void* handle, unsigned long long* reasons) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || reasons == nullptr) return refuse();
  *reasons = sensors_now(*device).throttle;
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void* handle, unsigned long long* reasons) {
  return nvmlDeviceGetCurrentClocksEventReasons(handle, reasons);
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetMigMode(void* handle, unsigned* current, unsigned* pending) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || current == nullptr || pending == nullptr) return refuse();
  *current = *pending = device->mig ? 1 : 0;
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetUtilizationRates(void* handle, Utilisation* rates) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || rates == nullptr) return refuse();
  if (device->mig) return kNotSupported;
  *rates = {0, 0};
  return kSuccess;
}
RIDGE_FAKE_EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(void* handle, unsigned* count, ProcessInfo* processes) {
  const Device* device = device_of_handle(handle);
  if (device == nullptr || count == nullptr) return refuse();
  const auto number = static_cast<std::size_t>(device - world()->script.devices.data());
  std::vector<std::uint32_t> ids = processes_on(*world(), number);
  ids.insert(ids.end(), device->others.begin(), device->others.end());
  const auto all = static_cast<unsigned>(ids.size());
  if (*count < all || processes == nullptr) {
    *count = all;
    return all == 0 ? kSuccess : kTooSmall;
  }
  for (unsigned i = 0; i < all; ++i) processes[i] = {ids[i], 1U << 30U, UINT32_MAX, UINT32_MAX};
  *count = all;
  return kSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
