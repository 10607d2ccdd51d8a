#include "importers/ncu/csv_scanner.h"

#include <gtest/gtest.h>

namespace ridge::ncu {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, char separator = ',') {
  ByteReader reader(memory_source(text));
  CsvScanner scanner(reader);
  Rows rows;
  std::vector<CsvField> fields;
  while (!scanner.at_end()) {
    if (scanner.record(separator, fields) != CsvStatus::kRecord) break;
    std::vector<std::string> row;
    row.reserve(fields.size());
    for (const CsvField& field : fields) row.push_back(unescape(field));
    rows.push_back(row);
  }
  return rows;
}

TEST(CsvScannerTest, KeepsCommasQuotesAndLineEndsInsideQuotes) {
  EXPECT_EQ(rows_of("\"a,b\",\"c\"\"d\",\"e\nf\"\n1,2,3\n"), (Rows{{"a,b", "c\"d", "e\nf"}, {"1", "2", "3"}}));
}

TEST(CsvScannerTest, EndsRowsAtAnyLineEnd) {
  EXPECT_EQ(rows_of("a,b\r\nc\rd\n\ne"), (Rows{{"a", "b"}, {"c"}, {"d"}, {""}, {"e"}}));
}

TEST(CsvScannerTest, KeepsEmptyFieldsAndATrailingComma) {
  EXPECT_EQ(rows_of("\"\",,\"x\",\n"), (Rows{{"", "", "x", ""}}));
}

TEST(CsvScannerTest, TakesALoneQuoteInsideAFieldAsPartOfIt) {
  EXPECT_EQ(rows_of("\"f<\"x\">\",\"2\"\n"), (Rows{{"f<\"x\">", "2"}}));
}

TEST(CsvScannerTest, SplitsAtOtherSeparators) {
  EXPECT_EQ(rows_of("\"1,5\";2\n", ';'), (Rows{{"1,5", "2"}}));
}

TEST(CsvScannerTest, SaysWhenTheDataEndsInsideQuotesAndStaysThere) {
  ByteReader reader(memory_source("\"1\",\"abc"));
  CsvScanner scanner(reader);
  std::vector<CsvField> fields;
  EXPECT_EQ(scanner.record(',', fields), CsvStatus::kCut);
  EXPECT_EQ(scanner.offset(), 0U);
}

TEST(CsvScannerTest, GivesUpOnARecordThatNeverEnds) {
  const std::string text = "\"" + std::string(CsvScanner::kMaxRecord + 100'000, 'x');
  ByteReader reader(memory_source(text));
  CsvScanner scanner(reader);
  std::vector<CsvField> fields;
  EXPECT_EQ(scanner.record(',', fields), CsvStatus::kTooLong);
}

TEST(CsvScannerTest, ReadsRecordsThatCrossWindows) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "\"" + std::to_string(i) + "\",\"line\nbreak, and comma\",\"" + std::string(40, 'x') + "\"\r\n";
  const Rows rows = rows_of(text);
  ASSERT_EQ(rows.size(), 20'000U);
  EXPECT_EQ(rows[19'999][0], "19999");
  EXPECT_EQ(rows[12'345][1], "line\nbreak, and comma");
  for (const auto& row : rows) ASSERT_EQ(row.size(), 3U);
}

TEST(CsvScannerTest, CountsPhysicalLines) {
  ByteReader reader(memory_source("one\r\n\"a\nb\",c\nthree\n"));
  CsvScanner scanner(reader);
  std::vector<CsvField> fields;
  EXPECT_EQ(scanner.line(), "one");
  scanner.skip_line();
  EXPECT_EQ(scanner.line_number(), 2U);
  ASSERT_EQ(scanner.record(',', fields), CsvStatus::kRecord);
  EXPECT_EQ(scanner.line_number(), 4U);
  EXPECT_EQ(scanner.line(), "three");
}

}  // namespace
}  // namespace ridge::ncu
