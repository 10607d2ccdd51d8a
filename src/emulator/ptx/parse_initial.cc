#include "emulator/ptx/parse_initial.h"

#include <algorithm>
#include <limits>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/parser.h"

namespace ridge::ptx {
namespace {

constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kEndless / b ? kEndless : a * b;
}

// The elements of the whole variable, of its rows, of the rows of these, ..., of one element: 1. For x[2][3]: 6, 3, 1.
std::vector<std::uint64_t> elements_by_level(const Variable& variable) {
  std::vector<std::uint64_t> dimensions = variable.dimensions;
  if (variable.vector != 1) dimensions.push_back(variable.vector);
  if (variable.open_dimension) dimensions.insert(dimensions.begin(), kEndless);
  std::vector<std::uint64_t> elements(dimensions.size() + 1, 1);
  for (std::size_t i = dimensions.size(); i-- > 0;) elements[i] = product(dimensions[i], elements[i + 1]);
  if (variable.open_dimension) elements.front() = kEndless;
  return elements;
}

class InitialReader {
 public:
  InitialReader(TokenStream& tokens, Variable& variable)
      : tokens_(tokens), values_(variable.initial), elements_(elements_by_level(variable)) {}

  Result<bool> all() {
    if (tokens_.at("{")) return braces(0);
    if (elements_.front() == 0) return too_many();
    return element();
  }

 private:
  // The values of one part of a level: they begin where those before ended.
  Result<bool> braces(std::size_t level) {
    if (++depth_ > kMaxDepth)
      return fail(error_at(tokens_.peek().at, "an initial value is nested too deeply", "simplify it"));
    RIDGE_TRY(tokens_.take());
    const std::uint64_t begin = values_.size();
    const auto value = [this, level, begin]() -> Result<bool> {
      const std::uint64_t done = values_.size() - begin;
      if (done >= elements_[level]) return too_many();
      if (!tokens_.at("{")) return element();
      return inner(level_below(level, done));
    };
    RIDGE_TRY(tokens_.separated(value, "}"));
    RIDGE_TRY(tokens_.expect("}", "initial values"));
    --depth_;
    return true;
  }

  Result<bool> inner(std::size_t level) {
    const Position at = tokens_.peek().at;
    const std::uint64_t begin = values_.size();
    RIDGE_TRY(braces(level));
    const std::uint64_t missing = elements_[level] - (values_.size() - begin);
    if (missing > kMostPadding - padded_) {
      return fail(error_at(at, "braces leave out too many elements", "write the elements of that row"));
    }
    padded_ += missing;
    values_.resize(values_.size() + missing);
    return true;
  }

  // {1, 2, {3}} of x[2][2][2]: after two values of the outer level the brace is of x[0][1].
  [[nodiscard]] std::size_t level_below(std::size_t level, std::uint64_t done) const {
    const std::size_t last = elements_.size() - 1;
    std::size_t below = std::min(level + 1, last);
    while (below < last && elements_[below] != 0 && done % elements_[below] != 0) ++below;
    return below;
  }

  [[nodiscard]] Result<bool> too_many() const {
    return fail(error_at(tokens_.peek().at, "more initial values than elements",
                         "remove those that are too many, or make the variable larger"));
  }

  Result<bool> element() {
    InitialValue value;
    if (tokens_.at_name()) {
      RIDGE_TRY(symbol(value));
    } else {
      RIDGE_TRY(number(value));
    }
    values_.push_back(value);
    return true;
  }

  // 5, or 0xFF00(symbol)
  Result<bool> number(InitialValue& value) {
    const Position at = tokens_.peek().at;
    const auto constant = parse_constant(tokens_);
    if (!constant) return fail(constant.error());
    if (!tokens_.at("(")) {
      value.kind = constant->kind;
      value.bits = constant->bits;
      return true;
    }
    if (constant->kind != OperandKind::kInteger || constant->bits == 0) {
      return fail(error_at(at, "a mask of an address is not an integer above 0", "write it as in 0xFF00(symbol)"));
    }
    value.mask = constant->bits;
    RIDGE_TRY(tokens_.take());
    RIDGE_TRY(symbol(value));
    RIDGE_TRY(tokens_.expect(")", "a symbol"));
    return true;
  }

  // symbol, symbol+4, generic(symbol), generic(symbol)+4
  Result<bool> symbol(InitialValue& value) {
    auto name = tokens_.expect_name("a symbol");
    if (!name) return fail(name.error());
    if (name->text == "generic" && tokens_.at("(")) {
      value.generic = true;
      RIDGE_TRY(tokens_.take());
      name = tokens_.expect_name("a symbol");
      if (!name) return fail(name.error());
      RIDGE_TRY(offset(value));
      RIDGE_TRY(tokens_.expect(")", "a symbol"));
    }
    value.symbol = name->text;
    return offset(value);
  }

  Result<bool> offset(InitialValue& value) {
    if (!tokens_.at("+") && !tokens_.at("-")) return true;
    const auto number = parse_signed_number(tokens_);
    if (!number) return fail(number.error());
    value.bits += number->bits;
    return true;
  }

  TokenStream& tokens_;
  std::vector<InitialValue>& values_;
  std::vector<std::uint64_t> elements_;
  std::uint64_t padded_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<bool> parse_initial(TokenStream& tokens, Variable& variable) {
  return InitialReader(tokens, variable).all();
}

}  // namespace ridge::ptx
