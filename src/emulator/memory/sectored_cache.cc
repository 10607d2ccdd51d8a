#include "emulator/memory/sectored_cache.h"

#include <algorithm>
#include <utility>

namespace ridge::emulator {
namespace {

constexpr std::uint64_t kHints = 512;
constexpr std::uint64_t kSetBytes = std::uint64_t{kWays} << kLineShift;

constexpr std::uint8_t both(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(a & b);
}
constexpr std::uint8_t without(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(a & ~b);
}
constexpr std::uint8_t either(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(a | b);
}

/// The words of some sectors.
constexpr std::uint32_t words_of(std::uint8_t sectors) {
  std::uint32_t words = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((sectors >> i & 1U) != 0) words |= 0xFFU << (8 * i);
  }
  return words;
}

}  // namespace

ReadCache::ReadCache(std::uint64_t bytes)
    : sets_(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, bytes / kSetBytes))),
      hints_(kHints, 0),
      lines_(std::size_t{sets_} * kWays, kNoLine) {}

std::uint64_t* ReadCache::find(std::uint64_t line, std::uint64_t hash) {
  std::uint32_t& hint = hints_[hash % kHints];
  if (lines_[hint] >> 8 == line) return lines_.data() + hint;
  const std::uint32_t first = pick(hash, sets_) * kWays;
  for (std::uint32_t at = first; at < first + kWays; ++at) {
    if (lines_[at] >> 8 != line) continue;
    hint = at;
    return lines_.data() + at;
  }
  return nullptr;
}

std::uint64_t& ReadCache::entry(std::uint64_t line) {
  const std::uint64_t hash = hash_of(line);
  std::uint64_t* found = find(line, hash);
  return found != nullptr ? *found : replace(line, hash);
}

std::uint8_t ReadCache::read(std::uint64_t line, std::uint8_t sectors) {
  std::uint64_t& at = entry(line);
  const auto hit = static_cast<std::uint8_t>(at & sectors);
  at |= sectors;
  return hit;
}

std::uint8_t ReadCache::write(std::uint64_t line, std::uint8_t sectors, std::uint8_t whole) {
  std::uint64_t& at = entry(line);
  const auto hit = static_cast<std::uint8_t>((at | at >> 4) & sectors);
  at |= std::uint64_t{sectors} << 4 | whole;
  return hit;
}

std::uint64_t& ReadCache::replace(std::uint64_t line, std::uint64_t hash) {
  std::uint64_t* set = lines_.data() + std::size_t{pick(hash, sets_)} * kWays;
  std::uint64_t* at = std::find(set, set + kWays, kNoLine);
  if (at == set + kWays) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    at = set + random_ % kWays;
  }
  *at = line << 8;
  hints_[hash % kHints] = static_cast<std::uint32_t>(at - lines_.data());
  return *at;
}

void ReadCache::invalidate(std::uint64_t line, std::uint8_t sectors) {
  if (std::uint64_t* at = find(line, hash_of(line))) *at &= ~(std::uint64_t{sectors} << 4 | sectors);
}

WriteCache::WriteCache(std::uint32_t sets, std::uint32_t dirty_ways)
    : sets_(std::max(1U, sets)), dirty_ways_(dirty_ways), lines_(std::size_t{sets_} * kWays) {}

Victim WriteCache::leave(Line& line) {
  Victim victim{.dirty = line.dirty, .partial = without(line.dirty, line.valid)};
  return victim;
}

WriteCache::Line* WriteCache::youngest(std::uint64_t line, std::uint64_t hash, bool create, Victim& victim) {
  Line* set = lines_.data() + std::size_t{pick(hash, sets_)} * kWays;
  unsigned at = 0;
  while (at < kWays && set[at].number != line) ++at;
  if (at == 0) return set;
  if (at == kWays && !create) return nullptr;
  Line moved = at < kWays ? set[at] : Line{.number = line};
  if (at == kWays) victim = leave(set[--at]);
  std::copy_backward(set, set + at, set + at + 1);
  set[0] = moved;
  return set;
}

std::uint8_t WriteCache::touch(std::uint64_t line, std::uint8_t sectors, std::uint64_t hash) {
  Victim none;
  const Line* at = youngest(line, hash, false, none);
  return at == nullptr ? std::uint8_t{0} : both(at->valid, sectors);
}

Victim WriteCache::fill(std::uint64_t line, std::uint8_t sectors, std::uint64_t hash) {
  Victim victim;
  Line* at = youngest(line, hash, true, victim);
  at->valid = either(at->valid, sectors);
  at->words &= ~words_of(sectors);
  return victim;
}

Victim WriteCache::write(const LineAccess& written, std::uint64_t hash) {
  Victim victim;
  Line* at = youngest(written.line, hash, true, victim);
  const bool was_clean = at->dirty == 0;
  at->dirty = either(at->dirty, written.sectors);
  at->words |= written.whole;
  at->valid = either(at->valid, sectors_covered(at->words));
  at->words &= ~words_of(at->valid);
  if (was_clean && dirty_ways_ < kWays) limit_dirty(at, victim);
  return victim;
}

/// Writes back the oldest dirty line where too many are; it stays, clean. A victim that is dirty has made room already.
void WriteCache::limit_dirty(Line* set, Victim& victim) const {
  if (victim.dirty != 0) return;
  const auto dirty = [](const Line& line) { return line.dirty != 0; };
  if (std::count_if(set, set + kWays, dirty) <= static_cast<std::ptrdiff_t>(dirty_ways_)) return;
  Line* oldest = set + kWays - 1;
  while (!dirty(*oldest)) --oldest;
  victim = leave(*oldest);
  oldest->valid = either(oldest->valid, oldest->dirty);
  oldest->dirty = 0;
  oldest->words = 0;
}

void WriteCache::invalidate(std::uint64_t line, std::uint8_t sectors, std::uint64_t hash) {
  Line* set = lines_.data() + std::size_t{pick(hash, sets_)} * kWays;
  Line* at = std::find_if(set, set + kWays, [&](const Line& l) { return l.number == line; });
  if (at == set + kWays) return;
  at->valid = without(at->valid, sectors);
  at->dirty = without(at->dirty, sectors);
  at->words &= ~words_of(sectors);
}

bool WriteCache::take_copy(std::uint64_t hash) {
  return std::exchange(lines_[std::size_t{pick(hash, sets_)} * kWays].copied, false);
}

void WriteCache::note_copy(std::uint64_t hash) {
  lines_[std::size_t{pick(hash, sets_)} * kWays].copied = true;
}

void WriteCache::prefetch(std::uint64_t hash) const {
  const Line* set = lines_.data() + std::size_t{pick(hash, sets_)} * kWays;
  for (unsigned way = 0; way < kWays; way += 64 / sizeof(Line)) __builtin_prefetch(set + way, 1);
}

std::uint64_t WriteCache::dirty_sectors() const {
  std::uint64_t sum = 0;
  for (const Line& line : lines_) sum += static_cast<std::uint64_t>(std::popcount(line.dirty));
  return sum;
}

}  // namespace ridge::emulator
