#include "emulator/exec/launch.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>

namespace ridge::emulator {
namespace {

constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 40;

// Room for a cluster on neighbouring SMs (of one block without clusters: on one SM).
struct Place {
  std::uint32_t first_sm = 0, resident = 0;
  Cluster cluster;
  std::vector<std::unique_ptr<Block>> blocks;
  bool busy = false;
};

// The SMs of one worker and the blocks they hold.
struct Share {
  Worker worker;
  std::vector<Place> places;
  std::uint64_t steps = 0;  ///< of this round
  std::uint64_t blocks_done = 0;
};

class Execution {
 public:
  Execution(const LaunchState& state, const ExecuteOptions& options)
      : state_(state), options_(options), cluster_(static_cast<std::uint32_t>(count_of(state.cluster))) {
    list_clusters();
    deal_places();
  }

  Outcome run() {
    if (shares_.size() == 1) {
      run_alone();
    } else {
      run_together();
    }
    return outcome();
  }

 private:
  // ---- which blocks, in clusters

  void list_clusters() {
    const Dim3& grid = state_.grid;
    const Dim3& cluster = state_.cluster;
    const Dim3 across{grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
    clusters_ = options_.blocks.empty() ? count_of(across) : options_.blocks.size() / cluster_;
  }

  // Linear index in the grid of a cluster's block `rank`.
  [[nodiscard]] std::uint64_t block_of(std::uint64_t number, std::uint32_t rank) const {
    if (!options_.blocks.empty()) return options_.blocks[number * cluster_ + rank];
    return block_of_cluster(number, rank, state_.grid, state_.cluster);
  }

  // ---- room

  void deal_places() {
    const std::uint32_t groups = std::max(options_.sms / cluster_, 1U);
    const std::uint32_t workers = std::clamp(options_.workers, 1U, groups);
    shares_.resize(workers);
    for (std::uint32_t i = 0; i < workers; ++i) prepare(shares_[i], i);
    // As many places as will ever be needed, in the order they are filled: one on each group of SMs, then the next.
    const std::uint64_t wanted =
        std::min<std::uint64_t>(clusters_, std::uint64_t{groups} * std::max(options_.blocks_per_sm, 1U));
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const auto group = static_cast<std::uint32_t>(i % groups);
      Place place;
      place.first_sm = group * cluster_;
      place.resident = static_cast<std::uint32_t>(i / groups);
      Share& share = shares_[group % workers];
      share.places.push_back(std::move(place));
      order_.emplace_back(&share, share.places.size() - 1);
    }
  }

  void prepare(Share& share, std::uint32_t index) {
    Worker& worker = share.worker;
    worker.counts.assign(state_.program.sites.size() + 1, {});
    worker.regions.assign(state_.program.sites.size() + 1, nullptr);
    if (options_.listeners) worker.listeners = options_.listeners(index);
  }

  void fill(Share& share, Place& place) {
    const std::uint64_t number = next_++;
    place.busy = true;
    place.cluster = {};
    while (place.blocks.size() < cluster_) place.blocks.push_back(std::make_unique<Block>());
    for (const auto& each : place.blocks) place.cluster.blocks.push_back(each.get());
    for (std::uint32_t rank = 0; rank < cluster_; ++rank) {
      Where where;
      // A cluster that is larger than the device has several blocks on an SM.
      const std::uint32_t sms = std::max(options_.sms, 1U), layers = (cluster_ + sms - 1) / sms;
      where.sm = (place.first_sm + rank) % sms;
      where.resident = place.resident * layers + rank / sms;
      where.block = block_of(number, rank);
      place.blocks[rank]->start(state_, share.worker, where, place.cluster, rank);
    }
  }

  // ---- rounds

  void turn(Share& share) {
    share.steps = 0;
    for (Place& place : share.places) {
      if (!place.busy) continue;
      bool alive = false;
      for (const auto& each : place.blocks) {
        if (each->done()) continue;
        const std::uint64_t before = each->steps();
        alive = each->turn(options_.quantum) || alive;
        share.steps += each->steps() - before;
        if (share.worker.stopped) return;
      }
      place.busy = alive;
      if (!alive) share.blocks_done += cluster_;
    }
  }

  // On one thread, while no other runs.
  void between() {
    ++rounds_;
    std::uint64_t steps = 0;
    bool stopped = false, busy = false;
    for (Share& each : shares_) {
      steps += each.steps;
      stopped = stopped || each.worker.stopped;
    }
    steps_ += steps;
    for (const auto& [share, index] : order_) {
      Place& place = share->places[index];
      const bool was_busy = place.busy;
      if (!was_busy && next_ < clusters_ && !stopped) fill(*share, place);
      busy = busy || place.busy;
    }
    cancelled_ = !stopped && busy && options_.cancelled && options_.cancelled();
    if (busy && !stopped && steps == 0 && rounds_ > 1) note_deadlock();
    if (steps_ > options_.most_steps && busy && !stopped) note_endless();
    finished_ = stopped || !busy || cancelled_ || over_;
  }

  void note_deadlock() {
    for (const auto& [share, index] : order_) {
      for (const auto& block : share->places[index].blocks) {
        if (block->done()) continue;
        note(*share, *block, "no warp can go on: threads wait at barriers or for lanes that never come");
        return;
      }
    }
  }
  void note_endless() {
    for (const auto& [share, index] : order_) {
      for (const auto& block : share->places[index].blocks) {
        if (block->done()) continue;
        note(*share, *block,
             "the kernel did not end within " + std::to_string(options_.most_steps) + " warp instructions");
        return;
      }
    }
  }
  void note(Share& share, const Block& block, std::string text) {
    over_ = true;
    Fault fault;
    fault.kind = FaultKind::kDeadlock;
    fault.block = block.where().block;
    fault.text = std::move(text);
    fault.site = waiting_site(block);
    share.worker.faults.push_back(std::move(fault));
  }

  // The instruction before the one that some warp would go on with.
  [[nodiscard]] std::uint32_t waiting_site(const Block& block) const {
    for (const auto& warp : block.warps()) {
      if (warp->state == WarpState::kDone) continue;
      const Step* step = warp->parked.empty() ? warp->pc - 1 : warp->parked.front().pc;
      const auto sites = state_.program.sites.size();
      if (step >= state_.program.steps.data() && step->site < sites) return step->site;
    }
    return kNoSite;
  }

  void run_alone() {
    between();
    while (!finished_) {
      turn(shares_[0]);
      if (options_.between_rounds) options_.between_rounds(0);
      between();
    }
  }

  void run_together() {
    between();
    const auto workers = static_cast<std::ptrdiff_t>(shares_.size());
    std::barrier ran(workers);
    std::barrier drained(workers, [this]() noexcept { between(); });
    const auto work = [&](std::uint32_t index) {
      while (!finished_) {
        turn(shares_[index]);
        ran.arrive_and_wait();
        if (options_.between_rounds) options_.between_rounds(index);
        drained.arrive_and_wait();
      }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < shares_.size(); ++i) threads.emplace_back(work, i);
    work(0);
    for (std::thread& each : threads) each.join();
  }

  Outcome outcome() {
    Outcome result;
    result.counts.assign(state_.program.sites.size(), {});
    result.regions.assign(state_.program.sites.size(), nullptr);
    for (Share& each : shares_) {
      for (std::size_t i = 0; i < result.counts.size(); ++i) {
        result.counts[i].warps += each.worker.counts[i].warps;
        result.counts[i].lanes += each.worker.counts[i].lanes;
        if (each.worker.regions[i] != nullptr) result.regions[i] = each.worker.regions[i];
      }
      std::move(each.worker.faults.begin(), each.worker.faults.end(), std::back_inserter(result.faults));
      result.printed += each.worker.printed;
      result.blocks += each.blocks_done;
    }
    result.rounds = rounds_;
    result.steps = steps_;
    result.cancelled = cancelled_;
    return result;
  }

  const LaunchState& state_;
  const ExecuteOptions& options_;
  std::uint32_t cluster_;
  std::uint64_t clusters_ = 0, next_ = 0, rounds_ = 0, steps_ = 0;
  std::vector<Share> shares_;
  std::vector<std::pair<Share*, std::size_t>> order_;
  bool finished_ = false, cancelled_ = false, over_ = false;
};

Result<void> check(const Program& program, const LaunchRequest& request) {
  const auto wrong = [](std::string what, std::string remedy) {
    return fail(usage_error(std::move(what), "", std::move(remedy)));
  };
  const std::uint64_t threads = count_of(request.block);
  if (threads == 0 || threads > kMostThreads) {
    return wrong("a block of " + std::to_string(threads) + " threads", "use 1 to 1024");
  }
  if (count_of(request.grid) == 0 || count_of(request.grid) > kMostBlocks) {
    return wrong("a grid of " + std::to_string(count_of(request.grid)) + " blocks", "use 1 to 2^40");
  }
  const Dim3& cluster = request.cluster;
  if (count_of(cluster) == 0 || count_of(cluster) > 16)
    return wrong("a cluster has 1 to 16 blocks", "use a smaller one");
  if (request.grid.x % cluster.x != 0 || request.grid.y % cluster.y != 0 || request.grid.z % cluster.z != 0) {
    return wrong("the grid is not a multiple of the cluster", "make it one");
  }
  const std::uint64_t shared = std::uint64_t{program.static_shared} + request.dynamic_shared;
  if (shared > kMostShared) {
    return wrong("a block of " + std::to_string(shared) + " bytes of shared memory, more than any GPU has",
                 "use at most " + std::to_string(kMostShared));
  }
  if (request.parameters.size() != program.parameter_bytes) {
    return wrong("the kernel takes " + std::to_string(program.parameter_bytes) + " bytes of parameters, not " +
                     std::to_string(request.parameters.size()),
                 "give all of its arguments");
  }
  return {};
}

Result<void> check(const ExecuteOptions& options, const LaunchRequest& request) {
  const std::uint64_t blocks = count_of(request.grid);
  const auto outside = [&](std::uint64_t each) { return each >= blocks; };
  if (options.blocks.size() % count_of(request.cluster) == 0 &&
      std::none_of(options.blocks.begin(), options.blocks.end(), outside)) {
    return {};
  }
  return fail(usage_error("the blocks to run are not whole clusters of the grid", "", "name blocks that it has"));
}

std::optional<std::uint64_t> address_of(std::string_view symbol, const Program& program) {
  for (const Placed& each : program.variables) {
    if (each.name == symbol) return each.address;
  }
  for (std::size_t i = 1; i < program.functions.size(); ++i) {
    if (program.functions[i].source->name == symbol) return kCodeWindow + i;
  }
  return std::nullopt;
}

std::uint64_t initial_bits(const ptx::InitialValue& value, const Program& program) {
  const auto address = value.symbol.empty() ? std::nullopt : address_of(value.symbol, program);
  if (!address) return value.bits;
  const std::uint64_t bits = *address + value.bits;
  return value.mask == 0 ? bits : (bits & value.mask) >> std::countr_zero(value.mask);
}

}  // namespace

std::uint64_t count_of(const Dim3& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}

std::uint64_t block_of_cluster(std::uint64_t number, std::uint64_t rank, const Dim3& grid, const Dim3& cluster) {
  const std::uint64_t across = grid.x / cluster.x, down = grid.y / cluster.y;
  const std::uint64_t x = number % across * cluster.x + rank % cluster.x;
  const std::uint64_t y = number / across % down * cluster.y + rank / cluster.x % cluster.y;
  const std::uint64_t z = number / across / down * cluster.z + rank / cluster.x / cluster.y;
  return x + grid.x * (y + std::uint64_t{grid.y} * z);
}

bool Outcome::completed() const {
  return !cancelled && std::none_of(faults.begin(), faults.end(), [](const Fault& each) { return each.stops(); });
}

Result<Outcome> execute(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                        const ExecuteOptions& options) {
  RIDGE_TRY(check(program, request));
  RIDGE_TRY(check(options, request));
  const LaunchState state{program,           memory,          lane_code(options.lanes), request.grid,
                          request.block,     request.cluster, request.dynamic_shared,   options.sms,
                          request.parameters};
  return Execution(state, options).run();
}

Result<void> load_variables(const Program& program, GlobalMemory& memory) {
  for (const Placed& each : program.variables) {
    if (each.space != ptx::Space::kGlobal && each.space != ptx::Space::kConstant) continue;
    RIDGE_TRY(memory.allocate_at(each.address, each.bytes, std::string(each.name), each.space == ptx::Space::kGlobal));
    const auto bytes = memory.bytes(each.address);
    const std::size_t size = size_of(*type_named(each.variable->type));
    std::size_t at = 0;
    for (const ptx::InitialValue& value : each.variable->initial) {
      if (at + size > bytes.size()) break;
      const std::uint64_t bits = initial_bits(value, program);
      std::memcpy(bytes.data() + at, &bits, std::min<std::size_t>(size, sizeof bits));
      at += size;
    }
  }
  return {};
}

}  // namespace ridge::emulator
