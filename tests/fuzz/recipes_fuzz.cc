// A user's file of counter recipes: any bytes end in recipes that can be planned, or in one error.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collectors/cupti/recipes.h"

namespace {

using ridge::collectors::cupti::Recipe;
using ridge::collectors::cupti::Recipes;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Recipe& recipe) {
  require(!recipe.title.empty() && recipe.passes >= 1 && !recipe.wants.empty());
  for (const auto& want : recipe.wants) {
    require(!want.alternatives.empty());
    for (const auto& alternative : want.alternatives) {
      require(!alternative.metrics.empty() && std::isfinite(alternative.scale) && alternative.scale > 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view toml(reinterpret_cast<const char*>(data), size);
  const auto recipes = Recipes::parse(toml, "fuzz");
  if (!recipes) {
    require(!recipes.error().what.empty() && !recipes.error().remedy.empty());
    return 0;
  }
  require(!recipes->all().empty());
  for (const Recipe& recipe : recipes->all()) {
    check(recipe);
    const auto found = recipes->find(recipe.name);
    require(found && found->wants.size() == recipe.wants.size());
  }
  return 0;
}
