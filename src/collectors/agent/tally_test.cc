#include "collectors/agent/tally.h"

#include <gtest/gtest.h>

namespace ridge::collectors::agent {
namespace {

TEST(AgentTally, KernelsBelongToTheRangeThatHoldsTheirMiddle) {
  RangeTally tally;
  tally.open(0, 1000);
  tally.kernel(0, 1, 900, 1000);   // before
  tally.kernel(0, 2, 990, 1100);   // the clocks differ a little
  tally.kernel(0, 3, 1200, 1300);  // inside
  tally.kernel(1, 4, 1200, 1300);  // of another device
  tally.ends(2000);
  tally.kernel(0, 5, 1950, 2020);  // the clocks again
  tally.kernel(0, 6, 2100, 2300);  // after, though its record came before the range was closed
  EXPECT_EQ(tally.kernels(), 3U);
  const KernelTally found = tally.close();
  EXPECT_EQ(found.launches, 3U);
  EXPECT_EQ(found.time, 110U + 100U + 70U);
  EXPECT_TRUE(found.whole);
}

TEST(AgentTally, ARecordWithoutTimesOrALostOneLeavesTheRangeIncomplete) {
  RangeTally tally;
  tally.open(0, 1000);
  tally.kernel(0, 1, 0, 0);
  EXPECT_FALSE(tally.close().whole);
  tally.open(0, 1000);
  tally.lost();
  EXPECT_FALSE(tally.close().whole);
  tally.open(0, 1000);
  EXPECT_TRUE(tally.close().whole) << "a new range begins anew";
}

TEST(AgentTally, AReplayedLaunchHasNoTimesAndIsOfNoRange) {
  RangeTally tally;
  tally.replayed(7);
  tally.open(0, 1000);
  tally.kernel(0, 7, 0, 0);
  EXPECT_TRUE(tally.close().whole);
}

TEST(AgentTally, TheProfilersOwnKernelIsKnownOnceRangesAreCounted) {
  RangeTally tally;
  EXPECT_FALSE(tally.is_of_profiler("WaitNs", 1, 1)) << "a program may have a kernel of that name";
  tally.counted();
  EXPECT_TRUE(tally.is_of_profiler("WaitNs", 1, 1));
  EXPECT_FALSE(tally.is_of_profiler("WaitNs", 2, 1));
  EXPECT_FALSE(tally.is_of_profiler("WaitNsToo", 1, 1));
  EXPECT_FALSE(tally.is_of_profiler(nullptr, 1, 1));
}

}  // namespace
}  // namespace ridge::collectors::agent
