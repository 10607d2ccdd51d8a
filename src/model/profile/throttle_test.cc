#include "model/profile/throttle.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(ThrottleTest, ReasonsHaveNames) {
  EXPECT_EQ(throttle_names(0), std::vector<std::string_view>());
  EXPECT_EQ(throttle_names(0x24), (std::vector<std::string_view>{"power-cap", "software-thermal"}));
  EXPECT_EQ(throttle_names(0x1), std::vector<std::string_view>{"idle"});
  EXPECT_EQ(throttle_names(0x8000), std::vector<std::string_view>{"unknown"});
  EXPECT_EQ(0x1 & kSlowingReasons, 0U);
}

}  // namespace
}  // namespace ridge
