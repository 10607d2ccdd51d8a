#include <gtest/gtest.h>

#include <cmath>

#include "support/import_helpers.h"

namespace ridge::ncu {
namespace {

using testing::find_issue;
using testing::import_text;
using testing::issue_number;
using testing::issue_text;
using testing::raw_value;

constexpr std::string_view kHead =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
    "Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\",\"dram__bytes_read.sum\",\"sm__warps_active.avg.pct_of_peak_"
    "sustained_active\",\"device__attribute_display_name\"\n";
constexpr std::string_view kUnits =
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"us\",\"Mbyte\",\"%\",\"\"\n";

std::string row(const std::string& id, const std::string& process, const std::string& kernel, const std::string& tail) {
  return "\"" + id + "\",\"" + process + "\",\"app\",\"127.0.0.1\",\"" + kernel +
         "\",\"1\",\"7\",\"(256, 1, 1)\",\"(10, 2, 1)\",\"0\",\"8.6\"," + tail + "\n";
}
std::string page(const std::string& rows) {
  return std::string(kHead).append(kUnits).append(rows);
}
const std::string kTail = R"("12.50","1,234.5","66.61","NVIDIA A10G")";

TEST(NcuRawPageTest, ScalesByTheRowOfUnits) {
  const auto profile = import_text(page(row("3", "42", "k(int)", kTail)));
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->launches.size(), 1U);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 12.5e-6);
  EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "dram__bytes_read.sum"), 1234.5e6);
  EXPECT_EQ(profile->launches[0].source_id, 3U);
  EXPECT_EQ(profile->launches[0].process_id, 42U);
  EXPECT_EQ(profile->configurations[0].grid, (Dim3{10, 2, 1}));
  EXPECT_EQ(profile->configurations[0].block, (Dim3{256, 1, 1}));
  EXPECT_EQ(profile->devices[0].name, "NVIDIA A10G");
  EXPECT_EQ(*profile->devices[0].attributes.compute_capability_major, 8);
  EXPECT_EQ(*profile->devices[0].attributes.compute_capability_minor, 6);
  EXPECT_EQ(profile->sources[0].kind, "ncu-csv-raw");
}

TEST(NcuRawPageTest, KeepsNamesWithCommasQuotesTemplatesAndLineEnds) {
  const auto profile = import_text(
      page(row("0", "1", "void f<(int)2, \"\"x,y\"\">(int, float)", kTail) + row("1", "1", "g<a\nb>(int)", kTail)));
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 2U);
  EXPECT_EQ(profile->kernels[0].full_name, "void f<(int)2, \"x,y\">(int, float)");
  EXPECT_EQ(profile->kernels[0].short_name, "f");
  EXPECT_EQ(profile->kernels[1].full_name, "g<a\nb>(int)");
}

TEST(NcuRawPageTest, KeepsTwoInstantiationsApart) {
  const auto profile =
      import_text(page(row("0", "1", "void f<16>(int)", kTail) + row("1", "1", "void f<32>(int)", kTail)));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->kernels.size(), 2U);
}

TEST(NcuRawPageTest, TakesEveryWayToSayNotMeasuredAsMissing) {
  for (const std::string absent : {"n/a", "nan", "", "-", "no data"}) {
    const auto profile =
        import_text(page(row("0", "1", "bad", "\"" + absent + R"(","1","66.61","G")") + row("1", "1", "good", kTail)));
    ASSERT_TRUE(profile) << absent;
    EXPECT_FALSE(profile->launches[0].duration) << absent;
    EXPECT_TRUE(profile->launches[1].duration) << absent;
    EXPECT_TRUE(std::isnan(raw_value(*profile, 0, "gpu__time_duration.sum"))) << absent;
    EXPECT_DOUBLE_EQ(raw_value(*profile, 0, "dram__bytes_read.sum"), 1e6) << absent;
    EXPECT_NE(find_issue(*profile, "values-not-numbers"), nullptr) << absent;
  }
}

TEST(NcuRawPageTest, KeysLaunchesByProcessAndId) {
  std::string rows;
  for (const std::string process : {"97", "193"}) {
    for (int id = 0; id < 100; ++id) rows += row(std::to_string(id), process, "euler3d", kTail);
  }
  const auto profile = import_text(page(rows));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 200U);
  EXPECT_EQ(profile->kernels.size(), 1U);
}

TEST(NcuRawPageTest, SkipsRepeatedHeadersAndOtherTextButSaysSo) {
  const std::string text = "==PROF== Connected to process 1 (app)\nTEST 12,5 PASSED\n" +
                           page(row("0", "1", "a", kTail)) + "checksum: 3.14\n==WARNING== clock was not locked\n" +
                           page(row("1", "1", "b", kTail)) + "==PROF== Disconnected\n";
  const auto profile = import_text(text);
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 2U);
  const Issue* const warning = find_issue(*profile, "profiler-warning");
  ASSERT_NE(warning, nullptr);
  EXPECT_EQ(issue_text(*warning, "text"), "clock was not locked");
  const Issue* const output = find_issue(*profile, "program-output");
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(issue_number(*output, "lines"), 2);
}

TEST(NcuRawPageTest, ReadsByteOrderMarkAndWindowsLineEnds) {
  std::string text = "\xef\xbb\xbf" + page(row("0", "1", "a", kTail) + row("1", "1", "b", kTail));
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const auto profile = import_text(windows);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 2U);
  EXPECT_EQ(profile->devices[0].name, "NVIDIA A10G");
}

TEST(NcuRawPageTest, ReadsUtf16AsAWindowsShellWritesIt) {
  std::string utf16 = "\xff\xfe";
  for (const char c : page(row("0", "1", "a", kTail))) utf16 += {c, '\0'};
  const auto profile = import_text(utf16);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 1U);
}

TEST(NcuRawPageTest, CountsRowsThatAreTooShortAsDataLoss) {
  const auto profile = import_text(page(row("0", "1", "a", R"("12.50","1.25")") + row("1", "1", "b", kTail)));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 2U);
  const Issue* const issue = find_issue(*profile, "rows-short");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue->severity, Severity::kDataLoss);
  EXPECT_EQ(std::get<std::string>(issue->message.arguments.at(1).value), "3") << "header, units, then the row";
}

TEST(NcuRawPageTest, ReportsAPageThatEndsInsideARow) {
  const std::string whole = page(row("0", "1", "a", kTail) + row("1", "1", "b", kTail));
  const auto profile = import_text(whole.substr(0, whole.size() - 5));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 1U);
  const Issue* const issue = find_issue(*profile, "page-cut");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue->severity, Severity::kDataLoss);
  EXPECT_EQ(issue_text(*issue, "line"), "4");
}

TEST(NcuRawPageTest, StopsAtAnUnknownUnitOfAMetricThatIsNeeded) {
  std::string text = page(row("0", "1", "a", kTail));
  text.replace(text.find("\"us\""), 4, "\"fortnight\"");
  const auto refused = import_text(text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
  EXPECT_NE(to_string(refused.error()).find("fortnight"), std::string::npos);
  EXPECT_NE(to_string(refused.error()).find("gpu__time_duration.sum"), std::string::npos);
}

TEST(NcuRawPageTest, LeavesOutAnUnneededMetricWithAnUnknownUnitAndSaysSo) {
  std::string text = page(row("0", "1", "a", kTail));
  text.replace(text.find("dram__bytes_read.sum"), 20, "nobody__reads_me.sum");
  text.replace(text.find("\"Mbyte\""), 7, "\"furlong\"");
  const auto profile = import_text(text);
  ASSERT_TRUE(profile);
  const Issue* const issue = find_issue(*profile, "unknown-unit");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_text(*issue, "unit"), "furlong");
  EXPECT_TRUE(std::isnan(raw_value(*profile, 0, "nobody__reads_me.sum")));
}

TEST(NcuRawPageTest, AssumesBaseUnitsWhenTheirRowIsMissingAndSaysSo) {
  const auto profile = import_text(std::string(kHead) + row("0", "1", "a", R"("12500","1,234,500","66.61","G")"));
  ASSERT_TRUE(profile);
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 12.5e-6);
  EXPECT_NE(find_issue(*profile, "units-row-missing"), nullptr);
}

TEST(NcuRawPageTest, ReadsOtherSeparatorsAndUnquotedFields) {
  const auto profile = import_text(
      "ID;Process ID;Process Name;Host Name;Kernel Name;Context;Stream;Device;CC;gpu__time_duration.sum\n"
      ";;;;;;;;;us\n0;1;app;h;f(int);1;7;0;9.0;1.234,50\n");
  ASSERT_TRUE(profile) << to_string(profile.error());
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 1234.5e-6);
}

TEST(NcuRawPageTest, FindsTheTableBehindALongLog) {
  std::string log;
  while (log.size() < 2 * kSniffBytes) log += "iteration 17: loss 0.25, \"fine\"\n";
  const auto profile = import_text(log + page(row("0", "1", "a", kTail)));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 1U);
}

TEST(NcuRawPageTest, IsNotLedAstrayByQuotesInOtherText) {
  const auto profile = import_text("\"unfinished, he said\n" + page(row("0", "1", "a", kTail)) + "\"never closed\n" +
                                   row("1", "1", "b", kTail));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 2U);
}

// A search for a separator to the end of the buffer at every line would take hours here.
TEST(NcuRawPageTest, TextBehindATableCostsNoMoreThanItsLength) {
  std::string log;
  for (int i = 0; i < 400'000; ++i) log += "iteration\n";
  const auto profile = import_text(page(row("0", "1", "a", kTail)) + log + std::string(4'000'000, '\n'));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 1U);
  EXPECT_EQ(issue_number(*find_issue(*profile, "program-output"), "lines"), 400'000);
}

TEST(NcuRawPageTest, AUnitOfAnotherDimensionIsRefused) {
  std::string text = page(row("0", "1", "a", kTail));
  text.replace(text.find("\"us\""), 4, "\"byte\"");
  const auto refused = import_text(text);
  ASSERT_FALSE(refused);
  EXPECT_NE(to_string(refused.error()).find("the unit \"byte\" of gpu__time_duration.sum"), std::string::npos);
}

TEST(NcuRawPageTest, AnEmptyUnitOfATimeIsTheBaseUnitAndTold) {
  std::string text = page(row("0", "1", "a", R"("12500","1,234.5","66.61","NVIDIA A10G")"));
  text.replace(text.find("\"us\""), 4, "\"\"");
  const auto profile = import_text(text);
  ASSERT_TRUE(profile) << to_string(profile.error());
  EXPECT_DOUBLE_EQ(profile->launches[0].duration->count(), 12.5e-6);
  ASSERT_NE(find_issue(*profile, "unit-missing"), nullptr);
  EXPECT_EQ(issue_text(*find_issue(*profile, "unit-missing"), "metric"), "gpu__time_duration.sum");
  EXPECT_EQ(find_issue(*import_text(page(row("0", "1", "a", kTail))), "unit-missing"), nullptr);
}

TEST(NcuRawPageTest, ExtentsThatCannotBeAreAbsent) {
  for (const char* block : {"(-256, 1, 1)", "(4294967552, 1, 1)", "(0, 0, 0)", "(256, 0, 1)", "n/a"}) {
    std::string text = page(row("0", "1", "a", kTail));
    text.replace(text.find("(256, 1, 1)"), 11, block);
    const auto profile = import_text(text);
    ASSERT_TRUE(profile) << block;
    EXPECT_FALSE(profile->configurations[0].block) << block;
    EXPECT_TRUE(profile->configurations[0].grid) << block;
  }
}

TEST(NcuRawPageTest, ANegativeCounterIsMissingAndTold) {
  const auto profile = import_text(page(row("0", "1", "a", R"("12.50","-1,234.5","66.61","NVIDIA A10G")")));
  ASSERT_TRUE(profile);
  EXPECT_FALSE(measurement_of(*profile, profile->launches[0])->work.bytes.dram_read);
  const Issue* const issue = find_issue(*profile, "values-negative");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_text(*issue, "metric"), "dram__bytes_read.sum");
  EXPECT_EQ(find_issue(*profile, "dram-not-collected"), nullptr);
}

TEST(NcuRawPageTest, ANegativeDurationIsMissing) {
  const auto profile = import_text(page(row("0", "1", "a", R"("-12.50","1","66.61","NVIDIA A10G")")));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches[0].duration.reason().text(), "negative in the report");
  EXPECT_NE(find_issue(*profile, "values-negative"), nullptr);
}

TEST(NcuRawPageTest, ACellThatOnlyBeginsAsANumberIsUnreadableAndNotUncollected) {
  for (const char* cell : {"117344x", "0x10", "12 %"}) {
    const auto profile =
        import_text(page(row("0", "1", "a", "\"" + std::string(cell) + R"(","1,234.5","66.61","NVIDIA A10G")")));
    ASSERT_TRUE(profile) << cell;
    ASSERT_NE(find_issue(*profile, "numbers-unreadable"), nullptr) << cell;
    EXPECT_EQ(issue_text(*find_issue(*profile, "numbers-unreadable"), "first"), cell);
    EXPECT_EQ(find_issue(*profile, "duration-not-collected"), nullptr) << cell;
  }
}

TEST(NcuRawPageTest, ARowWithADamagedIdIsLostDataWithItsLine) {
  const auto profile = import_text(page(row("0", "1", "a", kTail) + row("x1", "1", "lost", kTail) +
                                        "text, of, the, program\n" + row("2", "1", "b", kTail)));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 2U);
  const Issue* const issue = find_issue(*profile, "rows-damaged");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue->severity, Severity::kDataLoss);
  EXPECT_EQ(issue_text(*issue, "line"), "4");
  EXPECT_EQ(issue_number(*issue, "rows"), 1);
}

TEST(NcuRawPageTest, APageCutInsideAFirstCellIsCut) {
  const auto profile = import_text(page(row("0", "1", "a", kTail)) + "\"1");
  ASSERT_TRUE(profile);
  ASSERT_NE(find_issue(*profile, "page-cut"), nullptr);
  EXPECT_EQ(issue_text(*find_issue(*profile, "page-cut"), "line"), "4");
}

TEST(NcuRawPageTest, APageCutInsideItsHeaderSaysSo) {
  for (const std::size_t length : {kHead.size() - 20, kHead.size() - 1, kHead.size() + 15}) {
    const auto refused = import_text(page("").substr(0, length));
    ASSERT_FALSE(refused) << length;
    EXPECT_NE(to_string(refused.error()).find("the file ends inside"), std::string::npos) << to_string(refused.error());
  }
}

TEST(NcuRawPageTest, AKernelWithoutANameIsCalledSo) {
  const auto profile = import_text(page(row("0", "1", "", kTail)));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->kernels[0].full_name, "(no name)");
  EXPECT_EQ(profile->kernels[0].short_name, "(no name)");
}

}  // namespace
}  // namespace ridge::ncu
