// Report: the findings as plain structs, in the shape of the JSON contract `ridge.report/1`. Filled once by analysis,
// read by every renderer; renderers compute nothing beyond scaling.
//
// Work and times of an aggregated kernel are sums over its launches; rates are sum of work / sum of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/analysis/recording.h"
#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/issue.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/profile.h"
#include "ridgepoint/model/roofline.h"
#include "ridgepoint/model/work.h"

namespace ridge {

struct RoofPlacement {
  std::string resource;  ///< the binding resource: largest least time
  Value<double> fraction;
  Value<FlopsPerSecond> attainable;  ///< min(peak, intensity x bandwidth), mix-aware
  Value<FlopsPerSecond> peak;        ///< mix-aware compute roof
  Value<FlopsPerByte> ridge;         ///< of DRAM, for the kernel's precision
  RoofBasis basis = RoofBasis::kMeasuredClock;
  std::vector<ResourceTime> times;  ///< every resource, largest first
};

struct OccupancyReport {
  Value<double> achieved, theoretical;
  std::string limiter;  ///< "registers", "shared", "warps", "blocks", "barriers", or empty
};

enum class FindingSeverity : unsigned char { kInfo, kNotice, kWarning };
[[nodiscard]] std::string_view name(FindingSeverity severity);

/// One rule's answer. `advice.id` is "rule.<rule>"; its arguments are the evidence.
struct Finding {
  std::string rule;
  FindingSeverity severity = FindingSeverity::kInfo;
  Message advice;
  Value<Seconds> saving;  ///< time it could save at most over the kernel's launches
  Value<double> speedup;  ///< duration / (duration - saving)
};

struct GapPart {
  std::string cause;
  Seconds seconds;
  std::string evidence;
};

/// Whose counters a launch's work was taken from.
enum class CounterOrigin : unsigned char { kNone, kOwn, kRepresentative };
[[nodiscard]] std::string_view name(CounterOrigin origin);  ///< "none", "own", "representative"

struct ReportLaunch {
  std::uint32_t launch = 0;  ///< index into Report::launches' source profile
  CounterOrigin counters = CounterOrigin::kNone;
  std::optional<std::uint32_t> sampled;  ///< index into Report::sampled, used or not
  std::uint64_t source_id = 0, process_id = 0, stream = 0;
  Value<Seconds> start, duration;
  Value<Flops> flops;
  Value<Bytes> dram;
};

/// Where a kernel's work comes from; counts are of the launches that it is the sum of.
struct KernelEvidence {
  std::uint32_t measured = 0;     ///< with counters of their own
  std::uint32_t represented = 0;  ///< whose FLOP and the like are those of another launch of the same kernel
  std::uint32_t sampled = 0;      ///< whose traffic, or more of them, is from periodic samples
  Value<double> uncertainty;      ///< share of the sampled amounts from samples shared with neighbours, by time
  /// The launches show by their times or samples that they do not all do the same work, so what was measured of one may
  /// be wrong for the others; the issue profile-uneven-work has the numbers.
  bool uneven = false;
};

struct ReportKernel {
  std::string id;  ///< "k0", unique in the report, stable for the same input
  std::string name, full_name;
  std::uint32_t machine = 0;  ///< index into Report::machines
  std::uint32_t source = 0;   ///< index into Report::sources
  std::int64_t device = 0;    ///< the source's device number
  std::string device_name;
  Configuration configuration;
  std::vector<ReportLaunch> launches;  ///< unless they were not asked for (AnalysisOptions::each_launch)
  std::size_t unlisted_launches = 0;   ///< those that then are not in `launches`
  [[nodiscard]] std::size_t runs() const { return launches.size() + unlisted_launches; }
  Value<Seconds> duration, duration_min, duration_median, duration_max;
  /// Launches whose evidence is complete, and their summed time. Work, rates and roof are of these; equal to all
  /// launches unless an issue or the recording's coverage says otherwise.
  std::uint32_t measured_launches = 0;
  Value<Seconds> measured_duration;
  Value<double> share;  ///< of summed kernel time
  KernelEvidence evidence;
  Work work;
  Execution execution;    ///< duration-weighted over launches
  Conditions conditions;  ///< duration-weighted over launches
  Value<FlopsPerByte> intensity_dram, intensity_l2, intensity_l1, intensity_shared;
  Value<FlopsPerSecond> flops_per_s;
  Value<BytesPerSecond> dram_per_s, l2_per_s, l1_per_s, shared_per_s;
  InstructionRoofline instruction_roofline;
  Value<double> attainable_instructions_per_s;  ///< min(peak, intensity x transactions per second) over the levels
  RoofPlacement roof;
  Verdict verdict = Verdict::kUnknown;
  Message verdict_reason;   ///< one sentence why
  std::string level, pipe;  ///< the level of memory-bound, the pipe of compute-bound; nearest for latency-bound
  Side side = Side::kUnknown;
  std::string confidence;  ///< "high", "medium", "low"
  OccupancyReport occupancy;
  std::vector<GapPart> gap;
  std::vector<Finding> findings;  ///< largest saving first
  std::vector<HotLine> hot_lines;
};

/// A pair that teaches: same problem, different implementation, explained from the levels.
/// Arguments `slower` and `faster` of the explanation are kernel ids too.
struct Comparison {
  std::string slower, faster;  ///< kernel ids
  Message explanation;
};

/// A finding among those of all kernels.
struct RankedFinding {
  std::string kernel;       ///< its id
  std::size_t finding = 0;  ///< index into the kernel's findings
};

/// Arguments `kernel` of the two sentences are kernel ids.
struct ReportSummary {
  Value<Seconds> kernel_time, wall;  ///< of the recording, shown or not
  Value<double> gpu_busy;            ///< mean over the devices that were used
  std::size_t kernels = 0;           ///< of the recording, shown or not
  Message verdict;                   ///< time of the kernels, and what bounds most of it
  Message start;  ///< which kernel to start with; no id when nothing could be saved and no gap is left
  /// Kernel ids by the largest time that one finding could save; then those without such a finding, by their gap to
  /// the roof.
  std::vector<std::string> top;
  std::vector<RankedFinding> findings;  ///< those that would save time, largest saving first
};

/// A compute ceiling as the report used it, and the clock it was drawn at (missing for a bare peak).
struct ComputeRoof {
  ComputeKey key;
  Value<FlopsPerSecond> peak;
  Value<Hertz> clock;
};

/// A bandwidth as the report used it.
struct MemoryRoof {
  Level level = Level::kDram;
  Value<BytesPerSecond> rate;
};

/// Roofs as the report used them: at which clock, on which basis. Every rate is known.
struct ReportMachine {
  Machine machine;
  RoofBasis basis = RoofBasis::kMeasuredClock;
  Value<Hertz> sm_clock;  ///< the clock of the SMs that roofs are drawn at
  std::vector<ComputeRoof> compute_roofs;
  std::vector<MemoryRoof> memory_roofs;
};

struct Report {
  std::vector<Source> sources;
  std::vector<ReportRecording> recordings;  ///< of the sources that are live recordings
  std::vector<ReportMachine> machines;
  ReportSummary summary;
  std::vector<ReportKernel> kernels;  ///< largest share first
  std::vector<Comparison> comparisons;
  std::vector<SampledWork> sampled;  ///< of launches, by ReportLaunch::sampled
  std::vector<Span> spans;
  std::vector<Issue> issues;
};

}  // namespace ridge
