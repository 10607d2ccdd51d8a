#include "emulator/job/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ridge::emulator {
namespace {

const Variables kNames{{"n", 1024}, {"m4", 3}};

double value(std::string_view text) {
  const auto number = evaluate_number(text, kNames, "--arg 1");
  EXPECT_TRUE(number.has_value()) << text << ": " << to_string(number.error());
  return number ? number->real : -12345;
}

std::string problem(std::string_view text) {
  const auto number = evaluate_count(text, kNames, "--arg 1");
  return number ? "none" : to_string(number.error());
}

std::string shape(std::string_view text) {
  const auto size = evaluate_shape(text, kNames, "--grid");
  if (!size) return to_string(size.error());
  return std::to_string(size->x) + " " + std::to_string(size->y) + " " + std::to_string(size->z);
}

TEST(NumbersTest, WhatPeopleTypeIsUnderstood) {
  EXPECT_EQ(value("n*n"), 1048576);
  EXPECT_EQ(value("1<<20"), 1048576);
  EXPECT_EQ(value("(1 << 20) / 4 + n"), 263168);
  EXPECT_EQ(value("1+1<<2+1"), 16);
  EXPECT_EQ(value("1<<2<<3"), 32);
  EXPECT_EQ(value("max(1<<4, 2)"), 16);
  EXPECT_EQ(value("2k"), 2000);
  EXPECT_EQ(value("2Ki*m4"), 6144);
  EXPECT_EQ(value("1.5M"), 1500000);
  EXPECT_EQ(value("0x10+1"), 17);
  EXPECT_EQ(value("ceil(n/1000)"), 2);
  EXPECT_EQ(value("-2.5e-3"), -0.0025);
  EXPECT_EQ(value(" -inf"), -HUGE_VAL);
}

TEST(NumbersTest, PlainWholeNumbersLoseNoBit) {
  const auto number = evaluate_number("0xffffffffffffffff", kNames, "");
  ASSERT_TRUE(number.has_value());
  EXPECT_EQ(number->magnitude, ~std::uint64_t{0});
  const auto negative = evaluate_number("-9223372036854775807", kNames, "");
  ASSERT_TRUE(negative.has_value());
  EXPECT_TRUE(negative->negative);
  EXPECT_EQ(negative->magnitude, 9223372036854775807U);
}

TEST(NumbersTest, ErrorsSayWhatWhereAndWhatToDo) {
  EXPECT_EQ(problem("n/3"),
            "'n/3' is 341.3333333333333, not a whole number from 0 to 2^48 (--arg 1): round it, e.g. ceil(n/256)");
  EXPECT_EQ(problem("k*2"), "'k*2' names 'k', which has no value (--arg 1): give it one: --set k=1024");
  EXPECT_EQ(problem("k"), "'k' has no value (--arg 1): give it one: --set k=1024");
  EXPECT_EQ(problem("-4"), "'-4' is -4, not a whole number from 0 to 2^48 (--arg 1): correct the number");
  EXPECT_EQ(problem(" "), "a number is missing (--arg 1): write one, or a formula");
  for (const char* text : {"1<<", "<<3", "2n", "(1", "1)", "1,2", "0xg", "99999999999999999999", "f(1<<2"}) {
    EXPECT_NE(problem(text).find("(--arg 1): "), std::string::npos) << text << ": " << problem(text);
  }
  EXPECT_NE(problem(std::string(5000, '(')), "none");
}

TEST(NumbersTest, ShapesHaveUpToThreeExtents) {
  EXPECT_EQ(shape("4096"), "4096 1 1");
  EXPECT_EQ(shape("64x32"), "64 32 1");
  EXPECT_EQ(shape("n/16xn/32x2"), "64 32 2");
  EXPECT_EQ(shape("n/16, max(n, 2)"), "64 1024 1");
  EXPECT_EQ(shape("0x40"), "64 1 1");
  EXPECT_EQ(shape("1x2x3x4"), "'1x2x3x4' has more than three extents (--grid): write at most XxYxZ");
  EXPECT_EQ(shape("0"), "an extent of 0 in '0' (--grid): write 1 or more");
  EXPECT_NE(shape("64x").find("--grid"), std::string::npos);
}

}  // namespace
}  // namespace ridge::emulator
