#include "collectors/cupti/recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include "base/embedded.h"
#include "base/files.h"
#include "base/nearest.h"
#include "base/toml_reader.h"
#include "base/utf8.h"
#include "base/words.h"
#include "collectors/cupti/sampler.h"

namespace ridge {

/// Generated from data/recipes by ridge_embed.
std::span<const EmbeddedFile> embedded_recipes();

namespace collectors::cupti {
namespace {

constexpr std::string_view kBuiltIn = "nvidia.toml";
constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr int kMostPasses = 100;
constexpr std::size_t kMostBraces = 64;
// Nothing that a chip has comes near these; they keep a file of nonsense from taking the stack or the memory.
constexpr std::size_t kMostWants = 256;
constexpr std::size_t kMostAlternatives = 16;
constexpr std::size_t kLongestCounter = 256;
constexpr std::size_t kLongestHint = 1024;

/// "a{b,c}" as "ab" and "ac"; false where the braces make no sense.
bool expand(const std::string& name, std::vector<std::string>& names) {
  const std::size_t open = name.find('{'), close = name.find('}');
  if (open == std::string::npos && close == std::string::npos) {
    names.push_back(name);
    return names.size() <= kMostBraces;
  }
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  const std::string_view inner = std::string_view(name).substr(open + 1, close - open - 1);
  for (const std::string_view choice : parts_of(inner, ",")) {
    if (!expand(name.substr(0, open).append(choice).append(name, close + 1), names)) return false;
  }
  return true;
}

bool read_alternative(std::string_view text, Alternative& alternative) {
  std::vector<std::string_view> words = parts_of(trim(text), " ");
  if (words.size() > 2 && words[1] == "x") {
    const char* end = words[0].data() + words[0].size();
    const auto [stop, error] = std::from_chars(words[0].data(), end, alternative.scale);
    if (error != std::errc() || stop != end || !std::isfinite(alternative.scale) || alternative.scale <= 0)
      return false;
    words.erase(words.begin(), words.begin() + 2);
  }
  for (const std::string_view word : words) {
    if (word.size() > kLongestCounter || !expand(std::string(word), alternative.metrics)) return false;
  }
  return !alternative.metrics.empty();
}

bool read_want(std::string_view text, Want& want) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || colon == 0) return false;
  want.what = trim(text.substr(0, colon));
  for (const std::string_view part : parts_of(text.substr(colon + 2), " | ")) {
    if (!read_alternative(part, want.alternatives.emplace_back())) return false;
  }
  return !want.alternatives.empty() && want.alternatives.size() <= kMostAlternatives;
}

/// For messages.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 80;
  return text.size() <= kMost ? text : to_valid_utf8(text.substr(0, kMost)) + "...";
}

bool is_sampled(std::string_view recipe) {
  return recipe == "sampling" || recipe == "sampling-light";
}

std::vector<std::string_view> quantities() {
  std::vector<std::string_view> names;
  names.reserve(static_cast<std::size_t>(Quantity::kCount));
  for (int i = 0; i < static_cast<int>(Quantity::kCount); ++i) names.push_back(cupti::name(static_cast<Quantity>(i)));
  return names;
}

bool is_quantity(std::string_view what) {
  const auto all = quantities();
  return std::find(all.begin(), all.end(), what) != all.end();
}

/// The C library needs memory for the product of all {m,n} in one another, so only one is taken.
bool is_expression(const std::string& text) {
  if (text.size() > kLongestHint || std::count(text.begin(), text.end(), '{') > 1) return false;
  regex_t compiled;
  if (regcomp(&compiled, text.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  regfree(&compiled);
  return true;
}

/// `lines` are where each of `wants` stands.
void read_wants(const std::vector<std::string>& wants, const toml::array& lines, Recipe& recipe, TomlContext& context) {
  std::set<std::string> known;
  for (std::size_t i = 0; i < wants.size(); ++i) {
    Want& want = recipe.wants.emplace_back();
    if (!read_want(wants[i], want)) {
      context.report(fmt::format("\"{}\" is not a want", shortened(wants[i])), lines[i],
                     "write \"what it is: counter counter | counter of other chips\"");
    } else if (!known.insert(want.what).second) {
      context.report(fmt::format("{} asks for \"{}\" twice", recipe.name, shortened(want.what)), lines[i],
                     "leave one out, or give it another name");
    } else if (is_sampled(recipe.name) && !is_quantity(want.what)) {
      context.report(fmt::format("\"{}\" is nothing that can be sampled", shortened(want.what)), lines[i],
                     fmt::format("write one of {}", fmt::join(quantities(), ", ")));
    }
  }
}

Recipe read_recipe(const std::string& name, const toml::table& table, TomlContext& context) {
  TomlTableReader reader(table, name, context);
  Recipe recipe;
  recipe.name = name;
  recipe.title = reader.required_text("title");
  recipe.passes = static_cast<std::size_t>(reader.integer("passes", 1, kMostPasses, 1));
  recipe.name_hint = reader.text("name_hint");
  if (!recipe.name_hint.empty() && !is_expression(recipe.name_hint)) {
    context.report(fmt::format("{} is not a regular expression", reader.full("name_hint")), table,
                   "write a POSIX extended one");
  }
  const std::vector<std::string> wants = reader.texts("want");
  if (wants.empty()) reader.missing("want", "a list of texts");
  if (wants.size() > kMostWants) {
    context.report(fmt::format("{} asks for more than {} quantities", name, kMostWants), table,
                   "make two recipes of it");
  } else if (!context.error) {
    read_wants(wants, *table.get_as<toml::array>("want"), recipe, context);
  }
  reader.reject_unknown_keys();
  return recipe;
}

}  // namespace

Result<Recipes> Recipes::built_in() {
  for (const EmbeddedFile& file : embedded_recipes()) {
    if (file.name == kBuiltIn) return parse(file.content, std::string(kBuiltIn));
  }
  return fail(internal_error("the built-in recipes are missing", std::string(kBuiltIn), "report this as a bug"));
}

Result<Recipes> Recipes::read(const std::string& path) {
  const auto text = read_file(path, kLargestFile);
  if (!text) return fail(text.error());
  return parse(*text, path);
}

Result<Recipes> Recipes::with(const std::string& path) {
  Result<Recipes> all = built_in();
  if (!all || path.empty()) return all;
  Result<Recipes> own = read(path);
  if (!own) return own;
  for (Recipe& recipe : own->recipes_) {
    recipe.own = true;
    const auto same = std::find_if(all->recipes_.begin(), all->recipes_.end(),
                                   [&](const Recipe& other) { return other.name == recipe.name; });
    if (same == all->recipes_.end()) {
      all->recipes_.push_back(std::move(recipe));
    } else {
      *same = std::move(recipe);
    }
  }
  return all;
}

Result<Recipes> Recipes::parse(std::string_view text, const std::string& where) {
  TomlContext context{where, std::nullopt};
  toml::table table;
  try {
    table = toml::parse(text, where);
  } catch (const toml::parse_error& error) {
    return fail(bad_input(fmt::format("not TOML: {}", error.description()),
                          fmt::format("{}:{}", where, error.source().begin.line), "correct the file"));
  }
  Recipes recipes;
  for (const auto& [key, node] : table) {
    if (const toml::table* entry = node.as_table()) {
      recipes.recipes_.push_back(read_recipe(std::string(key.str()), *entry, context));
    } else {
      context.report(fmt::format("{} is not a recipe", key.str()), node, "write [name] above its keys");
    }
  }
  if (context.error) return fail(*context.error);
  if (recipes.recipes_.empty()) return fail(bad_input("no recipe in the file", where, "write at least [roofline]"));
  return recipes;
}

Result<Recipe> Recipes::find(std::string_view name) const {
  const auto found = std::find_if(recipes_.begin(), recipes_.end(), [&](const Recipe& r) { return r.name == name; });
  if (found != recipes_.end()) return *found;
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes_) names.push_back(recipe.name);
  const std::string near = nearest(name, names);
  return fail(usage_error(
      fmt::format("there is no recipe \"{}\"", name), "",
      near.empty() ? fmt::format("give one of {}", fmt::join(names, ", ")) : fmt::format("did you mean {}?", near)));
}

}  // namespace collectors::cupti
}  // namespace ridge
