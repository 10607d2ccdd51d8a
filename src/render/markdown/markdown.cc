#include "render/markdown/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/text/format.h"
#include "render/view/recording_view.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

constexpr std::size_t kTableRows = 100;
constexpr std::size_t kDetailedKernels = 12;
constexpr std::size_t kTopFindings = 5;

class Writer {
 public:
  Writer(const Report& report, const MarkdownOptions& options)
      : report_(report),
        names_(kernel_names(report)),
        language_(options.language),
        detail_(options.detail),
        all_with_(options.all_with) {}

  std::string write() {
    header();
    summary();
    kernels();
    side_by_side_table();
    details();
    comparisons();
    issues();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string label(std::string_view id) const { return text_of(fmt::format("label.{}", id), language_); }
  [[nodiscard]] std::size_t limit(std::size_t usual, std::size_t all) const {
    return detail_ ? all : std::min(usual, all);
  }

  void heading(int level, std::string_view title) {
    out_ += fmt::format("\n{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'), escape_markdown(title));
  }
  void bullet(std::string_view name, std::string_view text) {
    const std::string lead = name.empty() ? "" : fmt::format("**{}**: ", escape_markdown(name));
    out_ += fmt::format("- {}{}\n", lead, escape_markdown(text));
  }
  void paragraph(std::string_view text) { out_ += escape_line(text) + "\n\n"; }
  /// At the start of a line a few more signs mean something.
  static std::string escape_line(std::string_view text) {
    std::string line = escape_markdown(text);
    if (!line.empty() && std::string_view("+-=").find(line[0]) != std::string_view::npos) line.insert(0, "\\");
    return line;
  }
  void rest(std::string_view id, std::size_t shown, std::size_t all) {
    if (shown >= all) return;
    const Message message(fmt::format("text.{}", id),
                          {{"count", static_cast<double>(all - shown), Unit::kCount}, {"how", all_with_, Unit::kNone}});
    out_ += fmt::format("\n*{}*\n", escape_markdown(render_message(message, language_)));
  }

  void header() {
    out_ += fmt::format("# {}\n\n", label("report"));
    for (const std::string& line : source_lines(report_, language_)) bullet(label("sources"), line);
    for (const ReportMachine& machine : report_.machines) {
      for (const Fact& fact : machine_facts(machine, language_)) bullet(fact.name, fact.text);
    }
    const std::string evidence = evidence_line(report_, language_);
    if (!evidence.empty()) bullet(label("evidence"), evidence);
    for (const Fact& fact : recording_facts(report_, language_, detail_, all_with_)) bullet(fact.name, fact.text);
  }

  void summary() {
    const std::string line = summary_line(report_, language_);
    const std::vector<TopFinding> top = top_findings(report_, kTopFindings);
    if (line.empty() && top.empty()) return;
    heading(2, label("summary"));
    paragraph(line);
    if (top.empty()) return;
    Table table{{{text_of("column.kernel", language_)},
                 {text_of("column.advice", language_)},
                 {text_of("column.saving", language_), Align::kRight}},
                {}};
    for (const TopFinding& each : top) {
      const ReportKernel& kernel = report_.kernels[each.kernel];
      const FindingText text = finding_texts(kernel, language_)[each.finding];
      table.rows.push_back({kernel_title(each.kernel), text.title, text.saving});
    }
    out_ += fmt::format("**{}**\n\n{}", label("advice"), markdown_table(table));
  }

  [[nodiscard]] std::string kernel_title(std::size_t index) const {
    const std::string mark = mark_of(index);
    return mark.empty() ? names_[index] : fmt::format("{} {}", mark, names_[index]);
  }

  void kernels() {
    if (report_.kernels.empty()) return;
    heading(2, label("kernels"));
    const std::size_t rows = limit(kTableRows, report_.kernels.size());
    out_ += markdown_table(kernel_table(report_, all_kernel_columns(), rows, language_, false));
    rest("more_kernels", rows, report_.kernels.size());
  }

  void side_by_side_table() {
    const std::vector<std::string> notes = side_by_side_notes(report_, language_);
    if (notes.empty()) return;
    const Table table = side_by_side(report_, language_);
    heading(2, label("side_by_side"));
    if (!table.rows.empty()) out_ += markdown_table(table);
    for (const std::string& each : notes) out_ += fmt::format("\n{}\n", escape_markdown(each));
  }

  void details() {
    if (report_.kernels.empty()) return;
    heading(2, label("details"));
    const std::size_t shown = limit(kDetailedKernels, report_.kernels.size());
    for (std::size_t i = 0; i < shown; ++i) kernel(i);
    rest("more_details", shown, report_.kernels.size());
  }

  void kernel(std::size_t index) {
    const ReportKernel& kernel = report_.kernels[index];
    heading(3, kernel_title(index));
    bullet("", kernel.full_name);
    bullet("", configuration_line(kernel, language_));
    bullet("", verdict_line(kernel, language_));
    const std::string reason = render_message(kernel.verdict_reason, language_);
    if (!reason.empty()) bullet("", reason);
    for (const Fact& fact : kernel_facts(kernel, language_)) bullet(fact.name, fact.text);
    for (const MissingGroup& group : missing_of(kernel, language_)) {
      bullet(label("missing"), fmt::format("{} ({})", group.fields, group.reason));
    }
    const Table resources = resource_table(kernel, language_);
    if (!resources.rows.empty()) out_ += fmt::format("\n{}\n", markdown_table(resources));
    for (const FindingText& finding : finding_texts(kernel, language_)) {
      const std::string saving =
          finding.saving.empty() ? "" : fmt::format(" – {} {}", text_of("column.saving", language_), finding.saving);
      out_ += fmt::format("- **{}**{}. {}\n", escape_markdown(finding.title), escape_markdown(saving),
                          escape_markdown(finding.advice));
    }
  }

  void comparisons() {
    if (report_.comparisons.empty()) return;
    heading(2, label("comparisons"));
    for (const ComparisonText& each : comparison_texts(report_, language_)) {
      out_ += fmt::format("- **{}** / **{}**: {}\n", escape_markdown(each.slower), escape_markdown(each.faster),
                          escape_markdown(each.text));
    }
  }

  void issues() {
    const std::vector<IssueText> texts = issue_texts(report_, language_);
    if (texts.empty()) return;
    heading(2, label("issues"));
    Table table{{{text_of("column.severity", language_)},
                 {text_of("column.issue", language_)},
                 {text_of("column.remedy", language_)}},
                {}};
    for (const IssueText& issue : texts) {
      const std::string times = issue.times > 1 ? fmt::format(" ({}x)", issue.times) : std::string();
      table.rows.push_back(
          {term("severity", name(issue.severity), language_), issue.text + times, issue.remedy + issue.command});
    }
    out_ += markdown_table(table);
  }

  const Report& report_;
  std::vector<std::string> names_;
  Language language_;
  bool detail_;
  std::string all_with_;
  std::string out_;
};

}  // namespace

std::string render_markdown(const Report& report, const MarkdownOptions& options) {
  return Writer(report, options).write();
}

}  // namespace ridge::render
