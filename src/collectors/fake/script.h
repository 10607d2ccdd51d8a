// A script: what the fake GPU is, what its kernels count, which faults it has, and what the fake program does.
//
// Read from text, line by line (docs/reference/fake-gpu.md has the language); the parser only checks what it says, so
// that whoever plays the script need not: every kernel, program and graph that is named exists. Times are nanoseconds,
// sizes bytes, frequencies Hz.
//
// Not here: playing it (machine.h), and any state of a run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/fake/words.h"

namespace ridge::collectors::fake {

/// What a kernel counts for one metric: an amount for each launch, block, warp or thread.
struct Count {
  enum class Per : unsigned char { kLaunch, kBlock, kWarp, kThread };
  double amount = 0;
  Per per = Per::kLaunch;
};

struct Kernel {
  std::string name;  ///< in the script
  std::string
      symbol;  ///< what the driver and CUPTI call it; several kernels of one symbol are one that does other work
  std::uint64_t duration = 10'000;
  std::uint32_t registers = 32, shared_static = 0, local = 0;
  std::map<std::string, Count, std::less<>> counts;  ///< by metric; the rest follows from these (metrics.h)
};

/// What NVML tells from `at` on, counted from the first use of the GPU.
struct Sensors {
  std::uint64_t at = 0;
  double sm_clock = 0, memory_clock = 0, watts = 0, celsius = 0;
  std::uint64_t throttle = 0;  ///< nvmlClocksEventReasons
};

struct Device {
  std::string name = "Fake H200", chip = "GH100", address;
  std::uint32_t major = 9, minor = 0, sms = 132, bus_bits = 6144;
  std::uint64_t memory = 141'000'000'000, l2 = 62'914'560;
  double sm_clock = 1.98e9, memory_clock = 3.201e9;
  double dram_rate = 4.9e12, copy_rate = 50e9;  ///< bytes per second; copies between host and device
  std::map<int, std::int64_t> attributes;       ///< CUdevice_attribute: over what follows from the above
  std::vector<Sensors> sensors;                 ///< ordered by time, at least one
  std::vector<std::uint32_t> others;            ///< process ids that NVML shows on the device
  bool mig = false;                             ///< counters of shared units are not told
};

/// Codes are CUresult, CUptiResult or nvmlReturn_t; 0 is no fault.
struct Faults {
  int init = 0;                            ///< cuInit
  int subscribe = 0;                       ///< cuptiSubscribe
  int activity = 0;                        ///< cuptiActivityEnable
  int replay = 0;                          ///< cuptiRangeProfilerEnable
  int sampling = 0;                        ///< cuptiPmSamplingEnable
  bool busy = false;                       ///< another process holds the counters
  int nvml = 0;                            ///< nvmlInit
  std::string pass_kernel;                 ///< replaying this kernel
  std::uint32_t pass = 0;                  ///< fails in this pass, counted from 1
  std::uint64_t drop = 0, drop_after = 0;  ///< kernel records lost, after so many
  std::uint64_t overflow_after = 0;        ///< decodes until the sampling buffer overflows; 0: never
};

enum class Do : unsigned char {
  kLaunch,
  kCopy,
  kSet,
  kAllocate,
  kSync,
  kSleep,
  kBusy,
  kReplayGraph,
  kPush,
  kPop,
  kMark,
  kUnmark,
  kMeasure,
  kMeasured,
  kProfilerStart,
  kProfilerStop,
  kChild,
  kThread,
  kWait,
  kPrint,
  kArguments,
  kEnvironment,
  kInput,
  kExit,
  kCrash,
  kAbort,
  kHang,
  kLoop,
};

struct Step {
  Do what = Do::kSync;
  Place place;
  std::size_t kernel = 0;  ///< index into Script::kernels
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared = 0, stream = 0, device = 0, repeat = 1;
  bool cooperative = false, runtime = false, error_stream = false, waited = false;
  char direction = 'h';        ///< of a copy: h to the device, d from it, i within it
  std::uint64_t amount = 0;    ///< bytes, nanoseconds, exit status
  std::string text;            ///< a name, what to print
  std::vector<Step> children;  ///< of kLoop
};

struct Script {
  int driver_version = 13000;  ///< as cuDriverGetVersion says it
  std::uint32_t cupti_version = 130000;
  std::string driver_text = "580.95.05";     ///< as NVML says it
  std::uint64_t replay_cost = 20'000;        ///< host time that each replayed launch takes beyond its passes
  std::uint64_t sampler_start = 0;           ///< host time that configuring the sampler takes
  std::uint64_t sampler_delay = 20'000'000;  ///< a sample can be decoded this long after its end
  std::vector<Device> devices;
  std::vector<Kernel> kernels;
  Faults faults;
  std::map<std::string, std::vector<Step>, std::less<>> programs;  ///< "main" is what runs
  std::map<std::string, std::vector<Step>, std::less<>> graphs;    ///< of kLaunch steps

  [[nodiscard]] const Kernel* find_kernel(std::string_view name) const;
};

/// `file` is for errors only.
[[nodiscard]] Result<Script> parse_script(std::string_view text, const std::string& file);
/// The file `script` in `directory`.
[[nodiscard]] Result<Script> read_script(const std::string& directory);

}  // namespace ridge::collectors::fake
