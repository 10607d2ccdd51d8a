// Theoretical occupancy: how many blocks of a kernel fit on one SM at a time, what limits it, and what would have to
// change.
//
// Rules, as the vendor's occupancy calculator and profiler apply them: registers are given to whole warps in units of
// register_allocation_unit and warps in steps of warp_allocation_granularity (one a scheduler), so 92 registers cost
// 96; shared memory is given to blocks in units, the system's own share included; a block must fit as a whole.
// Not modelled: clusters, the order in which blocks leave, and on AMD the limit on workgroups per CU and scalar
// registers. Achieved occupancy is measured, not computed here.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/base/units.h"
#include "ridgepoint/model/machine.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

enum class OccupancyLimiter : unsigned char { kWarps, kBlocks, kRegisters, kShared, kBarriers };
/// "warps", "blocks", "registers", "shared", "barriers".
[[nodiscard]] std::string_view name(OccupancyLimiter limiter);

struct OccupancyRequest {
  int threads_per_block = 0;
  int registers_per_thread = 0;
  Bytes shared_static, shared_dynamic;  ///< of one block, without the system's own share
  int barriers_per_block = 0;
  /// Shared memory the SM is set to; without it the SM is taken to give what helps most.
  std::optional<Bytes> shared_carveout;

  friend bool operator==(const OccupancyRequest&, const OccupancyRequest&) = default;
};

/// The blocks that one resource admits; nullopt: this resource sets no limit.
struct OccupancyLimit {
  OccupancyLimiter limiter = OccupancyLimiter::kWarps;
  std::optional<int> blocks;
};

/// The least a binding resource would have to be cut so that it admits one block more.
struct OccupancyChange {
  OccupancyLimiter limiter = OccupancyLimiter::kRegisters;
  double now = 0;    ///< registers per thread, bytes of shared memory per block, or barriers
  double limit = 0;  ///< the largest value that would do
};

struct Occupancy {
  OccupancyRequest request;
  int warps_per_block = 0;
  int registers_per_warp = 0;   ///< as allocated
  double shared_per_block = 0;  ///< bytes as allocated, the system's share included
  int blocks_per_sm = 0;        ///< 0: a block does not fit at all, the launch fails
  int warps_per_sm = 0;
  int max_warps_per_sm = 0;
  double fraction = 0;                     ///< warps_per_sm / max_warps_per_sm
  std::vector<OccupancyLimit> limits;      ///< every resource, in the order of the enumeration
  std::vector<OccupancyLimiter> limiters;  ///< the resources that admit just blocks_per_sm
  /// For each limiter that a kernel can do something about other than by its block size; only together do they help.
  std::vector<OccupancyChange> changes;
  std::optional<double> fraction_after_changes;  ///< with all of `changes`; nullopt if they cannot help
  std::optional<double> carveout_needed;         ///< bytes: the smallest known setting that holds blocks_per_sm
};

/// Usage errors for block sizes, registers or shared memory that no launch can have; not available if the machine
/// states no limits.
[[nodiscard]] Result<Occupancy> occupancy(const OccupancyLimits& limits, const OccupancyRequest& request);

/// The same request at the usual block sizes (multiples of a warp) and its own, ascending. Registers per thread and
/// shared memory per block stay as they are.
[[nodiscard]] std::vector<Occupancy> occupancy_by_block_size(const OccupancyLimits& limits,
                                                             const OccupancyRequest& request);

/// Block sizes, in whole warps, that give a higher occupancy than the request's own.
struct BetterBlockSizes {
  std::optional<Occupancy> smaller, larger;  ///< the nearest
  std::optional<Occupancy> best;             ///< of all sizes; the nearest of several
};
[[nodiscard]] BetterBlockSizes better_block_sizes(const OccupancyLimits& limits, const Occupancy& now);

/// What a recorded launch asked for; nullopt if its registers are not known. Missing shared memory counts as none.
[[nodiscard]] std::optional<OccupancyRequest> occupancy_request(const Configuration& configuration);

}  // namespace ridge
