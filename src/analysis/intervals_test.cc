#include "analysis/intervals.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge {
namespace {

TEST(IntervalsTest, OverlapsCountOnce) {
  Intervals intervals;
  intervals.add(Seconds(2), Seconds(2));
  intervals.add(Seconds(0), Seconds(1));
  intervals.add(Seconds(3), Seconds(3));
  intervals.add(Seconds(3.5), Seconds(0.5));
  intervals.join();
  EXPECT_DOUBLE_EQ(intervals.covered().count(), 1 + 4);
  EXPECT_DOUBLE_EQ(intervals.span().count(), 6);
  EXPECT_DOUBLE_EQ(intervals.longest_gap().count(), 1);
}

TEST(IntervalsTest, NeighboursThatTouchLeaveNoGap) {
  Intervals intervals;
  intervals.add(Seconds(0), Seconds(1));
  intervals.add(Seconds(1), Seconds(1));
  intervals.join();
  EXPECT_DOUBLE_EQ(intervals.longest_gap().count(), 0);
  EXPECT_DOUBLE_EQ(intervals.covered().count(), 2);
}

TEST(IntervalsTest, FindsWhetherATimeIsCovered) {
  Intervals intervals;
  intervals.add(Seconds(1), Seconds(1));
  intervals.add(Seconds(4), Seconds(1));
  intervals.join();
  EXPECT_FALSE(intervals.contains(Seconds(0.5)));
  EXPECT_TRUE(intervals.contains(Seconds(1)));
  EXPECT_TRUE(intervals.contains(Seconds(2)));
  EXPECT_FALSE(intervals.contains(Seconds(3)));
  EXPECT_TRUE(intervals.contains(Seconds(4.5)));
  EXPECT_FALSE(intervals.contains(Seconds(6)));
}

TEST(IntervalsTest, NothingCoversNothingAndBadTimesAreLeftOut) {
  Intervals intervals;
  intervals.add(Seconds(std::numeric_limits<double>::quiet_NaN()), Seconds(1));
  intervals.add(Seconds(0), Seconds(std::numeric_limits<double>::infinity()));
  intervals.add(Seconds(0), Seconds(-1));
  intervals.join();
  EXPECT_TRUE(intervals.empty());
  EXPECT_EQ(intervals.covered().count(), 0);
  EXPECT_EQ(intervals.span().count(), 0);
  EXPECT_EQ(intervals.longest_gap().count(), 0);
  EXPECT_FALSE(intervals.contains(Seconds(0)));
}

}  // namespace
}  // namespace ridge
