// A live recording as a whole: busy time, clocks, and reports that have little or nothing but times.
#include "analysis/recording_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

using test::measured;
using test::ProfileBuilder;

void start(Launch& launch, double seconds) {
  launch.start = measured<Seconds>(seconds);
}

TEST(RecordingReportTest, BusyTimeOfStreamsThatOverlapIsTheirUnion) {
  ProfileBuilder builder;
  builder.live(Tier::kTiming, 4);
  const std::uint32_t kernel = builder.kernel("k");
  start(builder.launch(kernel, 1), 0.5);
  start(builder.launch(kernel, 1), 1.0);
  start(builder.launch(kernel, 0.5), 2.5);
  builder.copy("host to device", 1.75, 0.5, 1e9);
  const Report report = analyse(builder.profile());
  const DeviceActivity& device = report.recordings.at(0).devices.at(0);
  EXPECT_DOUBLE_EQ(device.kernels->count(), 2.0);
  EXPECT_DOUBLE_EQ(device.copies->count(), 0.5);
  EXPECT_DOUBLE_EQ(device.busy->count(), 2.25);
  EXPECT_DOUBLE_EQ(device.active->count(), 2.5);
  EXPECT_DOUBLE_EQ(device.idle->count(), 0.25);
  EXPECT_DOUBLE_EQ(device.longest_gap->count(), 0.25);
  EXPECT_DOUBLE_EQ(*device.busy_share, 2.25 / 4);
  EXPECT_DOUBLE_EQ(*report.summary.gpu_busy, 2.25 / 4);
  EXPECT_DOUBLE_EQ(report.summary.wall->count(), 4);
  ASSERT_EQ(device.copied.size(), 1u);
  EXPECT_EQ(device.copied[0].bytes->count(), 1e9);
}

TEST(RecordingReportTest, WhatAddingUpLeavesIsNoIdleTime) {
  ProfileBuilder builder;
  builder.live(Tier::kTiming, 1);
  const std::uint32_t kernel = builder.kernel("k");
  double time = 0.1;
  for (int i = 0; i < 1000; ++i, time += 200e-6) start(builder.launch(kernel, 200e-6), time);
  const Report report = analyse(builder.profile());
  const DeviceActivity& device = report.recordings.at(0).devices.at(0);
  EXPECT_EQ(device.idle->count(), 0);
  EXPECT_EQ(device.longest_gap->count(), 0);
}

TEST(RecordingReportTest, EachDeviceHasItsOwnTimeAndTheSummaryTheirMean) {
  ProfileBuilder builder;
  builder.live(Tier::kTiming, 2);
  Device second = builder.profile().devices[0];
  second.index = 1;
  builder.profile().devices.push_back(second);
  Device idle = second;
  idle.index = 2;
  builder.profile().devices.push_back(idle);
  const std::uint32_t kernel = builder.kernel("k");
  start(builder.launch(kernel, 2), 0);
  Launch& other = builder.launch(kernel, 1);
  other.device = 1;
  start(other, 0.5);
  const Report report = analyse(builder.profile());
  ASSERT_EQ(report.recordings.at(0).devices.size(), 2u) << "one was not used";
  EXPECT_DOUBLE_EQ(*report.recordings[0].devices[0].busy_share, 1);
  EXPECT_DOUBLE_EQ(*report.recordings[0].devices[1].busy_share, 0.5);
  EXPECT_DOUBLE_EQ(*report.summary.gpu_busy, 0.75);
}

TEST(RecordingReportTest, ReplayedLaunchesAndTheirCostAreNotTheProgramsOwnTime) {
  ProfileBuilder builder;
  builder.live(Tier::kCounters, 3).counter_time = measured<Seconds>(1);
  const std::uint32_t kernel = builder.kernel("k");
  start(builder.launch(kernel, 1), 0);
  builder.launch(kernel, 1, test::idle_measurement());
  const Report report = analyse(builder.profile());
  EXPECT_EQ(report.recordings.at(0).devices.at(0).unplaced, 1u);
  EXPECT_DOUBLE_EQ(*report.summary.gpu_busy, 0.5);
  EXPECT_DOUBLE_EQ(report.summary.wall->count(), 3);
  builder.profile().recordings[0].counter_time = measured<Seconds>(3);
  EXPECT_FALSE(analyse(builder.profile()).summary.gpu_busy);
}

TEST(RecordingReportTest, AFileOfAnotherToolBesideItHasNoWallTime) {
  ProfileBuilder builder;
  builder.live(Tier::kTiming, 2);
  start(builder.launch(builder.kernel("k"), 1), 0);
  builder.profile().sources.push_back({"ncu-rep", "other", "", ""});
  const Report report = analyse(builder.profile());
  EXPECT_FALSE(report.summary.wall);
  EXPECT_FALSE(report.summary.gpu_busy);
  EXPECT_TRUE(report.recordings.at(0).devices.at(0).busy);
}

TEST(RecordingReportTest, ClocksAreThoseWhileSomethingRan) {
  ProfileBuilder builder;
  builder.live(Tier::kSampling, 10);
  start(builder.launch(builder.kernel("k"), 1), 1);
  builder.samples(1e9, 1e9);
  builder.reading(0.5, 0.3e9);
  builder.reading(1.1, 1.2e9, 0x4);
  builder.reading(1.5, 1.6e9);
  builder.reading(1.9, 1.8e9, 0x4 | 0x20);
  builder.reading(5.0, 0.3e9, 0x1);
  const Report report = analyse(builder.profile());
  const DeviceActivity& device = report.recordings.at(0).devices.at(0);
  EXPECT_EQ(device.readings, 3u);
  EXPECT_DOUBLE_EQ(*device.sm_clock.least, 1.2e9);
  EXPECT_DOUBLE_EQ(*device.sm_clock.median, 1.6e9);
  EXPECT_DOUBLE_EQ(*device.sm_clock.most, 1.8e9);
  EXPECT_FALSE(device.watts.median);
  ASSERT_EQ(device.throttled.size(), 2u);
  EXPECT_EQ(device.throttled[0].first, "power-cap");
  EXPECT_DOUBLE_EQ(device.throttled[0].second, 2.0 / 3);
  EXPECT_EQ(device.throttled[1].first, "software-thermal");
  const ReportKernel& kernel = report.kernels.at(0);
  EXPECT_DOUBLE_EQ(kernel.conditions.sm_clock->count(), 1.6e9);
  EXPECT_EQ(kernel.roof.basis, RoofBasis::kMeasuredClock);
}

TEST(RecordingReportTest, WithNoReadingInABusyTimeAllOfThemCount) {
  ProfileBuilder builder;
  builder.live(Tier::kTiming, 10);
  start(builder.launch(builder.kernel("k"), 1e-6), 1);
  builder.reading(0.5, 1.0e9);
  builder.reading(2.5, 1.4e9);
  const Report report = analyse(builder.profile());
  EXPECT_EQ(report.recordings.at(0).devices.at(0).readings, 2u);
  EXPECT_DOUBLE_EQ(*report.recordings[0].devices[0].sm_clock.median, 1.0e9);
}

TEST(RecordingReportTest, TimesAloneStillTellSharesAndWhyTheRestIsMissing) {
  ProfileBuilder builder;
  builder.live(Tier::kTiming, 10);
  start(builder.launch(builder.kernel("long"), 3), 0);
  start(builder.launch(builder.kernel("short"), 1), 4);
  Report report = analyse(builder.profile());
  EXPECT_EQ(report.kernels.at(0).name, "long");
  EXPECT_DOUBLE_EQ(*report.kernels[0].share, 0.75);
  EXPECT_EQ(report.kernels[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(report.kernels[0].verdict_reason.id, "verdict.unknown-times-only");
  EXPECT_EQ(report.kernels[0].work.flops.reason().text(), "the recording holds times only");
  EXPECT_EQ(report.kernels[0].work.bytes.dram.reason().text(), "the recording holds times only");
  EXPECT_EQ(report.summary.verdict.id, "summary.times-only");
  EXPECT_DOUBLE_EQ(*report.summary.gpu_busy, 0.4);
  report.kernels.pop_back();
  summarise_shown(report);
  EXPECT_EQ(report.summary.verdict.id, "summary.shown-times-only");
}

TEST(RecordingReportTest, AKernelWithoutEvidenceSaysWhichKindItLacks) {
  ProfileBuilder builder;
  builder.live(Tier::kCounters, 10);
  start(builder.launch(builder.kernel("collective"), 3), 0);
  start(builder.launch(builder.kernel("tiny"), 1e-6), 4);
  builder.samples(1, 1, 0.99);
  const Report report = analyse(builder.profile());
  EXPECT_EQ(report.kernels.at(0).verdict_reason.id, "verdict.unknown-not-measured");
  EXPECT_EQ(report.kernels[0].work.flops.reason().text(), "no launch of this kernel was measured");
  EXPECT_EQ(report.kernels.at(1).verdict_reason.id, "verdict.unknown-samples-shared");
}

TEST(RecordingReportTest, NothingIsMadeUpWhereEveryValueIsMissing) {
  ProfileBuilder builder;
  builder.profile().recordings.resize(1);
  Launch launch;
  builder.kernel("k");
  builder.profile().launches.push_back(launch);
  const Report report = analyse(builder.profile());
  const ReportRecording& recording = report.recordings.at(0);
  EXPECT_FALSE(recording.uncertainty);
  const DeviceActivity& device = recording.devices.at(0);
  for (const Value<Seconds>& time :
       {device.kernels, device.copies, device.busy, device.active, device.idle, device.longest_gap}) {
    EXPECT_FALSE(time);
  }
  EXPECT_FALSE(device.busy_share);
  EXPECT_FALSE(device.sm_clock.median);
  EXPECT_TRUE(device.throttled.empty());
  EXPECT_FALSE(report.summary.wall);
  EXPECT_FALSE(report.summary.gpu_busy);
  EXPECT_FALSE(report.kernels.at(0).duration);
}

}  // namespace
}  // namespace ridge
