#include "render/csv/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "render/table.h"
#include "render/view/fields.h"

namespace ridge::render {
namespace {

using Row = std::vector<std::string>;

std::string exact(double value) {
  return fmt::format("{}", value);  // the shortest text that reads back as the same number
}

std::string dim(const std::optional<Dim3>& d) {
  return d ? fmt::format("{}x{}x{}", d->x, d->y, d->z) : std::string();
}

std::string source_path(const Report& report, std::uint32_t source) {
  return source < report.sources.size() ? report.sources[source].path : std::string();
}

std::string machine_name(const Report& report, std::uint32_t machine) {
  return machine < report.machines.size() ? report.machines[machine].machine.name : std::string();
}

/// Columns every kernel has, in the order of its fields, with the parts of the FLOP total of all kernels after "flops".
std::vector<std::string> number_columns(const Report& report) {
  std::vector<std::string> fixed;
  std::set<std::string> parts;
  for (const Field& field : kernel_fields(ReportKernel{})) fixed.push_back(field.column);
  for (const ReportKernel& kernel : report.kernels) {
    for (const Field& field : kernel_fields(kernel)) {
      if (field.path.starts_with("flops.") && field.path != "flops.total") parts.insert(field.column);
    }
  }
  const auto after_total = std::find(fixed.begin(), fixed.end(), "flops");
  fixed.insert(after_total == fixed.end() ? after_total : after_total + 1, parts.begin(), parts.end());
  return fixed;
}

/// Cells in the order of `columns`, then the column of reasons.
void append_numbers(Row& row, const std::vector<Field>& fields, const std::vector<std::string>& columns) {
  std::map<std::string_view, const Field*> by_column;
  for (const Field& field : fields) by_column.emplace(field.column, &field);
  std::string missing;
  for (const std::string& column : columns) {
    const auto found = by_column.find(column);
    std::string& cell = row.emplace_back();
    if (found == by_column.end()) continue;
    const Value<double>& value = found->second->value;
    if (value) {
      cell = exact(*value);
    } else {
      missing += fmt::format("{}{}: {}", missing.empty() ? "" : "; ", column, value.reason().text());
    }
  }
  row.push_back(std::move(missing));
}

void append_cells(Row& row, std::initializer_list<std::string> cells) {
  row.insert(row.end(), cells);
}

void set_columns(Table& table, std::initializer_list<const char*> identity, const std::vector<std::string>& numbers) {
  for (const char* title : identity) table.columns.push_back({title});
  for (const std::string& title : numbers) table.columns.push_back({title, Align::kRight});
  table.columns.push_back({"missing"});
}

std::string first_rules(const ReportKernel& kernel) {
  std::string text;
  for (const Finding& finding : kernel.findings) text += (text.empty() ? "" : "; ") + finding.rule;
  return text;
}

Table kernel_rows(const Report& report) {
  Table table;
  const std::vector<std::string> columns = number_columns(report);
  set_columns(table,
              {"id",
               "name",
               "full_name",
               "machine",
               "source",
               "grid",
               "block",
               "launches",
               "launches_measured",
               "launches_represented",
               "launches_sampled",
               "verdict",
               "level",
               "pipe",
               "side",
               "confidence",
               "roof_resource",
               "roof_basis",
               "occupancy_limiter",
               "findings"},
              columns);
  for (const ReportKernel& kernel : report.kernels) {
    Row row;
    append_cells(row, {kernel.id,
                       kernel.name,
                       kernel.full_name,
                       machine_name(report, kernel.machine),
                       source_path(report, kernel.source),
                       dim(kernel.configuration.grid),
                       dim(kernel.configuration.block),
                       std::to_string(kernel.runs()),
                       std::to_string(kernel.evidence.measured),
                       std::to_string(kernel.evidence.represented),
                       std::to_string(kernel.evidence.sampled),
                       std::string(name(kernel.verdict)),
                       kernel.level,
                       kernel.pipe,
                       kernel.side == Side::kUnknown ? std::string() : std::string(name(kernel.side)),
                       kernel.confidence,
                       kernel.roof.resource,
                       std::string(name(kernel.roof.basis)),
                       kernel.occupancy.limiter,
                       first_rules(kernel)});
    append_numbers(row, kernel_fields(kernel), columns);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table launch_rows(const Report& report) {
  Table table;
  std::vector<std::string> columns;
  for (const Field& field : launch_fields(ReportLaunch{})) columns.push_back(field.column);
  if (!report.sampled.empty()) {
    for (const Field& field : sampled_fields(SampledWork{})) columns.push_back(field.column);
  }
  set_columns(table,
              {"kernel_id", "name", "machine", "source", "grid", "block", "launch", "process", "stream", "counters"},
              columns);
  for (const ReportKernel& kernel : report.kernels) {
    for (const ReportLaunch& launch : kernel.launches) {
      Row row;
      append_cells(row,
                   {kernel.id, kernel.name, machine_name(report, kernel.machine), source_path(report, kernel.source),
                    dim(kernel.configuration.grid), dim(kernel.configuration.block), std::to_string(launch.source_id),
                    std::to_string(launch.process_id), std::to_string(launch.stream),
                    launch.counters == CounterOrigin::kNone ? std::string() : std::string(name(launch.counters))});
      std::vector<Field> fields = launch_fields(launch);
      if (launch.sampled && *launch.sampled < report.sampled.size()) {
        std::vector<Field> sampled = sampled_fields(report.sampled[*launch.sampled]);
        fields.insert(fields.end(), std::make_move_iterator(sampled.begin()), std::make_move_iterator(sampled.end()));
      }
      append_numbers(row, fields, columns);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

std::string render_csv(const Report& report, const CsvOptions& options) {
  return csv_table(options.detail ? launch_rows(report) : kernel_rows(report));
}

}  // namespace ridge::render
