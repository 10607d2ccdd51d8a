// The words of performance work in plain language, English and Chinese, each with an example that has numbers: what
// `ridge explain TERM` answers. Every verdict, finding, provenance and limiter that a report can show has an entry.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/terminal/text.h"
#include "render/text/messages.h"

namespace ridge::render {

struct GlossaryText {
  std::string_view title, meaning, example;
};

struct GlossaryEntry {
  std::string_view id;       ///< lower case with hyphens: "arithmetic-intensity"
  std::string_view aliases;  ///< other spellings, separated by ", "
  GlossaryText english, chinese;
  std::string_view see;  ///< ids of related entries, separated by ", "

  [[nodiscard]] const GlossaryText& in(Language language) const {
    return language == Language::kChinese ? chinese : english;
  }
};

/// Sorted by id.
[[nodiscard]] const std::vector<GlossaryEntry>& glossary();
/// By id, title or alias in either language; case, blanks, '-' and '_' do not count. nullptr if there is none.
[[nodiscard]] const GlossaryEntry* find_term(std::string_view text);
/// Every id and alias, for near misses.
[[nodiscard]] std::vector<std::string> term_names();

[[nodiscard]] std::string term_text(const GlossaryEntry& entry, const TextOptions& options);
[[nodiscard]] std::string term_markdown(const GlossaryEntry& entry, Language language);
[[nodiscard]] std::string term_html(const GlossaryEntry& entry, Language language);
/// {"schema": "ridge.explain/1", "term": {...}} with both languages.
[[nodiscard]] std::string term_json(const GlossaryEntry& entry);
[[nodiscard]] std::string term_csv(const GlossaryEntry& entry);
/// All entries as one page, for docs/reference.
[[nodiscard]] std::string glossary_markdown(Language language);

}  // namespace ridge::render
