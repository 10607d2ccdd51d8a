#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "render/text/format.h"
#include "render/view/operations.h"
#include "render/view/recording_view.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

constexpr std::size_t kLetters = 26;

std::string label(std::string_view id, Language language) {
  return text_of(fmt::format("label.{}", id), language);
}

/// Numbers in narrow columns: "85.3%", "6.07 T" under a heading that has the unit.
std::string without_unit(std::string text, std::string_view unit) {
  if (text.ends_with(unit)) text.erase(text.size() - unit.size());
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string ratio_cell(const Value<double>& value, bool narrow) {
  std::string text = format_value(value, Unit::kRatio);
  if (narrow) text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// The template arguments that follow `name` in `full_name`, with their brackets; empty if there are none.
std::string_view template_part(std::string_view name, std::string_view full_name) {
  std::size_t at = full_name.find(name);
  if (name.empty() || at == std::string_view::npos) return {};
  at += name.size();
  if (at >= full_name.size() || full_name[at] != '<') return {};
  int depth = 0;
  for (std::size_t i = at; i < full_name.size(); ++i) {
    depth += full_name[i] == '<' ? 1 : full_name[i] == '>' ? -1 : 0;
    if (depth == 0) return full_name.substr(at, i - at + 1);
  }
  return {};
}

/// Adds `more(i)` to the names that several kernels share, where it tells any of them apart.
template <class More>
void tell_apart(std::vector<std::string>& names, More more) {
  std::map<std::string, std::set<std::string>> additions;
  for (std::size_t i = 0; i < names.size(); ++i) additions[names[i]].insert(more(i));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (additions.at(names[i]).size() > 1) names[i] += more(i);
  }
}

/// Under a heading in FLOP/B and FLOP/s integer work says its own unit.
std::string intensity_cell(const ReportKernel& kernel) {
  if (const auto work = integer_work(kernel)) return as_operations(format_value(work->dram, Unit::kFlopsPerByte));
  return without_unit(format_value(kernel.intensity_dram, Unit::kFlopsPerByte), "FLOP/B");
}
std::string speed_cell(const ReportKernel& kernel) {
  if (const auto work = integer_work(kernel)) return as_operations(format_value(work->speed, Unit::kFlopsPerSecond));
  return without_unit(format_value(kernel.flops_per_s, Unit::kFlopsPerSecond), "FLOP/s");
}

std::string cell(const ReportKernel& kernel, std::size_t index, KernelColumn column, Language language, bool narrow) {
  switch (column) {
    case KernelColumn::kMark:
      return mark_of(index);
    case KernelColumn::kName:
      return kernel.name;
    case KernelColumn::kLaunches:
      return format_number(static_cast<double>(kernel.runs()), Unit::kCount);
    case KernelColumn::kTime:
      return format_value(kernel.duration, Unit::kSeconds);
    case KernelColumn::kShare:
      return ratio_cell(kernel.share, narrow);
    case KernelColumn::kBound:
      return bound_cell(kernel, language);
    case KernelColumn::kFraction:
      return ratio_cell(kernel.roof.fraction, narrow);
    case KernelColumn::kIntensity:
      return intensity_cell(kernel);
    case KernelColumn::kSpeed:
      return speed_cell(kernel);
    case KernelColumn::kDramRate:
      return format_value(kernel.dram_per_s, Unit::kBytesPerSecond);
    case KernelColumn::kOccupancy:
      return ratio_cell(kernel.occupancy.achieved, narrow);
  }
  return {};
}

struct ColumnSpec {
  KernelColumn column;
  const char* title;
  Align align;
  bool shrinkable;
};

constexpr std::array<ColumnSpec, 11> kSpecs = {{
    {KernelColumn::kMark, "column.mark", Align::kLeft, false},
    {KernelColumn::kName, "column.kernel", Align::kLeft, true},
    {KernelColumn::kLaunches, "column.launches", Align::kRight, false},
    {KernelColumn::kTime, "column.time", Align::kRight, false},
    {KernelColumn::kShare, "column.share", Align::kRight, false},
    {KernelColumn::kBound, "column.bound", Align::kLeft, true},
    {KernelColumn::kFraction, "column.fraction", Align::kRight, false},
    {KernelColumn::kIntensity, "column.intensity", Align::kRight, false},
    {KernelColumn::kSpeed, "column.speed", Align::kRight, false},
    {KernelColumn::kDramRate, "column.dram_rate", Align::kRight, false},
    {KernelColumn::kOccupancy, "column.occupancy", Align::kRight, false},
}};

const ColumnSpec& spec_of(KernelColumn column) {
  return kSpecs[static_cast<std::size_t>(column)];
}

/// An argument that is formatted already: a value that may be missing.
Argument shown(const char* name, std::string text) {
  return {name, std::move(text), Unit::kNone};
}

std::string launch_times(const ReportKernel& kernel, Language language) {
  if (kernel.runs() < 2) return format_value(kernel.duration, Unit::kSeconds);
  return render_message(
      Message("text.launch_times", {shown("time", format_value(kernel.duration, Unit::kSeconds)),
                                    {"count", static_cast<double>(kernel.runs()), Unit::kCount},
                                    shown("min", format_value(kernel.duration_min, Unit::kSeconds)),
                                    shown("median", format_value(kernel.duration_median, Unit::kSeconds)),
                                    shown("max", format_value(kernel.duration_max, Unit::kSeconds))}),
      language);
}

template <class T>
void add_part(std::vector<std::string>& parts, std::string_view name, const Value<T>& value, Unit unit) {
  if (value) parts.push_back(fmt::format("{} {}", name, format_value(value, unit)));
}

std::string work_text(const ReportKernel& kernel, Language language) {
  std::vector<std::string> parts;
  for (const ComputeWork& part : kernel.work.compute) {
    if (!part.amount) continue;
    std::string amount = format_value(part.amount, Unit::kFlops);
    if (!is_floating_point(part.key.type)) amount = as_operations(std::move(amount));
    parts.push_back(fmt::format("{} {}", roof_label(name(part.key), language), amount));
  }
  if (kernel.work.compute.empty() && kernel.work.flops) parts.push_back(format_value(kernel.work.flops, Unit::kFlops));
  const TrafficWork& bytes = kernel.work.bytes;
  add_part(parts, resource_name("dram", language), bytes.dram, Unit::kBytes);
  add_part(parts, resource_name("l2", language), bytes.l2, Unit::kBytes);
  add_part(parts, resource_name("l1", language), bytes.l1, Unit::kBytes);
  if (bytes.shared && bytes.shared->count() > 0) {
    add_part(parts, resource_name("shared", language), bytes.shared, Unit::kBytes);
  }
  return joined(parts, language);
}

std::string speed_text(const ReportKernel& kernel, Language language) {
  std::vector<std::string> parts;
  if (const auto work = integer_work(kernel); work && work->speed) {
    parts.push_back(as_operations(format_value(work->speed, Unit::kFlopsPerSecond)));
  } else if (kernel.flops_per_s && kernel.flops_per_s->count() > 0) {
    const std::string speed = format_value(kernel.flops_per_s, Unit::kFlopsPerSecond);
    const std::string attainable = format_value(kernel.roof.attainable, Unit::kFlopsPerSecond);
    parts.push_back(
        kernel.roof.attainable
            ? render_message(Message("text.attainable", {shown("speed", speed), shown("attainable", attainable)}),
                             language)
            : speed);
  }
  add_part(parts, resource_name("dram", language), kernel.dram_per_s, Unit::kBytesPerSecond);
  add_part(parts, resource_name("l2", language), kernel.l2_per_s, Unit::kBytesPerSecond);
  add_part(parts, resource_name("l1", language), kernel.l1_per_s, Unit::kBytesPerSecond);
  return joined(parts, language);
}

std::string intensity_text(const ReportKernel& kernel, Language language) {
  std::vector<std::string> parts;
  if (const auto work = integer_work(kernel)) {
    const auto add = [&](std::string_view level, const Value<FlopsPerByte>& value) {
      if (value)
        parts.push_back(fmt::format("{} {}", resource_name(level, language),
                                    as_operations(format_value(value, Unit::kFlopsPerByte))));
    };
    add("dram", work->dram);
    add("l2", work->l2);
    add("l1", work->l1);
    return joined(parts, language);
  }
  if (kernel.work.flops && kernel.work.flops->count() == 0) return {};
  add_part(parts, resource_name("dram", language), kernel.intensity_dram, Unit::kFlopsPerByte);
  add_part(parts, resource_name("l2", language), kernel.intensity_l2, Unit::kFlopsPerByte);
  add_part(parts, resource_name("l1", language), kernel.intensity_l1, Unit::kFlopsPerByte);
  if (!parts.empty()) add_part(parts, label("ridge", language), kernel.roof.ridge, Unit::kFlopsPerByte);
  return joined(parts, language);
}

std::string per_second(double count) {
  return format_number(count, Unit::kCount) + "/s";
}

/// The instruction roofline in a line: warp instructions per second, what the roofs allow, and per transaction.
std::string instructions_text(const ReportKernel& kernel, Language language) {
  const InstructionRoofline& roofline = kernel.instruction_roofline;
  if (!roofline.instructions_per_s || *roofline.instructions_per_s <= 0) return {};
  std::string rate = per_second(*roofline.instructions_per_s);
  if (kernel.attainable_instructions_per_s) {
    rate = render_message(
        Message("text.attainable",
                {shown("speed", rate), shown("attainable", per_second(*kernel.attainable_instructions_per_s))}),
        language);
  }
  std::vector<std::string> parts{std::move(rate)};
  const auto add = [&](const char* level, const Value<double>& intensity) {
    if (!intensity || *intensity <= 0) return;
    parts.push_back(render_message(Message("text.per_transaction", {{"count", *intensity, Unit::kNone},
                                                                    {"level", std::string(level), Unit::kNone}}),
                                   language));
  };
  add("l1", roofline.intensity_l1);
  add("l2", roofline.intensity_l2);
  add("dram", roofline.intensity_dram);
  return joined(parts, language);
}

std::string occupancy_text(const ReportKernel& kernel, Language language) {
  const OccupancyReport& occupancy = kernel.occupancy;
  if (!occupancy.achieved && !occupancy.theoretical) return {};
  std::vector<Argument> arguments = {shown("achieved", format_value(occupancy.achieved, Unit::kRatio)),
                                     shown("theoretical", format_value(occupancy.theoretical, Unit::kRatio))};
  // What limits a full occupancy takes nothing away.
  const bool is_full = occupancy.theoretical && *occupancy.theoretical > 0.999;
  if (occupancy.limiter.empty() || is_full) return render_message(Message("text.occupancy", arguments), language);
  arguments.push_back(shown("limiter", occupancy.limiter));
  return render_message(Message("text.occupancy_limited", arguments), language);
}

std::string rate_text(const ResourceTime& time) {
  if (time.rate_unit != Unit::kNone) return format_number(time.rate, time.rate_unit);
  return format_number(time.rate, Unit::kCount) + "/s";
}

}  // namespace

std::string fraction_text(const ResourceTime& time) {
  if (time.fraction <= 0) return "–";
  return (time.estimated ? "≥ " : "") + format_number(time.fraction, Unit::kRatio);
}

std::string joined(const std::vector<std::string>& parts, Language language) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += language == Language::kChinese ? "，" : ", ";
    text += part;
  }
  return text;
}

std::string_view colon(Language language) {
  return language == Language::kChinese ? "：" : ": ";
}

std::string in_brackets(std::string_view text, Language language) {
  return language == Language::kChinese ? fmt::format("（{}）", text) : fmt::format(" ({})", text);
}

std::string mark_of(std::size_t kernel) {
  if (kernel < kLetters) return std::string(1, static_cast<char>('A' + kernel));
  if (kernel < 2 * kLetters) return std::string(1, static_cast<char>('a' + kernel - kLetters));
  return {};
}

std::string roof_label(std::string_view roof, Language language) {
  const std::optional<ComputeKey> key = parse_compute_key(roof);
  if (!key) return resource_name(roof, language);
  std::string text(name(key->type));
  if (key->unit != ComputeUnit::kTensor) return text;
  static constexpr std::array<std::string_view, 5> kPaths = {"", "mma", "wgmma", "tcgen05", "mfma"};
  static constexpr std::array<std::string_view, 3> kAccumulators = {"", "fp16 acc", "fp32 acc"};
  const std::string inside = joined({std::string(kPaths[static_cast<std::size_t>(key->path)]),
                                     std::string(key->sparsity == Sparsity::kSparse ? "sparse" : ""),
                                     std::string(kAccumulators[static_cast<std::size_t>(key->accumulator)])},
                                    Language::kEnglish);
  text += language == Language::kChinese ? " 张量" : " tensor";
  return inside.empty() ? text : fmt::format("{} ({})", text, inside);
}

std::string without_casts(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kTypes = {
      "int",   "unsigned int",   "bool", "long",      "unsigned long",
      "short", "unsigned short", "char", "long long", "unsigned long long"};
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t close = name[i] == '(' ? name.find(')', i) : std::string_view::npos;
    const bool value_follows = close != std::string_view::npos && close + 1 < name.size() &&
                               (name[close + 1] == '-' || (name[close + 1] >= '0' && name[close + 1] <= '9'));
    if (value_follows && std::find(kTypes.begin(), kTypes.end(), name.substr(i + 1, close - i - 1)) != kTypes.end()) {
      i = close;
    } else {
      out += name[i];
    }
  }
  return out;
}

std::string full_name_of(const ReportKernel& kernel) {
  if (kernel.full_name.empty()) return kernel.name;
  return kernel.full_name.starts_with("unnamed>::") ? "<" + kernel.full_name : kernel.full_name;
}

std::vector<std::string> kernel_names_of_any_file(const Report& report) {
  const auto& kernels = report.kernels;
  std::vector<std::string> names;
  names.reserve(kernels.size());
  for (const ReportKernel& kernel : kernels) names.push_back(without_casts(kernel.name));
  tell_apart(names, [&](std::size_t i) { return without_casts(template_part(kernels[i].name, kernels[i].full_name)); });
  tell_apart(names, [&](std::size_t i) { return fmt::format(" [{}]", dim_text(kernels[i].configuration.grid)); });
  tell_apart(names,
             [&](std::size_t i) { return fmt::format(" [block {}]", dim_text(kernels[i].configuration.block)); });
  return names;
}

std::vector<std::string> kernel_names(const Report& report) {
  const auto& kernels = report.kernels;
  std::vector<std::string> names = kernel_names_of_any_file(report);
  tell_apart(names, [&](std::size_t i) { return fmt::format(" GPU {}", kernels[i].device); });
  tell_apart(names, [&](std::size_t i) { return fmt::format(" #{}", kernels[i].source + 1); });
  return names;
}

std::string bound_cell(const ReportKernel& kernel, Language language) {
  std::string verdict = term("bound", name(kernel.verdict), language);
  const std::string& resource = !kernel.level.empty() ? kernel.level : kernel.pipe;
  const std::string where = short_resource_name(resource, language);
  switch (kernel.verdict) {
    case Verdict::kMemoryBound:
    case Verdict::kComputeBound:
      return where.empty() ? verdict : fmt::format("{} {}", verdict, where);
    case Verdict::kLatencyBound:
      return where.empty() ? verdict : verdict + in_brackets(where, language);
    case Verdict::kOverheadBound:
    case Verdict::kUnknown:
      return verdict;
  }
  return verdict;
}

std::string verdict_line(const ReportKernel& kernel, Language language) {
  std::string verdict = term("verdict", name(kernel.verdict), language);
  std::string placed;
  if (!kernel.roof.resource.empty() && kernel.roof.fraction) {
    placed = render_message(Message("text.placed", {{"resource", kernel.roof.resource, Unit::kNone},
                                                    {"fraction", *kernel.roof.fraction, Unit::kRatio}}),
                            language);
  }
  const std::string side = kernel.side == Side::kUnknown ? std::string() : term("side", name(kernel.side), language);
  const std::string confidence =
      kernel.confidence.empty() ? std::string() : term("confidence", kernel.confidence, language);
  return joined({verdict, placed, side, confidence}, language);
}

std::string dim_text(const std::optional<Dim3>& dim) {
  if (!dim) return "?";
  if (dim->z > 1) return fmt::format("{}x{}x{}", dim->x, dim->y, dim->z);
  return dim->y > 1 ? fmt::format("{}x{}", dim->x, dim->y) : fmt::format("{}", dim->x);
}

std::string configuration_line(const ReportKernel& kernel, Language language) {
  const Configuration& configuration = kernel.configuration;
  std::vector<std::string> parts = {
      fmt::format("{} {}", label("grid", language), dim_text(configuration.grid)),
      fmt::format("{} {}", label("block", language), dim_text(configuration.block)),
  };
  if (configuration.registers_per_thread) {
    parts.push_back(render_message(
        Message("text.registers", {{"count", *configuration.registers_per_thread, Unit::kCount}}), language));
  }
  const Value<Bytes> sum = configuration.shared_static + configuration.shared_dynamic;
  const Value<Bytes>& shared = sum ? sum : configuration.shared_static;
  if (shared && shared->count() > 0) {
    parts.push_back(render_message(Message("text.shared", {{"bytes", shared->count(), Unit::kBytes}}), language));
  }
  return joined(parts, language);
}

const std::vector<KernelColumn>& all_kernel_columns() {
  static const std::vector<KernelColumn> all = [] {
    std::vector<KernelColumn> columns;
    columns.reserve(std::size(kSpecs));
    for (const ColumnSpec& spec : kSpecs) columns.push_back(spec.column);
    return columns;
  }();
  return all;
}

Table kernel_table(const Report& report, const std::vector<KernelColumn>& columns, std::size_t rows, Language language,
                   bool narrow) {
  Table table;
  for (const KernelColumn column : columns) {
    const ColumnSpec& spec = spec_of(column);
    table.columns.push_back({text_of(spec.title, language), spec.align, spec.shrinkable});
  }
  const std::vector<std::string> names = kernel_names(report);
  for (std::size_t i = 0; i < std::min(rows, report.kernels.size()); ++i) {
    auto& row = table.rows.emplace_back();
    for (const KernelColumn column : columns) {
      row.push_back(column == KernelColumn::kName ? names[i] : cell(report.kernels[i], i, column, language, narrow));
    }
  }
  return table;
}

std::vector<Fact> kernel_facts(const ReportKernel& kernel, Language language) {
  std::vector<Fact> facts;
  const auto add = [&](std::string_view id, std::string text) {
    if (!text.empty()) facts.push_back({label(id, language), std::move(text)});
  };
  facts.push_back({text_of("column.time", language), launch_times(kernel, language)});
  add("evidence", evidence_of(kernel, language));
  add("work", work_text(kernel, language));
  add("speed", speed_text(kernel, language));
  add("intensity", intensity_text(kernel, language));
  add("instructions", instructions_text(kernel, language));
  add("occupancy", occupancy_text(kernel, language));
  return facts;
}

Table resource_table(const ReportKernel& kernel, Language language) {
  Table table;
  for (const char* title : {"resource", "amount", "rate", "least_time", "fraction"}) {
    const bool text = title == std::string_view("resource");
    table.columns.push_back({text_of(fmt::format("column.{}", title), language), text ? Align::kLeft : Align::kRight});
  }
  for (const ResourceTime& time : kernel.roof.times) {
    const bool share_only = time.amount_unit == Unit::kSeconds;  // the vendor's share of peak, no amount of work
    const bool integer = time.resource.starts_with("tensor_int");
    std::string amount = share_only ? "–" : format_number(time.amount, time.amount_unit);
    std::string rate = share_only ? "–" : rate_text(time);
    table.rows.push_back({resource_name(time.resource, language), integer ? as_operations(std::move(amount)) : amount,
                          integer ? as_operations(std::move(rate)) : rate,
                          format_number(time.least_time.count(), Unit::kSeconds), fraction_text(time)});
  }
  return table;
}

std::vector<FindingText> finding_texts(const ReportKernel& kernel, Language language) {
  std::vector<FindingText> texts;
  for (const Finding& finding : kernel.findings) {
    FindingText text;
    const std::string title_id = fmt::format("rule.{}.title", finding.rule);
    text.title = find_entry(title_id) ? text_of(title_id, language) : printable(finding.rule);
    text.advice = render_message(finding.advice, language);
    text.severity = finding.severity;
    if (finding.saving) text.saving = format_value(finding.saving, Unit::kSeconds);
    if (finding.saving && finding.speedup)
      text.saving += in_brackets(format_value(finding.speedup, Unit::kFactor), language);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace ridge::render
