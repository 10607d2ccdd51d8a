#include "emulator/number/softfloat.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "emulator/number/arithmetic.h"
#include "emulator/number/convert.h"
#include "emulator/number/host.h"

namespace ridge::number {
namespace {

using testing::directed;
using testing::kHostRoundings;
using testing::Patterns;
using testing::with_rounding;

// A host result with PTX's NaN; of f64 the tests compare only that it is one.
std::uint64_t host_bits(float value) {
  return std::isnan(value) ? kF32.nan : std::uint64_t{std::bit_cast<std::uint32_t>(value)};
}
std::uint64_t host_bits(double value) {
  return std::isnan(value) ? kF64.nan : std::bit_cast<std::uint64_t>(value);
}

std::uint64_t comparable(const Format& format, std::uint64_t bits) {
  return is_nan(format, bits) ? format.nan : bits;
}

template <typename Float>
struct Host;
template <>
struct Host<float> {
  static constexpr Format kFormat = kF32;
  static float value(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
};
template <>
struct Host<double> {
  static constexpr Format kFormat = kF64;
  static double value(std::uint64_t bits) { return std::bit_cast<double>(bits); }
};

template <typename Float>
void expect_all_operations(std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding) {
  constexpr Format kFormat = Host<Float>::kFormat;
  volatile Float x = Host<Float>::value(a);
  volatile Float y = Host<Float>::value(b);
  volatile Float z = Host<Float>::value(c);
  const Mode mode{rounding};
  const auto expect = [&](const char* name, std::uint64_t ours, auto host) {
    const auto theirs = host_bits(with_rounding(rounding, host));
    EXPECT_EQ(comparable(kFormat, ours), theirs)
        << name << std::hex << " of " << a << " " << b << " " << c << " rounding " << static_cast<int>(rounding);
  };
  expect("add", add(kFormat, a, b, mode), [&] { return Float{x + y}; });
  expect("sub", sub(kFormat, a, b, mode), [&] { return Float{x - y}; });
  expect("mul", mul(kFormat, a, b, mode), [&] { return Float{x * y}; });
  expect("div", div(kFormat, a, b, mode), [&] { return Float{x / y}; });
  expect("sqrt", sqrt(kFormat, a, mode), [&] { return Float{std::sqrt(x)}; });
  expect("fma", fma(kFormat, a, b, c, mode), [&] { return Float{std::fma(x, y, z)}; });
}

template <typename Float>
void sweep(int random_cases) {
  constexpr Format kFormat = Host<Float>::kFormat;
  const auto edges = directed(kFormat);
  for (const auto rounding : kHostRoundings) {
    std::size_t third = 0;
    for (const auto a : edges) {
      for (const auto b : edges) expect_all_operations<Float>(a, b, edges[third++ % edges.size()], rounding);
    }
    Patterns patterns(kFormat);
    for (int i = 0; i < random_cases; ++i) {
      const auto a = patterns.any();
      const auto b = patterns.near(kFormat.one());
      const auto c = patterns.near(i % 2 == 0 ? mul(kFormat, a, b) : a);
      expect_all_operations<Float>(a, b, c, rounding);
      expect_all_operations<Float>(a, patterns.near(a), c, rounding);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SoftfloatTest, AgreesWithTheHostInSinglePrecisionUnderEveryRounding) {
  sweep<float>(40000);
}
TEST(SoftfloatTest, AgreesWithTheHostInDoublePrecisionUnderEveryRounding) {
  sweep<double>(40000);
}

// 2^105 is half a place of 2^158; the product lies above it by something between 1 and 2^28, over a hundred places
// lower.
TEST(SoftfloatTest, FmaSeesWhatLiesFarBelowATie) {
  const std::uint64_t x = 47453132;  // below the square root of 2^51
  const auto a = std::bit_cast<std::uint64_t>(0x1p52 + static_cast<double>(x));
  const auto b = std::bit_cast<std::uint64_t>(0x1p53 - static_cast<double>(2 * x - 1));
  const auto tie = std::bit_cast<std::uint64_t>(0x1p158);
  const auto excess = (std::uint64_t{1} << 52) - 2 * x * x + x;  // of the product over 2^105
  ASSERT_LT(excess - 1, std::uint64_t{1} << 28);
  EXPECT_EQ(fma(kF64, a, b, tie), tie + 1);
  for (const auto rounding : kHostRoundings) expect_all_operations<double>(a, b, tie, rounding);
}

// Exponents of all of f16's products and sums lie within 80 bits, so integers compute them without any of softfloat's
// steps.
__extension__ using Integer128 = __int128;

// In units of 2^-48: any product of two f16.
Integer128 f16_units(std::uint16_t bits, int unit_exponent) {
  const int field = bits >> 10 & 31;
  const Integer128 significand = field == 0 ? bits & 1023 : (bits & 1023) | 1024;
  const int exponent = (field == 0 ? 1 : field) - 25;
  const Integer128 value = significand << (exponent - unit_exponent);
  return (bits & 0x8000) != 0 ? -value : value;
}

bool is_finite_f16(std::uint64_t bits) {
  return (bits & 0x7c00) != 0x7c00;
}

// The f16 nearest to value * 2^-48, by looking for it among all of them: ties to the even code.
std::uint16_t nearest_f16(Integer128 value) {
  const bool negative = value < 0;
  const Integer128 magnitude = negative ? -value : value;
  const Integer128 beyond = f16_units(0x7bff, -48) + (Integer128{1} << (48 + 4));  // half a place above the largest
  if (magnitude >= beyond) return static_cast<std::uint16_t>(negative ? 0xfc00 : 0x7c00);
  std::uint16_t low = 0;
  std::uint16_t high = 0x7c00;  // as a number, 65536
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (f16_units(middle, -48) <= magnitude ? low : high) = middle;
  }
  const Integer128 below = magnitude - f16_units(low, -48);
  const Integer128 above = (high == 0x7c00 ? Integer128{1} << 64 : f16_units(high, -48)) - magnitude;
  const auto code = below < above || (below == above && low % 2 == 0) ? low : high;
  return static_cast<std::uint16_t>(code | (negative ? 0x8000 : 0));
}

// Codes whose exponents random bits would seldom bring together, without infinity and NaN.
std::uint16_t finite_f16(std::uint64_t bits) {
  return static_cast<std::uint16_t>(is_finite_f16(bits) ? bits : bits & 0xbfff);
}

TEST(SoftfloatTest, HalfPrecisionIsRoundedOnceFromTheExactResult) {
  Patterns patterns(kF16);
  for (int i = 0; i < 100000; ++i) {
    const auto a = finite_f16(patterns.any());
    const auto b = finite_f16(patterns.near(kF16.one()));
    const auto c = finite_f16(patterns.near(a));
    const auto product = f16_units(a, -24) * f16_units(b, -24);
    const auto fused = product + f16_units(c, -48);
    const auto sum = f16_units(a, -48) + f16_units(c, -48);
    // Zeros have signs, which these integers lack.
    if (fused != 0) {
      ASSERT_EQ(fma_f16(a, b, c), nearest_f16(fused)) << std::hex << a << " " << b << " " << c;
    }
    if (product != 0) {
      ASSERT_EQ(mul_f16(a, b), nearest_f16(product)) << std::hex << a << " " << b;
    }
    if (sum != 0) {
      ASSERT_EQ(add_f16(a, c), nearest_f16(sum)) << std::hex << a << " " << c;
    }
  }
}

double double_of(const Format& format, std::uint64_t bits) {
  return std::bit_cast<double>(float_to_float(format, bits, kF64));
}

// a * b + c as a double rounded to odd: cut off, and its last bit set if anything was. Of that, rounding to far fewer
// bits gives what rounding the exact value would.
std::uint64_t fused_to_odd(double a, double b, double c) {
  volatile double x = a;
  volatile double y = b;
  volatile double z = c;
  std::feclearexcept(FE_ALL_EXCEPT);
  const double cut = with_rounding(Rounding::kZero, [&] { return double{std::fma(x, y, z)}; });
  const bool inexact = std::fetestexcept(FE_INEXACT) != 0;
  return std::bit_cast<std::uint64_t>(cut) | (inexact ? 1 : 0);
}

void expect_fma_of_odd(const Format& format, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const auto odd = fused_to_odd(double_of(format, a), double_of(format, b), double_of(format, c));
  if (is_zero(kF64, odd)) return;  // the sign of a cancelled sum is another under this rounding
  const auto expected = comparable(format, float_to_float(kF64, odd, format));
  ASSERT_EQ(fma(format, a, b, c), expected) << std::hex << a << " " << b << " " << c;
}

TEST(SoftfloatTest, SixteenBitFmaAgreesWithADoubleRoundedToOdd) {
  for (const auto& format : {kF16, kBf16}) {
    const auto edges = directed(format);
    for (const auto a : edges) {
      for (const auto b : edges) {
        for (const auto c : edges) expect_fma_of_odd(format, a, b, c);
      }
    }
    Patterns patterns(format);
    for (int i = 0; i < 50000 && !HasFailure(); ++i) {
      const auto a = patterns.any();
      const auto b = patterns.near(format.one());
      expect_fma_of_odd(format, a, b, patterns.near(mul(format, a, b)));
      expect_fma_of_odd(format, a, format.one(), patterns.near(a));  // a sum
      expect_fma_of_odd(format, a, b, format.sign_bit());            // a product
    }
  }
}

// 7 * 37 = 259 lies half way between two bf16, and 2^-60 less lies below: a double cannot say so.
TEST(SoftfloatTest, FmaIsNotRoundedTwice) {
  const double twice = std::fma(7.0, 37.0, -0x1p-60);
  EXPECT_EQ(float_to_float(kF64, std::bit_cast<std::uint64_t>(twice), kBf16), 0x4382u);  // 260
  EXPECT_EQ(fma_bf16(0x40e0, 0x4214, 0xa180), 0x4381);                                   // 258
}

TEST(SoftfloatTest, Bfloat16AddsWithTiesToEven) {
  EXPECT_EQ(add_bf16(0x3f80, 0x3b80), 0x3f80);  // 1 + 2^-8 is half a place: to the even code
  EXPECT_EQ(add_bf16(0x3f81, 0x3b80), 0x3f82);
  EXPECT_EQ(fma_bf16(0x3f80, 0x3b80, 0x3f80), 0x3f80);
  EXPECT_EQ(fma_bf16(0x3b80, 0x3f81, 0x3f80), 0x3f81);  // just above half a place
  EXPECT_EQ(fma_bf16(0x3f81, 0x3f81, 0xbf82), 0x3880);  // (1 + 2^-7)^2 - (1 + 2^-6) = 2^-14: nothing lost
}

TEST(SoftfloatTest, NearestAwayDiffersFromNearestEvenAtTiesOnly) {
  const Mode away{Rounding::kNearestAway};
  EXPECT_EQ(add(kF32, 0x3f800000, 0x33800000, away), 0x3f800001u);  // 1 + 2^-24
  EXPECT_EQ(add(kF32, 0x3f800000, 0x33800000), 0x3f800000u);
  EXPECT_EQ(add(kF32, 0x3f800000, 0x337fffff, away), 0x3f800000u);
  EXPECT_EQ(add(kF32, 0xbf800000, 0xb3800000, away), 0xbf800001u);
}

TEST(SoftfloatTest, InvalidOperationsGiveTheCanonicalNan) {
  EXPECT_EQ(add_f32(0x7f800000, 0xff800000), 0x7fffffffu);
  EXPECT_EQ(mul_f32(0x7f800000, 0x80000000), 0x7fffffffu);
  EXPECT_EQ(fma_f16(0x7c00, 0, 0x3c00), 0x7fff);
  EXPECT_EQ(fma_bf16(0x7f80, 0x3f80, 0xff80), 0x7fff);
  EXPECT_EQ(sqrt_f32(0xbf800000, Rounding::kNearestEven), 0x7fffffffu);
  EXPECT_EQ(div_f64(0, 0, Rounding::kNearestEven), kDefaultNanF64);
  EXPECT_EQ(add_f32(0xff800001, 0x3f800000), 0x7fffffffu);  // a payload is not kept
}

TEST(SoftfloatTest, DoublePrecisionKeepsTheFirstNanMadeQuiet) {
  EXPECT_EQ(add_f64(0x7ff0000000000123, 0xfff8000000000456), 0x7ff8000000000123u);
  EXPECT_EQ(fma_f64(0x3ff0000000000000, 0x3ff0000000000000, 0xfff8000000000456), 0xfff8000000000456u);
  EXPECT_EQ(sub_f64(0, 0x7ff8000000000001), 0x7ff8000000000001u);
}

TEST(SoftfloatTest, FtzFlushesInputsAndRoundedResultsKeepingTheSign) {
  const auto nearest = Rounding::kNearestEven;
  EXPECT_EQ(add_f32(0x007fffff, 0x007fffff, nearest, true), 0u);
  EXPECT_EQ(add_f32(0x807fffff, 0x80000000, nearest, true), 0x80000000u);
  EXPECT_EQ(mul_f32(0x80800000, 0x3f000000, nearest, true), 0x80000000u);  // 2^-127
  EXPECT_EQ(mul_f32(0x80800000, 0x3f000000, nearest, false), 0x80400000u);
  EXPECT_EQ(mul_f32(0x00ffffff, 0x3f000000, nearest, true), 0x00800000u);  // rounds up to the smallest normal
  EXPECT_EQ(rcp_f32(0x00000001, nearest, true), 0x7f800000u);
  EXPECT_EQ(fma_f16(0x0001, 0x3c00, 0x0001, nearest, true), 0);
  EXPECT_EQ(add_f32(0x007fffff, 0x3f800000, Rounding::kUp, true), 0x3f800000u);
}

TEST(SoftfloatTest, SatClampsToZeroAndOne) {
  const auto nearest = Rounding::kNearestEven;
  EXPECT_EQ(add_f32(0x3f800000, 0x3f800000, nearest, false, true), 0x3f800000u);
  EXPECT_EQ(add_f32(0xbf800000, 0x3f000000, nearest, false, true), 0u);
  EXPECT_EQ(add_f32(0x80000000, 0x80000000, nearest, false, true), 0u);
  EXPECT_EQ(add_f32(0x7fc00000, 0x3f800000, nearest, false, true), 0u);
  EXPECT_EQ(mul_f32(0x3f000000, 0x3f000000, nearest, false, true), 0x3e800000u);
  EXPECT_EQ(mul_f16(0x7c00, 0x3c00, nearest, false, true), 0x3c00);
  EXPECT_EQ(fma_f32(0xff800000, 0x3f800000, 0, nearest, false, true), 0u);
}

TEST(SoftfloatTest, ReluClampsNegativeResultsAndKeepsNan) {
  EXPECT_EQ(fma_relu_f16(0xbc00, 0x3c00, 0), 0);
  EXPECT_EQ(fma_relu_f16(0x3c00, 0x3c00, 0x3c00), 0x4000);
  EXPECT_EQ(fma_relu_bf16(0xffff, 0x3f80, 0), 0x7fff);
  EXPECT_EQ(fma_relu_bf16(0xbf80, 0x3f80, 0x8000), 0);
}

TEST(SoftfloatTest, OverflowFollowsTheRounding) {
  const std::uint32_t largest = 0x7f7fffff;
  EXPECT_EQ(add_f32(largest, largest, Rounding::kZero), largest);
  EXPECT_EQ(add_f32(largest, largest, Rounding::kDown), largest);
  EXPECT_EQ(add_f32(largest, largest, Rounding::kUp), 0x7f800000u);
  EXPECT_EQ(add_f16(0xfbff, 0xfbff, Rounding::kUp), 0xfbff);
  EXPECT_EQ(add_f16(0xfbff, 0xfbff, Rounding::kDown), 0xfc00);
}

TEST(SoftfloatTest, NarrowOperandsOfMixedFormsBecomeFloatsExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto narrow = static_cast<std::uint16_t>(bits);
    const auto wide = f32_of_f16(narrow);
    if (is_nan(kF16, narrow)) {
      ASSERT_EQ(wide, 0x7fffffffu);
    } else {
      ASSERT_EQ(float_to_float(kF32, wide, kF16), narrow);
      if (!is_infinite(kF16, narrow)) {
        const auto expected = std::ldexp(static_cast<double>(f16_units(narrow, -24)), -24);
        ASSERT_EQ(std::abs(expected), std::abs(std::bit_cast<float>(wide)));
      }
    }
  }
  EXPECT_EQ(fma_f32(f32_of_f16(0x3c00), f32_of_f16(0x4000), 0x3f800000), 0x40400000u);
  EXPECT_EQ(f32_of_bf16(0xff81), 0x7fffffffu);
  EXPECT_EQ(f32_of_bf16(0xc000), 0xc0000000u);
}

}  // namespace
}  // namespace ridge::number
