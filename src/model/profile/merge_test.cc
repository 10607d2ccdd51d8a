#include "model/profile/merge.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

Value<double> measured(double value) {
  return {value, Provenance::kMeasured};
}

/// One source, device, kernel and launch with one counter.
Profile recording(const std::string& path, const std::string& kernel, const std::string& metric, double value) {
  Profile profile;
  profile.sources.push_back({"ncu-rep", path, "", ""});
  profile.devices.resize(1);
  profile.devices[0].name = "GPU of " + path;
  profile.kernels.push_back({kernel, kernel + "(int)", ""});
  profile.configurations.resize(1);
  profile.metrics.push_back({metric, "byte"});
  profile.measurements.resize(1);
  profile.measurements[0].raw = {{0, value}};
  profile.launches.resize(1);
  profile.launches[0].measurement = 0;
  return profile;
}

/// What a launch says, with every index followed.
std::string told_by(const Profile& profile, const Launch& launch) {
  const Device& device = profile.devices.at(launch.device);
  const RawMetric& raw = profile.measurements.at(launch.measurement.value()).raw.at(0);
  return profile.sources.at(device.source).path + "|" + device.name + "|" +
         profile.kernels.at(launch.kernel).full_name + "|" + profile.metrics.at(raw.metric).name + "|" +
         std::to_string(static_cast<int>(raw.value));
}

TEST(MergeTest, KeepsWhatEveryLaunchRefersTo) {
  Profile profile = recording("a", "gemm", "dram__bytes", 1);
  merge(profile, recording("b", "dot", "lts__bytes", 2));
  merge(profile, recording("c", "gemm", "dram__bytes", 3));
  ASSERT_EQ(profile.launches.size(), 3U);
  EXPECT_EQ(told_by(profile, profile.launches[0]), "a|GPU of a|gemm(int)|dram__bytes|1");
  EXPECT_EQ(told_by(profile, profile.launches[1]), "b|GPU of b|dot(int)|lts__bytes|2");
  EXPECT_EQ(told_by(profile, profile.launches[2]), "c|GPU of c|gemm(int)|dram__bytes|3");
}

TEST(MergeTest, JoinsEqualKernelsConfigurationsAndCounterNames) {
  Profile profile = recording("a", "gemm", "dram__bytes", 1);
  merge(profile, recording("b", "gemm", "dram__bytes", 2));
  EXPECT_EQ(profile.kernels.size(), 1U);
  EXPECT_EQ(profile.configurations.size(), 1U);
  EXPECT_EQ(profile.metrics.size(), 1U);
  EXPECT_EQ(profile.devices.size(), 2U);
}

TEST(MergeTest, KeepsConfigurationsApartThatDifferOnlyInRegisters) {
  Profile profile = recording("a", "gemm", "dram__bytes", 1);
  Profile other = recording("b", "gemm", "dram__bytes", 2);
  other.configurations[0].registers_per_thread = measured(40);
  merge(profile, other);
  EXPECT_EQ(profile.configurations.size(), 2U);
  EXPECT_EQ(profile.launches[1].configuration, 1U);
}

TEST(MergeTest, KeepsCountersSortedByTheirNewNumbers) {
  Profile profile = recording("a", "gemm", "x", 1);
  profile.metrics = {{"x", ""}, {"y", ""}};
  Profile other = recording("b", "dot", "y", 2);
  other.metrics = {{"y", ""}, {"x", ""}};
  other.measurements[0].raw = {{0, 10}, {1, 20}};
  merge(profile, other);
  const std::vector<RawMetric>& raw = profile.measurements[1].raw;
  ASSERT_EQ(raw.size(), 2U);
  EXPECT_EQ(raw[0].metric, 0U);
  EXPECT_EQ(raw[0].value, 20);
  EXPECT_EQ(raw[1].metric, 1U);
  EXPECT_EQ(raw[1].value, 10);
}

TEST(MergeTest, AppendsIssuesAndSpansOnTheirOwnDevice) {
  Profile profile = recording("a", "gemm", "x", 1);
  Profile other = recording("b", "gemm", "x", 1);
  other.spans.resize(1);
  other.issues.push_back({Severity::kNotice, Message("x")});
  merge(profile, other);
  EXPECT_EQ(profile.spans.at(0).device, 1U);
  EXPECT_EQ(profile.issues.size(), 1U);
}

TEST(MergeTest, KeepsSamplesReadingsAndRecordingsWhereTheyBelong) {
  const auto live = [](const std::string& path, float bytes) {
    Profile profile = recording(path, "gemm", "x", 1);
    profile.sampled.resize(1);
    profile.sampled[0].dram_read = bytes;
    profile.launches[0].sampled = 0;
    profile.readings.resize(1);
    profile.readings[0].watts = measured(static_cast<double>(bytes));
    profile.recordings.resize(1);
    profile.recordings[0].command = "run " + path;
    return profile;
  };
  Profile profile = live("a", 1);
  merge(profile, live("b", 2));
  ASSERT_EQ(profile.sampled.size(), 2U);
  EXPECT_EQ(profile.sampled.at(profile.launches.at(0).sampled.value()).dram_read, 1.0F);
  EXPECT_EQ(profile.sampled.at(profile.launches.at(1).sampled.value()).dram_read, 2.0F);
  ASSERT_EQ(profile.readings.size(), 2U);
  EXPECT_EQ(profile.devices.at(profile.readings[1].device).name, "GPU of b");
  EXPECT_EQ(profile.readings[1].watts.value_or(0), 2);
  ASSERT_EQ(profile.recordings.size(), 2U);
  EXPECT_EQ(profile.sources.at(profile.recordings[1].source).path, "b");
  EXPECT_EQ(profile.recordings[1].command, "run b");
}

TEST(MergeTest, GivesTheOtherWhenTheFirstIsEmpty) {
  Profile profile;
  merge(profile, recording("b", "gemm", "x", 5));
  ASSERT_EQ(profile.launches.size(), 1U);
  EXPECT_EQ(told_by(profile, profile.launches[0]), "b|GPU of b|gemm(int)|x|5");
}

}  // namespace
}  // namespace ridge
