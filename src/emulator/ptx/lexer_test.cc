#include "emulator/ptx/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

namespace ridge::ptx {
namespace {

std::vector<Token> all(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  while (true) {
    const auto token = lexer.next();
    if (!token) {
      ADD_FAILURE() << to_string(token.error());
      return tokens;
    }
    if (token->kind == TokenKind::kEnd) return tokens;
    tokens.push_back(*token);
  }
}

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> found;
  for (const Token& each : all(text)) found.emplace_back(each.text);
  return found;
}

std::string error(std::string_view text) {
  Lexer lexer(text);
  while (true) {
    const auto token = lexer.next();
    if (!token) return to_string(token.error());
    if (token->kind == TokenKind::kEnd) return "";
  }
}

TEST(Lexer, CutsAnInstructionIntoWords) {
  EXPECT_THAT(texts("@!%p1 ld.global.L2::128B.v2.f32 {%f1,%f2}, [%rd1+-16];"),
              testing::ElementsAre("@", "!", "%p1", "ld", ".global", ".L2::128B", ".v2", ".f32", "{", "%f1", ",", "%f2",
                                   "}", ",", "[", "%rd1", "+", "-", "16", "]", ";"));
}

TEST(Lexer, ReadsNamesWithEveryFirstCharacter) {
  const auto tokens = all("%r1 $L__BB0_2 _Z3fooPf abc_1$ %");
  ASSERT_EQ(tokens.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(tokens[i].kind, TokenKind::kName) << tokens[i].text;
  EXPECT_EQ(tokens[4].kind, TokenKind::kPunctuation);
}

TEST(Lexer, ReadsIntegersOfEveryBase) {
  const auto tokens = all("10 0x1F 017 0b101 0 42U 18446744073709551615");
  std::vector<std::uint64_t> values;
  for (const Token& each : tokens) values.push_back(each.bits);
  EXPECT_THAT(values, testing::ElementsAre(10, 31, 15, 5, 0, 42, ~std::uint64_t{0}));
  EXPECT_FALSE(tokens[0].is_unsigned);
  EXPECT_TRUE(tokens[5].is_unsigned);
  EXPECT_TRUE(tokens[6].is_unsigned);
}

TEST(Lexer, ReadsFloatsAsTheirBits) {
  const auto tokens = all("0f3F800000 0d3FF0000000000000 1.5 2e3");
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(tokens[0].kind, TokenKind::kFloat32);
  EXPECT_EQ(tokens[0].bits, 0x3F800000U);
  EXPECT_EQ(tokens[1].kind, TokenKind::kFloat64);
  EXPECT_EQ(std::bit_cast<double>(tokens[1].bits), 1.0);
  EXPECT_EQ(std::bit_cast<double>(tokens[2].bits), 1.5);
  EXPECT_EQ(std::bit_cast<double>(tokens[3].bits), 2000.0);
}

TEST(Lexer, DropsCommentsAndSaysWhereWordsStand) {
  const auto tokens = all("a // b\n/* c\n */ d\n  e");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[1].at, (Position{3, 5}));
  EXPECT_EQ(tokens[2].at, (Position{4, 3}));
}

TEST(Lexer, SaysWhetherAWordTouchesTheOneBefore) {
  const auto tokens = all("%tid.x %tid .x");
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_FALSE(tokens[1].spaced);
  EXPECT_TRUE(tokens[3].spaced);
}

TEST(Lexer, RefusesWhatIsNoWord) {
  EXPECT_THAT(error("add \x01"), testing::HasSubstr("byte 1 cannot begin a word"));
  EXPECT_THAT(error("\n `"), testing::HasSubstr("line 2, column 2"));
  EXPECT_THAT(error("0f3F80"), testing::HasSubstr("exactly 8 digits"));
  EXPECT_THAT(error("0d3FF0000000000000A"), testing::HasSubstr("exactly 16 digits"));
  EXPECT_THAT(error("0x"), testing::HasSubstr("followed by a letter"));
  EXPECT_THAT(error("1e999"), testing::HasSubstr("does not fit a double"));
  EXPECT_THAT(error("12ab"), testing::HasSubstr("followed by a letter"));
  EXPECT_THAT(error("018"), testing::HasSubstr("followed by a letter or a digit of another base"));
  EXPECT_THAT(error("18446744073709551616"), testing::HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(error("\"abc\ndef\""), testing::HasSubstr("has no end on its line"));
  EXPECT_THAT(error("/* abc"), testing::HasSubstr("a comment has no end"));
  EXPECT_THAT(error("ld . global"), testing::HasSubstr("a dot stands alone"));
}

}  // namespace
}  // namespace ridge::ptx
