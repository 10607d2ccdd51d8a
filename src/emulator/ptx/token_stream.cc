#include "emulator/ptx/token_stream.h"

namespace ridge::ptx {
namespace {

constexpr std::size_t kShown = 40;

std::string shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  if (token.kind == TokenKind::kString) return "a string";
  if (token.text.size() > kShown) return "'" + std::string(token.text.substr(0, kShown)) + "...'";
  return "'" + std::string(token.text) + "'";
}

}  // namespace

Result<bool> TokenStream::start() {
  for (Token* token : {&current_, &second_}) {
    auto next = lexer_.next();
    if (!next) return fail(std::move(next).error());
    *token = *next;
  }
  return true;
}

Result<Token> TokenStream::take() {
  const Token token = current_;
  current_ = second_;
  auto next = lexer_.next();
  if (!next) return fail(std::move(next).error());
  second_ = *next;
  return token;
}

Result<bool> TokenStream::accept(std::string_view text) {
  if (!at(text)) return false;
  RIDGE_TRY(take());
  return true;
}

Error TokenStream::unexpected(std::string_view expected) const {
  return error_at(current_.at, "expected " + std::string(expected) + ", found " + shown(current_),
                  "compile the kernel anew, or correct the text there");
}

Result<Token> TokenStream::expect(std::string_view text, std::string_view after) {
  if (at(text)) return take();
  return fail(unexpected("'" + std::string(text) + "' after " + std::string(after)));
}

Result<Token> TokenStream::expect_name(std::string_view what) {
  if (at_name()) return take();
  return fail(unexpected(what));
}

Result<std::uint64_t> TokenStream::expect_integer(std::string_view what) {
  if (!at_integer()) return fail(unexpected(what));
  const auto token = take();
  if (!token) return fail(token.error());
  return token->bits;
}

}  // namespace ridge::ptx
