#include "emulator/exec/access.h"

#include <algorithm>
#include <array>

#include "emulator/exec/block.h"

namespace ridge::emulator {
namespace {

bool is_misaligned(std::uint64_t address, std::uint32_t alignment) {
  return (address & (alignment - 1)) != 0;
}

std::string where_in(const GlobalMemory& memory, std::uint64_t address) {
  const Region* region = memory.nearest(address);
  if (region == nullptr) return "nothing is allocated";
  const std::string size = std::to_string(region->end - region->begin) + " bytes of '" + region->name + "'";
  if (address >= region->end) return std::to_string(address - region->end) + " bytes after the " + size;
  return address < region->begin ? std::to_string(region->begin - address) + " bytes before the " + size
                                 : "across the end of the " + size;
}

std::string block_has(std::size_t bytes) {
  return "the block has " + std::to_string(bytes) + " bytes of shared memory, dynamic memory included";
}

}  // namespace

void lane_addresses(const Warp& warp, Slot base, bool wide, std::int64_t offset, LaneAddresses& to) {
  const auto add = static_cast<std::uint64_t>(offset);
  if (base == kNoSlot) {
    std::fill_n(to.at, kLanes, add);
  } else if (wide) {
    const std::uint64_t* from = warp.wide(base);
    for (std::uint32_t i = 0; i < kLanes; ++i) to.at[i] = from[i] + add;
  } else {
    const std::uint32_t* from = warp.word(base);
    // Addresses of 32 bits are computed in 32 bits: compilers let a register be negative and add to it.
    for (std::uint32_t i = 0; i < kLanes; ++i) to.at[i] = from[i] + static_cast<std::uint32_t>(add);
  }
}

std::byte* shared_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes,
                         std::uint32_t alignment) {
  const auto shared = warp.block->shared();
  if (offset > shared.size() || bytes > shared.size() - offset) {
    raise(warp, step, FaultKind::kOutOfBounds, lane, ptx::Space::kShared, offset, bytes, block_has(shared.size()));
    return nullptr;
  }
  if (is_misaligned(offset, alignment)) {
    raise(warp, step, FaultKind::kMisaligned, lane, ptx::Space::kShared, offset, bytes);
    return nullptr;
  }
  return shared.data() + offset;
}

std::byte* cluster_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address, std::uint32_t bytes,
                          std::uint32_t alignment) {
  // Addresses below the first stride are the block's own; mapa gives those of others.
  const std::uint64_t offset = address % kClusterStride;
  const std::uint64_t rank = address / kClusterStride;
  if (rank == 0) return shared_memory(warp, step, lane, offset, bytes, alignment);
  const auto& blocks = warp.block->cluster().blocks;
  if (rank > blocks.size()) {
    raise(warp, step, FaultKind::kOutOfBounds, lane, ptx::Space::kShared, address, bytes,
          blocks.size() == 1 ? block_has(warp.block->shared().size())
                             : "the cluster has " + std::to_string(blocks.size()) + " blocks");
    return nullptr;
  }
  const auto shared = blocks[rank - 1]->shared();
  if (offset > shared.size() || bytes > shared.size() - offset) {
    raise(warp, step, FaultKind::kOutOfBounds, lane, ptx::Space::kShared, address, bytes, block_has(shared.size()));
    return nullptr;
  }
  if (is_misaligned(offset, alignment)) {
    raise(warp, step, FaultKind::kMisaligned, lane, ptx::Space::kShared, address, bytes);
    return nullptr;
  }
  return shared.data() + offset;
}

std::byte* global_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address, std::uint32_t bytes,
                         std::uint32_t alignment, bool writes) {
  const Region*& hint = warp.worker->regions[step.site];
  if (hint == nullptr || !hint->holds(address, address + bytes)) {
    const GlobalMemory& memory = warp.block->launch().memory;
    const Region* found = memory.find(address);
    if (found == nullptr || !found->holds(address, address + bytes)) {
      raise(warp, step, FaultKind::kOutOfBounds, lane, ptx::Space::kGlobal, address, bytes, where_in(memory, address));
      return nullptr;
    }
    hint = found;
  }
  if (is_misaligned(address, alignment)) {
    raise(warp, step, FaultKind::kMisaligned, lane, ptx::Space::kGlobal, address, bytes);
    return nullptr;
  }
  if (writes && !hint->writable) {
    raise(warp, step, FaultKind::kReadOnly, lane, ptx::Space::kGlobal, address, bytes, "'" + hint->name + "'");
    return nullptr;
  }
  return hint->host + (address - hint->begin);
}

std::byte* local_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t offset, std::uint32_t bytes,
                        std::uint32_t alignment) {
  const std::uint64_t held = warp.frame->local_top;  // by this call and those it came from
  if (offset > held || bytes > held - offset) {
    raise(warp, step, FaultKind::kOutOfBounds, lane, ptx::Space::kLocal, offset, bytes,
          "the thread has " + std::to_string(held) + " bytes of local memory");
    return nullptr;
  }
  if (is_misaligned(offset, alignment)) {
    raise(warp, step, FaultKind::kMisaligned, lane, ptx::Space::kLocal, offset, bytes);
    return nullptr;
  }
  return warp.local.data() + std::size_t{warp.local_bytes} * lane + offset;
}

std::byte* generic_memory(Warp& warp, const Step& step, std::uint32_t lane, std::uint64_t address, std::uint32_t bytes,
                          std::uint32_t alignment, bool writes) {
  if (address - kSharedWindow < kWindowBytes) {
    return cluster_memory(warp, step, lane, address - kSharedWindow, bytes, alignment);
  }
  if (address - kLocalWindow < kWindowBytes) {
    return local_memory(warp, step, lane, address - kLocalWindow, bytes, alignment);
  }
  if (address - kParameterWindow >= kWindowBytes) {
    return global_memory(warp, step, lane, address, bytes, alignment, writes);
  }
  const std::uint64_t offset = address - kParameterWindow;
  const auto& parameters = warp.block->launch().parameters;
  if (writes || offset > parameters.size() || bytes > parameters.size() - offset) {
    raise(warp, step, writes ? FaultKind::kReadOnly : FaultKind::kOutOfBounds, lane, ptx::Space::kParameter, offset,
          bytes, "the kernel has " + std::to_string(parameters.size()) + " bytes of parameters");
    return nullptr;
  }
  return const_cast<std::byte*>(parameters.data()) + offset;
}

void tell(Warp& warp, const Step& step, Access& access) {
  access.site = step.site;
  for (Listener* each : warp.worker->listeners) each->access(warp.where, access);
}

void tell(Warp& warp, const Step& step, BulkAccess bulk) {
  bulk.site = step.site;
  for (Listener* each : warp.worker->listeners) each->bulk(warp.where, bulk);
}

void tell_order(Warp& warp) {
  for (Listener* each : warp.worker->listeners) each->ordered(warp.where);
}

void tell_shared_written(Warp& warp, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t rank = address / kClusterStride;
  const Block& block = rank == 0 ? *warp.block : *warp.block->cluster().blocks[rank - 1];
  for (Listener* each : warp.worker->listeners) {
    each->shared_written({block.where(), warp.index}, address % kClusterStride, bytes);
  }
}

void raise(Warp& warp, const Step& step, FaultKind kind, std::uint32_t lane, ptx::Space space, std::uint64_t address,
           std::uint32_t bytes, std::string text) {
  Fault fault{kind,  step.site,      warp.block->where().block, warp.index * kLanes + lane, space, address,
              bytes, std::move(text)};
  constexpr std::size_t kMostKept = 1000;
  const bool stops = fault.stops();
  Worker& worker = *warp.worker;
  // One finding a site is enough: each lane of each warp would say the same.
  const auto same = [&](const Fault& each) { return each.kind == kind && each.site == step.site; };
  const bool known = !stops && std::any_of(worker.faults.begin(), worker.faults.end(), same);
  if (!known && worker.faults.size() < kMostKept) worker.faults.push_back(std::move(fault));
  if (!stops) return;
  worker.stopped = true;
  warp.state = WarpState::kFaulted;
  warp.budget = 0;
}

}  // namespace ridge::emulator
