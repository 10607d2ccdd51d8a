#include "emulator/ptx/parse_body.h"

#include <limits>

#include "emulator/ptx/parse_operand.h"
#include "emulator/ptx/parse_variable.h"
#include "emulator/ptx/parser.h"

namespace ridge::ptx {
namespace {

class BodyReader {
 public:
  explicit BodyReader(TokenStream& tokens) : tokens_(tokens) {}

  Result<Scope> scope() {
    if (++depth_ > kMaxDepth)
      return fail(error_at(tokens_.peek().at, "scopes are nested too deeply", "simplify the code"));
    RIDGE_TRY(tokens_.expect("{", "a function's head"));
    Scope scope;
    while (!tokens_.at("}")) {
      if (tokens_.at_end()) return fail(tokens_.unexpected("'}' at the end of a function"));
      RIDGE_TRY(statement(scope.statements));
    }
    RIDGE_TRY(tokens_.take());
    --depth_;
    return scope;
  }

 private:
  Result<bool> statement(std::vector<Statement>& out) {
    if (tokens_.at(";")) {
      RIDGE_TRY(tokens_.take());
      return true;
    }
    if (tokens_.at("{")) {
      auto inner = scope();
      if (!inner) return fail(std::move(inner).error());
      out.emplace_back(std::move(*inner));
      return true;
    }
    if (tokens_.at_dotted()) return directive(out);
    if (tokens_.at_name() && tokens_.peek_second().text == ":" &&
        tokens_.peek_second().kind == TokenKind::kPunctuation) {
      return label(out);
    }
    if (tokens_.at("@") || tokens_.at_name()) return instruction(out);
    return fail(tokens_.unexpected("an instruction"));
  }

  Result<bool> directive(std::vector<Statement>& out) {
    if (tokens_.at(".loc")) return location();
    if (tokens_.at(".pragma")) {
      RIDGE_TRY(tokens_.take());
      auto pragma = parse_pragma_texts(tokens_);
      if (!pragma) return fail(std::move(pragma).error());
      RIDGE_TRY(tokens_.expect(";", ".pragma"));
      out.emplace_back(std::move(*pragma));
      return true;
    }
    std::vector<std::string_view> linkage;
    while (tokens_.at(".extern") || tokens_.at(".visible") || tokens_.at(".weak")) {
      const auto token = tokens_.take();
      if (!token) return fail(token.error());
      linkage.push_back(token->text.substr(1));
    }
    if (!begins_variable(tokens_.peek())) return fail(tokens_.unexpected("an instruction or a declaration"));
    auto variables = parse_variables(tokens_, std::move(linkage));
    if (!variables) return fail(std::move(variables).error());
    for (Variable& each : *variables) out.emplace_back(std::move(each));
    return true;
  }

  Result<std::uint32_t> small_number(std::string_view what) {
    const Position at = tokens_.peek().at;
    const auto value = tokens_.expect_integer(what);
    if (!value) return fail(value.error());
    if (*value > std::numeric_limits<std::uint32_t>::max())
      return fail(error_at(at, "a number is too large", "correct it"));
    return static_cast<std::uint32_t>(*value);
  }

  // .loc 1 12 3, then for inlined code: , function_name $L__info_string0+4, inlined_at 1 4 5. The line is where the
  // instruction's text stands, not who inlined it.
  Result<bool> location() {
    RIDGE_TRY(tokens_.take());
    for (std::uint32_t* field : {&source_.file, &source_.line, &source_.column}) {
      const auto value = small_number("three numbers after .loc");
      if (!value) return fail(value.error());
      *field = *value;
    }
    while (tokens_.at(",")) {
      RIDGE_TRY(tokens_.take());
      RIDGE_TRY(tokens_.expect_name("function_name or inlined_at"));
      while (tokens_.at_integer() || tokens_.at("+") || (tokens_.at_name() && tokens_.peek().text.starts_with("$"))) {
        RIDGE_TRY(tokens_.take());
      }
    }
    return true;
  }

  Result<bool> label(std::vector<Statement>& out) {
    const auto name = tokens_.take();
    if (!name) return fail(name.error());
    RIDGE_TRY(tokens_.take());
    if (tokens_.at(".branchtargets") || tokens_.at(".calltargets")) return targets(name->text, out);
    if (tokens_.at(".callprototype")) return prototype(name->text, out);
    out.emplace_back(Label{name->text, name->at});
    return true;
  }

  Result<bool> targets(std::string_view label, std::vector<Statement>& out) {
    Table table;
    table.label = label;
    const auto kind = tokens_.take();
    if (!kind) return fail(kind.error());
    table.kind = kind->text.substr(1);
    RIDGE_TRY(tokens_.separated([&]() -> Result<bool> {
      const auto target = tokens_.expect_name("a target");
      if (!target) return fail(target.error());
      table.targets.push_back(target->text);
      return true;
    }));
    RIDGE_TRY(tokens_.expect(";", "a list of targets"));
    out.emplace_back(std::move(table));
    return true;
  }

  // .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;
  Result<bool> prototype(std::string_view label, std::vector<Statement>& out) {
    Table table;
    table.label = label;
    table.kind = "callprototype";
    RIDGE_TRY(tokens_.take());
    if (tokens_.at("(")) {
      auto results = parse_parameters(tokens_);
      if (!results) return fail(std::move(results).error());
      table.results = std::move(*results);
    }
    RIDGE_TRY(tokens_.expect_name("the name of a prototype, or _"));
    if (tokens_.at("(")) {
      auto parameters = parse_parameters(tokens_);
      if (!parameters) return fail(std::move(parameters).error());
      table.parameters = std::move(*parameters);
    }
    const auto noreturn = tokens_.accept(".noreturn");
    if (!noreturn) return fail(noreturn.error());
    table.noreturn = *noreturn;
    RIDGE_TRY(tokens_.expect(";", "a prototype"));
    out.emplace_back(std::move(table));
    return true;
  }

  Result<bool> guard(Instruction& out) {
    RIDGE_TRY(tokens_.take());
    Guard guard;
    const auto negated = tokens_.accept("!");
    if (!negated) return fail(negated.error());
    guard.negated = *negated;
    const auto name = tokens_.expect_name("a predicate after @");
    if (!name) return fail(name.error());
    guard.predicate = name->text;
    out.guard = guard;
    return true;
  }

  Result<bool> instruction(std::vector<Statement>& out) {
    Instruction made;
    made.source = source_;
    if (tokens_.at("@")) RIDGE_TRY(guard(made));
    const auto opcode = tokens_.expect_name("an instruction");
    if (!opcode) return fail(opcode.error());
    made.opcode = opcode->text;
    made.at = opcode->at;
    while (tokens_.at_dotted()) {
      const auto modifier = tokens_.take();
      if (!modifier) return fail(modifier.error());
      made.modifiers.push_back(modifier->text.substr(1));
    }
    RIDGE_TRY(operands(made));
    out.emplace_back(std::move(made));
    return true;
  }

  Result<bool> operands(Instruction& made) {
    const auto read = [&]() -> Result<bool> {
      auto operand = parse_operand(tokens_, made.opcode == "call");
      if (!operand) return fail(std::move(operand).error());
      made.operands.push_back(std::move(*operand));
      return true;
    };
    RIDGE_TRY(tokens_.separated(read, ";"));
    RIDGE_TRY(tokens_.expect(";", "an instruction"));
    return true;
  }

  TokenStream& tokens_;
  SourceLine source_;
  int depth_ = 0;
};

}  // namespace

Result<Scope> parse_body(TokenStream& tokens) {
  return BodyReader(tokens).scope();
}

Result<Pragma> parse_pragma_texts(TokenStream& tokens) {
  Pragma pragma;
  RIDGE_TRY(tokens.separated([&]() -> Result<bool> {
    if (tokens.peek().kind != TokenKind::kString) return fail(tokens.unexpected("a text in quotes after .pragma"));
    const auto text = tokens.take();
    if (!text) return fail(text.error());
    pragma.texts.push_back(text->text);
    return true;
  }));
  return pragma;
}

}  // namespace ridge::ptx
