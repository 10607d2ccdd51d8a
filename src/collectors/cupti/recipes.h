// Recipes: named sets of counters as data (data/recipes), in order of priority, with spellings for chips that lack one.
//
// The built-in file is compiled in; recipes of a person's file stand beside its own, or in place of those of the same
// name. docs/reference/recipes.md describes the format.
// Not here: which of them a chip has and how many passes they take (plan.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

/// Counters that are taken together, and what their values are multiplied with to give the quantity (sampling only).
struct Alternative {
  std::vector<std::string> metrics;
  double scale = 1;
};

/// One quantity, and its spellings in order of preference.
struct Want {
  std::string what;  ///< "DRAM bytes"
  std::vector<Alternative> alternatives;
};

struct Recipe {
  std::string name;         ///< "roofline"
  std::string title;        ///< what it is good for
  std::size_t passes = 1;   ///< that it may add
  std::string name_hint;    ///< POSIX extended expression over kernels' names, or empty
  std::vector<Want> wants;  ///< the first is the most important one
  bool own = false;         ///< of a person's file
};

class Recipes {
 public:
  [[nodiscard]] static Result<Recipes> built_in();
  /// A file of the same format.
  [[nodiscard]] static Result<Recipes> read(const std::string& path);
  /// What a run may use: the built-in ones with those of the file, if `path` is not empty.
  [[nodiscard]] static Result<Recipes> with(const std::string& path);
  /// `where` is the file's name in messages.
  [[nodiscard]] static Result<Recipes> parse(std::string_view text, const std::string& where);

  /// A usage error that says which there are, if it is not one.
  [[nodiscard]] Result<Recipe> find(std::string_view name) const;
  [[nodiscard]] const std::vector<Recipe>& all() const { return recipes_; }

 private:
  std::vector<Recipe> recipes_;
};

}  // namespace ridge::collectors::cupti
