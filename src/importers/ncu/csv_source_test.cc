#include <fmt/format.h>

#include <gtest/gtest.h>

#include "importers/join.h"
#include "support/import_helpers.h"
#include "support/report_writer.h"

namespace ridge::ncu {
namespace {

using testing::find_issue;
using testing::import_text;
using testing::raw_value;

const std::string kHead =
    "\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"# Samples\",\"Instructions Executed\",\"Thread "
    "Instructions Executed\",\"Predicated-On Thread Instructions Executed\",\"L2 Theoretical Sectors Global "
    "Excessive\",\"L2 Theoretical Sectors Global\",\"L2 Theoretical Sectors Global Ideal\"\n";

std::string line(int index, const std::string& text, int samples, int warps, int threads, int excess = 0) {
  const std::string address = fmt::format("0x7f00{:04x}", index * 16);
  const auto cell = [](int n) { return ",\"" + std::to_string(n) + "\""; };
  return "\"" + address + "\",\"" + text + "\"" + cell(samples) + cell(samples) + cell(warps) + cell(warps * 32) +
         cell(threads) + cell(excess) + cell(excess + 8) + cell(8) + "\n";
}

std::string table(const std::string& kernel, int samples) {
  return "\"Kernel Name\",\"" + kernel + "\",\n" + kHead +
         line(0, "      LDG.E R2, desc[UR4][R2.64]", samples, 10, 320, 24) +
         line(1, "      FFMA R9, R2, R5, R7", 5, 10, 300) + line(2, "@P0   FADD R9, R2, R5", 0, 10, 100) +
         line(3, "      HFMA2.MMA R5, -RZ, RZ, 0, 0", 0, 10, 320) + line(4, "      EXIT", 1, 10, 320);
}

TEST(NcuSourcePageTest, CountsWorkAndFindsHotLines) {
  const auto profile = import_text(table("void axpy<(int)2>(float *)", 50));
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->launches.size(), 1U);
  EXPECT_EQ(profile->sources[0].kind, "ncu-csv-source");
  EXPECT_EQ(profile->kernels[0].short_name, "axpy");
  EXPECT_FALSE(profile->launches[0].duration);
  const Measurement* const measurement = measurement_of(*profile, profile->launches[0]);
  ASSERT_NE(measurement, nullptr);
  EXPECT_DOUBLE_EQ(measurement->work.flops->count(), 2 * 300 + 100);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "smsp__inst_executed.sum"), 50);
  EXPECT_DOUBLE_EQ(*measurement->work.access.excess_sectors, 24);
  ASSERT_GE(measurement->hot_lines.size(), 2U);
  EXPECT_EQ(measurement->hot_lines[0].location, "axpy+0x0");
  EXPECT_EQ(measurement->hot_lines[0].text, "LDG.E R2, desc[UR4][R2.64]");
  EXPECT_EQ(measurement->hot_lines[0].samples, 50);
  EXPECT_EQ(measurement->hot_lines[0].excess_sectors, 24);
  EXPECT_EQ(measurement->hot_lines[1].location, "axpy+0x10");
  EXPECT_NE(find_issue(*profile, "source-page-alone"), nullptr);
}

TEST(NcuSourcePageTest, CountsATableThatIsPrintedTwiceOnce) {
  const auto twice = import_text(table("a()", 50) + table("a()", 50) + table("a()", 60) + table("a()", 60));
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->launches.size(), 2U);
  const auto once = import_text(table("a()", 50) + table("a()", 60) + table("a()", 60) + table("b()", 1));
  ASSERT_TRUE(once);
  EXPECT_EQ(once->launches.size(), 4U);
}

TEST(NcuSourcePageTest, DoesNotCountFlopsOfALanguageItDoesNotRead) {
  std::string cuda = table("a()", 50);
  for (const std::string opcode : {"LDG.E R2, desc[UR4][R2.64]", "FFMA R9, R2, R5, R7", "EXIT", "FADD R9, R2, R5"}) {
    const std::size_t at = cuda.find(opcode);
    cuda.replace(at, opcode.size(), "y[i] = a * x[i];");
  }
  const auto profile = import_text(cuda);
  ASSERT_TRUE(profile);
  EXPECT_FALSE(measurement_of(*profile, profile->launches[0])->work.flops);
}

TEST(NcuSourcePageTest, LeavesFlopsUnknownWhenMatrixInstructionsRan) {
  std::string text = table("a()", 50);
  const std::size_t at = text.find("FFMA R9, R2, R5, R7");
  text.replace(at, 19, "HMMA.16816.F32 R1");
  const auto profile = import_text(text);
  ASSERT_TRUE(profile);
  EXPECT_FALSE(measurement_of(*profile, profile->launches[0])->work.flops);
}

TEST(NcuSourcePageTest, JoinsTheLaunchesOfAReportOfTheSameRun) {
  testing::ReportLaunch launch = testing::sample_launch();
  std::erase_if(launch.metrics, [](const auto& m) { return m.name.find("_op_f") != std::string::npos; });
  auto report = import_text(testing::ReportWriter().launch(launch).text());
  const auto page = import_text(table("axpy(float*)", 50));
  ASSERT_TRUE(report);
  ASSERT_TRUE(page);
  EXPECT_NE(find_issue(*report, "flops-not-collected"), nullptr);
  EXPECT_TRUE(is_source_page(*page));
  ASSERT_TRUE(join_source_page(*report, *page));
  const Measurement* const joined = measurement_of(*report, report->launches[0]);
  EXPECT_DOUBLE_EQ(joined->work.flops->count(), 700);
  EXPECT_EQ(joined->hot_lines[0].text, "LDG.E R2, desc[UR4][R2.64]");
  EXPECT_DOUBLE_EQ(raw_value(*report, 0, "smsp__inst_executed.sum"), 50);
  EXPECT_DOUBLE_EQ(raw_value(*report, 0, "dram__bytes_read.sum"), 8e6);
  EXPECT_EQ(find_issue(*report, "flops-not-collected"), nullptr);
  EXPECT_EQ(find_issue(*report, "source-page-alone"), nullptr);
}

TEST(NcuSourcePageTest, StaysApartFromAReportWithoutItsKernels) {
  auto report = import_text(testing::sample_report());
  const auto page = import_text(table("other()", 50));
  const Profile before = *report;
  EXPECT_FALSE(join_source_page(*report, *page));
  EXPECT_EQ(report->metrics.size(), before.metrics.size());
  EXPECT_TRUE(measurement_of(*report, report->launches[0])->hot_lines.empty());
}

TEST(NcuSourcePageTest, JoinsOtherPagesInTheSameFile) {
  const std::string raw =
      "\"ID\",\"Process ID\",\"Kernel "
      "Name\",\"Device\",\"CC\",\"gpu__time_duration.sum\"\n\"\",\"\",\"\",\"\",\"\",\"us\"\n"
      "\"0\",\"1\",\"void axpy<2>(float *)\",\"0\",\"9.0\",\"12.5\"\n";
  const auto profile = import_text(raw + "\n" + table("void axpy<(int)2>(float *)", 50));
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 1U);
  EXPECT_TRUE(profile->launches[0].duration);
  EXPECT_DOUBLE_EQ(measurement_of(*profile, profile->launches[0])->work.flops->count(), 700);
  EXPECT_FALSE(measurement_of(*profile, profile->launches[0])->hot_lines.empty());
  EXPECT_EQ(profile->sources[0].kind, "ncu-csv-raw");
}

}  // namespace
}  // namespace ridge::ncu
