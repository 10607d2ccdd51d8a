#include "render/terminal/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/text/unicode.h"

namespace ridge::render {
namespace {

void append_utf8(std::string& out, char32_t code) {
  const auto byte = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xE0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

constexpr char32_t kBraille = 0x2800;
constexpr char32_t kSecondHalf = 1;  // the cell that the wide character before it covers
// Bits of a braille cell by [column][row from the top] (Unicode chart U+2800).
constexpr std::array<std::array<unsigned char, 4>, 2> kDots = {{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

/// The dot of `dots` that 0..1 falls on, so that texts and lines agree on the cell.
int dot_of(double fraction, int dots) {
  return static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * (dots - 1)));
}

}  // namespace

Canvas::Canvas(int columns, int rows, bool unicode)
    : columns_(columns), rows_(rows), unicode_(unicode), cells_(static_cast<std::size_t>(columns * rows)) {}

bool Canvas::inside(int column, int row) const {
  return column >= 0 && column < columns_ && row >= 0 && row < rows_;
}

Canvas::Cell& Canvas::at(int column, int row) {
  return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
}
const Canvas::Cell& Canvas::at(int column, int row) const {
  return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
}

int Canvas::column_of(double x) const {
  return dot_of(x, columns_ * 2) / 2;
}
int Canvas::row_of(double y) const {
  return dot_of(1 - y, rows_ * 4) / 4;
}

void Canvas::dot(int x, int y, Ink ink) {
  const int column = x / 2, row = y / 4;
  if (x < 0 || y < 0 || !inside(column, row)) return;
  Cell& cell = at(column, row);
  cell.dots |= kDots[static_cast<std::size_t>(x % 2)][static_cast<std::size_t>(y % 4)];
  if (cell.sign == 0) cell.ink = ink;
}

void Canvas::line(double x0, double y0, double x1, double y1, int step, Ink ink) {
  if (!unicode_) return ascii_line(x0, y0, x1, y1, step, ink);
  const double ax = x0 * (columns_ * 2 - 1), bx = x1 * (columns_ * 2 - 1);
  const double ay = (1 - y0) * (rows_ * 4 - 1), by = (1 - y1) * (rows_ * 4 - 1);
  const int steps = static_cast<int>(std::ceil(std::max(std::abs(bx - ax), std::abs(by - ay))));
  for (int i = 0; i <= steps; i += step) {
    const double t = steps == 0 ? 0 : static_cast<double>(i) / steps;
    dot(static_cast<int>(std::lround(ax + t * (bx - ax))), static_cast<int>(std::lround(ay + t * (by - ay))), ink);
  }
}

/// A rising line as "__/": the sign changes where the row does.
void Canvas::ascii_line(double x0, double y0, double x1, double y1, int step, Ink ink) {
  const int first = column_of(x0), last = column_of(x1);
  int below = row_of(y0);
  for (int column = first; column <= last; ++column) {
    const double t = last == first ? 0 : static_cast<double>(column - first) / (last - first);
    const int row = row_of(y0 + t * (y1 - y0));
    for (int r = row; r <= std::max(row, below - 1); ++r) {
      Cell& cell = at(column, r);
      if (step > 1 && (column + r) % step != 0) continue;
      cell.ascii = step > 1 ? '.' : y0 == y1 ? '-' : row == below ? '_' : '/';
      if (cell.sign == 0) cell.ink = ink;
    }
    below = row;
  }
}

bool Canvas::text(int column, int row, std::string_view text, Ink ink) {
  std::vector<char32_t> signs;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    signs.push_back(point.value);
    if (column_width(point.value) == 2) signs.push_back(kSecondHalf);
    text.remove_prefix(point.bytes);
  }
  const int end = column + static_cast<int>(signs.size());
  if (!inside(column, row) || !inside(end - 1, row)) return false;
  for (int c = std::max(0, column - 1); c < std::min(columns_, end + 1); ++c) {
    if (at(c, row).sign != 0) return false;
  }
  for (std::size_t i = 0; i < signs.size(); ++i) {
    Cell& cell = at(column + static_cast<int>(i), row);
    cell.sign = signs[i];
    cell.ink = ink;
  }
  return true;
}

bool Canvas::mark(int column, int row, char32_t sign, Ink ink) {
  static constexpr std::array<std::array<int, 2>, 7> kAround = {
      {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {2, 0}, {-2, 0}}};
  for (const auto& [dx, dy] : kAround) {
    if (!inside(column + dx, row + dy)) continue;
    Cell& cell = at(column + dx, row + dy);
    if (cell.sign != 0) continue;
    cell.sign = sign;
    cell.ink = ink;
    return true;
  }
  return false;
}

std::string Canvas::row_text(int row, const Page& page) const {
  std::string out, run;
  Ink run_ink = Ink::kPlain;
  for (int column = 0; column < columns_; ++column) {
    const Cell& cell = at(column, row);
    if (cell.ink != run_ink) {
      out += page.ink(run, run_ink);
      run.clear();
      run_ink = cell.ink;
    }
    if (cell.sign == kSecondHalf) continue;
    if (cell.sign != 0) {
      append_utf8(run, cell.sign);
    } else if (cell.dots != 0) {
      append_utf8(run, kBraille + cell.dots);
    } else {
      run += cell.ascii;
    }
  }
  return out + page.ink(run, run_ink);
}

}  // namespace ridge::render
