#include "render/glossary/glossary.h"

#include <algorithm>
#include <span>

#include "render/glossary/entries.h"

namespace ridge::render {
namespace {

/// ASCII letters in lower case, without blanks, '-' and '_'; everything else as it is.
std::string folded(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == ' ' || c == '-' || c == '_') continue;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    result += c;
  }
  return result;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(", "), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 2, text.size()));
  }
  return parts;
}

std::vector<GlossaryEntry> merged() {
  std::vector<GlossaryEntry> all;
  for (const auto part : {roofline_terms(), machine_terms(), evidence_terms(), finding_terms()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(), [](const GlossaryEntry& a, const GlossaryEntry& b) { return a.id < b.id; });
  return all;
}

bool is_called(const GlossaryEntry& entry, const std::string& wanted) {
  if (folded(entry.id) == wanted || folded(entry.english.title) == wanted || folded(entry.chinese.title) == wanted) {
    return true;
  }
  const std::vector<std::string> aliases = split_list(entry.aliases);
  return std::any_of(aliases.begin(), aliases.end(), [&](const std::string& alias) { return folded(alias) == wanted; });
}

}  // namespace

const std::vector<GlossaryEntry>& glossary() {
  static const std::vector<GlossaryEntry> entries = merged();
  return entries;
}

const GlossaryEntry* find_term(std::string_view text) {
  const std::string wanted = folded(text);
  if (wanted.empty()) return nullptr;
  for (const GlossaryEntry& entry : glossary()) {
    if (is_called(entry, wanted)) return &entry;
  }
  return nullptr;
}

std::vector<std::string> term_names() {
  std::vector<std::string> names;
  for (const GlossaryEntry& entry : glossary()) {
    names.emplace_back(entry.id);
    const std::vector<std::string> aliases = split_list(entry.aliases);
    names.insert(names.end(), aliases.begin(), aliases.end());
  }
  return names;
}

}  // namespace ridge::render
