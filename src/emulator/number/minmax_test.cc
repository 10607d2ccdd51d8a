#include "emulator/number/minmax.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "emulator/number/host.h"

namespace ridge::number {
namespace {

using testing::directed;

constexpr auto kMin = Extremum::kMin;
constexpr auto kMax = Extremum::kMax;
constexpr std::uint32_t kNan = 0x7fffffff;
constexpr std::uint32_t kOne = 0x3f800000;
constexpr std::uint32_t kTwo = 0x40000000;
constexpr std::uint32_t kSign = 0x80000000;

TEST(MinMaxTest, ZerosAreOrderedAndNanIsPassedOver) {
  EXPECT_EQ(extremum(kF32, kMin, 0, kSign), kSign);
  EXPECT_EQ(extremum(kF32, kMin, kSign, 0), kSign);
  EXPECT_EQ(extremum(kF32, kMax, kSign, 0), 0u);
  EXPECT_EQ(extremum(kF32, kMax, 0, kSign), 0u);
  EXPECT_EQ(extremum(kF32, kMax, 0xffc00000, kOne), kOne);
  EXPECT_EQ(extremum(kF32, kMin, kOne, 0x7f800001), kOne);
  EXPECT_EQ(extremum(kF32, kMin, 0xffc00000, 0x7fc00001), kNan);
  EXPECT_EQ(extremum(kF16, kMax, 0xfc00, 0xc000), 0xc000u);
}

TEST(MinMaxTest, NanModifierLetsNanThrough) {
  const ExtremumMode nan{.nan = true};
  EXPECT_EQ(extremum(kF32, kMax, 0xffc00000, kOne, nan), kNan);
  EXPECT_EQ(extremum(kBf16, kMin, 0x3f80, 0xff81, nan), 0x7fffu);
  EXPECT_EQ(extremum(kF32, kMax, kOne, kTwo, 0x7fc00000, nan), kNan);
}

TEST(MinMaxTest, XorsignTakesTheSignOfBothAndComparesMagnitudes) {
  const ExtremumMode xorsign{.xorsign_abs = true};
  EXPECT_EQ(extremum(kF32, kMax, kOne | kSign, kTwo, xorsign), kTwo | kSign);
  EXPECT_EQ(extremum(kF32, kMin, kOne | kSign, kTwo | kSign, xorsign), kOne);
  EXPECT_EQ(extremum(kF32, kMin, kNan, kTwo | kSign, xorsign), kTwo | kSign);
  EXPECT_EQ(extremum(kF32, kMin, 0xffffffff, 0x7fffffff, xorsign), kNan);
}

TEST(MinMaxTest, FtzAndThreeInputs) {
  EXPECT_EQ(extremum(kF32, kMin, 0x807fffff, 0, {.ftz = true}), kSign);
  EXPECT_EQ(extremum(kF32, kMax, 0x007fffff, kSign, {.ftz = true}), 0u);
  EXPECT_EQ(extremum(kF32, kMax, kOne, kTwo | kSign, 0, {.abs = true}), kTwo);
  EXPECT_EQ(extremum(kF32, kMin, kOne, kTwo | kSign, 0), kTwo | kSign);
}

TEST(MinMaxTest, ExtremaOfNumbersAgreeWithTheHost) {
  for (const auto a : directed(kF64)) {
    for (const auto b : directed(kF64)) {
      const double x = std::bit_cast<double>(a);
      const double y = std::bit_cast<double>(b);
      if (std::isnan(x) || std::isnan(y) || x == y) continue;
      EXPECT_EQ(extremum(kF64, kMin, a, b), x < y ? a : b);
      EXPECT_EQ(extremum(kF64, kMax, a, b), x > y ? a : b);
    }
  }
}

bool host_compare(Comparison comparison, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (comparison) {
    case Comparison::kEq:
      return a == b;
    case Comparison::kNe:
      return !unordered && a != b;
    case Comparison::kLt:
      return a < b;
    case Comparison::kLe:
      return a <= b;
    case Comparison::kGt:
      return a > b;
    case Comparison::kGe:
      return a >= b;
    case Comparison::kEqu:
      return unordered || a == b;
    case Comparison::kNeu:
      return unordered || a != b;
    case Comparison::kLtu:
      return !(a >= b);
    case Comparison::kLeu:
      return !(a > b);
    case Comparison::kGtu:
      return !(a <= b);
    case Comparison::kGeu:
      return !(a < b);
    case Comparison::kNum:
      return !unordered;
    case Comparison::kNan:
      return unordered;
  }
  return false;
}

TEST(MinMaxTest, ComparisonsAgreeWithTheHostUnorderedOnesToo) {
  for (int i = 0; i <= static_cast<int>(Comparison::kNan); ++i) {
    const auto comparison = static_cast<Comparison>(i);
    for (const auto a : directed(kF64)) {
      for (const auto b : directed(kF64)) {
        EXPECT_EQ(compare_float(kF64, comparison, a, b),
                  host_compare(comparison, std::bit_cast<double>(a), std::bit_cast<double>(b)))
            << i << std::hex << " of " << a << " " << b;
      }
    }
  }
  EXPECT_TRUE(compare_float(kF32, Comparison::kLt, 0, 1));
  EXPECT_FALSE(compare_float(kF32, Comparison::kLt, 0, 1, true));
  EXPECT_TRUE(compare_float(kF32, Comparison::kEq, 0x80000001, 1, true));
  EXPECT_TRUE(compare_integer<std::int32_t>(Comparison::kLt, -1, 0));
  EXPECT_FALSE(compare_integer<std::uint32_t>(Comparison::kLt, 0xffffffff, 0));
}

TEST(MinMaxTest, PropertiesOfNumbers) {
  EXPECT_TRUE(test_property(kF32, Property::kNormal, 0));  // the ISA counts zeros as normal
  EXPECT_TRUE(test_property(kF32, Property::kNormal, 0xff7fffff));
  EXPECT_FALSE(test_property(kF32, Property::kNormal, 1));
  EXPECT_FALSE(test_property(kF32, Property::kNormal, 0x7f800000));
  EXPECT_TRUE(test_property(kF32, Property::kSubnormal, 0x807fffff));
  EXPECT_FALSE(test_property(kF32, Property::kSubnormal, kSign));
  EXPECT_TRUE(test_property(kF64, Property::kInfinite, 0xfff0000000000000));
  EXPECT_FALSE(test_property(kF64, Property::kInfinite, 0x7ff0000000000001));
  EXPECT_TRUE(test_property(kF64, Property::kNotANumber, 0x7ff0000000000001));
  EXPECT_TRUE(test_property(kF64, Property::kNumber, 0x7ff0000000000000));
  EXPECT_FALSE(test_property(kF64, Property::kFinite, 0x7ff0000000000000));
  EXPECT_TRUE(test_property(kF64, Property::kFinite, 0x7fefffffffffffff));
}

TEST(MinMaxTest, SignsAreCopiedFromTheFirstOperand) {
  EXPECT_EQ(copysign(kF32, kSign, kOne), kOne | kSign);
  EXPECT_EQ(copysign(kF64, 0x3ff0000000000000, 0xfff8000000000000), 0x7ff8000000000000u);
  EXPECT_EQ(neg(kF16, 0x7c00), 0xfc00u);
  EXPECT_EQ(neg(kF32, 0x00000001, true), kSign);
  EXPECT_EQ(abs(kF32, 0x80000001), 1u);
  EXPECT_EQ(abs(kF32, 0x80000001, true), 0u);
}

}  // namespace
}  // namespace ridge::number
