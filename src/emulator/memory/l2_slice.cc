// What L2 does with a request, by the rules of hierarchy.md.
#include <algorithm>

#include "emulator/memory/hierarchy.h"

namespace ridge::emulator {
namespace {

/// DRAM, and one partition from the other, give 64 bytes at a time: both sectors of a pair.
constexpr std::uint8_t pairs_of(std::uint8_t sectors) {
  return static_cast<std::uint8_t>(sectors | (sectors & 0x5) << 1 | (sectors & 0xA) >> 1);
}

/// The partition that DRAM holds the line for.
std::uint32_t home_of(std::uint64_t hash, std::size_t partitions) {
  return partitions == 1 ? 0 : static_cast<std::uint32_t>(hash >> 16 & 1U);
}

}  // namespace

L2Slice::L2Slice(std::uint64_t bytes, std::uint32_t partitions)
    : partitions_(partitions,
                  WriteCache(static_cast<std::uint32_t>(bytes / partitions / (std::uint64_t{kWays} << kLineShift)),
                             kDirtyWays)) {}

void L2Slice::process(const L2Request& request, std::uint32_t partition) {
  switch (request.kind) {
    case L2Request::Kind::kRead:
      return read(request, partition);
    case L2Request::Kind::kWrite:
      return write(request, partition);
    case L2Request::Kind::kAtomic:
      return atomic(request, partition);
  }
}

void L2Slice::count_passage(std::uint32_t sectors, bool far) {
  counts_.l2_sectors += far ? 2 * sectors : sectors;
  if (far) counts_.l2_fabric_sectors += sectors;
}

void L2Slice::evict(Victim victim) {
  counts_.dram_write_bytes += std::uint64_t{kSectorBytes} * count_sectors(victim.dirty);
  counts_.dram_read_bytes += std::uint64_t{kSectorBytes} * count_sectors(pairs_of(victim.partial));
}

void L2Slice::bring_home(std::uint64_t line, std::uint8_t sectors, std::uint32_t home, std::uint64_t hash) {
  const auto missing = static_cast<std::uint8_t>(sectors & ~partitions_[home].touch(line, sectors, hash));
  if (missing == 0) return;
  const std::uint8_t fetched = pairs_of(missing);
  counts_.dram_read_bytes += std::uint64_t{kSectorBytes} * count_sectors(fetched);
  evict(partitions_[home].fill(line, fetched, hash));
}

void L2Slice::read(const L2Request& request, std::uint32_t partition) {
  const std::uint64_t hash = hash_of(request.line);
  const std::uint32_t home = home_of(hash, partitions_.size());
  const std::uint8_t hit = partitions_[partition].touch(request.line, request.sectors, hash);
  const std::uint32_t asked = count_sectors(request.sectors);
  counts_.l2_read_sectors += asked;
  counts_.l2_read_hits += count_sectors(hit);
  counts_.l2_sectors += asked;
  const std::uint8_t wanted = pairs_of(static_cast<std::uint8_t>(request.sectors & ~hit));
  if (wanted == 0) return;
  bring_home(request.line, wanted, home, hash);
  if (home == partition) return;
  partitions_[home].note_copy(hash);
  counts_.l2_sectors += count_sectors(wanted);
  counts_.l2_fabric_sectors += count_sectors(wanted);
  evict(partitions_[partition].fill(request.line, wanted, hash));
}

/// Of a line that was just written at home.
void L2Slice::drop_copies(const L2Request& request, std::uint32_t home, std::uint64_t hash) {
  if (partitions_.size() == 1 || !partitions_[home].take_copy(hash)) return;
  partitions_[1 - home].invalidate(request.line, 0xF, hash);
}

void L2Slice::prefetch(const L2Request& request, std::uint32_t partition) const {
  const std::uint64_t hash = hash_of(request.line);
  const std::uint32_t home = home_of(hash, partitions_.size());
  partitions_[home].prefetch(hash);
  if (home != partition && request.kind == L2Request::Kind::kRead) partitions_[partition].prefetch(hash);
}

void L2Slice::write(const L2Request& request, std::uint32_t partition) {
  const std::uint64_t hash = hash_of(request.line);
  const std::uint32_t home = home_of(hash, partitions_.size());
  const std::uint32_t sectors = count_sectors(request.sectors);
  counts_.l2_write_sectors += sectors;
  count_passage(sectors, home != partition);
  const LineAccess written{
      .line = request.line, .words = request.words, .whole = request.words, .sectors = request.sectors};
  evict(partitions_[home].write(written, hash));
  drop_copies(request, home, hash);
}

/// Done where the line is at home: it must be there, and is dirty afterwards.
void L2Slice::atomic(const L2Request& request, std::uint32_t partition) {
  const std::uint64_t hash = hash_of(request.line);
  const std::uint32_t home = home_of(hash, partitions_.size());
  const std::uint32_t sectors = count_sectors(request.sectors) + request.repeats;
  counts_.l2_atomic_sectors += sectors;
  counts_.hottest_atomic_line = std::max(counts_.hottest_atomic_line, atomics_[request.line] += sectors);
  count_passage(sectors, home != partition);
  bring_home(request.line, request.sectors, home, hash);
  const LineAccess written{
      .line = request.line, .words = request.words, .whole = request.words, .sectors = request.sectors};
  evict(partitions_[home].write(written, hash));
  drop_copies(request, home, hash);
}

MemoryCounts L2Slice::counts() const {
  MemoryCounts counts = counts_;
  for (const WriteCache& partition : partitions_) counts.l2_dirty_bytes += kSectorBytes * partition.dirty_sectors();
  return counts;
}

}  // namespace ridge::emulator
