// Numbers as a CSV page prints them: thousands separators and a decimal mark that follow the locale of the machine that
// exported, and several ways to say "not measured".
//
// "117.344" alone cannot be read: it is 117 thousand in one locale and 117 and a bit in another. DecimalVotes collects
// what the other cells of the file say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ridge::ncu {

enum class DecimalMark : unsigned char { kPoint, kComma };

enum class NumberKind : unsigned char {
  kNumber,
  kAbsent,   ///< empty, "n/a", "nan", "-", "no data": not measured, never 0
  kText,     ///< no number at all
  kInvalid,  ///< digits whose separators contradict the decimal mark
};

struct ParsedNumber {
  NumberKind kind = NumberKind::kAbsent;
  double value = 0;
};

/// Accepts signs, exponents, grouping by the other mark, by spaces (plain, no-break, narrow) and apostrophes.
[[nodiscard]] ParsedNumber parse_number(std::string_view cell, DecimalMark mark);

/// A digit, perhaps behind a sign or a mark, comes first.
[[nodiscard]] bool begins_like_a_number(std::string_view cell);

/// The same for a cell of a few digits, which most are; false when it is anything else.
[[nodiscard]] inline bool parse_digits(std::string_view cell, double& value) {
  constexpr std::size_t kMost = 15;  // digits that a double holds exactly
  if (cell.empty() || cell.size() > kMost) return false;
  std::uint64_t whole = 0;
  for (const char c : cell) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit > 9) return false;
    whole = whole * 10 + digit;
  }
  value = static_cast<double>(whole);
  return true;
}

/// What the shape of one cell says about the decimal mark.
enum class DecimalVote : unsigned char { kNone, kPoint, kComma, kEither };
[[nodiscard]] DecimalVote decimal_vote(std::string_view cell);

struct DecimalVotes {
  std::size_t point = 0, comma = 0;
  std::size_t either = 0;  ///< cells that read differently under each mark and decide nothing
  void add(std::string_view cell);
  [[nodiscard]] bool decided() const { return (point == 0) != (comma == 0); }
  /// The majority; point when there is none.
  [[nodiscard]] DecimalMark mark() const { return comma > point ? DecimalMark::kComma : DecimalMark::kPoint; }
};

}  // namespace ridge::ncu
