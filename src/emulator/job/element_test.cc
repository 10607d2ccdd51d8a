#include "emulator/job/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridge::emulator {
namespace {

TEST(ElementTest, NamesLeadBackToTheirTypes) {
  for (int i = 0; i < kElements; ++i) {
    const auto element = static_cast<ElementType>(i);
    EXPECT_EQ(element_type_named(name(element)), element);
  }
  EXPECT_EQ(element_type_named("s32"), ElementType::kI32);
  EXPECT_FALSE(element_type_named("s").has_value());
  EXPECT_FALSE(element_type_named("f8").has_value());
}

TEST(ElementTest, EveryNumberOfSixteenBitsComesBackAsItsBits) {
  for (const ElementType element : {ElementType::kF16, ElementType::kBf16}) {
    for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
      const double value = value_of(element, bits);
      if (std::isnan(value)) continue;
      ASSERT_EQ(bits_of(element, Number::of(value)), bits) << name(element);
    }
  }
}

TEST(ElementTest, HalvesRoundOnceAndToEven) {
  EXPECT_EQ(bits_of(ElementType::kF16, Number::of(1 + 0x1p-11)), 0x3C00U);            // a tie, to the even one below
  EXPECT_EQ(bits_of(ElementType::kF16, Number::of(1 + 3 * 0x1p-11)), 0x3C02U);        // a tie, to the even one above
  EXPECT_EQ(bits_of(ElementType::kF16, Number::of(1 + 0x1p-11 + 0x1p-40)), 0x3C01U);  // float would have made it a tie
  EXPECT_EQ(bits_of(ElementType::kF16, Number::of(0x1p-25)), 0U);
  EXPECT_EQ(bits_of(ElementType::kF16, Number::of(0x1.8p-25)), 1U);
  EXPECT_EQ(bits_of(ElementType::kF16, Number::of(2047 * 0x1p-25)), 0x0400U);  // up into the normal numbers
  EXPECT_EQ(bits_of(ElementType::kBf16, Number::of(-3.0)), 0xC040U);
}

TEST(ElementTest, WhatDoesNotFitIsNoNumberOfTheType) {
  EXPECT_FALSE(bits_of(ElementType::kF16, Number::of(65520.0)).has_value());
  EXPECT_TRUE(bits_of(ElementType::kF16, Number::of(65519.0)).has_value());
  EXPECT_FALSE(bits_of(ElementType::kF32, Number::of(1e39)).has_value());
  EXPECT_TRUE(bits_of(ElementType::kF32, Number::of(std::numeric_limits<double>::infinity())).has_value());
  EXPECT_FALSE(bits_of(ElementType::kI8, Number::of(128.0)).has_value());
  EXPECT_EQ(bits_of(ElementType::kI8, Number::of(-128.0)), 0x80U);
  EXPECT_FALSE(bits_of(ElementType::kU32, Number::of(-1.0)).has_value());
  EXPECT_EQ(bits_of(ElementType::kB32, Number::of(-1.0)), 0xFFFFFFFFU);
  EXPECT_FALSE(bits_of(ElementType::kI32, Number::of(2.5)).has_value());
  EXPECT_FALSE(bits_of(ElementType::kU64, Number::of(std::nan(""))).has_value());
}

TEST(ElementTest, WholeNumbersAreExactOverAllBits) {
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(bits_of(ElementType::kU64, Number::of(most)), most);
  EXPECT_EQ(to_string(number_of(ElementType::kU64, most)), "18446744073709551615");
  EXPECT_EQ(to_string(number_of(ElementType::kI64, most)), "-1");
  EXPECT_EQ(to_string(number_of(ElementType::kI64, most / 2 + 1)), "-9223372036854775808");
  EXPECT_EQ(to_string(number_of(ElementType::kI16, 0x8000)), "-32768");
}

}  // namespace
}  // namespace ridge::emulator
