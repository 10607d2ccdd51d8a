// A table of finished strings, drawn as terminal text, CSV, Markdown or HTML. Escaping for each output happens here:
// cells may hold anything a kernel name can hold.
#pragma once

#include <string>
#include <vector>

namespace ridge::render {

enum class Align : unsigned char { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kLeft;
  bool shrinkable = false;  ///< may be cut with an ellipsis when the terminal is too narrow
  bool optional = false;    ///< may be left out then, before anything is cut
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Fits `width` columns (East Asian wide characters count two): shrinkable cells are cut, optional columns left out,
/// and what still does not fit goes into further blocks below, each with the first column. Only where a terminal is
/// narrower than one number beside its name are numbers cut. Control characters are shown as \xNN.
[[nodiscard]] std::string text_table(const Table& table, int width);
/// RFC 4180; a cell that a spreadsheet would take for a formula (=, +, -, @, tab, CR first) and is no number gets a '
/// first.
[[nodiscard]] std::string csv_table(const Table& table);
[[nodiscard]] std::string markdown_table(const Table& table);
[[nodiscard]] std::string html_table(const Table& table);

}  // namespace ridge::render
