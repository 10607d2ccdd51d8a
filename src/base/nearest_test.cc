#include "base/nearest.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(NearestTest, FindsSwappedMissingAndWrongLetters) {
  const std::vector<std::string> names{"vector_add", "saxpy", "reduction"};
  EXPECT_EQ(nearest("vecotr_add", names), "vector_add");
  EXPECT_EQ(nearest("reducton", names), "reduction");
  EXPECT_EQ(nearest("saxpi", names), "saxpy");
}

TEST(NearestTest, FindsTheBeginningOfAName) {
  EXPECT_EQ(nearest("red", {"saxpy", "reduction"}), "reduction");
}

TEST(NearestTest, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest("xyzzy", {"saxpy", "reduction"}), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), {"saxpy"}), "");
}

}  // namespace
}  // namespace ridge
