#include "ridgepoint/base/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace ridge {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

TEST(UnitsTest, BytesAndFlopsDoNotAdd) {
  static_assert(!Addable<Bytes, Flops>);
  static_assert(!Addable<Flops, FlopsPerSecond>);
  static_assert(!Addable<Seconds, double>);
  static_assert(Addable<Bytes, Bytes>);
}

TEST(UnitsTest, QuotientsHaveTheirOwnTypes) {
  static_assert(std::is_same_v<decltype(Flops(1) / Bytes(1)), FlopsPerByte>);
  static_assert(std::is_same_v<decltype(Bytes(1) / Seconds(1)), BytesPerSecond>);
  static_assert(std::is_same_v<decltype(FlopsPerByte(1) * BytesPerSecond(1)), FlopsPerSecond>);
  static_assert(std::is_same_v<decltype(Flops(1) / FlopsPerSecond(1)), Seconds>);
  static_assert(std::is_same_v<decltype(1.0 / Seconds(1)), Hertz>);
}

TEST(UnitsTest, EqualDimensionsDivideToAPlainNumber) {
  static_assert(std::is_same_v<decltype(Seconds(3) / Seconds(2)), double>);
  EXPECT_DOUBLE_EQ(Seconds(3) / Seconds(2), 1.5);
}

}  // namespace
}  // namespace ridge
