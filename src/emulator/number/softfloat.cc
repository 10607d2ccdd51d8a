#include "emulator/number/softfloat.h"

#include <initializer_list>
#include <optional>
#include <utility>

#include "emulator/number/exact.h"

namespace ridge::number {
namespace {

bool negative(const Format& format, std::uint64_t bits) {
  return (bits & format.sign_bit()) != 0;
}

std::uint64_t signed_value(const Format& format, std::uint64_t magnitude, bool minus) {
  return magnitude | (minus ? format.sign_bit() : 0);
}

std::optional<std::uint64_t> first_nan(const Format& format, std::initializer_list<std::uint64_t> operands) {
  for (const auto bits : operands) {
    if (is_nan(format, bits)) return quiet(format, bits);
  }
  return std::nullopt;
}

// The sum of two finite numbers, to more bits than any format holds.
Exact sum(Exact a, Exact b, Rounding rounding) {
  if (a.is_zero() && b.is_zero()) {
    const bool same = a.negative == b.negative;
    return {same ? a.negative : rounding == Rounding::kDown, 0, 0};
  }
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) std::swap(a, b);
  // One bit of room for the carry. Operands have at most 106 significant bits, so nothing is lost unless the exponents
  // differ by more than 20, and then a difference keeps its leading bits and the sticky one decides only ties.
  const Wide large = a.significand >> 1;
  const Wide small = shift_sticky(b.significand, a.exponent - b.exponent + 1);
  const Wide result = a.negative == b.negative ? large + small : large - small;
  if (result == 0) return {rounding == Rounding::kDown, 0, 0};
  return normalise({a.negative, a.exponent + 1, result});
}

// Exact: operands have at most 53 significant bits.
Exact product(const Exact& a, const Exact& b) {
  return normalise(
      {a.negative != b.negative, a.exponent + b.exponent + 128, (a.significand >> 64) * (b.significand >> 64)});
}

// At least 74 bits of the quotient, and whether there is a remainder.
Exact quotient(const Exact& a, const Exact& b) {
  const Wide divisor = b.significand >> 75;  // its 53 bits
  const Wide dividend = a.significand >> 1;  // below 2^127, at least 2^126
  const Wide result = dividend / divisor;
  const Wide sticky = dividend % divisor != 0 ? 1 : 0;
  return normalise({a.negative != b.negative, (a.exponent + 1) - (b.exponent + 75) - 1, (result << 1) | sticky});
}

// The integer root, bit by bit: 64 bits of it and whether anything remains.
Exact root(const Exact& a) {
  const bool odd = (a.exponent & 1) != 0;
  Wide rest = odd ? a.significand >> 1 : a.significand;  // the lowest bits are zero
  const int exponent = odd ? a.exponent + 1 : a.exponent;
  Wide result = 0;
  for (Wide bit = Wide{1} << 126; bit != 0; bit >>= 2) {
    const Wide trial = result + bit;
    result >>= 1;
    if (rest < trial) continue;
    rest -= trial;
    result += bit;
  }
  return normalise({false, exponent / 2 - 1, (result << 1) | (rest != 0 ? 1 : 0)});
}

std::uint64_t rounded(const Format& format, const Exact& value, const Mode& mode) {
  return finish(format, pack(format, value, mode.rounding), mode);
}

std::uint64_t add_flushed(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode) {
  if (const auto nan = first_nan(format, {a, b})) return finish(format, *nan, mode);
  const bool infinite_a = is_infinite(format, a);
  const bool infinite_b = is_infinite(format, b);
  if (infinite_a && infinite_b && a != b) return finish(format, format.nan, mode);
  if (infinite_a || infinite_b) return finish(format, infinite_a ? a : b, mode);
  return rounded(format, sum(unpack(format, a), unpack(format, b), mode.rounding), mode);
}

}  // namespace

std::uint64_t finish(const Format& format, std::uint64_t bits, const Mode& mode) {
  if (mode.ftz) bits = flush(format, bits);
  if (is_nan(format, bits)) return mode.sat ? 0 : bits;
  if ((mode.sat || mode.relu) && negative(format, bits)) return 0;
  if (mode.sat && bits > format.one()) return format.one();
  return bits;
}

std::uint64_t add(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode) {
  if (mode.ftz) return add_flushed(format, flush(format, a), flush(format, b), mode);
  return add_flushed(format, a, b, mode);
}

std::uint64_t sub(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode) {
  // The sign of a NaN is not turned: its payload comes out as it went in.
  return add(format, a, is_nan(format, b) ? b : b ^ format.sign_bit(), mode);
}

std::uint64_t mul(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode) {
  if (mode.ftz) {
    a = flush(format, a);
    b = flush(format, b);
  }
  if (const auto nan = first_nan(format, {a, b})) return finish(format, *nan, mode);
  const bool minus = negative(format, a) != negative(format, b);
  if (is_infinite(format, a) || is_infinite(format, b)) {
    const bool invalid = is_zero(format, a) || is_zero(format, b);
    return finish(format, invalid ? format.nan : signed_value(format, format.infinity(), minus), mode);
  }
  return rounded(format, product(unpack(format, a), unpack(format, b)), mode);
}

std::uint64_t fma(const Format& format, std::uint64_t a, std::uint64_t b, std::uint64_t c, const Mode& mode) {
  if (mode.ftz) {
    a = flush(format, a);
    b = flush(format, b);
    c = flush(format, c);
  }
  if (const auto nan = first_nan(format, {c, a, b})) return finish(format, *nan, mode);
  if (is_infinite(format, a) || is_infinite(format, b)) {
    if (is_zero(format, a) || is_zero(format, b)) return finish(format, format.nan, mode);
    const auto infinite = signed_value(format, format.infinity(), negative(format, a) != negative(format, b));
    const bool invalid = is_infinite(format, c) && c != infinite;
    return finish(format, invalid ? format.nan : infinite, mode);
  }
  if (is_infinite(format, c)) return finish(format, c, mode);
  const auto both = product(unpack(format, a), unpack(format, b));
  return rounded(format, sum(both, unpack(format, c), mode.rounding), mode);
}

std::uint64_t div(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode) {
  if (mode.ftz) {
    a = flush(format, a);
    b = flush(format, b);
  }
  if (const auto nan = first_nan(format, {a, b})) return finish(format, *nan, mode);
  const bool minus = negative(format, a) != negative(format, b);
  const bool infinite_a = is_infinite(format, a);
  const bool infinite_b = is_infinite(format, b);
  if ((infinite_a && infinite_b) || (is_zero(format, a) && is_zero(format, b))) return finish(format, format.nan, mode);
  if (infinite_a || is_zero(format, b)) return finish(format, signed_value(format, format.infinity(), minus), mode);
  if (infinite_b || is_zero(format, a)) return finish(format, signed_value(format, 0, minus), mode);
  return rounded(format, quotient(unpack(format, a), unpack(format, b)), mode);
}

std::uint64_t rcp(const Format& format, std::uint64_t a, const Mode& mode) {
  // The reciprocal of the smallest normal number, 2^(bias - 1), is exact.
  const auto largest = static_cast<std::uint64_t>(2 * format.bias() - 1) << format.mantissa_bits;
  const auto magnitude = a & format.magnitude_mask();
  if (mode.ftz && magnitude > largest && magnitude < format.infinity()) {
    return finish(format, signed_value(format, 0, negative(format, a)), mode);
  }
  return div(format, format.one(), a, mode);
}

std::uint64_t sqrt(const Format& format, std::uint64_t a, const Mode& mode) {
  if (mode.ftz) a = flush(format, a);
  if (const auto nan = first_nan(format, {a})) return finish(format, *nan, mode);
  if (is_zero(format, a)) return finish(format, a, mode);
  if (negative(format, a)) {
    return finish(format, format.keeps_payload ? format.nan | format.sign_bit() : format.nan, mode);
  }
  if (is_infinite(format, a)) return finish(format, a, mode);
  return rounded(format, root(unpack(format, a)), mode);
}

}  // namespace ridge::number
