#include "emulator/memory/hierarchy.h"

#include <algorithm>

namespace ridge::emulator {

SmMemory::SmMemory(std::uint64_t l1_bytes, std::uint32_t slices) : l1_(l1_bytes), queues_(slices) {}

std::size_t SmMemory::queued() const {
  std::size_t sum = 0;
  for (const auto& queue : queues_) sum += queue.size();
  return sum;
}

void SmMemory::send(const L2Request& request) {
  const auto slice =
      static_cast<std::uint32_t>(hash_of(request.line) & 0xFFFF) % static_cast<std::uint32_t>(queues_.size());
  queues_[slice].push_back(request);
}

void SmMemory::load(const WarpAccess& access, const Coalesced& request, RequestCounts& counts) {
  const bool cached = access.l1 == L1Use::kCached;
  std::uint32_t missed = 0;
  for (std::uint32_t i = 0; i < request.lines; ++i) {
    const LineAccess& at = request.line[i];
    const std::uint8_t hit = cached ? l1_.read(at.line, at.sectors) : std::uint8_t{0};
    const auto missing = static_cast<std::uint8_t>(at.sectors & ~hit);
    if (missing == 0) continue;
    missed += count_sectors(missing);
    send({.line = at.line, .sectors = missing, .kind = L2Request::Kind::kRead});
  }
  ++counts.requests;
  counts.sectors += request.sectors;
  counts.hits += request.sectors - missed;
  counts_.l2_to_l1_bytes += std::uint64_t{kSectorBytes} * missed;
}

void SmMemory::store(const Coalesced& request) {
  for (std::uint32_t i = 0; i < request.lines; ++i) {
    const LineAccess& at = request.line[i];
    const std::uint8_t covered = sectors_covered(at.whole);
    counts_.stores.hits += count_sectors(l1_.write(at.line, at.sectors, covered));
    counts_.partial_store_sectors += count_sectors(static_cast<std::uint8_t>(at.sectors & ~covered));
    send({.line = at.line, .words = at.whole, .sectors = at.sectors, .kind = L2Request::Kind::kWrite});
  }
  ++counts_.stores.requests;
  counts_.stores.sectors += request.sectors;
  counts_.l1_to_l2_bytes += std::uint64_t{kSectorBytes} * request.sectors;
}

void SmMemory::update(const Coalesced& request, bool returns) {
  RequestCounts& counts = returns ? counts_.atomics : counts_.reductions;
  const std::uint32_t sectors = atomic_sectors(request);
  auto repeats = static_cast<std::uint16_t>(sectors - request.sectors);
  for (std::uint32_t i = 0; i < request.lines; ++i, repeats = 0) {
    const LineAccess& at = request.line[i];
    l1_.invalidate(at.line, at.sectors);
    send({.line = at.line,
          .words = at.whole,
          .sectors = at.sectors,
          .kind = L2Request::Kind::kAtomic,
          .repeats = repeats});
  }
  ++counts.requests;
  counts.sectors += sectors;
  counts_.l1_to_l2_bytes += std::uint64_t{kSectorBytes} * sectors;
  if (returns) counts_.l2_to_l1_bytes += std::uint64_t{kSectorBytes} * sectors;
}

RequestCost SmMemory::global(const WarpAccess& access) {
  Coalesced request;
  coalesce(access, request);
  if (request.lines == 0) return {};
  const std::uint32_t wavefronts = data_wavefronts(request, access);
  counts_.global_wavefronts += wavefronts;
  switch (access.kind) {
    case AccessKind::kLoad:
      load(access, request, counts_.loads);
      break;
    case AccessKind::kAsyncCopy:
      load(access, request, counts_.async_copies);
      break;
    case AccessKind::kStore:
      store(request);
      break;
    case AccessKind::kAtomic:
      update(request, true);
      break;
    case AccessKind::kReduction:
      update(request, false);
      break;
    case AccessKind::kOperand:
      break;
  }
  return {.lines = request.lines, .sectors = request.sectors, .wavefronts = wavefronts};
}

SharedCost SmMemory::shared(const WarpAccess& access) {
  const SharedCost cost = shared_cost(access);
  shared(access.kind, cost);
  return cost;
}

void SmMemory::shared(AccessKind kind, const SharedCost& cost) {
  SharedCounts& counts = shared_counts(kind);
  ++counts.requests;
  counts.wavefronts += cost.wavefronts;
  counts.conflicts += cost.conflicts;
}

SharedCounts& SmMemory::shared_counts(AccessKind kind) {
  switch (kind) {
    case AccessKind::kLoad:
      return counts_.shared_loads;
    case AccessKind::kStore:
      return counts_.shared_stores;
    case AccessKind::kAsyncCopy:
      return counts_.shared_copies;
    case AccessKind::kOperand:
      return counts_.shared_operands;
    default:
      return counts_.shared_atomics;
  }
}

void SmMemory::bulk(AccessKind kind, std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 1U << kLineShift;
  std::uint64_t sectors = 0;
  for (const std::uint64_t end = address + bytes; address < end; address = (address / kLine + 1) * kLine) {
    const auto first = static_cast<unsigned>(address % kLine / 4);
    const auto last = static_cast<unsigned>((std::min(end, (address / kLine + 1) * kLine) - 1) % kLine / 4);
    const std::uint32_t words = (kAllLanes << first) & (kAllLanes >> (31 - last));
    L2Request request{.line = address / kLine, .words = words, .sectors = sectors_touched(words)};
    if (kind == AccessKind::kStore) request.kind = L2Request::Kind::kWrite;
    if (kind == AccessKind::kReduction || kind == AccessKind::kAtomic) request.kind = L2Request::Kind::kAtomic;
    sectors += count_sectors(request.sectors);
    send(request);
  }
  if (kind == AccessKind::kLoad || kind == AccessKind::kAsyncCopy) {
    counts_.l2_to_l1_bytes += kSectorBytes * sectors;
    counts_.bulk_read_bytes += kSectorBytes * sectors;
  } else {
    counts_.l1_to_l2_bytes += kSectorBytes * sectors;
  }
}

MemoryHierarchy::MemoryHierarchy(const MemoryGeometry& geometry) : geometry_(geometry) {
  geometry_.slices = std::max(1U, geometry.slices);
  geometry_.l2_partitions = std::clamp(geometry.l2_partitions, 1U, 2U);
  sms_.assign(std::max(1U, geometry.sms), SmMemory(geometry.l1_bytes, geometry_.slices));
  slices_.assign(geometry_.slices, L2Slice(geometry.l2_bytes / geometry_.slices, geometry_.l2_partitions));
}

/// SMs run at the same time: each gives its n-th part in turn, parts of about eight requests of the longest queue.
void MemoryHierarchy::drain(std::uint32_t slice) {
  constexpr std::size_t kChunk = 8;
  std::size_t longest = 0;
  for (const SmMemory& sm : sms_) longest = std::max(longest, sm.queue(slice).size());
  const std::size_t parts = (longest + kChunk - 1) / kChunk;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::uint32_t i = 0; i < sms(); ++i) {
      const std::vector<L2Request>& queue = sms_[i].queue(slice);
      const std::size_t end = queue.size() * (part + 1) / parts;
      const std::uint32_t partition = i % geometry_.l2_partitions;
      for (std::size_t at = queue.size() * part / parts; at < end; ++at) {
        if (at + kChunk < queue.size()) slices_[slice].prefetch(queue[at + kChunk], partition);
        slices_[slice].process(queue[at], partition);
      }
    }
  }
  for (SmMemory& sm : sms_) sm.clear_queue(slice);
}

void MemoryHierarchy::drain_all() {
  for (std::uint32_t slice = 0; slice < slices(); ++slice) drain(slice);
}

MemoryCounts MemoryHierarchy::counts() const {
  MemoryCounts sum;
  for (const SmMemory& sm : sms_) sum += sm.counts();
  for (const L2Slice& slice : slices_) sum += slice.counts();
  return sum;
}

}  // namespace ridge::emulator
