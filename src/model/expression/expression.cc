#include "model/expression/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/words.h"

namespace ridge {
namespace {

struct Function {
  std::string_view name;
  std::size_t min_arguments;
  std::size_t max_arguments;
  double (*apply)(const double* arguments, std::size_t count);
};

constexpr std::size_t kAny = 64;

constexpr std::array kFunctions{
    Function{"sqrt", 1, 1, [](const double* a, std::size_t) { return std::sqrt(a[0]); }},
    Function{"log2", 1, 1, [](const double* a, std::size_t) { return std::log2(a[0]); }},
    Function{"ln", 1, 1, [](const double* a, std::size_t) { return std::log(a[0]); }},
    Function{"ceil", 1, 1, [](const double* a, std::size_t) { return std::ceil(a[0]); }},
    Function{"floor", 1, 1, [](const double* a, std::size_t) { return std::floor(a[0]); }},
    Function{"round", 1, 1, [](const double* a, std::size_t) { return std::round(a[0]); }},
    Function{"min", 2, kAny, [](const double* a, std::size_t n) { return *std::min_element(a, a + n); }},
    Function{"max", 2, kAny, [](const double* a, std::size_t n) { return *std::max_element(a, a + n); }},
};
constexpr std::string_view kFunctionList = "sqrt, log2, ln, ceil, floor, round, min, max";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

/// Recursive descent with one counter of depth; every way down passes through enter().
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) { result_.text_ = text; }

  Result<Expression> parse() {
    if (text_.size() > Expression::kMaxLength) {
      return fail(usage_error("the formula has " + std::to_string(text_.size()) + " characters, more than the " +
                                  std::to_string(Expression::kMaxLength) + " that are read",
                              where(0), "write a shorter one"));
    }
    RIDGE_TRY(sum());
    skip_blanks();
    if (at_ < text_.size()) return fail(unexpected());
    return std::move(result_);
  }

 private:
  using Op = Expression::Op;
  using TokenKind = Expression::TokenKind;

  struct Depth {
    explicit Depth(int& depth_) : depth(depth_) { ++depth; }
    ~Depth() { --depth; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    int& depth;
  };

  Result<void> sum() {
    RIDGE_TRY(product());
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      take_operator();
      RIDGE_TRY(product());
      push(c == '+' ? Op::kAdd : Op::kSubtract);
    }
    return {};
  }

  Result<void> product() {
    RIDGE_TRY(unary());
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      take_operator();
      RIDGE_TRY(unary());
      push(c == '*' ? Op::kMultiply : Op::kDivide);
    }
    return {};
  }

  Result<void> unary() {
    const Depth guard(depth_);
    if (depth_ > Expression::kMaxDepth) return fail(too_deep());
    const char c = peek();
    if (c != '-' && c != '+') return power();
    take_symbol(1);
    RIDGE_TRY(unary());
    if (c == '-') push(Op::kNegate);
    return {};
  }

  /// The exponent is a unary expression, which makes ^ right-associative and allows 2^-1.
  Result<void> power() {
    RIDGE_TRY(primary());
    const std::size_t width = power_sign();
    if (width == 0) return {};
    skip_blanks();
    at_ += width;
    result_.tokens_.push_back({TokenKind::kSymbol, "^", false});
    RIDGE_TRY(unary());
    push(Op::kPower);
    return {};
  }

  Result<void> primary() {
    const char c = peek();
    if (c == '(') return parenthesis();
    if (is_digit(c) || c == '.') return number();
    if (is_name_start(c)) return name_or_call();
    return fail(unexpected());
  }

  Result<void> parenthesis() {
    take_symbol(1);
    RIDGE_TRY(sum());
    if (peek() != ')') return fail(unexpected());
    take_symbol(1);
    return {};
  }

  Result<void> number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (code == std::errc::result_out_of_range) {
      return fail(usage_error("a number is too large or too small to be held", where(at_), "write it within 1e308"));
    }
    if (code != std::errc() || !std::isfinite(value)) return fail(unexpected());
    const auto length = static_cast<std::size_t>(end - begin);
    result_.tokens_.push_back({TokenKind::kNumber, std::string(text_.substr(at_, length)), false});
    at_ += length;
    result_.steps_.push_back({Op::kNumber, value, 0, 0});
    return {};
  }

  Result<void> name_or_call() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_name_start(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (peek() == '(') return call(word, begin);
    result_.tokens_.push_back({TokenKind::kName, std::string(word), false});
    const auto found = std::find(result_.names_.begin(), result_.names_.end(), word);
    const auto index = static_cast<std::size_t>(found - result_.names_.begin());
    if (found == result_.names_.end()) result_.names_.emplace_back(word);
    result_.steps_.push_back({Op::kName, 0, index, 0});
    return {};
  }

  Result<void> call(std::string_view word, std::size_t begin) {
    const auto function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == word; });
    if (function == kFunctions.end()) {
      return fail(usage_error("there is no function '" + shown(word) + "'", where(begin),
                              "use one of " + std::string(kFunctionList) + ", or write '*' before the parenthesis"));
    }
    result_.tokens_.push_back({TokenKind::kFunction, std::string(word), false});
    take_symbol(1);
    std::size_t count = 0;
    for (;;) {
      RIDGE_TRY(sum());
      ++count;
      if (peek() != ',') break;
      take_symbol(1);
    }
    if (peek() != ')') return fail(unexpected());
    take_symbol(1);
    if (count < function->min_arguments || count > function->max_arguments) {
      return fail(usage_error(std::string(word) + "() does not take " + std::to_string(count) + " arguments",
                              where(begin), "give it " + std::to_string(function->min_arguments)));
    }
    result_.steps_.push_back({Op::kCall, 0, static_cast<std::size_t>(function - kFunctions.begin()), count});
    return {};
  }

  void push(Op op) { result_.steps_.push_back({op, 0, 0, 0}); }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  /// The next character that is not blank; 0 at the end. The multiplication sign of "**" is not one.
  char peek() {
    skip_blanks();
    if (at_ >= text_.size()) return '\0';
    return power_sign() == 0 ? text_[at_] : '^';
  }
  /// Width of a power sign at the cursor, "^" or "**"; 0 if there is none.
  std::size_t power_sign() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '^') return 1;
    return text_.substr(at_, 2) == "**" ? 2 : 0;
  }
  void take_symbol(std::size_t width) {
    result_.tokens_.push_back({TokenKind::kSymbol, std::string(text_.substr(at_, width)), false});
    at_ += width;
  }
  void take_operator() {
    take_symbol(1);
    result_.tokens_.back().spaced = true;
  }

  [[nodiscard]] std::string where(std::size_t at) const {
    return "formula '" + shown(text_) + "', character " + std::to_string(at + 1);
  }
  [[nodiscard]] Error too_deep() const {
    return usage_error("the formula is nested deeper than " + std::to_string(Expression::kMaxDepth) + " levels",
                       where(at_), "remove needless parentheses");
  }
  [[nodiscard]] Error unexpected() {
    skip_blanks();
    if (text_.find_first_not_of(" \t") == std::string_view::npos) {
      return usage_error("the formula is empty", "formula ''", "write one such as '2*n^3'");
    }
    if (at_ >= text_.size()) {
      return usage_error("the formula ends where a number, a name or ')' is needed", where(at_), "complete it");
    }
    const bool factor = is_name_start(text_[at_]) || text_[at_] == '(' || is_digit(text_[at_]);
    return usage_error("'" + shown(text_.substr(at_, 1)) + "' is not expected", where(at_),
                       factor ? "write an operator such as '*' before it" : "remove it or complete what stands before");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression result_;
};

Result<Expression> Expression::parse(std::string_view text) {
  return ExpressionParser(text).parse();
}

namespace {

Error not_finite(const std::string& text, double value) {
  const std::string what = std::isnan(value) ? "the formula has no value there (0/0, or a root or logarithm of a "
                                               "negative number)"
                                             : "the formula overflows or divides by zero";
  return usage_error(what, "formula '" + shown(text) + "'", "check the formula and the parameters");
}

double binary(double a, double b, char op) {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return std::pow(a, b);
  }
}

}  // namespace

Result<double> Expression::evaluate(const Variables& variables) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.op == Op::kNumber) {
      stack.push_back(step.number);
    } else if (step.op == Op::kName) {
      const auto found = variables.find(names_[step.index]);
      if (found == variables.end()) {
        return fail(usage_error("the formula uses '" + shown(names_[step.index]) + "', which has no value",
                                "formula '" + shown(text_) + "'", "add " + shown(names_[step.index]) + "=NUMBER"));
      }
      stack.push_back(found->second);
    } else if (step.op == Op::kNegate) {
      stack.back() = -stack.back();
    } else if (step.op == Op::kCall) {
      const double value = kFunctions[step.index].apply(&stack[stack.size() - step.count], step.count);
      stack.resize(stack.size() - step.count);
      stack.push_back(value);
    } else {
      constexpr std::string_view kSigns = "+-*/^";
      const double right = stack.back();
      stack.pop_back();
      const auto sign = static_cast<std::size_t>(step.op) - static_cast<std::size_t>(Op::kAdd);
      stack.back() = binary(stack.back(), right, kSigns[sign]);
    }
    if (!std::isfinite(stack.back())) return fail(not_finite(text_, stack.back()));
  }
  return stack.back();
}

std::string Expression::spelled(const std::function<std::string(std::string_view name)>& spell) const {
  std::string result;
  for (const Token& token : tokens_) {
    if (token.kind == TokenKind::kName) {
      result += spell(token.text);
    } else if (token.spaced) {
      result += " " + token.text + " ";
    } else {
      result += token.text == "," ? ", " : token.text;
    }
  }
  return result;
}

}  // namespace ridge
