// What execution tells those who watch. Listeners see every access of a warp as it happens; none can change it.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/exec/program.h"

namespace ridge::emulator {

/// Where a warp is: who made an access.
struct Where {
  std::uint32_t sm = 0;
  std::uint32_t resident = 0;  ///< the place of its block among those that this SM holds
  std::uint64_t block = 0;     ///< linear index in the grid
  std::uint32_t warp = 0;      ///< in its block
  Where() = default;
  Where(const Where& block_at, std::uint32_t warp_index) : Where(block_at) { warp = warp_index; }
};

/// One memory instruction of one warp. Addresses of lanes outside the mask mean nothing.
struct Access {
  std::uint32_t site = 0;
  AccessKind kind = AccessKind::kLoad;
  ptx::Space space = ptx::Space::kGlobal;  ///< the space it fell into; generic addresses are resolved
  bool bypass_l1 = false;                  ///< .cg, .cv, volatile and the like: L1 keeps nothing
  bool strong = false;                     ///< volatile, acquire and the like: lanes may synchronise by it
  bool operand = false;                    ///< a matrix product reads it from shared memory by itself
  Mask mask = 0;
  std::uint32_t bytes = 0;                   ///< a lane
  Shape shape = Shape::kUnknown;             ///< of the addresses, where that is known
  const std::uint64_t* addresses = nullptr;  ///< of 32 lanes; of shared and local memory offsets
  const std::uint64_t* to_shared = nullptr;  ///< of an asynchronous copy: where in shared memory
};

/// A bulk copy between global and shared memory: no lanes, a run of bytes.
struct BulkAccess {
  std::uint32_t site = 0;
  bool to_shared = true;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t destinations = 1;  ///< blocks that a multicast reaches
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void access(const Where& where, const Access& access) = 0;
  virtual void bulk(const Where& /*where*/, const BulkAccess& /*bulk*/) {}
  /// All warps of the block that take part have passed a barrier.
  virtual void barrier(const Where& /*where*/, Mask /*lanes*/, std::uint32_t /*barrier*/) {}
  /// Warps of the block may have synchronised other than by a barrier: a fence, a phase of an mbarrier that is over.
  virtual void ordered(const Where& /*where*/) {}
  /// Shared memory of that block was written by what is no lane's access: a bulk copy, an mbarrier, zeros for a copy
  /// that had nothing to read.
  virtual void shared_written(const Where& /*where*/, std::uint64_t /*offset*/, std::uint64_t /*bytes*/) {}
  virtual void block_begins(const Where& /*where*/, std::uint32_t /*shared_bytes*/) {}
  virtual void block_ends(const Where& /*where*/) {}
};

}  // namespace ridge::emulator
