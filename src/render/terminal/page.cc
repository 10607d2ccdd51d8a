#include "render/terminal/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/text/format.h"
#include "render/text/unicode.h"

namespace ridge::render {
namespace {

constexpr int kLeastWidth = 40;
constexpr int kLeastTextWidth = 16;

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

/// Where `text` may be cut so that the first part has at most `width` columns: {end of the part, start of the rest}.
struct Cut {
  std::size_t end, next;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether the words around a blank belong together: a number and its unit ("7.4 ms"), a name and its number
/// ("fp64 67.6 TFLOP/s"), the letter of a kernel and its name ("R saxpy").
bool holds_together(std::string_view text, std::size_t blank) {
  if (blank == 0 || blank + 1 >= text.size()) return false;
  const char before = text[blank - 1], after = text[blank + 1];
  if (is_digit(before) && (is_letter(after) || after == '%')) return true;
  if (is_digit(after)) {
    const std::size_t gap = text.rfind(' ', blank - 1);
    const std::string_view word =
        text.substr(gap == std::string_view::npos ? 0 : gap + 1, blank - (gap == std::string_view::npos ? 0 : gap + 1));
    return before == ')' ||
           (std::any_of(word.begin(), word.end(), is_letter) && (is_letter(before) || is_digit(before)));
  }
  const bool alone = blank < 2 || text[blank - 2] == ' ' || text[blank - 2] == '(';
  return alone && before >= 'A' && before <= 'Z' && after != ' ';
}

/// Must not begin a line.
bool is_closing(char32_t code) {
  return std::u32string_view(U"，。；：、）？！」』》").find(code) != std::u32string_view::npos;
}

Cut cut_at(std::string_view text, int width) {
  Cut best{0, 0}, held{0, 0};
  int used = 0;
  std::size_t at = 0;
  bool after_wide = false;
  while (at < text.size()) {
    const CodePoint point = decode(text.substr(at));
    const int columns = point.valid ? column_width(point.value) : 1;
    if (point.value == ' ' && !holds_together(text, at)) {
      best = {at, at + 1};
    } else if (point.value == ' ' && (held.end == 0 || (at + 1 < text.size() && is_digit(text[at + 1])))) {
      held = {at, at + 1};  // before a number rather than before its unit
    }
    if (at > 0 && (columns == 2 || after_wide) && point.value != ' ' && !is_closing(point.value)) best = {at, at};
    if (used + columns > width) break;
    used += columns;
    at += point.bytes;
    after_wide = columns == 2;
  }
  if (at >= text.size()) return {text.size(), text.size()};
  if (best.end > 0) return best;
  if (held.end > 1) return held;  // a lone letter stays with its name even so
  const std::size_t hard = std::max<std::size_t>(at, decode(text).bytes);
  return {hard, hard};
}

}  // namespace

Ink ink_of(Verdict verdict) {
  static constexpr std::array<Ink, 5> kInks = {Ink::kMemory, Ink::kCompute, Ink::kLatency, Ink::kOverhead, Ink::kDim};
  return kInks[static_cast<std::size_t>(verdict)];
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  do {
    const Cut cut = cut_at(text, std::max(1, width));
    lines.emplace_back(text.substr(0, cut.end));
    text.remove_prefix(cut.next);
    while (text.starts_with(' ')) text.remove_prefix(1);
  } while (!text.empty());
  return lines;
}

Page::Page(const TextOptions& options) : options_(options), width_(std::max(kLeastWidth, options.width)) {}

std::string Page::label(std::string_view id) const {
  return text_of(fmt::format("label.{}", id), options_.language);
}

void Page::heading(std::string_view title) {
  blank();
  const std::string text = shorten(printable(title), width_ - 4);
  std::string rule;
  for (int i = display_width(text) + 1; i < width_; ++i) rule += "─";
  finished_line(fmt::format("{} {}", ink(text, Ink::kBold), ink(rule, Ink::kDim)));
}

void Page::paragraph(std::string_view text, int indent, Ink ink_) {
  for (const std::string& piece : wrap(printable(text), std::max(kLeastTextWidth, width_ - indent))) {
    line(spaces(indent) + piece, ink_);
  }
}

void Page::item(std::string_view lead, std::string_view text, int indent, Ink ink_) {
  const int margin = indent + display_width(lead);
  if (margin > width_ - kLeastTextWidth) {  // no room beside it
    paragraph(lead, indent, Ink::kDim);
    return paragraph(text, indent + 2, ink_);
  }
  std::string before = spaces(indent) + ink(lead, Ink::kDim);
  for (const std::string& piece : wrap(printable(text), std::max(kLeastTextWidth, width_ - margin))) {
    finished_line(before + ink(piece, ink_));
    before = spaces(margin);
  }
}

void Page::line(std::string_view text, Ink ink_) {
  finished_line(ink(shorten(text, width_), ink_));
}

void Page::finished_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(' ');
  out_ += text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  out_ += '\n';
}

std::string Page::ink(std::string_view text, Ink ink) const {
  static constexpr std::array<std::string_view, 8> kCodes = {"", "1", "2", "34", "32", "33", "35", "31"};
  if (!options_.color || ink == Ink::kPlain || text.empty()) return std::string(text);
  return fmt::format("\x1B[{}m{}\x1B[0m", kCodes[static_cast<std::size_t>(ink)], text);
}

std::string Page::take() {
  if (options_.unicode) return std::move(out_);
  // Colour sequences are ASCII already and pass unchanged.
  return ascii_only(out_);
}

}  // namespace ridge::render
