#include "collectors/fake/timeline.h"

#include <gtest/gtest.h>

namespace ridge::collectors::fake {
namespace {

TEST(FakeTimelineTest, AnIdleStreamStartsAtOnce) {
  Timeline timeline;
  const Span span = timeline.schedule(0, 7, 1000, 50);
  EXPECT_EQ(span.start, 1000U);
  EXPECT_EQ(span.end, 1050U);
}

TEST(FakeTimelineTest, WorkOfOneStreamFollowsInOrder) {
  Timeline timeline;
  timeline.schedule(0, 7, 1000, 50);
  const Span second = timeline.schedule(0, 7, 1010, 5);
  EXPECT_EQ(second.start, 1050U);
  EXPECT_EQ(timeline.end_of(0, 7), 1055U);
}

TEST(FakeTimelineTest, StreamsAndDevicesDoNotWaitForEachOther) {
  Timeline timeline;
  timeline.schedule(0, 7, 1000, 500);
  EXPECT_EQ(timeline.schedule(0, 8, 1000, 5).start, 1000U);
  EXPECT_EQ(timeline.schedule(1, 7, 1000, 5).start, 1000U);
}

TEST(FakeTimelineTest, ADeviceEndsWithItsLastStream) {
  Timeline timeline;
  EXPECT_EQ(timeline.end_of(0), 0U);
  timeline.schedule(0, 7, 1000, 500);
  timeline.schedule(0, 8, 1000, 5);
  EXPECT_EQ(timeline.end_of(0), 1500U);
  EXPECT_EQ(timeline.end_of(1), 0U);
}

}  // namespace
}  // namespace ridge::collectors::fake
