#include <gtest/gtest.h>

#include <cmath>

#include "support/import_helpers.h"

namespace ridge::ncu {
namespace {

using testing::find_issue;
using testing::import_text;
using testing::issue_number;
using testing::raw_value;

constexpr std::string_view kHead =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
    "Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule "
    "Type\",\"Rule Description\",\"Estimated Speedup Type\",\"Estimated Speedup\"\n";

std::string start(const std::string& id, const std::string& kernel, const std::string& process = "1") {
  return "\"" + id + "\",\"" + process + "\",\"app\",\"127.0.0.1\",\"" + kernel +
         "\",\"1\",\"7\",\"(256, 1, 1)\",\"(10, 1, 1)\",\"0\",\"9.0\",";
}
std::string metric(const std::string& id, const std::string& kernel, const std::string& section,
                   const std::string& name, const std::string& unit, const std::string& value,
                   const std::string& process = "1") {
  return start(id, kernel, process) + "\"" + section + "\",\"" + name + "\",\"" + unit + "\",\"" + value + "\",\n";
}
const std::string kSol = "GPU Speed Of Light Throughput";
const std::string kCommandLine = "Command line profiler metrics";

TEST(NcuDetailsPageTest, MapsHumanNamesToVendorMetrics) {
  const auto profile =
      import_text(std::string(kHead) + metric("0", "k", kSol, "Duration", "us", "348.58") +
                  metric("0", "k", kSol, "Memory Throughput", "%", "70.86") +
                  metric("0", "k", kSol, "Elapsed Cycles", "cycle", "687,960") +
                  metric("0", "k", "Memory Workload Analysis", "Memory Throughput", "Tbyte/s", "3.41") +
                  metric("0", "k", "Occupancy", "Achieved Occupancy", "%", "74.20") +
                  metric("0", "k", "Launch Statistics", "Registers Per Thread", "register/thread", "16") +
                  metric("0", "k", "Launch Statistics", "Static Shared Memory Per Block", "Kbyte/block", "4.10") +
                  metric("0", "k", "Launch Statistics", "Cluster Scheduling Policy", "", "PolicySpread") +
                  metric("0", "k", "Some New Section", "Some New Metric", "inst", "5"));
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->launches.size(), 1U);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 348.58e-6);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"), 70.86);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "dram__bytes.sum.per_second"), 3.41e12);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "gpc__cycles_elapsed.max"), 687960);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "Some New Section: Some New Metric"), 5);
  const Measurement* const measurement = measurement_of(*profile, profile->launches[0]);
  EXPECT_DOUBLE_EQ(*measurement->execution.achieved_occupancy, 0.742);
  EXPECT_NEAR(measurement->work.bytes.dram->count(), 3.41e12 * 348.58e-6, 1);
  EXPECT_EQ(*profile->configurations[0].registers_per_thread, 16);
  EXPECT_DOUBLE_EQ(profile->configurations[0].shared_static->count(), 4100);
  EXPECT_EQ(profile->sources[0].kind, "ncu-csv-details");
}

TEST(NcuDetailsPageTest, KnowsTheSpellingsOf2020) {
  const auto profile = import_text(std::string(kHead) + metric("0", "k", "GPU Speed Of Light", "SOL FB", "%", "61.71") +
                                   metric("0", "k", "GPU Speed Of Light", "SM [%]", "%", "1.31") +
                                   metric("0", "k", "GPU Speed Of Light", "Duration", "usecond", "12.50") +
                                   metric("0", "k", "GPU Speed Of Light", "SM Frequency", "cycle/nsecond", "1.31"));
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 12.5e-6);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"), 61.71);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "sm__throughput.avg.pct_of_peak_sustained_elapsed"), 1.31);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "gpc__cycles_elapsed.avg.per_second"), 1.31e9);
}

TEST(NcuDetailsPageTest, TakesVendorNamesAsTheyAre) {
  const auto profile =
      import_text(std::string(kHead) + metric("0", "k", kCommandLine, "gpu__time_duration.avg", "ns", "292,928") +
                  metric("0", "k", kCommandLine, "dram__bytes_op_read.sum", "byte", "134,221,568") +
                  metric("0", "k", kCommandLine, "dram__bytes_op_write.sum", "byte", "43,631,104") +
                  metric("0", "k", kSol, "L2 Hit (lts__t_sector_hit_rate.pct)", "%", "50"));
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 292928e-9);
  EXPECT_DOUBLE_EQ(measurement_of(*profile, profile->launches[0])->work.bytes.dram->count(), 177852672);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "lts__t_sector_hit_rate.pct"), 50);
}

TEST(NcuDetailsPageTest, CountsRuleRowsAndAcceptsRowsOfAnyLength) {
  const std::string rule =
      start("0", "k") +
      "\"SpeedOfLight\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\",\"a, \"\"text\"\"\",\"global\",\"5\"\n";
  const std::string bare = "\"0\",\"1\",\"app\"\n";
  const auto profile =
      import_text(std::string(kHead) + metric("0", "k", kSol, "Duration", "ns", "10") + rule + rule + bare);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 1U);
  EXPECT_EQ(issue_number(*find_issue(*profile, "rules-skipped"), "rows"), 2);
  EXPECT_EQ(issue_number(*find_issue(*profile, "rows-short"), "rows"), 1);
  for (const MetricName& name : profile->metrics) EXPECT_FALSE(name.name.empty());
}

TEST(NcuDetailsPageTest, GathersRowsOfALaunchThatAreNotNeighbours) {
  const auto profile = import_text(std::string(kHead) + metric("0", "a", kSol, "Duration", "ns", "10") +
                                   metric("1", "b", kSol, "Duration", "ns", "20") +
                                   metric("0", "a", "Occupancy", "Achieved Occupancy", "%", "50"));
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 2U);
  EXPECT_DOUBLE_EQ(*measurement_of(*profile, profile->launches[0])->execution.achieved_occupancy, 0.5);
}

TEST(NcuDetailsPageTest, TellsASecondRunInTheFileFromARepeatedHeader) {
  const std::string one = std::string(kHead) + metric("0", "a", kSol, "Duration", "ns", "10");
  const auto continued =
      import_text(one + std::string(kHead) + metric("0", "a", "Occupancy", "Achieved Occupancy", "%", "50"));
  ASSERT_TRUE(continued);
  EXPECT_EQ(continued->launches.size(), 1U);
  const auto repeated = import_text(one + one);
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->launches.size(), 2U);
}

TEST(NcuDetailsPageTest, ReadsAPageWithoutShapeColumns) {
  const auto profile = import_text(
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\",\"Context\",\"Stream\","
      "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"1\",\"a\",\"h\",\"k\",\"2020-Jan-01 10:00:00\",\"1\",\"7\",\"Launch Statistics\",\"Block "
      "Size\",\"\",\"128\"\n"
      "\"0\",\"1\",\"a\",\"h\",\"k\",\"2020-Jan-01 10:00:00\",\"1\",\"7\",\"Launch Statistics\",\"Grid "
      "Size\",\"\",\"1,000\"\n");
  ASSERT_TRUE(profile) << to_string(profile.error());
  EXPECT_EQ(profile->configurations[0].block->count(), 128);
  EXPECT_EQ(profile->configurations[0].grid->count(), 1000);
}

// The numbers of a machine whose locale writes 27.595.520 and 65,77.
std::string spanish() {
  return std::string(kHead) + metric("0", "sgemm", kCommandLine, "dram__bytes.sum", "byte", "27.595.520") +
         metric("0", "sgemm", kCommandLine, "gpu__time_duration.sum", "ns", "117.344") +
         metric("0", "sgemm", kCommandLine, "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "65,77");
}

TEST(NcuDecimalMarkTest, IsFoundInEachFile) {
  const auto profile = import_text(spanish());
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 117344e-9);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "dram__bytes.sum"), 27595520);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "sm__throughput.avg.pct_of_peak_sustained_elapsed"), 65.77);
  EXPECT_NEAR(27595520 / profile->launches[0].duration->count(), 235.2e9, 0.05e9);
  EXPECT_EQ(find_issue(*profile, "decimal-ambiguous"), nullptr);
}

TEST(NcuDecimalMarkTest, IsFoundEvenWhenTheFirstCellsDoNotTell) {
  std::string text(kHead);
  for (int i = 0; i < 500; ++i)
    text += metric(std::to_string(i), "k", kCommandLine, "gpu__time_duration.sum", "ns", "117.344");
  text += metric("500", "k", kCommandLine, "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "65,77");
  const auto profile = import_text(text);
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 117344e-9);
}

TEST(NcuDecimalMarkTest, IsAskedForWhenNothingTells) {
  const std::string text =
      std::string(kHead) + metric("0", "k", kCommandLine, "gpu__time_duration.sum", "ns", "117.344");
  const auto guessed = import_text(text);
  ASSERT_TRUE(guessed);
  ASSERT_NE(find_issue(*guessed, "decimal-ambiguous"), nullptr);
  EXPECT_DOUBLE_EQ(guessed->launches[0].duration->count(), 117.344e-9);
  ImportOptions options;
  options.decimal = DecimalOption::kComma;
  const auto told = import_text(text, options);
  ASSERT_TRUE(told);
  EXPECT_DOUBLE_EQ(told->launches[0].duration->count(), 117344e-9);
  EXPECT_EQ(find_issue(*told, "decimal-ambiguous"), nullptr);
}

TEST(NcuDecimalMarkTest, CountsCellsThatContradictIt) {
  const auto profile = import_text(std::string(kHead) + metric("0", "k", kSol, "Duration", "us", "1,234.5") +
                                   metric("0", "k", kSol, "Elapsed Cycles", "cycle", "1,234,567") +
                                   metric("0", "k", kSol, "DRAM Throughput", "%", "65,77"));
  ASSERT_TRUE(profile);
  ASSERT_NE(find_issue(*profile, "decimal-contradictory"), nullptr);
  ASSERT_NE(find_issue(*profile, "numbers-unreadable"), nullptr);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 1234.5e-6);
  EXPECT_TRUE(std::isnan(raw_value(*profile, 0, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed")));
}

TEST(NcuLogTest, ExplainsThatCountersAreForbidden) {
  const auto refused = import_text(
      "==PROF== Connected to process 1 (a.out)\n"
      "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the "
      "target device 0.\n"
      "==PROF== Disconnected from process 1\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotAvailable);
  const std::string line = to_string(refused.error());
  EXPECT_NE(line.find("ERR_NVGPUCTRPERM"), std::string::npos);
  EXPECT_NE(line.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
  EXPECT_NE(line.find("CAP_SYS_ADMIN"), std::string::npos);
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(NcuLogTest, ExplainsWhyThereIsNothing) {
  const std::pair<std::string, std::string> cases[] = {
      {"==PROF== x\n==WARNING== No kernels were profiled.\n", "no kernels were profiled"},
      {"==ERROR== Failed to prepare kernel for profiling\n", "Failed to prepare kernel"},
      {std::string(kHead), "no rows"},
      {"hello\nworld\n", "no table"},
  };
  for (const auto& [text, part] : cases) {
    const auto refused = import_text(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
    EXPECT_NE(to_string(refused.error()).find(part), std::string::npos) << to_string(refused.error());
  }
}

TEST(NcuLogTest, KeepsAPermissionErrorBesideLaunches) {
  const auto profile = import_text("==ERROR== ERR_NVGPUCTRPERM - no\n" + std::string(kHead) +
                                   metric("0", "k", kSol, "Duration", "ns", "10"));
  ASSERT_TRUE(profile);
  const Issue* const issue = find_issue(*profile, "counters-forbidden");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue->severity, Severity::kDataLoss);
  EXPECT_EQ(find_issue(*profile, "profiler-error"), nullptr) << "it is told of once";
}

}  // namespace
}  // namespace ridge::ncu
