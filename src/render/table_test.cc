#include "render/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "render/text/format.h"

namespace ridge::render {
namespace {

Table sample() {
  return {{{"kernel", Align::kLeft, true}, {"time", Align::kRight}},
          {{"vector_add", "345 us"}, {"\u77E9\u9635\u4E58", "22.66 ms"}}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(TextTableTest, AlignsColumnsByDisplayWidth) {
  const auto lines = lines_of(text_table(sample(), 80));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "kernel          time");
  EXPECT_EQ(lines[2], "vector_add    345 us");
  EXPECT_EQ(lines[3], "\u77E9\u9635\u4E58      22.66 ms");
}

TEST(TextTableTest, NeverExceedsTheWidth) {
  Table table = sample();
  table.rows.push_back({std::string(300, 'x'), "1 ms"});
  table.rows.push_back({"\u77E9\u9635\u77E9\u9635\u77E9\u9635\u77E9\u9635\u77E9\u9635", std::string(50, '9')});
  for (const int width : {8, 20, 40, 80, 200}) {
    for (const std::string& line : lines_of(text_table(table, width))) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(TextTableTest, ShrinksOnlyShrinkableColumnsWhileTheyCan) {
  Table table = sample();
  table.rows.push_back({std::string(100, 'x'), "1.234 ms"});
  EXPECT_NE(text_table(table, 40).find("1.234 ms"), std::string::npos);
}

TEST(TextTableTest, NumbersThatDoNotFitGoIntoBlocksBelowAndAreNeverCut) {
  Table table{{{"quantity"}, {"one", Align::kRight}, {"two", Align::kRight}, {"three", Align::kRight}},
              {{"fp32", "66.91 TFLOP/s", "163.4 TFLOP/s (2.44x)", "74.5 TFLOP/s (1.11x)"}}};
  const std::string text = text_table(table, 40);
  for (const char* cell : {"66.91 TFLOP/s", "163.4 TFLOP/s (2.44x)", "74.5 TFLOP/s (1.11x)"}) {
    EXPECT_NE(text.find(cell), std::string::npos) << text;
  }
  EXPECT_EQ(text.find("\u2026"), std::string::npos) << text;
  for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), 40);
  EXPECT_EQ(lines_of(text_table(table, 80)).size(), 3u);
}

TEST(TextTableTest, OptionalColumnsAreLeftOutBeforeTheTableIsSplit) {
  Table table{{{"id"}, {"name", Align::kLeft, true, true}, {"peak", Align::kRight}},
              {{"h200-sxm", "NVIDIA H200 SXM", "66.91 TFLOP/s"}}};
  EXPECT_NE(text_table(table, 40).find("NVIDIA H200 SXM"), std::string::npos);
  const auto lines = lines_of(text_table(table, 30));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2], "h200-sxm  66.91 TFLOP/s");
}

TEST(TextTableTest, CutNamesStayDifferent) {
  Table table{{{"kernel", Align::kLeft, true}, {"time", Align::kRight}},
              {{"transpose_shared<0>", "1 ms"}, {"transpose_shared<1>", "1 ms"}, {"gemm_tiled [128x128]", "1 ms"}}};
  const auto lines = lines_of(text_table(table, 20));
  EXPECT_TRUE(lines[2].starts_with("transpose_\u2026<0>")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("transpose_\u2026<1>")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("gem\u2026 [128x128]")) << lines[4];
}

TEST(TextTableTest, ShowsControlCharacters) {
  Table table = sample();
  table.rows.push_back({"a\x1B[2Jb\nc", "0 s"});
  const std::string text = text_table(table, 80);
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_NE(text.find("a\\x1B[2Jb\\x0Ac"), std::string::npos);
}

TEST(TextTableTest, ShortRowsAreFilledAndAnEmptyTableIsItsHeader) {
  Table table = sample();
  table.rows = {{"only"}};
  EXPECT_NE(text_table(table, 80).find("only\n"), std::string::npos);
  table.rows.clear();
  EXPECT_EQ(lines_of(text_table(table, 80)).size(), 2u);
}

TEST(CsvTableTest, QuotesAndGuardsCells) {
  Table table = sample();
  table.rows = {{"a,\"b\"", "=1+1"}};
  EXPECT_EQ(csv_table(table), "kernel,time\r\n\"a,\"\"b\"\"\",\"'=1+1\"\r\n");
}

TEST(MarkdownTableTest, EscapesPipesAndMarksAlignment) {
  Table table = sample();
  table.rows = {{"a|b", "1"}};
  EXPECT_EQ(markdown_table(table), "| kernel | time |\n| --- | ---: |\n| a\\|b | 1 |\n");
}

TEST(HtmlTableTest, EscapesCellsAndNamesHeaders) {
  Table table = sample();
  table.rows = {{"<b>", "1"}};
  const std::string html = html_table(table);
  EXPECT_NE(html.find("<th scope=\"col\" class=\"num\">time</th>"), std::string::npos);
  EXPECT_NE(html.find("<td>&lt;b&gt;</td>"), std::string::npos);
}

}  // namespace
}  // namespace ridge::render
