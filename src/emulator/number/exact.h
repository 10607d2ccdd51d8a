// What stands between the bits of an operand and the bits of a result: a sign, an exponent and 128 bits of significand,
// of which the lowest also stands for everything that did not fit ("sticky"). Private to softfloat and convert.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/number/softfloat.h"

namespace ridge::number {

__extension__ using Wide = unsigned __int128;

struct Exact {
  bool negative = false;
  int exponent = 0;      // of the significand's lowest bit
  Wide significand = 0;  // 0 is zero; else normalised by normalise(): bit 127 is set

  [[nodiscard]] bool is_zero() const { return significand == 0; }
};

[[nodiscard]] inline int leading_zeros(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

[[nodiscard]] inline Exact normalise(Exact value) {
  if (value.is_zero()) return value;
  const int shift = leading_zeros(value.significand);
  value.significand <<= shift;
  value.exponent -= shift;
  return value;
}

// To the right; what falls out is remembered in the lowest bit.
[[nodiscard]] inline Wide shift_sticky(Wide value, int count) {
  if (count == 0) return value;
  if (count > 127) return value != 0 ? 1 : 0;
  const Wide kept = value >> count;
  return (kept << count) == value ? kept : kept | 1;
}

// A finite number's value, normalised.
[[nodiscard]] Exact unpack(const Format& format, std::uint64_t bits);

// Of random bits for stochastic rounding: `count` of them, compared with the highest bits of what is cut off.
struct RandomBits {
  std::uint32_t bits = 0;
  int count = 0;
};

// The nearest code as `rounding` says; beyond the largest number infinity, the largest number or, in a format that has
// no infinity, NaN (and where it has none either, the largest number). An exact zero keeps its sign.
[[nodiscard]] std::uint64_t pack(const Format& format, const Exact& value, Rounding rounding);

// The same with the last place decided by random bits: up if fraction + random carries.
[[nodiscard]] std::uint64_t pack_stochastic(const Format& format, const Exact& value, RandomBits random);

}  // namespace ridge::number
