// The roofline: what a machine allows a given amount of work, and what kept a measured kernel from being faster.
//
// Three views of one kernel, all from its work, its machine and (if measured) its duration:
// - the classical one: intensity, ridge, attainable = min(peak, intensity x bandwidth);
// - the time view: for each resource the least time its work needs; the largest binds;
// - the verdict: one rule, thresholds below. docs/concepts/roofline.md and verdict.md state the formulas.
// Not modelled: overlap between resources below one another (a resource's least time assumes the others are free), and
// latency; what they cost is the distance between the binding least time and the measured time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/message.h"
#include "ridgepoint/model/profile.h"
#include "ridgepoint/model/work.h"

namespace ridge {

enum class Verdict : unsigned char { kMemoryBound, kComputeBound, kLatencyBound, kOverheadBound, kUnknown };
/// "memory-bound", "compute-bound", "latency-bound", "overhead-bound", "unknown".
[[nodiscard]] std::string_view name(Verdict verdict);

/// Of the DRAM ridge of the kernel's precision.
enum class Side : unsigned char { kLeft, kRight, kUnknown };
[[nodiscard]] std::string_view name(Side side);  ///< "left", "right", "unknown"

/// At which clock roofs are drawn. kMeasuredClock: compute ceilings scaled to the clock of the run, memory peaks as the
/// run's counters state them; what the run does not tell is taken at the ceiling's own clock. kCeilings: the machine's
/// ceilings as they stand, measured ones before stated ones. kDatasheet: stated ones only. A figure that a person gave
/// holds as given on every basis.
enum class RoofBasis : unsigned char { kMeasuredClock, kCeilings, kDatasheet };
[[nodiscard]] std::string_view name(RoofBasis basis);  ///< "measured clock", "ceilings", "datasheet"

// ---- roofs

/// The basis that roofs can really have: kCeilings needs a ceiling or bandwidth that was measured, kMeasuredClock a run
/// on this very machine (`recorded_here`); else it is kDatasheet.
[[nodiscard]] RoofBasis basis_for(const Machine& machine, bool recorded_here, RoofBasis wanted);
/// True if a ceiling or a bandwidth of the machine was measured.
[[nodiscard]] bool has_measured_ceilings(const Machine& machine);

/// The peak of one kind of arithmetic; missing if the machine has no such ceiling.
[[nodiscard]] Value<FlopsPerSecond> compute_roof(const Machine& machine, const ComputeKey& key,
                                                 const Conditions& conditions, RoofBasis basis);
/// The bandwidth of one level; of the whole chip also for L1 and shared memory.
[[nodiscard]] Value<BytesPerSecond> memory_roof(const Machine& machine, Level level, const Conditions& conditions,
                                                RoofBasis basis);
/// The same of one direction alone, where the machine states it apart; else missing.
enum class Direction : unsigned char { kRead, kWrite };
[[nodiscard]] Value<BytesPerSecond> one_way_roof(const Machine& machine, Level level, Direction direction,
                                                 const Conditions& conditions, RoofBasis basis);
/// The clock that compute_roof() of `key` holds at; missing where nothing but the peak is known.
[[nodiscard]] Value<Hertz> compute_roof_clock(const Machine& machine, const ComputeKey& key,
                                              const Conditions& conditions, RoofBasis basis);
/// The SM clock that roofs are drawn at.
[[nodiscard]] Value<Hertz> roof_clock(const Machine& machine, const Conditions& conditions, RoofBasis basis);

// ---- the time view

/// The least time one resource needs for the kernel's work: amount / rate.
struct ResourceTime {
  std::string resource;  ///< "dram", "l2", "l1", "shared", "fp32", "tensor_bf16_wgmma", "issue", ...
  double amount = 0;     ///< in `unit`'s base (bytes, FLOP, wavefronts, instructions)
  Unit amount_unit = Unit::kCount;
  double rate = 0;  ///< amount per second the resource can sustain
  Unit rate_unit = Unit::kNone;
  Seconds least_time;
  double fraction = 0;     ///< least_time / measured duration; 0 when there is no duration
  bool estimated = false;  ///< a lower bound or a vendor's share, because the counter itself was not collected
};

/// What a time view is made from. `duration` is the sum over the launches that `work` is the sum of.
struct KernelMeasure {
  const Work& work;
  const Execution& execution;
  const Conditions& conditions;
  Value<Seconds> duration;
};

/// Every resource whose work and rate are known, largest least time first.
[[nodiscard]] std::vector<ResourceTime> least_times(const KernelMeasure& kernel, const Machine& machine,
                                                    RoofBasis basis);
[[nodiscard]] const ResourceTime* find_resource(const std::vector<ResourceTime>& times, std::string_view resource);
/// The memory level a resource belongs to ("dram", "l2", "l1", "shared", "host_link", "peer_link"), or "" for a pipe.
[[nodiscard]] std::string_view level_of_resource(std::string_view resource);

// ---- the classical view

struct Placement {
  Value<FlopsPerByte> intensity_dram, intensity_l2, intensity_l1, intensity_shared;
  std::optional<ComputeKey> precision;  ///< the part with most of the work's compute time; fp32 when there is no FLOP
  Value<FlopsPerSecond> peak;           ///< mix-aware: FLOP over the sum of the time each part needs
  Value<FlopsPerSecond> attainable;     ///< min(peak, intensity x DRAM bandwidth)
  Value<FlopsPerByte> ridge;            ///< headline peak of `precision` / DRAM bandwidth
  /// What `side` was decided by: intensity_dram, or integer operations over DRAM bytes. Missing on the right without
  /// any DRAM traffic.
  Value<FlopsPerByte> side_intensity;
  Side side = Side::kUnknown;
};
[[nodiscard]] Placement place(const Work& work, const Machine& machine, const Conditions& conditions, RoofBasis basis);

// ---- the verdict

/// From this share of the measured time on, the binding resource explains the kernel.
inline constexpr double kBoundFraction = 0.60;
/// Launches shorter than this are mostly launch, ramp-up and drain.
inline constexpr Seconds kShortLaunch{5e-6};
/// Two fractions closer than this must not decide anything alone; lowers the confidence.
inline constexpr double kDoubtfulMargin = 0.03;

struct VerdictInput {
  std::vector<ResourceTime> times;  ///< as least_times gives them
  Value<Seconds> duration;          ///< sum over launches
  double launches = 1;
  double blocks = 0;  ///< of one launch; 0 when unknown
  const Work* work = nullptr;
  const Machine* machine = nullptr;
  Placement placement;
  Execution execution;
};

struct VerdictResult {
  Verdict verdict = Verdict::kUnknown;
  std::string resource;    ///< binding, or nearest for latency- and overhead-bound
  std::string level;       ///< the level of memory-bound, or of the nearest resource
  std::string pipe;        ///< the pipe of compute-bound, or of the nearest resource
  Value<double> fraction;  ///< binding least time / measured time; never clipped
  Side side = Side::kUnknown;
  std::string confidence;  ///< "high", "medium", "low"
  Message reason;          ///< one sentence
};
[[nodiscard]] VerdictResult judge(const VerdictInput& input);

// ---- the instruction roofline (warp instructions against transactions; Ding and Williams, 2019)

struct InstructionRoofline {
  Value<double> instructions_per_s;       ///< warp instructions per second
  Value<double> peak_instructions_per_s;  ///< SMs x schedulers x clock
  /// Warp instructions per transaction: 32 B sectors at L1 (a shared wavefront counts 4), L2 and DRAM.
  Value<double> intensity_l1, intensity_l2, intensity_dram;
  Value<double> l1_per_s, l2_per_s, dram_per_s;  ///< transactions per second the level can sustain
};
[[nodiscard]] InstructionRoofline instruction_roofline(const KernelMeasure& kernel, const Machine& machine,
                                                       RoofBasis basis);

}  // namespace ridge
