#include "importers/ncu/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::ncu {
namespace {

double point(std::string_view text) {
  const ParsedNumber n = parse_number(text, DecimalMark::kPoint);
  return n.kind == NumberKind::kNumber ? n.value : std::nan("");
}
double comma(std::string_view text) {
  const ParsedNumber n = parse_number(text, DecimalMark::kComma);
  return n.kind == NumberKind::kNumber ? n.value : std::nan("");
}
NumberKind kind(std::string_view text) {
  return parse_number(text, DecimalMark::kPoint).kind;
}

TEST(NumbersTest, ReadsBothPunctuations) {
  EXPECT_EQ(point("134,221,568"), 134221568);
  EXPECT_EQ(point("4,963,609,951.19"), 4963609951.19);
  EXPECT_EQ(point("70.86"), 70.86);
  EXPECT_EQ(point("0"), 0);
  EXPECT_EQ(point("-1.5e3"), -1500);
  EXPECT_EQ(point("4.34259040e-02"), 0.0434259040);
  EXPECT_EQ(point(".5"), 0.5);
  EXPECT_EQ(point("12."), 12);
  EXPECT_EQ(comma("27.595.520"), 27595520);
  EXPECT_EQ(comma("65,77"), 65.77);
  EXPECT_EQ(comma("117.344"), 117344);
  EXPECT_EQ(comma("1.234.567,5"), 1234567.5);
}

TEST(NumbersTest, ReadsOtherWaysToGroup) {
  EXPECT_EQ(point("1 234 567"), 1234567);
  EXPECT_EQ(comma("1\xe2\x80\xaf"
                  "234,5"),
            1234.5);
  EXPECT_EQ(comma("1\xc2\xa0"
                  "234"),
            1234);
  EXPECT_EQ(point("1'234'567.25"), 1234567.25);
  EXPECT_EQ(point("12,34,567"), 1234567);
}

TEST(NumbersTest, ReadsAsManyDigitsAsADoubleHolds) {
  EXPECT_EQ(point("123456789012345678901234567890"), 123456789012345678901234567890.0);
  EXPECT_EQ(point("137438953472"), 137438953472.0);
  EXPECT_NEAR(point("0.123456789012345678"), 0.123456789012345678, 1e-17);
  EXPECT_EQ(point("18446744073709551615"), 18446744073709551615.0);
}

TEST(NumbersTest, KnowsEveryWayToSayNotMeasured) {
  for (const std::string_view text : {"", " ", "n/a", "nan", "-nan", "NaN", "-", "no data", "inf", "-nan(ind)"}) {
    EXPECT_EQ(kind(text), NumberKind::kAbsent) << text;
  }
  EXPECT_EQ(kind("1e999"), NumberKind::kAbsent);
}

TEST(NumbersTest, TellsTextFromNumbersThatContradictTheMark) {
  for (const std::string_view text : {"PolicySpread", "(256, 1, 1)", "NVIDIA H200", "all", "0x7f00", "2 warps"}) {
    EXPECT_EQ(kind(text), NumberKind::kText) << text;
  }
  for (const std::string_view text : {"65,77", "27.595.520", "1,23,4", "1.2.3", "5e", "--5"}) {
    EXPECT_NE(kind(text), NumberKind::kNumber) << text;
  }
}

TEST(NumbersTest, HearsOneVotePerCell) {
  EXPECT_EQ(decimal_vote("27.595.520"), DecimalVote::kComma);
  EXPECT_EQ(decimal_vote("65,77"), DecimalVote::kComma);
  EXPECT_EQ(decimal_vote("134,221,568"), DecimalVote::kPoint);
  EXPECT_EQ(decimal_vote("70.86"), DecimalVote::kPoint);
  EXPECT_EQ(decimal_vote("0.123"), DecimalVote::kPoint);
  EXPECT_EQ(decimal_vote("0,123"), DecimalVote::kComma);
  EXPECT_EQ(decimal_vote("1234.567"), DecimalVote::kPoint);
  EXPECT_EQ(decimal_vote("117.344"), DecimalVote::kEither);
  EXPECT_EQ(decimal_vote("117,344"), DecimalVote::kEither);
  for (const std::string_view text : {"42", "", "n/a", "(256, 1, 1)", "PolicySpread"}) {
    EXPECT_EQ(decimal_vote(text), DecimalVote::kNone) << text;
  }
}

TEST(NumbersTest, AnExponentBeyondEveryNumberIsNoOverflow) {
  EXPECT_EQ(parse_number("0.5e-2147483648", DecimalMark::kPoint).value, 0);
  EXPECT_NE(parse_number("0.5e2147483647", DecimalMark::kPoint).kind, NumberKind::kNumber);
}

}  // namespace
}  // namespace ridge::ncu
