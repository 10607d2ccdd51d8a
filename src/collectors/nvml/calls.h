// The calls of NVIDIA's management library that are used: our own declarations, from its API reference. Calls that came
// late or may be left out by a substitute are "optional" and nullptr where the library lacks them.
#pragma once

#include <cstddef>

#include "ridgepoint/base/result.h"

namespace ridge::collectors::nvml {

using Status = int;
using Handle = struct OpaqueNvmlDevice*;

inline constexpr Status kSuccess = 0, kInsufficientSize = 7;
inline constexpr int kSmClock = 1, kMemoryClock = 2;  // nvmlClockType_t
inline constexpr int kGpuSensor = 0;                  // nvmlTemperatureSensors_t

struct PciInfo {
  char legacy_address[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char address[32];
};
static_assert(sizeof(PciInfo) == 68);

struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;  ///< bytes; all ones: not known
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(ProcessInfo) == 24 && offsetof(ProcessInfo, memory) == 8);

struct Utilisation {
  unsigned gpu, memory;  ///< per cent of the last sample period
};

struct Calls {
  Status (*init)() = nullptr;
  Status (*shutdown)() = nullptr;
  const char* (*error)(Status) = nullptr;
  Status (*by_address)(const char*, Handle*) = nullptr;
  Status (*clock)(Handle, int, unsigned*) = nullptr;
  Status (*power)(Handle, unsigned*) = nullptr;
  Status (*temperature)(Handle, int, unsigned*) = nullptr;
  // Optional.
  Status (*driver_version)(char*, unsigned) = nullptr;
  Status (*count)(unsigned*) = nullptr;
  Status (*by_index)(unsigned, Handle*) = nullptr;
  Status (*by_uuid)(const char*, Handle*) = nullptr;
  Status (*name)(Handle, char*, unsigned) = nullptr;
  Status (*uuid)(Handle, char*, unsigned) = nullptr;
  Status (*pci)(Handle, PciInfo*) = nullptr;
  Status (*capability)(Handle, int*, int*) = nullptr;
  Status (*max_clock)(Handle, int, unsigned*) = nullptr;
  Status (*throttle)(Handle, unsigned long long*) = nullptr;
  Status (*mig)(Handle, unsigned*, unsigned*) = nullptr;
  Status (*utilisation)(Handle, Utilisation*) = nullptr;
  Status (*processes)(Handle, unsigned*, ProcessInfo*) = nullptr;
};

/// Opens libnvidia-ml.so.1 and finds the calls; nothing is initialised yet.
[[nodiscard]] Result<Calls> load_calls();

}  // namespace ridge::collectors::nvml
