#include "emulator/ptx/parse_operand.h"

#include <bit>
#include <utility>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/parser.h"

namespace ridge::ptx {
namespace {

constexpr std::string_view kElements = "xyzwrgba";

// ".b0", ".h10", ".b3210": up to four parts, by number.
bool is_selector(const Token& token) {
  constexpr std::size_t kLongest = 6;
  const std::string_view text = token.text;
  if (token.kind != TokenKind::kDotted || token.spaced || text.size() < 3 || text.size() > kLongest) return false;
  return (text[1] == 'b' || text[1] == 'h') && text.find_first_not_of("01234567", 2) == std::string_view::npos;
}

class OperandReader {
 public:
  OperandReader(TokenStream& tokens, bool in_call) : tokens_(tokens), in_call_(in_call) {}

  Result<Operand> operand() {
    if (++depth_ > kMaxDepth)
      return fail(error_at(tokens_.peek().at, "an operand is nested too deeply", "simplify it"));
    auto read = single();
    if (read && tokens_.at("|")) read = pair(std::move(*read));
    --depth_;
    return read;
  }

 private:
  Result<Operand> single() {
    if (tokens_.at("[")) {
      if (in_address_) return fail(error_at(tokens_.peek().at, "an address inside an address", "load it first"));
      return address();
    }
    if (tokens_.at("{")) return list(OperandKind::kVector, "}");
    if (in_call_ && tokens_.at("(")) return list(OperandKind::kList, ")");
    const bool sign = tokens_.at("!") || tokens_.at("-");
    if (sign && tokens_.peek_second().kind == TokenKind::kName) return signed_name();
    if (tokens_.at_name()) return name();
    if (begins_constant(tokens_)) return constant();
    return fail(tokens_.unexpected("an operand"));
  }

  Result<Operand> signed_name() {
    const auto sign = tokens_.take();
    if (!sign) return fail(sign.error());
    auto read = name();
    if (!read) return read;
    if (read->kind == OperandKind::kSink) return fail(error_at(read->at, "_ with a sign", "remove the sign"));
    (sign->text == "-" ? read->minus : read->negated) = true;
    return read;
  }

  Operand made(OperandKind kind) const {
    Operand operand;
    operand.kind = kind;
    operand.at = tokens_.peek().at;
    return operand;
  }

  Result<Operand> constant() {
    Operand operand = made(OperandKind::kInteger);
    const auto value = parse_constant(tokens_);
    if (!value) return fail(value.error());
    operand.kind = value->kind;
    operand.bits = value->bits;
    return operand;
  }

  Result<Operand> name() {
    Operand operand = made(OperandKind::kName);
    const auto token = tokens_.take();
    if (!token) return fail(token.error());
    if (token->text == "_") {
      operand.kind = OperandKind::kSink;
      return operand;
    }
    operand.name = token->text;
    const Token& next = tokens_.peek();
    const bool element = next.kind == TokenKind::kDotted && !next.spaced && next.text.size() == 2 &&
                         kElements.find(next.text[1]) != std::string_view::npos;
    if (element) {
      operand.element = next.text[1];
      RIDGE_TRY(tokens_.take());
    } else if (is_selector(next)) {
      operand.selector = next.text.substr(1);
      RIDGE_TRY(tokens_.take());
    }
    RIDGE_TRY(offset(operand));
    return operand;
  }

  // "+4", "-4", "+-4".
  Result<bool> offset(Operand& operand) {
    if (!tokens_.at("+") && !tokens_.at("-")) return true;
    const auto value = parse_signed_number(tokens_);
    if (!value) return fail(value.error());
    operand.offset = std::bit_cast<std::int64_t>(value->bits);
    return true;
  }

  // The offset of an address belongs to it, not to the name in it.
  Result<Operand> address() {
    Operand operand = made(OperandKind::kAddress);
    RIDGE_TRY(tokens_.take());
    in_address_ = true;
    RIDGE_TRY(tokens_.separated([&] { return part(operand); }));
    in_address_ = false;
    RIDGE_TRY(tokens_.expect("]", "an address"));
    Operand& base = operand.parts.front();
    if (base.kind == OperandKind::kName) std::swap(operand.offset, base.offset);
    return operand;
  }

  Result<bool> part(Operand& whole) {
    auto read = operand();
    if (!read) return fail(std::move(read).error());
    whole.parts.push_back(std::move(*read));
    return true;
  }

  Result<Operand> list(OperandKind kind, std::string_view end) {
    Operand operand = made(kind);
    RIDGE_TRY(tokens_.take());
    RIDGE_TRY(tokens_.separated([&] { return part(operand); }, end));
    RIDGE_TRY(tokens_.expect(end, "a list of operands"));
    return operand;
  }

  Result<Operand> pair(Operand first) {
    Operand operand = made(OperandKind::kPair);
    operand.at = first.at;
    RIDGE_TRY(tokens_.take());
    auto second = single();
    if (!second) return second;
    operand.parts.push_back(std::move(first));
    operand.parts.push_back(std::move(*second));
    return operand;
  }

  TokenStream& tokens_;
  bool in_call_;
  bool in_address_ = false;
  int depth_ = 0;
};

}  // namespace

Result<Operand> parse_operand(TokenStream& tokens, bool in_call) {
  return OperandReader(tokens, in_call).operand();
}

}  // namespace ridge::ptx
