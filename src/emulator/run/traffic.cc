#include "emulator/run/traffic.h"

#include <algorithm>

namespace ridge::emulator {
namespace {

// Where local memory lies: far from every buffer. A thread's words are 128 bytes apart, those of a warp's lanes side by
// side, as the hardware arranges them.
constexpr std::uint64_t kLocalBase = std::uint64_t{1} << 46;
constexpr std::uint64_t kLocalOfWarp = 1 << 20;
constexpr std::uint64_t kWarpsOfBlock = 32, kBlocksOfSm = 32;

AccessKind kind_of(const Access& access) {
  return access.operand ? AccessKind::kOperand : access.kind;
}

WarpAccess warp_access(const Access& access, const std::uint64_t* addresses) {
  return {addresses, access.mask, access.bytes, kind_of(access), access.bypass_l1 ? L1Use::kBypassed : L1Use::kCached};
}

}  // namespace

SiteTraffic& SiteTraffic::operator+=(const SiteTraffic& other) {
  requests += other.requests;
  sectors += other.sectors;
  excess_sectors += other.excess_sectors;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
  return *this;
}

LocalTraffic& LocalTraffic::operator+=(const LocalTraffic& other) {
  load_requests += other.load_requests;
  load_sectors += other.load_sectors;
  store_requests += other.store_requests;
  store_sectors += other.store_sectors;
  return *this;
}

void Traffic::access(const Where& where, const Access& access) {
  SmMemory& sm = memory_.sm(where.sm);
  switch (access.space) {
    case ptx::Space::kShared:
      return shared(sm, access);
    case ptx::Space::kLocal:
      return local(where, sm, access);
    case ptx::Space::kGlobal:
      note(access, sm.global(warp_access(access, access.addresses)));
      if (access.to_shared != nullptr && access.bytes < 16) sm.shared(warp_access(access, access.to_shared));
      return;
    default:
      return;  // constant memory has a cache of its own, which is not modelled
  }
}

void Traffic::note(const Access& access, const RequestCost& cost) {
  SiteTraffic& site = sites_[access.site];
  const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(access.mask));
  const std::uint32_t needed = (lanes * access.bytes + kSectorBytes - 1) / kSectorBytes;
  site.requests += 1;
  site.sectors += cost.sectors;
  site.excess_sectors += cost.sectors > needed ? cost.sectors - needed : 0;
  site.wavefronts += cost.wavefronts;
}

SharedCost Traffic::cost_of(const Access& access) {
  Pattern& last = patterns_[access.site];
  const std::uint64_t first = access.addresses[__builtin_ctz(access.mask)];
  // Lanes that take part are compared; a first address off the lane's width would change where units begin.
  alignas(64) std::uint32_t offsets[kLanes];  // NOLINT(modernize-avoid-c-arrays)
  std::uint32_t differs = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    offsets[i] = static_cast<std::uint32_t>(access.addresses[i] - first);
    differs |= offsets[i] ^ last.offsets[i];
  }
  const bool aligned = first % std::max(access.bytes, 4U) == 0;
  if (differs == 0 && last.mask == access.mask && aligned && last.kind == access.kind) return last.cost;
  last.mask = aligned ? access.mask : 0;
  last.kind = access.kind;
  std::copy_n(offsets, kLanes, last.offsets);
  last.cost = shared_cost(warp_access(access, access.addresses));
  return last.cost;
}

void Traffic::shared(SmMemory& sm, const Access& access) {
  const SharedCost cost = cost_of(access);
  sm.shared(kind_of(access), cost);
  SiteTraffic& site = sites_[access.site];
  site.requests += 1;
  site.wavefronts += cost.wavefronts;
  site.conflicts += cost.conflicts;
}

void Traffic::local(const Where& where, SmMemory& sm, const Access& access) {
  std::uint64_t addresses[kLanes];  // NOLINT(modernize-avoid-c-arrays): as the request wants them
  const std::uint64_t warp = (where.sm * kBlocksOfSm + where.resident) * kWarpsOfBlock + where.warp;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t offset = access.addresses[i];
    addresses[i] = kLocalBase + warp * kLocalOfWarp + offset / 4 * (4 * kLanes) + 4 * i + offset % 4;
  }
  const RequestCost cost = sm.global(warp_access(access, addresses));
  note(access, cost);
  const bool store = access.kind == AccessKind::kStore;
  (store ? local_.store_requests : local_.load_requests) += 1;
  (store ? local_.store_sectors : local_.load_sectors) += cost.sectors;
}

void Traffic::bulk(const Where& where, const BulkAccess& bulk) {
  memory_.sm(where.sm).bulk(bulk.to_shared ? AccessKind::kLoad : AccessKind::kStore, bulk.address, bulk.bytes);
  if (bulk.to_shared && bulk.destinations > 1) multicast_bytes_ += std::uint64_t{bulk.bytes} * (bulk.destinations - 1);
}

}  // namespace ridge::emulator
