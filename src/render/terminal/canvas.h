// A grid of terminal cells to draw lines and texts on. Lines are drawn in braille dots (2 x 4 a cell), or in ASCII.
// Texts hide the lines under them; a text that would touch another text is refused, so that labels stay readable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/terminal/page.h"

namespace ridge::render {

class Canvas {
 public:
  Canvas(int columns, int rows, bool unicode);

  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }

  /// From (x0, y0) to (x1, y1); x and y run from 0 to 1, y upwards. Every `step`-th dot is drawn.
  void line(double x0, double y0, double x1, double y1, int step, Ink ink);
  /// False, and nothing drawn, if a cell of it or beside it holds text already or lies outside.
  bool text(int column, int row, std::string_view text, Ink ink);
  /// One narrow character over lines but not over texts; tries the cells around it. False if all are taken.
  bool mark(int column, int row, char32_t sign, Ink ink);

  [[nodiscard]] int column_of(double x) const;
  [[nodiscard]] int row_of(double y) const;
  [[nodiscard]] std::string row_text(int row, const Page& page) const;

 private:
  struct Cell {
    char32_t sign = 0;       // text or mark; 0: only dots
    unsigned char dots = 0;  // braille bits
    char ascii = ' ';
    Ink ink = Ink::kPlain;
  };
  [[nodiscard]] bool inside(int column, int row) const;
  [[nodiscard]] Cell& at(int column, int row);
  [[nodiscard]] const Cell& at(int column, int row) const;
  void dot(int x, int y, Ink ink);
  void ascii_line(double x0, double y0, double x1, double y1, int step, Ink ink);

  int columns_, rows_;
  bool unicode_;
  std::vector<Cell> cells_;
};

}  // namespace ridge::render
