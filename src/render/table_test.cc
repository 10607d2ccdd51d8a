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
