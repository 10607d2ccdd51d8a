#include "emulator/number/native.h"

#include <gtest/gtest.h>

#include "emulator/number/arithmetic.h"
#include "emulator/number/convert.h"
#include "emulator/number/host.h"

namespace ridge::number {
namespace {

using testing::directed;
using testing::Patterns;

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

TEST(NativeTest, EverySixteenBitNumberBecomesTheSameFloat) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    ASSERT_EQ(bits_of(float_of_f16(bits)), f32_of_f16(bits)) << std::hex << code;
    ASSERT_EQ(bits_of(float_of_bf16(bits)), f32_of_bf16(bits)) << std::hex << code;
  }
}

// A code, the places next to half way to the following code, and half way itself: in float and in double.
TEST(NativeTest, EveryGapBetweenSixteenBitNumbersIsRoundedAsInSoftfloat) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    for (const std::uint32_t low : {0x0000U, 0x0fffU, 0x1000U, 0x1001U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
      const auto bits = code << 16 | low;
      const auto value = std::bit_cast<float>(bits);
      ASSERT_EQ(f16_of_float(value), float_to_float(kF32, bits, kF16)) << std::hex << bits;
      ASSERT_EQ(bf16_of_float(value), float_to_float(kF32, bits, kBf16)) << std::hex << bits;
    }
  }
  for (const auto& format : {kF16, kBf16}) {
    for (std::uint64_t code = 0; code < 0x10000; ++code) {
      if ((code & format.magnitude_mask()) >= format.max_finite()) continue;
      const double low = std::bit_cast<double>(float_to_float(format, code, kF64));
      const double middle = (low + std::bit_cast<double>(float_to_float(format, code + 1, kF64))) / 2;
      for (const double value : {low, std::nextafter(middle, 0), middle, std::nextafter(middle, 1e300)}) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto ours = format.mantissa_bits == 10 ? f16_of_double(value) : bf16_of_double(value);
        ASSERT_EQ(ours, float_to_float(kF64, bits, format)) << value;
      }
    }
  }
}

TEST(NativeTest, DoublesBeyondTheRangeBecomeInfinityZeroAndNan) {
  for (const auto bits : directed(kF64)) {
    const auto value = std::bit_cast<double>(bits);
    if (is_nan(kF64, bits)) {  // of arithmetic, not of a conversion
      EXPECT_EQ(f16_of_double(value), kF16.nan);
      EXPECT_EQ(bf16_of_double(value), kBf16.nan);
      continue;
    }
    EXPECT_EQ(f16_of_double(value), float_to_float(kF64, bits, kF16)) << value;
    EXPECT_EQ(bf16_of_double(value), float_to_float(kF64, bits, kBf16)) << value;
  }
  EXPECT_EQ(f16_of_double(65519.999), 0x7bff);
  EXPECT_EQ(bf16_of_double(-0x1.ffp127), 0xff80);
}

void expect_same(std::uint64_t x, std::uint64_t y, std::uint64_t z, bool brain) {
  const auto a = static_cast<std::uint16_t>(x);
  const auto b = static_cast<std::uint16_t>(y);
  const auto c = static_cast<std::uint16_t>(z);
  if (brain) {
    ASSERT_EQ(add_bf16_nearest(a, c), add_bf16(a, c)) << std::hex << a << " " << c;
    ASSERT_EQ(mul_bf16_nearest(a, b), mul_bf16(a, b)) << std::hex << a << " " << b;
    ASSERT_EQ(fma_bf16_nearest(a, b, c), fma_bf16(a, b, c)) << std::hex << a << " " << b << " " << c;
  } else {
    ASSERT_EQ(add_f16_nearest(a, c), add_f16(a, c)) << std::hex << a << " " << c;
    ASSERT_EQ(mul_f16_nearest(a, b), mul_f16(a, b)) << std::hex << a << " " << b;
    ASSERT_EQ(fma_f16_nearest(a, b, c), fma_f16(a, b, c)) << std::hex << a << " " << b << " " << c;
  }
}

TEST(NativeTest, ArithmeticAgreesWithSoftfloat) {
  for (const bool brain : {false, true}) {
    const auto format = brain ? kBf16 : kF16;
    const auto edges = directed(format);
    for (const auto a : edges) {
      for (const auto b : edges) {
        for (const auto c : edges) expect_same(a, b, c, brain);
      }
    }
    Patterns patterns(format);
    for (int i = 0; i < 200000 && !HasFatalFailure(); ++i) {
      const auto a = patterns.any();
      const auto b = patterns.near(format.one());
      expect_same(a, b, patterns.near(i % 2 == 0 ? mul(format, a, b) : a), brain);
    }
  }
  EXPECT_EQ(fma_bf16_nearest(0x40e0, 0x4214, 0xa180), 0x4381);  // 259 - 2^-60, where a double alone would say 260
}

}  // namespace
}  // namespace ridge::number
