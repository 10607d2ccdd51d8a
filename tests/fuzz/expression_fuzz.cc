// A formula on the command line: any text ends in a finite number or in one error, and a formula that is spelled out
// and read again has the same value.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/expression/expression.h"

namespace {

ridge::Variables values_for(const ridge::Expression& expression) {
  ridge::Variables variables;
  double value = 1;
  for (const std::string& name : expression.names()) variables[name] = value += 1.5;
  return variables;
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto expression = ridge::Expression::parse({reinterpret_cast<const char*>(data), size});
  if (!expression) {
    require(!expression.error().what.empty() && !expression.error().remedy.empty());
    require(expression.error().where.find('\n') == std::string::npos);
    return 0;
  }
  const ridge::Variables variables = values_for(*expression);
  const auto value = expression->evaluate(variables);
  if (value) require(std::isfinite(*value));

  const std::string text = expression->spelled([](std::string_view name) { return std::string(name); });
  if (text.size() > ridge::Expression::kMaxLength) return 0;  // blanks around operators may exceed the limit
  const auto again = ridge::Expression::parse(text);
  require(again.has_value());
  const auto same = again->evaluate(variables);
  require(same.has_value() == value.has_value());
  if (value) require(*same == *value);
  return 0;
}
