#include "emulator/number/exact.h"

#include <algorithm>

namespace ridge::number {
namespace {

// A significand cut at the format's last place.
struct Cut {
  int biased_exponent = 1;  // 1 for subnormals too, whose leading one is missing
  std::uint64_t kept = 0;   // with the leading one
  Wide fraction = 0;        // the part cut off, its highest bit worth half a place
};

Cut cut(const Format& format, const Exact& value) {
  const int precision = format.mantissa_bits + 1;
  const int leading = value.exponent + 127;  // the exponent of the leading one
  const int smallest = 1 - format.bias();
  const int places = std::min(precision, precision - (smallest - leading));  // how many bits of it the format holds
  const Cut at{std::max(leading, smallest) + format.bias(), 0, 0};
  if (places < 0) return {at.biased_exponent, 0, shift_sticky(value.significand, -places)};
  if (places == 0) return {at.biased_exponent, 0, value.significand};
  return {at.biased_exponent, static_cast<std::uint64_t>(value.significand >> (128 - places)),
          value.significand << places};
}

bool rounds_up(const Cut& at, bool negative, Rounding rounding) {
  constexpr Wide kHalf = Wide{1} << 127;
  switch (rounding) {
    case Rounding::kNearestEven:
      return at.fraction > kHalf || (at.fraction == kHalf && (at.kept & 1) != 0);
    case Rounding::kNearestAway:
      return at.fraction >= kHalf;
    case Rounding::kDown:
      return negative && at.fraction != 0;
    case Rounding::kUp:
      return !negative && at.fraction != 0;
    case Rounding::kZero:
      return false;
  }
  return false;
}

std::uint64_t overflow(const Format& format, bool negative, Rounding rounding) {
  const bool nearest = rounding == Rounding::kNearestEven || rounding == Rounding::kNearestAway;
  const bool away = nearest || rounding == (negative ? Rounding::kDown : Rounding::kUp);
  if (!away) return format.max_finite();
  if (format.has_infinity) return format.infinity();
  return format.has_nan ? format.nan : format.max_finite();
}

std::uint64_t assemble(const Format& format, const Exact& value, const Cut& at, bool up, Rounding rounding) {
  // A carry out of the significand lands in the exponent, where it belongs; so does the leading one itself.
  const int large = (1 << format.exponent_bits);
  auto magnitude = format.magnitude_mask() + 1;
  if (at.biased_exponent <= large) {
    magnitude = (static_cast<std::uint64_t>(at.biased_exponent - 1) << format.mantissa_bits) + at.kept + (up ? 1 : 0);
  }
  if (magnitude > format.max_finite()) magnitude = overflow(format, value.negative, rounding);
  return magnitude | (value.negative ? format.sign_bit() : 0);
}

}  // namespace

Exact unpack(const Format& format, std::uint64_t bits) {
  const auto magnitude = bits & format.magnitude_mask();
  const auto field = static_cast<int>(magnitude >> format.mantissa_bits);
  const auto mantissa = magnitude & (format.min_normal() - 1);
  const Wide significand = field == 0 ? mantissa : mantissa | format.min_normal();
  return normalise(
      {(bits & format.sign_bit()) != 0, std::max(field, 1) - format.bias() - format.mantissa_bits, significand});
}

std::uint64_t pack(const Format& format, const Exact& value, Rounding rounding) {
  if (value.is_zero()) return value.negative ? format.sign_bit() : 0;
  const auto at = cut(format, value);
  return assemble(format, value, at, rounds_up(at, value.negative, rounding), rounding);
}

std::uint64_t pack_stochastic(const Format& format, const Exact& value, RandomBits random) {
  if (value.is_zero()) return value.negative ? format.sign_bit() : 0;
  const auto at = cut(format, value);
  const Wide addend = random.count == 0 ? 0 : Wide{random.bits} << (128 - random.count);
  const bool carries = at.fraction + addend < addend;
  return assemble(format, value, at, carries, Rounding::kNearestEven);
}

}  // namespace ridge::number
