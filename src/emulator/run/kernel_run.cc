#include "emulator/run/kernel_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <thread>

#include "emulator/exec/registers.h"
#include "emulator/listen/checker.h"
#include "emulator/listen/shared_use.h"
#include "emulator/memory/schedule.h"
#include "emulator/run/sample.h"
#include "emulator/run/time.h"
#include "emulator/run/traffic.h"
#include "emulator/run/work.h"

namespace ridge::emulator {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// L2 to DRAM as differences of two counts; what is left dirty at the end is a state, not an amount.
MemoryCounts difference(const MemoryCounts& later, const MemoryCounts& earlier) {
  MemoryCounts result;
  result.l2_to_l1_bytes = later.l2_to_l1_bytes - earlier.l2_to_l1_bytes;
  result.l2_sectors = later.l2_sectors - earlier.l2_sectors;
  result.dram_read_bytes = later.dram_read_bytes - earlier.dram_read_bytes;
  result.dram_write_bytes = later.dram_write_bytes - earlier.dram_write_bytes;
  return result;
}

// One wave after the other, on one memory system and one set of counts.
class Runner {
 public:
  Runner(const Program& program, GlobalMemory& memory, const LaunchRequest& request, const Machine& machine,
         const KernelOptions& options)
      : program_(program), memory_(memory), request_(request), machine_(machine), options_(options) {}

  Result<KernelRun> run() {
    RIDGE_TRY(prepare());
    RIDGE_TRY(run_waves());
    return finish();
  }

 private:
  Result<void> prepare() {
    RIDGE_TRY(describe_launch());
    const auto residency = residency_of(machine_, occupancy_request_);
    if (!residency) return fail(residency.error());
    residency_ = *residency;
    auto geometry = geometry_of(machine_, residency_.shared_carveout);
    if (!geometry) return fail(geometry.error());
    hierarchy_.emplace(*geometry);
    const std::uint32_t host = std::max(1U, std::thread::hardware_concurrency());
    workers_ = options_.workers == 0 ? host : options_.workers;
    counted_.sites.assign(program_.sites.size(), {});
    counted_.traffic.assign(program_.sites.size(), {});
    return {};
  }

  Result<void> describe_launch() {
    if (options_.registers_per_thread) {
      registers_ = *options_.registers_per_thread;
    } else {
      const auto estimate = estimate_registers(program_);
      if (!estimate) return fail(estimate.error());
      // An estimate may be too high, but a launch that the compiler could make fit does fit.
      const auto fits = machine_.occupancy.registers_per_sm / std::max(1, static_cast<int>(count_of(request_.block)));
      constexpr int kUnit = 8;
      registers_ = std::min(estimate->registers, std::max(kUnit, fits / kUnit * kUnit));
    }
    const std::uint64_t threads = count_of(request_.block);
    if (threads == 0 || threads > 1024) {
      return fail(usage_error(fmt::format("a block of {} threads", threads), "", "use 1 to 1024"));
    }
    occupancy_request_.threads_per_block = static_cast<int>(threads);
    occupancy_request_.registers_per_thread = registers_;
    occupancy_request_.shared_static = Bytes(program_.static_shared);
    occupancy_request_.shared_dynamic = Bytes(request_.dynamic_shared);
    return {};
  }

  // ---- waves

  Result<void> run_waves() {
    const std::uint64_t cluster = std::max<std::uint64_t>(count_of(request_.cluster), 1);
    const std::uint64_t clusters = count_of(request_.grid) / cluster;
    const std::uint64_t groups = std::max<std::uint64_t>(hierarchy_->sms() / cluster, 1);
    resident_ = std::min(groups * residency_.blocks_per_sm, std::max<std::uint64_t>(clusters, 1));
    waves_ = static_cast<double>(clusters) / static_cast<double>(groups * residency_.blocks_per_sm);
    start_ = Clock::now();
    run_.sample.of = count_of(request_.grid);
    if (options_.extent == Extent::kWhole || clusters <= resident_) return run_blocks({});
    RIDGE_TRY(run_blocks(blocks_of({0, resident_}, request_.grid, request_.cluster)));
    if (stopped_) return {};
    double once = seconds_since(start_);
    std::uint64_t done = resident_;
    const double whole_waves = static_cast<double>(clusters) / static_cast<double>(resident_);
    if (options_.extent == Extent::kAuto && once * whole_waves > options_.budget_s && clusters >= 2 * resident_ &&
        2 * once < options_.budget_s) {
      // The first wave also pays for memory that is touched for the first time: the second says how long one takes.
      RIDGE_TRY(run_blocks(blocks_of({resident_, resident_}, request_.grid, request_.cluster)));
      if (stopped_) return {};
      once = seconds_since(start_) - once;
      done = 2 * resident_;
    }
    if (options_.extent == Extent::kAuto && once * whole_waves <= options_.budget_s) {
      return done == clusters ? Result<void>{}
                              : run_blocks(blocks_of({done, clusters - done}, request_.grid, request_.cluster));
    }
    constexpr double kMostWaves = 8;
    const double affordable = options_.extent == Extent::kSample ? 3 : options_.budget_s / std::max(once, 1e-9);
    const auto wanted = static_cast<std::uint64_t>(std::clamp(affordable, 1.0, kMostWaves));
    for (const Wave& each : spread_waves(clusters, resident_, wanted)) {
      if (each.first < done || stopped_) continue;
      RIDGE_TRY(run_blocks(blocks_of(each, request_.grid, request_.cluster)));
    }
    return {};
  }

  // `blocks` empty: all of the grid.
  Result<void> run_blocks(std::vector<std::uint64_t> blocks) {
    std::vector<std::unique_ptr<Traffic>> traffic;
    std::vector<std::unique_ptr<SharedTouch>> touched;
    std::vector<std::unique_ptr<Checker>> checkers(workers_);
    for (std::uint32_t i = 0; i < workers_; ++i) {
      traffic.push_back(std::make_unique<Traffic>(*hierarchy_, program_.sites.size()));
      touched.push_back(std::make_unique<SharedTouch>());
      if (options_.check) {
        const std::uint64_t shared_bytes = std::uint64_t{program_.static_shared} + request_.dynamic_shared;
        checkers[i] = std::make_unique<Checker>(kCheckedBlocks * kBytesOfChecker * shared_bytes);
      }
    }
    ExecuteOptions options;
    options.sms = hierarchy_->sms();
    options.blocks_per_sm = residency_.blocks_per_sm;
    options.workers = workers_;
    options.lanes = options_.lanes;
    options.blocks = std::move(blocks);
    options.most_steps = options_.most_steps;
    options.quantum = kQuantum;
    options.listeners = [&](std::uint32_t worker) {
      std::vector<Listener*> all{traffic[worker].get(), touched[worker].get()};
      if (options_.check) all.push_back(checkers[worker].get());
      return all;
    };
    const auto used = std::min<std::uint32_t>(workers_, hierarchy_->sms());
    options.between_rounds = [&](std::uint32_t worker) {
      for (std::uint32_t slice = worker; slice < hierarchy_->slices(); slice += used) hierarchy_->drain(slice);
    };
    auto outcome = execute(program_, memory_, request_, options);
    if (!outcome) return fail(outcome.error());
    hierarchy_->drain_all();
    for (const auto& each : traffic) take(*each);
    for (const auto& each : touched) run_.shared.touched = std::max(run_.shared.touched, each->most());
    take(*outcome);
    for (const auto& each : checkers) {
      if (each != nullptr) take(*each);
    }
    return {};
  }

  void take(const Traffic& traffic) {
    for (std::size_t i = 0; i < counted_.traffic.size(); ++i) counted_.traffic[i] += traffic.sites()[i];
    counted_.local += traffic.local();
    counted_.multicast_bytes += traffic.multicast_bytes();
  }

  /// Every worker and every wave finds the same again: one of each kind and instruction is told.
  void take(const Checker& checker) {
    for (const Fault& each : checker.findings()) {
      if (!found_.emplace(each.kind, each.site).second) continue;
      run_.findings.push_back(describe(each, program_, request_));
    }
  }

  void take(const Outcome& outcome) {
    double instructions = 0;
    for (std::size_t i = 0; i < counted_.sites.size(); ++i) {
      const bool reads = program_.sites[i].instruction->opcode != "st";
      if (reads && outcome.regions[i] != nullptr) read_.insert(outcome.regions[i]);
      counted_.sites[i].warps += outcome.counts[i].warps;
      counted_.sites[i].lanes += outcome.counts[i].lanes;
      instructions += static_cast<double>(outcome.counts[i].warps);
      run_.thread_instructions += outcome.counts[i].lanes;
    }
    run_.sample.blocks += outcome.blocks;
    run_.sample.waves += 1;
    run_.printed += outcome.printed;
    stopped_ = stopped_ || !outcome.completed();
    for (const Fault& each : outcome.faults) {
      (each.stops() ? run_.faults : run_.findings).push_back(describe(each, program_, request_));
    }
    const MemoryCounts now = hierarchy_->counts();
    wave_memory_.push_back(difference(now, before_));
    wave_instructions_.push_back(instructions / static_cast<double>(std::max<std::uint64_t>(outcome.blocks, 1)));
    before_ = now;
    const double share =
        static_cast<double>(run_.sample.blocks) / static_cast<double>(std::max<std::uint64_t>(run_.sample.of, 1));
    if (options_.progress) options_.progress(share);
  }

  // ---- the result

  KernelRun finish() {
    run_.host_seconds = seconds_since(start_);
    run_.memory = hierarchy_->counts();
    counted_.memory = run_.memory;
    run_.shared.allocated = program_.static_shared + request_.dynamic_shared;
    const double scale = stopped_ ? 1 : run_.sample.scale();
    if (scale != 1) spread();
    const PipeTotals totals = totals_of(program_, counted_.sites);
    run_.measurement.work = work_of(totals, counted_, scale);
    if (scale != 1) rescale_traffic(scale);
    run_.measurement.hot_lines = hot_lines(program_, counted_, scale);
    fill_configuration();
    fill_execution();
    note_sites();
    predict(totals, scale);
    return std::move(run_);
  }

  void spread() {
    const auto [least, most] = std::minmax_element(wave_instructions_.begin(), wave_instructions_.end());
    double sum = 0;
    for (const double each : wave_instructions_) sum += each;
    if (sum > 0) run_.sample.spread = (*most - *least) * static_cast<double>(wave_instructions_.size()) / sum;
  }

  // The first wave finds empty caches; the others stand for all that are left out.
  void rescale_traffic(double scale) {
    const double ran = static_cast<double>(wave_memory_.size());
    const auto whole = [&](std::uint64_t MemoryCounts::*field) {
      const auto first = static_cast<double>(wave_memory_[0].*field);
      double rest = 0;
      for (std::size_t i = 1; i < wave_memory_.size(); ++i) rest += static_cast<double>(wave_memory_[i].*field);
      return ran < 2 ? first * scale : first + rest / (ran - 1) * (scale * ran - 1);
    };
    TrafficWork& bytes = run_.measurement.work.bytes;
    const auto modelled = [](double value) { return Value<Bytes>(Bytes(value), Provenance::kModelled); };
    constexpr double kSector = 32;
    bytes.l2 = modelled(kSector * whole(&MemoryCounts::l2_sectors));
    bytes.dram_read = modelled(std::min(whole(&MemoryCounts::dram_read_bytes), most_read()));
    bytes.dram_write = modelled(std::max(whole(&MemoryCounts::dram_write_bytes), all_written(scale)));
    bytes.dram = bytes.dram_read + bytes.dram_write;
  }

  // Where L2 holds all that there is, DRAM is read no more than once: at most what the kernel's loads reach.
  [[nodiscard]] double most_read() const {
    constexpr double kUnlimited = 1e300;
    if (memory_.allocated() > hierarchy_->geometry().l2_bytes) return kUnlimited;
    double bytes = 0;
    for (const Region* each : read_) bytes += static_cast<double>(each->end - each->begin);
    return bytes;
  }

  // What a whole run would write to DRAM: all that is written to L2 but for what L2 may keep (hierarchy.md: seven of
  // sixteen lines of a set), which a sample never fills.
  [[nodiscard]] double all_written(double scale) const {
    constexpr double kKept = 7.0 / 16;
    const MemoryCounts& memory = run_.memory;
    const double written = scale * static_cast<double>(memory.dram_write_bytes + memory.l2_dirty_bytes);
    return std::max(0.0, written - kKept * static_cast<double>(hierarchy_->geometry().l2_bytes));
  }

  void fill_configuration() {
    Configuration& to = run_.configuration;
    to.grid = request_.grid;
    to.block = request_.block;
    if (count_of(request_.cluster) > 1) to.cluster = request_.cluster;
    to.registers_per_thread = {static_cast<double>(registers_),
                               options_.registers_per_thread ? Provenance::kDeclared : Provenance::kModelled};
    to.shared_static = {Bytes(program_.static_shared), Provenance::kCounted};
    to.shared_dynamic = {Bytes(request_.dynamic_shared), Provenance::kDeclared};
    to.shared_carveout = {Bytes(residency_.shared_carveout), Provenance::kModelled};
  }

  void fill_execution() {
    Execution& to = run_.measurement.execution;
    const auto modelled = [](double value) { return Value<double>(value, Provenance::kModelled); };
    if (const auto found = occupancy(machine_.occupancy, occupancy_request_)) {
      to.theoretical_occupancy = modelled(found->fraction);
      for (const OccupancyLimit& each : found->limits) {
        if (each.blocks) limit_of(to, each.limiter) = modelled(*each.blocks);
      }
    }
    to.achieved_occupancy = Value<double>::missing("the emulator runs without time");
    to.waves_per_sm = modelled(waves_);
    to.threads_per_instruction = active_threads();
    const MemoryCounts& memory = run_.memory;
    const auto asked = static_cast<double>(memory.loads.sectors + memory.async_copies.sectors);
    if (asked > 0) to.l1_hit_rate = modelled(static_cast<double>(memory.loads.hits + memory.async_copies.hits) / asked);
    if (memory.l2_read_sectors > 0) {
      to.l2_hit_rate = modelled(static_cast<double>(memory.l2_read_hits) / static_cast<double>(memory.l2_read_sectors));
    }
  }

  // Lanes that a guard switches off take part all the same: only instructions without one tell how many were active.
  [[nodiscard]] Value<double> active_threads() const {
    double warps = 0, lanes = 0;
    for (std::size_t i = 0; i < program_.sites.size(); ++i) {
      if (program_.sites[i].instruction->guard) continue;
      warps += static_cast<double>(counted_.sites[i].warps);
      lanes += static_cast<double>(counted_.sites[i].lanes);
    }
    if (warps == 0) return Value<double>::missing("no instruction without a guard was executed");
    return {lanes / warps, Provenance::kCounted};
  }

  static Value<double>& limit_of(Execution& to, OccupancyLimiter limiter) {
    switch (limiter) {
      case OccupancyLimiter::kWarps:
        return to.limit_warps;
      case OccupancyLimiter::kBlocks:
        return to.limit_blocks;
      case OccupancyLimiter::kRegisters:
        return to.limit_registers;
      case OccupancyLimiter::kShared:
        return to.limit_shared;
      default:
        return to.limit_barriers;
    }
  }

  // Instructions that did nothing, and those whose counts the compiler changes.
  void note_sites() {
    std::set<std::string> expanded;
    for (std::size_t i = 0; i < program_.sites.size(); ++i) {
      const Site& site = program_.sites[i];
      if (counted_.sites[i].warps == 0) continue;
      const ptx::Instruction& instruction = *site.instruction;
      const std::string spelled = ptx::spelled(instruction);
      if (site.skipped) run_.skipped.push_back(fmt::format("'{}' (PTX line {})", spelled, instruction.at.line));
      if (classify(instruction, *site.form).expanded) expanded.insert(spelled);
    }
    run_.expanded.assign(expanded.begin(), expanded.end());
  }

  void predict(const PipeTotals& ran, double scale) {
    TimeInputs inputs{machine_, scaled(ran, scale), count_waits(program_, counted_.sites)};
    for (double Waits::*each : {&Waits::global, &Waits::shared, &Waits::atomic, &Waits::barrier, &Waits::special}) {
      inputs.waits.*each *= scale;
    }
    inputs.blocks = request_.grid.count();
    inputs.warps_per_block = std::ceil(request_.block.count() / kLanes);
    inputs.warps = inputs.blocks * inputs.warps_per_block;
    inputs.blocks_per_sm = residency_.blocks_per_sm;
    inputs.sms_used = std::min(inputs.blocks, static_cast<double>(hierarchy_->sms()));
    const Work& work = run_.measurement.work;
    inputs.l1_wavefronts = work.access.l1_wavefronts.value_or(0);
    inputs.l1_hits = run_.measurement.execution.l1_hit_rate.value_or(0);
    inputs.l2_hits = run_.measurement.execution.l2_hit_rate.value_or(0);
    inputs.l2_bytes = work.bytes.l2.value_or(Bytes(0)).count();
    inputs.dram_read = work.bytes.dram_read.value_or(Bytes(0)).count();
    inputs.dram_write = work.bytes.dram_write.value_or(Bytes(0)).count();
    inputs.partial_stores = scale * static_cast<double>(run_.memory.partial_store_sectors);
    inputs.hottest_atomics = scale * static_cast<double>(run_.memory.hottest_atomic_line);
    const auto time = predict_time(inputs);
    if (time) {
      run_.time = *time;
    } else {
      run_.time.total = Value<Seconds>::missing(time.error().what);
    }
    if (stopped_) run_.time.total = Value<Seconds>::missing("the kernel did not run to its end");
  }

  static PipeTotals scaled(PipeTotals totals, double scale) {
    for (double PipeTotals::*each :
         {&PipeTotals::warp_instructions, &PipeTotals::thread_instructions, &PipeTotals::machine_instructions,
          &PipeTotals::alu, &PipeTotals::fma, &PipeTotals::fp64_pipe, &PipeTotals::half_pipe, &PipeTotals::xu,
          &PipeTotals::lsu, &PipeTotals::branch, &PipeTotals::shuffles, &PipeTotals::barriers}) {
      totals.*each *= scale;
    }
    for (auto& [key, operations] : totals.tensor) operations *= scale;
    return totals;
  }

  static constexpr std::int64_t kQuantum = 64;
  /// Blocks of each worker whose shared memory is watched at a time (all would take four times as long), and the
  /// checker's memory for each of their bytes.
  static constexpr std::uint64_t kCheckedBlocks = 2, kBytesOfChecker = 4;

  const Program& program_;
  GlobalMemory& memory_;
  const LaunchRequest& request_;
  const Machine& machine_;
  const KernelOptions& options_;
  OccupancyRequest occupancy_request_;
  Residency residency_;
  std::optional<MemoryHierarchy> hierarchy_;
  std::uint32_t workers_ = 1;
  int registers_ = 0;
  std::uint64_t resident_ = 0;
  double waves_ = 0;
  std::set<std::pair<FaultKind, std::uint32_t>> found_;  ///< by checkers: kind and site
  Clock::time_point start_;
  bool stopped_ = false;
  Counted counted_;
  MemoryCounts before_;
  std::vector<MemoryCounts> wave_memory_;
  std::vector<double> wave_instructions_;
  std::set<const Region*> read_;  ///< memory that was loaded from
  KernelRun run_;
};

}  // namespace

Result<KernelRun> run_kernel(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                             const Machine& machine, const KernelOptions& options) {
  return Runner(program, memory, request, machine, options).run();
}

}  // namespace ridge::emulator
