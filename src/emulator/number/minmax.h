// min, max, comparisons, testp and copysign of floating-point numbers, on bits of any format.
#pragma once

#include <cstdint>

#include "emulator/number/softfloat.h"

namespace ridge::number {

enum class Extremum : std::uint8_t { kMin, kMax };

struct ExtremumMode {
  bool ftz = false;
  bool nan = false;          // .NaN: any NaN operand gives NaN; else a NaN operand is passed over
  bool xorsign_abs = false;  // of magnitudes, with the sign of the operands' signs' exclusive or
  bool abs = false;          // of magnitudes (three inputs)
};

// Orders finite numbers and infinities as integers: -0 below +0, as min and max see them.
[[nodiscard]] constexpr std::int64_t total_order(const Format& format, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(bits & format.magnitude_mask());
  return (bits & format.sign_bit()) != 0 ? -magnitude - 1 : magnitude;
}

[[nodiscard]] constexpr std::uint64_t extremum_plain(const Format& format, Extremum which, std::uint64_t a,
                                                     std::uint64_t b, bool nan) {
  const bool nan_a = is_nan(format, a);
  const bool nan_b = is_nan(format, b);
  if (nan_a || nan_b) {
    if (nan || (nan_a && nan_b)) return quiet(format, nan_a ? a : b);
    return nan_a ? b : a;
  }
  const bool a_below = total_order(format, a) < total_order(format, b);
  return a_below == (which == Extremum::kMin) ? a : b;
}

[[nodiscard]] constexpr std::uint64_t extremum(const Format& format, Extremum which, std::uint64_t a, std::uint64_t b,
                                               const ExtremumMode& mode = {}) {
  if (mode.ftz) {
    a = flush(format, a);
    b = flush(format, b);
  }
  const auto sign = mode.xorsign_abs ? (a ^ b) & format.sign_bit() : 0;
  if (mode.xorsign_abs || mode.abs) {
    a &= format.magnitude_mask();
    b &= format.magnitude_mask();
  }
  const auto result = extremum_plain(format, which, a, b, mode.nan);
  return is_nan(format, result) ? result : result | sign;
}

[[nodiscard]] constexpr std::uint64_t extremum(const Format& format, Extremum which, std::uint64_t a, std::uint64_t b,
                                               std::uint64_t c, const ExtremumMode& mode = {}) {
  return extremum(format, which, extremum(format, which, a, b, mode), c, mode);
}

// The comparisons of setp and set. The second half is true for unordered operands too.
enum class Comparison : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };

template <typename Ordered>
[[nodiscard]] constexpr bool compare_ordered(Comparison comparison, Ordered a, Ordered b) {
  switch (comparison) {
    case Comparison::kEq:
    case Comparison::kEqu:
      return a == b;
    case Comparison::kNe:
    case Comparison::kNeu:
      return a != b;
    case Comparison::kLt:
    case Comparison::kLtu:
      return a < b;
    case Comparison::kLe:
    case Comparison::kLeu:
      return a <= b;
    case Comparison::kGt:
    case Comparison::kGtu:
      return a > b;
    case Comparison::kGe:
    case Comparison::kGeu:
      return a >= b;
    case Comparison::kNum:
      return true;
    case Comparison::kNan:
      return false;
  }
  return false;
}

[[nodiscard]] constexpr bool compare_float(const Format& format, Comparison comparison, std::uint64_t a,
                                           std::uint64_t b, bool ftz = false) {
  if (is_nan(format, a) || is_nan(format, b)) return comparison >= Comparison::kEqu && comparison != Comparison::kNum;
  if (ftz) {
    a = flush(format, a);
    b = flush(format, b);
  }
  // The two zeros are equal here.
  const auto value = [&](std::uint64_t bits) { return is_zero(format, bits) ? 0 : total_order(format, bits); };
  return compare_ordered(comparison, value(a), value(b));
}

// setp.lt.s32 and the like take kEq to kGe; pass values of the right signedness (.lo .ls .hi .hs are the unsigned
// ones).
template <typename Integral>
[[nodiscard]] constexpr bool compare_integer(Comparison comparison, Integral a, Integral b) {
  return compare_ordered(comparison, a, b);
}

enum class Property : std::uint8_t { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };

[[nodiscard]] constexpr bool test_property(const Format& format, Property property, std::uint64_t bits) {
  const auto magnitude = bits & format.magnitude_mask();
  switch (property) {
    case Property::kFinite:
      return magnitude < format.infinity();
    case Property::kInfinite:
      return magnitude == format.infinity();
    case Property::kNumber:
      return magnitude <= format.infinity();
    case Property::kNotANumber:
      return magnitude > format.infinity();
    case Property::kNormal:
      return magnitude < format.infinity() && !is_subnormal(format, bits);  // the zeros are normal numbers here
    case Property::kSubnormal:
      return is_subnormal(format, bits);
  }
  return false;
}

// The sign of a on the magnitude of b, in PTX's order of operands.
[[nodiscard]] constexpr std::uint64_t copysign(const Format& format, std::uint64_t sign, std::uint64_t magnitude) {
  return (sign & format.sign_bit()) | (magnitude & format.magnitude_mask());
}

}  // namespace ridge::number
