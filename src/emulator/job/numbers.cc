#include "emulator/job/numbers.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/words.h"

namespace ridge::emulator {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::optional<std::uint64_t> whole_in(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> whole_in(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return whole_in(text.substr(2), 16);
  return whole_in(text, 10);
}

/// What needs no arithmetic, and therefore loses no bit.
std::optional<Number> plain_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view rest = negative ? text.substr(1) : text;
  const double sign = negative ? -1 : 1;
  if (rest == "inf") return Number::of(sign * std::numeric_limits<double>::infinity());
  if (rest == "nan") return Number::of(std::numeric_limits<double>::quiet_NaN());
  const auto magnitude = whole_in(rest);
  if (!magnitude) return std::nullopt;
  return Number{sign * static_cast<double>(*magnitude), true, negative && *magnitude != 0, *magnitude};
}

struct Suffix {
  std::string_view text;
  std::string_view factor;
};
constexpr std::array kSuffixes{
    Suffix{"k", "1e3"},      Suffix{"K", "1e3"},
    Suffix{"M", "1e6"},      Suffix{"G", "1e9"},
    Suffix{"T", "1e12"},     Suffix{"Ki", "1024"},
    Suffix{"Mi", "1048576"}, Suffix{"Gi", "1073741824"},
    Suffix{"ki", "1024"},    Suffix{"Ti", "1099511627776"},
};

/// From what people write to what an Expression reads: number suffixes, hexadecimal, and shifts, which bind least.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}
  std::string all() {
    std::string result = group(0);
    // A parenthesis too many stays for the Expression to complain about.
    if (at_ < text_.size()) result += text_.substr(at_);
    return result;
  }

 private:
  /// Up to what ends a parenthesis or an argument of a function.
  std::string group(int depth) {
    std::string part, shifted;
    bool shifts = false;
    while (at_ < text_.size() && text_[at_] != ')' && (depth == 0 || text_[at_] != ',')) {
      if (text_.substr(at_, 2) == "<<") {
        shifted += shifts ? fmt::format("*2^({})", part) : fmt::format("({})", part);
        part.clear();
        shifts = true;
        at_ += 2;
      } else {
        part += piece(depth);
      }
    }
    return shifts ? fmt::format("{}*2^({})", shifted, part) : part;
  }

  std::string piece(int depth) {
    const char c = text_[at_];
    if (c == '(' && depth < Expression::kMaxDepth) return parenthesis(depth);
    if (is_digit(c)) return number();
    if (is_word(c)) return std::string(word());
    ++at_;
    return std::string(1, c);
  }

  std::string parenthesis(int depth) {
    std::string result;
    do {
      result += text_[at_++];
      result += group(depth + 1);
    } while (at_ < text_.size() && text_[at_] == ',');
    if (at_ < text_.size()) result += text_[at_++];
    return result;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string number() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("0x") || rest.starts_with("0X")) {
      const std::string_view digits = word();
      const auto value = whole_in(digits);
      return value ? std::to_string(*value) : std::string(digits);
    }
    double ignored = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), ignored);
    std::string digits(rest.data(), end);
    at_ += digits.size();
    const std::string_view suffix = word();
    for (const Suffix& known : kSuffixes) {
      if (known.text == suffix) return fmt::format("({}*{})", digits, known.factor);
    }
    return digits + std::string(suffix);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Error named(Error error, std::string_view text, std::string_view where) {
  error.what = fmt::format("'{}': {}", shown(text), error.what);
  error.where = where;
  return error;
}

}  // namespace

std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{') ++depth;
    if (text[i] == ')' || text[i] == '}') --depth;
    if (text[i] != separator || depth != 0) continue;
    parts.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trim(text.substr(begin)));
  return parts;
}

Result<Number> evaluate_number(std::string_view text, const Variables& names, std::string_view where) {
  const std::string_view bare = trim(text);
  if (bare.empty()) return fail(usage_error("a number is missing", std::string(where), "write one, or a formula"));
  if (const auto plain = plain_number(bare)) return *plain;
  if (bare.size() > Expression::kMaxLength) {
    return fail(usage_error("the formula is too long", std::string(where), "write a shorter one"));
  }
  const auto expression = Expression::parse(Rewriter(bare).all());
  if (!expression) return fail(named(expression.error(), bare, where));
  for (const std::string& name : expression->names()) {
    if (names.contains(name)) continue;
    const std::string what = name == bare
                                 ? fmt::format("'{}' has no value", shown(name))
                                 : fmt::format("'{}' names '{}', which has no value", shown(bare), shown(name));
    return fail(usage_error(what, std::string(where), fmt::format("give it one: --set {}=1024", shown(name))));
  }
  const auto value = expression->evaluate(names);
  if (!value) return fail(named(value.error(), bare, where));
  return Number::of(*value);
}

Result<std::uint64_t> evaluate_count(std::string_view text, const Variables& names, std::string_view where) {
  const auto number = evaluate_number(text, names, where);
  if (!number) return fail(number.error());
  if (number->whole && !number->negative && number->magnitude <= kMostCount) return number->magnitude;
  const bool fraction = std::isfinite(number->real) && !number->whole;
  return fail(
      usage_error(fmt::format("'{}' is {}, not a whole number from 0 to 2^48", shown(trim(text)), to_string(*number)),
                  std::string(where), fraction ? "round it, e.g. ceil(n/256)" : "correct the number"));
}

namespace {

/// The extents in "64x64" or "n/16xn/16"; the x of 0x40 separates nothing, nor does one within a name.
std::vector<std::string_view> split_at_x(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != 'x' || depth != 0 || i == begin) continue;
    const char before = text[i - 1];
    const bool hexadecimal = before == '0' && (i < begin + 2 || !is_word(text[i - 2]));
    const bool after_extent = is_digit(before) || before == ')' || before == ' ';
    const bool in_word = i >= 1 && is_word(before) && !is_digit(before);
    if (hexadecimal || in_word || !after_extent || i + 1 == text.size()) continue;
    parts.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trim(text.substr(begin)));
  return parts;
}

}  // namespace

Result<Dim3> evaluate_shape(std::string_view text, const Variables& names, std::string_view where) {
  const bool with_commas = split_outside(text, ',').size() > 1;
  const auto parts = with_commas ? split_outside(text, ',') : split_at_x(text);
  if (parts.size() > 3) {
    return fail(usage_error(fmt::format("'{}' has more than three extents", shown(text)), std::string(where),
                            "write at most XxYxZ"));
  }
  std::array<std::uint32_t, 3> extents{1, 1, 1};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto extent = evaluate_count(parts[i], names, where);
    if (!extent) return fail(extent.error());
    if (*extent == 0 || *extent > std::numeric_limits<std::uint32_t>::max()) {
      return fail(usage_error(fmt::format("an extent of {} in '{}'", *extent, shown(text)), std::string(where),
                              "write 1 or more"));
    }
    extents[i] = static_cast<std::uint32_t>(*extent);
  }
  return Dim3{extents[0], extents[1], extents[2]};
}

}  // namespace ridge::emulator
