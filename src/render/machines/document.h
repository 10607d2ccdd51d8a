// A result as a title, sections of sentences and tables: the same content as terminal text, Markdown or an HTML page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/table.h"
#include "render/terminal/text.h"

namespace ridge::render {

struct Section {
  std::string title;                    ///< empty: no heading
  std::vector<std::string> paragraphs;  ///< before the table
  Table table;                          ///< no columns: no table
  std::vector<std::string> items;       ///< a list after the table
};

struct Document {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<Section> sections;
};

[[nodiscard]] std::string document_text(const Document& document, const TextOptions& options);
[[nodiscard]] std::string document_markdown(const Document& document);
/// A page of its own: no script, nothing loaded from anywhere.
[[nodiscard]] std::string document_html(const Document& document, Language language);
/// "md" and "html"; anything else is text.
[[nodiscard]] std::string document_as(std::string_view format, const Document& document, const TextOptions& options);

}  // namespace ridge::render
