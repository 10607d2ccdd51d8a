#include "base/words.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

using Parts = std::vector<std::string_view>;

TEST(WordsTest, BlanksAtTheEndsGoAndThoseInsideStay) {
  EXPECT_EQ(trim(" \ta b\t c "), "a b\t c");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \t "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(WordsTest, PartsThatAreEmptyAreNone) {
  EXPECT_EQ(parts_of("  a b  c ", " "), (Parts{"a", "b", "c"}));
  EXPECT_EQ(parts_of("a | b|c | ", " | "), (Parts{"a", "b|c"}));
  EXPECT_EQ(parts_of("a", ","), Parts{"a"});
  EXPECT_TRUE(parts_of("", ",").empty());
  EXPECT_TRUE(parts_of(",,", ",").empty());
}

}  // namespace
}  // namespace ridge
