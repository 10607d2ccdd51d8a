#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <functional>

#include "base/utf8.h"
#include "importers/ncu/csv_tables.h"
#include "importers/ncu/hottest.h"
#include "importers/ncu/kernel_match.h"
#include "importers/ncu/sass.h"
#include "model/profile/kernel_name.h"

namespace ridge::ncu {
namespace {

constexpr std::size_t kMaxText = 240;

/// Columns by title, newest spelling first.
struct SourceColumns {
  int place = -1, source = -1, samples = -1, instructions = -1, threads = -1, predicated = -1, excess = -1,
      sectors = -1, ideal = -1;

  explicit SourceColumns(const std::vector<CsvField>& header) {
    const auto find = [&](std::initializer_list<std::string_view> titles) {
      for (const std::string_view title : titles) {
        for (std::size_t i = 0; i < header.size(); ++i) {
          if (header[i].text == title) return static_cast<int>(i);
        }
      }
      return -1;
    };
    place = find({"Address", "#", "Line No", "Line"});
    source = find({"Source"});
    samples = find({"# Samples", "Warp Stall Sampling (All Samples)", "Sampling Data (All)", "Samples"});
    instructions = find({"Instructions Executed", "# Instructions Executed"});
    threads = find({"Thread Instructions Executed", "# Thread Instructions Executed"});
    predicated = find({"Predicated-On Thread Instructions Executed", "# Predicated-On Thread Instructions Executed"});
    excess = find({"L2 Theoretical Sectors Global Excessive", "L2 Theoretical Sectors Global - Excessive"});
    sectors = find({"L2 Theoretical Sectors Global"});
    ideal = find({"L2 Theoretical Sectors Global Ideal", "L2 Theoretical Sectors Global - Ideal"});
  }
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

struct PlacedLine : HotLine {
  std::uint64_t address = 0;
};

class SourceTable final : public CsvTable {
 public:
  SourceTable(CsvContext& context, SourcePages& pages, std::string kernel, const std::vector<CsvField>& header)
      : context_(context), pages_(pages), kernel_(std::move(kernel)), columns_(header) {}

  bool starts_row(std::string_view first_cell) const override {
    return first_cell.starts_with("0x") || is_unsigned(first_cell);
  }
  void vote(const std::vector<CsvField>& fields, DecimalVotes& votes) const override {
    for (const int column : {columns_.samples, columns_.instructions, columns_.threads}) {
      votes.add(cell(fields, column));
    }
  }

  void row(const std::vector<CsvField>& fields) override {
    for (const CsvField& field : fields)
      content_ = content_ * 1099511628211ULL ^ std::hash<std::string_view>{}(field.text);
    ++rows_;
    PlacedLine line;
    line.address = address(cell(fields, columns_.place));
    line.samples = number(fields, columns_.samples);
    line.instructions = number(fields, columns_.instructions);
    const double sectors = number(fields, columns_.sectors), ideal = number(fields, columns_.ideal);
    line.excess_sectors = columns_.excess >= 0 ? number(fields, columns_.excess) : std::max(0.0, sectors - ideal);
    first_address_ = rows_ == 1 ? line.address : std::min(first_address_, line.address);

    samples_ += line.samples;
    instructions_ += line.instructions;
    threads_ += number(fields, columns_.threads);
    excess_ += line.excess_sectors;
    sectors_ += sectors;
    ideal_ += ideal;
    count_opcode(fields, line.instructions);
    if (line.samples > 0 || line.excess_sectors > 0) keep(std::move(line), fields);
  }

  void finish() override {
    if (rows_ == 0) return;
    SourcePages::Table table;
    table.kernel = kernel_;
    table.content = content_;
    LaunchDraft& draft = table.draft;
    draft.full_name = kernel_;
    draft.from_source_page = true;
    counters(draft);
    keep_hottest(lines_, context_.options.hot_lines);
    const std::string name = short_kernel_name(kernel_);
    for (PlacedLine& line : lines_) {
      line.location = place(name, line.address);
      draft.hot_lines.push_back(std::move(line));
    }
    pages_.add(std::move(table));
  }

 private:
  double number(const std::vector<CsvField>& fields, int column) {
    bool is_absent = false;
    return column < 0 ? 0 : context_.number(cell(fields, column), false, is_absent).value_or(0);
  }
  std::uint64_t address(std::string_view text) {
    std::uint64_t value = 0;
    is_address_ = text.starts_with("0x");
    if (is_address_) text.remove_prefix(2);
    std::from_chars(text.data(), text.data() + text.size(), value, is_address_ ? 16 : 10);
    return value;
  }
  [[nodiscard]] std::string place(const std::string& name, std::uint64_t address) const {
    if (!is_address_) return name + ":" + std::to_string(address);
    return fmt::format("{}+{:#x}", name, address - first_address_);
  }

  void keep(PlacedLine line, const std::vector<CsvField>& fields) {
    const std::string_view text = trimmed(cell(fields, columns_.source));
    line.text = to_valid_utf8(text.substr(0, kMaxText));
    lines_.push_back(std::move(line));
    if (lines_.size() > 4 * context_.options.hot_lines + 1024) keep_hottest(lines_, context_.options.hot_lines);
  }

  void count_opcode(const std::vector<CsvField>& fields, double warps) {
    const std::string_view text = cell(fields, columns_.source);
    const std::string_view opcode = sass_opcode(text);
    is_sass_ = is_sass_ || ends_kernel(opcode);
    if (is_matrix_opcode(opcode)) matrix_ += warps;
    const std::string_view name = counter_of_opcode(opcode);
    if (name.empty() || loads_constant(text)) return;
    for (Opcode& counted : opcodes_) {
      if (counted.name == name) counted.threads += number(fields, columns_.predicated);
      if (counted.name == name) counted.seen = true;
    }
  }

  /// The table's sums under the names the same counters have elsewhere. Opcode counts are exact: they are what the
  /// vendor's opcode counters count, but for constants loaded with HFMA2, which those include. Zeros are known zeros
  /// only in a complete SASS listing.
  void counters(LaunchDraft& draft) {
    const auto put = [&](std::string_view name, double value, std::string_view unit) {
      context_.builder.put(draft, context_.builder.metric(name, unit), value);
    };
    if (columns_.instructions >= 0) put("smsp__inst_executed.sum", instructions_, "inst");
    if (columns_.threads >= 0) put("smsp__thread_inst_executed.sum", threads_, "inst");
    if (columns_.samples >= 0) put("smsp__pcsamp_sample_count", samples_, "");
    if (columns_.excess >= 0 || (columns_.sectors >= 0 && columns_.ideal >= 0)) {
      put("derived__memory_l2_theoretical_sectors_global_excessive", excess_, "sector");
    }
    if (columns_.sectors >= 0) put("memory_l2_theoretical_sectors_global", sectors_, "sector");
    if (columns_.ideal >= 0) put("memory_l2_theoretical_sectors_global_ideal", ideal_, "sector");
    if (!is_sass_ || columns_.predicated < 0) return;
    for (const Opcode& opcode : opcodes_) {
      if (opcode.optional && !opcode.seen) continue;
      put(std::string("smsp__sass_thread_inst_executed_op_").append(opcode.name).append("_pred_on.sum"), opcode.threads,
          "inst");
    }
    if (matrix_ > 0) put("sm__inst_executed_pipe_tensor.sum", matrix_, "inst");
  }

  struct Opcode {
    std::string_view name;
    bool optional = false;  ///< exists on some chips only
    double threads = 0;
    bool seen = false;
  };

  CsvContext& context_;
  SourcePages& pages_;
  std::string kernel_;
  SourceColumns columns_;
  std::array<Opcode, 12> opcodes_{{{"fadd"},
                                   {"fmul"},
                                   {"ffma"},
                                   {"dadd"},
                                   {"dmul"},
                                   {"dfma"},
                                   {"hadd"},
                                   {"hmul"},
                                   {"hfma"},
                                   {"fadd2", true},
                                   {"fmul2", true},
                                   {"ffma2", true}}};
  std::vector<PlacedLine> lines_;
  std::uint64_t content_ = 14695981039346656037ULL, rows_ = 0, first_address_ = 0;
  double samples_ = 0, instructions_ = 0, threads_ = 0, excess_ = 0, sectors_ = 0, ideal_ = 0, matrix_ = 0;
  bool is_address_ = true, is_sass_ = false;
};

/// The profiler prints every table of a source page twice. Only when all come in equal pairs is one of each dropped:
/// two launches of one kernel can look alike by chance, all of them hardly.
template <class T>
void drop_repetition(std::vector<T>& tables) {
  if (tables.size() % 2 != 0) return;
  for (std::size_t i = 0; i < tables.size(); i += 2) {
    if (tables[i].kernel != tables[i + 1].kernel || tables[i].content != tables[i + 1].content) return;
  }
  std::vector<T> kept;
  for (std::size_t i = 0; i < tables.size(); i += 2) kept.push_back(std::move(tables[i]));
  tables = std::move(kept);
}

}  // namespace

std::unique_ptr<CsvTable> SourcePages::make_table(const std::vector<CsvField>& header) {
  return std::make_unique<SourceTable>(context_, *this, kernel_, header);
}

bool SourcePages::finish() {
  drop_repetition(tables_);
  ProfileBuilder& builder = context_.builder;
  if (builder.empty()) {
    std::uint64_t ordinal = 0;
    for (Table& table : tables_) {
      if (builder.full()) break;
      table.draft.source_id = ordinal++;
      builder.add(std::move(table.draft));
    }
    return !tables_.empty();
  }
  std::vector<std::string> wanted, launches;
  for (const Table& table : tables_) wanted.push_back(table.kernel);
  for (const LaunchDraft& draft : builder.drafts()) launches.push_back(draft.full_name);
  std::size_t unmatched = 0;
  const auto matches = match_kernels(wanted, launches);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!matches[i]) {
      ++unmatched;
      continue;
    }
    LaunchDraft& draft = builder.drafts()[*matches[i]];
    LaunchDraft& lines = tables_[i].draft;
    draft.raw.insert(draft.raw.end(), lines.raw.begin(), lines.raw.end());  // what is there already wins
    if (draft.hot_lines.empty()) draft.hot_lines = std::move(lines.hot_lines);
  }
  if (unmatched > 0) {
    builder.issue(Severity::kNotice,
                  Message("source-tables-unmatched", {{"tables", static_cast<double>(unmatched), Unit::kCount}}));
  }
  return false;
}

}  // namespace ridge::ncu
