// Bit fields, bytes and dot products: bfe, bfi, bfind, fns, brev, prmt, lop3, szext, bmsk, dp4a, dp2a, and the packed
// pairs of 16-bit integers. As integer.h: T is the instruction's type.
#pragma once

#include "emulator/number/integer.h"

namespace ridge::number {

// ---- fields. Of 32 bits, position and length count by their low 8 bits, as the ISA says; of 64 bits an H200 looks at
// all of them. What lies past the highest bit is the sign of signed types.

template <typename T>
[[nodiscard]] constexpr std::uint32_t field_place(std::uint32_t place) {
  return kBits<T> == 64 ? place : place & 0xff;
}

template <std::integral T>
[[nodiscard]] constexpr T bfe(T a, std::uint32_t position, std::uint32_t length) {
  const auto from = field_place<T>(position);
  const auto count = field_place<T>(length);
  if (count == 0) return 0;
  const auto shifted = shr(a, from);  // sign-filled where signed
  if (count >= static_cast<std::uint32_t>(kBits<T>)) return shifted;
  const auto unused = static_cast<std::uint32_t>(kBits<T>) - count;
  return shr(shl(shifted, unused), unused);
}

template <std::unsigned_integral T>
[[nodiscard]] constexpr T bfi(T field, T into, std::uint32_t position, std::uint32_t length) {
  const auto ones = static_cast<T>(~shl(static_cast<T>(~T{0}), field_place<T>(length)));
  const auto mask = shl(ones, field_place<T>(position));
  return static_cast<T>((into & ~mask) | (shl(field, field_place<T>(position)) & mask));
}

// The place of the highest bit that is not the sign, or how far to shift it up to the highest place; all ones if there
// is none.
template <std::integral T>
[[nodiscard]] constexpr std::uint32_t bfind(T a, bool shift_amount = false) {
  const auto bits = static_cast<Unsigned<T>>(a < 0 ? ~a : a);
  if (bits == 0) return 0xffffffff;
  const int zeros = std::countl_zero(bits);
  return static_cast<std::uint32_t>(shift_amount ? zeros : kBits<T> - 1 - zeros);
}

// The offset-th set bit of mask from base on, upwards or (negative offsets) downwards; offset 0 asks for base itself.
[[nodiscard]] constexpr std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  constexpr std::uint32_t kNone = 0xffffffff;
  if (base > 31) return kNone;
  const auto set = [&](int position) { return (mask >> position & 1) != 0; };
  auto position = static_cast<int>(base);
  if (offset == 0) return set(position) ? base : kNone;
  const int step = offset > 0 ? 1 : -1;
  for (auto left = std::int64_t{offset} * step; position >= 0 && position < 32; position += step) {
    if (set(position) && --left == 0) return static_cast<std::uint32_t>(position);
  }
  return kNone;
}

template <std::unsigned_integral T>
[[nodiscard]] constexpr T brev(T a) {
  T result = 0;
  for (int i = 0; i < kBits<T>; ++i, a = static_cast<T>(a >> 1)) result = static_cast<T>((result << 1) | (a & 1));
  return result;
}

[[nodiscard]] constexpr std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t result = 0;
  if ((table & 0x01) != 0) result |= ~a & ~b & ~c;
  if ((table & 0x02) != 0) result |= ~a & ~b & c;
  if ((table & 0x04) != 0) result |= ~a & b & ~c;
  if ((table & 0x08) != 0) result |= ~a & b & c;
  if ((table & 0x10) != 0) result |= a & ~b & ~c;
  if ((table & 0x20) != 0) result |= a & ~b & c;
  if ((table & 0x40) != 0) result |= a & b & ~c;
  if ((table & 0x80) != 0) result |= a & b & c;
  return result;
}

// Keeps the lowest `count` bits of a and extends the highest of them where T is signed.
template <std::integral T>
[[nodiscard]] constexpr T szext(T a, std::uint32_t count, ShiftMode mode) {
  if (mode == ShiftMode::kClamp && count >= 32) return a;
  const auto kept = count & 31;
  return kept == 0 ? T{0} : shr(shl(a, 32 - kept), 32 - kept);
}

// `count` ones from `position` on.
[[nodiscard]] constexpr std::uint32_t bmsk(std::uint32_t position, std::uint32_t count, ShiftMode mode) {
  const bool clamp = mode == ShiftMode::kClamp;
  if (clamp && position >= 32) return 0;
  const auto ones = clamp && count >= 32 ? 0xffffffff : (std::uint32_t{1} << (count & 31)) - 1;
  return ones << (position & 31);
}

template <std::unsigned_integral T>
[[nodiscard]] constexpr T cnot(T a) {
  return a == 0 ? T{1} : T{0};
}

// ---- bytes

enum class Permutation : std::uint8_t {
  kIndex,
  kForward4,
  kBackward4,
  kReplicate8,
  kEdgeLeft,
  kEdgeRight,
  kReplicate16
};

[[nodiscard]] constexpr std::uint32_t permuted_index(Permutation mode, std::uint32_t control, std::uint32_t byte) {
  const auto n = control & 3;
  switch (mode) {
    case Permutation::kIndex:
      return control >> (4 * byte) & 0xf;  // bit 3: the byte's sign, eight times
    case Permutation::kForward4:
      return n + byte;
    case Permutation::kBackward4:
      return (n - byte) & 7;
    case Permutation::kReplicate8:
      return n;
    case Permutation::kEdgeLeft:
      return std::max(n, byte);
    case Permutation::kEdgeRight:
      return std::min(n, byte);
    case Permutation::kReplicate16:
      return (n & 1) * 2 + (byte & 1);
  }
  return 0;
}

[[nodiscard]] constexpr std::uint32_t prmt(std::uint32_t a, std::uint32_t b, std::uint32_t control,
                                           Permutation mode = Permutation::kIndex) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto index = permuted_index(mode, control, i);
    auto value = static_cast<std::uint32_t>(bytes >> (8 * (index & 7)) & 0xff);
    if ((index & 8) != 0) value = (value & 0x80) != 0 ? 0xff : 0;
    result |= value << (8 * i);
  }
  return result;
}

// ---- dot products, which wrap

// `bits` (8 or 16) of a word from place `index` on, extended to 32 bits.
[[nodiscard]] constexpr std::uint32_t lane_of(std::uint32_t word, int index, int bits, bool is_signed) {
  const auto unused = static_cast<std::uint32_t>(32 - bits);
  const auto top = word << (32 - bits * (index + 1));
  return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> unused) : top >> unused;
}

[[nodiscard]] constexpr std::uint32_t dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed,
                                           bool b_signed) {
  for (int i = 0; i < 4; ++i) c += lane_of(a, i, 8, a_signed) * lane_of(b, i, 8, b_signed);
  return c;
}
// Two 16-bit lanes of a by the two lower or upper bytes of b.
[[nodiscard]] constexpr std::uint32_t dp2a(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool a_signed,
                                           bool b_signed, bool upper) {
  for (int i = 0; i < 2; ++i) c += lane_of(a, i, 16, a_signed) * lane_of(b, i + (upper ? 2 : 0), 8, b_signed);
  return c;
}

// ---- pairs of 16-bit integers

template <typename Function>
[[nodiscard]] constexpr std::uint32_t both_lanes(std::uint32_t a, std::uint32_t b, Function function) {
  const auto low = static_cast<std::uint16_t>(function(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)));
  const auto high =
      static_cast<std::uint16_t>(function(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16)));
  return static_cast<std::uint32_t>(high) << 16 | low;
}
[[nodiscard]] constexpr std::uint32_t add_16x2(std::uint32_t a, std::uint32_t b) {
  return both_lanes(a, b, [](std::uint16_t x, std::uint16_t y) { return x + y; });
}
// T is std::uint16_t or std::int16_t; relu is of the signed ones.
template <std::integral T>
[[nodiscard]] constexpr std::uint32_t min_16x2(std::uint32_t a, std::uint32_t b, bool relu = false) {
  return both_lanes(a, b, [relu](std::uint16_t x, std::uint16_t y) {
    const T less = std::min(static_cast<T>(x), static_cast<T>(y));
    return relu ? std::max(less, T{0}) : less;
  });
}
template <std::integral T>
[[nodiscard]] constexpr std::uint32_t max_16x2(std::uint32_t a, std::uint32_t b, bool relu = false) {
  return both_lanes(a, b, [relu](std::uint16_t x, std::uint16_t y) {
    const T greater = std::max(static_cast<T>(x), static_cast<T>(y));
    return relu ? std::max(greater, T{0}) : greater;
  });
}

}  // namespace ridge::number
