#include "emulator/ptx/parse_variable.h"

#include <array>
#include <optional>

#include "emulator/ptx/constant.h"
#include "emulator/ptx/parse_initial.h"

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
    return parse_initial(tokens_, variable);
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
    if (name == "attribute" && variable.space != Space::kParameter) return attribute(variable);
    if (variable.type.empty() && name != "ptr") {
      variable.type = name;
      return true;
    }
    return pointer(variable, *token);
  }

  // .param .u64 .ptr .global .align 16 p
  Result<bool> pointer(Variable& variable, const Token& word) {
    const bool begins = word.text == ".ptr" && variable.space == Space::kParameter && !variable.type.empty();
    if (!begins && !(pointer_ && space_of(word.text))) {
      return fail(
          error_at(word.at, "'" + std::string(word.text) + "' cannot stand there",
                   "write a space, a type and a name; .ptr and what it points to only after a parameter's type"));
    }
    pointer_ = true;
    variable.attributes.push_back(word.text.substr(1));
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

  TokenStream& tokens_;
  bool pointer_ = false;
};

}  // namespace

bool begins_variable(const Token& token) {
  return token.kind == TokenKind::kDotted && space_of(token.text).has_value();
}

Result<std::vector<Variable>> parse_variables(TokenStream& tokens, std::vector<std::string_view> linkage) {
  VariableReader reader(tokens);
  const auto type = reader.type_of(std::move(linkage));
  if (!type) return fail(type.error());
  std::vector<Variable> variables;
  RIDGE_TRY(tokens.separated([&]() -> Result<bool> {
    variables.push_back(*type);
    return reader.name_of(variables.back());
  }));
  RIDGE_TRY(tokens.expect(";", "a declaration"));
  return variables;
}

Result<std::vector<Variable>> parse_parameters(TokenStream& tokens) {
  std::vector<Variable> parameters;
  RIDGE_TRY(tokens.expect("(", "a function's head"));
  const auto read = [&]() -> Result<bool> {
    VariableReader reader(tokens);
    auto parameter = reader.type_of({});
    if (!parameter) return fail(parameter.error());
    parameters.push_back(std::move(*parameter));
    return reader.name_of(parameters.back());
  };
  RIDGE_TRY(tokens.separated(read, ")"));
  RIDGE_TRY(tokens.expect(")", "parameters"));
  return parameters;
}

}  // namespace ridge::ptx
