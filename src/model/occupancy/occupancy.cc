#include "ridgepoint/model/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace ridge {
namespace {

constexpr std::array<std::string_view, 5> kNames{"warps", "blocks", "registers", "shared", "barriers"};
/// More of anything than this in one block is a typing error.
constexpr int kMostRegisters = 1 << 16;
constexpr double kMostBytes = 1e12;

int round_up(int value, int unit) {
  return unit > 0 ? (value + unit - 1) / unit * unit : value;
}
double round_up(double value, double unit) {
  return unit > 0 ? std::ceil(value / unit) * unit : value;
}
int round_down(int value, int unit) {
  return unit > 0 ? value / unit * unit : value;
}

int warps_of(const OccupancyLimits& limits, int threads) {
  return (threads + limits.warp_size - 1) / limits.warp_size;
}

int registers_per_warp(const OccupancyLimits& limits, int registers_per_thread) {
  return round_up(registers_per_thread * limits.warp_size, limits.register_allocation_unit);
}

double shared_per_block(const OccupancyLimits& limits, double own_bytes) {
  return round_up(own_bytes + limits.shared_reserved_per_block, limits.shared_allocation_unit);
}

/// Registers are given out within the part of the register file that one block may use; chips with a larger file have
/// several such parts. A block's warps are checked as if spread evenly over the schedulers.
int blocks_by_registers(const OccupancyLimits& limits, int warps_per_block, int registers_per_thread) {
  const int per_warp = registers_per_warp(limits, registers_per_thread);
  const int part = limits.max_registers_per_block > 0 ? limits.max_registers_per_block : limits.registers_per_sm;
  const int granularity = limits.warp_allocation_granularity;
  if (round_up(warps_per_block, granularity) > part / per_warp) return 0;
  const int parts = std::max(limits.registers_per_sm / part, 1);
  return round_down(part / per_warp, granularity) / warps_per_block * parts;
}

double own_shared(const OccupancyRequest& request) {
  return request.shared_static.count() + request.shared_dynamic.count();
}

int blocks_by_shared(const OccupancyLimits& limits, const OccupancyRequest& request, double own_bytes) {
  const double per_block = shared_per_block(limits, own_bytes);
  if (own_bytes > limits.shared_bytes_per_block) return 0;
  const double available = request.shared_carveout ? request.shared_carveout->count() : limits.shared_bytes_per_sm;
  return static_cast<int>(std::floor(available / per_block));
}

/// The blocks that `limiter` admits; nullopt where it sets no limit.
std::optional<int> admitted(const OccupancyLimits& limits, const OccupancyRequest& request, OccupancyLimiter limiter) {
  const int warps = warps_of(limits, request.threads_per_block);
  switch (limiter) {
    case OccupancyLimiter::kWarps:
      return limits.max_warps_per_sm / warps;
    case OccupancyLimiter::kBlocks:
      if (limits.max_blocks_per_sm == 0) return std::nullopt;
      return limits.max_blocks_per_sm;
    case OccupancyLimiter::kRegisters:
      if (limits.registers_per_sm == 0 || request.registers_per_thread == 0) return std::nullopt;
      return blocks_by_registers(limits, warps, request.registers_per_thread);
    case OccupancyLimiter::kShared:
      if (limits.shared_bytes_per_sm <= 0 || shared_per_block(limits, own_shared(request)) <= 0) return std::nullopt;
      return blocks_by_shared(limits, request, own_shared(request));
    case OccupancyLimiter::kBarriers:
      if (limits.max_barriers_per_sm == 0 || request.barriers_per_block == 0) return std::nullopt;
      return limits.max_barriers_per_sm / request.barriers_per_block;
  }
  return std::nullopt;
}

constexpr std::array kLimiters{OccupancyLimiter::kWarps, OccupancyLimiter::kBlocks, OccupancyLimiter::kRegisters,
                               OccupancyLimiter::kShared, OccupancyLimiter::kBarriers};

Error out_of_range(std::string what, std::string remedy) {
  return usage_error(std::move(what), "", std::move(remedy));
}

Result<void> check(const OccupancyLimits& limits, const OccupancyRequest& request) {
  if (limits.max_warps_per_sm <= 0 || limits.warp_size <= 0) {
    return fail(not_available("the machine states no occupancy limits", "",
                              "choose another with --on, or add [occupancy] to its file"));
  }
  if (request.threads_per_block < 1 || request.threads_per_block > limits.max_threads_per_block) {
    return fail(out_of_range(fmt::format("a block of {} threads is not possible", request.threads_per_block),
                             fmt::format("give 1 to {} threads", limits.max_threads_per_block)));
  }
  if (request.registers_per_thread < 0 || request.registers_per_thread > limits.max_registers_per_thread ||
      request.registers_per_thread > kMostRegisters) {
    return fail(out_of_range(fmt::format("{} registers per thread are not possible", request.registers_per_thread),
                             fmt::format("give at most {}", limits.max_registers_per_thread)));
  }
  const double bytes = own_shared(request);
  if (!(bytes >= 0) || bytes > kMostBytes || request.shared_static.count() < 0 || request.shared_dynamic.count() < 0) {
    return fail(
        out_of_range(fmt::format("{} bytes of shared memory are not possible", bytes), "give a size of 0 or more"));
  }
  if (request.barriers_per_block < 0 || request.barriers_per_block > kMostRegisters) {
    return fail(out_of_range(fmt::format("{} barriers are not possible", request.barriers_per_block),
                             "give a number of 0 or more"));
  }
  return {};
}

/// The largest registers per thread that admits `blocks`, or 0.
int registers_for(const OccupancyLimits& limits, const OccupancyRequest& request, int blocks) {
  const int warps = warps_of(limits, request.threads_per_block);
  int registers = request.registers_per_thread;
  while (registers > 0 && blocks_by_registers(limits, warps, registers) < blocks) --registers;
  return registers;
}

/// The largest bytes of a block's own shared memory that admits `blocks`, or less than 0.
double shared_for(const OccupancyLimits& limits, const OccupancyRequest& request, int blocks) {
  const double available = request.shared_carveout ? request.shared_carveout->count() : limits.shared_bytes_per_sm;
  const double unit = std::max(limits.shared_allocation_unit, 1.0);
  const double own = std::floor(available / blocks / unit) * unit - limits.shared_reserved_per_block;
  return std::min(own, limits.shared_bytes_per_block);
}

/// How `limiter` would have to change to admit `blocks`; nullopt if nothing but the block size could do that.
std::optional<OccupancyChange> change_for(const OccupancyLimits& limits, const OccupancyRequest& request,
                                          OccupancyLimiter limiter, int blocks) {
  if (limiter == OccupancyLimiter::kRegisters) {
    const int registers = registers_for(limits, request, blocks);
    if (registers > 0) return OccupancyChange{limiter, double(request.registers_per_thread), double(registers)};
  } else if (limiter == OccupancyLimiter::kShared) {
    const double bytes = shared_for(limits, request, blocks);
    if (bytes >= 0 && own_shared(request) > 0) return OccupancyChange{limiter, own_shared(request), bytes};
  } else if (limiter == OccupancyLimiter::kBarriers) {
    const int barriers = limits.max_barriers_per_sm / blocks;
    if (barriers > 0) return OccupancyChange{limiter, double(request.barriers_per_block), double(barriers)};
  }
  return std::nullopt;
}

void apply(const OccupancyChange& change, OccupancyRequest& request) {
  if (change.limiter == OccupancyLimiter::kRegisters) request.registers_per_thread = static_cast<int>(change.limit);
  if (change.limiter == OccupancyLimiter::kBarriers) request.barriers_per_block = static_cast<int>(change.limit);
  if (change.limiter == OccupancyLimiter::kShared) {
    request.shared_static = Bytes(0);
    request.shared_dynamic = Bytes(change.limit);
  }
}

int blocks_per_sm(const OccupancyLimits& limits, const OccupancyRequest& request) {
  int least = limits.max_warps_per_sm;
  for (const OccupancyLimiter limiter : kLimiters)
    least = std::min(least, admitted(limits, request, limiter).value_or(least));
  return least;
}

void add_changes(const OccupancyLimits& limits, Occupancy& result) {
  OccupancyRequest changed = result.request;
  for (const OccupancyLimiter limiter : result.limiters) {
    const auto change = change_for(limits, result.request, limiter, result.blocks_per_sm + 1);
    if (!change) continue;
    result.changes.push_back(*change);
    apply(*change, changed);
  }
  const int blocks = blocks_per_sm(limits, changed);
  if (blocks <= result.blocks_per_sm) return;
  result.fraction_after_changes = double(blocks) * result.warps_per_block / limits.max_warps_per_sm;
}

/// The smallest setting of the SM that holds all resident blocks.
std::optional<double> carveout_for(const OccupancyLimits& limits, const Occupancy& result) {
  const double needed = result.shared_per_block * result.blocks_per_sm;
  for (const double size : limits.shared_carveouts) {
    if (size >= needed) return size;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(OccupancyLimiter limiter) {
  return kNames.at(static_cast<std::size_t>(limiter));
}

Result<Occupancy> occupancy(const OccupancyLimits& limits, const OccupancyRequest& request) {
  RIDGE_TRY(check(limits, request));
  Occupancy result;
  result.request = request;
  result.warps_per_block = warps_of(limits, request.threads_per_block);
  result.registers_per_warp = registers_per_warp(limits, request.registers_per_thread);
  result.shared_per_block = shared_per_block(limits, own_shared(request));
  result.max_warps_per_sm = limits.max_warps_per_sm;
  result.blocks_per_sm = blocks_per_sm(limits, request);
  result.warps_per_sm = result.blocks_per_sm * result.warps_per_block;
  result.fraction = double(result.warps_per_sm) / limits.max_warps_per_sm;
  for (const OccupancyLimiter limiter : kLimiters) {
    const auto blocks = admitted(limits, request, limiter);
    result.limits.push_back({limiter, blocks});
    if (blocks == result.blocks_per_sm) result.limiters.push_back(limiter);
  }
  add_changes(limits, result);
  result.carveout_needed = carveout_for(limits, result);
  return result;
}

std::vector<Occupancy> occupancy_by_block_size(const OccupancyLimits& limits, const OccupancyRequest& request) {
  std::vector<int> sizes{32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 896, 1024, request.threads_per_block};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<Occupancy> table;
  for (const int size : sizes) {
    if (size % limits.warp_size != 0 && size != request.threads_per_block) continue;
    OccupancyRequest changed = request;
    changed.threads_per_block = size;
    if (auto row = occupancy(limits, changed)) table.push_back(std::move(*row));
  }
  return table;
}

namespace {

/// Steps from `size` by `step` until the occupancy is higher.
std::optional<Occupancy> first_better(const OccupancyLimits& limits, const Occupancy& now, int size, int step) {
  OccupancyRequest changed = now.request;
  for (; size > 0 && size <= limits.max_threads_per_block; size += step) {
    changed.threads_per_block = size;
    auto other = occupancy(limits, changed);
    if (other && other->warps_per_sm > now.warps_per_sm) return std::move(*other);
  }
  return std::nullopt;
}

std::optional<Occupancy> best_of_all(const OccupancyLimits& limits, const Occupancy& now) {
  std::optional<Occupancy> best;
  OccupancyRequest changed = now.request;
  const auto distance = [&](const Occupancy& other) {
    return std::abs(other.request.threads_per_block - now.request.threads_per_block);
  };
  for (int size = limits.warp_size; size <= limits.max_threads_per_block; size += limits.warp_size) {
    changed.threads_per_block = size;
    auto other = occupancy(limits, changed);
    if (!other || other->warps_per_sm <= now.warps_per_sm) continue;
    const bool more = !best || other->warps_per_sm > best->warps_per_sm;
    if (more || (other->warps_per_sm == best->warps_per_sm && distance(*other) < distance(*best))) best = *other;
  }
  return best;
}

}  // namespace

BetterBlockSizes better_block_sizes(const OccupancyLimits& limits, const Occupancy& now) {
  const int whole = now.warps_per_block * limits.warp_size;
  return {first_better(limits, now, whole - limits.warp_size, -limits.warp_size),
          first_better(limits, now, whole + limits.warp_size, limits.warp_size), best_of_all(limits, now)};
}

std::optional<OccupancyRequest> occupancy_request(const Configuration& configuration) {
  const double threads = configuration.threads_per_block().value_or(0);
  if (!configuration.registers_per_thread || !(threads >= 1 && threads <= 1 << 20)) return std::nullopt;
  OccupancyRequest request;
  request.threads_per_block = static_cast<int>(threads);
  request.registers_per_thread = static_cast<int>(std::clamp(*configuration.registers_per_thread, 0.0, 65536.0));
  request.shared_static = configuration.shared_static.value_or(Bytes(0));
  request.shared_dynamic = configuration.shared_dynamic.value_or(Bytes(0));
  request.barriers_per_block = static_cast<int>(std::clamp(configuration.barriers_per_block.value_or(0), 0.0, 65536.0));
  if (configuration.shared_carveout) request.shared_carveout = *configuration.shared_carveout;
  return request;
}

}  // namespace ridge
