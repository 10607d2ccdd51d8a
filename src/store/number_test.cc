#include "store/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace ridge::store {
namespace {

TEST(NumberTest, ZigzagKeepsSmallNumbersSmallAndInverts) {
  EXPECT_EQ(zigzag(0), 0U);
  EXPECT_EQ(zigzag(-1), 1U);
  EXPECT_EQ(zigzag(1), 2U);
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-7}, std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
}

TEST(NumberTest, PacksWholeNumbersAndNanoseconds) {
  EXPECT_EQ(pack(137438953472.0).form, DoubleForm::kInteger);
  EXPECT_EQ(pack(345600 * 1e-9).whole, 345600);
  EXPECT_NE(pack(345600 * 1e-9).form, DoubleForm::kBits);
  EXPECT_NE(pack(7 / 1e9).form, DoubleForm::kBits);
}

TEST(NumberTest, KeepsTheBitsOfNumbersNoShortFormHolds) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {-0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                             Limits::denorm_min(), 1.0 / 3.0, 1e300}) {
    EXPECT_EQ(pack(value).form, DoubleForm::kBits) << value;
  }
}

TEST(NumberTest, UnpacksEveryShortFormToTheSameBits) {
  double value = 1;
  for (int i = 0; i < 2000; ++i) {
    value = std::fmod(value * 1.37e3 + 0.123, 1e13);
    for (const double candidate :
         {std::floor(value), std::floor(value) * 1e-9, std::floor(value) / 1e9, -1 - std::floor(value)}) {
      const PackedDouble packed = pack(candidate);
      ASSERT_NE(packed.form, DoubleForm::kBits) << candidate;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(unpack(packed.form, packed.whole)),
                std::bit_cast<std::uint64_t>(candidate));
    }
  }
}

}  // namespace
}  // namespace ridge::store
