// What was found of a machine that decides which evidence can be collected on it: driver, GPUs, CUPTI, permission, who
// else holds the counters, where the program runs. Found by collectors/doctor, judged by analysis/doctor.
//
// Texts that libraries gave are kept as they are. Empty means: not there, or not told. Not here: any judgement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"

namespace ridge::doctor {

/// Something that was tried, since trying alone is the truth.
struct Attempt {
  bool tried = false;
  bool worked = false;
  std::string reason;  ///< why it did not work or was not tried
};

/// CUDA's codes that call for different remedies (CUresult, from the driver API's reference).
enum class InitCode : int {
  kSuccess = 0,
  kStubLibrary = 34,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kOperatingSystem = 304,
  kSystemNotReady = 802,
  kDriverMismatch = 803,
  kForwardCompatibility = 804,
  kUnknown = 999,
};

struct DriverFacts {
  bool hardware = false;         ///< a GPU of NVIDIA is on the PCI bus
  std::string module_version;    ///< of the kernel's driver; empty: not loaded, or hidden
  bool device_nodes = false;     ///< /dev/nvidia* of a GPU
  std::string library;           ///< the CUDA driver library that was opened
  std::string library_error;     ///< the loader's words
  int init_code = 0;             ///< of cuInit; meaningful if `library` is not empty
  std::string init_error;        ///< "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"; empty: none
  std::string cuda_version;      ///< the newest CUDA it supports: "13.0"
  std::string version;           ///< of the driver, as NVML says it: "580.95.05"
  std::string management_error;  ///< why NVML does not answer
};

struct HostProcess {
  std::uint64_t id = 0;
  std::string name;
};

struct GpuFacts {
  std::int64_t index = 0;  ///< CUDA's number
  std::string name, address, chip;
  int capability = 0;  ///< 10 x major + minor; 0: not told
  Value<bool> mig;
  Value<Hertz> sm_clock, memory_clock, max_sm_clock, max_memory_clock;
  Value<double> watts, celsius, utilisation;
  std::vector<std::string> slowed_by;  ///< "power-cap", "hardware-thermal", ...
  std::vector<HostProcess> others;     ///< that compute on it, as far as they can be seen
  Attempt sampling;                    ///< of its counters, for a moment
};

struct CuptiFacts {
  std::string path, origin, version, note;
  bool usable = false;
  bool chosen = false;
};

struct PermissionFacts {
  std::optional<bool> admins_only;  ///< RmProfilingAdminOnly of the driver
  bool sys_admin = false,
       perfmon = false;  ///< effective capabilities of this process; root outside containers has both
};

struct Facts {
  DriverFacts driver;
  std::vector<GpuFacts> gpus;
  std::vector<CuptiFacts> cuptis;    ///< the best first
  Attempt cupti;                     ///< opening the chosen one; the reason also where none was found
  std::optional<bool> cupti_helper;  ///< libnvperf_host.so could be used, without which no counters
  PermissionFacts permission;
  std::vector<HostProcess> monitors;                            ///< that may hold counters: DCGM
  std::vector<HostProcess> profilers;                           ///< ncu, nsys and the like
  std::vector<std::pair<std::string, std::string>> injections;  ///< variables that inject another tool's library
  std::string agent;                                            ///< path
  std::string agent_error;                                      ///< why it cannot be used
  bool wsl = false;
  std::string emulator;   ///< the instruction set that the emulator uses here: "avx512"; empty: there is no emulator
  std::string container;  ///< "docker", "podman", "kubernetes", ...; empty: none that shows
};

}  // namespace ridge::doctor
