// add, sub, mul, fma, div, rcp and sqrt of PTX by type: softfloat under the names and widths that instructions have.
// f32x2, f16x2 and bf16x2 are two of these, which the caller takes apart.
#pragma once

#include <cstdint>

#include "emulator/number/softfloat.h"

namespace ridge::number {

[[nodiscard]] constexpr Mode mode_of(Rounding rounding, bool ftz, bool sat) {
  return {rounding, ftz, sat, false};
}

#define RIDGE_NUMBER_TYPE(suffix, Bits, kFormat)                                                                       \
  [[nodiscard]] inline Bits add_##suffix(Bits a, Bits b, Rounding rounding = Rounding::kNearestEven, bool ftz = false, \
                                         bool sat = false) {                                                           \
    return static_cast<Bits>(add(kFormat, a, b, mode_of(rounding, ftz, sat)));                                         \
  }                                                                                                                    \
  [[nodiscard]] inline Bits sub_##suffix(Bits a, Bits b, Rounding rounding = Rounding::kNearestEven, bool ftz = false, \
                                         bool sat = false) {                                                           \
    return static_cast<Bits>(sub(kFormat, a, b, mode_of(rounding, ftz, sat)));                                         \
  }                                                                                                                    \
  [[nodiscard]] inline Bits mul_##suffix(Bits a, Bits b, Rounding rounding = Rounding::kNearestEven, bool ftz = false, \
                                         bool sat = false) {                                                           \
    return static_cast<Bits>(mul(kFormat, a, b, mode_of(rounding, ftz, sat)));                                         \
  }                                                                                                                    \
  [[nodiscard]] inline Bits fma_##suffix(Bits a, Bits b, Bits c, Rounding rounding = Rounding::kNearestEven,           \
                                         bool ftz = false, bool sat = false) {                                         \
    return static_cast<Bits>(fma(kFormat, a, b, c, mode_of(rounding, ftz, sat)));                                      \
  }

RIDGE_NUMBER_TYPE(f64, std::uint64_t, kF64)
RIDGE_NUMBER_TYPE(f32, std::uint32_t, kF32)
RIDGE_NUMBER_TYPE(f16, std::uint16_t, kF16)
RIDGE_NUMBER_TYPE(bf16, std::uint16_t, kBf16)
#undef RIDGE_NUMBER_TYPE

// fma.rn{.ftz}.relu of f16 and bf16.
[[nodiscard]] inline std::uint16_t fma_relu_f16(std::uint16_t a, std::uint16_t b, std::uint16_t c, bool ftz = false) {
  return static_cast<std::uint16_t>(fma(kF16, a, b, c, {Rounding::kNearestEven, ftz, false, true}));
}
[[nodiscard]] inline std::uint16_t fma_relu_bf16(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return static_cast<std::uint16_t>(fma(kBf16, a, b, c, {Rounding::kNearestEven, false, false, true}));
}

[[nodiscard]] inline std::uint32_t div_f32(std::uint32_t a, std::uint32_t b, Rounding rounding, bool ftz = false) {
  return static_cast<std::uint32_t>(div(kF32, a, b, mode_of(rounding, ftz, false)));
}
[[nodiscard]] inline std::uint64_t div_f64(std::uint64_t a, std::uint64_t b, Rounding rounding) {
  return div(kF64, a, b, mode_of(rounding, false, false));
}
[[nodiscard]] inline std::uint32_t rcp_f32(std::uint32_t a, Rounding rounding, bool ftz = false) {
  return static_cast<std::uint32_t>(rcp(kF32, a, mode_of(rounding, ftz, false)));
}
[[nodiscard]] inline std::uint64_t rcp_f64(std::uint64_t a, Rounding rounding) {
  return rcp(kF64, a, mode_of(rounding, false, false));
}
[[nodiscard]] inline std::uint32_t sqrt_f32(std::uint32_t a, Rounding rounding, bool ftz = false) {
  return static_cast<std::uint32_t>(sqrt(kF32, a, mode_of(rounding, ftz, false)));
}
[[nodiscard]] inline std::uint64_t sqrt_f64(std::uint64_t a, Rounding rounding) {
  return sqrt(kF64, a, mode_of(rounding, false, false));
}

// Every f16 and bf16 is an f32.
[[nodiscard]] std::uint32_t f32_of_f16(std::uint16_t a);
[[nodiscard]] constexpr std::uint32_t f32_of_bf16(std::uint16_t a) {
  return is_nan(kBf16, a) ? static_cast<std::uint32_t>(kF32.nan) : static_cast<std::uint32_t>(a) << 16;
}

// add, sub and fma .f32.f16 and .f32.bf16: the narrow operands (a, and b of fma) become f32 first, which is exact. Pass
// f32_of_f16 or f32_of_bf16 of them to add_f32, sub_f32 and fma_f32.

}  // namespace ridge::number
