// A kernel from its first block to its last.
//
// Blocks are held by SMs as on hardware: each SM has room for so many, the first wave is dealt out in turn, and an SM
// that has room takes the next (clusters as one). All blocks that are held run in rounds, each warp so many steps a
// round, so that blocks see and meet each other's work in memory about when they would. SMs are divided among threads
// of the host; what a kernel computes and counts does not depend on how many there are, unless the kernel itself
// depends on the order of blocks (atomics on floating-point numbers, races).
//
// Not modelled: time, priorities, preemption, SMs with less room than others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator/exec/block.h"

namespace ridge::emulator {

struct LaunchRequest {
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared = 0;
  std::vector<std::byte> parameters;  ///< as the program lays them out
};

struct ExecuteOptions {
  std::uint32_t sms = 1;
  std::uint32_t blocks_per_sm = 1;
  std::uint32_t workers = 1;
  std::int64_t quantum = 256;  ///< steps a warp takes in a round
  std::string_view lanes;      ///< as in DecodeOptions
  /// Only these blocks, in this order; empty: all. Clusters must be whole.
  std::vector<std::uint64_t> blocks;
  std::uint64_t most_steps = UINT64_MAX;  ///< of all warps; beyond them execution ends, as a fault
  /// Listeners of each worker, made before it starts.
  std::function<std::vector<Listener*>(std::uint32_t worker)> listeners;
  /// After each round, on each worker, while no warp runs.
  std::function<void(std::uint32_t worker)> between_rounds;
  /// Asked between rounds: true ends execution (the outcome says so).
  std::function<bool()> cancelled;
};

struct Outcome {
  std::vector<SiteCount> counts;  ///< by site of the program
  std::vector<Fault> faults;
  std::vector<const Region*> regions;  ///< by site: the memory it reached last, nullptr if none
  std::string printed;                 ///< what the kernel printed
  std::uint64_t blocks = 0;            ///< that ran to their end
  std::uint64_t rounds = 0, steps = 0;
  bool cancelled = false;
  [[nodiscard]] bool completed() const;  ///< no fault that stops, not cancelled
};

[[nodiscard]] std::uint64_t count_of(const Dim3& extent);
/// Linear index in the grid of block `rank` of cluster `number`; both count x first. Without clusters (1, 1, 1) that of
/// block `number`.
[[nodiscard]] std::uint64_t block_of_cluster(std::uint64_t number, std::uint64_t rank, const Dim3& grid,
                                             const Dim3& cluster);

/// Usage errors: a block of over 1024 threads, a grid or a cluster without blocks, a grid that clusters do not divide,
/// parameters of another size.
[[nodiscard]] Result<Outcome> execute(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                                      const ExecuteOptions& options);

/// Puts a module's variables into memory with their initial values.
[[nodiscard]] Result<void> load_variables(const Program& program, GlobalMemory& memory);

/// "out-of-bounds access: a load of 4 bytes at ... by thread 3 of block 7 ... (line 41, kernel.cu:12)".
[[nodiscard]] std::string describe(const Fault& fault, const Program& program, const LaunchRequest& request);

}  // namespace ridge::emulator
