// 16-bit floating point on the host's own floats, for loops over lanes: round to nearest even, no .ftz, .sat or .relu.
// Short, inline, without tables, each result that of softfloat (a test holds them together). They need the host's
// default mode: round to nearest, subnormals as they are.
//
// Why double is wide enough: sums and products of f16, and products of bf16, are exact in it. An f16 fma that is not
// has its addend or its product more than 53 binary places above the other, and so is either that addend or an
// overflow. A bf16 fma has no such luck and is rounded to odd first.
#pragma once

#include <bit>
#include <cstdint>

namespace ridge::number {

[[nodiscard]] constexpr float float_of_f16(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t magnitude = half & 0x7fffU;
  if (magnitude > 0x7c00) return std::bit_cast<float>(0x7fffffffU);
  if (magnitude == 0x7c00) return std::bit_cast<float>(sign | 0x7f800000);
  const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24F);
  const auto normal = (magnitude << 13) + (112U << 23);
  return std::bit_cast<float>(sign | (magnitude < 0x400 ? subnormal : normal));
}

[[nodiscard]] constexpr float float_of_bf16(std::uint16_t brain) {
  const bool nan = (brain & 0x7fffU) > 0x7f80;
  return std::bit_cast<float>(nan ? 0x7fffffffU : static_cast<std::uint32_t>(brain) << 16);
}

[[nodiscard]] constexpr std::uint16_t f16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);  // from 65520 on
  // Beside 1/2, a float's last place is that of f16's subnormals: the addition rounds.
  const auto subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000;
  const auto normal = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112U << 10);
  return static_cast<std::uint16_t>(sign | (magnitude < 0x38800000 ? subnormal : normal));
}

[[nodiscard]] constexpr std::uint16_t bf16_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Rounded once: not through float.
[[nodiscard]] constexpr std::uint16_t f16_of_double(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 48 & 0x8000;
  const std::uint64_t magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000) return 0x7fff;
  const double positive = std::bit_cast<double>(magnitude);
  if (positive >= 65520.0) return static_cast<std::uint16_t>(sign | 0x7c00);
  const auto subnormal = std::bit_cast<std::uint64_t>(positive + 0x1p28) - std::bit_cast<std::uint64_t>(0x1p28);
  const auto normal = ((magnitude + ((std::uint64_t{1} << 41) - 1) + (magnitude >> 42 & 1)) >> 42) - (1008U << 10);
  return static_cast<std::uint16_t>(sign | (positive < 0x1p-14 ? subnormal : normal));
}

[[nodiscard]] constexpr std::uint16_t bf16_of_double(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 48 & 0x8000;
  const std::uint64_t magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000) return 0x7fff;
  const double positive = std::bit_cast<double>(magnitude);
  if (positive >= 0x1.ffp127) return static_cast<std::uint16_t>(sign | 0x7f80);
  const auto subnormal = std::bit_cast<std::uint64_t>(positive + 0x1p-81) - std::bit_cast<std::uint64_t>(0x1p-81);
  const auto normal = ((magnitude + ((std::uint64_t{1} << 44) - 1) + (magnitude >> 45 & 1)) >> 45) - (896U << 7);
  return static_cast<std::uint16_t>(sign | (positive < 0x1p-126 ? subnormal : normal));
}

// a + b, and where that is not exact, the neighbour with an odd last bit: rounding it again to less than 52 bits gives
// what rounding the exact sum would. The second half of the sum is Knuth's.
[[nodiscard]] constexpr double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  const double error = (a - (sum - of_b)) + (b - of_b);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const bool inexact = error < 0 || error > 0;  // neither of NaN
  if (!inexact || (bits & 1) != 0) return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

[[nodiscard]] constexpr std::uint16_t add_f16_nearest(std::uint16_t a, std::uint16_t b) {
  return f16_of_double(double{float_of_f16(a)} + double{float_of_f16(b)});
}
[[nodiscard]] constexpr std::uint16_t mul_f16_nearest(std::uint16_t a, std::uint16_t b) {
  return f16_of_double(double{float_of_f16(a)} * double{float_of_f16(b)});
}
[[nodiscard]] constexpr std::uint16_t fma_f16_nearest(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return f16_of_double(double{float_of_f16(a)} * double{float_of_f16(b)} + double{float_of_f16(c)});
}
[[nodiscard]] constexpr std::uint16_t add_bf16_nearest(std::uint16_t a, std::uint16_t b) {
  return bf16_of_double(sum_to_odd(double{float_of_bf16(a)}, double{float_of_bf16(b)}));
}
[[nodiscard]] constexpr std::uint16_t mul_bf16_nearest(std::uint16_t a, std::uint16_t b) {
  return bf16_of_double(double{float_of_bf16(a)} * double{float_of_bf16(b)});
}
[[nodiscard]] constexpr std::uint16_t fma_bf16_nearest(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return bf16_of_double(sum_to_odd(double{float_of_bf16(a)} * double{float_of_bf16(b)}, double{float_of_bf16(c)}));
}

}  // namespace ridge::number
