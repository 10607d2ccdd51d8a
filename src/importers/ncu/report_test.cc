#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/import_helpers.h"
#include "support/report_writer.h"

namespace ridge::ncu {
namespace {

using testing::find_issue;
using testing::import_text;
using testing::issue_number;
using testing::issue_text;
using testing::raw_value;
using testing::ReportLaunch;
using testing::ReportWriter;
using testing::sample_launch;
using testing::sample_report;

std::string kernel_name(const Profile& profile, std::size_t launch) {
  return profile.kernels[profile.launches[launch].kernel].short_name;
}

TEST(NcuReportTest, ReadsLaunchesWithNamesShapeAndIdentity) {
  ReportLaunch launch = sample_launch();
  launch.grid = {3, 2, 1};
  launch.block = {32, 8, 1};
  launch.stream = 13;
  launch.context = 2;
  const auto profile = import_text(ReportWriter().process(99, "host", "/home/x/app").launch(launch).text());
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->launches.size(), 1U);
  const Launch& read = profile->launches[0];
  const Configuration& configuration = profile->configurations[read.configuration];
  EXPECT_EQ(configuration.grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(configuration.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(configuration.shared_dynamic, Value<Bytes>(Bytes(2048), Provenance::kReported));
  EXPECT_EQ(read.process_id, 99U);
  EXPECT_EQ(read.source_id, 0U);
  EXPECT_EQ(read.stream, 13U);
  EXPECT_EQ(read.context, 2U);
  const Kernel& kernel = profile->kernels[read.kernel];
  EXPECT_EQ(kernel.short_name, "axpy");
  EXPECT_EQ(kernel.full_name, "axpy(float *)");
  EXPECT_EQ(kernel.mangled_name, "_Z4axpyPf");
  EXPECT_EQ(profile->sources[0].kind, "ncu-rep");
  EXPECT_EQ(profile->sources[0].taken, "2023-11-14T22:13:20Z");
}

TEST(NcuReportTest, ConvertsNanosecondsAndKeepsOtherBaseUnits) {
  const auto profile = import_text(sample_report());
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 10e-6);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "gpu__time_duration.sum"), 10e-6);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "dram__bytes_read.sum"), 8e6);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "launch__waves_per_multiprocessor"), 3.5);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "launch__registers_per_thread"), 16);
}

TEST(NcuReportTest, GivesWorkFromRatesAndCycles) {
  const auto profile = import_text(sample_report());
  ASSERT_TRUE(profile);
  const Measurement* const measurement = measurement_of(*profile, profile->launches[0]);
  ASSERT_NE(measurement, nullptr);
  EXPECT_DOUBLE_EQ(measurement->work.flops->count(), 1e6);
  EXPECT_DOUBLE_EQ(measurement->work.bytes.dram->count(), 12e6);
}

TEST(NcuReportTest, DescribesTheDeviceFromItsAttributes) {
  const auto profile = import_text(sample_report(3));
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->devices.size(), 1U);
  const Device& device = profile->devices[0];
  EXPECT_EQ(device.name, "Test GPU");
  EXPECT_EQ(device.chip, "GH100");
  EXPECT_EQ(*device.attributes.sm_count, 8);
  EXPECT_EQ(device.attributes.max_sm_clock->count(), 1.5e9);
  EXPECT_EQ(*device.attributes.compute_capability_major, 9);
  EXPECT_FALSE(device.attributes.l2_capacity);
}

TEST(NcuReportTest, FallsBackToTheFunctionNameWhenTheDemangledOneIsEmpty) {
  ReportLaunch launch = sample_launch("ampere_sgemm_128x64_nn");
  launch.demangled = "";
  const auto profile = import_text(ReportWriter().launch(launch).text());
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->kernels[0].full_name, "ampere_sgemm_128x64_nn");
  EXPECT_EQ(profile->kernels[0].short_name, "ampere_sgemm_128x64_nn");
}

TEST(NcuReportTest, TakesNaNAsMissingForThatMetricOfThatLaunchOnly) {
  ReportLaunch bad = sample_launch("bad");
  bad.metrics[0].value = std::nan("");
  bad.metrics[1].value = std::numeric_limits<double>::infinity();
  bad.metrics[6].value = std::nan("");  // or the duration would follow from cycles and clock
  const auto profile = import_text(ReportWriter().launch(sample_launch()).launch(bad).launch(sample_launch()).text());
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 3U);
  EXPECT_TRUE(profile->launches[0].duration);
  EXPECT_FALSE(profile->launches[1].duration);
  EXPECT_TRUE(profile->launches[2].duration);
  EXPECT_TRUE(std::isnan(raw_value(*profile, 1, "gpu__time_duration.sum")));
  EXPECT_DOUBLE_EQ(raw_value(*profile, 1, "dram__bytes_write.sum"), 4e6);
  const Issue* const issue = find_issue(*profile, "values-not-numbers");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_number(*issue, "missing"), 1);
}

TEST(NcuReportTest, SharesKernelsAndConfigurationsAmongLaunches) {
  const auto profile = import_text(sample_report(6));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 6U);
  EXPECT_EQ(profile->kernels.size(), 2U);
  EXPECT_EQ(profile->configurations.size(), 1U);
  EXPECT_EQ(kernel_name(*profile, 0), "axpy");
  EXPECT_EQ(kernel_name(*profile, 1), "scale");
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(profile->launches[i].source_id, i);
}

TEST(NcuReportTest, ExtendsTheStringTableFromBlockToBlock) {
  ReportLaunch second = sample_launch();
  second.metrics.push_back({"lts__t_sectors.sum", 42.0, {}});
  const auto profile = import_text(ReportWriter().launch(sample_launch()).launch(second).text());
  ASSERT_TRUE(profile);
  EXPECT_TRUE(std::isnan(raw_value(*profile, 0, "lts__t_sectors.sum")));
  EXPECT_EQ(raw_value(*profile, 1, "lts__t_sectors.sum"), 42);
}

TEST(NcuReportTest, StepsOverSectionsRulesSourcesAndRanges) {
  ReportLaunch launch = sample_launch();
  launch.section_bytes = 3'000'000;
  launch.rule_bytes = 50'000;
  const auto profile =
      import_text(ReportWriter().source(2'000'000).launch(launch).range(1000).launch(sample_launch("after")).text());
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 2U);
  EXPECT_EQ(kernel_name(*profile, 1), "after");
  ASSERT_NE(find_issue(*profile, "ranges-not-imported"), nullptr);
  EXPECT_EQ(find_issue(*profile, "report-cut"), nullptr);
}

TEST(NcuReportTest, MakesHotLinesFromValuesPerInstruction) {
  ReportLaunch launch = sample_launch();
  constexpr std::uint64_t kBase = 0x7f8a977a0000;
  launch.metrics.push_back({"launch__function_pcs", std::uint64_t{1}, {{0, kBase}}});
  launch.metrics.push_back({"smsp__pcsamp_sample_count", std::uint64_t{30}, {{kBase + 16, 10}, {kBase + 32, 20}}});
  launch.metrics.push_back({"inst_executed", std::uint64_t{9}, {{kBase, 3}, {kBase + 16, 3}, {kBase + 32, 3}}});
  launch.metrics.push_back({"memory_l2_theoretical_sectors_global", std::uint64_t{64}, {{kBase + 48, 64}}});
  launch.metrics.push_back({"memory_l2_theoretical_sectors_global_ideal", std::uint64_t{8}, {{kBase + 48, 8}}});
  const auto profile = import_text(ReportWriter().launch(launch).text());
  ASSERT_TRUE(profile);
  const std::vector<HotLine>& lines = measurement_of(*profile, profile->launches[0])->hot_lines;
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].location, "axpy+0x20");
  EXPECT_EQ(lines[0].samples, 20);
  EXPECT_EQ(lines[0].instructions, 3);
  EXPECT_EQ(lines[1].location, "axpy+0x10");
  EXPECT_EQ(lines[2].location, "axpy+0x30");
  EXPECT_EQ(lines[2].excess_sectors, 56);
}

TEST(NcuReportTest, KeepsOnlyTheHottestLines) {
  ReportLaunch launch = sample_launch();
  testing::ReportMetric samples{"smsp__pcsamp_sample_count", std::uint64_t{1}, {}};
  for (std::uint64_t i = 0; i < 500; ++i) samples.instances.push_back({i * 16, i});
  launch.metrics.push_back(samples);
  ImportOptions options;
  options.hot_lines = 4;
  const auto profile = import_text(ReportWriter().launch(launch).text(), options);
  ASSERT_TRUE(profile);
  const std::vector<HotLine>& lines = measurement_of(*profile, profile->launches[0])->hot_lines;
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].samples, 499);
  EXPECT_EQ(lines[3].samples, 496);
}

TEST(NcuReportTest, NamesTheCommandThatWouldCollectFlops) {
  ReportLaunch launch = sample_launch();
  std::erase_if(launch.metrics, [](const auto& m) { return m.name.find("_op_f") != std::string::npos; });
  const auto profile =
      import_text(ReportWriter().session("/opt/ncu -o run ./app -n 5", "2025.3.1.0 (x)").launch(launch).text());
  ASSERT_TRUE(profile);
  const Issue* const issue = find_issue(*profile, "flops-not-collected");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_text(*issue, "command"), "ncu --set roofline -o run_roofline ./app -n 5");
  EXPECT_FALSE(measurement_of(*profile, profile->launches[0])->work.flops);
  EXPECT_TRUE(profile->launches[0].duration);
  EXPECT_EQ(profile->sources[0].tool_version, "2025.3.1.0");
}

TEST(NcuReportTest, ReplacesBytesOfNamesThatAreNotUtf8) {
  ReportLaunch launch = sample_launch();
  launch.demangled = "k\xff\xfe(int)";
  const auto profile = import_text(ReportWriter().launch(launch).text());
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->kernels[0].short_name, "k\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace ridge::ncu
