// The three kinds of table a CSV page is made of. A table is told its header, then each row.
//
//   raw      one row a launch, one column a metric, a row of units under the header
//   details  one row a metric, with section, human name, unit and value; rows of rules are counted, not used
//   source   one row an instruction, introduced by a line that names the kernel
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/ncu/csv_context.h"

namespace ridge::ncu {

class CsvTable {
 public:
  virtual ~CsvTable() = default;
  /// Whether a line can be the start of a row; anything else between rows is other text.
  [[nodiscard]] virtual bool starts_row(std::string_view first_cell) const = 0;
  virtual void row(const std::vector<CsvField>& fields) = 0;
  /// Adds the cells of a row that say how numbers are punctuated.
  virtual void vote(const std::vector<CsvField>& fields, DecimalVotes& votes) const = 0;
  /// The same header came again.
  virtual void restart() {}
  /// No further rows will come.
  virtual void finish() {}
};

enum class HeaderKind : unsigned char { kNone, kRaw, kDetails, kSource, kSourceKernel };
struct Header {
  HeaderKind kind = HeaderKind::kNone;
  char separator = ',';
};

/// What a physical line is the header of. Commas, semicolons and tabs separate.
[[nodiscard]] Header classify_header(std::string_view line);

[[nodiscard]] std::unique_ptr<CsvTable> make_raw_table(CsvContext& context, const std::vector<CsvField>& header);
[[nodiscard]] std::unique_ptr<CsvTable> make_details_table(CsvContext& context, const std::vector<CsvField>& header);

/// Source tables of one file: collected, then turned into drafts or joined to those of other pages.
class SourcePages {
 public:
  explicit SourcePages(CsvContext& context) : context_(context) {}
  void kernel(std::string name) { kernel_ = std::move(name); }
  [[nodiscard]] std::unique_ptr<CsvTable> make_table(const std::vector<CsvField>& header);
  /// Call once, after the last row of the file. True if there were such tables and no other page.
  bool finish();

  struct Table {
    std::string kernel;
    std::uint64_t content = 0;  ///< hash of every row, to tell a table printed twice
    LaunchDraft draft;
  };
  void add(Table table) {
    if (tables_.size() < 2 * ProfileBuilder::kMaxLaunches) tables_.push_back(std::move(table));
  }

 private:
  CsvContext& context_;
  std::string kernel_;
  std::vector<Table> tables_;
};

}  // namespace ridge::ncu
