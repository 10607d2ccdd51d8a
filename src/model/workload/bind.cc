// From a workload's formulas and the sizes somebody typed to numbers, with every way to get it wrong answered.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/nearest.h"
#include "model/expression/expression.h"
#include "model/workload/functions.h"
#include "model/workload/workload.h"

namespace ridge {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ") {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : separator).append(word);
  return text;
}

std::string plain(double value) {
  std::string text = std::to_string(value);
  if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

/// Sizes are powers of something as often as not, so a value may be a formula of numbers: "2^20".
std::optional<double> parse_number(std::string_view text) {
  const auto expression = Expression::parse(text);
  if (!expression || !expression->names().empty()) return std::nullopt;
  const auto value = expression->evaluate({});
  return value ? std::optional(*value) : std::nullopt;
}

/// The pieces of `text` between separators that stand outside parentheses; each keeps the separator before it.
std::vector<std::string> split_outside(std::string_view text, std::string_view separators) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth == 0 && separators.find(c) != std::string_view::npos) pieces.emplace_back();
    pieces.back() += c;
  }
  return pieces;
}

/// A product without its factors of 1, or nothing when a factor is 0.
std::string without_switches_of_term(std::string_view term, const Variables& switches) {
  std::string kept;
  for (const std::string& factor : split_outside(term, "*/")) {
    const std::size_t begin = std::min(factor.find_first_not_of("+*/ "), factor.size());
    const std::size_t end = factor.find_last_not_of(' ') + 1;
    const auto found = switches.find(std::string_view(factor).substr(begin, end - std::min(begin, end)));
    if (found != switches.end() && found->second == 0) return {};
    if (found != switches.end() && found->second == 1) continue;
    const std::size_t from = kept.empty() ? factor.find_first_not_of("+* ") : 0;
    if (from != std::string::npos) kept += factor.substr(from, end - from);
  }
  return kept;
}

/// A formula of the catalogue without what has no effect here: terms with a factor that is 0, factors that are 1. Only
/// for `switches`, the parameters that exist to be left alone (batch, beta): a size of 1 is still shown.
std::string without_switches(std::string_view formula, const Variables& switches) {
  std::string result;
  for (const std::string& term : split_outside(formula, "+")) {
    const std::string kept = without_switches_of_term(term, switches);
    if (!kept.empty()) result += (result.empty() ? "" : " + ") + kept;
  }
  return result.empty() ? "0" : result;
}

/// Binds one workload; keeps what has been resolved so far.
class Binder {
 public:
  Binder(const WorkloadInfo& info, const GivenParameters& given, DataType type) : info_(info), given_(given) {
    work_.workload = info.id;
    work_.type = type;
    work_.matrix = info.matrix;
    variables_["e"] = element_bytes(type);
    byte_names_.insert({"e", "out_bytes", "index_bytes", "sector"});
  }

  Result<PaperWork> bind() {
    RIDGE_TRY(check_names());
    RIDGE_TRY(choose_variant());
    RIDGE_TRY(check_required());
    for (const WorkloadParameter& parameter : info_.parameters) RIDGE_TRY(resolve(parameter));
    for (const WorkloadDefinition& definition : info_.definitions) RIDGE_TRY(define(definition));
    for (const WorkloadRequirement& requirement : info_.requirements) RIDGE_TRY(require(requirement));
    RIDGE_TRY(compute_all());
    RIDGE_TRY(check_effect());
    add_notes();
    return std::move(work_);
  }

 private:
  [[nodiscard]] const std::string* given(std::string_view name) const {
    for (const auto& [key, value] : given_) {
      if (key == name) return &value;
    }
    return nullptr;
  }
  [[nodiscard]] std::string where(std::string_view name) const {
    const std::string* text = given(name);
    return std::string(info_.id) + " " + std::string(name) + (text == nullptr ? "" : "=" + text->substr(0, 40));
  }
  [[nodiscard]] std::vector<std::string> parameter_names() const {
    std::vector<std::string> names;
    for (const WorkloadParameter& parameter : info_.parameters) names.emplace_back(parameter.name);
    return names;
  }

  Result<void> check_names() const {
    std::set<std::string_view> seen;
    const std::vector<std::string> names = parameter_names();
    for (const auto& [key, value] : given_) {
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        const std::string near = nearest(key, names);
        return fail(usage_error(std::string(info_.id) + " has no parameter '" + key.substr(0, 40) + "'",
                                key.substr(0, 40) + "=" + value.substr(0, 40),
                                near.empty() ? "its parameters are " + joined(names) : "did you mean " + near + "?"));
      }
      if (!seen.insert(key).second) {
        return fail(usage_error("the parameter " + key + " is given twice", where(key), "give it once"));
      }
    }
    return {};
  }

  Result<void> choose_variant() {
    variant_ = &info_.variants.front();
    const std::string* text = given("variant");
    if (info_.variants.size() > 1) work_.best_variant = variant_->name;
    if (text != nullptr) {
      const auto found = std::find_if(info_.variants.begin(), info_.variants.end(),
                                      [&](const WorkloadVariant& v) { return v.name == *text; });
      if (found == info_.variants.end()) return {};  // resolve() names the choices
      variant_ = &*found;
    }
    work_.variant = variant_->name;
    return {};
  }

  [[nodiscard]] std::string_view initial(const WorkloadParameter& parameter) const {
    for (const auto& [name, value] : variant_->defaults) {
      if (name == parameter.name) return value;
    }
    return parameter.initial;
  }

  /// f and flops of elementwise stand for each other; every other parameter without an initial value is needed.
  Result<void> check_required() const {
    std::vector<std::string> missing;
    for (const WorkloadParameter& parameter : info_.parameters) {
      if (is_function(parameter) || is_per_element(parameter)) continue;
      if (initial(parameter).empty() && given(parameter.name) == nullptr) missing.emplace_back(parameter.name);
    }
    if (missing.empty()) return check_function();
    std::vector<std::string> examples;
    examples.reserve(missing.size());
    for (const std::string& name : missing) examples.push_back(name + "=NUMBER");
    return fail(usage_error(std::string(info_.id) + " needs " + joined(missing), std::string(info_.id),
                            "add " + joined(examples, " ")));
  }

  [[nodiscard]] static bool is_function(const WorkloadParameter& parameter) { return parameter.name == "f"; }
  [[nodiscard]] static bool is_per_element(const WorkloadParameter& parameter) { return parameter.name == "flops"; }

  Result<void> check_function() const {
    const bool elementwise = std::any_of(info_.parameters.begin(), info_.parameters.end(), is_function);
    if (!elementwise) return {};
    if ((given("f") == nullptr) == (given("flops") == nullptr)) {
      return fail(usage_error(given("f") == nullptr ? "elementwise needs its arithmetic per element"
                                                    : "f and flops both say what one element costs",
                              std::string(info_.id), "give either f=sin or flops=8"));
    }
    if (given("count") != nullptr && given("f") == nullptr) {
      return fail(usage_error("count has no effect without f", where("count"), "remove it or give f=sin"));
    }
    return {};
  }

  Result<void> resolve(const WorkloadParameter& parameter) {
    const std::string* text = given(parameter.name);
    if (is_function(parameter)) return text == nullptr ? Result<void>() : resolve_function(*text);
    if (is_per_element(parameter) && text == nullptr) return {};  // resolve_function() has set it
    if (!parameter.choices.empty()) return resolve_choice(parameter, text);
    double value = 0;
    if (text == nullptr) {
      auto computed = evaluate(initial(parameter));
      if (!computed) return fail(computed.error());
      value = *computed;
    } else {
      const auto number = parse_number(*text);
      if (!number) {
        return fail(usage_error("the parameter " + std::string(parameter.name) + " is not a number",
                                where(parameter.name), "write a number such as 4096, 1e8 or 2^20"));
      }
      value = *number;
    }
    RIDGE_TRY(check_range(parameter, value));
    keep(parameter.name, "", value, text != nullptr);
    return {};
  }

  Result<void> check_range(const WorkloadParameter& parameter, double value) const {
    const std::string name(parameter.name);
    if (value < parameter.min || value > parameter.max) {
      return fail(usage_error("the parameter " + name + " is " + plain(value) + ", outside " + plain(parameter.min) +
                                  " to " + plain(parameter.max),
                              where(name), "give one inside"));
    }
    if (parameter.whole && value != std::floor(value)) {
      return fail(usage_error("the parameter " + name + " is " + plain(value) + ", not a whole number", where(name),
                              "give a whole number"));
    }
    return {};
  }

  Result<void> resolve_choice(const WorkloadParameter& parameter, const std::string* text) {
    const std::string word(text != nullptr ? *text : std::string(initial(parameter)));
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), word);
    if (found == parameter.choices.end()) {
      const std::vector<std::string> names(parameter.choices.begin(), parameter.choices.end());
      return fail(usage_error("the parameter " + std::string(parameter.name) + " is none of its choices",
                              where(parameter.name), "use one of " + joined(names)));
    }
    keep(parameter.name, word, static_cast<double>(found - parameter.choices.begin()), text != nullptr);
    return {};
  }

  Result<void> resolve_function(const std::string& text) {
    const ElementaryFunction* function = find_function(text);
    if (function == nullptr) {
      std::vector<std::string> names;
      for (const ElementaryFunction& entry : elementary_functions()) names.emplace_back(entry.name);
      const std::string near = nearest(text, names);
      return fail(usage_error(
          "there is no function '" + text.substr(0, 40) + "'", where("f"),
          near.empty() ? "use one of " + joined(names) + ", or flops=NUMBER" : "did you mean " + near + "?"));
    }
    work_.parameters.push_back({"f", text, 0, true});
    const InstructionCount& cost = instructions_for(*function, work_.type);
    const std::string* count = given("count");
    const bool by_instructions = count != nullptr && *count == "instructions";
    keep("flops", "", by_instructions ? cost.flops() : function->operations, false);
    work_.function = std::string(function->name);
    return {};
  }

  void keep(std::string_view name, std::string word, double value, bool was_given) {
    variables_[std::string(name)] = value;
    if (word == "yes" || word == "no" || name == "batch" || name == "groups" || name == "passes") {
      switches_[std::string(name)] = value;
    }
    work_.parameters.push_back({std::string(name), std::move(word), value, was_given});
  }

  Result<double> evaluate(std::string_view formula) {
    auto expression = Expression::parse(formula);
    if (!expression) return fail(expression.error());
    used_.insert(expression->names().begin(), expression->names().end());
    return expression->evaluate(variables_);
  }

  Result<void> define(const WorkloadDefinition& definition) {
    auto made = compute(definition.name, definition.formula, Unit::kCount);
    if (!made) return fail(made.error());
    if (made->value < definition.min) {
      return fail(usage_error(
          std::string(definition.name) + " = " + std::string(definition.formula) + " is " + plain(made->value),
          std::string(info_.id), "choose sizes that give at least " + plain(definition.min)));
    }
    variables_[std::string(definition.name)] = made->value;
    work_.definitions.push_back(*std::move(made));
    return {};
  }

  Result<void> require(const WorkloadRequirement& requirement) {
    const auto value = evaluate(requirement.not_negative);
    if (!value) return fail(value.error());
    if (*value >= 0) return {};
    return fail(usage_error(std::string(requirement.what), std::string(info_.id), std::string(requirement.remedy)));
  }

  Result<Computation> compute(std::string_view name, std::string_view formula, Unit unit) {
    auto expression = Expression::parse(formula);
    if (!expression) return fail(expression.error());
    auto value = expression->evaluate(variables_);
    if (!value) return fail(value.error());
    used_.insert(expression->names().begin(), expression->names().end());
    Computation made{std::string(name), without_switches(formula, switches_), {}, *value, unit};
    const auto shown = Expression::parse(made.formula);
    if (!shown) return fail(shown.error());
    for (const std::string& operand : shown->names()) {
      const bool bytes = byte_names_.count(operand) > 0;
      made.operands.push_back({operand, variables_[operand], bytes ? Unit::kBytes : Unit::kCount});
    }
    return made;
  }

  Result<void> compute_into(Computation& target, std::string_view name, std::string_view formula, Unit unit) {
    auto made = compute(name, formula, unit);
    if (!made) return fail(made.error());
    target = *std::move(made);
    return {};
  }

  Result<void> compute_all() {
    const WorkloadVariant& best = info_.variants.front();
    RIDGE_TRY(compute_into(work_.flops, "flops", info_.flops, Unit::kFlops));
    RIDGE_TRY(compute_into(work_.read, "read", variant_->read, Unit::kBytes));
    RIDGE_TRY(compute_into(work_.write, "write", variant_->write, Unit::kBytes));
    RIDGE_TRY(compute_into(work_.best_read, "read", best.read, Unit::kBytes));
    RIDGE_TRY(compute_into(work_.best_write, "write", best.write, Unit::kBytes));
    work_.working_set.resize(1);
    RIDGE_TRY(compute_into(work_.working_set[0], "working_set",
                           variant_->working_set.empty() ? info_.working_set : variant_->working_set, Unit::kBytes));
    if (info_.instructions.empty()) return function_instructions();
    work_.instructions.resize(1);
    return compute_into(work_.instructions[0], "instructions", info_.instructions, Unit::kCount);
  }

  /// The mix of a function is known only as the compiler's code executes it.
  Result<void> function_instructions() {
    const std::string* count = given("count");
    if (count == nullptr || *count != "instructions") return {};
    const InstructionCount& cost = instructions_for(*find_function(work_.function), work_.type);
    work_.instructions.resize(1);
    return compute_into(work_.instructions[0], "instructions", plain(cost.arithmetic()) + "*n", Unit::kCount);
  }

  /// A number that no formula of this variant uses was given for another one.
  Result<void> check_effect() const {
    for (const BoundParameter& parameter : work_.parameters) {
      const bool word = !parameter.word.empty() && parameter.word != "yes" && parameter.word != "no";
      if (!parameter.given || word || used_.count(parameter.name) > 0) continue;
      return fail(usage_error("the parameter " + parameter.name + " has no effect with variant=" + work_.variant,
                              where(parameter.name), "remove it or choose another variant"));
    }
    return {};
  }

  void add_notes() {
    std::vector<Argument> arguments;
    for (const BoundParameter& parameter : work_.parameters) {
      const std::string name = parameter.name == "T" ? "tile" : parameter.name;  // arguments are lower case
      if (parameter.word.empty()) arguments.push_back({name, parameter.number, Unit::kCount});
    }
    if (!work_.function.empty()) add_function_note();
    if (!variant_->note.empty()) work_.notes.emplace_back(std::string(variant_->note), arguments);
    for (const std::string_view note : info_.notes) work_.notes.emplace_back(std::string(note), arguments);
  }

  /// Both conventions side by side, whichever was chosen.
  void add_function_note() {
    const ElementaryFunction& function = *find_function(work_.function);
    const InstructionCount& cost = instructions_for(function, work_.type);
    const double bytes_per_element = work_.bytes() / variables_["n"];
    const std::string* count = given("count");
    const bool by_instructions = count != nullptr && *count == "instructions";
    work_.notes.emplace_back(
        by_instructions ? "explain.note.function_instructions" : "explain.note.function_operations",
        std::vector<Argument>{{"f", std::string(function.name), Unit::kNone},
                              {"written", std::string(function.written), Unit::kNone},
                              {"operations", function.operations, Unit::kNone},
                              {"instruction_flops", cost.flops(), Unit::kNone},
                              {"special", cost.special, Unit::kNone},
                              {"operation_intensity", function.operations / bytes_per_element, Unit::kFlopsPerByte},
                              {"instruction_intensity", cost.flops() / bytes_per_element, Unit::kFlopsPerByte}});
  }

  const WorkloadInfo& info_;
  const GivenParameters& given_;
  const WorkloadVariant* variant_ = nullptr;
  Variables variables_;
  Variables switches_;
  std::set<std::string, std::less<>> byte_names_;
  std::set<std::string, std::less<>> used_;
  PaperWork work_;
};

/// '-' and '_' are the same to a person.
std::string folded(std::string_view id) {
  std::string text(id);
  for (char& c : text) {
    if (c == '-' || c == ' ') c = '_';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

const WorkloadInfo* find_workload(std::string_view id) {
  const std::string wanted = folded(id);
  for (const WorkloadInfo& info : workloads()) {
    if (info.id == wanted) return &info;
    for (const std::string_view alias : info.aliases) {
      if (alias == wanted) return &info;
    }
  }
  return nullptr;
}

Result<PaperWork> bind_workload(const WorkloadInfo& info, const GivenParameters& given, DataType type) {
  return Binder(info, given, type).bind();
}

}  // namespace ridge
