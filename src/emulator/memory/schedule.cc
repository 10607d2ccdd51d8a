#include "emulator/memory/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

namespace ridge::emulator {
namespace {

constexpr double kKiB = 1024;

bool never_chosen(double carveout) {
  return carveout == 16 * kKiB || carveout == 64 * kKiB;
}

}  // namespace

double shared_carveout(const OccupancyLimits& limits, int blocks, double shared_per_block) {
  const double need = blocks * shared_per_block;
  for (const double carveout : limits.shared_carveouts) {
    const bool holds = carveout > 8 * kKiB ? carveout >= need : carveout > need;
    if (holds && !never_chosen(carveout)) return carveout;
  }
  return limits.shared_bytes_per_sm;
}

Result<Residency> residency_of(const Machine& machine, const OccupancyRequest& request) {
  const Result<Occupancy> found = occupancy(machine.occupancy, request);
  if (!found) return fail(found.error());
  if (found->blocks_per_sm == 0) {
    return fail(usage_error(
        fmt::format("a block of {} threads with {} registers each and {} bytes of shared memory "
                    "does not fit on an SM of {}",
                    request.threads_per_block, request.registers_per_thread, found->shared_per_block, machine.id),
        "", "make the block smaller"));
  }
  Residency residency{.blocks_per_sm = static_cast<std::uint32_t>(found->blocks_per_sm)};
  residency.shared_carveout = request.shared_carveout
                                  ? request.shared_carveout->count()
                                  : shared_carveout(machine.occupancy, found->blocks_per_sm, found->shared_per_block);
  return residency;
}

BlockScheduler::BlockScheduler(std::uint64_t blocks, std::uint32_t sms, std::uint32_t blocks_per_sm,
                               std::uint32_t cluster)
    : blocks_(blocks),
      cluster_(std::clamp(cluster, 1U, std::max(1U, sms))),
      groups_(std::max(1U, sms / cluster_)),
      free_at_(std::size_t{groups_} * std::max(1U, blocks_per_sm), 0),
      started_at_(free_at_) {}

double BlockScheduler::mean_cost() const {
  return done_ == 0 ? 1 : cost_ / static_cast<double>(done_);
}

void BlockScheduler::place(std::size_t group, std::vector<Placement>& batch) {
  started_at_[group] = free_at_[group];
  for (std::uint32_t i = 0; i < cluster_ && next_ < blocks_; ++i) {
    batch.push_back({.block = next_++,
                     .sm = static_cast<std::uint32_t>(group % groups_) * cluster_ + i,
                     .slot = static_cast<std::uint32_t>(group / groups_)});
  }
}

/// The earliest place takes a block until that place has one already, whose end is only estimated.
std::vector<Placement> BlockScheduler::next_batch() {
  using Free = std::pair<double, std::size_t>;
  std::priority_queue<Free, std::vector<Free>, std::greater<>> places;
  for (std::size_t i = 0; i < free_at_.size(); ++i) places.emplace(free_at_[i], i);
  std::vector<Placement> batch;
  std::vector<bool> taken(free_at_.size());
  while (next_ < blocks_ && !taken[places.top().second]) {
    const auto [time, group] = places.top();
    places.pop();
    place(group, batch);
    taken[group] = true;
    places.emplace(time + mean_cost(), group);
  }
  return batch;
}

void BlockScheduler::finished(const Placement& placement, double cost) {
  const std::size_t group = std::size_t{placement.slot} * groups_ + placement.sm / cluster_;
  free_at_[group] = std::max(free_at_[group], started_at_[group] + cost);
  cost_ += cost;
  ++done_;
}

double BlockScheduler::waves() const {
  return static_cast<double>(blocks_) / static_cast<double>(places());
}

double BlockScheduler::makespan() const {
  return *std::max_element(free_at_.begin(), free_at_.end());
}

double BlockScheduler::balance() const {
  const double whole = makespan() * static_cast<double>(places());
  return whole > 0 ? cost_ / whole : 0;
}

}  // namespace ridge::emulator
