#include "emulator/ptx/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "emulator/ptx/parse_body.h"
#include "emulator/ptx/parse_variable.h"

namespace ridge::ptx {
namespace {

constexpr std::array<std::string_view, 4> kLinkage = {".extern", ".visible", ".weak", ".common"};
// What begins an item of a module, besides a linkage and a state space; .pragma may also be of a function.
constexpr std::array<std::string_view, 8> kItems = {".version", ".target", ".address_size", ".file",
                                                    ".section", ".alias",  ".entry",        ".func"};

// Every directive that does not begin an item is taken for one of functions: newer ones than we know are kept as well.
bool is_directive_of_function(const Token& token) {
  const auto is = [&token](std::string_view each) { return each == token.text; };
  return token.kind == TokenKind::kDotted && !begins_variable(token) &&
         std::none_of(kLinkage.begin(), kLinkage.end(), is) && std::none_of(kItems.begin(), kItems.end(), is);
}

class ModuleReader {
 public:
  explicit ModuleReader(std::string text)
      : text_(std::make_shared<const std::string>(std::move(text))), tokens_(*text_) {}

  Result<Module> module() {
    RIDGE_TRY(tokens_.start());
    module_.text = text_;
    if (!tokens_.at(".version")) return fail(tokens_.unexpected(".version at the begin: is this PTX?"));
    while (!tokens_.at_end()) RIDGE_TRY(item());
    if (module_.target.empty()) return fail(tokens_.unexpected(".target"));
    return std::move(module_);
  }

 private:
  Result<bool> item() {
    if (tokens_.at(".version")) return version();
    if (tokens_.at(".target")) return target();
    if (tokens_.at(".address_size")) return address_size();
    if (tokens_.at(".file")) return file();
    if (tokens_.at(".section")) return section();
    if (tokens_.at(".alias")) return alias();
    if (tokens_.at(".pragma")) return pragma();
    if (tokens_.at(";")) {
      RIDGE_TRY(tokens_.take());
      return true;
    }
    return declaration();
  }

  // The two numbers are one word of the lexer, "8.10", and not a fraction.
  Result<bool> version() {
    RIDGE_TRY(tokens_.take());
    const auto token = tokens_.take();
    if (!token) return fail(token.error());
    const std::string_view text = token->text;
    const std::size_t point = text.find('.');
    const auto number = [](std::string_view digits, std::uint32_t& to) {
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), to);
      return read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    };
    const bool fine = point != std::string_view::npos && number(text.substr(0, point), module_.version_major) &&
                      number(text.substr(point + 1), module_.version_minor);
    if (!fine) return fail(error_at(token->at, "the version is not two numbers", "write it as in .version 8.0"));
    return true;
  }

  Result<bool> target() {
    RIDGE_TRY(tokens_.take());
    return tokens_.separated([this]() -> Result<bool> {
      const auto name = tokens_.expect_name("a target such as sm_90");
      if (!name) return fail(name.error());
      module_.target.push_back(name->text);
      return true;
    });
  }

  Result<bool> address_size() {
    RIDGE_TRY(tokens_.take());
    const Position at = tokens_.peek().at;
    const auto bits = tokens_.expect_integer("32 or 64");
    if (!bits) return fail(bits.error());
    if (*bits != 32 && *bits != 64)
      return fail(error_at(at, "the size of addresses is neither 32 nor 64", "correct it"));
    module_.address_size = static_cast<std::uint32_t>(*bits);
    return true;
  }

  // .file 1 "path", and in debug builds a time and a size.
  Result<bool> file() {
    RIDGE_TRY(tokens_.take());
    const Position at = tokens_.peek().at;
    const auto number = tokens_.expect_integer("the number of a file");
    if (!number) return fail(number.error());
    if (*number > std::numeric_limits<std::uint32_t>::max())
      return fail(error_at(at, "a number is too large", "correct it"));
    if (tokens_.peek().kind != TokenKind::kString) return fail(tokens_.unexpected("a path in quotes"));
    const auto path = tokens_.take();
    if (!path) return fail(path.error());
    module_.files.push_back({static_cast<std::uint32_t>(*number), path->text});
    while (tokens_.at(",")) {
      RIDGE_TRY(tokens_.take());
      RIDGE_TRY(tokens_.expect_integer("a number"));
    }
    return true;
  }

  Result<bool> section() {
    RIDGE_TRY(tokens_.take());
    RIDGE_TRY(tokens_.take());
    RIDGE_TRY(tokens_.expect("{", "the name of a section"));
    std::size_t open = 1;
    while (open > 0) {
      if (tokens_.at_end()) return fail(tokens_.unexpected("'}' at the end of a section"));
      if (tokens_.at("{")) ++open;
      if (tokens_.at("}")) --open;
      RIDGE_TRY(tokens_.take());
    }
    return true;
  }

  Result<bool> alias() {
    RIDGE_TRY(tokens_.take());
    const auto name = tokens_.expect_name("a name after .alias");
    if (!name) return fail(name.error());
    RIDGE_TRY(tokens_.expect(",", "a name"));
    const auto target = tokens_.expect_name("the function that the alias is of");
    if (!target) return fail(target.error());
    RIDGE_TRY(tokens_.expect(";", ".alias"));
    module_.items.emplace_back(Alias{name->text, target->text});
    return true;
  }

  Result<bool> pragma() {
    RIDGE_TRY(tokens_.take());
    auto read = parse_pragma_texts(tokens_);
    if (!read) return fail(std::move(read).error());
    RIDGE_TRY(tokens_.expect(";", ".pragma"));
    module_.items.emplace_back(std::move(*read));
    return true;
  }

  [[nodiscard]] bool at_linkage() const {
    for (const std::string_view each : kLinkage) {
      if (tokens_.at(each)) return true;
    }
    return false;
  }

  Result<bool> declaration() {
    std::vector<std::string_view> linkage;
    while (at_linkage()) {
      const auto token = tokens_.take();
      if (!token) return fail(token.error());
      linkage.push_back(token->text.substr(1));
    }
    if (tokens_.at(".entry") || tokens_.at(".func")) return function(std::move(linkage));
    if (!begins_variable(tokens_.peek())) return fail(tokens_.unexpected("a function or a variable"));
    auto variables = parse_variables(tokens_, std::move(linkage));
    if (!variables) return fail(std::move(variables).error());
    for (Variable& each : *variables) module_.items.emplace_back(std::move(each));
    return true;
  }

  Result<bool> function(std::vector<std::string_view> linkage) {
    Function made;
    made.linkage = std::move(linkage);
    made.entry = tokens_.at(".entry");
    RIDGE_TRY(tokens_.take());
    if (tokens_.at(".attribute")) RIDGE_TRY(attribute());
    if (tokens_.at("(")) {
      auto results = parse_parameters(tokens_);
      if (!results) return fail(std::move(results).error());
      made.results = std::move(*results);
    }
    const auto name = tokens_.expect_name("the name of a function");
    if (!name) return fail(name.error());
    made.name = name->text;
    made.at = name->at;
    if (tokens_.at("(")) {
      auto parameters = parse_parameters(tokens_);
      if (!parameters) return fail(std::move(parameters).error());
      made.parameters = std::move(*parameters);
    }
    while (is_directive_of_function(tokens_.peek())) RIDGE_TRY(directive(made));
    RIDGE_TRY(body(made));
    module_.items.emplace_back(std::move(made));
    return true;
  }

  Result<bool> body(Function& made) {
    const auto declared = tokens_.accept(";");
    if (!declared) return fail(declared.error());
    if (*declared) return true;
    auto body = parse_body(tokens_);
    if (!body) return fail(std::move(body).error());
    made.body = std::move(*body);
    return true;
  }

  // Unified functions and the like change nothing for us.
  Result<bool> attribute() {
    RIDGE_TRY(tokens_.take());
    RIDGE_TRY(tokens_.expect("(", ".attribute"));
    std::size_t open = 1;
    while (open > 0) {
      if (tokens_.at_end()) return fail(tokens_.unexpected("')' after .attribute"));
      if (tokens_.at("(")) ++open;
      if (tokens_.at(")")) --open;
      RIDGE_TRY(tokens_.take());
    }
    return true;
  }

  // After a semicolon that may be a .pragma's own, or else the end of the declaration.
  [[nodiscard]] bool function_goes_on() const {
    return tokens_.second_at("{") || tokens_.second_at(";") || is_directive_of_function(tokens_.peek_second());
  }

  // .maxntid 256, 1, 1; .noreturn; .pragma "nounroll" maybe with a semicolon of its own.
  Result<bool> directive(Function& made) {
    FunctionDirective out;
    const auto name = tokens_.take();
    if (!name) return fail(name.error());
    out.name = name->text.substr(1);
    if (out.name == "pragma") {
      auto pragma = parse_pragma_texts(tokens_);
      if (!pragma) return fail(std::move(pragma).error());
      out.texts = std::move(pragma->texts);
      if (tokens_.at(";") && function_goes_on()) RIDGE_TRY(tokens_.take());
    } else if (tokens_.at_integer()) {
      RIDGE_TRY(numbers(out.values));
    }
    made.directives.push_back(std::move(out));
    return true;
  }

  Result<bool> numbers(std::vector<std::uint64_t>& out) {
    return tokens_.separated([this, &out]() -> Result<bool> {
      const auto value = tokens_.expect_integer("a number");
      if (!value) return fail(value.error());
      out.push_back(*value);
      return true;
    });
  }

  std::shared_ptr<const std::string> text_;
  TokenStream tokens_;
  Module module_;
};

}  // namespace

Result<Module> parse(std::string text) {
  return ModuleReader(std::move(text)).module();
}

}  // namespace ridge::ptx
