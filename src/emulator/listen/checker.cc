#include "emulator/listen/checker.h"

#include <algorithm>
#include <string>

namespace ridge::emulator {
namespace {

constexpr std::uint32_t kNobody = 62, kSeveral = 63;  // besides the numbers of warps, 0 to 31
constexpr std::uint32_t kLastEpoch = (1U << 19) - 1;

std::uint64_t key_of(const Where& where) {
  return std::uint64_t{where.sm} << 32 | where.resident;
}

std::string name_of(std::uint32_t warp) {
  return warp == kSeveral ? "other warps" : "warp " + std::to_string(warp);
}

}  // namespace

Checker::Shadow* Checker::find(const Where& where) {
  const std::uint64_t key = key_of(where);
  if (key != last_key_) {
    const auto found = shadows_.find(key);
    last_key_ = key;
    last_ = found == shadows_.end() ? nullptr : found->second.get();
  }
  return last_ != nullptr && last_->live ? last_ : nullptr;
}

void Checker::block_begins(const Where& where, std::uint32_t shared_bytes) {
  const std::uint64_t key = key_of(where), wanted = std::uint64_t{shared_bytes} * sizeof(Cell);
  auto found = shadows_.find(key);
  if (found == shadows_.end()) {
    if (wanted > most_bytes_ - bytes_) return;
    bytes_ += wanted;
    found = shadows_.emplace(key, std::make_unique<Shadow>()).first;
    last_key_ = UINT64_MAX;
  }
  found->second->cells.assign(shared_bytes, Cell{0, 0, kNobody, kNobody});
  found->second->epoch = 1;
  found->second->live = true;
}

void Checker::block_ends(const Where& where) {
  Shadow* shadow = find(where);
  if (shadow == nullptr) return;
  shadow->live = false;
  ++watched_;
}

void Checker::barrier(const Where& where, Mask, std::uint32_t) {
  ordered(where);
}

void Checker::ordered(const Where& where) {
  Shadow* shadow = find(where);
  if (shadow == nullptr) return;
  if (shadow->epoch++ < kLastEpoch) return;
  for (Cell& each : shadow->cells) each.epoch = 0;
  shadow->epoch = 1;
}

void Checker::shared_written(const Where& where, std::uint64_t offset, std::uint64_t bytes) {
  Shadow* shadow = find(where);
  if (shadow == nullptr) return;
  const std::uint64_t end = std::min<std::uint64_t>(offset + bytes, shadow->cells.size());
  for (std::uint64_t at = offset; at < end; ++at) shadow->cells[at].written = 1;
}

void Checker::access(const Where& where, const Access& access) {
  if (access.strong) ordered(where);
  if (access.to_shared != nullptr) return lanes(where, access, access.to_shared, Use::kWrite);
  if (access.space != ptx::Space::kShared) return;
  Use use = Use::kAtomic;
  if (access.kind == AccessKind::kLoad) use = Use::kRead;
  if (access.kind == AccessKind::kStore) use = access.strong ? Use::kUnordered : Use::kWrite;
  lanes(where, access, access.addresses, use);
}

void Checker::lanes(const Where& where, const Access& access, const std::uint64_t* offsets, Use use) {
  Shadow* shadow = find(where);
  if (shadow == nullptr) return;
  for (Mask rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(rest));
    if (offsets[lane] >= kClusterStride) {
      reaches_others_ = true;
      continue;
    }
    const std::uint64_t end = std::min<std::uint64_t>(offsets[lane] + access.bytes, shadow->cells.size());
    for (std::uint64_t at = offsets[lane]; at < end; ++at) {
      Cell& cell = shadow->cells[at];
      if (cell.epoch != shadow->epoch) {
        cell.epoch = shadow->epoch & kLastEpoch;
        cell.writer = cell.reader = kNobody;
      }
      byte(where, access, cell, lane, at, use);
    }
  }
}

void Checker::byte(const Where& where, const Access& access, Cell& cell, std::uint32_t lane, std::uint64_t offset,
                   Use use) {
  const bool reads = use == Use::kRead || use == Use::kAtomic;
  if (reads && cell.written == 0 && !reaches_others_) {
    report(FaultKind::kUninitialisedShared, where, access, lane, offset, "nothing was written there before");
  }
  if (use != Use::kRead) cell.written = 1;
  if (access.strong || use == Use::kUnordered) return;
  const auto by_other = [&](std::uint32_t who) { return who != kNobody && who != where.warp; };
  if (by_other(cell.writer)) {
    report(FaultKind::kSharedRace, where, access, lane, offset,
           name_of(cell.writer) + " wrote it, and no barrier lies between");
  } else if (use == Use::kWrite && by_other(cell.reader)) {
    report(FaultKind::kSharedRace, where, access, lane, offset,
           name_of(cell.reader) + " read it, and no barrier lies between");
  }
  const auto joined = [&](std::uint32_t who) { return by_other(who) ? kSeveral : where.warp; };
  if (use == Use::kWrite) {
    cell.writer = joined(cell.writer) & 63U;
  } else {
    cell.reader = joined(cell.reader) & 63U;
  }
}

void Checker::report(FaultKind kind, const Where& where, const Access& access, std::uint32_t lane, std::uint64_t offset,
                     std::string text) {
  if (!known_.emplace(kind, access.site).second) return;
  Fault fault;
  fault.kind = kind;
  fault.site = access.site;
  fault.block = where.block;
  fault.thread = where.warp * kLanes + lane;
  fault.space = ptx::Space::kShared;
  fault.address = offset;
  fault.bytes = access.bytes;
  fault.text = std::move(text);
  findings_.push_back(std::move(fault));
}

}  // namespace ridge::emulator
