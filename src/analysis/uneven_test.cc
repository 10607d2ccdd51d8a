// Launches of one shape that show that they do not all do the same work, and those that only look so.
#include "analysis/uneven.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

using test::measured;

Measurement counted(double bytes, double instructions = 1e6) {
  Measurement m = test::idle_measurement();
  test::add_fp32(m, 0.5e9);
  m.work.bytes.dram = measured<Bytes>(bytes);
  m.work.instructions.warp_instructions = measured<double>(instructions);
  return m;
}

/// One kernel of a live recording: a measured launch, then others that it stands for.
class UnevenTest : public testing::Test {
 protected:
  void SetUp() override {
    builder_.live(Tier::kCounters);
    kernel_ = builder_.kernel("k");
  }
  void measure(double seconds, double bytes = 100e6, double instructions = 1e6) {
    builder_.launch(kernel_, seconds, counted(bytes, instructions));
    if (!representative_) representative_ = test::as_representative(counted(bytes, instructions));
  }
  void other(double seconds) { builder_.launch(kernel_, seconds, *representative_); }
  void others(std::size_t count, double seconds) {
    for (std::size_t i = 0; i < count; ++i) other(seconds);
  }
  std::optional<UnevenWork> uneven(const RunningClock& clock = {}) {
    LaunchIndices all;
    for (std::uint32_t i = 0; i < builder_.profile().launches.size(); ++i) all.push_back(i);
    return uneven_work(builder_.profile(), all, clock);
  }
  const Issue* issue(const Report& report, std::string_view id) {
    const auto found = std::find_if(report.issues.begin(), report.issues.end(),
                                    [&](const Issue& each) { return each.message.id == id; });
    return found == report.issues.end() ? nullptr : &*found;
  }

  test::ProfileBuilder builder_;
  std::uint32_t kernel_ = 0;
  std::optional<Measurement> representative_;
};

TEST_F(UnevenTest, LaunchesThatAreAlikeShowNothing) {
  measure(100e-6);
  for (int i = 0; i < 50; ++i) other(100e-6 + 1e-6 * (i % 10));
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, DurationsThatSpreadShowOtherWork) {
  measure(100e-6);
  for (int i = 0; i < 40; ++i) other(i % 2 == 0 ? 100e-6 : 400e-6);
  const auto found = uneven();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->quantity, "duration");
  EXPECT_EQ(found->least, 100e-6);
  EXPECT_EQ(found->most, 400e-6);
  EXPECT_EQ(found->measured, 100e-6);
  EXPECT_FALSE(found->caches);
}

TEST_F(UnevenTest, ASlowFirstLaunchAndAFewOutliersAreNoSpread) {
  measure(100e-6);
  other(3e-3);
  others(48, 100e-6);
  other(900e-6);
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, ClocksThatChangedExplainDurationsThatSpread) {
  measure(100e-6);
  for (int i = 0; i < 40; ++i) other(i % 2 == 0 ? 100e-6 : 180e-6);
  EXPECT_TRUE(uneven());
  EXPECT_FALSE(uneven({measured<Hertz>(1.5e9), 1.6}));
}

TEST_F(UnevenTest, ShortLaunchesVaryBySomeMicroseconds) {
  measure(3e-6);
  for (int i = 0; i < 40; ++i) other(i % 2 == 0 ? 3e-6 : 7e-6);
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, OneOtherLaunchFarFromTheMeasuredOneIsEnough) {
  measure(100e-6);
  other(350e-6);
  ASSERT_TRUE(uneven());
  EXPECT_EQ(uneven()->measured, 100e-6);
  builder_.profile().launches.back().duration = measured<Seconds>(180e-6);
  EXPECT_FALSE(uneven()) << "a replay begins with cold caches";
}

TEST_F(UnevenTest, AReplayAtALowClockIsHeldAgainstTheClockOfTheOthers) {
  measure(900e-6);
  others(10, 300e-6);
  EXPECT_TRUE(uneven({measured<Hertz>(2e9), 1}));
  builder_.profile().measurements.front().conditions.sm_clock = measured<Hertz>(0.6e9);
  EXPECT_FALSE(uneven({measured<Hertz>(2e9), 1}));
}

TEST_F(UnevenTest, TrafficBeyondTheErrorOfSamplesShowsOtherWork) {
  measure(100e-6, 100e6);
  for (int i = 0; i < 10; ++i) {
    other(100e-6);
    builder_.samples(i < 5 ? 800e6 : 100e6, 0, 0.05);
  }
  const auto found = uneven();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->quantity, "traffic");
  EXPECT_EQ(found->unit, Unit::kBytes);
  EXPECT_NEAR(found->most, 800e6, 100);
  EXPECT_EQ(found->measured, 100e6);
  EXPECT_FALSE(found->caches);
}

TEST_F(UnevenTest, TrafficWithinTheErrorOfSamplesShowsNothing) {
  measure(100e-6, 100e6);
  for (int i = 0; i < 10; ++i) {
    other(100e-6);
    builder_.samples(145e6, 0, 0.4);
  }
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, SamplesThatAreMostlyTheNeighboursSayNothing) {
  measure(100e-6, 100e6);
  other(100e-6);
  builder_.samples(900e6, 0, 0.9);
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, OneLaunchInManyIsNotTheKernel) {
  measure(100e-6, 100e6);
  for (int i = 0; i < 50; ++i) {
    other(100e-6);
    builder_.samples(i == 7 ? 900e6 : 100e6, 0);
  }
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, SteadyTrafficUnlikeTheReplaysIsTheCaches) {
  measure(100e-6, 100e6);
  for (int i = 0; i < 10; ++i) {
    other(95e-6);
    builder_.samples(20e6, 0);
  }
  const auto found = uneven();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->caches);
  const Report report = analyse(builder_.profile());
  EXPECT_FALSE(report.kernels.at(0).evidence.uneven);
  EXPECT_EQ(issue(report, "profile-uneven-work"), nullptr);
  ASSERT_NE(issue(report, "profile-replay-traffic"), nullptr);
  EXPECT_EQ(issue(report, "profile-replay-traffic")->severity, Severity::kInfo);
}

TEST_F(UnevenTest, InstructionsOfSeveralMeasuredLaunchesDecide) {
  measure(100e-6, 100e6, 1e6);
  measure(100e-6, 100e6, 3e6);
  others(10, 100e-6);
  const auto found = uneven();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->quantity, "instructions");
  EXPECT_EQ(found->most, 3e6);
}

TEST_F(UnevenTest, CountsThatAreAllZeroAreAlike) {
  measure(100e-6, 100e6, 0);
  measure(100e-6, 100e6, 0);
  others(10, 100e-6);
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, LaunchesThatWereAllMeasuredStandForThemselves) {
  measure(100e-6, 100e6, 1e6);
  measure(400e-6, 900e6, 3e6);
  EXPECT_FALSE(uneven());
}

TEST_F(UnevenTest, TheReportSaysSoAndEachLaunchKeepsItsOwnTraffic) {
  measure(100e-6, 100e6);
  for (int i = 0; i < 4; ++i) {
    other(i < 2 ? 100e-6 : 800e-6);
    builder_.samples(i < 2 ? 100e6 : 800e6, 0);
  }
  const Report report = analyse(builder_.profile());
  EXPECT_TRUE(report.kernels.at(0).evidence.uneven);
  EXPECT_NE(report.kernels[0].confidence, "high");
  EXPECT_NEAR(report.kernels[0].work.bytes.dram->count(), 1900e6, 1000);
  ASSERT_NE(issue(report, "profile-uneven-work"), nullptr);
  EXPECT_EQ(issue(report, "profile-uneven-work")->severity, Severity::kNotice);
}

TEST_F(UnevenTest, LaunchesWithoutTrafficOfTheirOwnAreLeftOutWhereOthersHaveIt) {
  measure(100e-6, 100e6);
  others(10, 800e-6);  // before sampling began
  for (int i = 0; i < 10; ++i) {
    other(800e-6);
    builder_.samples(800e6, 0);
  }
  const Report report = analyse(builder_.profile());
  EXPECT_EQ(report.kernels.at(0).measured_launches, 11U);
  EXPECT_NEAR(report.kernels[0].work.bytes.dram->count(), 8100e6, 1000);
  EXPECT_NEAR(report.kernels[0].dram_per_s->count(), 1e12, 1e6);
}

TEST_F(UnevenTest, OtherToolsLaunchesAreNotHeldAgainstEachOther) {
  measure(100e-6);
  others(10, 900e-6);
  builder_.profile().recordings.clear();
  EXPECT_EQ(issue(analyse(builder_.profile()), "profile-uneven-work"), nullptr);
}

}  // namespace
}  // namespace ridge
