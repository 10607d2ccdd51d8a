#include "base/utf8.h"
#include "importers/ncu/csv_tables.h"
#include "importers/ncu/details_names.h"
#include "importers/ncu/units.h"

namespace ridge::ncu {
namespace {

class DetailsTable final : public CsvTable {
 public:
  DetailsTable(CsvContext& context, const std::vector<CsvField>& header) : context_(context) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      const std::string_view title = header[i].text;
      const int index = static_cast<int>(i);
      if (columns_.take(title, index)) continue;
      if (title == "Section Name") section_ = index;
      if (title == "Metric Name") name_ = index;
      if (title == "Metric Unit") unit_ = index;
      if (title == "Metric Value") value_ = index;
    }
  }

  bool starts_row(std::string_view first_cell) const override { return is_unsigned(first_cell); }

  void vote(const std::vector<CsvField>& fields, DecimalVotes& votes) const override {
    votes.add(cell(fields, value_));
  }

  void row(const std::vector<CsvField>& fields) override {
    if (!is_unsigned(cell(fields, columns_.id))) return;
    if (static_cast<std::size_t>(value_) >= fields.size()) {
      ++context_.tally.short_rows;
      return;
    }
    if (cell(fields, name_).empty()) {
      ++context_.tally.rule_rows;
      return;
    }
    const Metric& metric = find(fields);
    LaunchDraft* const draft = launch(fields, metric.index);
    if (draft == nullptr) return;
    const std::string_view text = cell(fields, value_);
    if (metric.use == Use::kDeviceName) draft->device_name = to_valid_utf8(text);
    if (metric.use != Use::kNumber) return;
    bool is_absent = false;
    if (const std::optional<double> number = context_.number(text, metric.has_unit, is_absent)) {
      context_.builder.put(*draft, metric.index, *number * metric.factor);
    } else if (is_absent) {
      context_.builder.put_not_a_number(*draft, metric.index);
    }
  }

 private:
  enum class Use : unsigned char { kNumber, kDeviceName, kUnknownUnit };
  struct Metric {
    Use use = Use::kNumber;
    std::uint32_t index = 0;
    double factor = 1;
    bool has_unit = false;
  };

  const Metric& find(const std::vector<CsvField>& fields) {
    key_.assign(cell(fields, section_));
    key_.append(1, '\0').append(cell(fields, name_)).append(1, '\0').append(cell(fields, unit_));
    if (const auto found = metrics_.find(key_); found != metrics_.end()) return found->second;
    Metric metric;
    const std::string section = to_valid_utf8(cell(fields, section_)), title = to_valid_utf8(cell(fields, name_));
    const std::optional<MetricUnit> stated = parse_unit(cell(fields, unit_));
    const std::string name = metric_of_detail(section, title, stated ? stated->name : "");
    const std::optional<MetricUnit> unit = context_.unit(name, cell(fields, unit_));
    if (name == "device__attribute_display_name") {
      metric.use = Use::kDeviceName;
    } else if (unit) {
      metric.index = context_.builder.metric(name, unit->name);
      metric.factor = unit->factor;
      metric.has_unit = !unit->name.empty();
    } else {
      metric.use = Use::kUnknownUnit;
      metric.index = context_.builder.metric(name, "");
      context_.builder.mark_unknown_unit(name, to_valid_utf8(cell(fields, unit_)));
    }
    return metrics_.emplace(key_, metric).first->second;
  }

  /// Rows of one launch follow each other, so the last one's is mostly the answer.
  LaunchDraft* launch(const std::vector<CsvField>& fields, std::uint32_t metric) {
    const auto head = static_cast<std::size_t>(columns_.last) + 1;
    row_key_.clear();
    for (std::size_t i = 0; i < head && i < fields.size(); ++i) row_key_.append(fields[i].text).append(1, '\0');
    if (row_key_ == last_key_ && has_last_) return &context_.builder.drafts()[last_draft_];
    LaunchDraft row;
    columns_.fill(fields, row);
    if (context_.process_name.empty()) context_.process_name = to_valid_utf8(cell(fields, columns_.process_name));
    LaunchDraft* const draft = context_.launches.find_or_add(std::move(row), Page::kDetails, context_.table, metric);
    if (draft == nullptr) return nullptr;
    last_draft_ = static_cast<std::size_t>(draft - context_.builder.drafts().data());
    last_key_.swap(row_key_);
    has_last_ = true;
    return draft;
  }

  CsvContext& context_;
  LaunchColumns columns_;
  int section_ = -1, name_ = -1, unit_ = -1, value_ = -1;
  TextMap<Metric> metrics_;
  std::string key_, row_key_, last_key_;
  std::size_t last_draft_ = 0;
  bool has_last_ = false;
};

}  // namespace

std::unique_ptr<CsvTable> make_details_table(CsvContext& context, const std::vector<CsvField>& header) {
  return std::make_unique<DetailsTable>(context, header);
}

}  // namespace ridge::ncu
