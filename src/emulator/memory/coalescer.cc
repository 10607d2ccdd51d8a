#include "emulator/memory/coalescer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ridge::emulator {
namespace {

constexpr std::uint64_t kLineMask = (1U << kLineShift) - 1;

unsigned offset_in_line(std::uint64_t address) {
  return static_cast<unsigned>(address & kLineMask);
}

/// Bits `first` to `last` of 32.
constexpr std::uint32_t bits(unsigned first, unsigned last) {
  return (kAllLanes << first) & (kAllLanes >> (31 - last));
}

void append(Coalesced& out, std::uint64_t line, std::uint32_t words, std::uint32_t whole) {
  const std::uint8_t sectors = sectors_touched(words);
  out.line[out.lines++] = {.line = line, .words = words, .whole = whole, .sectors = sectors};
  out.sectors += count_sectors(sectors);
}

/// The bytes [first, last] of one line.
void append_bytes(Coalesced& out, std::uint64_t line, unsigned first, unsigned last) {
  const std::uint32_t words = bits(first / 4, last / 4);
  std::uint32_t whole = words;
  if (first % 4 != 0) whole &= ~(1U << (first / 4));
  if (last % 4 != 3) whole &= ~(1U << (last / 4));
  append(out, line, words, whole);
}

/// Every byte from `begin` to `end`.
void append_range(Coalesced& out, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t last_line = (end - 1) >> kLineShift;
  std::uint64_t line = begin >> kLineShift;
  unsigned first = offset_in_line(begin);
  for (; line < last_line; ++line, first = 0) append_bytes(out, line, first, kLineMask);
  append_bytes(out, line, first, offset_in_line(end - 1));
}

/// Whether the 32 addresses are those of a loop with one stride.
bool affine(const std::uint64_t* addresses, std::int64_t& stride) {
  const std::uint64_t step = addresses[1] - addresses[0];
  if (addresses[31] - addresses[0] != 31 * step) return false;
  std::uint64_t off = 0;
  for (unsigned i = 1; i + 1 < kLanes; ++i) off |= (addresses[i + 1] - addresses[i]) ^ step;
  stride = static_cast<std::int64_t>(step);
  return off == 0;
}

/// Lanes whole words wide, `stride` bytes apart, a power of two below a line: all lines but the ends look alike.
void append_pattern(Coalesced& out, std::uint64_t base, unsigned stride, unsigned bytes) {
  std::uint32_t pattern = (1U << (bytes / 4)) - 1;
  pattern <<= (base % stride) / 4;
  for (unsigned width = stride / 4; width < 32; width *= 2) pattern |= pattern << width;
  const std::uint64_t last = base + 31ULL * stride + bytes - 1;
  const std::uint64_t last_line = last >> kLineShift;
  std::uint64_t line = base >> kLineShift;
  std::uint32_t within = kAllLanes << (offset_in_line(base) / 4);
  if (line < last_line) append(out, line, pattern & within, pattern & within), ++line, within = kAllLanes;
  const LineAccess inner{.line = 0, .words = pattern, .whole = pattern, .sectors = sectors_touched(pattern)};
  out.sectors += count_sectors(inner.sectors) * static_cast<std::uint32_t>(last_line - line);
  for (; line < last_line; ++line) {
    LineAccess& entry = out.line[out.lines++];
    entry = inner;
    entry.line = line;
  }
  within &= kAllLanes >> (31 - offset_in_line(last) / 4);
  append(out, line, pattern & within, pattern & within);
}

/// Each lane in a line of its own.
void append_each(Coalesced& out, const std::uint64_t* addresses, unsigned bytes) {
  const auto lane = static_cast<std::uint32_t>((1ULL << (bytes / 4)) - 1);
  for (unsigned i = 0; i < kLanes; ++i) {
    LineAccess& entry = out.line[i];
    entry.line = addresses[i] >> kLineShift;
    entry.words = entry.whole = lane << (offset_in_line(addresses[i]) / 4);
    entry.sectors = static_cast<std::uint8_t>(1U << (offset_in_line(addresses[i]) / kSectorBytes));
  }
  out.lines = out.sectors = kLanes;
}

/// One stride for all 32 lanes; false where no closed form is known here.
bool append_affine(Coalesced& out, const WarpAccess& access, std::int64_t stride) {
  const std::uint32_t bytes = access.bytes;
  const std::uint64_t base = access.addresses[stride < 0 ? 31 : 0];
  const auto step = static_cast<std::uint64_t>(stride < 0 ? -stride : stride);
  if (step <= bytes) {
    append_range(out, base, base + 31 * step + bytes);
    return true;
  }
  if (bytes < 4 || (base | step) % bytes != 0) return false;
  if (step >= 1U << kLineShift) {
    append_each(out, access.addresses, bytes);
    return true;
  }
  if (!std::has_single_bit(step)) return false;
  append_pattern(out, base, static_cast<unsigned>(step), bytes);
  return true;
}

/// Finds lines again by a table of 256 places, at most a quarter full.
class LineTable {
 public:
  explicit LineTable(Coalesced& out) : out_(out) { std::memset(place_, 0, sizeof place_); }

  /// The entry of the line; a new one is empty.
  LineAccess& at(std::uint64_t line) {
    if (line == last_line_) return out_.line[last_];
    last_line_ = line;
    std::size_t at = (line * 0x9E3779B97F4A7C15ULL) >> 56;
    while (place_[at] != 0 && out_.line[place_[at] - 1U].line != line) at = (at + 1) % sizeof place_;
    if (place_[at] == 0) create(at, line);
    last_ = place_[at] - 1U;
    return out_.line[last_];
  }

 private:
  void create(std::size_t at, std::uint64_t line) {
    LineAccess& entry = out_.line[out_.lines++];
    entry.line = line;
    entry.words = entry.whole = 0;
    place_[at] = static_cast<std::uint8_t>(out_.lines);
  }

  Coalesced& out_;
  std::uint64_t last_line_ = ~0ULL;  // no line: numbers have 57 bits
  std::uint32_t last_ = 0;
  std::uint8_t place_[256];  // NOLINT(modernize-avoid-c-arrays)
};

/// Any addresses, lanes of whole words that lie in one line each.
void append_words(Coalesced& out, const WarpAccess& access) {
  LineTable table(out);
  const auto lane = static_cast<std::uint32_t>((1ULL << (access.bytes / 4)) - 1);
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(rest)];
    table.at(address >> kLineShift).words |= lane << (offset_in_line(address) / 4);
  }
  for (std::uint32_t i = 0; i < out.lines; ++i) out.line[i].whole = out.line[i].words;
}

/// The lowest bit of each nibble, side by side.
constexpr std::uint32_t each_fourth_bit(std::uint64_t value) {
  value &= 0x1111111111111111ULL;
  value = (value | value >> 3) & 0x0303030303030303ULL;
  value = (value | value >> 6) & 0x000F000F000F000FULL;
  value = (value | value >> 12) & 0x000000FF000000FFULL;
  return static_cast<std::uint32_t>((value | value >> 24) & 0xFFFF);
}

/// The bytes of one line, one bit each.
struct ByteMask {
  std::uint64_t half[2] = {};  // NOLINT(modernize-avoid-c-arrays)

  void add(unsigned first, unsigned count) {
    const std::uint64_t run = (1ULL << count) - 1;  // at most 32
    half[first / 64] |= run << (first % 64);
    if (first < 64 && first + count > 64) half[1] |= run >> (64 - first);
  }
  [[nodiscard]] std::uint32_t words() const {
    const auto any = [](std::uint64_t m) { return each_fourth_bit(m | m >> 1 | m >> 2 | m >> 3); };
    return any(half[0]) | any(half[1]) << 16;
  }
  [[nodiscard]] std::uint32_t whole() const {
    const auto all = [](std::uint64_t m) { return each_fourth_bit(m & m >> 1 & m >> 2 & m >> 3); };
    return all(half[0]) | all(half[1]) << 16;
  }
};

/// Any addresses at all.
void append_any(Coalesced& out, const WarpAccess& access) {
  LineTable table(out);
  ByteMask masks[kMaxLines];  // NOLINT(modernize-avoid-c-arrays)
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    std::uint64_t at = access.addresses[std::countr_zero(rest)];
    for (std::uint64_t end = at + access.bytes; at != end;) {
      const std::uint64_t here = std::min<std::uint64_t>(end - at, kLineMask + 1 - offset_in_line(at));
      const auto index = &table.at(at >> kLineShift) - out.line;
      masks[index].add(offset_in_line(at), static_cast<unsigned>(here));
      at += here;
    }
  }
  for (std::uint32_t i = 0; i < out.lines; ++i) {
    out.line[i].words = masks[i].words();
    out.line[i].whole = masks[i].whole();
  }
}

bool whole_words(const WarpAccess& access) {
  if (access.bytes < 4) return false;
  std::uint64_t low = 0;
  for (unsigned i = 0; i < kLanes; ++i) low |= access.addresses[i];
  if (low % access.bytes == 0) return true;
  if (access.active == kAllLanes) return false;
  low = 0;
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    low |= access.addresses[std::countr_zero(rest)];
  }
  return low % access.bytes == 0;
}

void add_sectors(Coalesced& out) {
  for (std::uint32_t i = 0; i < out.lines; ++i) {
    out.line[i].sectors = sectors_touched(out.line[i].words);
    out.sectors += count_sectors(out.line[i].sectors);
  }
}

std::uint32_t paired_lines(const Coalesced& request) {
  std::uint32_t wavefronts = 0;
  for (std::uint32_t i = 0; i < request.lines; ++i, ++wavefronts) {
    if (i + 1 < request.lines && (request.line[i].words & request.line[i + 1].words) == 0) ++i;
  }
  return wavefronts;
}

}  // namespace

void coalesce(const WarpAccess& access, Coalesced& out) {
  out.lines = out.sectors = 0;
  const std::uint32_t words_a_lane = access.bytes < 4 ? 1 : access.bytes / 4;
  const bool all = access.active == kAllLanes;
  out.lane_words = (all ? kLanes : static_cast<std::uint32_t>(std::popcount(access.active))) * words_a_lane;
  if (all && access.shape != Shape::kUnknown) {
    const std::uint64_t base = access.addresses[0];
    const std::uint64_t lanes = access.shape == Shape::kUniform ? 1 : kLanes;
    return append_range(out, base, base + lanes * access.bytes);
  }
  std::int64_t stride = 0;
  if (all && affine(access.addresses, stride) && append_affine(out, access, stride)) return;
  if (whole_words(access)) {
    append_words(out, access);
  } else {
    append_any(out, access);
  }
  add_sectors(out);
}

std::uint32_t atomic_sectors(const Coalesced& request) {
  std::uint32_t words = 0;
  for (std::uint32_t i = 0; i < request.lines; ++i) {
    words += static_cast<std::uint32_t>(std::popcount(request.line[i].words));
  }
  return request.sectors + (request.lane_words > words ? request.lane_words - words : 0);
}

std::uint32_t data_wavefronts(const Coalesced& request, const WarpAccess& access) {
  if (request.lines == 0) return 0;
  switch (access.kind) {
    case AccessKind::kLoad:
      return request.lines == 1 ? 1 : paired_lines(request);
    case AccessKind::kStore:
      return request.lines + 1;
    case AccessKind::kAsyncCopy:
      return access.bytes < 16 ? request.lines : 0;
    case AccessKind::kAtomic:
    case AccessKind::kReduction:
      return 1 + (atomic_sectors(request) + 3) / 4;
    case AccessKind::kOperand:
      break;
  }
  return request.lines;
}

}  // namespace ridge::emulator
