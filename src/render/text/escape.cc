// The escapes of the outputs that are not terminals. Every one makes control characters visible first: a name is shown,
// never executed by what shows it.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

#include "render/text/format.h"
#include "render/text/unicode.h"

namespace ridge::render {
namespace {

bool is_word(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// What a spreadsheet would compute. Leading blanks do not stop every program.
bool is_formula(std::string_view cell) {
  const std::size_t start = cell.find_first_not_of(" \t\r\n");
  const bool odd_blank = !cell.empty() && (cell[0] == '\t' || cell[0] == '\r' || cell[0] == '\n');
  if (odd_blank) return true;
  if (start == std::string_view::npos) return false;
  return std::string_view("=+-@").find(cell[start]) != std::string_view::npos && !is_number(cell);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escape_markdown(std::string_view text) {
  static constexpr std::string_view kSpecial = "\\`*[]|~$#!";
  const std::string shown = printable(text);
  std::string result;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside_word = i > 0 && is_word(shown, i - 1) && is_word(shown, i + 1);
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '@') {
      result += "&#64;";  // a name must not notify a person
    } else {
      if (kSpecial.find(c) != std::string_view::npos || (c == '_' && !inside_word)) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string escape_csv(std::string_view text) {
  std::string cell = printable(text);
  if (is_formula(text)) cell.insert(cell.begin(), '\'');
  if (cell.find_first_of(",;\"'") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + '"';
}

std::string escape_json(std::string_view document) {
  std::string result;
  result.reserve(document.size());
  while (!document.empty()) {
    const CodePoint point = decode(document);
    // Below are the line breaks of the document itself; in its strings they are escaped already.
    if (point.value < 0x7f || !is_hidden(point.value)) {
      result += document.substr(0, point.bytes);
    } else if (point.value < 0x10000) {
      result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point.value));
    } else {
      const std::uint32_t above = static_cast<std::uint32_t>(point.value) - 0x10000;
      result += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10), 0xdc00 + (above & 0x3ff));
    }
    document.remove_prefix(point.bytes);
  }
  return result;
}

}  // namespace ridge::render
