#include "emulator/ptx/lexer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>

namespace ridge::ptx {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::array<std::string_view, 10> kLongPunctuation = {
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "@@", "::"};
constexpr std::string_view kPunctuation = ",;:()[]{}<>+-*/%!~?=|&^@";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool follows(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

std::size_t length_of_name(std::string_view text) {
  const auto end = std::find_if_not(text.begin() + 1, text.end(), follows);
  return static_cast<std::size_t>(end - text.begin());
}

// A lone % is an operator; %r is a name.
bool begins_name(std::string_view text) {
  const char first = text.front();
  if (is_letter(first) || first == '_' || first == '$') return true;
  return first == '%' && text.size() > 1 && follows(text[1]);
}

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

struct Radix {
  int base;
  std::size_t prefix;
};

Radix radix_of(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return {10, 0};
  if (text[1] == 'x' || text[1] == 'X') return {16, 2};
  if (text[1] == 'b' || text[1] == 'B') return {2, 2};
  return is_digit(text[1]) ? Radix{8, 1} : Radix{10, 0};
}

// Digits, then a point or an exponent: a decimal float. 0 if it is not one.
std::size_t length_of_decimal_float(std::string_view text) {
  const auto digits = [&text](std::size_t from) {
    while (from < text.size() && is_digit(text[from])) ++from;
    return from;
  };
  std::size_t end = digits(0);
  bool is_float = false;
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    end = digits(end + 1);
    is_float = true;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (digits(exponent) > exponent) {
      end = digits(exponent);
      is_float = true;
    }
  }
  return is_float ? end : 0;
}

}  // namespace

std::string to_string(Position at) {
  return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
}

Error error_at(Position at, std::string what, std::string remedy) {
  return bad_input(std::move(what), to_string(at), std::move(remedy));
}

void Lexer::advance(std::size_t bytes) {
  for (const char c : rest_.substr(0, bytes)) {
    if (c == '\n') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
  }
  rest_.remove_prefix(std::min(bytes, rest_.size()));
}

Result<bool> Lexer::skip_blanks() {
  bool skipped = false;
  while (!rest_.empty()) {
    if (kBlanks.find(rest_.front()) != std::string_view::npos) {
      advance(1);
    } else if (rest_.starts_with("//") || rest_.front() == '#') {
      advance(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      const std::size_t end = rest_.find("*/", 2);
      if (end == std::string_view::npos) return fail(error_at(at_, "a comment has no end", "close it with */"));
      advance(end + 2);
    } else {
      break;
    }
    skipped = true;
  }
  return skipped;
}

Token Lexer::take(TokenKind kind, std::size_t bytes) {
  Token token;
  token.kind = kind;
  token.text = rest_.substr(0, bytes);
  token.at = at_;
  token.spaced = spaced_;
  advance(bytes);
  return token;
}

Result<Token> Lexer::next() {
  const auto skipped = skip_blanks();
  if (!skipped) return fail(skipped.error());
  spaced_ = *skipped;
  if (rest_.empty()) return take(TokenKind::kEnd, 0);
  const char first = rest_.front();
  if (begins_name(rest_)) return take(TokenKind::kName, length_of_name(rest_));
  if (is_digit(first)) return number();
  if (first == '.') {
    if (rest_.size() > 1 && follows(rest_[1])) return dotted();
    return fail(error_at(at_, "a dot stands alone", "write the name of a directive or modifier after it"));
  }
  if (first == '"') return string();
  for (const std::string_view each : kLongPunctuation) {
    if (rest_.starts_with(each)) return take(TokenKind::kPunctuation, each.size());
  }
  if (kPunctuation.find(first) != std::string_view::npos) return take(TokenKind::kPunctuation, 1);
  const bool printable = first > ' ' && first < '\x7f';
  const std::string shown =
      printable ? std::string("'") + first + "'" : "byte " + std::to_string(static_cast<unsigned char>(first));
  return fail(error_at(at_, shown + " cannot begin a word of PTX", "remove it; PTX is plain ASCII text"));
}

// ".shared::cta", ".L2::128B", ".mbarrier::complete_tx::bytes" are one word each.
Token Lexer::dotted() {
  std::size_t end = length_of_name(rest_);
  while (rest_.substr(end).starts_with("::") && end + 2 < rest_.size() && follows(rest_[end + 2])) {
    end += 2 + length_of_name(rest_.substr(end + 2));
  }
  return take(TokenKind::kDotted, end);
}

Result<Token> Lexer::number() {
  if (rest_.size() > 1 && rest_[0] == '0') {
    if (rest_[1] == 'f' || rest_[1] == 'F') return exact_float(8, TokenKind::kFloat32);
    if (rest_[1] == 'd' || rest_[1] == 'D') return exact_float(16, TokenKind::kFloat64);
  }
  const std::size_t length = length_of_decimal_float(rest_);
  return length > 0 ? decimal_float(length) : integer();
}

Result<Token> Lexer::exact_float(std::size_t digits, TokenKind kind) {
  const std::string_view body = rest_.substr(2, digits);
  std::uint64_t bits = 0;
  for (const char c : body) {
    if (digit_value(c) > 15) break;
    bits = bits << 4 | static_cast<std::uint64_t>(digit_value(c));
  }
  const bool all =
      body.size() == digits && std::all_of(body.begin(), body.end(), [](char c) { return digit_value(c) < 16; });
  const bool longer = rest_.size() > 2 + digits && follows(rest_[2 + digits]);
  if (!all || longer) {
    return fail(error_at(at_, "a float in hexadecimal needs exactly " + std::to_string(digits) + " digits",
                         "write 0f and eight digits, or 0d and sixteen"));
  }
  Token token = take(kind, 2 + digits);
  token.bits = bits;
  return token;
}

Result<Token> Lexer::decimal_float(std::size_t length) {
  Token token = take(TokenKind::kFloat64, length);
  double value = 0;
  const auto read = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (read.ec != std::errc()) return fail(error_at(token.at, "a number does not fit a double", "write another one"));
  token.bits = std::bit_cast<std::uint64_t>(value);
  return token;
}

Result<Token> Lexer::integer() {
  const Radix radix = radix_of(rest_);
  std::size_t end = radix.prefix;
  std::uint64_t value = 0;
  bool overflow = false;
  while (end < rest_.size() && digit_value(rest_[end]) < radix.base) {
    const std::uint64_t digit = static_cast<std::uint64_t>(digit_value(rest_[end]));
    const std::uint64_t base = static_cast<std::uint64_t>(radix.base);
    overflow = overflow || value > (~std::uint64_t{0} - digit) / base;
    value = value * base + digit;
    ++end;
  }
  const bool has_suffix = end < rest_.size() && rest_[end] == 'U';
  const bool no_digits = radix.base != 8 && end == radix.prefix;
  const std::size_t all = end + (has_suffix ? 1 : 0);
  if (no_digits || (all < rest_.size() && follows(rest_[all]))) {
    return fail(error_at(at_, "a number is followed by a letter or a digit of another base", "check the number"));
  }
  if (overflow) return fail(error_at(at_, "a number does not fit 64 bits", "write a smaller one"));
  Token token = take(TokenKind::kInteger, all);
  token.bits = value;
  token.is_unsigned = has_suffix || value > 0x7fffffffffffffffULL;
  return token;
}

Result<Token> Lexer::string() {
  const std::size_t end = rest_.find_first_of("\"\n", 1);
  if (end == std::string_view::npos || rest_[end] == '\n') {
    return fail(error_at(at_, "a string has no end on its line", "close it with a quote"));
  }
  Token token = take(TokenKind::kString, end + 1);
  token.text = token.text.substr(1, end - 1);
  return token;
}

}  // namespace ridge::ptx
