#include "collectors/session/telemetry.h"

#include <gtest/gtest.h>

#include "collectors/session/lease.h"

namespace ridge::collectors::session {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

Value<Hertz> clock_of(double hertz) {
  return Value<Hertz>(Hertz(hertz), Provenance::kSampled);
}

TEST(ClockWatchTest, OnlyReadingsWhileKernelsRanCount) {
  ClockWatch watch;
  watch.add_reading(20 * kMs, clock_of(1.9e9), {});
  watch.add_reading(120 * kMs, clock_of(1.7e9), {"power-cap"});
  watch.add_reading(220 * kMs, clock_of(0.3e9), {});  // idle
  watch.add_kernel(0, 150 * kMs);
  watch.settle(1000 * kMs);
  const ClockWatch::Summary& summary = watch.summary();
  EXPECT_EQ(summary.readings, 2U);
  EXPECT_EQ(summary.low.count(), 1.7e9);
  EXPECT_EQ(summary.high.count(), 1.9e9);
  EXPECT_EQ(summary.slowed, 1U);
  EXPECT_EQ(summary.reasons, (std::set<std::string>{"power-cap"}));
}

TEST(ClockWatchTest, AReadingWaitsForTheKernelsOfItsTime) {
  ClockWatch watch;
  watch.add_reading(20 * kMs, clock_of(1.9e9), {});
  watch.settle(10 * kMs);
  watch.add_kernel(0, 50 * kMs);
  watch.settle(100 * kMs);
  EXPECT_EQ(watch.summary().readings, 1U);
}

TEST(LeaseDeskTest, ProgramsComeFirstAndInOrder) {
  LeaseDesk desk;
  EXPECT_TRUE(desk.sampler_may_run());
  desk.ask(1);
  desk.ask(2);
  EXPECT_FALSE(desk.sampler_may_run());
  EXPECT_FALSE(desk.grant(false)) << "the sampler still has them";
  EXPECT_EQ(desk.grant(true), 1U);
  EXPECT_FALSE(desk.grant(true));
  desk.give_back(1);
  EXPECT_FALSE(desk.sampler_may_run());
  EXPECT_EQ(desk.grant(true), 2U);
  desk.give_back(2);
  EXPECT_TRUE(desk.sampler_may_run());
}

TEST(LeaseDeskTest, OneThatGoesWhileItWaitsIsForgotten) {
  LeaseDesk desk;
  desk.ask(1);
  desk.give_back(1);
  EXPECT_TRUE(desk.sampler_may_run());
  EXPECT_FALSE(desk.grant(true));
}

TEST(LeaseDeskTest, TheHolderThatAsksAgainIsAnsweredAgain) {
  LeaseDesk desk;
  desk.ask(1);
  EXPECT_EQ(desk.grant(true), 1U);
  desk.ask(1);
  EXPECT_EQ(desk.grant(true), 1U);
  EXPECT_FALSE(desk.grant(true));
}

}  // namespace
}  // namespace ridge::collectors::session
