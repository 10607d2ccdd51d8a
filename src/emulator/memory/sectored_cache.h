// A set-associative cache of 128-byte lines, each of four 32-byte sectors that come and go by themselves.
//
// Tags, valid and dirty sectors only: no data. Which lines share a set is decided by a hash of the whole line number,
// so that strides of powers of two spread. Two kinds of it:
//   ReadCache   L1: nothing is ever dirty; the line that makes room is drawn at random (deterministically)
//   WriteCache  L2: least recently used, exactly, within a set of 16; sectors may be dirty, and written in part
// The choice of replacement follows recordings, see hierarchy.md. Not modelled: lines that are reserved while they are
// on their way, eviction priorities (evict_first and the like), and what the hardware's own hash is.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "emulator/memory/coalescer.h"

namespace ridge::emulator {

inline constexpr unsigned kWays = 16;
inline constexpr unsigned kDirtyWays = 7;  ///< of a set of L2: more than 28 of 60 MB are never left dirty

inline constexpr std::uint64_t kNoLine = ~0ULL;

/// The hash of a line number: its upper half chooses the set, its lower bits are free for others.
[[nodiscard]] constexpr std::uint64_t hash_of(std::uint64_t line) {
  std::uint64_t h = line * 0x9E3779B97F4A7C15ULL;
  h ^= h >> 29;
  return h * 0xBF58476D1CE4E5B9ULL;
}

/// `hash` spread evenly over [0, count).
[[nodiscard]] constexpr std::uint32_t pick(std::uint64_t hash, std::uint32_t count) {
  return static_cast<std::uint32_t>((hash >> 32) * count >> 32);
}

class ReadCache {
 public:
  /// At least one set; what does not fill a set is left out.
  explicit ReadCache(std::uint64_t bytes);

  /// The sectors that were there. The others are there from now on.
  std::uint8_t read(std::uint64_t line, std::uint8_t sectors);
  /// Written through: the line is taken in, and sectors that are written whole can be read from then on. Returns the
  /// sectors that were there before, or had been written to.
  std::uint8_t write(std::uint64_t line, std::uint8_t sectors, std::uint8_t whole);
  /// Drops sectors that changed elsewhere.
  void invalidate(std::uint64_t line, std::uint8_t sectors);
  [[nodiscard]] std::uint64_t bytes() const { return std::uint64_t{sets_} * kWays << kLineShift; }

 private:
  /// The line's entry, a new one if it had none.
  std::uint64_t& entry(std::uint64_t line);
  [[nodiscard]] std::uint64_t* find(std::uint64_t line, std::uint64_t hash);
  std::uint64_t& replace(std::uint64_t line, std::uint64_t hash);

  std::uint32_t sets_ = 1;
  std::uint32_t random_ = 0x2545F491;
  std::vector<std::uint32_t> hints_;  ///< where a line was found last, by its hash: saves the search through the set
  std::vector<std::uint64_t> lines_;  ///< kWays a set: number << 8 | written << 4 | valid
};

/// What a line that made room leaves to write.
struct Victim {
  std::uint8_t dirty = 0;    ///< sectors to write
  std::uint8_t partial = 0;  ///< those of them of which bytes are missing
};

class WriteCache {
 public:
  /// `dirty_ways`: lines of a set that may be dirty at a time; the oldest is written back early beyond that.
  explicit WriteCache(std::uint32_t sets, std::uint32_t dirty_ways = kWays);

  /// The sectors that are there whole, of those asked for. A line that is there becomes the youngest.
  std::uint8_t touch(std::uint64_t line, std::uint8_t sectors, std::uint64_t hash);
  /// Sectors that come from memory. Those written in part are whole then, and stay dirty.
  Victim fill(std::uint64_t line, std::uint8_t sectors, std::uint64_t hash);
  /// Words written (and which of them whole); sectors that all their words were written to are whole.
  Victim write(const LineAccess& written, std::uint64_t hash);
  /// Drops sectors, dirty or not.
  void invalidate(std::uint64_t line, std::uint8_t sectors, std::uint64_t hash);
  /// Whether the other half of L2 may have a copy of a line that was touched, filled or written just before; answers
  /// yes once, and again after note_copy.
  bool take_copy(std::uint64_t hash);
  void note_copy(std::uint64_t hash);
  /// Tells the processor's own cache that this line is needed soon.
  void prefetch(std::uint64_t hash) const;
  /// Sectors that are dirty now.
  [[nodiscard]] std::uint64_t dirty_sectors() const;

 private:
  struct Line {
    std::uint64_t number = kNoLine;
    std::uint32_t words = 0;  ///< written, of sectors that are not whole
    std::uint8_t valid = 0, dirty = 0;
    bool copied = true;  ///< not known of a new line
  };
  Line* youngest(std::uint64_t line, std::uint64_t hash, bool create, Victim& victim);
  [[nodiscard]] static Victim leave(Line& line);
  void limit_dirty(Line* set, Victim& victim) const;

  std::uint32_t sets_, dirty_ways_;
  std::vector<Line> lines_;  ///< kWays a set, from the youngest to the oldest
};

}  // namespace ridge::emulator
