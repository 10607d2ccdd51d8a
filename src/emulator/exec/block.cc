#include "emulator/exec/block.h"

#include <algorithm>

namespace ridge::emulator {
namespace {

struct Index3 {
  std::uint32_t x = 0, y = 0, z = 0;
};

Index3 split(std::uint64_t linear, const Dim3& extent) {
  return {static_cast<std::uint32_t>(linear % extent.x), static_cast<std::uint32_t>(linear / extent.x % extent.y),
          static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

std::uint32_t element(const Dim3& value, unsigned axis) {
  return static_cast<std::uint32_t>(axis == 0 ? value.x : axis == 1 ? value.y : value.z);
}
std::uint32_t element(const Index3& value, unsigned axis) {
  return axis == 0 ? value.x : axis == 1 ? value.y : value.z;
}

unsigned axis_of(Special which, Special first) {
  return static_cast<unsigned>(which) - static_cast<unsigned>(first);
}

// What is the same for all lanes of a warp.
class UniformSpecials {
 public:
  UniformSpecials(const Block& block, const Warp& warp)
      : launch_(block.launch()), block_(block), warp_(warp), at_(split(block.where().block, launch_.grid)) {}

  [[nodiscard]] std::uint64_t value(Special which) const {
    using enum Special;
    if (which >= kNtidX && which <= kNtidZ) return element(launch_.block, axis_of(which, kNtidX));
    if (which >= kCtaidX && which <= kCtaidZ) return element(at_, axis_of(which, kCtaidX));
    if (which >= kNctaidX && which <= kNctaidZ) return element(launch_.grid, axis_of(which, kNctaidX));
    if (which >= kClusteridX && which <= kClusterNctarank) return cluster(which);
    switch (which) {
      case kIsExplicitCluster:
        return launch_.cluster.x * launch_.cluster.y * launch_.cluster.z > 1 ? 1 : 0;
      case kWarpid:
        return warp_.index;
      case kNwarpid:
        return (block_.threads() + kLanes - 1) / kLanes;
      case kSmid:
        return block_.where().sm;
      case kNsmid:
        return launch_.sm_count;
      case kGridid:
        return 1;
      case kDynamicSharedSize:
        return launch_.dynamic_shared;
      case kTotalSharedSize:
        return block_.shared_bytes();
      default:
        return 0;
    }
  }

 private:
  [[nodiscard]] std::uint64_t cluster(Special which) const {
    using enum Special;
    const Dim3& size = launch_.cluster;
    if (which <= kClusteridZ) {
      const unsigned axis = axis_of(which, kClusteridX);
      return element(at_, axis) / element(size, axis);
    }
    if (which <= kNclusteridZ) {
      const unsigned axis = axis_of(which, kNclusteridX);
      return element(launch_.grid, axis) / element(size, axis);
    }
    if (which <= kClusterCtaidZ) {
      const unsigned axis = axis_of(which, kClusterCtaidX);
      return element(at_, axis) % element(size, axis);
    }
    if (which <= kClusterNctaidZ) return element(size, axis_of(which, kClusterNctaidX));
    return which == kClusterCtarank ? block_.rank() : size.x * size.y * size.z;
  }

  const LaunchState& launch_;
  const Block& block_;
  const Warp& warp_;
  Index3 at_;
};

std::uint64_t lane_value(Special which, std::uint32_t lane, const Index3& thread) {
  using enum Special;
  switch (which) {
    case kTidX:
    case kTidY:
    case kTidZ:
      return element(thread, axis_of(which, kTidX));
    case kLaneid:
      return lane;
    case kLanemaskEq:
      return Mask{1} << lane;
    case kLanemaskLt:
      return (Mask{1} << lane) - 1;
    case kLanemaskLe:
      return ((Mask{1} << lane) - 1) | Mask{1} << lane;
    case kLanemaskGt:
      return ~(((Mask{1} << lane) - 1) | Mask{1} << lane);
    default:
      return ~((Mask{1} << lane) - 1);  // kLanemaskGe
  }
}

bool differs_by_lane(Special which) {
  return which <= Special::kTidZ || which == Special::kLaneid ||
         (which >= Special::kLanemaskEq && which <= Special::kLanemaskGe);
}

template <class W>
void fill(W* lanes, Special which, std::uint32_t first_thread, const Dim3& block) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    lanes[i] = static_cast<W>(lane_value(which, i, split(first_thread + i, block)));
  }
}

// A fragment that waited goes on; its warp too, if it had nothing else to run.
void resume(const Barrier::Waiting& waiting) {
  Warp& warp = *waiting.warp;
  warp.pending.push_back(waiting.fragment);
  if (warp.state != WarpState::kWaiting) return;
  warp.state = WarpState::kReady;
  next_fragment(warp);
}

}  // namespace

void Block::start(const LaunchState& launch, Worker& worker, const Where& where, Cluster& cluster, std::uint32_t rank) {
  launch_ = &launch;
  worker_ = &worker;
  where_ = where;
  cluster_ = &cluster;
  rank_ = rank;
  threads_ = static_cast<std::uint32_t>(launch.block.x * launch.block.y * launch.block.z);
  exited_ = 0;
  steps_ = 0;
  barriers_ = {};
  const std::uint32_t fixed = launch.program.static_shared;
  shared_bytes_ = launch.dynamic_shared == 0 ? fixed : (fixed + 15) / 16 * 16 + launch.dynamic_shared;
  shared_.assign(shared_bytes_, std::byte{0});
  const std::uint32_t count = (threads_ + kLanes - 1) / kLanes;
  while (warps_.size() < count) warps_.push_back(std::make_unique<Warp>());
  warps_.resize(count);
  live_warps_ = count;
  for (Listener* each : worker.listeners) each->block_begins(where_, shared_bytes_);
  for (std::uint32_t i = 0; i < count; ++i) start_warp(*warps_[i], i);
}

void Block::start_warp(Warp& warp, std::uint32_t index) {
  warp.block = this;
  warp.worker = worker_;
  warp.counts = worker_->counts.data();
  warp.index = index;
  warp.where = {where_, index};
  warp.state = WarpState::kReady;
  warp.exited = 0;
  warp.cluster_phase = 0;
  warp.spins = 0;
  const std::uint32_t rest = threads_ - index * kLanes;
  warp.exists = rest >= kLanes ? kAllLanes : (Mask{1} << rest) - 1;
  warp.pending.clear();
  warp.parked.clear();
  warp.joins.clear();
  warp.free_joins.clear();
  warp.free_frames.clear();
  for (const auto& each : warp.frames) warp.free_frames.push_back(each.get());
  warp.frame = nullptr;
  push_frame(warp, launch_->program, 0);
  fill_specials(warp);
  warp.pc = &launch_->program.steps[launch_->program.functions[0].first_step];
  warp.active = warp.exists;
  warp.join = kNoJoin;
}

void Block::fill_specials(Warp& warp) {
  const UniformSpecials uniform(*this, warp);
  for (const SpecialSlot& each : launch_->program.specials) {
    const std::uint32_t first = warp.index * kLanes;
    if (differs_by_lane(each.which)) {
      each.wide ? fill(warp.wide(each.slot), each.which, first, launch_->block)
                : fill(warp.word(each.slot), each.which, first, launch_->block);
      continue;
    }
    const std::uint64_t value = uniform.value(each.which);
    if (each.wide) {
      std::fill_n(warp.wide(each.slot), kLanes, value);
    } else {
      std::fill_n(warp.word(each.slot), kLanes, static_cast<std::uint32_t>(value));
    }
  }
}

bool Block::turn(std::int64_t quantum) {
  for (const auto& each : warps_) {
    Warp& warp = *each;
    if (warp.state != WarpState::kReady) continue;
    warp.budget = quantum;
    const std::uint64_t before = warp.steps_taken;
    launch_->code.run(warp);
    steps_ += warp.steps_taken - before;
    if (worker_->stopped) return false;
    if (warp.state == WarpState::kDone) {
      --live_warps_;
    } else if (warp.state == WarpState::kReady) {
      rotate(warp);
    }
  }
  if (live_warps_ != 0) return true;
  for (Listener* each : worker_->listeners) each->block_ends(where_);
  return false;
}

void Block::wait_at(Warp& warp, const Step& step, std::uint32_t number, std::uint32_t threads) {
  Barrier& barrier = barriers_[number];
  const auto arriving = static_cast<std::uint32_t>(__builtin_popcount(warp.active));
  barrier.waiting.push_back({&warp, {warp.pc, warp.active, warp.join, warp.frame, 0}, &step});
  barrier.expected = threads;
  barrier.arrived += arriving;
  warp.active = 0;
  next_fragment(warp);
  check(number);
}

void Block::arrive_at(std::uint32_t number, std::uint32_t threads, std::uint32_t arriving) {
  barriers_[number].expected = threads;
  barriers_[number].arrived += arriving;
  check(number);
}

void Block::lanes_exited(std::uint32_t lanes) {
  exited_ += lanes;
  for (std::uint32_t i = 0; i < barriers_.size(); ++i) {
    if (barriers_[i].arrived != 0 && barriers_[i].expected == 0) check(i);
  }
  check_cluster(*cluster_);
}

void Block::check(std::uint32_t number) {
  Barrier& barrier = barriers_[number];
  const std::uint32_t expected = barrier.expected == 0 ? threads_ - exited_ : barrier.expected;
  if (barrier.arrived >= expected) release(barrier, number);
}

void Block::release(Barrier& barrier, std::uint32_t number) {
  Barrier done;
  std::swap(done, barrier);
  done.answer();
  for (const Barrier::Waiting& each : done.waiting) resume(each);
  for (Listener* each : worker_->listeners) each->barrier(where_, kAllLanes, number);
}

void check_cluster(Cluster& cluster) {
  std::uint32_t expected = 0;
  for (const Block* each : cluster.blocks) expected += each->threads() - each->exited();
  if (cluster.arrived == 0 || cluster.arrived < expected) return;
  cluster.arrived = 0;
  ++cluster.phase;
  std::vector<Barrier::Waiting> waiting;
  waiting.swap(cluster.waiting);
  for (const Barrier::Waiting& each : waiting) resume(each);
}

}  // namespace ridge::emulator
