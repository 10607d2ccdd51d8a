// The video instructions: vadd, vsub, vabsdiff, vmin, vmax, vset of one part of each operand (and vshl, vshr, vmad),
// and their forms over two halves or four bytes with vavrg beside them. Steps as in the ISA: parts are extended by
// their operand's type, the operation is done without overflow, .sat clamps to the result's type, and the result is
// merged with or added to c.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/number/integer.h"
#include "emulator/number/minmax.h"

namespace ridge::number {

enum class VideoOperation : std::uint8_t { kAdd, kSub, kAverage, kAbsoluteDifference, kMin, kMax };
enum class VideoSecond : std::uint8_t { kNone, kAdd, kMin, kMax };
enum class VideoPart : std::uint8_t { kB0, kB1, kB2, kB3, kH0, kH1, kWord };

struct VideoTypes {  // signed or not
  bool result;
  bool a;
  bool b;
};

[[nodiscard]] constexpr std::int64_t video_compute(VideoOperation operation, std::int64_t a, std::int64_t b) {
  switch (operation) {
    case VideoOperation::kAdd:
      return a + b;
    case VideoOperation::kSub:
      return a - b;
    case VideoOperation::kAverage:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOperation::kAbsoluteDifference:
      return a < b ? b - a : a - b;
    case VideoOperation::kMin:
      return std::min(a, b);
    case VideoOperation::kMax:
      return std::max(a, b);
  }
  return 0;
}

// ---- over lanes

// Of 2 or 4 lanes. Lanes are picked out of {b, a}, a's first; `mask` says which results are taken. (These lists are
// four long; two lanes use the first two.)
struct VideoLanes {
  int count;
  std::array<std::uint8_t, 4> a;
  std::array<std::uint8_t, 4> b;
  std::uint8_t mask = 0xf;

  [[nodiscard]] constexpr int bits() const { return 32 / count; }
};
inline constexpr VideoLanes kTwoHalves{2, {0, 1}, {2, 3}};
inline constexpr VideoLanes kFourBytes{4, {0, 1, 2, 3}, {4, 5, 6, 7}};

// Lane `index` of the 64 bits {b, a}, extended.
[[nodiscard]] constexpr std::int64_t video_lane(std::uint64_t both, int index, int bits, bool is_signed) {
  const auto top = both << (64 - bits * (index + 1));
  return is_signed ? static_cast<std::int64_t>(top) >> (64 - bits) : static_cast<std::int64_t>(top >> (64 - bits));
}

[[nodiscard]] constexpr std::int64_t video_clamp(std::int64_t value, int bits, bool is_signed) {
  const std::int64_t limit = std::int64_t{1} << (is_signed ? bits - 1 : bits);
  return std::clamp(value, is_signed ? -limit : 0, limit - 1);
}

// Puts one result per lane together: added up onto c, or side by side with c's lanes where the mask is off.
template <typename Lane>
[[nodiscard]] constexpr std::uint32_t video_lanes(const VideoLanes& lanes, std::uint32_t c, bool accumulate,
                                                  Lane result_of) {
  const int bits = lanes.bits();
  const std::uint32_t ones = (std::uint32_t{1} << bits) - 1;
  std::uint32_t result = accumulate ? c : 0;
  for (int i = 0; i < lanes.count; ++i) {
    const bool taken = (lanes.mask >> i & 1) != 0;
    const auto value = taken ? static_cast<std::uint32_t>(result_of(static_cast<std::size_t>(i))) : 0;
    if (accumulate) {
      result += value;
    } else {
      result |= ((taken ? value : c >> (bits * i)) & ones) << (bits * i);
    }
  }
  return result;
}

// vadd2 to vmax4.
[[nodiscard]] constexpr std::uint32_t video_simd(VideoOperation operation, const VideoLanes& lanes,
                                                 const VideoTypes& types, std::uint32_t a, std::uint32_t b,
                                                 std::uint32_t c, bool sat = false, bool accumulate = false) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  return video_lanes(lanes, c, accumulate, [&](std::size_t i) {
    const auto left = video_lane(both, lanes.a[i], lanes.bits(), types.a);
    const auto right = video_lane(both, lanes.b[i], lanes.bits(), types.b);
    const auto value = video_compute(operation, left, right);
    return sat ? video_clamp(value, lanes.bits(), types.result) : value;
  });
}

// vset2 and vset4: 1 or 0 per lane.
[[nodiscard]] constexpr std::uint32_t video_simd_set(Comparison comparison, const VideoLanes& lanes, bool a_signed,
                                                     bool b_signed, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                     bool accumulate = false) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  return video_lanes(lanes, c, accumulate, [&](std::size_t i) {
    const auto left = video_lane(both, lanes.a[i], lanes.bits(), a_signed);
    const auto right = video_lane(both, lanes.b[i], lanes.bits(), b_signed);
    return compare_integer(comparison, left, right) ? 1 : 0;
  });
}

// ---- of one part

[[nodiscard]] constexpr int part_bits(VideoPart part) {
  if (part == VideoPart::kWord) return 32;
  return part >= VideoPart::kH0 ? 16 : 8;
}
[[nodiscard]] constexpr int part_index(VideoPart part) {
  if (part == VideoPart::kWord) return 0;
  return part >= VideoPart::kH0 ? static_cast<int>(part) - static_cast<int>(VideoPart::kH0) : static_cast<int>(part);
}
[[nodiscard]] constexpr std::int64_t video_part(std::uint32_t word, VideoPart part, bool is_signed) {
  return video_lane(word, part_index(part), part_bits(part), is_signed);
}

// What becomes of a result: its type, the part of c it replaces or what it does with the whole of c.
struct VideoEnd {
  bool is_signed = false;
  bool sat = false;
  VideoPart part = VideoPart::kWord;
  VideoSecond second = VideoSecond::kNone;
};

[[nodiscard]] constexpr std::uint32_t video_end(std::int64_t value, std::uint32_t c, const VideoEnd& end) {
  const int bits = part_bits(end.part);
  if (end.sat) value = video_clamp(value, bits, end.is_signed);
  const auto other = video_part(c, VideoPart::kWord, end.is_signed);
  switch (end.second) {
    case VideoSecond::kAdd:
      return static_cast<std::uint32_t>(value + other);
    case VideoSecond::kMin:
      return static_cast<std::uint32_t>(std::min(value, other));
    case VideoSecond::kMax:
      return static_cast<std::uint32_t>(std::max(value, other));
    case VideoSecond::kNone:
      break;
  }
  if (end.part == VideoPart::kWord) return static_cast<std::uint32_t>(value);
  const int place = bits * part_index(end.part);
  const std::uint32_t mask = ((std::uint32_t{1} << bits) - 1) << place;
  return (c & ~mask) | (static_cast<std::uint32_t>(value) << place & mask);
}

// vadd to vmax: pass the operands' parts (video_part).
[[nodiscard]] constexpr std::uint32_t video_scalar(VideoOperation operation, std::int64_t a, std::int64_t b,
                                                   std::uint32_t c, const VideoEnd& end) {
  return video_end(video_compute(operation, a, b), c, end);
}
[[nodiscard]] constexpr std::uint32_t video_set(Comparison comparison, std::int64_t a, std::int64_t b, std::uint32_t c,
                                                const VideoEnd& end) {
  return video_end(compare_integer(comparison, a, b) ? 1 : 0, c, end);
}

// vshl and vshr; the amount is an unsigned part.
[[nodiscard]] constexpr std::uint32_t video_shift(std::int64_t a, std::int64_t amount, bool left, ShiftMode mode,
                                                  std::uint32_t c, const VideoEnd& end) {
  const auto count = funnel_amount(static_cast<std::uint32_t>(amount), mode);
  if (!left) return video_end(a >> count, c, end);
  // 33 bits by up to 32 places: what does not fit 64 is beyond any limit, and its lower 32 bits are 0.
  const auto wide = static_cast<Wider<std::int64_t>>(a) * (Wider<std::int64_t>{1} << count);
  const auto limit = std::int64_t{1} << 62;
  if (wide >= limit) return video_end(end.sat || end.second != VideoSecond::kNone ? limit : 0, c, end);
  return video_end(static_cast<std::int64_t>(wide), c, end);
}

struct VideoMad {
  bool plus_one = false;  // .po
  bool negate_product = false;
  bool negate_addend = false;
  bool sat = false;
  int shift = 0;  // .shr7 and .shr15
};

// vmad: a and b are parts, and whether either was of a signed type.
[[nodiscard]] constexpr std::uint32_t video_mad(std::int64_t a, std::int64_t b, std::uint32_t c, bool either_signed,
                                                const VideoMad& how) {
  using Product = Wider<std::int64_t>;
  const bool is_signed = either_signed || how.negate_product || how.negate_addend;
  const Product addend = is_signed ? Product{static_cast<std::int32_t>(c)} : Product{c};
  const Product product = Product{a} * b;
  const Product sum =
      (how.negate_product ? -product : product) + (how.negate_addend ? -addend : addend) + (how.plus_one ? 1 : 0);
  const Product value = sum >> how.shift;
  if (!how.sat) return static_cast<std::uint32_t>(value);
  const Product limit = Product{1} << (is_signed ? 31 : 32);
  return static_cast<std::uint32_t>(std::clamp<Product>(value, is_signed ? -limit : 0, limit - 1));
}

}  // namespace ridge::number
