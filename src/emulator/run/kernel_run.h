// One launch on an emulated GPU: executed, its accesses led through the memory system, its work counted and its time
// predicted.
//
// Instructions, FLOP and accesses are counted; cache traffic, occupancy and time are modelled. Where only some waves of
// the grid ran, every count is scaled to the grid by the share of blocks that ran (what L2 and DRAM move: the first
// wave once, the others by their mean), and the run says which share and how far the waves differed. Buffers then hold
// the results of those blocks alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulator/exec/launch.h"
#include "emulator/memory/hierarchy.h"
#include "emulator/run/extent.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

/// How one kernel is run; of a job RunOptions (run.h).
struct KernelOptions {
  Extent extent = Extent::kAuto;
  double budget_s = 10;                     ///< of the host's time, for kAuto
  std::uint32_t workers = 0;                ///< threads of the host; 0: as many as it has processors
  bool check = false;                       ///< find races and reads of uninitialised shared memory
  std::string lanes;                        ///< the host's instruction set; empty: the widest
  std::optional<int> registers_per_thread;  ///< as the compiler gave it; else estimated from the program
  std::uint64_t most_steps = UINT64_MAX;    ///< of all warps
  std::function<void(double)> progress;     ///< the share that is done, 0 to 1; may be empty
};

/// How much of the grid ran.
struct Sample {
  std::uint64_t blocks = 0, of = 0;
  std::uint32_t waves = 0;  ///< that ran
  double spread = 0;        ///< of warp instructions of the waves: (most - least) / mean; 0 for a single wave
  [[nodiscard]] double scale() const { return blocks == 0 ? 1 : static_cast<double>(of) / static_cast<double>(blocks); }
};

/// What bounds the predicted time, each alone.
struct TimePart {
  std::string resource;  ///< "issue", "fp32", "dram", "latency", ...
  Seconds time;
};
struct PredictedTime {
  Value<Seconds> total;
  std::vector<TimePart> parts;  ///< the longest first
};

struct SharedUse {
  std::uint64_t allocated = 0;  ///< bytes of one block
  std::uint64_t touched = 0;    ///< of them, by the block that touched most
};

struct KernelRun {
  Configuration configuration;
  Measurement measurement;  ///< work, occupancy, hot lines
  PredictedTime time;
  MemoryCounts memory;  ///< of what ran, not scaled
  Sample sample;
  SharedUse shared;
  std::vector<std::string> faults;    ///< what stopped the kernel, one line each
  std::vector<std::string> findings;  ///< wrong, but it went on
  std::vector<std::string> skipped;   ///< instructions that were left out, with their line: results are partial
  std::vector<std::string> expanded;  ///< counts that the compiler's expansions make uncertain
  std::string printed;
  std::uint64_t thread_instructions = 0;  ///< executed on this host, not scaled
  double host_seconds = 0;
};

/// Runs a decoded kernel. `memory` holds its buffers and the module's variables (load_variables). Faults of the kernel
/// are in the run; errors are launches that cannot be (usage) and machines that lack what the model needs (not
/// available).
[[nodiscard]] Result<KernelRun> run_kernel(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                                           const Machine& machine, const KernelOptions& options = {});

}  // namespace ridge::emulator
