#include "base/quantity_text.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

double value_of(std::string_view text, Dimension dimension) {
  const auto parsed = parse_quantity_of(dimension, text, "--x");
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : to_string(parsed.error()));
  return parsed.value_or(-1);
}

TEST(QuantityTextTest, ReadsWhatPeopleWrite) {
  EXPECT_DOUBLE_EQ(value_of("30TFLOP/s", Dimension::kFlopsPerSecond), 30e12);
  EXPECT_DOUBLE_EQ(value_of("900GB/s", Dimension::kBytesPerSecond), 900e9);
  EXPECT_DOUBLE_EQ(value_of("1.98GHz", Dimension::kHertz), 1.98e9);
  EXPECT_DOUBLE_EQ(value_of("0.477ms", Dimension::kSeconds), 0.477e-3);
  EXPECT_DOUBLE_EQ(value_of("0.25 FLOP/B", Dimension::kFlopsPerByte), 0.25);
  EXPECT_DOUBLE_EQ(value_of("6.4 Gbit/s", Dimension::kBitsPerSecond), 6.4e9);
  EXPECT_DOUBLE_EQ(value_of("42", Dimension::kNumber), 42);
}

TEST(QuantityTextTest, KeepsDecimalAndBinaryPrefixesApart) {
  EXPECT_DOUBLE_EQ(value_of("24GiB", Dimension::kBytes), 24.0 * 1024 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(value_of("24GB", Dimension::kBytes), 24e9);
  EXPECT_DOUBLE_EQ(value_of("8 KiB", Dimension::kBytes), 8192);
  EXPECT_DOUBLE_EQ(value_of("8kB", Dimension::kBytes), 8000);
}

TEST(QuantityTextTest, TakesFlopsWithAnSAsASpeed) {
  EXPECT_DOUBLE_EQ(value_of("82.6 TFLOPS", Dimension::kFlopsPerSecond), 82.6e12);
  EXPECT_DOUBLE_EQ(value_of("260 TOPS", Dimension::kFlopsPerSecond), 260e12);
  EXPECT_DOUBLE_EQ(value_of("2 GFLOP", Dimension::kFlops), 2e9);
}

TEST(QuantityTextTest, SmallPrefixesBelongToSeconds) {
  EXPECT_DOUBLE_EQ(value_of("12.5us", Dimension::kSeconds), 12.5e-6);
  EXPECT_DOUBLE_EQ(value_of("12.5 \u00b5s", Dimension::kSeconds), 12.5e-6);
  EXPECT_FALSE(parse_quantity("3mB", "--x").has_value());
  EXPECT_FALSE(parse_quantity("3Ms", "--x").has_value());
}

TEST(QuantityTextTest, NamesAnUnknownUnit) {
  const auto parsed = parse_quantity("900 GQ/s", "--bandwidth");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().code, ErrorCode::kUsage);
  EXPECT_NE(parsed.error().what.find("GQ/s"), std::string::npos);
  EXPECT_EQ(parsed.error().where, "--bandwidth");
}

TEST(QuantityTextTest, RejectsAQuantityOfAnotherKind) {
  const auto parsed = parse_bytes_per_second("900GB", "--bandwidth");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().what.find("900GB"), std::string::npos);
}

TEST(QuantityTextTest, RejectsWhatIsNoFiniteNumber) {
  for (const char* text : {"", "fast", "GB/s", "nan GB/s", "inf", "1e308 PB", "--3"}) {
    EXPECT_FALSE(parse_quantity(text, "--x").has_value()) << text;
  }
}

}  // namespace
}  // namespace ridge
