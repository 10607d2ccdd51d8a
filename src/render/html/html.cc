#include "render/html/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/html/roofline_svg.h"
#include "render/html/style.h"
#include "render/text/format.h"
#include "render/view/recording_view.h"
#include "render/view/view.h"

namespace ridge::render {
namespace {

constexpr std::size_t kTableRows = 500;
constexpr std::size_t kDetailedKernels = 40;
constexpr std::size_t kChartKernels = 52;
constexpr std::size_t kTopFindings = 5;
constexpr std::size_t kOpenDetails = 1;

class HtmlWriter {
 public:
  HtmlWriter(const Report& report, const HtmlOptions& options)
      : report_(report),
        names_(kernel_names(report)),
        language_(options.language),
        detail_(options.detail),
        all_with_(options.all_with) {}

  std::string write() {
    head();
    header();
    summary();
    charts();
    kernels();
    compared();
    details();
    comparisons();
    issues();
    add("<footer>ridge {}</footer>\n</main>\n</body>\n</html>\n", RIDGE_VERSION);
    return std::move(out_);
  }

 private:
  template <class... A>
  void add(fmt::format_string<A...> format, A&&... arguments) {
    out_ += fmt::format(format, std::forward<A>(arguments)...);
  }
  [[nodiscard]] std::string label(std::string_view id) const {
    return escape_html(text_of(fmt::format("label.{}", id), language_));
  }
  [[nodiscard]] std::string column(std::string_view id) const {
    return escape_html(text_of(fmt::format("column.{}", id), language_));
  }
  [[nodiscard]] std::size_t limit(std::size_t usual, std::size_t all) const {
    return detail_ ? all : std::min(usual, all);
  }
  void rest(std::string_view id, std::size_t shown, std::size_t all) {
    if (shown >= all) return;
    const Message message(fmt::format("text.{}", id),
                          {{"count", static_cast<double>(all - shown), Unit::kCount}, {"how", all_with_, Unit::kNone}});
    add("<p class=\"soft\">{}</p>\n", escape_html(render_message(message, language_)));
  }
  void facts(const std::vector<Fact>& list) {
    if (list.empty()) return;
    out_ += "<dl class=\"facts\">\n";
    for (const Fact& fact : list) add("<dt>{}</dt><dd>{}</dd>\n", escape_html(fact.name), escape_html(fact.text));
    out_ += "</dl>\n";
  }

  void head() {
    const std::string source = report_.sources.empty() ? std::string() : ": " + escape_html(report_.sources[0].path);
    add("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n",
        language_ == Language::kChinese ? "zh-CN" : "en");
    out_ +=
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n";
    add("<title>{}{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n", label("report"), source, html_style());
  }

  void header() {
    add("<h1>{}</h1>\n", label("report"));
    std::vector<Fact> list;
    const std::string files = text_of("label.sources", language_);
    for (std::string& line : source_lines(report_, language_)) {
      list.push_back({list.empty() ? files : std::string(), std::move(line)});
    }
    for (const ReportMachine& machine : report_.machines) {
      for (Fact& fact : machine_facts(machine, language_)) list.push_back(std::move(fact));
    }
    const std::string evidence = evidence_line(report_, language_);
    if (!evidence.empty()) list.push_back({text_of("label.evidence", language_), evidence});
    for (Fact& fact : recording_facts(report_, language_, detail_, all_with_)) list.push_back(std::move(fact));
    facts(list);
  }

  [[nodiscard]] std::string kernel_link(std::size_t index) const {
    const std::string mark = mark_of(index);
    const std::string name = escape_html(names_[index]);
    std::string text = mark.empty() ? name : fmt::format("{} {}", mark, name);
    if (index >= limit(kDetailedKernels, report_.kernels.size())) return text;
    return fmt::format("<a href=\"#kernel-{}\">{}</a>", index, text);
  }

  void summary() {
    const std::string line = summary_line(report_, language_);
    const std::vector<TopFinding> top = top_findings(report_, kTopFindings);
    if (line.empty() && top.empty()) return;
    add("<section class=\"card summary\">\n<p class=\"verdict\">{}</p>\n", escape_html(line));
    if (!top.empty()) {
      add("<h2>{}</h2>\n<ol class=\"top\">\n", label("advice"));
      for (const TopFinding& each : top) {
        const FindingText text = finding_texts(report_.kernels[each.kernel], language_)[each.finding];
        add("<li><span class=\"name\">{}</span>{}{} – {} <span class=\"saving\">{}</span></li>\n",
            kernel_link(each.kernel), colon(language_), escape_html(text.title), column("saving"),
            escape_html(text.saving));
      }
      out_ += "</ol>\n";
    }
    out_ += "</section>\n";
  }

  void charts() {
    std::size_t number = 0;
    for (const Plot& plot : make_plots(report_, kChartKernels)) {
      if (plot.points.empty() && plot.unplaced.empty()) continue;
      const std::string machine =
          report_.machines.size() > 1
              ? std::string(colon(language_)) + escape_html(report_.machines[plot.machine].machine.name)
              : std::string();
      add("<h2>{}{}</h2>\n", label("chart"), machine);
      if (plot.roofs.empty() && plot.points.empty()) {
        add("<p class=\"soft\">{}</p>\n", label("no_roofs"));
      } else if (!plot.points.empty()) {
        add("<figure class=\"card\"><div class=\"scroll\">\n{}</div>\n<figcaption "
            "class=\"soft\">{}</figcaption></figure>\n",
            roofline_svg(report_, plot, number++, language_), label("chart_caption"));
      }
      out_ += roofline_notes(report_, plot, language_);
    }
  }

  void kernels() {
    if (report_.kernels.empty()) return;
    const std::size_t rows = limit(kTableRows, report_.kernels.size());
    const Table table = kernel_table(report_, all_kernel_columns(), rows, language_, false);
    add("<h2>{}</h2>\n<div class=\"card scroll\"><table class=\"kernels\">\n<caption "
        "class=\"soft\">{}</caption>\n<thead><tr>",
        label("kernels"), label("kernels_by_share"));
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      add("<th scope=\"col\"{}>{}</th>", number_class(table.columns[c]), escape_html(table.columns[c].title));
    }
    out_ += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < rows; ++i) kernel_row(table, i);
    out_ += "</tbody></table></div>\n";
    rest("more_kernels", rows, report_.kernels.size());
  }

  static std::string_view number_class(const Column& column) {
    return column.align == Align::kRight ? " class=\"num\"" : "";
  }

  /// The mark and the name are one cell, which is the row's header.
  void kernel_row(const Table& table, std::size_t index) {
    const auto& columns = all_kernel_columns();
    const ReportKernel& kernel = report_.kernels[index];
    add("<tr><th scope=\"row\" class=\"name\">{}</th>", kernel_link(index));
    for (std::size_t c = 2; c < table.columns.size(); ++c) {
      const std::string text = escape_html(table.rows[index][c]);
      if (columns[c] == KernelColumn::kBound) {
        add("<td><span class=\"tag {}\">{}</span></td>", name(kernel.verdict), text);
      } else if (columns[c] == KernelColumn::kShare || columns[c] == KernelColumn::kFraction) {
        add("<td class=\"num\">{}{}</td>", text,
            bar(columns[c] == KernelColumn::kShare ? kernel.share : kernel.roof.fraction));
      } else {
        add("<td{}>{}</td>", number_class(table.columns[c]), text);
      }
    }
    out_ += "</tr>\n";
  }

  static std::string bar(const Value<double>& fraction) {
    if (!fraction || !(*fraction >= 0)) return {};
    return fmt::format("<span class=\"bar\"><i style=\"width:{:.1f}%\"></i></span>", std::min(1.0, *fraction) * 100);
  }

  void compared() {
    const std::vector<std::string> notes = side_by_side_notes(report_, language_);
    if (notes.empty()) return;
    const Table table = side_by_side(report_, language_);
    add("<h2>{}</h2>\n", label("side_by_side"));
    if (!table.rows.empty()) add("<div class=\"card scroll\">{}</div>\n", html_table(table));
    for (const std::string& note : notes) add("<p class=\"soft note\">{}</p>\n", escape_html(note));
  }

  void details() {
    if (report_.kernels.empty()) return;
    add("<h2>{}</h2>\n", label("details"));
    const std::size_t shown = limit(kDetailedKernels, report_.kernels.size());
    for (std::size_t i = 0; i < shown; ++i) kernel(i);
    rest("more_details", shown, report_.kernels.size());
  }

  void kernel(std::size_t index) {
    const ReportKernel& kernel = report_.kernels[index];
    const std::string mark = mark_of(index);
    add("<details id=\"kernel-{}\"{}><summary><h3 class=\"name\">{}{}{}</h3><span class=\"tag "
        "{}\">{}</span></summary>\n",
        index, index < kOpenDetails ? " open" : "", mark, mark.empty() ? "" : " ", escape_html(names_[index]),
        name(kernel.verdict), escape_html(bound_cell(kernel, language_)));
    if (full_name_of(kernel) != kernel.name) add("<p class=\"full\">{}</p>\n", escape_html(full_name_of(kernel)));
    add("<p>{}</p>\n", escape_html(verdict_line(kernel, language_)));
    const std::string reason = render_message(kernel.verdict_reason, language_);
    if (!reason.empty()) add("<p>{}</p>\n", escape_html(reason));
    add("<p class=\"soft\">{}</p>\n", escape_html(configuration_line(kernel, language_)));
    std::vector<Fact> list = kernel_facts(kernel, language_);
    for (const MissingGroup& group : missing_of(kernel, language_)) {
      list.push_back({text_of("label.missing", language_), group.fields + in_brackets(group.reason, language_)});
    }
    facts(list);
    resources(kernel);
    gap(kernel);
    findings(kernel);
    hot_lines(kernel);
    out_ += "</details>\n";
  }

  void resources(const ReportKernel& kernel) {
    const Table table = resource_table(kernel, language_);
    if (table.rows.empty()) return;
    add("<h4>{}</h4>\n<div class=\"scroll\">{}</div>\n", label("least_times"), html_table(table));
    const auto& times = kernel.roof.times;
    if (std::any_of(times.begin(), times.end(), [](const ResourceTime& time) { return time.estimated; })) {
      add("<p class=\"soft note\">{}</p>\n", label("estimated"));
    }
  }

  void gap(const ReportKernel& kernel) {
    if (kernel.gap.empty()) return;
    add("<h4>{}</h4>\n<ul>\n", label("gap"));
    for (const GapPart& part : kernel.gap) {
      add("<li>{} – {} <span class=\"soft\">{}</span></li>\n", format_number(part.seconds.count(), Unit::kSeconds),
          escape_html(term("cause", part.cause, language_)), escape_html(resource_name(part.evidence, language_)));
    }
    out_ += "</ul>\n";
  }

  void findings(const ReportKernel& kernel) {
    for (const FindingText& finding : finding_texts(kernel, language_)) {
      const std::string saving = finding.saving.empty() ? std::string()
                                                        : fmt::format(" – {} <span class=\"saving\">{}</span>",
                                                                      column("saving"), escape_html(finding.saving));
      add("<div class=\"finding {}\"><b>{}</b>{}<p>{}</p></div>\n", name(finding.severity), escape_html(finding.title),
          saving, escape_html(finding.advice));
    }
  }

  void hot_lines(const ReportKernel& kernel) {
    if (kernel.hot_lines.empty()) return;
    add("<h4>{}</h4>\n<ul>\n", label("hot_lines"));
    for (const HotLine& line : kernel.hot_lines) {
      add("<li><code>{}</code> <code class=\"soft\">{}</code></li>\n", escape_html(line.location),
          escape_html(line.text));
    }
    out_ += "</ul>\n";
  }

  void comparisons() {
    if (report_.comparisons.empty()) return;
    add("<h2>{}</h2>\n", label("comparisons"));
    for (const ComparisonText& each : comparison_texts(report_, language_)) {
      add("<section class=\"card\"><b class=\"name\">{} / {}</b><p>{}</p></section>\n", escape_html(each.slower),
          escape_html(each.faster), escape_html(each.text));
    }
  }

  void issues() {
    const std::vector<IssueText> texts = issue_texts(report_, language_);
    if (texts.empty()) return;
    add("<h2>{}</h2>\n", label("issues"));
    for (const IssueText& issue : texts) {
      const std::string times = issue.times > 1 ? fmt::format(" ({}x)", issue.times) : std::string();
      const std::string command =
          issue.command.empty() ? std::string() : fmt::format("<p><code>{}</code></p>", escape_html(issue.command));
      add("<div class=\"issue {}\"><p><b>{}</b> {}{}</p><p class=\"soft\">{}</p>{}</div>\n", name(issue.severity),
          escape_html(term("severity", name(issue.severity), language_)), escape_html(issue.text), times,
          escape_html(issue.remedy), command);
    }
  }

  const Report& report_;
  std::vector<std::string> names_;
  Language language_;
  bool detail_;
  std::string all_with_;
  std::string out_;
};

}  // namespace

std::string render_html(const Report& report, const HtmlOptions& options) {
  return HtmlWriter(report, options).write();
}

}  // namespace ridge::render
