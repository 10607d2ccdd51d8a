#include "render/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "render/text/unicode.h"

namespace ridge::render {
namespace {

constexpr int kDigits = 4;
constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

struct Prefix {
  double scale;
  const char* text;
};
constexpr std::array<Prefix, 9> kLargePrefixes = {
    {{1e24, "Y"}, {1e21, "Z"}, {1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Prefix, 5> kTimePrefixes = {{{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}}};

std::string group_thousands(std::string digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  std::size_t end = digits.find('.');
  if (end == std::string::npos) end = digits.size();
  while (end > start + 3) {
    end -= 3;
    digits.insert(end, ",");
  }
  return digits;
}

int decimal_exponent(double value) {
  return value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
}

/// `digits` significant digits without exponent; zeros at the end of the fraction are dropped.
std::string plain(double value, int digits = kDigits) {
  const int decimals = std::max(0, digits - 1 - decimal_exponent(value));
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

/// The value as it will be read after rounding: 999.96 becomes 1000, and so belongs to the next prefix.
double rounded(double value) {
  const double unit = std::pow(10.0, decimal_exponent(value) - (kDigits - 1));
  return std::round(value / unit) * unit;
}

/// Beyond every prefix a number is no measurement any more; it is shown, with an exponent, rather than in 300 digits.
std::string absurd(double value) {
  return fmt::format("{:.3e}", value);
}

template <std::size_t kCount>
std::string scaled(double value, const std::array<Prefix, kCount>& prefixes, std::string_view unit) {
  const double magnitude = rounded(std::abs(value)) * (1 + 1e-12);
  const Prefix* chosen = &prefixes.back();
  for (const Prefix& prefix : prefixes) {
    if (magnitude >= prefix.scale) {
      chosen = &prefix;
      break;
    }
  }
  const double shown = value / chosen->scale;
  if (std::abs(shown) >= 1e6) return fmt::format("{} {}", absurd(value), unit);
  if (shown != 0 && std::abs(shown) < 1e-9) return fmt::format("{} {}", absurd(value), unit);
  return fmt::format("{} {}{}", group_thousands(plain(shown)), chosen->text, unit);
}

std::string count(double value) {
  if (std::abs(value) < 1e6) {
    const bool whole = value == std::round(value);
    return group_thousands(whole ? fmt::format("{:.0f}", value) : plain(value));
  }
  std::string text = scaled(value, kLargePrefixes, "");
  if (text.back() == ' ') text.pop_back();
  return text;
}

/// Nothing is scaled: the reader expects to find the very number again.
std::string unscaled(double value) {
  if (value != 0 && (std::abs(value) >= kLargestExactInteger || std::abs(value) < 1e-9)) return absurd(value);
  const bool whole = value == std::round(value);
  return group_thousands(whole ? fmt::format("{:.0f}", value) : plain(value));
}

std::string per_cent(double ratio) {
  const double value = ratio * 100;
  if (value == 0) return "0 %";
  if (std::abs(value) >= 1e6) return fmt::format("{} %", absurd(value));
  if (std::abs(value) >= 0.995) return group_thousands(fmt::format("{:.1f}", value)) + " %";
  if (std::abs(value) < 0.0005) return value > 0 ? "<0.001 %" : "-0.000 %";
  return plain(value, 2) + " %";
}

std::string factor(double value) {
  if (std::abs(value) >= 1e9) return absurd(value) + "x";
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.095 || value == 0 ? 2 : 4;
  return group_thousands(fmt::format("{:.{}f}", value, decimals)) + "x";
}

/// Intensities stay in FLOP/B while a person can read them so: 0.0833, 43.1, 4096.
std::string intensity(double value) {
  if (std::abs(value) >= 1e5) return scaled(value, kLargePrefixes, "FLOP/B");
  if (value != 0 && std::abs(value) < 1e-9) return fmt::format("{} FLOP/B", absurd(value));
  return fmt::format("{} FLOP/B", group_thousands(plain(value)));
}

std::string finite(double value, Unit unit) {
  switch (unit) {
    case Unit::kNone:
      return unscaled(value);
    case Unit::kCount:
      return count(value);
    case Unit::kBytes:
      return scaled(value, kLargePrefixes, "B");
    case Unit::kFlops:
      return scaled(value, kLargePrefixes, "FLOP");
    case Unit::kSeconds:
      return value == 0 ? "0 s" : scaled(value, kTimePrefixes, "s");
    case Unit::kHertz:
      return scaled(value, kLargePrefixes, "Hz");
    case Unit::kBytesPerSecond:
      return scaled(value, kLargePrefixes, "B/s");
    case Unit::kFlopsPerSecond:
      return scaled(value, kLargePrefixes, "FLOP/s");
    case Unit::kFlopsPerByte:
      return intensity(value);
    case Unit::kRatio:
      return per_cent(value);
    case Unit::kFactor:
      return factor(value);
    case Unit::kPerCycle:
      return unscaled(value) + "/cycle";
  }
  return unscaled(value);
}

}  // namespace

std::string format_number(double value, Unit unit) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return finite(value == 0 ? 0.0 : value, unit);  // -0 is 0
}

std::string format_capacity(double bytes) {
  static constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    width += point.valid ? column_width(point.value) : 1;
    text.remove_prefix(point.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (!point.valid || (point.value < 0x100 && is_hidden(point.value))) {
      result += fmt::format("\\x{:02X}", static_cast<std::uint32_t>(point.value));
    } else if (is_hidden(point.value)) {
      result += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(point.value));
    } else {
      result += text.substr(0, point.bytes);
    }
    text.remove_prefix(point.bytes);
  }
  return result;
}

namespace {

/// The longest beginning of at most `width` columns.
std::string_view head(std::string_view text, int width) {
  std::size_t end = 0;
  int used = 0;
  while (end < text.size()) {
    const CodePoint point = decode(text.substr(end));
    used += point.valid ? column_width(point.value) : 1;
    if (used > width) break;
    end += point.bytes;
  }
  return text.substr(0, end);
}

/// The longest end of at most `width` columns.
std::string_view tail(std::string_view text, int width) {
  std::string_view rest = text;
  int used = display_width(text);
  while (used > width && !rest.empty()) {
    const CodePoint point = decode(rest);
    used -= point.valid ? column_width(point.value) : 1;
    rest.remove_prefix(point.bytes);
  }
  return rest;
}

constexpr int kNarrow = 16;  // below this both ends of a name would be too short to recognise

}  // namespace

std::string shorten(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 0) return {};
  const int tail_width = width < kNarrow ? 0 : (width - 1) / 3;
  return fmt::format("{}\u2026{}", head(text, width - 1 - tail_width), tail(text, tail_width));
}

namespace {

constexpr int kLeastHead = 3;  // of a name, so that it can be recognised

/// Where what follows the name begins: "<0>", " [32x32]" and " #2", in this order; the size if there is nothing.
std::size_t addition_at(std::string_view text) {
  const std::size_t number = text.rfind(" #");
  if (number != std::string_view::npos && text.find_first_not_of("0123456789", number + 2) == std::string_view::npos) {
    return addition_at(text.substr(0, number));
  }
  if (text.ends_with(']') && text.rfind(" [") != std::string_view::npos) {
    return addition_at(text.substr(0, text.rfind(" [")));
  }
  int depth = 0;
  for (std::size_t i = text.size(); text.ends_with('>') && i-- > 0;) {
    depth += text[i] == '>' ? 1 : text[i] == '<' ? -1 : 0;
    if (depth == 0) return i;
  }
  return text.size();
}

/// The name cut, its addition whole, where that leaves enough of the name.
std::string keep_addition(const std::string& text, int width) {
  if (display_width(text) <= width) return text;
  const std::string addition = text.substr(addition_at(text));
  const int left = width - 1 - display_width(addition);
  if (addition.empty() || left < kLeastHead) return shorten(text, width);
  return fmt::format("{}\u2026{}", head(text, left), addition);
}

/// Bytes that all texts of the group have in common at their beginning, at a boundary of characters.
std::size_t common_beginning(const std::vector<std::string>& texts, const std::vector<std::size_t>& group) {
  const std::string& first = texts[group.front()];
  std::size_t common = first.size();
  for (const std::size_t i : group) {
    const auto end = std::mismatch(first.begin(), first.end(), texts[i].begin(), texts[i].end()).first;
    common = std::min(common, static_cast<std::size_t>(end - first.begin()));
  }
  while (common > 0 && common < first.size() && (static_cast<unsigned char>(first[common]) & 0xC0) == 0x80) --common;
  return common;
}

/// The beginning, an ellipsis and what follows `from`.
std::string keep_from(const std::string& text, std::size_t from, int width) {
  const std::string rest = text.substr(std::min(from, text.size()));
  const int left = std::max(kLeastHead, width - 1 - display_width(rest));
  return shorten(fmt::format("{}\u2026{}", head(text, left), head(rest, width - 1 - left)), width);
}

}  // namespace

std::vector<std::string> shorten_apart(std::vector<std::string> texts, int width) {
  std::vector<std::string> cut;
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    cut.push_back(keep_addition(texts[i], width));
    alike[cut[i]].push_back(i);
  }
  if (width <= 2 * kLeastHead) return cut;
  for (const auto& each : alike) {
    const std::vector<std::size_t>& group = each.second;
    const bool same =
        std::all_of(group.begin(), group.end(), [&](std::size_t i) { return texts[i] == texts[group[0]]; });
    if (same) continue;
    const std::size_t common = common_beginning(texts, group);
    for (const std::size_t i : group) {
      if (display_width(texts[i]) > width) cut[i] = keep_from(texts[i], common, width);
    }
  }
  return cut;
}

}  // namespace ridge::render
