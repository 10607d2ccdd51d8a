#include <algorithm>

#include "base/nearest.h"
#include "model/expression/expression.h"
#include "model/workload/workload.h"

namespace ridge {
namespace {

struct Parsed {
  std::string_view option;
  const std::string* text;
  Expression expression;
};

Result<Expression> parse_option(std::string_view option, const std::string& text) {
  auto expression = Expression::parse(text);
  if (!expression) {
    Error error = expression.error();
    error.where = std::string(option) + ", " + error.where;
    return fail(std::move(error));
  }
  return expression;
}

Result<void> check_options(const FreeFormulas& formulas) {
  const bool apart = !formulas.read.empty() || !formulas.write.empty();
  if (formulas.flops.empty()) {
    return fail(usage_error("a formula of the FLOP is missing", "--flops", "add --flops '2*n^3', or --flops 0"));
  }
  if (!apart && formulas.bytes.empty()) {
    return fail(usage_error("a formula of the bytes is missing", "--bytes", "add --bytes '3*n^2*e'"));
  }
  if (apart && !formulas.bytes.empty()) {
    return fail(usage_error("the bytes are given twice", "--bytes", "give --bytes, or --read and --write"));
  }
  return {};
}

Result<Variables> read_parameters(const std::vector<std::string>& used, const GivenParameters& given) {
  Variables variables;
  for (const auto& [key, text] : given) {
    const std::string where = key.substr(0, 40) + "=" + text.substr(0, 40);
    if (key == "e") return fail(usage_error("e is the bytes of one element", where, "set it by --precision"));
    if (std::find(used.begin(), used.end(), key) == used.end()) {
      const std::string near = nearest(key, used);
      return fail(usage_error("no formula uses '" + key.substr(0, 40) + "'", where,
                              near.empty() ? "remove it" : "did you mean " + near + "?"));
    }
    const auto expression = Expression::parse(text);
    const auto value = expression ? expression->evaluate({}) : Result<double>(fail(expression.error()));
    if (!value) {
      return fail(
          usage_error("the parameter " + key + " is not a number", where, "write a number such as 4096, 1e8 or 2^20"));
    }
    if (*value <= 0) return fail(usage_error("the parameter " + key + " is not above 0", where, "give a size"));
    if (!variables.emplace(key, *value).second) {
      return fail(usage_error("the parameter " + key + " is given twice", where, "give it once"));
    }
  }
  return variables;
}

Result<Computation> compute(const Parsed& parsed, std::string_view name, Unit unit, const Variables& variables) {
  auto value = parsed.expression.evaluate(variables);
  if (!value) {
    Error error = value.error();
    error.where = std::string(parsed.option) + ", " + error.where;
    return fail(std::move(error));
  }
  if (*value < 0) {
    return fail(usage_error("the formula gives a negative amount",
                            std::string(parsed.option) + " '" + *parsed.text + "'",
                            "check the formula and the parameters"));
  }
  Computation made{std::string(name), *parsed.text, {}, *value, unit};
  for (const std::string& operand : parsed.expression.names()) {
    made.operands.push_back({operand, variables.at(operand), operand == "e" ? Unit::kBytes : Unit::kCount});
  }
  return made;
}

}  // namespace

Result<PaperWork> bind_formulas(const FreeFormulas& formulas, const GivenParameters& given, DataType type) {
  RIDGE_TRY(check_options(formulas));
  const bool apart = formulas.bytes.empty();
  static const std::string zero = "0";
  const auto or_zero = [](const std::string& text) -> const std::string& { return text.empty() ? zero : text; };
  std::vector<Parsed> parsed;
  std::vector<std::string> used;
  const auto take = [&](std::string_view option, const std::string& text) -> Result<void> {
    auto expression = parse_option(option, text);
    if (!expression) return fail(expression.error());
    used.insert(used.end(), expression->names().begin(), expression->names().end());
    parsed.push_back({option, &text, *std::move(expression)});
    return {};
  };
  RIDGE_TRY(take("--flops", formulas.flops));
  RIDGE_TRY(take(apart ? "--read" : "--bytes", apart ? or_zero(formulas.read) : formulas.bytes));
  RIDGE_TRY(take("--write", or_zero(formulas.write)));

  auto variables = read_parameters(used, given);
  if (!variables) return fail(variables.error());
  PaperWork work;
  work.workload = "formula";
  work.type = type;
  work.split = apart;
  for (const auto& [name, value] : *variables) work.parameters.push_back({name, "", value, true});
  variables->emplace("e", element_bytes(type));

  auto flops = compute(parsed[0], "flops", Unit::kFlops, *variables);
  if (!flops) return fail(flops.error());
  auto read = compute(parsed[1], apart ? "read" : "bytes", Unit::kBytes, *variables);
  if (!read) return fail(read.error());
  auto write = compute(parsed[2], "write", Unit::kBytes, *variables);
  if (!write) return fail(write.error());
  if (read->value + write->value <= 0) {
    return fail(usage_error("the formulas move no bytes", std::string(parsed[1].option), "give the bytes moved"));
  }
  work.flops = *std::move(flops);
  work.read = work.best_read = *std::move(read);
  work.write = work.best_write = *std::move(write);
  return work;
}

}  // namespace ridge
