#include "emulator/number/convert.h"

#include <algorithm>
#include <optional>

#include "emulator/number/arithmetic.h"
#include "emulator/number/exact.h"

namespace ridge::number {
namespace {

bool is_f32(const Format& format) {
  return format.exponent_bits == 8 && format.mantissa_bits == 23;
}
bool is_f64(const Format& format) {
  return format.exponent_bits == 11;
}

constexpr std::uint64_t kSmallestNormalF32 = 0x3810000000000000;  // as an f64

// A magnitude as an integer, at most 2^65 (which saturates everywhere).
Wide rounded_magnitude(const Exact& value, Rounding rounding) {
  if (value.is_zero()) return 0;
  const int places = value.exponent + 128;  // of bits before the point
  if (places > 65) return Wide{1} << 65;
  Wide kept = 0;
  Wide fraction = 0;  // its highest bit is a half
  if (places > 0) {
    kept = value.significand >> (128 - places);
    fraction = value.significand << places;
  } else {
    fraction = shift_sticky(value.significand, -places);
  }
  constexpr Wide kHalf = Wide{1} << 127;
  const bool nearest = fraction > kHalf || (fraction == kHalf && (kept & 1) != 0);
  const bool away = rounding == (value.negative ? Rounding::kDown : Rounding::kUp);
  const bool tie_away = rounding == Rounding::kNearestAway && fraction >= kHalf;
  const bool up = (rounding == Rounding::kNearestEven && nearest) || (away && fraction != 0) || tie_away;
  return kept + (up ? 1 : 0);
}

std::uint64_t saturated(bool negative, Wide magnitude, const Integer& to) {
  if (!negative) return static_cast<std::uint64_t>(std::min<Wide>(magnitude, largest(to)));
  if (!to.is_signed) return 0;
  const Wide limit = Wide{largest(to)} + 1;
  return low_bits(~static_cast<std::uint64_t>(std::min(magnitude, limit)) + 1, to.bits);
}

Exact exact_of(const Integer& from, std::uint64_t value) {
  const bool negative = from.is_signed && as_signed(value, from.bits) < 0;
  const auto extended =
      from.is_signed ? static_cast<std::uint64_t>(as_signed(value, from.bits)) : low_bits(value, from.bits);
  return normalise({negative, 0, negative ? ~extended + 1 : extended});
}

// Quiet, with the sign and as much of the payload as there is room for.
std::uint64_t carried_nan(const Format& from, std::uint64_t value, const Format& to) {
  const auto payload = value & (from.min_normal() - 1);
  const int more = to.mantissa_bits - from.mantissa_bits;
  const auto sign = (value & from.sign_bit()) != 0 ? to.sign_bit() : 0;
  return sign | to.infinity() | to.min_normal() >> 1 | (more >= 0 ? payload << more : payload >> -more);
}

std::uint64_t nan_of(const Format& from, std::uint64_t value, const Format& to, bool ftz) {
  if (!to.has_nan) return to.max_finite();
  if (!is_f64(from) && !is_f64(to)) return to.nan;
  return carried_nan(from, ftz && is_f32(from) ? from.nan : value, to);
}

// Copies of bits, without arithmetic.
bool is_copied(const Format& from, const Format& to, const Conversion& how) {
  if (how.ftz || how.sat || how.relu || how.satfinite) return false;
  return from.exponent_bits == to.exponent_bits && to.mantissa_bits >= 23 && from.mantissa_bits != kTf32.mantissa_bits;
}

std::uint64_t infinity_of(const Format& to, bool negative, bool satfinite) {
  const auto sign = negative ? to.sign_bit() : 0;
  if (!satfinite && to.has_infinity) return sign | to.infinity();
  if (satfinite || !to.has_nan) return sign | to.max_finite();
  return to.nan;
}

std::uint64_t limited(const Format& to, std::uint64_t bits, const Conversion& how) {
  const bool beyond = (bits & to.magnitude_mask()) > to.max_finite();
  if (how.satfinite && beyond) bits = (bits & to.sign_bit()) | to.max_finite();
  return finish(to, bits, {how.rounding, how.ftz && is_f32(to), how.sat, how.relu});
}

// What needs no rounding: NaN and infinities, finished.
std::optional<std::uint64_t> special(const Format& from, std::uint64_t value, const Format& to, const Conversion& how) {
  const Mode after{how.rounding, false, how.sat, how.relu};
  if (is_nan(from, value)) return finish(to, nan_of(from, value, to, how.ftz), after);
  if (!is_infinite(from, value)) return std::nullopt;
  return finish(to, infinity_of(to, (value & from.sign_bit()) != 0, how.satfinite), after);
}

std::uint64_t flushed(const Format& from, std::uint64_t value, bool ftz) {
  return ftz && is_f32(from) ? flush(from, value) : value;
}

std::uint64_t f32_stochastic(std::uint32_t value, const Format& to, const Conversion& how, RandomBits random) {
  if (const auto known = special(kF32, value, to, how)) return *known;
  return limited(to, pack_stochastic(to, unpack(kF32, value), random), how);
}

// How far apart the halves of a pair stand: a byte for the formats of six bits.
int spacing(const Format& format) {
  return format.width() == 6 ? 8 : format.width();
}

}  // namespace

std::uint64_t integer_to_integer(std::uint64_t value, const Integer& from, const Integer& to, bool sat) {
  if (sat) {
    const auto exact = exact_of(from, value);
    return saturated(exact.negative, rounded_magnitude(exact, Rounding::kZero), to);
  }
  const auto extended =
      from.is_signed ? static_cast<std::uint64_t>(as_signed(value, from.bits)) : low_bits(value, from.bits);
  return low_bits(extended, to.bits);
}

std::uint64_t float_to_integer(const Format& from, std::uint64_t value, const Integer& to, Rounding rounding,
                               bool ftz) {
  value = flushed(from, value, ftz);
  if (is_nan(from, value)) return is_f64(from) || to.bits == 64 ? std::uint64_t{1} << (to.bits - 1) : 0;
  const bool negative = (value & from.sign_bit()) != 0;
  if (is_infinite(from, value)) return saturated(negative, Wide{1} << 65, to);
  return saturated(negative, rounded_magnitude(unpack(from, value), rounding), to);
}

std::uint64_t integer_to_float(const Integer& from, std::uint64_t value, const Format& to, Rounding rounding,
                               bool sat) {
  return finish(to, pack(to, exact_of(from, value), rounding), {rounding, false, sat, false});
}

std::uint64_t float_to_float(const Format& from, std::uint64_t value, const Format& to, const Conversion& how) {
  if (is_copied(from, to, how)) return value << (to.mantissa_bits - from.mantissa_bits);
  const bool to_half = to.exponent_bits == kF16.exponent_bits && to.mantissa_bits == kF16.mantissa_bits;
  value = flushed(from, value, how.ftz && !to_half);
  const bool tiny = (value & kF64.magnitude_mask()) < kSmallestNormalF32;
  if (how.ftz && is_f64(from) && tiny) value &= kF64.sign_bit();  // before it is rounded
  if (const auto known = special(from, value, to, how)) return *known;
  return limited(to, pack(to, unpack(from, value), how.rounding), how);
}

std::uint64_t round_to_integral(const Format& format, std::uint64_t value, Rounding rounding, bool ftz, bool sat) {
  const Mode after{rounding, ftz && is_f32(format), sat, false};
  value = flushed(format, value, ftz);
  if (is_nan(format, value)) return finish(format, quiet(format, value), after);
  const auto exact = unpack(format, value);
  if (is_infinite(format, value) || exact.exponent + 128 > format.mantissa_bits + 1)
    return finish(format, value, after);
  const auto integral = normalise({exact.negative, 0, rounded_magnitude(exact, rounding)});
  return finish(format, pack(format, integral, rounding), after);
}

std::uint32_t f32_to_tf32(std::uint32_t value, const Conversion& how) {
  constexpr std::uint32_t kBelow = 0x1fff;  // the places that go
  if (is_nan(kF32, value)) {
    if (how.rounding != Rounding::kNearestAway) return static_cast<std::uint32_t>(kF32.nan) & ~kBelow;
    // Cut off; .satfinite takes one place away from whatever is not finite.
    return (value & ~kBelow) - (how.satfinite ? kBelow + 1 : 0);
  }
  return static_cast<std::uint32_t>(float_to_float(kF32, value, kTf32, how) << 13);
}

std::uint32_t f32_to_pair(std::uint32_t a, std::uint32_t b, const Format& to, const Conversion& how) {
  const auto upper = float_to_float(kF32, a, to, how);
  return static_cast<std::uint32_t>(upper << spacing(to) | float_to_float(kF32, b, to, how));
}

std::uint32_t f16x2_to_pair(std::uint32_t both, const Format& to, const Conversion& how) {
  const auto upper = float_to_float(kF16, both >> 16, to, how);
  return static_cast<std::uint32_t>(upper << spacing(to) | float_to_float(kF16, both & 0xffff, to, how));
}

std::uint32_t pair_to_f16x2(std::uint32_t both, const Format& from, const Conversion& how) {
  const auto upper = low_bits(both >> spacing(from), from.width());
  const auto lower = low_bits(both, from.width());
  return static_cast<std::uint32_t>(float_to_float(from, upper, kF16, how) << 16 |
                                    float_to_float(from, lower, kF16, how));
}

std::uint32_t f32_to_pair_stochastic(std::uint32_t a, std::uint32_t b, const Format& to, const Conversion& how,
                                     std::uint32_t random) {
  const int count = std::min(23 - to.mantissa_bits, 16);
  const auto bits = [&](std::uint32_t half) { return static_cast<std::uint32_t>(low_bits(half, count)); };
  const auto upper = f32_stochastic(a, to, how, {bits(random >> 16), count});
  return static_cast<std::uint32_t>(upper << spacing(to) | f32_stochastic(b, to, how, {bits(random), count}));
}

std::uint32_t f32_to_four_stochastic(const Four& values, const Format& to, const Conversion& how,
                                     std::uint32_t random) {
  auto above = random >> 16;
  auto below = random & 0xffff;
  if (to.width() == 4) {  // the halves of rbits are interleaved by bytes
    const auto half = [&](int byte) { return (random >> (16 + byte) & 0xff) << 8 | (random >> byte & 0xff); };
    above = half(8);
    below = half(0);
  }
  const int place = spacing(to);
  const auto part = [&](std::uint32_t value, std::uint32_t bits, int position) {
    return static_cast<std::uint32_t>(f32_stochastic(value, to, how, {bits, 16}) << (position * place));
  };
  return part(values.a, above, 3) | part(values.b, above, 2) | part(values.e, below, 1) | part(values.f, below, 0);
}

std::uint8_t f32_to_ue8m0(std::uint32_t value, Rounding rounding, bool satfinite) {
  const auto magnitude = value & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0xff;
  auto code = magnitude >> 23;
  // Code 0 is 2^-127, whose significand is half a place below the smallest normal number's.
  const bool between = (magnitude & 0x7fffff) != 0 && magnitude > 0x400000 && magnitude < 0x7f800000;
  if (rounding == Rounding::kUp && between) ++code;
  if (satfinite && code == 0xff) code = 0xfe;
  return static_cast<std::uint8_t>(code);
}

std::uint8_t bf16_to_ue8m0(std::uint16_t value, Rounding rounding, bool satfinite) {
  return f32_to_ue8m0(static_cast<std::uint32_t>(value) << 16, rounding, satfinite);
}

std::uint16_t ue8m0_to_bf16(std::uint8_t value) {
  if (value == 0xff) return static_cast<std::uint16_t>(kBf16.nan);
  return value == 0 ? std::uint16_t{0x0040} : static_cast<std::uint16_t>(value << 7);
}

std::uint32_t pack_saturated(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Integer& to) {
  const auto upper = integer_to_integer(a, kS32, to, true);
  const auto pair = upper << to.bits | integer_to_integer(b, kS32, to, true);
  return static_cast<std::uint32_t>(to.bits == 16 ? pair : static_cast<std::uint64_t>(c) << (2 * to.bits) | pair);
}

std::uint32_t f32_of_f16(std::uint16_t a) {
  return static_cast<std::uint32_t>(float_to_float(kF16, a, kF32));
}

}  // namespace ridge::number
