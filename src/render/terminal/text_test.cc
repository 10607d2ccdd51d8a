#include "render/terminal/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "render/terminal/page.h"
#include "render/text/format.h"
#include "support/report_fixture.h"

namespace ridge::render {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TextOptions with_width(int width) {
  TextOptions options;
  options.width = width;
  return options;
}

std::vector<Report> all_reports() {
  std::vector<Report> reports = {test::lab_report(), test::empty_report(), test::unknown_report(),
                                 test::two_file_report(), test::large_report(90)};
  for (const std::string& text : test::hostile_texts()) reports.push_back(test::report_with_text(text));
  return reports;
}

TEST(TextReportTest, NoLineIsWiderThanTheTerminal) {
  for (const Report& report : all_reports()) {
    for (const int width : {40, 80, 100, 132, 200}) {
      for (const Language language : {Language::kEnglish, Language::kChinese}) {
        TextOptions options = with_width(width);
        options.language = language;
        options.detail = width == 132;
        for (const std::string& line : lines_of(render_text(report, options))) {
          ASSERT_LE(display_width(line), width) << line;
        }
      }
    }
  }
}

TEST(TextReportTest, NothingFromAFileReachesTheTerminalAsControl) {
  for (const std::string& hostile : test::hostile_texts()) {
    const std::string text = render_text(test::report_with_text(hostile), {});
    for (const std::string& line : lines_of(text)) EXPECT_EQ(printable(line), line);
  }
}

TEST(TextReportTest, ColourIsOnlyThereWhenAskedFor) {
  EXPECT_EQ(render_text(test::lab_report(), {}).find('\x1B'), std::string::npos);
  TextOptions colour;
  colour.color = true;
  EXPECT_NE(render_text(test::lab_report(), colour).find("\x1B["), std::string::npos);
}

TEST(TextReportTest, ColourChangesNothingElse) {
  TextOptions options;
  const std::string plain = render_text(test::lab_report(), options);
  options.color = true;
  std::string coloured = render_text(test::lab_report(), options), stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1B') {
      i = coloured.find('m', i);
    } else {
      stripped += coloured[i];
    }
  }
  const auto trimmed = [](const std::string& text) {
    std::string out;
    for (std::string line : lines_of(text)) out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    return out;
  };
  EXPECT_EQ(trimmed(stripped), trimmed(plain));
}

TEST(TextReportTest, AsciiModeIsAscii) {
  TextOptions options;
  options.unicode = false;
  for (const Report& report : {test::lab_report(), test::report_with_text("矩阵 \u2026 é")}) {
    const std::string text = render_text(report, options);
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  }
}

TEST(TextReportTest, SaysWhatAnEngineerLooksForFirst) {
  const std::string text = render_text(test::lab_report(), with_width(120));
  for (const char* expected :
       {"lab_full.ncu-rep.gz", "NVIDIA H200", "96.4 % of it is memory-bound", "What to change first",
        "uncoalesced access", "7.4 ms", "22.97 ms", "85.3%", "memory L1", "compute bf16 wgmma", "ridge", "data loss"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
  EXPECT_LT(text.find("What to change first"), text.find("Kernel by kernel"));
}

TEST(TextReportTest, KernelsWithoutFlopsAreListedUnderTheChartWithTheReason) {
  const std::string text = render_text(test::lab_report(), {});
  EXPECT_NE(text.find("Not on the chart: C transpose_naive (no floating-point work)"), std::string::npos);
}

TEST(TextReportTest, AReportWithNothingKnownSaysSo) {
  const std::string text = render_text(test::unknown_report(), {});
  EXPECT_NE(text.find("mystery"), std::string::npos);
  EXPECT_NE(text.find("verdict unknown"), std::string::npos);
  EXPECT_NE(text.find("not known: time"), std::string::npos);
  EXPECT_NE(text.find("not collected"), std::string::npos);
  EXPECT_EQ(text.find("0 s"), std::string::npos);
}

TEST(TextReportTest, AnEmptyReportSaysSo) {
  EXPECT_NE(render_text(test::empty_report(), {}).find("no kernels"), std::string::npos);
}

TEST(TextReportTest, WhatIsLeftOutIsSaidAndDetailShowsIt) {
  const Report report = test::large_report(90);
  TextOptions options;
  EXPECT_NE(render_text(report, options).find("and 66 more kernels"), std::string::npos);
  EXPECT_EQ(render_text(report, options).find("_89"), std::string::npos);
  options.detail = true;
  const std::string detail = render_text(report, options);
  EXPECT_NE(detail.find("_89"), std::string::npos);
  EXPECT_EQ(detail.find("more kernels"), std::string::npos);
}

TEST(TextReportTest, ChineseHasChineseHeadings) {
  TextOptions options;
  options.language = Language::kChinese;
  const std::string text = render_text(test::lab_report(), options);
  for (const char* expected : {"优先修改", "屋顶线图", "访存受限", "数据丢失", "未在图中"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
}

TEST(TextReportTest, SeveralFilesStandSideBySideWithTheirRatio) {
  const std::string text = render_text(test::two_file_report(), with_width(120));
  const std::size_t start = text.find("side by side");
  ASSERT_NE(start, std::string::npos);
  const std::size_t row = text.find("gemm_naive", start);
  const std::size_t next = text.find('\n', row) + 1;
  const std::string first = text.substr(row, next - row), second = text.substr(next, text.find('\n', next) - next);
  EXPECT_NE(first.find("22.97 ms"), std::string::npos) << first;
  EXPECT_NE(second.find("18.38 ms"), std::string::npos) << second;
  EXPECT_NE(second.find("0.80x"), std::string::npos) << second;
  EXPECT_NE(second.find("memory L1"), std::string::npos) << second;
}

TEST(TextReportTest, SeveralFilesHaveATotalEach) {
  const std::string text = render_text(test::two_file_report(), with_width(120));
  EXPECT_NE(text.find(" ms in 7 kernels; #2 "), std::string::npos) << text.substr(0, 800);
  EXPECT_NE(text.find(" ms in 7 kernels. Start with"), std::string::npos);
}

TEST(TextReportTest, OneFileHasNoSideBySideTable) {
  EXPECT_EQ(render_text(test::lab_report(), {}).find("side by side"), std::string::npos);
}

/// The row of the chart that holds `text`, which must be there.
std::string chart_row(const std::string& page, const std::string& text) {
  for (const std::string& line : lines_of(page)) {
    if (line.find("\u2502") == std::string::npos && line.find("\u2524") == std::string::npos) continue;
    if (line.find(text) != std::string::npos) return line;
  }
  ADD_FAILURE() << text << " is not on the chart";
  return {};
}

/// Braille characters in `text`: parts of lines.
int dots_in(const std::string& text) {
  int dots = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    dots += text[i] == '\xE2' && text[i + 1] >= '\xA0' && text[i + 1] <= '\xA3';
  }
  return dots;
}

TEST(RooflineChartTest, TheNameOfARoofStandsOnItsOwnLineOrBesideIt) {
  for (const int width : {80, 100, 200}) {
    const std::string page = render_text(test::lab_report(), with_width(width));
    for (const std::string roof : {"bf16 tensor (wgmma) 1", "fp32 6"}) {
      const bool keyed = page.find("[1] " + roof) != std::string::npos;  // where there is no room on the line
      const std::string text = keyed ? "[1]" : roof;
      const std::string row = chart_row(page, text);
      const std::size_t below = page.find('\n', page.find(row)) + 1;
      const std::string next = page.substr(below, page.find('\n', below) - below);
      EXPECT_TRUE(dots_in(row.substr(0, row.find(text))) > 5 || dots_in(next) > 5) << row << "\n" << next;
    }
  }
}

TEST(RooflineChartTest, RoofsOfOneRowShareATextAndNoneIsLost) {
  Report report = test::lab_report();
  auto& roofs = report.machines[0].compute_roofs;
  for (ReportKernel& kernel : report.kernels) {
    const std::vector<ComputeWork> parts = kernel.work.compute;
    for (ComputeWork part : parts) {
      if (part.key.type != DataType::kBf16) continue;
      part.key.type = DataType::kFp16;
      kernel.work.compute.push_back(part);
    }
  }
  ComputeRoof half = roofs.front();
  for (const ComputeRoof& roof : roofs) {
    if (roof.key == tensor(DataType::kBf16, TensorPath::kWgmma)) half = roof;
  }
  half.key.type = DataType::kFp16;
  roofs.push_back(half);
  const std::string page = render_text(report, with_width(120));
  EXPECT_NE(page.find("bf16, fp16 tensor (wgmma) 1"), std::string::npos) << page;
}

TEST(RooflineChartTest, WithoutAPlacedKernelThereIsNoEmptyChart) {
  const std::string page = render_text(test::unknown_report(), {});
  EXPECT_EQ(page.find("performance, FLOP/s"), std::string::npos);
  EXPECT_NE(page.find("Not on the chart"), std::string::npos);
}

TEST(TextReportTest, IntegerWorkOfTensorUnitsIsShownInOperations) {
  Report report = test::lab_report();
  ReportKernel& kernel = report.kernels[2];
  kernel.work.flops = Value<Flops>(Flops(0), Provenance::kMeasured);
  kernel.work.compute = {{}};
  kernel.work.compute[0].key = tensor(DataType::kInt8, TensorPath::kMmaSync);
  kernel.work.compute[0].amount = Value<Flops>(Flops(137.4e9), Provenance::kMeasured);
  const std::string page = render_text(report, with_width(120));
  EXPECT_NE(page.find("int8 tensor (mma) 137.4 GOP"), std::string::npos);
  EXPECT_NE(page.find("OP/B"), std::string::npos);
  EXPECT_NE(page.find("C transpose_naive (integer)"), std::string::npos);
  EXPECT_EQ(page.find("Not on the chart: C"), std::string::npos);
}

TEST(WrapTest, ANameStaysWithItsLetterAndItsNumber) {
  EXPECT_EQ(wrap("one R saxpy", 8), (std::vector<std::string>{"one", "R saxpy"}));
  EXPECT_EQ(wrap("roofs fp64 67.6 TFLOP/s", 20), (std::vector<std::string>{"roofs", "fp64 67.6 TFLOP/s"}));
  EXPECT_EQ(wrap("(attainable 91.61 TFLOP/s)", 20), (std::vector<std::string>{"(attainable", "91.61 TFLOP/s)"}));
}

TEST(WrapTest, BreaksAtBlanksAndBetweenWideCharacters) {
  EXPECT_EQ(wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("矩阵乘法内核", 5), (std::vector<std::string>{"矩阵", "乘法", "内核"}));
  EXPECT_EQ(wrap("", 10), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace ridge::render
