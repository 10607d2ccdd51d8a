// Text to tokens, one at a time. Errors say the line and column.
#pragma once

#include <string_view>

#include "emulator/ptx/token.h"
#include "ridgepoint/base/result.h"

namespace ridge::ptx {

/// "line 12, column 3": how positions stand in errors.
[[nodiscard]] std::string to_string(Position at);

/// An error of the kind bad-input at a place of the text.
[[nodiscard]] Error error_at(Position at, std::string what, std::string remedy);

class Lexer {
 public:
  explicit Lexer(std::string_view source) : rest_(source) {}

  /// kEnd at the end, as often as asked.
  [[nodiscard]] Result<Token> next();

 private:
  [[nodiscard]] Result<bool> skip_blanks();
  void advance(std::size_t bytes);
  Token take(TokenKind kind, std::size_t bytes);
  [[nodiscard]] Result<Token> number();
  [[nodiscard]] Result<Token> exact_float(std::size_t digits, TokenKind kind);
  [[nodiscard]] Result<Token> integer();
  [[nodiscard]] Result<Token> decimal_float(std::size_t length);
  [[nodiscard]] Result<Token> string();
  Token dotted();

  std::string_view rest_;
  Position at_;
  bool spaced_ = true;
};

}  // namespace ridge::ptx
