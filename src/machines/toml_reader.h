// Reading a TOML table key by key: every key must be asked for, have the right type and a value that makes sense; the
// first thing wrong is kept as one Error with line and key. Used by machine_file.cc only, which includes toml++.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Header only, in the one file that includes it; its exceptions end there. toml++ 3.3 asserts, and in a release build
// assumes, that a key begins where a table's header says so: "[[[" would be undefined behaviour. Without that
// assumption the check behind it reports the error.
#define TOML_EXCEPTIONS 1
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expr) static_assert(true)
#include <toml++/toml.h>

#include "base/quantity_text.h"
#include "ridgepoint/base/result.h"

namespace ridge::machines {

/// The first error of a file, and where the file is.
struct FileContext {
  std::string where;
  std::optional<Error> error;

  void report(std::string what, const toml::node& node, std::string remedy) {
    if (error) return;
    error = bad_input(std::move(what), fmt::format("{}:{}", where, node.source().begin.line), std::move(remedy));
  }
};

class TableReader {
 public:
  /// `path` is the table's name in messages, "" for the top level.
  TableReader(const toml::table& table, std::string path, FileContext& context)
      : table_(table), path_(std::move(path)), context_(context) {}

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) {
    const toml::node* node = take(key);
    if (node == nullptr) return {};
    const auto value = node->value_exact<std::string>();
    if (!value) wrong_type(key, *node, "a text in quotes");
    return value.value_or("");
  }

  std::string required_text(std::string_view key) {
    std::string value = text(key);
    if (value.empty()) missing(key, "a text in quotes");
    return value;
  }

  /// A finite number from `least` to `most`; 0 if absent.
  double number(std::string_view key, double least, double most) {
    const toml::node* node = take(key);
    if (node == nullptr) return 0;
    const auto value = node->value<double>();
    if (!value || node->is_boolean() || node->is_string()) {
      wrong_type(key, *node, "a number");
      return 0;
    }
    if (std::isfinite(*value) && *value >= least && *value <= most) return *value;
    context_.report(fmt::format("{} is {}, outside {} to {}", full(key), *value, least, most), *node,
                    "correct the number");
    return 0;
  }

  int integer(std::string_view key, int least, int most, int otherwise = 0) {
    asked_.emplace(key);
    if (!has(key)) return otherwise;
    const double value = number(key, least, most);
    if (value != std::floor(value)) {
      context_.report(fmt::format("{} must be a whole number", full(key)), *table_.get(key), "correct the number");
    }
    return static_cast<int>(value);
  }

  /// A positive quantity with its unit in a text; 0 if absent.
  double quantity(std::string_view key, Dimension dimension) {
    const toml::node* node = take(key);
    if (node == nullptr) return 0;
    const auto written = node->value_exact<std::string>();
    if (!written) {
      wrong_type(key, *node, name(dimension));
      return 0;
    }
    const auto value = parse_quantity_of(dimension, *written, "");
    if (!value) {
      context_.report(fmt::format("{}: {}", full(key), value.error().what), *node, value.error().remedy);
      return 0;
    }
    if (*value <= 0) {
      context_.report(fmt::format("{} must be above 0", full(key)), *node, "correct the figure or remove the key");
    }
    return *value;
  }

  double required_quantity(std::string_view key, Dimension dimension) {
    if (!has(key)) missing(key, name(dimension));
    return quantity(key, dimension);
  }

  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> values;
    each(key, "a list of texts", [&](const toml::node& item) {
      const auto value = item.value_exact<std::string>();
      if (value) values.push_back(*value);
      return value.has_value();
    });
    return values;
  }

  std::vector<double> quantities(std::string_view key, Dimension dimension) {
    std::vector<double> values;
    each(key, "a list of texts with units", [&](const toml::node& item) {
      const auto written = item.value_exact<std::string>();
      const auto value = parse_quantity_of(dimension, written.value_or(""), "");
      if (value) values.push_back(*value);
      return value.has_value();
    });
    return values;
  }

  /// The sub-table of `key`, or nullptr.
  const toml::table* table(std::string_view key) {
    const toml::node* node = take(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) wrong_type(key, *node, "a table");
    return node->as_table();
  }

  void missing(std::string_view key, std::string_view kind) {
    context_.report(fmt::format("{} is missing", full(key)), table_, fmt::format("add it as {}", kind));
  }

  /// Reports every key that nothing asked for.
  void reject_unknown_keys() {
    for (const auto& [key, node] : table_) {
      if (asked_.contains(std::string(key.str()))) continue;
      context_.report(fmt::format("unknown key {}", full(key.str())), node,
                      fmt::format("remove it or write one of {}", fmt::join(asked_, ", ")));
    }
  }

  [[nodiscard]] std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

 private:
  const toml::node* take(std::string_view key) {
    asked_.emplace(key);
    return table_.get(key);
  }

  void wrong_type(std::string_view key, const toml::node& node, std::string_view expected) {
    context_.report(fmt::format("{} is not {}", full(key), expected), node, fmt::format("write {}", expected));
  }

  template <class F>
  void each(std::string_view key, std::string_view expected, F accept) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
      wrong_type(key, *node, expected);
      return;
    }
    for (const toml::node& item : *list) {
      if (!accept(item)) wrong_type(key, item, expected);
    }
  }

  const toml::table& table_;
  std::string path_;
  FileContext& context_;
  std::set<std::string> asked_;
};

}  // namespace ridge::machines
