#include "render/table.h"

#include <algorithm>

#include "render/text/format.h"

namespace ridge::render {
namespace {

constexpr int kGap = 2;        // columns between two cells
constexpr int kReadable = 12;  // a shrinkable cell keeps this many columns while others can give
constexpr int kLeast = 3;      // below this nothing can be recognised
constexpr std::string_view kRule = "\u2500";

const std::string& cell_of(const std::vector<std::string>& row, std::size_t column) {
  static const std::string empty;
  return column < row.size() ? row[column] : empty;
}

std::vector<std::vector<std::string>> printable_rows(const Table& table) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    auto& shown = rows.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) shown.push_back(printable(cell_of(row, i)));
  }
  return rows;
}

std::vector<std::string> printable_titles(const Table& table) {
  std::vector<std::string> result;
  for (const Column& column : table.columns) result.push_back(printable(column.title));
  return result;
}

std::vector<int> natural_widths(const Table& table, const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    int width = display_width(printable(table.columns[i].title));
    for (const auto& row : rows) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  return widths;
}

int total(const std::vector<int>& widths) {
  int sum = widths.empty() ? 0 : kGap * (static_cast<int>(widths.size()) - 1);
  for (const int width : widths) sum += width;
  return sum;
}

/// Takes columns from the widest cell that `may_give` until the row fits or nobody is above `least`.
template <class MayGive>
void shrink(std::vector<int>& widths, int width, int least, MayGive may_give) {
  for (int excess = total(widths) - width; excess > 0; --excess) {
    int* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (may_give(i) && widths[i] > least && (!widest || widths[i] > *widest)) widest = &widths[i];
    }
    if (!widest) return;
    --*widest;
  }
}

/// Some columns of a table with their widths.
struct Block {
  std::vector<std::size_t> columns;
  std::vector<int> widths;
};

Block fitted(const Table& table, const std::vector<int>& natural, std::vector<std::size_t> columns, int width) {
  Block block{std::move(columns), {}};
  for (const std::size_t i : block.columns) block.widths.push_back(natural[i]);
  const auto shrinkable = [&](std::size_t i) { return table.columns[block.columns[i]].shrinkable; };
  shrink(block.widths, width, kReadable, shrinkable);
  return block;
}

/// One block if everything fits without its optional columns at worst; else several that share the first column.
std::vector<Block> blocks_of(const Table& table, const std::vector<int>& natural, int width) {
  std::vector<std::size_t> left(table.columns.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  const auto fits = [&](const std::vector<std::size_t>& columns) {
    return total(fitted(table, natural, columns, width).widths) <= width;
  };
  while (!fits(left)) {
    const auto last =
        std::find_if(left.rbegin(), left.rend(), [&](std::size_t i) { return table.columns[i].optional; });
    if (last == left.rend()) break;
    left.erase(std::next(last).base());
  }
  if (left.size() < 2 || fits(left)) return {fitted(table, natural, left, width)};
  std::vector<Block> blocks;
  std::vector<std::size_t> now = {left.front()};
  for (std::size_t i = 1; i < left.size(); ++i) {
    now.push_back(left[i]);
    if (now.size() == 2 || fits(now)) continue;
    now.pop_back();
    blocks.push_back(fitted(table, natural, now, width));
    now = {left.front(), left[i]};
  }
  blocks.push_back(fitted(table, natural, now, width));
  return blocks;
}

/// The terminal is narrower than a name and a number.
void squeeze(const Table& table, Block& block, int width) {
  shrink(block.widths, width, kLeast, [&](std::size_t i) { return table.columns[block.columns[i]].shrinkable; });
  shrink(block.widths, width, kLeast, [](std::size_t) { return true; });
}

void append_padded(std::string& line, std::string_view cell, int width, Align align) {
  const std::string text = shorten(cell, width);
  const std::string pad(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  line += align == Align::kRight ? pad + text : text + pad;
}

void append_line(std::string& out, std::string line, int width) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += shorten(line, width);
  out += '\n';
}

template <class Escape>
std::string joined(const Table& table, const std::vector<std::string>& cells, std::string_view between, Escape escape) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) line += between;
    line += escape(cell_of(cells, i));
  }
  return line;
}

std::vector<std::string> titles(const Table& table) {
  std::vector<std::string> result;
  for (const Column& column : table.columns) result.push_back(column.title);
  return result;
}

}  // namespace

namespace {

/// The cells of the block's columns, cut to their widths: [column of the block][row].
std::vector<std::vector<std::string>> cut_cells(const Block& block, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> cut;
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    std::vector<std::string> cells;
    cells.reserve(rows.size());
    for (const auto& row : rows) cells.push_back(row[block.columns[i]]);
    cut.push_back(shorten_apart(std::move(cells), block.widths[i]));
  }
  return cut;
}

void append_block(std::string& out, const Table& table, const Block& block,
                  const std::vector<std::vector<std::string>>& rows, int width) {
  const auto draw = [&](auto cell) {
    std::string line;
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      append_padded(line, cell(i), block.widths[i], table.columns[block.columns[i]].align);
    }
    append_line(out, std::move(line), width);
  };
  const std::vector<std::string> heads = printable_titles(table);
  draw([&](std::size_t i) { return heads[block.columns[i]]; });
  std::string rule;
  for (std::size_t i = 0; i < block.widths.size(); ++i) {
    if (i > 0) rule.append(kGap, ' ');
    for (int n = 0; n < block.widths[i]; ++n) rule += kRule;
  }
  append_line(out, rule, width);
  const auto cells = cut_cells(block, rows);
  for (std::size_t r = 0; r < rows.size(); ++r) draw([&](std::size_t i) { return cells[i][r]; });
}

}  // namespace

std::string text_table(const Table& table, int width) {
  const auto rows = printable_rows(table);
  std::string out;
  for (Block& block : blocks_of(table, natural_widths(table, rows), width)) {
    squeeze(table, block, width);
    if (!out.empty()) out += '\n';
    append_block(out, table, block, rows, width);
  }
  return out;
}

std::string csv_table(const Table& table) {
  std::string out = joined(table, titles(table), ",", escape_csv) + "\r\n";
  for (const auto& row : table.rows) out += joined(table, row, ",", escape_csv) + "\r\n";
  return out;
}

std::string markdown_table(const Table& table) {
  std::string out = "| " + joined(table, titles(table), " | ", escape_markdown) + " |\n|";
  for (const Column& column : table.columns) out += column.align == Align::kRight ? " ---: |" : " --- |";
  out += '\n';
  for (const auto& row : table.rows) out += "| " + joined(table, row, " | ", escape_markdown) + " |\n";
  return out;
}

std::string html_table(const Table& table) {
  const auto class_of = [&](std::size_t i) {
    return table.columns[i].align == Align::kRight ? std::string(" class=\"num\"") : std::string();
  };
  std::string out = "<table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += "<th scope=\"col\"" + class_of(i) + ">" + escape_html(table.columns[i].title) + "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      out += "<td" + class_of(i) + ">" + escape_html(cell_of(row, i)) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace ridge::render
