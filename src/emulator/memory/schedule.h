// Which block runs where: how many fit on an SM, how its memory is split, and in what order blocks reach the SMs.
//
// The first blocks go round the SMs, block i to SM i mod SMs; each later one to the place that is free first. How long
// a block takes is what the caller says it cost (its instructions, say); blocks that have not run yet are taken to cost
// the mean of those that have. So the placement depends on costs only, never on the number of threads that emulate.
// SMs are numbered in the order in which they are filled: neighbours are in different parts of the chip. Blocks of a
// cluster go to neighbouring numbers and leave together.
// Not modelled: priorities, other kernels on the chip, and SMs of a part of the chip that is too small for a cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/occupancy.h"

namespace ridge::emulator {

struct Residency {
  std::uint32_t blocks_per_sm = 0;
  double shared_carveout = 0;  ///< bytes of each SM that are shared memory; the rest of the unified memory is L1
};

/// Out of what a launch asks for. Usage errors for launches that cannot be, also where a block fits on no SM.
[[nodiscard]] Result<Residency> residency_of(const Machine& machine, const OccupancyRequest& request);

/// The setting for `blocks` resident blocks of `shared_per_block` bytes (as allocated). Recorded on an H200: the
/// smallest that holds them, but never 16 or 64 KiB, and not 8 KiB where they fill it (8 blocks of 1 KiB: 32 KiB; 2:
/// 8 KiB; 8 of 2 KiB: 32 KiB; 8 of 5 KiB: 100 KiB; 2 of 9 KiB: 32 KiB; 1 of 145 KiB: 164 KiB).
[[nodiscard]] double shared_carveout(const OccupancyLimits& limits, int blocks, double shared_per_block);

struct Placement {
  std::uint64_t block = 0;
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;  ///< of the SM's places for blocks

  friend bool operator==(const Placement&, const Placement&) = default;
};

class BlockScheduler {
 public:
  /// `cluster`: blocks that start together; it divides `blocks`.
  BlockScheduler(std::uint64_t blocks, std::uint32_t sms, std::uint32_t blocks_per_sm, std::uint32_t cluster = 1);

  /// The next blocks to run, at most one for each place, in the order in which they start; empty when all have run.
  /// Before the next call each of them must be reported.
  [[nodiscard]] std::vector<Placement> next_batch();
  void finished(const Placement& placement, double cost);

  [[nodiscard]] std::uint64_t places() const { return free_at_.size() * cluster_; }
  /// Blocks / places: 1.2 is one full wave and a fifth of another.
  [[nodiscard]] double waves() const;
  /// When the last place becomes free, in units of cost.
  [[nodiscard]] double makespan() const;
  /// Cost of all blocks / (places x makespan): 1 without any tail or imbalance. 0 before a block has finished.
  [[nodiscard]] double balance() const;

 private:
  [[nodiscard]] double mean_cost() const;
  void place(std::size_t group, std::vector<Placement>& batch);

  std::uint64_t blocks_, next_ = 0, done_ = 0;
  std::uint32_t cluster_, groups_;  ///< SMs go by groups of `cluster_`
  double cost_ = 0;
  std::vector<double> free_at_;  ///< of each place of a group: index = slot * groups + group
  std::vector<double> started_at_;
};

}  // namespace ridge::emulator
