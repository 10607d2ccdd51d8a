// How steps reach memory: addresses of lanes, host memory behind them, faults, and what listeners are told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "emulator/exec/fault.h"
#include "emulator/exec/listener.h"
#include "emulator/exec/warp.h"

namespace ridge::emulator {

struct LaneAddresses {
  alignas(64) std::uint64_t at[kLanes];
};

/// Addresses of the lanes: a step's base slot (words or doubles) plus its immediate.
void lane_addresses(const Warp& warp, Slot base, bool wide, std::int64_t offset, LaneAddresses& to);

/// Shared memory of the warp's own block from `offset` on; nullptr after a fault (outside, or not a multiple of
/// `alignment`).
[[nodiscard]] std::byte* shared_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t offset,
                                       std::uint32_t bytes, std::uint32_t alignment);
/// The same for a block of the cluster, by its shared::cluster address.
[[nodiscard]] std::byte* cluster_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address,
                                        std::uint32_t bytes, std::uint32_t alignment);
/// Global memory.
[[nodiscard]] std::byte* global_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address,
                                       std::uint32_t bytes, std::uint32_t alignment, bool writes);

/// Any of them, by its generic address; global memory outside the windows. Constant and parameter memory cannot be
/// written.
[[nodiscard]] std::byte* generic_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address,
                                        std::uint32_t bytes, std::uint32_t alignment, bool writes);
/// A lane's local memory.
[[nodiscard]] std::byte* local_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t offset,
                                      std::uint32_t bytes, std::uint32_t alignment);

/// Tells listeners of an access; `site` is filled in.
void tell(Warp& warp, const Step& step, Access& access);
void tell(Warp& warp, const Step& step, BulkAccess bulk);

/// Tells them that the warps of its block may be synchronised now.
void tell_order(Warp& warp);
/// Tells them of a write to a block's shared memory, by its shared::cluster address.
void tell_shared_written(Warp& warp, std::uint64_t address, std::uint64_t bytes);

/// Stops the kernel, or notes a finding (Fault::stops).
void raise(Warp& warp, const Step& step, FaultKind kind, std::uint32_t lane, ptx::Space space, std::uint64_t address,
           std::uint32_t bytes, std::string text = {});

}  // namespace ridge::emulator
