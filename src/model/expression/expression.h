// Expression: a formula of named quantities, as people write work and traffic on paper: "2*n^3", "m*k*e + ceil(n/32)".
//
// Grammar, weakest first: + - | * / | unary - | ^ (right-associative, ** is the same) | number, name, f(...), (...).
// -2^2 is -4 and 2^-1 is 0.5, as in mathematics. Functions: sqrt, log2, ln, ceil, floor, round (one argument), min, max
// (two or more). A factor may not be left unwritten: "2n" is an error that says so.
// Not modelled: units. The caller knows what a formula yields.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge {

using Variables = std::map<std::string, double, std::less<>>;

class Expression {
 public:
  /// Texts longer than kMaxLength bytes or nested deeper than kMaxDepth are errors, never a crash.
  static constexpr std::size_t kMaxLength = 4096;
  static constexpr int kMaxDepth = 100;

  [[nodiscard]] static Result<Expression> parse(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Every name used, in order of first appearance.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// An error if a name is not in `variables`, or if the result is infinite or not a number (says which).
  [[nodiscard]] Result<double> evaluate(const Variables& variables) const;
  /// The formula with each name replaced by what `spell` makes of it, one blank around + - * /.
  [[nodiscard]] std::string spelled(const std::function<std::string(std::string_view name)>& spell) const;

 private:
  friend class ExpressionParser;

  enum class Op : unsigned char { kNumber, kName, kAdd, kSubtract, kMultiply, kDivide, kPower, kNegate, kCall };
  /// One step of a stack machine: formulas are kept in postfix order, so evaluating needs no recursion.
  struct Step {
    Op op = Op::kNumber;
    double number = 0;      ///< of kNumber
    std::size_t index = 0;  ///< of kName into names_, of kCall into the table of functions
    std::size_t count = 0;  ///< arguments of kCall
  };
  enum class TokenKind : unsigned char { kNumber, kName, kSymbol, kFunction };
  struct Token {
    TokenKind kind = TokenKind::kSymbol;
    std::string text;
    bool spaced = false;  ///< an operator between two operands
  };

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;
  std::vector<Token> tokens_;
};

}  // namespace ridge
