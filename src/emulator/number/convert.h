// cvt: between integers, between floating-point formats, and across. Values are bits in the low end of a word; integers
// narrower than the word come back zero-extended to their width (as_signed extends the sign).
//
// NaN to integer is 0 where neither side has 64 bits and the source is not f64; else the code with only the highest bit
// set. A NaN between f64 and another format keeps its sign and the highest bits of its payload, and so does one of bf16
// to f32, or of f32 or f64 to itself; else the result is the format's own NaN. All of this as an H200 does it. Left
// out: which combination of modifiers exists (the opcode table's business).
#pragma once

#include <cstdint>

#include "emulator/number/softfloat.h"

namespace ridge::number {

struct Integer {
  int bits;
  bool is_signed;
};

inline constexpr Integer kU8{8, false}, kU16{16, false}, kU32{32, false}, kU64{64, false};
inline constexpr Integer kS8{8, true}, kS16{16, true}, kS32{32, true}, kS64{64, true};

[[nodiscard]] constexpr std::uint64_t low_bits(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

// The value of `bits` low bits read as two's complement.
[[nodiscard]] constexpr std::int64_t as_signed(std::uint64_t value, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

[[nodiscard]] constexpr std::uint64_t largest(const Integer& type) {
  return low_bits(~std::uint64_t{0}, type.is_signed ? type.bits - 1 : type.bits);
}
[[nodiscard]] constexpr std::int64_t smallest(const Integer& type) {
  return type.is_signed ? -static_cast<std::int64_t>(largest(type)) - 1 : 0;
}

// Truncates, or extends by the source's signedness; with `sat` clamps to the range of `to`.
[[nodiscard]] std::uint64_t integer_to_integer(std::uint64_t value, const Integer& from, const Integer& to, bool sat);

// .rni .rzi .rmi .rpi are kNearestEven, kZero, kDown, kUp. Always saturates. `ftz` flushes an f32 input.
[[nodiscard]] std::uint64_t float_to_integer(const Format& from, std::uint64_t value, const Integer& to,
                                             Rounding rounding, bool ftz = false);
[[nodiscard]] std::uint64_t integer_to_float(const Integer& from, std::uint64_t value, const Format& to,
                                             Rounding rounding, bool sat = false);

struct Conversion {
  Rounding rounding = Rounding::kNearestEven;
  bool ftz = false;  // of f32 inputs (but not those of f16) and results; other formats keep their subnormals
  bool sat = false;
  bool relu = false;
  bool satfinite = false;  // what is beyond the largest number becomes it, with its sign
};

// Any format to any other. A format without NaN takes its largest number for it.
[[nodiscard]] std::uint64_t float_to_float(const Format& from, std::uint64_t value, const Format& to,
                                           const Conversion& how = {});
// cvt.rni.f32.f32 and its like.
[[nodiscard]] std::uint64_t round_to_integral(const Format& format, std::uint64_t value, Rounding rounding,
                                              bool ftz = false, bool sat = false);
// An f32 whose lower 13 bits are 0.
[[nodiscard]] std::uint32_t f32_to_tf32(std::uint32_t value, const Conversion& how);

// ---- pairs: `a` in the upper half. f16x2, bf16x2, e4m3x2, e5m2x2, e2m1x2 (4 bits each), e2m3x2 and e3m2x2 (6 of 8
// bits).
[[nodiscard]] std::uint32_t f32_to_pair(std::uint32_t a, std::uint32_t b, const Format& to, const Conversion& how);
[[nodiscard]] std::uint32_t f16x2_to_pair(std::uint32_t both, const Format& to, const Conversion& how);
[[nodiscard]] std::uint32_t pair_to_f16x2(std::uint32_t both, const Format& from, const Conversion& how = {});

// ---- .rs: up with the probability of the part cut off; `random` is the operand rbits.
// f16x2 takes the 13 low bits of each half of rbits, bf16x2 all 16; the half above is of `a`.
[[nodiscard]] std::uint32_t f32_to_pair_stochastic(std::uint32_t a, std::uint32_t b, const Format& to,
                                                   const Conversion& how, std::uint32_t random);
// Four f32 {a, b, e, f} to the x4 types, `a` uppermost; a and b share their random bits, e and f theirs.
struct Four {
  std::uint32_t a, b, e, f;
};
[[nodiscard]] std::uint32_t f32_to_four_stochastic(const Four& values, const Format& to, const Conversion& how,
                                                   std::uint32_t random);

// ---- ue8m0: a power of two, 2^(code - 127), 0xff NaN. .rz takes the exponent, .rp the next power of |value|.
[[nodiscard]] std::uint8_t f32_to_ue8m0(std::uint32_t value, Rounding rounding, bool satfinite);
[[nodiscard]] std::uint8_t bf16_to_ue8m0(std::uint16_t value, Rounding rounding, bool satfinite);
[[nodiscard]] std::uint16_t ue8m0_to_bf16(std::uint8_t value);

// cvt.pack.sat of two s32 to 16 (c is not looked at), 8, 4 or 2 bits: {c's lower bits, a, b}.
[[nodiscard]] std::uint32_t pack_saturated(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Integer& to);

}  // namespace ridge::number
