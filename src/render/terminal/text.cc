#include "render/terminal/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/terminal/page.h"
#include "render/terminal/roofline_chart.h"
#include "render/text/format.h"
#include "render/view/recording_view.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

// Without --detail: what fits on a screen or two. What is left out is said.
constexpr std::size_t kTableRows = 24;
constexpr std::size_t kComparedRows = 40;
constexpr std::size_t kChartKernels = 26;
constexpr std::size_t kDetailedKernels = 8;
constexpr std::size_t kTopFindings = 3;
constexpr std::size_t kFindingsPerKernel = 3;
constexpr std::size_t kIssues = 12;
constexpr std::size_t kMissingGroups = 6;
constexpr int kNameColumns = 20;  // of a kernel's name before other columns are left out
constexpr int kBoundColumns = 12;
constexpr double kWorthABar = 0.02;
constexpr std::size_t kResources = 5;

std::size_t limit(const Page& page, std::size_t usual, std::size_t all) {
  return page.options().detail ? all : std::min(usual, all);
}

/// "... and 134 more", the number formatted.
void write_rest(Page& page, std::string_view id, std::size_t shown, std::size_t all, int indent) {
  if (shown >= all) return;
  const Message rest(fmt::format("text.{}", id), {{"count", static_cast<double>(all - shown), Unit::kCount},
                                                  {"how", page.options().all_with, Unit::kNone}});
  page.paragraph(render_message(rest, page.options().language), indent, Ink::kDim);
}

void write_facts(Page& page, const std::vector<Fact>& facts, int indent) {
  int widest = 0;
  for (const Fact& fact : facts) widest = std::max(widest, display_width(fact.name));
  for (const Fact& fact : facts) {
    const std::string pad(static_cast<std::size_t>(widest - display_width(fact.name) + 2), ' ');
    page.item(fact.name + pad, fact.text, indent);
  }
}

void write_header(Page& page, const Report& report) {
  const Language language = page.options().language;
  page.line(page.label("report"), Ink::kBold);
  std::vector<Fact> facts;
  for (std::string& line : source_lines(report, language)) {
    facts.push_back({facts.empty() ? page.label("sources") : "", std::move(line)});
  }
  for (const ReportMachine& machine : report.machines) {
    for (Fact& fact : machine_facts(machine, language)) facts.push_back(std::move(fact));
  }
  const std::string evidence = evidence_line(report, language);
  if (!evidence.empty()) facts.push_back({page.label("evidence"), evidence});
  for (Fact& fact : recording_facts(report, language, page.options().detail, page.options().all_with))
    facts.push_back(std::move(fact));
  write_facts(page, facts, 0);
}

void write_top_findings(Page& page, const Report& report) {
  const Language language = page.options().language;
  const std::vector<TopFinding> top = top_findings(report, kTopFindings);
  if (top.empty()) return;
  page.line(page.label("advice") + (language == Language::kChinese ? "：" : ":"), Ink::kBold);
  const std::vector<std::string> names = kernel_names(report);
  for (std::size_t i = 0; i < top.size(); ++i) {
    const ReportKernel& kernel = report.kernels[top[i].kernel];
    const FindingText text = finding_texts(kernel, language)[top[i].finding];
    page.item(fmt::format("{}. ", i + 1),
              fmt::format("{} {}{}{} – {} {}", mark_of(top[i].kernel), printable(names[top[i].kernel]), colon(language),
                          text.title, text_of("column.saving", language), text.saving),
              2);
  }
}

void write_summary(Page& page, const Report& report) {
  page.blank();
  const std::string summary = summary_line(report, page.options().language);
  if (!summary.empty()) page.paragraph(summary, 0, Ink::kBold);
  write_top_findings(page, report);
}

/// Columns the table needs with its shrinkable cells at their least useful width.
int least_width(const Table& table) {
  int sum = -2;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    int width = display_width(table.columns[i].title);
    for (const auto& row : table.rows) width = std::max(width, display_width(printable(row[i])));
    if (table.columns[i].shrinkable) width = std::min(width, i <= 1 ? kNameColumns : kBoundColumns);
    sum += width + 2;
  }
  return sum;
}

Table fitting_table(const Page& page, const Report& report, std::size_t rows) {
  // The first to go are those that the details of a kernel repeat and that decide least.
  static constexpr KernelColumn kExpendable[] = {KernelColumn::kOccupancy, KernelColumn::kDramRate,
                                                 KernelColumn::kLaunches, KernelColumn::kIntensity,
                                                 KernelColumn::kSpeed};
  std::vector<KernelColumn> columns = all_kernel_columns();
  Table table = kernel_table(report, columns, rows, page.options().language, true);
  for (const KernelColumn column : kExpendable) {
    if (least_width(table) <= page.width()) break;
    columns.erase(std::find(columns.begin(), columns.end(), column));
    table = kernel_table(report, columns, rows, page.options().language, true);
  }
  return table;
}

/// The lines of a finished table, each with its row: headings and rules of every block have none.
template <class Write>
void for_each_table_line(const std::string& text, Write write) {
  std::size_t row = 0, start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start), ++row) {
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    write(line, row);
    if (line.empty()) row = static_cast<std::size_t>(-1);  // the next line is a heading again
  }
}

Ink heading_ink(std::size_t row) {
  return row == 0 ? Ink::kBold : row == 1 ? Ink::kDim : Ink::kPlain;
}

/// Colours heading, rule and each row's letter.
void write_kernel_rows(Page& page, const Report& report, const std::string& text) {
  for_each_table_line(text, [&](std::string_view line, std::size_t row) {
    const bool has_mark = row >= 2 && !line.empty() && row - 2 < report.kernels.size() && !mark_of(row - 2).empty();
    if (!has_mark) return page.finished_line(page.ink(line, heading_ink(row)));
    page.finished_line(page.ink(line.substr(0, 1), ink_of(report.kernels[row - 2].verdict)) +
                       std::string(line.substr(1)));
  });
}

void write_plain_table(Page& page, const Table& table) {
  for_each_table_line(text_table(table, page.width()), [&](std::string_view line, std::size_t row) {
    page.finished_line(page.ink(line, heading_ink(row)));
  });
}

void write_kernels(Page& page, const Report& report) {
  if (report.kernels.empty()) return;
  page.heading(page.label("kernels") + std::string(colon(page.options().language)) + page.label("kernels_by_share"));
  const std::size_t rows = limit(page, kTableRows, report.kernels.size());
  write_kernel_rows(page, report, text_table(fitting_table(page, report, rows), page.width()));
  write_rest(page, "more_kernels", rows, report.kernels.size(), 3);
}

void write_rooflines(Page& page, const Report& report) {
  for (const Plot& plot : make_plots(report, kChartKernels)) {
    if (plot.points.empty() && plot.unplaced.empty()) continue;
    const std::string machine = report.machines[plot.machine].machine.name;
    page.heading(report.machines.size() > 1
                     ? page.label("chart") + std::string(colon(page.options().language)) + machine
                     : page.label("chart"));
    draw_roofline(page, report, plot);
  }
}

/// Eight cells of a bar for 0..1; above 1 full with a mark.
std::string bar(double fraction) {
  constexpr int kCells = 20;
  const int full = static_cast<int>(std::lround(std::min(1.0, std::max(0.0, fraction)) * kCells));
  std::string text;
  for (int i = 0; i < kCells; ++i) text += i < full ? "█" : "░";
  return text;
}

void write_resources(Page& page, const ReportKernel& kernel, int indent) {
  const Language language = page.options().language;
  std::vector<const ResourceTime*> shown;
  int widest = 0;
  for (const ResourceTime& time : kernel.roof.times) {
    if (!page.options().detail && (time.fraction < kWorthABar || shown.size() == kResources)) continue;
    shown.push_back(&time);
    widest = std::max(widest, display_width(resource_name(time.resource, language)));
  }
  if (shown.empty()) return;
  page.paragraph(page.label("least_times"), indent, Ink::kDim);
  for (const ResourceTime* time : shown) {
    const std::string resource = resource_name(time->resource, language);
    const std::string pad(static_cast<std::size_t>(widest - display_width(resource)), ' ');
    page.line(fmt::format("{}{}{}  {:>8}  {:>8}  {}", std::string(static_cast<std::size_t>(indent + 2), ' '), resource,
                          pad, format_number(time->least_time.count(), Unit::kSeconds), fraction_text(*time),
                          bar(time->fraction)));
  }
  const bool estimated =
      std::any_of(shown.begin(), shown.end(), [](const ResourceTime* time) { return time->estimated; });
  if (estimated) page.paragraph(page.label("estimated"), indent + 2, Ink::kDim);
}

void write_gap(Page& page, const ReportKernel& kernel, int indent) {
  if (kernel.gap.empty()) return;
  const Language language = page.options().language;
  page.paragraph(page.label("gap"), indent, Ink::kDim);
  for (const GapPart& part : kernel.gap) {
    const std::string evidence =
        part.evidence.empty() ? "" : in_brackets(resource_name(part.evidence, language), language);
    page.item(fmt::format("{:>9}  ", format_number(part.seconds.count(), Unit::kSeconds)),
              term("cause", part.cause, language) + evidence, indent);
  }
}

void write_hot_lines(Page& page, const ReportKernel& kernel, int indent) {
  if (kernel.hot_lines.empty()) return;
  page.paragraph(page.label("hot_lines"), indent, Ink::kDim);
  const std::size_t shown = limit(page, kFindingsPerKernel, kernel.hot_lines.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const HotLine& line = kernel.hot_lines[i];
    page.item(fmt::format("{}  ", printable(line.location)), line.text, indent + 2);
  }
}

void write_findings(Page& page, const ReportKernel& kernel, int indent) {
  const Language language = page.options().language;
  const std::vector<FindingText> findings = finding_texts(kernel, language);
  const std::size_t shown = limit(page, kFindingsPerKernel, findings.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FindingText& finding = findings[i];
    std::string title = finding.title;
    if (!finding.saving.empty()) title += fmt::format(" – {} {}", text_of("column.saving", language), finding.saving);
    page.item("> ", title, indent, finding.severity == FindingSeverity::kWarning ? Ink::kWarning : Ink::kBold);
    page.paragraph(finding.advice, indent + 2);
  }
  write_rest(page, "more_findings", shown, findings.size(), indent);
}

void write_missing(Page& page, const std::vector<MissingGroup>& groups, int indent) {
  const Language language = page.options().language;
  for (const MissingGroup& group : groups) {
    page.item(page.label("missing") + std::string(colon(language)), group.fields + in_brackets(group.reason, language),
              indent);
  }
}

void write_kernel(Page& page, const Report& report, std::size_t index) {
  constexpr int kIndent = 3;
  const Language language = page.options().language;
  const ReportKernel& kernel = report.kernels[index];
  const std::string mark = mark_of(index);
  page.blank();
  page.item(mark.empty() ? "   " : mark + "  ", full_name_of(kernel), 0, Ink::kBold);
  page.paragraph(configuration_line(kernel, language), kIndent, Ink::kDim);
  page.paragraph(verdict_line(kernel, language), kIndent, ink_of(kernel.verdict));
  const std::string reason = render_message(kernel.verdict_reason, language);
  if (!reason.empty()) page.paragraph(reason, kIndent);
  write_facts(page, kernel_facts(kernel, language), kIndent);
  write_resources(page, kernel, kIndent);
  write_gap(page, kernel, kIndent);
  write_findings(page, kernel, kIndent);
  write_hot_lines(page, kernel, kIndent);
  write_missing(page, missing_of(kernel, language), kIndent);
}

void write_details(Page& page, const Report& report) {
  if (report.kernels.empty()) return;
  page.heading(page.label("details"));
  const std::size_t shown = limit(page, kDetailedKernels, report.kernels.size());
  for (std::size_t i = 0; i < shown; ++i) write_kernel(page, report, i);
  if (shown < report.kernels.size()) page.blank();
  write_rest(page, "more_details", shown, report.kernels.size(), 3);
}

void write_comparisons(Page& page, const Report& report) {
  if (report.comparisons.empty()) return;
  page.heading(page.label("comparisons"));
  for (const ComparisonText& each : comparison_texts(report, page.options().language)) {
    page.paragraph(fmt::format("{} / {}", each.slower, each.faster), 0, Ink::kBold);
    page.paragraph(each.text, 3);
  }
}

void write_side_by_side(Page& page, const Report& report) {
  const Language language = page.options().language;
  Table table = side_by_side(report, language);
  const std::vector<std::string> notes = side_by_side_notes(report, language);
  if (notes.empty()) return;
  page.heading(page.label("side_by_side"));
  const std::size_t all = table.rows.size(), shown = limit(page, kComparedRows, all);
  table.rows.resize(shown);
  if (shown > 0) write_plain_table(page, table);
  write_rest(page, "more_rows", shown, all, 0);
  for (const std::string& note : notes) page.item("- ", note);
}

/// What is missing from the kernels that the details above do not show.
void write_other_missing(Page& page, const Report& report) {
  const std::size_t detailed = limit(page, kDetailedKernels, report.kernels.size());
  if (detailed >= report.kernels.size()) return;
  Report rest;
  rest.kernels.assign(report.kernels.begin() + static_cast<std::ptrdiff_t>(detailed), report.kernels.end());
  std::vector<MissingGroup> groups = missing_of(rest, page.options().language);
  if (groups.empty()) return;
  page.blank();
  const std::size_t all = groups.size();
  groups.resize(std::min(all, kMissingGroups));
  page.paragraph(page.label("missing_all"), 0, Ink::kBold);
  write_missing(page, groups, 3);
  write_rest(page, "more_missing", groups.size(), all, 3);
}

void write_issues(Page& page, const Report& report) {
  const Language language = page.options().language;
  const std::vector<IssueText> issues = issue_texts(report, language);
  if (issues.empty()) return;
  page.heading(page.label("issues"));
  const std::size_t shown = limit(page, kIssues, issues.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const IssueText& issue = issues[i];
    const bool bad = issue.severity == Severity::kError || issue.severity == Severity::kDataLoss;
    const std::string times = issue.times > 1 ? fmt::format(" ({}x)", issue.times) : std::string();
    page.item("! ",
              term("severity", name(issue.severity), language) + std::string(colon(language)) + issue.text + times, 0,
              bad ? Ink::kWarning : Ink::kPlain);
    if (!issue.remedy.empty()) page.item("> ", issue.remedy, 2);
    if (!issue.command.empty()) page.paragraph(issue.command, 4);
  }
  write_rest(page, "more_issues", shown, issues.size(), 2);
}

}  // namespace

std::string render_text(const Report& report, const TextOptions& options) {
  Page page(options);
  write_header(page, report);
  write_summary(page, report);
  write_kernels(page, report);
  write_side_by_side(page, report);
  write_rooflines(page, report);
  write_details(page, report);
  write_other_missing(page, report);
  write_comparisons(page, report);
  write_issues(page, report);
  return page.take();
}

}  // namespace ridge::render
