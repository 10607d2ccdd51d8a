// What the injection library (the agent, inside the profiled program) and the collector (the `ridge` process that
// started it) say to each other over a local socket.
//
// Standard library only: the agent links nothing that the program might also carry. Both ends are of one build and run
// on one machine; `Hello::protocol` refuses another build's agent all the same. Times are nanoseconds since the Unix
// epoch on the host's clock, to which CUPTI converts the GPU's. Numbers that the driver does not tell are absent, never
// 0. Texts (names of kernels, calls and ranges) are sent once with a number and referred to by it; numbers count per
// process, from 1; 0 is no text.
//
// Not here: counters of the whole device (the collector samples them itself), clocks and power (likewise).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ridge::collectors::wire {

inline constexpr std::uint32_t kProtocol = 2;

using Nanoseconds = std::uint64_t;
using TextId = std::uint32_t;

// ---- from the agent

/// First message of a process that has started to use CUDA.
struct Hello {
  std::uint32_t protocol = kProtocol;
  std::uint32_t process = 0, parent = 0;
  std::string program;               ///< name of the executable, without its path
  std::string cupti;                 ///< path of the library in use; empty if none could be loaded
  std::uint32_t cupti_version = 0;   ///< as cuptiGetVersion says: 130000 and so on
  std::uint32_t driver_version = 0;  ///< as cuDriverGetVersion says: 13000 is CUDA 13.0
  Nanoseconds now = 0;
};

/// A device that a context was made on.
struct DeviceFound {
  std::uint32_t device = 0;  ///< CUDA's number in that process
  std::string name, chip;    ///< "NVIDIA H200", "GH100" (empty: CUPTI does not tell)
  std::string address;       ///< PCI bus id
  std::array<std::uint8_t, 16> uuid{};
  std::uint32_t capability = 0;  ///< 10 x major + minor
  /// Attributes by their number in CUdevice_attribute.
  std::vector<std::pair<std::uint32_t, std::int64_t>> attributes;
  std::uint64_t memory = 0;  ///< bytes
};

struct ContextMade {
  std::uint32_t context = 0, device = 0;
};

struct Text {
  TextId id = 0;
  std::string text;
};

/// What a launch was configured with. Numbered per process from 1, each sent before its first use.
struct Shape {
  std::uint32_t id = 0;
  std::array<std::uint32_t, 3> grid{}, block{}, cluster{};  ///< cluster {0,0,0}: none
  std::uint32_t registers = 0;                              ///< per thread
  std::uint32_t shared_static = 0, shared_dynamic = 0;
};

struct Launch {
  TextId kernel = 0;
  std::uint32_t shape = 0, device = 0, context = 0;
  std::uint64_t stream = 0;
  std::uint32_t correlation = 0;   ///< of the API call
  std::uint64_t graph_node = 0;    ///< 0: not launched by a graph
  Nanoseconds start = 0, end = 0;  ///< both 0: the launch was replayed for counters, or CUPTI does not tell
};
struct Launches {
  std::vector<Launch> items;
};

enum class MemoryKind : std::uint8_t { kUnknown, kPageable, kPinned, kDevice, kArray, kManaged };
struct Copy {
  bool set = false;  ///< a memset: `from` has no meaning
  MemoryKind from = MemoryKind::kUnknown, to = MemoryKind::kUnknown;
  std::uint32_t device = 0, context = 0;
  std::uint32_t other_device = 0;  ///< peer copies: where to; else equal to device
  std::uint64_t stream = 0, bytes = 0;
  std::uint32_t correlation = 0;
  Nanoseconds start = 0, end = 0;
};
struct Copies {
  std::vector<Copy> items;
};

enum class EventKind : std::uint8_t {
  kRuntimeCall,
  kDriverCall,
  kSynchronisation,
  kRange,
  kAllocation,
  kPageMigration,
  kPageFault
};
/// Something on the host's side: only with `--trace api`; ranges always.
struct Event {
  EventKind kind = EventKind::kRuntimeCall;
  TextId name = 0;
  std::uint32_t thread = 0, device = 0, context = 0, correlation = 0;
  std::uint64_t stream = 0, bytes = 0;
  Nanoseconds start = 0, end = 0;
};
struct Events {
  std::vector<Event> items;
};

/// CPU time of a thread of the program between two moments; only with `--trace api`.
struct ThreadTime {
  std::uint32_t thread = 0;
  Nanoseconds from = 0, to = 0, on_cpu = 0;
};

/// Counters of one replayed launch, not yet evaluated: the collector does that, so that the program does not have to.
struct CounterImage {
  std::uint32_t recipe = 0;  ///< CounterSetup::recipe
  TextId kernel = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shared_dynamic = 0;
  std::uint32_t device = 0, context = 0, correlation = 0;
  std::uint64_t stream = 0;
  Nanoseconds began = 0, ended = 0;  ///< of the whole replay, on the host
  std::string image;
};

enum class Stage : std::uint8_t { kLoad, kSubscribe, kActivity, kCounters, kRange, kConnection, kMeasuredRange };
/// Something failed or was left out; the program runs on.
struct Problem {
  Stage stage = Stage::kLoad;
  std::int32_t code = 0;  ///< CUptiResult, CUresult or errno; 0: none
  std::string text;       ///< the library's own name of the error, or a sentence
  TextId kernel = 0;      ///< the kernel it happened at
};

enum class Loss : std::uint8_t { kActivityRecords, kMessages, kUnknownRecords };
struct Dropped {
  Loss what = Loss::kActivityRecords;
  std::uint64_t count = 0;
};

/// The agent wants the device's counters for a while (see Lease), or gives them back.
struct LeaseWanted {
  bool wanted = true;
};

/// State of the counter plan, sent when it changes: distinct (kernel, shape) seen, measured, left out and why.
struct CounterProgress {
  std::uint32_t seen = 0, measured = 0, failed = 0, collectives = 0, cooperative = 0, over_budget = 0, in_graphs = 0,
                filtered = 0;
  Nanoseconds spent = 0;
};

/// cudaProfilerStart (true) or Stop.
struct CaptureSwitch {
  bool on = false;
  Nanoseconds at = 0;
};

/// A measured range of the in-process interface (ridgepoint/range.h) has ended. Where there is an image the program
/// waits for the answer, RangeValues.
struct RangeMeasured {
  std::uint32_t id = 0;
  TextId name = 0;
  std::uint32_t thread = 0, device = 0;
  Nanoseconds start = 0, end = 0;
  bool kernels_known = false;  ///< all kernels between begin and end had records
  std::uint64_t launches = 0, kernel_nanoseconds = 0;
  std::string image;  ///< counters of kRangeRecipe; empty: there are none
};

/// The program ends in an orderly way; nothing follows.
struct Goodbye {
  std::uint64_t launches_seen = 0;  ///< by API callbacks, where those were on
};

// ---- from the collector

/// Answer to Hello: what to do.
struct Settings {
  bool timing = true;     ///< activity records
  bool api = false;       ///< --trace api
  bool counters = false;  ///< replay representative launches
  /// A sampler wants the device's counters too: the first context is held until Ready comes (with `counters` it is in
  /// any case), and the lease is given back when nothing new comes. False: the agent keeps the lease.
  bool wait_for_sampler = false;
  bool from_start = true;               ///< false: record between cudaProfilerStart and Stop only
  Nanoseconds delay = 0;                ///< after Hello
  Nanoseconds duration = 0;             ///< 0: to the end
  std::string kernel_filter;            ///< POSIX extended expression over the mangled and the plain name; empty: all
  std::uint64_t skip = 0, count = 0;    ///< launches that match; count 0: no limit
  std::string range;                    ///< only inside NVTX ranges of this name; empty: everywhere
  std::vector<std::uint32_t> devices;   ///< empty: all
  std::uint32_t samples_per_shape = 1;  ///< launches measured of each (kernel, shape)
  Nanoseconds budget = 0;  ///< host time that counters may take; 0: the larger of 10 s and a fifth of the run so far
};

/// The recipe of the counters that ranges of the program get, in one pass and with nothing run again.
inline constexpr std::uint32_t kRangeRecipe = 0xffff'ffff;

/// Counters to collect: made by the collector for the chip, ready to be given to CUPTI. Recipe 0 is the base one that
/// every representative gets; others are asked for with Decide, kRangeRecipe by nobody.
struct CounterSetup {
  std::uint32_t recipe = 0, device = 0, passes = 0;
  std::vector<std::string> metrics;
  std::string config_image;
  std::string
      name_hint;  ///< expression over kernel names that get this recipe on their first launch; empty: on request
};

/// Measure the next launch of that kernel and shape with another recipe too.
struct Decide {
  TextId kernel = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shared_dynamic = 0, recipe = 0;
};

/// The device's counters are the agent's until it gives them back (true), or not to be had now (false).
struct Lease {
  bool granted = false;
};

/// What a context waited for is there, or will not come: one for each ContextMade.
struct Ready {};

/// What the counters of a range say, `id` as in RangeMeasured; what is not known is absent from `have`.
struct RangeValues {
  enum : std::uint32_t { kDramRead = 1, kDramWrite = 2, kWarpInstructions = 4 };
  std::uint32_t id = 0, have = 0;
  std::uint64_t dram_read = 0, dram_write = 0;  ///< bytes
  std::uint64_t warp_instructions = 0;
};

/// Stop recording; the program runs on.
struct Stop {};

using Message = std::variant<Hello, DeviceFound, ContextMade, Text, Shape, Launches, Copies, Events, ThreadTime,
                             CounterImage, Problem, Dropped, LeaseWanted, CounterProgress, CaptureSwitch, RangeMeasured,
                             Goodbye, Settings, CounterSetup, Decide, Lease, Ready, RangeValues, Stop>;

}  // namespace ridge::collectors::wire
