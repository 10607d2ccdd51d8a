#include "emulator/number/approximate.h"

#include <bit>
#include <cmath>

#include "emulator/number/convert.h"

namespace ridge::number {
namespace {

double double_of(const Format& format, std::uint64_t bits) {
  return std::bit_cast<double>(float_to_float(format, bits, kF64));
}

// Rounded once to the format; a NaN becomes the format's. ftz is applied whatever the format: bf16 has it here.
std::uint64_t bits_of(const Format& format, double value, bool ftz) {
  if (std::isnan(value)) return format.nan;
  const auto bits = float_to_float(kF64, std::bit_cast<std::uint64_t>(value), format);
  return ftz ? flush(format, bits) : bits;
}

// The functions of <cmath> have the ISA's values at zeros, infinities and NaN, and outside their domains.
template <typename Function>
std::uint64_t applied(const Format& format, std::uint64_t a, bool ftz, Function function) {
  const double input = double_of(format, ftz ? flush(format, a) : a);
  return bits_of(format, function(input), ftz);
}

template <typename Function>
std::uint32_t applied_f32(std::uint32_t a, bool ftz, Function function) {
  return static_cast<std::uint32_t>(applied(kF32, a, ftz, function));
}

template <typename Function>
std::uint16_t applied_16(const Format& format, std::uint16_t a, bool ftz, Function function) {
  return static_cast<std::uint16_t>(applied(format, a, ftz, function));
}

double reciprocal(double a) {
  return 1.0 / a;
}
double reciprocal_root(double a) {
  return 1.0 / std::sqrt(a);
}

constexpr std::uint64_t kUpperHalf = 0xffffffff00000000;

// Computes with the upper 32 bits and rounds to them: the places below come back 0.
template <typename Function>
std::uint64_t upper_half(std::uint64_t a, Function function) {
  const auto input = flush(kF64, a & kUpperHalf);  // a NaN may have its payload below, and is infinity here
  if (is_nan(kF64, input)) return 0x7fffffff00000000;
  const auto result = std::bit_cast<std::uint64_t>(function(std::bit_cast<double>(input)));
  if (is_nan(kF64, result)) return 0x7fffffff00000000;
  if (is_infinite(kF64, result)) return result;
  return flush(kF64, (result + 0x80000000) & kUpperHalf);
}

}  // namespace

std::uint32_t ex2_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, [](double x) { return std::exp2(x); });
}
std::uint32_t lg2_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, [](double x) { return std::log2(x); });
}
std::uint32_t sin_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, [](double x) { return std::sin(x); });
}
std::uint32_t cos_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, [](double x) { return std::cos(x); });
}
std::uint32_t rcp_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, reciprocal);
}
std::uint32_t sqrt_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, [](double x) { return std::sqrt(x); });
}
std::uint32_t rsqrt_approx_f32(std::uint32_t a, bool ftz) {
  return applied_f32(a, ftz, reciprocal_root);
}
std::uint32_t tanh_approx_f32(std::uint32_t a) {
  return applied_f32(a, false, [](double x) { return std::tanh(x); });
}

std::uint32_t div_full_f32(std::uint32_t a, std::uint32_t b, bool ftz) {
  return static_cast<std::uint32_t>(div(kF32, a, b, {Rounding::kNearestEven, ftz, false, false}));
}

std::uint32_t div_approx_f32(std::uint32_t a, std::uint32_t b, bool ftz) {
  constexpr std::uint32_t kLargestReciprocal = 0x7e800000;  // 2^126
  const auto magnitude = b & 0x7fffffff;
  const bool lost = magnitude > kLargestReciprocal && magnitude < 0x7f800000;
  if (!lost) return div_full_f32(a, b, ftz);
  const auto zero = b & 0x80000000;
  return static_cast<std::uint32_t>(mul(kF32, a, zero, {Rounding::kNearestEven, ftz, false, false}));
}

std::uint64_t rcp_approx_ftz_f64(std::uint64_t a) {
  return upper_half(a, reciprocal);
}
std::uint64_t rsqrt_approx_ftz_f64(std::uint64_t a) {
  return upper_half(a, reciprocal_root);
}
std::uint64_t rsqrt_approx_f64(std::uint64_t a) {
  const bool below_zero = a > kF64.sign_bit() && a <= (kF64.sign_bit() | kF64.infinity());
  if (below_zero) return kDefaultNanF64 | kF64.sign_bit();
  return is_nan(kF64, a) ? quiet(kF64, a) : applied(kF64, a, false, reciprocal_root);
}

std::uint16_t ex2_approx_f16(std::uint16_t a) {
  return applied_16(kF16, a, false, [](double x) { return std::exp2(x); });
}
std::uint16_t ex2_approx_ftz_bf16(std::uint16_t a) {
  return applied_16(kBf16, a, true, [](double x) { return std::exp2(x); });
}
std::uint16_t tanh_approx_f16(std::uint16_t a) {
  return applied_16(kF16, a, false, [](double x) { return std::tanh(x); });
}
std::uint16_t tanh_approx_bf16(std::uint16_t a) {
  return applied_16(kBf16, a, false, [](double x) { return std::tanh(x); });
}

}  // namespace ridge::number
