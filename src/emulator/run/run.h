// One job from its buffers to a Profile: memory allocated and filled, the kernel decoded and executed, its accesses
// sent through the machine's memory system, what it counted put into the model's words.
//
// Instructions and accesses are counted, traffic between caches and time are modelled, and the profile says which. A
// kernel that cannot be decoded is an error; one that does something wrong while it runs yields findings and the work
// up to there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulator/job/job.h"
#include "emulator/ptx/module.h"
#include "emulator/run/extent.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/base/units.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

struct RunOptions {
  Extent extent = Extent::kAuto;
  Seconds budget{10};                       ///< of this host's time
  std::uint32_t workers = 0;                ///< threads of this host; 0: as many as it has cores
  bool skip_unsupported = false;            ///< instructions that are not emulated do nothing, and an issue says so
  std::optional<int> registers_per_thread;  ///< as the compiler gave it; else estimated from the PTX
  bool checks = true;                       ///< look for uninitialised reads of shared memory and for races in it
};

struct RunRequest {
  const ptx::Module& module;
  const Job& job;  ///< bound to `module`
  const Machine& machine;
  RunOptions options;
  /// Called now and then with the share of the run that is done, 0 to 1; may be empty.
  std::function<void(double)> progress;
  std::string path = {};  ///< of the file the module came from, for the profile
};

/// Something that the kernel does wrong, as a memory checker says it, with PTX and source line.
struct RunFinding {
  std::string text;
  bool stops = false;  ///< the kernel could not go on
};

struct RunResult {
  /// One launch on one device, whose machine is the request's.
  Profile profile;
  /// What each buffer of the job held in the end; empty if only a sample was run.
  std::vector<std::vector<std::byte>> buffers;
  std::vector<RunFinding> findings;
  std::string printed;  ///< by the kernel's printf
  double fraction = 1;  ///< of the blocks, that were run
};

[[nodiscard]] Result<RunResult> run(const RunRequest& request);

}  // namespace ridge::emulator
