#include "analysis/summary.h"

#include <gtest/gtest.h>

#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

template <class T>
Value<T> measured(double value) {
  return Value<T>(T(value), Provenance::kMeasured);
}

ReportKernel kernel(const char* id, double seconds, double fraction, double saving = 0) {
  ReportKernel made;
  made.id = id;
  made.name = made.full_name = "gemm";
  made.duration = measured<Seconds>(seconds);
  made.roof.fraction = measured<double>(fraction);
  made.verdict = Verdict::kMemoryBound;
  made.level = "dram";
  if (saving > 0) {
    Finding finding;
    finding.rule = "stalls";
    finding.saving = measured<Seconds>(saving);
    made.findings.push_back(finding);
  }
  return made;
}

Report report_of(std::vector<ReportKernel> kernels) {
  Report report;
  report.kernels = std::move(kernels);
  report.summary = summarise(report);
  return report;
}

double number(const Message& message, std::string_view name) {
  for (const Argument& argument : message.arguments) {
    if (argument.name == name) return std::get<double>(argument.value);
  }
  return -1;
}

std::string text(const Message& message, std::string_view name) {
  for (const Argument& argument : message.arguments) {
    if (argument.name == name) return std::get<std::string>(argument.value);
  }
  return "";
}

TEST(SummaryTest, TopIsOrderedByWhatCouldBeSavedThenByTheGap) {
  const Report report = report_of({kernel("k0", 10e-3, 0.1), kernel("k1", 5e-3, 0.9, 1e-3), kernel("k2", 4e-3, 0.2),
                                   kernel("k3", 3e-3, 0.5, 2e-3)});
  EXPECT_EQ(report.summary.top, (std::vector<std::string>{"k3", "k1", "k0", "k2"}));
}

TEST(SummaryTest, TheSentenceTheListAndTheFindingsStartWithTheSameKernel) {
  Report report = report_of({kernel("k0", 10e-3, 0.1), kernel("k1", 5e-3, 0.9, 1e-3), kernel("k2", 3e-3, 0.5, 2e-3)});
  EXPECT_EQ(report.summary.start.id, "summary.start");
  EXPECT_EQ(text(report.summary.start, "kernel"), "k2");
  EXPECT_DOUBLE_EQ(number(report.summary.start, "saving"), 2e-3);
  ASSERT_EQ(report.summary.findings.size(), 2u);
  EXPECT_EQ(report.summary.findings[0].kernel, "k2");
  EXPECT_EQ(report.summary.findings[1].kernel, "k1");
}

TEST(SummaryTest, WithoutASavingTheLargestGapIsNamed) {
  const Report report = report_of({kernel("k0", 10e-3, 0.9), kernel("k1", 5e-3, 0.5)});
  EXPECT_EQ(report.summary.start.id, "summary.largest-gap");
  EXPECT_EQ(text(report.summary.start, "kernel"), "k1");
  EXPECT_TRUE(report.summary.findings.empty());
}

TEST(SummaryTest, NoGapIsNotWorthASentence) {
  EXPECT_EQ(report_of({kernel("k0", 10e-3, 1), kernel("k1", 5e-3, 1.02)}).summary.start.id, "");
}

TEST(SummaryTest, AfterASelectionItSpeaksOfTheKernelsShown) {
  Report report = report_of({kernel("k0", 10e-3, 0.1, 8e-3), kernel("k1", 5e-3, 0.9, 1e-3), kernel("k2", 1e-3, 0.5)});
  report.kernels.erase(report.kernels.begin());
  summarise_shown(report);
  EXPECT_EQ(report.summary.verdict.id, "summary.shown-verdict-by");
  EXPECT_DOUBLE_EQ(number(report.summary.verdict, "time"), 6e-3);
  EXPECT_EQ(number(report.summary.verdict, "kernels"), 2);
  EXPECT_EQ(number(report.summary.verdict, "all"), 3);
  EXPECT_EQ(text(report.summary.start, "kernel"), "k1");
  EXPECT_EQ(report.summary.top, (std::vector<std::string>{"k1", "k2"}));
  EXPECT_DOUBLE_EQ(report.summary.kernel_time->count(), 16e-3);
}

TEST(SummaryTest, WithoutTimesNothingIsShared) {
  ReportKernel untimed = kernel("k0", 1, 1);
  untimed.duration = Value<Seconds>::missing("not collected");
  EXPECT_EQ(report_of({untimed}).summary.verdict.id, "summary.no-durations");
  EXPECT_EQ(report_of({}).summary.verdict.id, "summary.no-kernels");
}

}  // namespace
}  // namespace ridge
