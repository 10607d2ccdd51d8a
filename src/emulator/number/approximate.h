// The approximate functions of PTX, on bits. Values lie within the error that the ISA states (computed in double and
// rounded once, so closer to the truth than a GPU and not bit-identical with one); zeros, infinities, subnormals, NaN
// and what lies outside a function's domain give what the ISA's tables say. `ftz` flushes subnormal inputs and results.
#pragma once

#include <cstdint>

namespace ridge::number {

[[nodiscard]] std::uint32_t ex2_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t lg2_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t sin_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t cos_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t rcp_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t sqrt_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t rsqrt_approx_f32(std::uint32_t a, bool ftz);
[[nodiscard]] std::uint32_t tanh_approx_f32(std::uint32_t a);

// a * (1/b). For 2^126 < |b| < 2^128 the reciprocal is lost: 0, and NaN of an infinite a.
[[nodiscard]] std::uint32_t div_approx_f32(std::uint32_t a, std::uint32_t b, bool ftz);
// The whole range of b, to two units in the last place.
[[nodiscard]] std::uint32_t div_full_f32(std::uint32_t a, std::uint32_t b, bool ftz);

// Read the upper 32 bits of the operand and write those of the result; the lower ones are 0. NaN is 0x7fffffff00000000.
[[nodiscard]] std::uint64_t rcp_approx_ftz_f64(std::uint64_t a);
[[nodiscard]] std::uint64_t rsqrt_approx_ftz_f64(std::uint64_t a);
[[nodiscard]] std::uint64_t rsqrt_approx_f64(std::uint64_t a);

[[nodiscard]] std::uint16_t ex2_approx_f16(std::uint16_t a);
[[nodiscard]] std::uint16_t ex2_approx_ftz_bf16(std::uint16_t a);
[[nodiscard]] std::uint16_t tanh_approx_f16(std::uint16_t a);
[[nodiscard]] std::uint16_t tanh_approx_bf16(std::uint16_t a);

// A function of one half applied to both of a pair: ex2.approx.f16x2 and its like.
template <typename Function>
[[nodiscard]] constexpr std::uint32_t both_halves(std::uint32_t pair, Function function) {
  const std::uint32_t upper = function(static_cast<std::uint16_t>(pair >> 16));
  return upper << 16 | function(static_cast<std::uint16_t>(pair));
}

}  // namespace ridge::number
