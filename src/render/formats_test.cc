// What holds for every output format: the same numbers, nothing executable, nothing invented.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "render/csv/csv.h"
#include "render/html/html.h"
#include "render/json/json.h"
#include "render/markdown/markdown.h"
#include "render/terminal/text.h"
#include "render/text/format.h"
#include "support/report_fixture.h"

namespace ridge::render {
namespace {

using Json = nlohmann::json;
using Rows = std::vector<std::vector<std::string>>;

/// RFC 4180, strictly: a quote inside an unquoted cell or anything after a closing quote is a failure.
Rows parse_csv(const std::string& text) {
  Rows rows(1);
  rows.back().emplace_back();
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      EXPECT_TRUE(cell.empty()) << "quote inside a cell: " << cell;
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r') {
      EXPECT_EQ(text[i + 1], '\n');
      rows.emplace_back(1);
      ++i;
    } else {
      cell += c;
    }
  }
  rows.pop_back();  // after the last line end
  return rows;
}

std::string cell(const Rows& rows, std::size_t row, const std::string& column) {
  const auto at = std::find(rows[0].begin(), rows[0].end(), column);
  EXPECT_NE(at, rows[0].end()) << column;
  return at == rows[0].end() ? std::string() : rows[row][static_cast<std::size_t>(at - rows[0].begin())];
}

double number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(error == std::errc() && end == text.data() + text.size()) << text;
  return value;
}

std::string strip_tags(const std::string& html) {
  std::string text;
  bool inside = false;
  for (const char c : html) {
    if (c == '<') inside = true;
    if (!inside) text += c;
    if (c == '>') inside = false;
  }
  return text;
}

TEST(FormatsTest, JsonAndCsvHoldTheSameNumbersExactly) {
  const Report report = test::lab_report();
  const Json json = Json::parse(render_json(report));
  const Rows csv = parse_csv(render_csv(report));
  ASSERT_EQ(csv.size(), report.kernels.size() + 1);
  const std::map<std::string, std::string> columns = {
      {"duration_s", "/duration_s"},       {"share", "/share"},
      {"flops", "/flops/total"},           {"dram_bytes", "/bytes/dram"},
      {"l1_bytes", "/bytes/l1"},           {"dram_intensity_flop_per_byte", "/intensity/dram"},
      {"flops_per_s", "/flops_per_s"},     {"dram_bytes_per_s", "/bytes_per_s/dram"},
      {"roof_fraction", "/roof/fraction"}, {"occupancy_achieved", "/occupancy/achieved"}};
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    for (const auto& [column, pointer] : columns) {
      const Json& value = json["kernels"][i].at(Json::json_pointer(pointer));
      EXPECT_EQ(number_of(cell(csv, i + 1, column)), value.get<double>()) << column << " of kernel " << i;
    }
    EXPECT_EQ(cell(csv, i + 1, "verdict"), json["kernels"][i]["verdict"].get<std::string>());
  }
}

TEST(FormatsTest, TextMarkdownAndHtmlShowTheNumbersOfTheJson) {
  const Report report = test::lab_report();
  const Json json = Json::parse(render_json(report));
  TextOptions options;
  options.width = 200;
  const std::map<std::string, std::string> outputs = {{"text", render_text(report, options)},
                                                      {"markdown", render_markdown(report)},
                                                      {"html", strip_tags(render_html(report))}};
  for (const Json& kernel : json["kernels"]) {
    const std::vector<std::string> expected = {
        format_number(kernel["duration_s"].get<double>(), Unit::kSeconds),
        format_number(kernel["bytes_per_s"]["dram"].get<double>(), Unit::kBytesPerSecond),
        format_number(kernel["bytes"]["dram"].get<double>(), Unit::kBytes),
        format_number(kernel["occupancy"]["achieved"].get<double>(), Unit::kRatio)};
    for (const auto& [format, text] : outputs) {
      for (const std::string& number : expected) {
        EXPECT_NE(text.find(number), std::string::npos) << number << " in " << format;
      }
    }
  }
}

TEST(FormatsTest, AMissingValueIsAnEmptyCellWithAReasonInCsv) {
  const Rows csv = parse_csv(render_csv(test::unknown_report()));
  EXPECT_EQ(cell(csv, 1, "duration_s"), "");
  EXPECT_EQ(cell(csv, 1, "dram_bytes"), "");
  EXPECT_NE(cell(csv, 1, "missing").find("duration_s: not collected"), std::string::npos);
}

TEST(FormatsTest, AReportWithNothingKnownRendersEverywhereAndSaysSo) {
  const Report report = test::unknown_report();
  for (const std::string& text :
       {render_text(report), render_markdown(report), render_html(report), render_csv(report), render_json(report)}) {
    EXPECT_NE(text.find("mystery"), std::string::npos);
    EXPECT_NE(text.find("not collected"), std::string::npos) << text;
  }
  const Report empty = test::empty_report();
  for (const std::string& text : {render_text(empty), render_markdown(empty), render_html(empty)}) {
    EXPECT_NE(text.find("no kernels"), std::string::npos);
  }
}

TEST(FormatsTest, CsvRowsStayRowsWhateverTheNames) {
  for (const std::string& hostile : test::hostile_texts()) {
    for (const bool detail : {false, true}) {
      const Rows csv = parse_csv(render_csv(test::report_with_text(hostile), {detail}));
      for (const auto& row : csv) ASSERT_EQ(row.size(), csv[0].size()) << hostile;
      for (std::size_t i = 1; i < csv.size(); ++i) {
        for (const std::string& each : csv[i]) {
          EXPECT_EQ(printable(each), each);
          const bool number = !each.empty() && each.find_first_not_of("0123456789.+-e") == std::string::npos &&
                              each.find_first_of("0123456789") != std::string::npos && each.find_last_of("+-") == 0;
          if (each.empty() || number) continue;
          EXPECT_EQ(std::string("=+-@\t\r").find(each[0]), std::string::npos) << each;
        }
      }
    }
  }
}

TEST(FormatsTest, CsvHasARowALaunchWithDetail) {
  EXPECT_EQ(parse_csv(render_csv(test::lab_report(), {true})).size(), 50u);
}

/// Names of elements and attributes of `html`; text and attribute values are skipped.
std::map<std::string, int> elements_of(const std::string& html) {
  std::map<std::string, int> counts;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find_first_of(" >\n/", at + 2);
    ++counts[html.substr(at + 1, end - at - 1)];
  }
  return counts;
}

TEST(FormatsTest, HtmlHasTheSameElementsWhateverTheNames) {
  const auto expected = elements_of(render_html(test::report_with_text("plain")));
  for (const std::string& hostile : test::hostile_texts()) {
    const std::string html = render_html(test::report_with_text(hostile));
    auto counts = elements_of(html);
    EXPECT_EQ(counts, expected) << hostile;
    EXPECT_EQ(counts.count("script"), 0u);
    EXPECT_EQ(html.find("onerror=alert(1)>"), std::string::npos);
  }
}

TEST(FormatsTest, HtmlTagsAreBalanced) {
  for (const Report& report : {test::lab_report(), test::unknown_report(), test::empty_report()}) {
    const std::string html = render_html(report);
    auto counts = elements_of(html);
    for (const char* lone : {"path", "line"}) {  // elements of the drawing that close themselves, some with a tooltip
      const std::string open = std::string("<") + lone + " ";
      for (std::size_t at = html.find(open); at != std::string::npos; at = html.find(open, at + 1)) {
        if (html[html.find('>', at) - 1] == '/') --counts[lone];
      }
    }
    for (const auto& [element, count] : counts) {
      if (element.starts_with("/") || counts.count("/" + element) == 0) continue;
      EXPECT_EQ(count, counts.at("/" + element)) << element;
    }
  }
}

TEST(FormatsTest, HtmlLoadsNothingAndForbidsEverythingElse) {
  const std::string html = render_html(test::lab_report());
  EXPECT_NE(html.find("content=\"default-src 'none'; style-src 'unsafe-inline'\""), std::string::npos);
  for (const char* forbidden : {"<script", "http://", "https://", "src=", "url(", "@import", "<link", "<iframe"}) {
    EXPECT_EQ(html.find(forbidden), std::string::npos) << forbidden;
  }
}

TEST(FormatsTest, HtmlIsAccessible) {
  const std::string html = render_html(test::lab_report());
  for (const char* needed : {"<html lang=\"en\">", "role=\"img\" aria-labelledby=\"t0 d0\"", "<title id=\"t0\">",
                             "<desc id=\"d0\">", "<th scope=\"col\"", "<th scope=\"row\"", "<caption", "<h1>"}) {
    EXPECT_NE(html.find(needed), std::string::npos) << needed;
  }
  HtmlOptions chinese;
  chinese.language = Language::kChinese;
  EXPECT_NE(render_html(test::lab_report(), chinese).find("<html lang=\"zh-CN\">"), std::string::npos);
}

TEST(FormatsTest, HtmlDrawsEveryPlacedKernelAndEveryRoof) {
  const std::string html = render_html(test::lab_report());
  const auto count = [&](std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("class=\"point\""), 6u);  // the transpose has no FLOP
  EXPECT_EQ(count("class=\"level\""), 12u);
  EXPECT_EQ(count("class=\"roof dram\""), 1u);
  EXPECT_EQ(count("class=\"roof compute\""), 2u);  // fp32 and bf16 wgmma are used, fp64 and mma.sync are not
  EXPECT_EQ(count("class=\"ridge\""), 2u);
}

TEST(FormatsTest, MarkdownTablesKeepTheirColumnsWhateverTheNames) {
  for (const std::string& hostile : test::hostile_texts()) {
    std::istringstream in(render_markdown(test::report_with_text(hostile)));
    std::size_t columns = 0;
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] != '|') {
        columns = 0;
        continue;
      }
      std::size_t bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\') {
          ++i;
        } else if (line[i] == '|') {
          ++bars;
        }
      }
      if (columns > 0) {
        EXPECT_EQ(bars, columns) << line;
      }
      columns = bars;
    }
  }
}

TEST(FormatsTest, MarkdownHasNoMarkupFromNames) {
  for (const std::string& hostile : test::hostile_texts()) {
    const std::string markdown = render_markdown(test::report_with_text(hostile));
    EXPECT_EQ(markdown.find('<'), std::string::npos) << hostile;
    for (std::size_t at = markdown.find("]("); at != std::string::npos; at = markdown.find("](", at + 1)) {
      EXPECT_EQ(markdown[at - 1], '\\') << "a link from a name";
    }
    EXPECT_EQ(markdown.find('\x1B'), std::string::npos);
  }
}

TEST(FormatsTest, ChineseReportsAreChinese) {
  HtmlOptions html;
  html.language = Language::kChinese;
  MarkdownOptions markdown;
  markdown.language = Language::kChinese;
  for (const std::string& text :
       {render_html(test::lab_report(), html), render_markdown(test::lab_report(), markdown)}) {
    for (const char* expected : {"优先修改", "访存", "数据丢失", "未合并访问"}) {
      EXPECT_NE(text.find(expected), std::string::npos) << expected;
    }
  }
}

TEST(FormatsTest, SeveralFilesAreSideBySideInMarkdownAndHtml) {
  const Report report = test::two_file_report();
  EXPECT_NE(render_markdown(report).find("18.38 ms | 0.80x |"), std::string::npos);
  EXPECT_NE(render_html(report).find("<td class=\"num\">18.38 ms</td><td class=\"num\">0.80x</td>"), std::string::npos);
}

TEST(FormatsTest, LargeReportsStayReadable) {
  const Report report = test::large_report(600);
  EXPECT_LT(render_text(report).size(), 60000u);
  EXPECT_LT(render_markdown(report).size(), 200000u);
  EXPECT_LT(render_html(report).size(), 1000000u);
  EXPECT_EQ(parse_csv(render_csv(report)).size(), 601u);
}

}  // namespace
}  // namespace ridge::render
