#include "importers/ncu/kernel_match.h"

#include <gtest/gtest.h>

namespace ridge::ncu {
namespace {

TEST(KernelMatchTest, ComparesNamesWithoutCastsAndSpaces) {
  EXPECT_EQ(comparable_name("void f<(int)32, (bool)1, (unsigned long)7>(float *)"),
            comparable_name("void f<32, 1, 7>(float*)"));
  EXPECT_EQ(comparable_name("f<(int)-1>()"), "f<-1>()");
  EXPECT_NE(comparable_name("f(int)"), comparable_name("f()"));
  EXPECT_NE(comparable_name("f<(int)32>()"), comparable_name("f<(int)16>()"));
}

TEST(KernelMatchTest, GivesTheNthMentionToTheNthLaunch) {
  const std::vector<std::string> launches = {"a()", "b()", "a()", "c<32>()"};
  const std::vector<std::string> wanted = {"a()", "a()", "a()", "c<(int)32>()", "d()"};
  const auto matches = match_kernels(wanted, launches);
  ASSERT_EQ(matches.size(), 5U);
  EXPECT_EQ(matches[0], 0U);
  EXPECT_EQ(matches[1], 2U);
  EXPECT_FALSE(matches[2]);
  EXPECT_EQ(matches[3], 3U);
  EXPECT_FALSE(matches[4]);
}

}  // namespace
}  // namespace ridge::ncu
