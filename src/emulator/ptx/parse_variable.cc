#include "emulator/ptx/parse_variable.h"

#include <array>
#include <optional>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/parser.h"

namespace ridge::ptx {
namespace {

struct NamedSpace {
  std::string_view name;
  Space space;
};
constexpr std::array<NamedSpace, 7> kSpaces = {{{".reg", Space::kRegister},
                                                {".const", Space::kConstant},
                                                {".global", Space::kGlobal},
                                                {".local", Space::kLocal},
                                                {".param", Space::kParameter},
                                                {".shared", Space::kShared},
                                                {".tex", Space::kTexture}}};
constexpr std::uint64_t kMostRegisters = 1 << 20;
constexpr std::uint64_t kLargestAlignment = 1 << 20;

std::optional<Space> space_of(std::string_view text) {
  for (const NamedSpace& each : kSpaces) {
    if (each.name == text) return each.space;
  }
  return std::nullopt;
}

class VariableReader {
 public:
  explicit VariableReader(TokenStream& tokens) : tokens_(tokens) {}

  // Everything before the name.
  Result<Variable> type_of(std::vector<std::string_view> linkage) {
    Variable variable;
    variable.linkage = std::move(linkage);
    variable.at = tokens_.peek().at;
    const auto space = space_of(tokens_.peek().text);
    if (!tokens_.at_dotted() || !space) return fail(tokens_.unexpected("a state space such as .param"));
    variable.space = *space;
    RIDGE_TRY(tokens_.take());
    while (tokens_.at_dotted()) RIDGE_TRY(modifier(variable));
    if (variable.type.empty()) return fail(tokens_.unexpected("a type such as .b32"));
    return variable;
  }

  Result<bool> name_of(Variable& variable) {
    const auto name = tokens_.expect_name("the name of a variable");
    if (!name) return fail(name.error());
    variable.name = name->text;
    variable.at = name->at;
    if (tokens_.at("<")) RIDGE_TRY(count_of(variable));
    while (tokens_.at("[")) RIDGE_TRY(dimension(variable));
    const auto is = tokens_.accept("=");
    if (!is) return fail(is.error());
    if (!*is) return true;
    return initial(variable, 0);
  }

 private:
  Result<bool> modifier(Variable& variable) {
    const auto token = tokens_.take();
    if (!token) return fail(token.error());
    const std::string_view name = token->text.substr(1);
    if (name == "align") {
      const auto bytes = alignment();
      if (!bytes) return fail(bytes.error());
      (pointer_ ? variable.pointee_alignment : variable.alignment) = *bytes;
      return true;
    }
    if (name == "v2" || name == "v4" || name == "v8") {
      variable.vector = static_cast<std::uint32_t>(name[1] - '0');
      return true;
    }
    if (name == "attribute") return attribute(variable);
    if (name == "ptr") pointer_ = true;
    if (variable.type.empty() && name != "ptr") {
      variable.type = name;
    } else {
      variable.attributes.push_back(name);
    }
    return true;
  }

  Result<std::uint32_t> alignment() {
    const Position at = tokens_.peek().at;
    const auto value = tokens_.expect_integer("an alignment in bytes");
    if (!value) return fail(value.error());
    if (*value == 0 || *value > kLargestAlignment || (*value & (*value - 1)) != 0) {
      return fail(error_at(at, "an alignment is not a power of two", "correct it"));
    }
    return static_cast<std::uint32_t>(*value);
  }

  // .attribute(.managed, .unified(a, b))
  Result<bool> attribute(Variable& variable) {
    RIDGE_TRY(tokens_.expect("(", ".attribute"));
    int open = 1;
    while (open > 0) {
      if (tokens_.at_end()) return fail(tokens_.unexpected("')' after .attribute"));
      open += tokens_.at("(") ? 1 : tokens_.at(")") ? -1 : 0;
      if (tokens_.at_dotted()) variable.attributes.push_back(tokens_.peek().text.substr(1));
      RIDGE_TRY(tokens_.take());
    }
    return true;
  }

  Result<bool> count_of(Variable& variable) {
    RIDGE_TRY(tokens_.take());
    const Position at = tokens_.peek().at;
    const auto count = tokens_.expect_integer("a number of registers");
    if (!count) return fail(count.error());
    if (*count == 0 || *count > kMostRegisters) {
      return fail(error_at(at, "a number of registers is 0 or larger than 1,048,576", "correct it"));
    }
    variable.count = static_cast<std::uint32_t>(*count);
    RIDGE_TRY(tokens_.expect(">", "a number of registers"));
    return true;
  }

  Result<bool> dimension(Variable& variable) {
    RIDGE_TRY(tokens_.take());
    const auto open = tokens_.accept("]");
    if (!open) return fail(open.error());
    if (*open) {
      if (!variable.dimensions.empty() || variable.open_dimension) {
        return fail(tokens_.unexpected("a size: only the first dimension may be left open"));
      }
      variable.open_dimension = true;
      return true;
    }
    const auto size = parse_constant(tokens_);
    if (!size) return fail(size.error());
    if (size->kind != OperandKind::kInteger) return fail(tokens_.unexpected("a whole number as the size"));
    variable.dimensions.push_back(size->bits);
    RIDGE_TRY(tokens_.expect("]", "a dimension"));
    return true;
  }

  // Nested braces are laid out in order, as memory is.
  Result<bool> initial(Variable& variable, int depth) {
    if (!tokens_.at("{")) return element(variable);
    if (depth > kMaxDepth)
      return fail(error_at(tokens_.peek().at, "an initial value is nested too deeply", "simplify it"));
    RIDGE_TRY(tokens_.take());
    while (!tokens_.at("}")) {
      RIDGE_TRY(initial(variable, depth + 1));
      const auto more = tokens_.accept(",");
      if (!more) return fail(more.error());
      if (!*more) break;
    }
    RIDGE_TRY(tokens_.expect("}", "initial values"));
    return true;
  }

  Result<bool> element(Variable& variable) {
    InitialValue value;
    if (tokens_.at_name()) {
      RIDGE_TRY(symbol(value));
    } else {
      const auto constant = parse_constant(tokens_);
      if (!constant) return fail(constant.error());
      value.kind = constant->kind;
      value.bits = constant->bits;
      if (tokens_.at("(")) {  // 0xFF00(symbol)
        value.mask = value.bits;
        value.bits = 0;
        RIDGE_TRY(tokens_.take());
        RIDGE_TRY(symbol(value));
        RIDGE_TRY(tokens_.expect(")", "a symbol"));
      }
    }
    variable.initial.push_back(value);
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
  bool pointer_ = false;
};

}  // namespace

bool begins_variable(const TokenStream& tokens) {
  return tokens.at_dotted() && space_of(tokens.peek().text).has_value();
}

Result<std::vector<Variable>> parse_variables(TokenStream& tokens, std::vector<std::string_view> linkage) {
  VariableReader reader(tokens);
  const auto type = reader.type_of(std::move(linkage));
  if (!type) return fail(type.error());
  std::vector<Variable> variables;
  do {
    Variable variable = *type;
    RIDGE_TRY(reader.name_of(variable));
    variables.push_back(std::move(variable));
    const auto more = tokens.accept(",");
    if (!more) return fail(more.error());
    if (!*more) break;
  } while (true);
  RIDGE_TRY(tokens.expect(";", "a declaration"));
  return variables;
}

Result<std::vector<Variable>> parse_parameters(TokenStream& tokens) {
  std::vector<Variable> parameters;
  RIDGE_TRY(tokens.expect("(", "a function's head"));
  while (!tokens.at(")")) {
    VariableReader reader(tokens);
    auto parameter = reader.type_of({});
    if (!parameter) return fail(parameter.error());
    RIDGE_TRY(reader.name_of(*parameter));
    parameters.push_back(std::move(*parameter));
    const auto more = tokens.accept(",");
    if (!more) return fail(more.error());
    if (!*more) break;
  }
  RIDGE_TRY(tokens.expect(")", "parameters"));
  return parameters;
}

}  // namespace ridge::ptx
