#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "render/text/format.h"
#include "render/view/fields.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

std::string label(std::string_view id, Language language) {
  return text_of(fmt::format("label.{}", id), language);
}

std::string_view semicolon(Language language) {
  return language == Language::kChinese ? "；" : "; ";
}

/// The kinds of number a reader weighs apart, and where each comes from in every kernel.
struct Evidence {
  const char* id;
  std::string_view path;
};
constexpr Evidence kEvidence[] = {{"evidence.time", "duration_s"},
                                  {"evidence.flops", "flops.total"},
                                  {"evidence.bytes", "bytes.dram"},
                                  {"evidence.occupancy", "occupancy.achieved"}};

using Origins = std::map<std::string_view, std::set<Provenance>>;

Origins origins_of(const Report& report) {
  Origins origins;
  for (const ReportKernel& kernel : report.kernels) {
    for (const Field& field : principal_fields(kernel)) {
      for (const Evidence& each : kEvidence) {
        if (field.path == each.path && field.value) origins[each.path].insert(field.value.provenance());
      }
    }
  }
  return origins;
}

std::string names_of(const std::set<Provenance>& origins, Language language) {
  std::string text;
  for (const Provenance origin : origins) {
    if (!text.empty()) text += "/";
    text += term("provenance", name(origin), language);
  }
  return text;
}

std::string machine_shape(const ReportMachine& report_machine, Language language) {
  const Machine& machine = report_machine.machine;
  std::vector<std::string> parts = {printable(machine.architecture), printable(machine.chip)};
  if (machine.sm_count > 0) {
    const std::string unit = machine.vendor == Vendor::kAmd ? "CU" : "SM";
    parts.push_back(language == Language::kChinese ? fmt::format("{} 个 {}", machine.sm_count, unit)
                                                   : fmt::format("{} {}s", machine.sm_count, unit));
  }
  if (report_machine.sm_clock) {
    parts.push_back(format_value(report_machine.sm_clock, Unit::kHertz) +
                    in_brackets(term("provenance", name(report_machine.sm_clock.provenance()), language), language));
  }
  return joined(parts, language);
}

double severity_order(Severity severity) {
  static constexpr double kOrder[] = {3, 2, 1, 0};  // info, notice, error, data loss
  return kOrder[static_cast<std::size_t>(severity)];
}

using ConfigurationKey = std::tuple<std::string, std::optional<Dim3>, std::optional<Dim3>>;
using Groups = std::map<ConfigurationKey, std::map<std::uint32_t, std::size_t>>;

ConfigurationKey key_of(const ReportKernel& kernel) {
  std::string full_name = without_casts(full_name_of(kernel));
  full_name.erase(std::remove(full_name.begin(), full_name.end(), ' '), full_name.end());
  return {std::move(full_name), kernel.configuration.grid, kernel.configuration.block};
}

/// Kernels with one name and launch shape, by source. Two with the same key in one source differ in something else
/// (shared memory, device): the first, which has the larger share, stands for them.
Groups same_kernels(const Report& report) {
  Groups groups;
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    groups[key_of(report.kernels[i])].emplace(report.kernels[i].source, i);
  }
  return groups;
}

const Value<Seconds>& median_time(const ReportKernel& kernel) {
  return kernel.duration_median ? kernel.duration_median : kernel.duration;
}

/// The last `parts` parts of a path.
std::string_view end_of_path(std::string_view path, std::size_t parts) {
  std::size_t at = path.size();
  for (; parts > 0; --parts) {
    at = at == 0 ? std::string_view::npos : path.rfind('/', at - 1);
    if (at == std::string_view::npos) return path;
  }
  return path.substr(at + 1);
}

/// "#1 lab.ncu-rep: 42.2 ms in 12 kernels".
std::string file_total(const Report& report, std::size_t source, const std::string& file, Language language) {
  Value<Seconds> time = Value<Seconds>::missing("no launch has a duration");
  double kernels = 0;
  for (const ReportKernel& kernel : report.kernels) {
    if (kernel.source != source) continue;
    ++kernels;
    if (kernel.duration) time = time ? time + kernel.duration : kernel.duration;
  }
  return render_message(Message("text.file_total", {{"file", file, Unit::kNone},
                                                    {"time", format_value(time, Unit::kSeconds), Unit::kNone},
                                                    {"kernels", kernels, Unit::kCount}}),
                        language);
}

/// Each file with its own total: a run before a change and one after it add up to nothing.
std::string totals_line(const Report& report, Language language) {
  const std::vector<std::string> files = file_labels(report);
  std::string text;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0) text += semicolon(language);
    text += file_total(report, i, files[i], language);
  }
  text += language == Language::kChinese ? "。" : ".";
  const std::string start = render_message(report.summary.start, language, names_by_id(report));
  return text + (start.empty() || language == Language::kChinese ? "" : " ") + start;
}

}  // namespace

std::vector<Fact> machine_facts(const ReportMachine& machine, Language language) {
  std::vector<Fact> facts;
  const std::string shape = machine_shape(machine, language);
  facts.push_back(
      {label("machine", language),
       joined({machine.machine.name.empty() ? label("no_machine", language) : note_text(machine.machine.name, language),
               shape},
              language)});
  std::vector<std::string> roofs;
  for (const auto& [level, rate] : machine.memory_roofs) {
    if (level == Level::kHostLink || level == Level::kPeerLink) continue;  // no kernel's own traffic
    roofs.push_back(
        fmt::format("{} {}", resource_name(name(level), language), format_value(rate, Unit::kBytesPerSecond)));
  }
  for (const ComputeRoof& roof : machine.compute_roofs) {
    if (roof.key != core(DataType::kFp32)) continue;  // the one every GPU is known by; the chart has those in use
    roofs.push_back(
        fmt::format("{} {}", roof_label(name(roof.key), language), format_value(roof.peak, Unit::kFlopsPerSecond)));
  }
  if (!roofs.empty()) {
    const Message text("text.roofs", {{"roofs", joined(roofs, language), Unit::kNone},
                                      {"basis", std::string(name(machine.basis)), Unit::kNone}});
    facts.push_back({label("roofs", language), render_message(text, language)});
  }
  if (!machine.machine.note.empty()) facts.push_back({"", note_text(machine.machine.note, language)});
  return facts;
}

std::vector<std::string> source_lines(const Report& report, Language language) {
  std::vector<std::string> lines;
  for (const Source& source : report.sources) {
    std::vector<std::string> parts = {printable(source.kind)};
    if (!source.taken.empty()) {
      parts.push_back(render_message(Message("text.taken", {{"when", source.taken, Unit::kNone}}), language));
    }
    parts.push_back(printable(source.tool_version));
    const std::string number = report.sources.size() > 1 ? fmt::format("#{} ", lines.size() + 1) : std::string();
    lines.push_back(number + printable(source.path) + in_brackets(joined(parts, language), language));
  }
  return lines;
}

std::string evidence_line(const Report& report, Language language) {
  const Origins origins = origins_of(report);
  std::map<std::string, std::vector<std::string>> by_origin;
  for (const Evidence& each : kEvidence) {
    const auto found = origins.find(each.path);
    if (found == origins.end()) continue;
    by_origin[names_of(found->second, language)].push_back(text_of(each.id, language));
  }
  std::string text;
  for (const auto& [origin, what] : by_origin) {
    if (!text.empty()) text += semicolon(language);
    text += fmt::format("{} {}", joined(what, language), origin);
  }
  return text;
}

std::string summary_line(const Report& report, Language language) {
  if (report.kernels.empty()) return label("no_kernels", language);
  if (report.sources.size() > 1) return totals_line(report, language);
  const KernelNames names = names_by_id(report);
  const std::string verdict = render_message(report.summary.verdict, language, names);
  const std::string start = render_message(report.summary.start, language, names);
  const bool spaced = !verdict.empty() && !start.empty() && language == Language::kEnglish;
  return verdict + (spaced ? " " : "") + start;
}

KernelNames names_by_id(const Report& report) {
  const std::vector<std::string> names = kernel_names(report);
  KernelNames by_id;
  for (std::size_t i = 0; i < names.size(); ++i) by_id.emplace(report.kernels[i].id, names[i]);
  return by_id;
}

std::vector<TopFinding> top_findings(const Report& report, std::size_t most) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < report.kernels.size(); ++i) places.emplace(report.kernels[i].id, i);
  std::vector<TopFinding> top;
  for (const RankedFinding& ranked : report.summary.findings) {
    if (top.size() == most) break;
    const auto place = places.find(ranked.kernel);
    if (place != places.end() && ranked.finding < report.kernels[place->second].findings.size()) {
      top.push_back({place->second, ranked.finding});
    }
  }
  return top;
}

std::vector<MissingGroup> missing_of(const ReportKernel& kernel, Language language) {
  std::vector<MissingGroup> groups;
  const bool no_flops = kernel.work.flops && kernel.work.flops->count() == 0;
  for (const Field& field : principal_fields(kernel)) {
    if (field.value) continue;
    if (no_flops && field.path == "roof.attainable_flops_per_s") continue;  // says nothing that "0 FLOP" does not
    const std::string reason = reason_text(field.value.reason(), language);
    const std::string what = term("field", field.path, language);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.reason == reason; });
    if (same == groups.end()) {
      groups.push_back({what, reason});
    } else {
      same->fields = joined({same->fields, what}, language);
    }
  }
  return groups;
}

std::vector<MissingGroup> missing_of(const Report& report, Language language) {
  std::vector<MissingGroup> all;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const ReportKernel& kernel : report.kernels) {
    for (const MissingGroup& group : missing_of(kernel, language)) {
      const auto [place, is_new] = places.emplace(std::make_pair(group.fields, group.reason), all.size());
      if (is_new) {
        all.push_back(group);
      } else {
        ++all[place->second].kernels;
      }
    }
  }
  return all;
}

namespace {

/// A command stands apart from the sentence before it, so that it can be copied.
IssueText with_command(IssueText text, const Issue& issue) {
  for (const Argument& argument : issue.message.arguments) {
    const std::string* command = std::get_if<std::string>(&argument.value);
    if (argument.name != "command" || !command) continue;
    const std::string shown = printable(*command);
    if (!shown.empty() && text.remedy.ends_with(shown)) {
      text.command = shown;
      text.remedy.erase(text.remedy.size() - shown.size());
    }
  }
  return text;
}

}  // namespace

std::vector<IssueText> issue_texts(const Report& report, Language language) {
  std::vector<IssueText> texts;
  std::map<std::string, std::size_t> places;
  for (const Issue& issue : report.issues) {
    const std::string text = issue_text(issue, language);
    const auto [place, is_new] = places.emplace(text, texts.size());
    if (is_new) {
      texts.push_back(with_command({issue.severity, text, issue_remedy(issue, language), {}}, issue));
    } else {
      ++texts[place->second].times;
    }
  }
  std::stable_sort(texts.begin(), texts.end(), [](const IssueText& a, const IssueText& b) {
    return severity_order(a.severity) < severity_order(b.severity);
  });
  return texts;
}

std::vector<std::string> file_labels(const Report& report) {
  constexpr std::size_t kMostParts = 8;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < report.sources.size(); ++i) {
    const std::string& path = report.sources[i].path;
    std::size_t parts = 1;
    const auto is_shared = [&](const Source& other) {
      return other.path != path && end_of_path(other.path, parts) == end_of_path(path, parts);
    };
    while (parts < kMostParts && std::any_of(report.sources.begin(), report.sources.end(), is_shared)) ++parts;
    labels.push_back(fmt::format("#{} {}", i + 1, printable(end_of_path(path, parts))));
  }
  return labels;
}

Table side_by_side(const Report& report, Language language) {
  Table table;
  table.columns = {{text_of("column.kernel", language), Align::kLeft, true},
                   {text_of("column.file", language), Align::kLeft, true},
                   {text_of("column.median_time", language), Align::kRight},
                   {text_of("column.time_ratio", language), Align::kRight},
                   {text_of("column.fraction", language), Align::kRight},
                   {text_of("column.bound", language), Align::kLeft, true}};
  const std::vector<std::string> names = kernel_names_of_any_file(report), files = file_labels(report);
  const Groups groups = same_kernels(report);
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {  // in the order of the report, not of the names
    const auto& by_source = groups.at(key_of(report.kernels[k]));
    const auto first_known = std::min_element(by_source.begin(), by_source.end(),
                                              [](const auto& a, const auto& b) { return a.second < b.second; });
    if (by_source.size() < 2 || first_known->second != k) continue;
    const ReportKernel& first = report.kernels[by_source.begin()->second];
    for (const auto& [source, index] : by_source) {
      const ReportKernel& kernel = report.kernels[index];
      const bool is_first = &kernel == &first;
      table.rows.push_back({is_first ? names[index] : "",
                            source < files.size() ? files[source] : fmt::format("#{}", source + 1),
                            format_value(median_time(kernel), Unit::kSeconds),
                            is_first ? "–" : format_value(median_time(kernel) / median_time(first), Unit::kFactor),
                            format_value(kernel.roof.fraction, Unit::kRatio), bound_cell(kernel, language)});
    }
  }
  return table;
}

std::vector<std::string> side_by_side_notes(const Report& report, Language language) {
  if (report.sources.size() < 2 || report.kernels.empty()) return {};
  const std::vector<std::string> names = kernel_names_of_any_file(report), files = file_labels(report);
  const Groups groups = same_kernels(report);
  std::map<std::uint32_t, std::vector<std::string>> alone;
  bool any_shared = false;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const auto& by_source = groups.at(key_of(report.kernels[k]));
    any_shared = any_shared || by_source.size() > 1;
    if (by_source.size() == 1 && by_source.begin()->second == k) alone[report.kernels[k].source].push_back(names[k]);
  }
  if (!any_shared) return {label("nothing_shared", language)};
  std::vector<std::string> notes = {label("side_by_side_legend", language)};
  for (const auto& [source, kernels] : alone) {
    if (source >= files.size()) continue;
    notes.push_back(render_message(Message("text.only_in", {{"file", files[source], Unit::kNone},
                                                            {"kernels", joined(kernels, language), Unit::kNone}}),
                                   language));
  }
  return notes;
}

std::vector<ComparisonText> comparison_texts(const Report& report, Language language) {
  const KernelNames names = names_by_id(report);
  std::map<std::string_view, std::string> marks;
  for (std::size_t i = 0; i < report.kernels.size() && !mark_of(i).empty(); ++i) {
    marks.emplace(report.kernels[i].id, mark_of(i));
  }
  const auto labelled = [&](const std::string& id) {
    const auto name = names.find(id);
    const auto mark = marks.find(id);
    const std::string text = printable(name == names.end() ? id : name->second);
    return mark == marks.end() ? text : fmt::format("{} {}", mark->second, text);
  };
  std::vector<ComparisonText> texts;
  for (const Comparison& each : report.comparisons) {
    texts.push_back({labelled(each.slower), labelled(each.faster), render_message(each.explanation, language, names)});
  }
  return texts;
}

}  // namespace ridge::render
