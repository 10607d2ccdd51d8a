#include "base/utf8.h"

#include <cstddef>
#include <cstring>

namespace ridge {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

/// Length of the part in front that is plain ASCII, which nearly every text is as a whole.
std::size_t ascii_length(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + i, 8);
    if ((eight & kHighBits) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i;
}

/// A row of table 3-7 of the Unicode standard, "Well-Formed UTF-8 Byte Sequences": the bytes that may lead, and what
/// may come second. Every later byte is 80..BF.
struct Sequence {
  unsigned first_lead, last_lead;
  unsigned second_from, second_to;
  std::size_t length;
};
constexpr Sequence kSequences[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/// Length of the valid character at the front of `text`, or 0.
std::size_t character_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (at(0) < 0x80) return 1;
  for (const Sequence& row : kSequences) {
    if (at(0) < row.first_lead || at(0) > row.last_lead) continue;
    if (text.size() < row.length || at(1) < row.second_from || at(1) > row.second_to) return 0;
    for (std::size_t i = 2; i < row.length; ++i) {
      if ((at(i) & 0xc0U) != 0x80U) return 0;
    }
    return row.length;
  }
  return 0;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  text.remove_prefix(ascii_length(text));
  while (!text.empty()) {
    const std::size_t n = character_length(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  const std::size_t ascii = ascii_length(text);
  std::string out(text.substr(0, ascii));
  if (ascii == text.size()) return out;
  out.reserve(text.size());
  text.remove_prefix(ascii);
  while (!text.empty()) {
    const std::size_t n = character_length(text);
    if (n == 0) {
      append_utf8(kReplacement, out);
      text.remove_prefix(1);
    } else {
      out.append(text.substr(0, n));
      text.remove_prefix(n);
    }
  }
  return out;
}

std::string to_lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

void Utf16Decoder::unit(std::uint32_t value, std::string& out) {
  if (at_start_ && value == 0xfeff) {
    at_start_ = false;
    return;
  }
  at_start_ = false;
  const bool is_high = value >= 0xd800 && value < 0xdc00;
  const bool is_low = value >= 0xdc00 && value < 0xe000;
  if (high_ != 0 && is_low) {
    append_utf8(0x10000 + ((high_ - 0xd800) << 10) + (value - 0xdc00), out);
    high_ = 0;
    return;
  }
  if (high_ != 0) append_utf8(kReplacement, out);
  high_ = is_high ? value : 0;
  if (is_high) return;
  append_utf8(is_low ? kReplacement : value, out);
}

void Utf16Decoder::append(std::string_view bytes, std::string& out) {
  if (bytes.empty()) {
    if (high_ != 0 || has_half_) append_utf8(kReplacement, out);
    high_ = 0;
    has_half_ = false;
    return;
  }
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    if (!has_half_) {
      half_ = value;
      has_half_ = true;
      continue;
    }
    has_half_ = false;
    unit(big_endian_ ? static_cast<std::uint32_t>(half_ << 8 | value) : static_cast<std::uint32_t>(value << 8 | half_),
         out);
  }
}

}  // namespace ridge
