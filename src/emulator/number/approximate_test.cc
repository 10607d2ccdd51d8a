#include "emulator/number/approximate.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "emulator/number/arithmetic.h"
#include "emulator/number/host.h"

namespace ridge::number {
namespace {

using testing::Patterns;

constexpr std::uint32_t kNan = 0x7fffffff;
constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kMinusInfinity = 0xff800000;
constexpr std::uint32_t kMinusZero = 0x80000000;
constexpr std::uint32_t kOne = 0x3f800000;
constexpr std::uint32_t kMinusOne = 0xbf800000;
constexpr std::uint32_t kSubnormal = 0x00000001;
constexpr std::uint32_t kMinusSubnormal = 0x80000001;

float value(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

struct Row {
  std::uint32_t input;
  std::uint32_t result;
};

template <typename Function, std::size_t kCount>
void expect_table(const Row (&rows)[kCount], Function function) {
  for (const auto& row : rows) EXPECT_EQ(function(row.input), row.result) << std::hex << row.input;
}

// The tables of special values in the ISA's chapter on floating-point instructions.
TEST(ApproximateTest, SpecialValuesOfExponentialAndLogarithm) {
  for (const bool ftz : {false, true}) {
    expect_table({{kMinusInfinity, 0},
                  {kMinusZero, kOne},
                  {0, kOne},
                  {kInfinity, kInfinity},
                  {0xffc00000, kNan},
                  {kSubnormal, kOne},
                  {kMinusSubnormal, kOne}},
                 [&](std::uint32_t a) { return ex2_approx_f32(a, ftz); });
    expect_table({{kMinusInfinity, kNan},
                  {kMinusOne, kNan},
                  {kMinusZero, kMinusInfinity},
                  {0, kMinusInfinity},
                  {kInfinity, kInfinity},
                  {0xffc00000, kNan},
                  {kOne, 0}},
                 [&](std::uint32_t a) { return lg2_approx_f32(a, ftz); });
  }
  EXPECT_EQ(lg2_approx_f32(kSubnormal, false), std::bit_cast<std::uint32_t>(-149.0F));
  EXPECT_EQ(lg2_approx_f32(kSubnormal, true), kMinusInfinity);
  EXPECT_EQ(ex2_approx_f32(std::bit_cast<std::uint32_t>(-127.0F), false), 0x00400000u);
  EXPECT_EQ(ex2_approx_f32(std::bit_cast<std::uint32_t>(-127.0F), true), 0u);
}

TEST(ApproximateTest, SpecialValuesOfSineCosineAndTanh) {
  for (const bool ftz : {false, true}) {
    expect_table({{kMinusInfinity, kNan},
                  {kMinusZero, kMinusZero},
                  {0, 0},
                  {kInfinity, kNan},
                  {kNan, kNan},
                  {kMinusSubnormal, ftz ? kMinusZero : kMinusSubnormal}},
                 [&](std::uint32_t a) { return sin_approx_f32(a, ftz); });
    expect_table(
        {{kMinusInfinity, kNan}, {kMinusZero, kOne}, {0, kOne}, {kInfinity, kNan}, {kNan, kNan}, {kSubnormal, kOne}},
        [&](std::uint32_t a) { return cos_approx_f32(a, ftz); });
  }
  expect_table({{kMinusInfinity, kMinusOne},
                {kMinusZero, kMinusZero},
                {0, 0},
                {kInfinity, kOne},
                {0xff800001, kNan},
                {kMinusSubnormal, kMinusSubnormal}},
               tanh_approx_f32);
}

TEST(ApproximateTest, SpecialValuesOfReciprocalsAndRoots) {
  for (const bool ftz : {false, true}) {
    expect_table({{kMinusInfinity, kMinusZero},
                  {kMinusZero, kMinusInfinity},
                  {0, kInfinity},
                  {kInfinity, 0},
                  {kNan, kNan},
                  {kMinusSubnormal, kMinusInfinity}},
                 [&](std::uint32_t a) { return rcp_approx_f32(a, ftz); });
    expect_table({{kMinusInfinity, kNan},
                  {kMinusOne, kNan},
                  {kMinusZero, kMinusZero},
                  {0, 0},
                  {kInfinity, kInfinity},
                  {kNan, kNan}},
                 [&](std::uint32_t a) { return sqrt_approx_f32(a, ftz); });
    expect_table({{kMinusInfinity, kNan},
                  {kMinusOne, kNan},
                  {kMinusZero, kMinusInfinity},
                  {0, kInfinity},
                  {kInfinity, 0},
                  {kNan, kNan}},
                 [&](std::uint32_t a) { return rsqrt_approx_f32(a, ftz); });
  }
  EXPECT_EQ(rcp_approx_f32(0x7f000000, false), 0x00400000u);  // 2^-127
  EXPECT_EQ(rcp_approx_f32(0xff000000, true), kMinusZero);
  EXPECT_EQ(sqrt_approx_f32(kMinusSubnormal, true), kMinusZero);
  EXPECT_EQ(rsqrt_approx_f32(kMinusSubnormal, true), kMinusInfinity);
  EXPECT_EQ(rsqrt_approx_f32(kSubnormal, true), kInfinity);
}

TEST(ApproximateTest, DivisionLosesLargeDivisorsOrKeepsThem) {
  const std::uint32_t beyond = 0x7e800001;  // just above 2^126
  EXPECT_EQ(div_approx_f32(kOne, beyond, true), 0u);
  EXPECT_EQ(div_approx_f32(kMinusOne, beyond, false), kMinusZero);
  EXPECT_EQ(div_approx_f32(kInfinity, beyond, true), kNan);
  EXPECT_EQ(div_approx_f32(0x7f7fffff, 0x7e800000, true), std::bit_cast<std::uint32_t>(value(0x7f7fffff) * 0x1p-126F));
  EXPECT_EQ(div_full_f32(0x7f000000, 0x7f000000, true), kOne);
  EXPECT_EQ(div_full_f32(kOne, kSubnormal, true), kInfinity);
  EXPECT_EQ(div_full_f32(0, 0, false), kNan);
}

// In units in the last place of the correctly rounded result.
double error_in_places(std::uint32_t ours, long double exact) {
  const double place = std::ldexp(1.0, std::max(std::ilogb(static_cast<double>(exact)), -126) - 23);
  return std::abs(static_cast<double>(static_cast<long double>(value(ours)) - exact)) / place;
}

// Against the library's functions in long double, which share no code with those in double.
TEST(ApproximateTest, ValuesLieWithinOnePlaceOfTheTruth) {
  Patterns patterns(kF32);
  for (int i = 0; i < 50000; ++i) {
    const auto bits = static_cast<std::uint32_t>(patterns.near(kOne));
    const auto x = static_cast<long double>(value(bits));
    if (!std::isfinite(x) || std::abs(x) < 0x1p-60L || std::abs(x) > 0x1p60L) continue;
    const auto positive = bits & 0x7fffffff;
    const auto magnitude = std::abs(x);
    ASSERT_LE(error_in_places(rcp_approx_f32(bits, false), 1 / x), 0.51) << std::hex << bits;
    ASSERT_LE(error_in_places(sqrt_approx_f32(positive, false), std::sqrt(magnitude)), 0.51) << std::hex << bits;
    ASSERT_LE(error_in_places(rsqrt_approx_f32(positive, false), 1 / std::sqrt(magnitude)), 0.51) << std::hex << bits;
    ASSERT_LE(error_in_places(tanh_approx_f32(bits), std::tanh(x)), 0.51) << std::hex << bits;
    ASSERT_LE(std::abs(static_cast<double>(value(lg2_approx_f32(positive, false)) - std::log2(magnitude))),
              0x1p-22 * std::max(1.0, static_cast<double>(std::abs(std::log2(magnitude)))));
    if (magnitude < 100) {
      ASSERT_LE(error_in_places(ex2_approx_f32(bits, false), std::exp2(x)), 0.51) << std::hex << bits;
      ASSERT_LE(std::abs(static_cast<double>(value(sin_approx_f32(bits, false)) - std::sin(x))), 0x1p-20);
      ASSERT_LE(std::abs(static_cast<double>(value(cos_approx_f32(bits, false)) - std::cos(x))), 0x1p-20);
    }
  }
}

TEST(ApproximateTest, DoublePrecisionFormsUseTheUpperHalf) {
  EXPECT_EQ(rcp_approx_ftz_f64(0x3ff0000000000000), 0x3ff0000000000000u);
  EXPECT_EQ(rcp_approx_ftz_f64(0x40080000ffffffff), 0x3fd5555500000000u);  // 1/3
  EXPECT_EQ(rcp_approx_ftz_f64(0x4014000000000000), 0x3fc9999a00000000u);  // 1/5, to the nearest of those places
  EXPECT_EQ(rcp_approx_ftz_f64(0x800fffffffffffff), 0xfff0000000000000u);
  EXPECT_EQ(rcp_approx_ftz_f64(0xfff0000000000000), 0x8000000000000000u);
  EXPECT_EQ(rcp_approx_ftz_f64(0xfff8000000000000), 0x7fffffff00000000u);
  EXPECT_EQ(rcp_approx_ftz_f64(0x7fe0000000000000), 0u);  // 2^-1023 is flushed
  EXPECT_EQ(rsqrt_approx_ftz_f64(0x4010000000000000), 0x3fe0000000000000u);
  EXPECT_EQ(rsqrt_approx_ftz_f64(0xbff0000000000000), 0x7fffffff00000000u);
  EXPECT_EQ(rsqrt_approx_ftz_f64(0x0000000100000000), 0x7ff0000000000000u);
  EXPECT_EQ(rsqrt_approx_f64(0x4010000000000000), 0x3fe0000000000000u);
  EXPECT_EQ(rsqrt_approx_f64(0x8000000000000000), 0xfff0000000000000u);
}

TEST(ApproximateTest, EverySixteenBitValueIsNearTheTruth) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto half = static_cast<std::uint16_t>(code);
    const auto brain = static_cast<std::uint16_t>(code);
    const double x = value(f32_of_f16(half));
    const double y = value(f32_of_bf16(brain));
    if (!std::isnan(x)) {
      const double exact = std::exp2(x);
      const double ours = value(f32_of_f16(ex2_approx_f16(half)));
      if (exact < 65520) {
        ASSERT_LE(std::abs(ours - exact), std::max(exact * 0x1p-11, 0x1p-25)) << x;
      } else {
        ASSERT_TRUE(std::isinf(ours)) << x;
      }
      ASSERT_LE(std::abs(value(f32_of_f16(tanh_approx_f16(half))) - std::tanh(x)), 0x1p-11) << x;
    }
    if (!std::isnan(y)) {
      ASSERT_LE(std::abs(value(f32_of_bf16(tanh_approx_bf16(brain))) - std::tanh(y)), 0x1p-8) << y;
    }
  }
  EXPECT_EQ(ex2_approx_f16(0xfe00), 0x7fff);
  EXPECT_EQ(ex2_approx_ftz_bf16(0xc2ff), 0);       // 2^-127.5
  EXPECT_EQ(ex2_approx_ftz_bf16(0xc2fc), 0x0080);  // 2^-126
  EXPECT_EQ(ex2_approx_ftz_bf16(0x0001), 0x3f80);
  EXPECT_EQ(both_halves(0x3c004000, ex2_approx_f16), 0x40004400u);
}

}  // namespace
}  // namespace ridge::number
