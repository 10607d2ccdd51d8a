#include "render/text/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ridge::render {
namespace {

struct Range {
  char32_t first, last;
};

// Zero width: combining marks of the scripts that source code and names use in practice, and invisible characters.
constexpr std::array<Range, 28> kZeroWidth = {{
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF},   {0x05C1, 0x05C2}, {0x05C4, 0x05C5},
    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC},   {0x0900, 0x0902}, {0x093C, 0x093C},
    {0x0941, 0x0948}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},   {0x1160, 0x11FF}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x2064},   {0x20D0, 0x20FF}, {0x302A, 0x302D},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE01EF},
}};

// East Asian Width W and F, and the emoji shown as wide.
constexpr std::array<Range, 28> kWide = {{
    {0x1100, 0x115F}, {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE}, {0x2614, 0x2615},
    {0x2648, 0x2653}, {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},   {0x2753, 0x2755}, {0x2795, 0x2797},
    {0x2B1B, 0x2B1C}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF}, {0xA000, 0xA4CF},
    {0xA960, 0xA97F}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F}, {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F9FF}, {0x20000, 0x3FFFD},
}};

// Bidirectional controls can make a line read as something else (CVE-2021-42574); the others cannot be seen at all.
constexpr std::array<Range, 13> kHidden = {{
    {0x0000, 0x001F},
    {0x007F, 0x009F},
    {0x00AD, 0x00AD},
    {0x061C, 0x061C},
    {0x180E, 0x180E},
    {0x200B, 0x200F},
    {0x2028, 0x202E},
    {0x2060, 0x206F},
    {0xFDD0, 0xFDEF},
    {0xFEFF, 0xFEFF},
    {0xFFF9, 0xFFFB},
    {0xFFFE, 0xFFFF},
    {0xE0000, 0xE007F},
}};

template <std::size_t kCount>
bool contains(const std::array<Range, kCount>& ranges, char32_t code) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code, [](char32_t c, const Range& r) { return c < r.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

struct Lead {
  std::size_t bytes;
  std::uint8_t mask;
  char32_t least;  // smaller values are overlong
};

Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {1, 0x7F, 0};
  if (byte >= 0xC2 && byte < 0xE0) return {2, 0x1F, 0x80};
  if (byte >= 0xE0 && byte < 0xF0) return {3, 0x0F, 0x800};
  if (byte >= 0xF0 && byte < 0xF5) return {4, 0x07, 0x10000};
  return {0, 0, 0};
}

char ascii_of(char32_t code) {
  struct Pair {
    char32_t code;
    char ascii;
  };
  static constexpr std::array<Pair, 38> kPairs = {{
      {U'\u2013', '-'},  {U'\u2014', '-'}, {U'\u2026', '~'}, {U'\u00D7', 'x'}, {U'\u00B7', '.'}, {U'\u2022', '*'},
      {U'\u2190', '<'},  {U'\u2192', '>'}, {U'\u2264', '<'}, {U'\u2265', '>'}, {U'\u2502', '|'}, {U'\u2500', '-'},
      {U'\u2514', '+'},  {U'\u250C', '+'}, {U'\u2510', '+'}, {U'\u2518', '+'}, {U'\u251C', '+'}, {U'\u2524', '+'},
      {U'\u252C', '+'},  {U'\u2534', '+'}, {U'\u253C', '+'}, {U'\u2504', '.'}, {U'\u2571', '/'}, {U'\u2572', '\\'},
      {U'\u256D', '+'},  {U'\u256E', '+'}, {U'\u256F', '+'}, {U'\u2570', '+'}, {U'\u25C6', '+'}, {U'\u25B2', '^'},
      {U'\u2501', '-'},  {U'\u254D', '.'}, {U'\u2588', '#'}, {U'\u2591', '.'}, {U'\u00B5', 'u'}, {U'\u2018', '\''},
      {U'\u2019', '\''}, {U'\u2212', '-'},
  }};
  for (const Pair& pair : kPairs) {
    if (pair.code == code) return pair.ascii;
  }
  return '?';
}

}  // namespace

CodePoint decode(std::string_view text) {
  const auto byte_at = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const Lead lead = lead_of(byte_at(0));
  if (lead.bytes == 0 || lead.bytes > text.size()) return {byte_at(0), 1, false};
  char32_t code = byte_at(0) & lead.mask;
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    if ((byte_at(i) & 0xC0) != 0x80) return {byte_at(0), 1, false};
    code = (code << 6) | (byte_at(i) & 0x3F);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < lead.least || code > 0x10FFFF || surrogate) return {byte_at(0), 1, false};
  return {code, lead.bytes, true};
}

int column_width(char32_t code) {
  if (code < 0x300) return 1;
  if (contains(kZeroWidth, code)) return 0;
  return contains(kWide, code) ? 2 : 1;
}

bool is_hidden(char32_t code) {
  return contains(kHidden, code);
}

std::string ascii_only(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (point.value < 0x80 && point.valid) {
      result += static_cast<char>(point.value);
    } else {
      result.append(static_cast<std::size_t>(point.valid ? column_width(point.value) : 1), ascii_of(point.value));
    }
    text.remove_prefix(point.bytes);
  }
  return result;
}

}  // namespace ridge::render
