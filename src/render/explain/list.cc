#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/workload/functions.h"
#include "model/workload/workload.h"
#include "render/explain/explain.h"
#include "render/glossary/glossary.h"
#include "render/html/style.h"
#include "render/table.h"
#include "render/terminal/page.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

/// "n", "m = n", "variant = ideal | tiled | naive": what must be given stands without a value.
std::string spelled(const WorkloadParameter& parameter) {
  if (!parameter.choices.empty()) {
    const bool switched = parameter.choices.front() == "no";
    return fmt::format(
        "{} = {}", parameter.name,
        switched ? std::string(parameter.initial) : fmt::format("{}", fmt::join(parameter.choices, " | ")));
  }
  if (parameter.initial.empty()) return std::string(parameter.name);
  return fmt::format("{} = {}", parameter.name, parameter.initial);
}

std::string parameters_of(const WorkloadInfo& info) {
  std::string text;
  for (const WorkloadParameter& parameter : info.parameters) text += (text.empty() ? "" : ", ") + spelled(parameter);
  return text;
}

Table workload_table(Language language) {
  Table table;
  table.columns = {{text_of("explain.column.workload", language)}, {text_of("explain.column.parameters", language)}};
  for (const WorkloadInfo& info : workloads()) table.rows.push_back({std::string(info.id), parameters_of(info)});
  return table;
}

/// By operations as written, and the FLOP of the instructions that counters see in fp32 and fp64.
Table function_table(Language language) {
  Table table;
  table.columns = {{text_of("explain.column.function", language)},
                   {text_of("explain.column.written", language)},
                   {text_of("explain.column.operations", language), Align::kRight},
                   {text_of("explain.column.fp32_flops", language), Align::kRight},
                   {text_of("explain.column.fp64_flops", language), Align::kRight}};
  for (const ElementaryFunction& function : elementary_functions()) {
    table.rows.push_back(
        {std::string(function.name), std::string(function.written), format_number(function.operations, Unit::kNone),
         format_number(function.fp32.flops(), Unit::kNone), format_number(function.fp64.flops(), Unit::kNone)});
  }
  return table;
}

std::string term_ids() {
  std::string text;
  for (const GlossaryEntry& entry : glossary()) text += (text.empty() ? "" : ", ") + std::string(entry.id);
  return text;
}

std::string as_text(const TextOptions& options) {
  Page page(options);
  page.paragraph(text_of("explain.label.workloads", options.language), 0, Ink::kBold);
  for (const WorkloadInfo& info : workloads()) page.item(fmt::format("{:<13}", info.id), parameters_of(info), 2);
  page.blank();
  page.paragraph(text_of("explain.label.functions", options.language), 0, Ink::kBold);
  page.finished_line(text_table(function_table(options.language), page.width()));
  page.paragraph(text_of("explain.label.terms", options.language), 0, Ink::kBold);
  page.paragraph(term_ids(), 2);
  return page.take();
}

std::string as_json() {
  using Json = nlohmann::ordered_json;
  Json root{{"schema", kExplainSchema}};
  for (const WorkloadInfo& info : workloads()) {
    Json parameters = Json::array();
    for (const WorkloadParameter& parameter : info.parameters) {
      parameters.push_back({{"name", parameter.name}, {"initial", parameter.initial}, {"choices", parameter.choices}});
    }
    root["workloads"].push_back({{"id", info.id}, {"parameters", std::move(parameters)}});
  }
  for (const ElementaryFunction& function : elementary_functions()) {
    root["functions"].push_back({{"name", function.name},
                                 {"written", function.written},
                                 {"operations", function.operations},
                                 {"fp32_flops", function.fp32.flops()},
                                 {"fp64_flops", function.fp64.flops()}});
  }
  for (const GlossaryEntry& entry : glossary()) root["terms"].push_back(entry.id);
  return root.dump(2) + "\n";
}

std::string as_markdown(Language language) {
  return fmt::format("# {}\n\n{}\n\n## {}\n\n{}\n## {}\n\n{}\n## {}\n\n{}",
                     text_of("explain.label.catalogue", language), text_of("explain.label.generated", language),
                     text_of("explain.label.workloads", language), markdown_table(workload_table(language)),
                     text_of("explain.label.functions", language), markdown_table(function_table(language)),
                     text_of("explain.label.terms", language), glossary_markdown(language));
}

std::string as_html(Language language) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>ridge explain</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<main>\n<h2>{}</h2>\n<div class=\"card scroll\">{}</div>\n<h2>{}</h2>\n"
      "<div class=\"card scroll\">{}</div>\n<h2>{}</h2>\n<p>{}</p>\n</main>\n</body>\n</html>\n",
      language == Language::kChinese ? "zh-CN" : "en", html_style(), text_of("explain.label.workloads", language),
      html_table(workload_table(language)), text_of("explain.label.functions", language),
      html_table(function_table(language)), text_of("explain.label.terms", language), term_ids());
}

}  // namespace

std::string explain_catalogue(std::string_view format, const TextOptions& options) {
  if (format == "json") return as_json();
  if (format == "csv") return csv_table(workload_table(Language::kEnglish));
  if (format == "md") return as_markdown(options.language);
  if (format == "html") return as_html(options.language);
  return as_text(options);
}

}  // namespace ridge::render
