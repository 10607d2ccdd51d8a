#include "render/machines/document.h"

#include <fmt/format.h>

#include "render/html/style.h"
#include "render/terminal/page.h"
#include "render/text/format.h"

namespace ridge::render {

std::string document_text(const Document& document, const TextOptions& options) {
  Page page(options);
  page.paragraph(document.title, 0, Ink::kBold);
  for (const std::string& text : document.paragraphs) page.paragraph(text);
  for (const Section& section : document.sections) {
    if (!section.title.empty()) page.heading(section.title);
    for (const std::string& text : section.paragraphs) page.paragraph(text);
    if (!section.table.columns.empty()) {
      std::string drawn = text_table(section.table, page.width());
      if (drawn.ends_with('\n')) drawn.pop_back();
      page.finished_line(drawn);
    }
    for (const std::string& text : section.items) page.item("- ", text);
  }
  return page.take();
}

std::string document_markdown(const Document& document) {
  std::string out = fmt::format("# {}\n", escape_markdown(document.title));
  for (const std::string& text : document.paragraphs) out += fmt::format("\n{}\n", escape_markdown(text));
  for (const Section& section : document.sections) {
    if (!section.title.empty()) out += fmt::format("\n## {}\n", escape_markdown(section.title));
    for (const std::string& text : section.paragraphs) out += fmt::format("\n{}\n", escape_markdown(text));
    if (!section.table.columns.empty()) out += "\n" + markdown_table(section.table);
    if (!section.items.empty()) out += "\n";
    for (const std::string& text : section.items) out += fmt::format("- {}\n", escape_markdown(text));
  }
  return out;
}

namespace {

std::string element(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>\n", tag, escape_html(text));
}

std::string section_html(const Section& section) {
  std::string out = "<section>\n";
  if (!section.title.empty()) out += element("h2", section.title);
  for (const std::string& text : section.paragraphs) out += element("p", text);
  if (!section.table.columns.empty()) out += "<div class=\"card scroll\">" + html_table(section.table) + "</div>\n";
  if (!section.items.empty()) {
    out += "<ul>\n";
    for (const std::string& text : section.items) out += element("li", text);
    out += "</ul>\n";
  }
  return out + "</section>\n";
}

}  // namespace

std::string document_html(const Document& document, Language language) {
  std::string body = "<main>\n" + element("h1", document.title);
  for (const std::string& text : document.paragraphs) body += element("p", text);
  for (const Section& section : document.sections) body += section_html(section);
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "{}<style>{}</style>\n</head>\n<body>\n{}</main>\n</body>\n</html>\n",
      language == Language::kChinese ? "zh-CN" : "en", element("title", document.title), html_style(), body);
}

std::string document_as(std::string_view format, const Document& document, const TextOptions& options) {
  if (format == "md") return document_markdown(document);
  if (format == "html") return document_html(document, options.language);
  return document_text(document, options);
}

}  // namespace ridge::render
