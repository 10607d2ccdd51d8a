#include "collectors/agent/lease.h"

#include <gtest/gtest.h>

namespace ridge::collectors::agent {
namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kStart = 5'000 * kMs;

LeasePlan held(bool shared) {
  LeasePlan plan(true, shared);
  plan.begin(kStart);
  plan.answered(true, kStart);
  return plan;
}

TEST(AgentLease, IsAskedForOnceAndHeldWhenGranted) {
  LeasePlan plan(true, true);
  EXPECT_TRUE(plan.begin(kStart));
  EXPECT_FALSE(plan.begin(kStart));
  EXPECT_TRUE(plan.waiting());
  EXPECT_TRUE(plan.answered(true, kStart));
  EXPECT_TRUE(plan.held());
  EXPECT_FALSE(plan.waiting());
}

TEST(AgentLease, IsNeverAskedForWithoutCounters) {
  LeasePlan plan(false, true);
  EXPECT_FALSE(plan.begin(kStart));
  EXPECT_FALSE(plan.answered(true, kStart)) << "given back at once";
}

TEST(AgentLease, IsGivenBackAfterThreeTenthsOfASecondOfOldLaunches) {
  LeasePlan plan = held(true);
  std::uint64_t now = kStart;
  for (int i = 0; i < 29; ++i) EXPECT_FALSE(plan.at_launch(false, false, now += 10 * kMs)) << i;
  EXPECT_FALSE(plan.at_launch(true, false, now += 10 * kMs)) << "something new";
  for (int i = 0; i < 29; ++i) EXPECT_FALSE(plan.at_launch(false, false, now += 10 * kMs)) << i;
  EXPECT_TRUE(plan.at_launch(false, false, now + 10 * kMs));
}

TEST(AgentLease, APauseIsNotLaunching) {
  LeasePlan plan = held(true);
  EXPECT_FALSE(plan.at_launch(false, false, kStart + 60'000 * kMs));
  EXPECT_FALSE(plan.at_launch(false, false, kStart + 120'000 * kMs));
}

TEST(AgentLease, ButWhoDoesNotLaunchDoesNotNeedIt) {
  const LeasePlan plan = held(true);
  EXPECT_FALSE(plan.idle(kStart + 900 * kMs));
  EXPECT_TRUE(plan.idle(kStart + 1'100 * kMs));
}

TEST(AgentLease, WithoutASamplerItIsKept) {
  LeasePlan plan = held(false);
  std::uint64_t now = kStart;
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(plan.at_launch(false, true, now += 10 * kMs));
  EXPECT_FALSE(plan.idle(now + 60'000 * kMs));
}

TEST(AgentLease, IsGivenBackWhenTheBudgetIsSpentOrCountersAreLost) {
  LeasePlan plan = held(true);
  EXPECT_TRUE(plan.at_launch(true, true, kStart + 1));
  LeasePlan lost = held(false);
  lost.finish();
  EXPECT_TRUE(lost.at_launch(true, false, kStart + 1));
  EXPECT_TRUE(lost.idle(kStart + 1));
}

TEST(AgentLease, IsWantedAgainAtTwoPerCentOfPendingTime) {
  LeasePlan plan = held(true);
  plan.returned(kStart);
  const std::uint64_t later = kStart + 2'000 * kMs;
  EXPECT_FALSE(plan.at_record(false, 980, false, later));
  EXPECT_FALSE(plan.at_record(true, 10, false, later));
  EXPECT_TRUE(plan.at_record(true, 10, false, later));
  EXPECT_FALSE(plan.at_record(true, 1000, false, later)) << "asked already";
  EXPECT_TRUE(plan.answered(true, later));
}

TEST(AgentLease, IsNotWantedAgainAtOnceNorBeyondTheBudget) {
  LeasePlan plan = held(true);
  plan.returned(kStart);
  EXPECT_FALSE(plan.at_record(true, 1000, false, kStart + 500 * kMs));
  EXPECT_FALSE(plan.at_record(true, 1000, true, kStart + 2'000 * kMs));
  EXPECT_TRUE(plan.at_record(false, 10, false, kStart + 2'000 * kMs));
}

TEST(AgentLease, ARefusalMayBeFollowedByAnotherRequest) {
  LeasePlan plan(true, true);
  plan.begin(kStart);
  EXPECT_TRUE(plan.answered(false, kStart));
  EXPECT_FALSE(plan.held());
  EXPECT_TRUE(plan.at_record(true, 1000, false, kStart + 2'000 * kMs));
}

TEST(AgentLease, IsKeptWhileRangesAreMeasuredAndASecondLonger) {
  LeasePlan plan = held(true);
  std::uint64_t now = kStart;
  plan.range(true, now);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(plan.at_launch(false, true, now += 50 * kMs));
  EXPECT_FALSE(plan.idle(now + 60'000 * kMs));
  plan.range(false, now);
  EXPECT_FALSE(plan.at_launch(false, true, now + 900 * kMs));
  EXPECT_FALSE(plan.idle(now + 900 * kMs));
  EXPECT_TRUE(plan.at_launch(false, true, now + 1'100 * kMs));
  EXPECT_TRUE(plan.idle(now + 2'200 * kMs));
}

TEST(AgentLease, ARangeDoesNotKeepCountersThatAreLost) {
  LeasePlan plan = held(true);
  plan.range(true, kStart);
  plan.finish();
  EXPECT_TRUE(plan.at_launch(false, false, kStart + 1));
  EXPECT_TRUE(plan.idle(kStart + 1));
}

}  // namespace
}  // namespace ridge::collectors::agent
