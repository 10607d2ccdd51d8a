// Tokens with one of lookahead, and the steps every part of the parser takes with them.
#pragma once

#include <string>
#include <string_view>

#include "emulator/ptx/lexer.h"

namespace ridge::ptx {

class TokenStream {
 public:
  explicit TokenStream(std::string_view source) : lexer_(source) {}

  /// Reads the first two tokens.
  [[nodiscard]] Result<bool> start();
  [[nodiscard]] const Token& peek() const { return current_; }
  [[nodiscard]] const Token& peek_second() const { return second_; }
  /// The current token; reads on.
  [[nodiscard]] Result<Token> take();

  [[nodiscard]] bool at(std::string_view text) const { return is(current_, text); }
  [[nodiscard]] bool at_name() const { return current_.kind == TokenKind::kName; }
  [[nodiscard]] bool at_dotted() const { return current_.kind == TokenKind::kDotted; }
  [[nodiscard]] bool at_integer() const { return current_.kind == TokenKind::kInteger; }
  [[nodiscard]] bool at_end() const { return current_.kind == TokenKind::kEnd; }
  [[nodiscard]] bool second_at(std::string_view text) const { return is(second_, text); }
  /// Takes the token if it is that one.
  [[nodiscard]] Result<bool> accept(std::string_view text);
  /// It must be that one; `after` says what came before it, for the error.
  [[nodiscard]] Result<Token> expect(std::string_view text, std::string_view after);
  [[nodiscard]] Result<Token> expect_name(std::string_view what);
  /// A plain number, and what it is for.
  [[nodiscard]] Result<std::uint64_t> expect_integer(std::string_view what);
  /// Calls `read`, a Result<bool>, for each of the items that commas separate. With an `end`, which stays, there may be
  /// none, and a comma after the last.
  template <class Read>
  [[nodiscard]] Result<bool> separated(Read read, std::string_view end = {}) {
    while (end.empty() || !at(end)) {
      RIDGE_TRY(read());
      const auto more = accept(",");
      if (!more) return fail(more.error());
      if (!*more) break;
    }
    return true;
  }
  /// "expected ..., found ..." at the current token.
  [[nodiscard]] Error unexpected(std::string_view expected) const;

 private:
  static bool is(const Token& token, std::string_view text) {
    return token.text == text && token.kind != TokenKind::kString && token.kind != TokenKind::kEnd;
  }

  Lexer lexer_;
  Token current_, second_;
};

}  // namespace ridge::ptx
