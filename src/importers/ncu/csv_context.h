// What the pages of one CSV file share: the profile being built, how its numbers are punctuated, and the tally of what
// could not be used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/importer.h"
#include "importers/ncu/csv_scanner.h"
#include "importers/ncu/numbers.h"
#include "importers/ncu/profile_builder.h"
#include "importers/ncu/units.h"

namespace ridge::ncu {

struct CsvTally {
  std::size_t rule_rows = 0;
  std::size_t unreadable_numbers = 0;
  std::size_t short_rows = 0;
  std::uint64_t first_short_row = 0;  ///< its line
  std::string first_unreadable;
  std::size_t damaged_rows = 0;
  std::uint64_t first_damaged_row = 0;  ///< its line
  std::size_t units_missing = 0;        ///< metrics of a known dimension without a unit
  std::string first_without_unit;
  bool units_row_missing = false;
};

enum class Page : unsigned char { kRaw, kDetails };

/// Which draft a row belongs to. Ids restart in every process, so the key is (process, id); the same key with another
/// kernel name, or with a metric the draft already has from another table, is another launch.
class LaunchTable {
 public:
  explicit LaunchTable(ProfileBuilder& builder) : builder_(builder) {}
  /// `row` holds what the columns say. `metric` is the one about to be set (details), or nullopt for a whole row.
  /// nullptr when no more launches can be kept.
  [[nodiscard]] LaunchDraft* find_or_add(LaunchDraft&& row, Page page, std::uint32_t table,
                                         std::optional<std::uint32_t> metric);
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  struct Entry {
    std::size_t draft = 0;
    bool has_raw = false;
    std::uint32_t details_table = 0;  ///< last table that added to it; 0: none
  };
  ProfileBuilder& builder_;
  std::unordered_map<std::uint64_t, Entry> entries_;  ///< by a mix of process and id
  std::size_t refused_ = 0;
};

struct CsvContext {
  ProfileBuilder& builder;
  LaunchTable& launches;
  ImportOptions options;
  std::optional<DecimalMark> mark;  ///< set once it is known or settled
  DecimalVotes votes;
  CsvTally tally;
  std::string process_name;
  std::uint32_t table = 0;  ///< counts the headers met

  /// The number in a cell; an unreadable one is tallied and absent. Of a metric with a unit, "117x" is one too; without
  /// a unit it may be a text.
  [[nodiscard]] std::optional<double> number(std::string_view cell, bool has_unit, bool& is_absent);
  /// What the page says of a metric's unit: nullopt if that is unknown or of another dimension than the metric's, which
  /// is told of. An empty one is the base unit.
  [[nodiscard]] std::optional<MetricUnit> unit(std::string_view metric, std::string_view text);
};

/// Where the columns that describe a launch stand; -1 where a version lacks one.
struct LaunchColumns {
  int id = -1, process = -1, process_name = -1, kernel = -1, context = -1, stream = -1, block = -1, grid = -1,
      device = -1, capability = -1;
  int last = -1;  ///< the largest of them

  /// Notes the column if it is one of these.
  bool take(std::string_view title, int index);
  void fill(const std::vector<CsvField>& row, LaunchDraft& draft) const;
};

[[nodiscard]] std::string_view cell(const std::vector<CsvField>& row, int index);
[[nodiscard]] bool is_unsigned(std::string_view text);

}  // namespace ridge::ncu
