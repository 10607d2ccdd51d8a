#include "emulator/ptx/constant.h"

#include <array>
#include <bit>

#include "emulator/ptx/parser.h"

namespace ridge::ptx {
namespace {

constexpr std::uint64_t kSignOfFloat32 = 0x80000000ULL;
constexpr std::uint64_t kSignOfFloat64 = 0x8000000000000000ULL;

struct Operator {
  std::string_view text;
  int strength;
};
constexpr std::array<Operator, 18> kOperators = {{{"||", 1},
                                                  {"&&", 2},
                                                  {"|", 3},
                                                  {"^", 4},
                                                  {"&", 5},
                                                  {"==", 6},
                                                  {"!=", 6},
                                                  {"<", 7},
                                                  {">", 7},
                                                  {"<=", 7},
                                                  {">=", 7},
                                                  {"<<", 8},
                                                  {">>", 8},
                                                  {"+", 9},
                                                  {"-", 9},
                                                  {"*", 10},
                                                  {"/", 10},
                                                  {"%", 10}}};

class Reader {
 public:
  explicit Reader(TokenStream& tokens) : tokens_(tokens) {}

  Result<Constant> conditional() {
    if (++depth_ > kMaxDepth)
      return fail(error_at(tokens_.peek().at, "an expression is nested too deeply", "simplify it"));
    auto chosen = binary(1);
    if (chosen && tokens_.at("?")) chosen = choose(*chosen);
    --depth_;
    return chosen;
  }

 private:
  Result<Constant> choose(const Constant& condition) {
    RIDGE_TRY(tokens_.take());
    auto yes = conditional();
    if (!yes) return yes;
    RIDGE_TRY(tokens_.expect(":", "the first choice"));
    auto no = conditional();
    if (!no) return no;
    return condition.bits != 0 ? yes : no;
  }

  [[nodiscard]] const Operator* current() const {
    for (const Operator& each : kOperators) {
      if (tokens_.at(each.text)) return &each;
    }
    return nullptr;
  }

  Result<Constant> binary(int weakest) {
    auto left = unary();
    while (left) {
      const Operator* const found = current();
      if (found == nullptr || found->strength < weakest) break;
      const Position at = tokens_.peek().at;
      RIDGE_TRY(tokens_.take());
      auto right = binary(found->strength + 1);
      if (!right) return right;
      left = apply(found->text, *left, *right, at);
    }
    return left;
  }

  static Result<Constant> apply(std::string_view op, const Constant& left, const Constant& right, Position at) {
    if (left.kind != OperandKind::kInteger || right.kind != OperandKind::kInteger) {
      return fail(error_at(at, "arithmetic of floating-point constants", "write the result as one number"));
    }
    const bool is_unsigned = left.is_unsigned || right.is_unsigned;
    if ((op == "/" || op == "%") && right.bits == 0)
      return fail(error_at(at, "division by zero", "correct the constant"));
    const std::uint64_t value =
        is_unsigned ? of_unsigned(op, left.bits, right.bits)
                    : of_signed(op, std::bit_cast<std::int64_t>(left.bits), std::bit_cast<std::int64_t>(right.bits));
    return Constant{OperandKind::kInteger, value, is_unsigned};
  }

  static std::uint64_t of_unsigned(std::string_view op, std::uint64_t a, std::uint64_t b) {
    if (op == "/") return a / b;
    if (op == "%") return a % b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == ">>") return b > 63 ? 0 : a >> b;
    return of_bits(op, a, b);
  }

  static std::uint64_t of_signed(std::string_view op, std::int64_t a, std::int64_t b) {
    const auto bits = [](std::int64_t value) { return std::bit_cast<std::uint64_t>(value); };
    if (op == "/") return b == -1 ? 0 - bits(a) : bits(a / b);
    if (op == "%") return b == -1 ? 0 : bits(a % b);
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == ">>") return bits(a >> (b < 0 || b > 63 ? 63 : b));
    return of_bits(op, bits(a), bits(b));
  }

  static std::uint64_t of_bits(std::string_view op, std::uint64_t a, std::uint64_t b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "<<") return b > 63 ? 0 : a << b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "&&") return a != 0 && b != 0;
    return a != 0 || b != 0;
  }

  Result<Constant> unary() {
    for (const std::string_view sign : {"-", "+", "!", "~"}) {
      if (!tokens_.at(sign)) continue;
      if (++depth_ > kMaxDepth)
        return fail(error_at(tokens_.peek().at, "an expression is nested too deeply", "simplify it"));
      RIDGE_TRY(tokens_.take());
      auto value = unary();
      --depth_;
      if (value) RIDGE_TRY(change_sign(sign, *value));
      return value;
    }
    return primary();
  }

  Result<bool> change_sign(std::string_view sign, Constant& value) {
    if (sign == "+") return true;
    if (value.kind == OperandKind::kInteger) {
      value.bits = sign == "-" ? 0 - value.bits : sign == "~" ? ~value.bits : std::uint64_t{value.bits == 0};
      return true;
    }
    if (sign != "-") return fail(tokens_.unexpected("an integer after " + std::string(sign)));
    value.bits ^= value.kind == OperandKind::kFloat32 ? kSignOfFloat32 : kSignOfFloat64;
    return true;
  }

  Result<Constant> primary() {
    if (tokens_.at("(")) return in_parentheses();
    const TokenKind kind = tokens_.peek().kind;
    const bool number = kind == TokenKind::kInteger || kind == TokenKind::kFloat32 || kind == TokenKind::kFloat64;
    if (!number) return fail(tokens_.unexpected("a number"));
    const auto token = tokens_.take();
    if (!token) return fail(token.error());
    const OperandKind made = kind == TokenKind::kInteger   ? OperandKind::kInteger
                             : kind == TokenKind::kFloat32 ? OperandKind::kFloat32
                                                           : OperandKind::kFloat64;
    return Constant{made, token->bits, token->is_unsigned};
  }

  // (.s64) and (.u64) are casts.
  Result<Constant> in_parentheses() {
    RIDGE_TRY(tokens_.take());
    if (tokens_.at(".s64") || tokens_.at(".u64")) {
      const bool is_unsigned = tokens_.at(".u64");
      RIDGE_TRY(tokens_.take());
      RIDGE_TRY(tokens_.expect(")", "a cast"));
      if (++depth_ > kMaxDepth)
        return fail(error_at(tokens_.peek().at, "an expression is nested too deeply", "simplify it"));
      auto value = unary();
      --depth_;
      if (value) value->is_unsigned = is_unsigned;
      return value;
    }
    auto value = conditional();
    if (!value) return value;
    RIDGE_TRY(tokens_.expect(")", "an expression"));
    return value;
  }

  TokenStream& tokens_;
  int depth_ = 0;
};

}  // namespace

bool begins_constant(const TokenStream& tokens) {
  switch (tokens.peek().kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat32:
    case TokenKind::kFloat64:
      return true;
    case TokenKind::kPunctuation:
      return tokens.at("-") || tokens.at("+") || tokens.at("(") || tokens.at("!") || tokens.at("~");
    default:
      return false;
  }
}

Result<Constant> parse_constant(TokenStream& tokens) {
  return Reader(tokens).conditional();
}

Result<Constant> parse_signed_number(TokenStream& tokens) {
  bool negative = false;
  while (tokens.at("-") || tokens.at("+")) {
    negative = negative != tokens.at("-");
    RIDGE_TRY(tokens.take());
  }
  const auto value = tokens.expect_integer("a number");
  if (!value) return fail(value.error());
  return Constant{OperandKind::kInteger, negative ? 0 - *value : *value, false};
}

}  // namespace ridge::ptx
