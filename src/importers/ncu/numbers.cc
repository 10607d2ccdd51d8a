#include "importers/ncu/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace ridge::ncu {
namespace {

/// Powers of ten that a double holds exactly.
constexpr std::array<double, 23> kTens = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kExactDigits = 15;

constexpr bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

bool is_absent(std::string_view cell) {
  constexpr std::string_view kWords[] = {"n/a",       "N/A",  "nan",  "NaN",   "-nan",         "nan(ind)",
                                         "-nan(ind)", "NAN",  "-",    "--",    "inf",          "-inf",
                                         "no data",   "none", "None", "(nil)", "not available"};
  for (const std::string_view word : kWords) {
    if (cell == word) return true;
  }
  return cell.empty();
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Grouping that no decimal mark uses, by UTF-8 spelling.
constexpr std::string_view kSpaces[] = {" ", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99", "_"};

std::string without_spaces(std::string_view cell) {
  std::string out;
  while (!cell.empty()) {
    std::size_t drop = 0;
    for (const std::string_view space : kSpaces) {
      if (cell.starts_with(space)) drop = space.size();
    }
    if (drop == 0) out.push_back(cell.front());
    cell.remove_prefix(drop == 0 ? 1 : drop);
  }
  return out;
}

/// Digits, at most one decimal mark, grouping in threes (or twos: Indian), an exponent. The whole cell must be used.
class Scanner {
 public:
  Scanner(std::string_view cell, DecimalMark mark)
      : at_(cell.data()),
        end_(cell.data() + cell.size()),
        decimal_(mark == DecimalMark::kPoint ? '.' : ','),
        group_(mark == DecimalMark::kPoint ? ',' : '.') {}

  ParsedNumber parse() {
    if (at_ != end_ && (*at_ == '-' || *at_ == '+')) negative_ = *at_++ == '-';
    if (!whole_part() || !fraction() || !exponent() || at_ != end_) return {NumberKind::kInvalid, 0};
    return {NumberKind::kNumber, negative_ ? -magnitude() : magnitude()};
  }

 private:
  /// False when the mantissa is full and the digit was dropped.
  bool keep(char c) {
    seen_ = true;
    if (digits_ == kMaxDigits) return false;
    mantissa_ = mantissa_ * 10 + static_cast<std::uint64_t>(c - '0');
    digits_ += mantissa_ == 0 ? 0 : 1;
    return true;
  }
  bool whole_part() {
    int in_group = 0, groups = 0;
    for (; at_ != end_; ++at_) {
      if (is_digit(*at_)) {
        scale_ += keep(*at_) ? 0 : 1;
        ++in_group;
      } else if (*at_ == group_ && in_group >= 1 && in_group <= 3) {
        if (groups > 0 && in_group < 2) return false;
        ++groups;
        in_group = 0;
      } else {
        break;
      }
    }
    return groups == 0 || in_group == 3;
  }
  bool fraction() {
    if (at_ == end_ || *at_ != decimal_) return true;
    for (++at_; at_ != end_ && is_digit(*at_); ++at_) scale_ -= keep(*at_) ? 1 : 0;
    return true;
  }
  bool exponent() {
    if (!seen_ || at_ == end_ || (*at_ != 'e' && *at_ != 'E')) return seen_;
    ++at_;
    if (at_ != end_ && *at_ == '+') ++at_;
    int power = 0;
    const auto [rest, error] = std::from_chars(at_, end_, power);
    if (error != std::errc()) return false;
    at_ = rest;
    constexpr int kBeyondAnyDouble = 100'000;
    scale_ += std::clamp(power, -kBeyondAnyDouble, kBeyondAnyDouble);
    return true;
  }
  /// Exact when the digits and the power of ten are (Clinger); otherwise within one unit in the last place.
  [[nodiscard]] double magnitude() const {
    const auto whole = static_cast<double>(mantissa_);
    if (scale_ == 0) return whole;
    if (digits_ <= kExactDigits && scale_ < 0 && scale_ >= -22) return whole / kTens[static_cast<std::size_t>(-scale_)];
    if (digits_ <= kExactDigits && scale_ > 0 && scale_ <= 22) return whole * kTens[static_cast<std::size_t>(scale_)];
    return slow();
  }
  [[nodiscard]] double slow() const {
    const std::string text = std::to_string(mantissa_) + "e" + std::to_string(scale_);
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range) return scale_ > 0 ? HUGE_VAL : 0;
    return value;
  }

  static constexpr int kMaxDigits = 18;
  const char* at_;
  const char* end_;
  char decimal_, group_;
  bool negative_ = false, seen_ = false;
  std::uint64_t mantissa_ = 0;
  int digits_ = 0, scale_ = 0;
};

bool looks_numeric(std::string_view cell) {
  std::size_t i = cell[0] == '-' || cell[0] == '+' ? 1 : 0;
  if (i < cell.size() && (cell[i] == '.' || cell[i] == ',')) ++i;
  return i < cell.size() && is_digit(cell[i]);
}

/// Only digits, marks, an exponent: "(256, 1, 1)" and "2 warps" are texts.
bool only_number_characters(std::string_view cell) {
  return cell.find_first_not_of("0123456789.,+-eE") == std::string_view::npos;
}

}  // namespace

bool begins_like_a_number(std::string_view cell) {
  cell = trim(cell);
  return !cell.empty() && looks_numeric(cell);
}

ParsedNumber parse_number(std::string_view cell, DecimalMark mark) {
  ParsedNumber result = Scanner(cell, mark).parse();
  if (result.kind == NumberKind::kNumber) return std::isfinite(result.value) ? result : ParsedNumber{};
  cell = trim(cell);
  if (is_absent(cell)) return {NumberKind::kAbsent, 0};
  if (!looks_numeric(cell)) return {NumberKind::kText, 0};
  const std::string compact = without_spaces(cell);
  if (!only_number_characters(compact)) return {NumberKind::kText, 0};
  result = Scanner(compact, mark).parse();
  if (result.kind == NumberKind::kNumber && !std::isfinite(result.value)) return {NumberKind::kAbsent, 0};
  return result;
}

DecimalVote decimal_vote(std::string_view cell) {
  cell = trim(cell);
  if (cell.empty() || !looks_numeric(cell)) return DecimalVote::kNone;
  const std::string compact = without_spaces(cell);
  if (compact.find_first_of(".,") == std::string::npos || !only_number_characters(compact)) return DecimalVote::kNone;
  const bool as_point = Scanner(compact, DecimalMark::kPoint).parse().kind == NumberKind::kNumber;
  const bool as_comma = Scanner(compact, DecimalMark::kComma).parse().kind == NumberKind::kNumber;
  if (as_point && as_comma) {
    // Nobody groups "0,123": a number below one.
    const std::size_t start = compact[0] == '-' || compact[0] == '+' ? 1 : 0;
    if (compact[start] == '0') return compact[start + 1] == '.' ? DecimalVote::kPoint : DecimalVote::kComma;
    return DecimalVote::kEither;
  }
  if (as_point) return DecimalVote::kPoint;
  return as_comma ? DecimalVote::kComma : DecimalVote::kNone;
}

void DecimalVotes::add(std::string_view cell) {
  switch (decimal_vote(cell)) {
    case DecimalVote::kPoint:
      ++point;
      break;
    case DecimalVote::kComma:
      ++comma;
      break;
    case DecimalVote::kEither:
      ++either;
      break;
    case DecimalVote::kNone:
      break;
  }
}

}  // namespace ridge::ncu
