#include "base/utf8.h"
#include "importers/ncu/csv_tables.h"
#include "importers/ncu/units.h"

namespace ridge::ncu {
namespace {

class RawTable final : public CsvTable {
 public:
  RawTable(CsvContext& context, const std::vector<CsvField>& header) : context_(context) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      std::string title = to_valid_utf8(unescape(header[i]));
      if (columns_.take(title, static_cast<int>(i)) || title.empty()) continue;
      metrics_.push_back({i, std::move(title)});
    }
    width_ = header.size();
  }

  bool starts_row(std::string_view first_cell) const override {
    return is_unsigned(first_cell) || (!has_units_ && first_cell.empty());
  }

  void vote(const std::vector<CsvField>& fields, DecimalVotes& votes) const override {
    if (!is_unsigned(cell(fields, columns_.id))) return;
    for (const Metric& metric : metrics_) votes.add(cell(fields, static_cast<int>(metric.column)));
  }

  void restart() override { has_units_ = false; }

  void row(const std::vector<CsvField>& fields) override {
    const bool is_launch = is_unsigned(cell(fields, columns_.id));
    if (!has_units_) {
      has_units_ = true;
      resolve(is_launch ? nullptr : &fields);
      if (!is_launch) return;
    }
    if (!is_launch) return;
    if (fields.size() < width_) ++context_.tally.short_rows;
    LaunchDraft row;
    columns_.fill(fields, row);
    if (context_.process_name.empty()) context_.process_name = to_valid_utf8(cell(fields, columns_.process_name));
    LaunchDraft* const draft = context_.launches.find_or_add(std::move(row), Page::kRaw, context_.table, std::nullopt);
    if (draft == nullptr) return;
    draft->raw.reserve(draft->raw.size() + metrics_.size());
    for (const Metric& metric : metrics_) value(metric, fields, *draft);
  }

 private:
  enum class Use : unsigned char { kNumber, kDeviceName, kUnknownUnit };
  struct Metric {
    std::size_t column = 0;
    std::string name;
    Use use = Use::kNumber;
    std::uint32_t index = 0;
    double factor = 1;
    bool has_unit = false;
  };

  /// `units` is the row under the header, or nullptr when it is not there: then base units, as the container has them.
  void resolve(const std::vector<CsvField>* units) {
    if (units == nullptr) context_.tally.units_row_missing = true;
    std::string all(1, units == nullptr ? '0' : '1');
    for (std::size_t i = 0; units != nullptr && i < units->size(); ++i) all.append((*units)[i].text).append(1, '\0');
    if (all == units_) return;
    units_ = std::move(all);
    for (Metric& metric : metrics_) {
      metric.use = Use::kNumber;
      if (metric.name == "device__attribute_display_name") {
        metric.use = Use::kDeviceName;
        continue;
      }
      const std::string_view text =
          units == nullptr ? std::string_view() : cell(*units, static_cast<int>(metric.column));
      const std::optional<MetricUnit> unit =
          units == nullptr ? unit_of_metric(metric.name) : context_.unit(metric.name, text);
      if (unit) {
        metric.index = context_.builder.metric(metric.name, unit->name);
        metric.factor = unit->factor;
        metric.has_unit = !unit->name.empty();
      } else {
        metric.use = Use::kUnknownUnit;
        context_.builder.mark_unknown_unit(metric.name, to_valid_utf8(text));
      }
    }
  }

  void value(const Metric& metric, const std::vector<CsvField>& fields, LaunchDraft& draft) {
    if (metric.column >= fields.size()) return;
    const std::string_view text = fields[metric.column].text;
    if (metric.use == Use::kDeviceName) draft.device_name = to_valid_utf8(text);
    if (metric.use != Use::kNumber) return;
    bool is_absent = false;
    if (const std::optional<double> number = context_.number(text, metric.has_unit, is_absent)) {
      context_.builder.put(draft, metric.index, *number * metric.factor);
    } else if (is_absent) {
      context_.builder.put_not_a_number(draft, metric.index);
    }
  }

  CsvContext& context_;
  LaunchColumns columns_;
  std::vector<Metric> metrics_;
  std::size_t width_ = 0;
  bool has_units_ = false;
  std::string units_;  ///< the row that metrics_ was resolved with
};

}  // namespace

std::unique_ptr<CsvTable> make_raw_table(CsvContext& context, const std::vector<CsvField>& header) {
  return std::make_unique<RawTable>(context, header);
}

}  // namespace ridge::ncu
