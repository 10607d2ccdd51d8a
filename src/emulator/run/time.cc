#include "emulator/run/time.h"

#include <algorithm>
#include <cmath>

namespace ridge::emulator {
namespace {

// Clocks, of the size public micro-benchmarks of Hopper report, or fitted to the
// lab's recordings where it says so in time.md.
constexpr double kL1Latency = 38, kL2Latency = 270, kDramLatency = 620;
constexpr double kSharedLatency = 29, kAtomicLatency = 400, kBarrierLatency = 24, kSpecialLatency = 24;
constexpr double kLaunchOverhead = 3.2e-6;  // s, until all SMs work and after the last does: fitted
constexpr double kSharpness = 4;            // how little a resource adds that is far from the longest
// Shares of the stated rates that real kernels reach at best.
// A byte that is written costs DRAM more than one that is read, since the bus turns round: fitted.
constexpr double kDramReach = 0.92, kDramWrite = 1.8, kL2Reach = 0.85, kIssueReach = 0.95;
// Fitted to one recording each: transpose_naive writes 16.8 million sectors in parts in 279 us; histogram_global makes
// 1.5 million updates of each of eight lines in 4.3 ms.
constexpr double kPartialStore = 16.6e-12, kSameLineAtomic = 2.9e-9;
// Lanes of one SM a clock. The ALU has 64; the compiler gives part of its work to the FMA pipe (IMAD): fitted.
constexpr double kAluPerClock = 90, kXuPerClock = 16, kLsuPerClock = 32;

double rate_of(const Machine& machine, const ComputeKey& key) {
  const Ceiling* ceiling = find_ceiling(machine, key);
  return ceiling == nullptr ? 0 : ceiling->ops_per_clock_per_sm;
}

class Prediction {
 public:
  Prediction(const TimeInputs& inputs, double clock) : in_(inputs), clock_(clock) {}

  PredictedTime run() {
    const PipeTotals& t = in_.totals;
    constexpr double kWarp = kLanes;
    pipe("issue", t.machine_instructions, in_.machine.schedulers_per_sm * kIssueReach);
    pipe("fp32", t.fma * kWarp, rate_of(in_.machine, core(DataType::kFp32)) / 2);
    pipe("fp64", t.fp64_pipe * kWarp, rate_of(in_.machine, core(DataType::kFp64)) / 2);
    pipe("fp16", t.half_pipe * kWarp, rate_of(in_.machine, core(DataType::kFp16)) / 4);
    pipe("alu", t.alu * kWarp, kAluPerClock);
    pipe("xu", t.xu * kWarp, kXuPerClock);
    pipe("lsu", t.lsu * kWarp, kLsuPerClock);
    pipe("l1", in_.l1_wavefronts, 1);
    for (const auto& [key, operations] : t.tensor) pipe("tensor", operations, rate_of(in_.machine, key));
    memory();
    latency();
    return combined();
  }

 private:
  void add(std::string_view resource, double seconds) {
    if (seconds > 0 && std::isfinite(seconds)) parts_.push_back({std::string(resource), Seconds(seconds)});
  }
  // Work that SMs share evenly, at a rate per clock and SM.
  void pipe(std::string_view resource, double work, double per_clock) {
    if (per_clock > 0) add(resource, work / (per_clock * in_.sms_used * clock_));
  }

  void memory() {
    const MemoryLevel* l2 = find_level(in_.machine, Level::kL2);
    if (l2 != nullptr && l2->bandwidth) add("l2", in_.l2_bytes / (l2->bandwidth->count() * kL2Reach));
    add("l2 partial writes", in_.partial_stores * kPartialStore);
    add("atomics of one line", in_.hottest_atomics * kSameLineAtomic);
    const MemoryLevel* dram = find_level(in_.machine, Level::kDram);
    if (dram != nullptr && dram->bandwidth) {
      add("dram", (in_.dram_read + kDramWrite * in_.dram_write) / (dram->bandwidth->count() * kDramReach));
    }
  }

  // What one warp needs from its first to its last instruction, and how many of them follow one another.
  void latency() {
    const double from_l2 = 1 - in_.l1_hits;
    const double load =
        in_.l1_hits * kL1Latency + from_l2 * (in_.l2_hits * kL2Latency + (1 - in_.l2_hits) * kDramLatency);
    const Waits& waits = in_.waits;
    const double cycles = waits.arithmetic + waits.global * load + waits.shared * kSharedLatency +
                          waits.atomic * kAtomicLatency + waits.barrier * kBarrierLatency +
                          waits.special * kSpecialLatency;
    const double at_once = std::min(in_.blocks_per_sm * in_.warps_per_block * in_.sms_used, in_.warps);
    add("latency", cycles / std::max(at_once, 1.0) / clock_);
  }

  PredictedTime combined() {
    double sum = 0;
    for (const TimePart& each : parts_) sum += std::pow(each.time.count(), kSharpness);
    PredictedTime time;
    time.total = {Seconds(std::pow(sum, 1 / kSharpness) + kLaunchOverhead), Provenance::kModelled};
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const TimePart& a, const TimePart& b) { return a.time > b.time; });
    time.parts = std::move(parts_);
    return time;
  }

  const TimeInputs& in_;
  double clock_;
  std::vector<TimePart> parts_;
};

}  // namespace

Result<PredictedTime> predict_time(const TimeInputs& inputs) {
  const double clock = inputs.machine.boost_clock.count();
  if (clock <= 0) {
    return fail(not_available("the time cannot be predicted: " + inputs.machine.id + " states no clock", "",
                              "choose a machine that does, see ridge machines"));
  }
  return Prediction(inputs, clock).run();
}

}  // namespace ridge::emulator
