#include "collectors/agent/filter.h"

#include <gtest/gtest.h>

namespace ridge::collectors::agent {
namespace {

constexpr wire::Nanoseconds kHello = 1000;

TEST(AgentFilter, WithoutSettingsEveryRecordIsKeptAndNoCallbackNeeded) {
  Filter filter(wire::Settings{}, kHello);
  EXPECT_FALSE(filter.needs_launches());
  EXPECT_TRUE(filter.window_open(kHello));
  EXPECT_FALSE(filter.over(kHello + 1'000'000'000));
  EXPECT_TRUE(filter.at_record(7, 3, true, kHello));
}

TEST(AgentFilter, OnlyTheDevicesAskedFor) {
  wire::Settings settings;
  settings.devices = {0, 2};
  Filter filter(settings, kHello);
  EXPECT_TRUE(filter.at_record(1, 2, false, kHello));
  EXPECT_FALSE(filter.at_record(1, 1, false, kHello));
}

TEST(AgentFilter, DelayAndDurationMakeAWindow) {
  wire::Settings settings;
  settings.delay = 100;
  settings.duration = 50;
  const Filter filter(settings, kHello);
  EXPECT_FALSE(filter.window_open(kHello + 99));
  EXPECT_TRUE(filter.window_open(kHello + 100));
  EXPECT_FALSE(filter.window_open(kHello + 150));
  EXPECT_TRUE(filter.over(kHello + 150));
  EXPECT_FALSE(filter.over(kHello + 149));
}

TEST(AgentFilter, ARecordOutsideOfTheWindowIsDropped) {
  wire::Settings settings;
  settings.delay = 100;
  settings.duration = 50;
  Filter filter(settings, kHello);
  EXPECT_FALSE(filter.at_record(1, 0, false, kHello + 99));
  EXPECT_TRUE(filter.at_record(1, 0, false, kHello + 100));
  EXPECT_FALSE(filter.at_record(1, 0, false, kHello + 150));
  EXPECT_TRUE(filter.at_record(1, 0, false, 0)) << "a replayed launch has no times";
}

TEST(AgentFilter, FromProfilerStartOnly) {
  wire::Settings settings;
  settings.from_start = false;
  Filter filter(settings, kHello);
  EXPECT_FALSE(filter.window_open(kHello));
  filter.capture(true);
  EXPECT_TRUE(filter.window_open(kHello));
  filter.capture(false);
  EXPECT_FALSE(filter.window_open(kHello));
}

TEST(AgentFilter, SkipAndCountGoByTheOrderOfCallsNotOfRecords) {
  wire::Settings settings;
  settings.skip = 1;
  settings.count = 2;
  Filter filter(settings, kHello);
  ASSERT_TRUE(filter.needs_launches());
  EXPECT_FALSE(filter.at_launch(10, 0, false, kHello));
  EXPECT_TRUE(filter.at_launch(11, 0, false, kHello));
  EXPECT_FALSE(filter.over(kHello));
  EXPECT_TRUE(filter.at_launch(12, 0, false, kHello));
  EXPECT_TRUE(filter.over(kHello));
  EXPECT_FALSE(filter.at_launch(13, 0, false, kHello));
  // Records of two streams come in another order.
  EXPECT_TRUE(filter.at_record(12, 0, false, kHello));
  EXPECT_FALSE(filter.at_record(13, 0, false, kHello));
  EXPECT_FALSE(filter.at_record(10, 0, false, kHello));
  EXPECT_TRUE(filter.at_record(11, 0, false, kHello));
}

TEST(AgentFilter, NodesOfGraphsAreCountedAsTheirRecordsCome) {
  wire::Settings settings;
  settings.count = 1;
  Filter filter(settings, kHello);
  EXPECT_TRUE(filter.at_record(5, 0, true, kHello));
  EXPECT_FALSE(filter.at_record(5, 0, true, kHello));
}

TEST(AgentFilter, OnlyInsideTheRangeAndGraphsLaunchedThere) {
  wire::Settings settings;
  settings.range = "step";
  Filter filter(settings, kHello);
  EXPECT_FALSE(filter.at_launch(1, 0, false, kHello));
  EXPECT_TRUE(filter.at_launch(2, 0, true, kHello));
  filter.at_graph_launch(3, true);
  filter.at_graph_launch(4, false);
  EXPECT_FALSE(filter.at_record(1, 0, false, kHello));
  EXPECT_TRUE(filter.at_record(2, 0, false, kHello));
  EXPECT_TRUE(filter.at_record(3, 0, true, kHello));
  EXPECT_TRUE(filter.at_record(3, 0, true, kHello));
  EXPECT_FALSE(filter.at_record(4, 0, true, kHello));
  EXPECT_FALSE(filter.at_record(9, 0, false, kHello)) << "nobody saw where it was launched";
}

}  // namespace
}  // namespace ridge::collectors::agent
