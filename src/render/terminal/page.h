// Lines of terminal text: wrapping by display width, indentation, colour. Width is counted before colour is added.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/terminal/text.h"

namespace ridge::render {

enum class Ink : unsigned char { kPlain, kBold, kDim, kMemory, kCompute, kLatency, kOverhead, kWarning };

[[nodiscard]] Ink ink_of(Verdict verdict);

/// Pieces of at most `width` columns, broken at blanks, between wide characters, or where nothing else fits.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

class Page {
 public:
  explicit Page(const TextOptions& options);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] const TextOptions& options() const { return options_; }
  [[nodiscard]] std::string label(std::string_view id) const;

  void blank() { out_ += '\n'; }
  /// A section's title with a rule to the right edge.
  void heading(std::string_view title);
  /// `text` wrapped, every line after `indent` blanks.
  void paragraph(std::string_view text, int indent = 0, Ink ink = Ink::kPlain);
  /// `lead` in the margin before the first line, blanks before the others.
  void item(std::string_view lead, std::string_view text, int indent = 0, Ink ink = Ink::kPlain);
  /// A line that is already laid out; cut if it is too long. `text` may hold no control character.
  void line(std::string_view text, Ink ink = Ink::kPlain);
  /// A line that already has colour and fits.
  void finished_line(std::string_view text);
  [[nodiscard]] std::string ink(std::string_view text, Ink ink) const;
  [[nodiscard]] std::string take();

 private:
  TextOptions options_;
  int width_;
  std::string out_;
};

}  // namespace ridge::render
