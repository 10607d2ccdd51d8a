// A thread block while it runs, and what runs it: its warps in turn, its barriers, its shared memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "emulator/exec/access.h"
#include "emulator/exec/lanes/select.h"
#include "emulator/exec/memory_space.h"
#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

/// A launch as every block sees it; does not change while the kernel runs.
struct LaunchState {
  const Program& program;
  GlobalMemory& memory;
  const LaneCode& code;
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared = 0;
  std::uint32_t sm_count = 1;
  std::vector<std::byte> parameters;
};

/// One thread of the host: what it has counted and found.
struct Worker {
  std::vector<SiteCount> counts;       ///< by site; one more for steps that do not count
  std::vector<const Region*> regions;  ///< by site: where it reached last
  std::vector<Listener*> listeners;
  std::vector<Fault> faults;
  std::string printed;
  bool stopped = false;     ///< a fault that stops the kernel
  std::uint64_t clock = 0;  ///< steps this worker has taken
};

struct Barrier {
  struct Waiting {
    Warp* warp = nullptr;
    Fragment fragment;  ///< goes on after the barrier
    const Step* step = nullptr;
  };
  std::uint32_t expected = 0;  ///< threads; 0: all of the block
  std::uint32_t arrived = 0;
  std::vector<Waiting> waiting;

  /// Of a reduction: the lanes' votes, and the results for all that wait.
  void add(Mask predicate, Mask mask);
  void answer() const;

 private:
  std::uint32_t true_ = 0, false_ = 0;
};

/// Blocks of one cluster share a barrier and see each other's shared memory. One worker runs them all.
struct Cluster {
  std::vector<Block*> blocks;
  std::uint32_t arrived = 0;
  std::uint32_t phase = 0;  ///< completed phases of the cluster's barrier
  std::vector<Barrier::Waiting> waiting;
};

class Block {
 public:
  void start(const LaunchState& launch, Worker& worker, const Where& where, Cluster& cluster, std::uint32_t rank);
  /// Every warp runs up to `quantum` steps. False once all have ended.
  bool turn(std::int64_t quantum);
  [[nodiscard]] bool done() const { return live_warps_ == 0; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  // For handlers.
  [[nodiscard]] const LaunchState& launch() const { return *launch_; }
  [[nodiscard]] const Where& where() const { return where_; }
  [[nodiscard]] std::span<std::byte> shared() { return {shared_.data(), shared_bytes_}; }
  [[nodiscard]] Cluster& cluster() { return *cluster_; }
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] std::uint32_t threads() const { return threads_; }
  [[nodiscard]] std::uint32_t exited() const { return exited_; }
  [[nodiscard]] Barrier& barrier(std::uint32_t number) { return barriers_[number]; }
  [[nodiscard]] const std::vector<std::unique_ptr<Warp>>& warps() const { return warps_; }
  /// The fragment that runs arrives at a barrier and waits there, or all that wait go on.
  void wait_at(Warp& warp, const Step& step, std::uint32_t barrier, std::uint32_t threads);
  void arrive_at(std::uint32_t barrier, std::uint32_t threads, std::uint32_t arriving);
  void lanes_exited(std::uint32_t lanes);
  /// Dynamic and static shared memory, together.
  [[nodiscard]] std::uint32_t shared_bytes() const { return shared_bytes_; }

 private:
  void start_warp(Warp& warp, std::uint32_t index);
  void fill_specials(Warp& warp);
  void release(Barrier& barrier, std::uint32_t number);
  void check(std::uint32_t number);

  const LaunchState* launch_ = nullptr;
  Worker* worker_ = nullptr;
  Where where_;
  Cluster* cluster_ = nullptr;
  std::uint32_t rank_ = 0, threads_ = 0, exited_ = 0, live_warps_ = 0, shared_bytes_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<std::byte> shared_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::array<Barrier, 16> barriers_;
};

/// Releases what waits at the barrier of a cluster once all its threads have arrived.
void check_cluster(Cluster& cluster);

}  // namespace ridge::emulator
