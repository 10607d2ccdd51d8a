// Floating-point arithmetic on bits, exact and then rounded once, for every binary format PTX computes in and every
// rounding it names. This is the reference: slow, plain, without the host's floating-point unit.
//
// Results are those of the PTX ISA, and where it leaves them open, those of an H200: a NaN result of f32, f16 and bf16
// is the canonical one, f64 keeps the first NaN operand (of fma, the addend before the factors), made quiet, and
// invalid operations give kDefaultNanF64 (sqrt the same with its sign set). `ftz` replaces subnormal inputs and rounded
// subnormal results by zero of their sign. `sat` clamps to [+0, 1] and NaN to +0, `relu` clamps what is negative to +0.
//
// Left out: status flags (PTX has none), signalling NaN (PTX has none), `.oob`.
#pragma once

#include <cstdint>

namespace ridge::number {

// Ties go to the even or, of kNearestAway, to the larger magnitude.
enum class Rounding : std::uint8_t { kNearestEven, kZero, kDown, kUp, kNearestAway };

struct Format {
  int exponent_bits;
  int mantissa_bits;  // without the leading one
  bool has_infinity;  // and then all codes with the highest exponent are infinity or NaN
  bool has_nan;
  std::uint64_t nan;  // the NaN of results; meaningless where has_nan is false
  bool keeps_payload = false;

  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] constexpr int width() const { return 1 + exponent_bits + mantissa_bits; }
  [[nodiscard]] constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (width() - 1); }
  [[nodiscard]] constexpr std::uint64_t magnitude_mask() const { return sign_bit() - 1; }
  [[nodiscard]] constexpr std::uint64_t min_normal() const { return std::uint64_t{1} << mantissa_bits; }
  [[nodiscard]] constexpr std::uint64_t infinity() const { return magnitude_mask() & ~(min_normal() - 1); }
  [[nodiscard]] constexpr std::uint64_t one() const { return static_cast<std::uint64_t>(bias()) << mantissa_bits; }
  [[nodiscard]] constexpr std::uint64_t max_finite() const {
    if (has_infinity) return infinity() - 1;
    return has_nan ? magnitude_mask() - 1 : magnitude_mask();
  }
};

inline constexpr std::uint64_t kDefaultNanF64 = 0x7ff8000000000000;

inline constexpr Format kF64{11, 52, true, true, kDefaultNanF64, true};
inline constexpr Format kF32{8, 23, true, true, 0x7fffffff};
inline constexpr Format kF16{5, 10, true, true, 0x7fff};
inline constexpr Format kBf16{8, 7, true, true, 0x7fff};
inline constexpr Format kTf32{8, 10, true, true, 0x3ffff};  // 19 bits: the upper ones of an f32
inline constexpr Format kE4m3{4, 3, false, true, 0x7f};
inline constexpr Format kE5m2{5, 2, true, true, 0x7f};
inline constexpr Format kE2m1{2, 1, false, false, 0};
inline constexpr Format kE2m3{2, 3, false, false, 0};
inline constexpr Format kE3m2{3, 2, false, false, 0};

struct Mode {
  Rounding rounding = Rounding::kNearestEven;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
};

[[nodiscard]] constexpr bool is_nan(const Format& format, std::uint64_t bits) {
  const auto magnitude = bits & format.magnitude_mask();
  if (!format.has_nan) return false;
  return format.has_infinity ? magnitude > format.infinity() : magnitude == format.magnitude_mask();
}

[[nodiscard]] constexpr bool is_infinite(const Format& format, std::uint64_t bits) {
  return format.has_infinity && (bits & format.magnitude_mask()) == format.infinity();
}

[[nodiscard]] constexpr bool is_zero(const Format& format, std::uint64_t bits) {
  return (bits & format.magnitude_mask()) == 0;
}

[[nodiscard]] constexpr bool is_subnormal(const Format& format, std::uint64_t bits) {
  const auto magnitude = bits & format.magnitude_mask();
  return magnitude != 0 && magnitude < format.min_normal();
}

// Zero of the same sign for a subnormal, everything else as it is.
[[nodiscard]] constexpr std::uint64_t flush(const Format& format, std::uint64_t bits) {
  return is_subnormal(format, bits) ? bits & format.sign_bit() : bits;
}

// The NaN payload that f64 keeps, made quiet; the format's own NaN elsewhere.
[[nodiscard]] constexpr std::uint64_t quiet(const Format& format, std::uint64_t nan) {
  return format.keeps_payload ? nan | (std::uint64_t{1} << (format.mantissa_bits - 1)) : format.nan;
}

// .ftz, .sat and .relu of a rounded result, in this order.
[[nodiscard]] std::uint64_t finish(const Format& format, std::uint64_t bits, const Mode& mode);

[[nodiscard]] std::uint64_t add(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode = {});
[[nodiscard]] std::uint64_t sub(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode = {});
[[nodiscard]] std::uint64_t mul(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode = {});
[[nodiscard]] std::uint64_t fma(const Format& format, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                const Mode& mode = {});
[[nodiscard]] std::uint64_t div(const Format& format, std::uint64_t a, std::uint64_t b, const Mode& mode = {});
[[nodiscard]] std::uint64_t sqrt(const Format& format, std::uint64_t a, const Mode& mode = {});
// With .ftz what is tiny before it is rounded becomes zero (of div, what is tiny after).
[[nodiscard]] std::uint64_t rcp(const Format& format, std::uint64_t a, const Mode& mode = {});

// neg and abs change the sign alone, and not that of a NaN.
[[nodiscard]] constexpr std::uint64_t neg(const Format& format, std::uint64_t a, bool ftz = false) {
  if (is_nan(format, a)) return quiet(format, a);
  return (ftz ? flush(format, a) : a) ^ format.sign_bit();
}
[[nodiscard]] constexpr std::uint64_t abs(const Format& format, std::uint64_t a, bool ftz = false) {
  if (is_nan(format, a)) return quiet(format, a);
  return (ftz ? flush(format, a) : a) & format.magnitude_mask();
}

}  // namespace ridge::number
