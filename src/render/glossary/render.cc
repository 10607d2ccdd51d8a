#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "render/explain/explain.h"
#include "render/glossary/glossary.h"
#include "render/html/style.h"
#include "render/table.h"
#include "render/terminal/page.h"
#include "render/text/format.h"

namespace ridge::render {

namespace {

/// Without the blank that separates it on a terminal.
std::string label(std::string_view id, Language language) {
  std::string text = text_of(id, language);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

std::string term_text(const GlossaryEntry& entry, const TextOptions& options) {
  const GlossaryText& words = entry.in(options.language);
  Page page(options);
  page.paragraph(words.title, 0, Ink::kBold);
  page.paragraph(words.meaning, 2);
  page.blank();
  page.item(text_of("explain.label.example", options.language), words.example, 2);
  page.blank();
  page.item(text_of("explain.label.see", options.language), entry.see, 2);
  return page.take();
}

namespace {

std::string as_markdown(const GlossaryEntry& entry, Language language, std::string_view heading) {
  const GlossaryText& words = entry.in(language);
  return fmt::format("{} {}\n\n{}\n\n*{}* {}\n\n*{}* {}\n", heading, escape_markdown(words.title),
                     escape_markdown(words.meaning), label("explain.label.example", language),
                     escape_markdown(words.example), label("explain.label.see", language), escape_markdown(entry.see));
}

}  // namespace

std::string term_markdown(const GlossaryEntry& entry, Language language) {
  return as_markdown(entry, language, "#");
}

std::string term_html(const GlossaryEntry& entry, Language language) {
  const GlossaryText& words = entry.in(language);
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>{}</h1>\n<p>{}</p>\n<p><em>{}</em> {}</p>\n<p><em>{}</em> {}</p>\n</main>\n</body>\n</html>\n",
      language == Language::kChinese ? "zh-CN" : "en", escape_html(words.title), html_style(), escape_html(words.title),
      escape_html(words.meaning), label("explain.label.example", language), escape_html(words.example),
      label("explain.label.see", language), escape_html(entry.see));
}

std::string term_json(const GlossaryEntry& entry) {
  using Json = nlohmann::ordered_json;
  const auto words = [](const GlossaryText& text) {
    return Json{{"title", text.title}, {"meaning", text.meaning}, {"example", text.example}};
  };
  const Json root{
      {"schema", kExplainSchema},
      {"term", {{"id", entry.id}, {"en", words(entry.english)}, {"zh", words(entry.chinese)}, {"see", entry.see}}}};
  return root.dump(2) + "\n";
}

std::string term_csv(const GlossaryEntry& entry) {
  Table table;
  table.columns = {{"id"}, {"language"}, {"title"}, {"meaning"}, {"example"}};
  for (const auto& [language, words] : {std::pair("en", entry.english), std::pair("zh", entry.chinese)}) {
    table.rows.push_back({std::string(entry.id), language, std::string(words.title), std::string(words.meaning),
                          std::string(words.example)});
  }
  return csv_table(table);
}

std::string glossary_markdown(Language language) {
  std::string out;
  for (const GlossaryEntry& entry : glossary()) out += (out.empty() ? "" : "\n") + as_markdown(entry, language, "###");
  return out;
}

}  // namespace ridge::render
