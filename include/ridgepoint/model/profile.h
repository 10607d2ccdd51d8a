// Profile: what one or more recordings say, in one shape whatever tool wrote them. Every producer (importer, collector,
// emulator) ends here, every analysis begins here, and the .ridge store saves exactly this.
//
// Launches are small and refer by index to shared tables (kernels, configurations, measurements), so a million launches
// of a hundred kernels stay small. A launch without counters has no measurement; launches may share one (a
// representative's), and its provenance then says kSampled. Amounts that periodic sampling attributed to a launch by
// time stand beside it (Launch::sampled) and are better evidence of that launch's traffic than a representative's. Not
// modelled: call stacks, the order of host instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/issue.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/work.h"

namespace ridge {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] double count() const { return double(x) * double(y) * double(z); }
  friend auto operator<=>(const Dim3&, const Dim3&) = default;
};

struct Configuration {
  std::optional<Dim3> grid, block;  ///< absent where the recording does not say
  std::optional<Dim3> cluster;      ///< absent also where there are none
  Value<double> registers_per_thread;
  Value<Bytes> shared_static, shared_dynamic;
  Value<Bytes> shared_driver;    ///< reserved by the system per block
  Value<Bytes> shared_carveout;  ///< shared memory the SM was configured to
  Value<double> barriers_per_block;

  [[nodiscard]] Value<double> blocks() const { return count(grid, "the recording does not say the grid"); }
  [[nodiscard]] Value<double> threads_per_block() const {
    return count(block, "the recording does not say the block size");
  }

  friend bool operator==(const Configuration&, const Configuration&) = default;

 private:
  [[nodiscard]] static Value<double> count(const std::optional<Dim3>& size, const char* unknown) {
    return size ? Value<double>(size->count(), Provenance::kReported) : Value<double>::missing(unknown);
  }
};

/// Clocks and peaks that held during the launch. dram_peak is the counter's own sustained peak x the measured clock.
struct Conditions {
  Value<Hertz> sm_clock, l2_clock, dram_clock;
  Value<BytesPerSecond> dram_peak;
  Value<BytesPerSecond> l2_peak;
  Value<double> l2_slices;                               ///< each looks up one request per L2 clock
  Value<double> fp32_fma_per_clock, fp64_fma_per_clock;  ///< whole chip, thread instructions per SM clock
};

struct StallReason {
  std::string name;  ///< the field's term: "long_scoreboard"
  double warps_per_issue = 0;
};

/// How the work went through the machine. Ratios are 0..1.
struct Execution {
  Value<double> achieved_occupancy, theoretical_occupancy;
  /// Blocks that fit on one SM as each of its resources allows; the smallest one limits occupancy.
  Value<double> limit_registers, limit_shared, limit_warps, limit_blocks, limit_barriers;
  Value<double> waves_per_sm;
  Value<double> threads_per_instruction;  ///< active threads per warp instruction, at most the warp size
  Value<double> issue_active;             ///< share of issue slots used while the SM was active
  Value<double> sm_active;                ///< share of the elapsed time an average SM had work
  Value<double> l1_hit_rate, l2_hit_rate;
  Value<double> tensor_active;
  Value<double> compute_throughput, memory_throughput;  ///< the vendor's speed-of-light figures
  Value<double> dram_throughput, l1_throughput;         ///< likewise, of these levels alone
  std::vector<StallReason> stalls;
};

/// One raw counter of the source, by index into Profile::metrics, in SI base units.
struct RawMetric {
  std::uint32_t metric = 0;
  double value = 0;
};

/// A counter's name as its source spells it, and the unit after conversion to base units ("byte", "ns" became "s").
struct MetricName {
  std::string name;
  std::string unit;
};

/// Lines or instructions that cost most, where the source has them.
struct HotLine {
  std::string location;  ///< "file.cu:12" or a code address
  std::string text;
  double samples = 0;
  double instructions = 0;
  double excess_sectors = 0;
};

struct Measurement {
  Work work;
  Execution execution;
  Conditions conditions;
  std::vector<RawMetric> raw;  ///< sorted by metric
  std::vector<HotLine> hot_lines;
};

struct Kernel {
  std::string short_name;
  std::string full_name;     ///< demangled if the source has it, else as in the source
  std::string mangled_name;  ///< may be empty
};

/// Attributes a source states about a GPU; enough to derive a Machine when the database has none.
struct DeviceAttributes {
  Value<double> sm_count;
  Value<double> compute_capability_major, compute_capability_minor;
  Value<Hertz> max_sm_clock, max_dram_clock;
  Value<double> dram_bus_width_bits;
  Value<Bytes> l2_capacity, dram_capacity;
  Value<double> fp32_fma_per_clock, fp64_fma_per_clock, fp16_fma_per_clock;  ///< whole chip
  Value<double> dram_bytes_per_clock;
  Value<double> max_warps_per_sm, max_blocks_per_sm, registers_per_sm;
  Value<Bytes> shared_per_sm, shared_per_block, shared_reserved_per_block;
};

struct Device {
  std::uint32_t source = 0;  ///< index into Profile::sources
  std::int64_t index = 0;    ///< the source's device number
  std::string name;
  std::string chip;
  DeviceAttributes attributes;
  std::optional<Machine> machine;  ///< filled by resolve_machines() from the database, or derived
  bool other_machine = false;      ///< a person chose `machine`, and it is not the GPU that was recorded
};

struct Launch {
  std::uint32_t kernel = 0;         ///< index into Profile::kernels
  std::uint32_t configuration = 0;  ///< index into Profile::configurations
  std::uint32_t device = 0;         ///< index into Profile::devices
  std::optional<std::uint32_t> measurement;
  std::optional<std::uint32_t> sampled;  ///< index into Profile::sampled
  std::uint64_t source_id = 0;           ///< the source's own number of this launch
  std::uint64_t process_id = 0;          ///< ids restart per process: (process_id, source_id) is the key
  std::uint64_t context = 0, stream = 0;
  Value<Seconds> start;  ///< since the start of its source
  Value<Seconds> duration;
};

/// What periodic counters of the whole device say of one launch: the samples inside its time, and its share of those
/// that it has in common with a neighbour. Absent: the sampled set of that chip lacks the counter. Four bytes a number
/// are enough for what is known to a per cent.
struct SampledWork {
  std::optional<float> dram_read, dram_write, l2;  ///< bytes
  std::optional<float> warp_instructions;
  std::optional<float> sm_active;      ///< share of the elapsed time an average SM had work, 0..1
  std::optional<float> occupancy;      ///< active warps over what the SM holds, while it was active, 0..1
  std::optional<float> tensor_active;  ///< share of the active cycles that the tensor pipe worked, 0..1
  float uncertainty = 0;               ///< share of the amounts that came from samples shared with neighbours, 0..1
};

/// Clocks and the like of a device at one moment of a recording.
struct Reading {
  std::uint32_t device = 0;  ///< index into Profile::devices
  Seconds time;              ///< since the start of its source
  Value<Hertz> sm_clock, memory_clock;
  Value<double> watts, celsius;
  Value<double> throttle_reasons;  ///< NVML's bit mask (nvmlClocksEventReasons); 0: none
};

enum class Tier : unsigned char { kTiming, kSampling, kCounters };
/// "timing", "sampling", "counters".
[[nodiscard]] std::string_view name(Tier tier);

/// How a live recording went and how much of the program it covers. Counts are of launches unless named otherwise.
struct Recording {
  std::uint32_t source = 0;  ///< index into Profile::sources
  std::string command;       ///< the program and its arguments, secrets taken out
  std::string host;
  Tier tier = Tier::kTiming;     ///< the best evidence that was had
  bool finished = false;         ///< false: the recording itself was cut short, this is what came before
  Value<double> exit_status;     ///< of the program; 128 + n for signal n
  Value<Seconds> wall;           ///< from start to end of the program
  Value<Seconds> counter_time;   ///< host time that replays took: not the program's own
  Value<double> seen, recorded;  ///< launches the driver was asked for, and those with a record
  Value<double> measured, represented, sampled;  ///< with counters of their own, of a representative, of samples
  Value<double> records_dropped;
  Value<Seconds> gpu_unexplained;  ///< samples show work, but no recorded kernel or copy ran
  Value<double> sampling_interval_s;
  std::vector<std::pair<std::string, std::string>> facts;  ///< "cupti" -> "/usr/...", for people
};

enum class SpanKind : unsigned char {
  kCopy,
  kSet,
  kApi,
  kRange,
  kSynchronisation,
  kGraph,
  kAllocation,
  kPageMigration,
  kPageFault
};

struct Span {
  SpanKind kind = SpanKind::kRange;
  std::string name;
  Seconds start, duration;
  std::uint64_t process_id = 0, thread_id = 0, stream = 0;
  std::uint32_t device = 0;
  Value<Bytes> bytes;
};

struct Source {
  std::string kind;  ///< "ncu-rep", "ncu-csv-raw", "ncu-csv-details", "ncu-csv-source", "ridge", ...
  std::string path;
  std::string taken;  ///< ISO 8601 UTC, or empty
  std::string tool_version;
};

struct Profile {
  std::vector<Source> sources;
  std::vector<Device> devices;
  std::vector<Kernel> kernels;
  std::vector<Configuration> configurations;
  std::vector<MetricName> metrics;
  std::vector<Measurement> measurements;
  std::vector<Launch> launches;
  std::vector<SampledWork> sampled;
  std::vector<Span> spans;
  std::vector<Reading> readings;
  std::vector<Recording> recordings;  ///< of the sources that are live recordings
  std::vector<Issue> issues;
};

/// The measurement of a launch, or nullptr.
[[nodiscard]] const Measurement* measurement_of(const Profile& profile, const Launch& launch);

}  // namespace ridge
