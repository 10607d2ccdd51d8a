#include "collectors/session/attribute.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace ridge::collectors::session {
namespace {

using Works = std::map<std::uint64_t, std::optional<SampledWork>>;

DeviceSample sample(Nanoseconds start, Nanoseconds end, double read, double active = 1) {
  DeviceSample result;
  result.start = start;
  result.end = end;
  result.dram_read = read;
  result.dram_write = read / 2;
  result.warp_instructions = read * 3;
  result.sm_active = active;
  result.occupancy = 0.5;
  return result;
}

Works works(const std::vector<Attribution::Answer>& answers) {
  Works result;
  for (const auto& answer : answers) result[answer.ticket] = answer.work;
  return result;
}

TEST(AttributionTest, ALaunchAloneTakesEverythingInItsSamples) {
  Attribution attribution;
  for (Nanoseconds t = 0; t < 100; t += 10) attribution.add_sample(sample(t, t + 10, 8));
  attribution.add_launch(1, 0, 100);
  const Works got = works(attribution.finish());
  ASSERT_TRUE(got.at(1));
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 80);
  EXPECT_FLOAT_EQ(*got.at(1)->dram_write, 40);
  EXPECT_FLOAT_EQ(*got.at(1)->warp_instructions, 240);
  EXPECT_FLOAT_EQ(*got.at(1)->sm_active, 1);
  EXPECT_FLOAT_EQ(*got.at(1)->occupancy, 0.5);
  EXPECT_EQ(got.at(1)->uncertainty, 0);
}

TEST(AttributionTest, WhatTheChipDoesNotSampleIsAbsent) {
  Attribution attribution;
  attribution.add_sample(sample(0, 10, 8));
  attribution.add_launch(1, 0, 10);
  const Works got = works(attribution.finish());
  EXPECT_FALSE(got.at(1)->l2);
  EXPECT_FALSE(got.at(1)->tensor_active);
}

TEST(AttributionTest, AnEdgeSampleWithNoNeighbourIsAllItsOwn) {
  Attribution attribution;
  attribution.add_sample(sample(0, 10, 6));
  attribution.add_sample(sample(10, 20, 8));
  attribution.add_launch(1, 5, 20);
  const Works got = works(attribution.finish());
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 14);
  EXPECT_EQ(got.at(1)->uncertainty, 0);
}

TEST(AttributionTest, NeighboursShareASampleByTheirTimeInIt) {
  Attribution attribution;
  attribution.add_sample(sample(0, 10, 10));
  attribution.add_sample(sample(10, 20, 10));
  attribution.add_sample(sample(20, 30, 10));
  attribution.add_launch(1, 0, 13);
  attribution.add_launch(2, 13, 30);
  const Works got = works(attribution.finish());
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 13);
  EXPECT_FLOAT_EQ(*got.at(2)->dram_read, 17);
  EXPECT_FLOAT_EQ(got.at(1)->uncertainty, 3.0F / 13);
  EXPECT_FLOAT_EQ(got.at(2)->uncertainty, 7.0F / 17);
}

TEST(AttributionTest, LaunchesAtTheSameTimeShareAndAreUncertain) {
  Attribution attribution;
  for (Nanoseconds t = 0; t < 40; t += 10) attribution.add_sample(sample(t, t + 10, 10));
  attribution.add_launch(1, 0, 40);
  attribution.add_launch(2, 10, 30);
  const Works got = works(attribution.finish());
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 30);
  EXPECT_FLOAT_EQ(*got.at(2)->dram_read, 10);
  EXPECT_FLOAT_EQ(got.at(1)->uncertainty, 10.0F / 30);
  EXPECT_EQ(got.at(2)->uncertainty, 1);
}

TEST(AttributionTest, ShortLaunchesWithinOneSampleAreAllUncertain) {
  Attribution attribution;
  attribution.add_sample(sample(0, 100, 30));
  for (std::uint64_t i = 0; i < 3; ++i) attribution.add_launch(i, i * 30, i * 30 + 20);
  for (const auto& [ticket, work] : works(attribution.finish())) {
    EXPECT_FLOAT_EQ(*work->dram_read, 10);
    EXPECT_EQ(work->uncertainty, 1);
  }
}

TEST(AttributionTest, ACopysBytesAreTakenOff) {
  Attribution attribution;
  attribution.add_sample(sample(0, 10, 10));
  attribution.add_launch(1, 0, 10);
  attribution.add_copy(0, 20, 8, 100);  // half of it in the sample: 4 read, more written than was seen
  const Works got = works(attribution.finish());
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 6);
  EXPECT_FLOAT_EQ(*got.at(1)->dram_write, 0);
  EXPECT_EQ(got.at(1)->uncertainty, 1);
}

TEST(AttributionTest, WithFiltersTheRestOfASampleMayBeAnothers) {
  Attribution attribution(false);
  attribution.add_sample(sample(0, 10, 10));
  attribution.add_sample(sample(10, 20, 10));
  attribution.add_launch(1, 5, 20);
  const Works got = works(attribution.finish());
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 15);
  EXPECT_FLOAT_EQ(got.at(1)->uncertainty, 5.0F / 15);
}

TEST(AttributionTest, ALaunchThatSamplesCoverInPartGetsNone) {
  Attribution attribution;
  attribution.add_sample(sample(50, 100, 10));
  attribution.add_launch(1, 0, 100);
  attribution.add_launch(2, 200, 300);
  const Works got = works(attribution.finish());
  EXPECT_FALSE(got.at(1));
  EXPECT_FALSE(got.at(2));
  EXPECT_EQ(attribution.late(), 0U);
}

TEST(AttributionTest, LaunchesOfUnsettledTimeWait) {
  Attribution attribution;
  attribution.add_launch(1, 0, 100);
  attribution.add_launch(2, 100, 200);
  attribution.add_sample(sample(0, 100, 10));
  EXPECT_EQ(works(attribution.settle(150)).size(), 1U);
  EXPECT_EQ(attribution.waiting_launches(), 1U);
  attribution.add_sample(sample(100, 200, 20));
  const Works got = works(attribution.settle(200));
  EXPECT_FLOAT_EQ(*got.at(2)->dram_read, 20);
}

TEST(AttributionTest, ALongLaunchTakesItsSamplesWhenItsRecordComesAtItsEnd) {
  Attribution attribution;
  constexpr Nanoseconds kStep = 1'000'000;
  for (Nanoseconds t = 0; t < 5000 * kStep; t += kStep) {
    attribution.add_sample(sample(t, t + kStep, 2));
    (void)attribution.settle(t);
  }
  EXPECT_LT(attribution.waiting_samples(), 1000U) << "they are joined";
  attribution.add_launch(1, 100 * kStep, 4900 * kStep);
  const Works got = works(attribution.finish());
  ASSERT_TRUE(got.at(1));
  EXPECT_NEAR(*got.at(1)->dram_read, 9600, 1);
  EXPECT_LT(got.at(1)->uncertainty, 0.01);
  EXPECT_EQ(attribution.late(), 0U);
  EXPECT_NEAR(attribution.unexplained().count(), 0.2, 0.01);
}

TEST(AttributionTest, ARecordThatComesAfterItsSamplesWereGivenAwayIsLate) {
  Attribution attribution;
  attribution.add_sample(sample(0, 100, 10));
  attribution.add_launch(1, 0, 100);
  (void)attribution.settle(100);
  attribution.add_launch(2, 20, 60);
  const Works got = works(attribution.settle(200));
  EXPECT_FALSE(got.at(2));
  EXPECT_EQ(attribution.late(), 1U);
}

TEST(AttributionTest, WorkWithoutALaunchIsUnexplained) {
  Attribution attribution;
  for (Nanoseconds t = 0; t < 1000; t += 10) attribution.add_sample(sample(t, t + 10, 4));
  for (Nanoseconds t = 1000; t < 2000; t += 10) attribution.add_sample(sample(t, t + 10, 0, 0));
  attribution.add_launch(1, 0, 300);
  attribution.add_copy(300, 500, 0, 0);
  (void)attribution.finish();
  // Of the 500 ns, the first sample after the copy may be its own.
  EXPECT_NEAR(attribution.unexplained().count() * 1e9, 490, 1);
  EXPECT_NEAR(attribution.busy().count() * 1e9, 1000, 1);
}

TEST(AttributionTest, SamplesMayComeOutOfOrder) {
  Attribution attribution;
  attribution.add_sample(sample(10, 20, 2));
  attribution.add_sample(sample(0, 10, 1));
  attribution.add_launch(1, 0, 10);
  attribution.add_launch(2, 10, 20);
  const Works got = works(attribution.finish());
  EXPECT_FLOAT_EQ(*got.at(1)->dram_read, 1);
  EXPECT_FLOAT_EQ(*got.at(2)->dram_read, 2);
}

TEST(AttributionTest, ASampleWithoutLengthIsNone) {
  Attribution attribution;
  attribution.add_sample(sample(10, 10, 5));
  attribution.add_launch(1, 0, 20);
  EXPECT_FALSE(works(attribution.finish()).at(1));
}

/// Whatever comes in whatever order and is settled in whatever steps: what was counted is given once.
TEST(AttributionTest, NothingIsCountedTwice) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Attribution attribution;
    std::uniform_int_distribution<Nanoseconds> length(1, 60), gap(0, 20);
    double counted = 0;
    for (Nanoseconds t = 0; t < 2000; t += 10) {
      attribution.add_sample(sample(t, t + 10, 1));
      counted += 1;
    }
    double given = 0;
    std::uint64_t launches = 0;
    const auto add = [&](const std::vector<Attribution::Answer>& answers) {
      for (const auto& answer : answers) given += answer.work ? *answer.work->dram_read : 0;
    };
    // The time is filled without a hole, with launches that overlap by up to 20 ns.
    for (Nanoseconds t = 0; t < 2000;) {
      const Nanoseconds end = t + length(random) + 21;
      attribution.add_launch(++launches, t, std::min<Nanoseconds>(end, 2000));
      t = end - gap(random);
    }
    for (Nanoseconds t = 0; t < 2000; t += 100 + length(random)) add(attribution.settle(t));
    add(attribution.finish());
    EXPECT_NEAR(given, counted, 1e-3 * counted);
    EXPECT_EQ(attribution.unexplained().count(), 0);
  }
}

}  // namespace
}  // namespace ridge::collectors::session
