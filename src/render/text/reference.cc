#include "render/text/reference.h"

#include <fmt/format.h>

#include "render/table.h"
#include "render/text/catalogue/catalogue.h"

namespace ridge::render {
namespace {

constexpr std::string_view kWritten =
    "Written from the message catalogue (`src/render/text/catalogue`); the suite fails when this page differs from "
    "it.\n";

std::string english_of(std::string_view id) {
  const CatalogueEntry* entry = find_entry(id);
  return entry ? std::string(entry->english) : std::string();
}

/// Entries whose id is `prefix` and one more part.
void add_rows(Table& table, std::span<const CatalogueEntry> entries, std::string_view prefix, std::string_view beside) {
  for (const CatalogueEntry& entry : entries) {
    if (!entry.id.starts_with(prefix)) continue;
    const std::string_view name = entry.id.substr(prefix.size());
    if (name.find('.') != std::string_view::npos) continue;
    std::vector<std::string> row = {std::string(name), std::string(entry.english)};
    if (!beside.empty()) row.push_back(english_of(fmt::format("{}{}", entry.id, beside)));
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

std::string issues_reference() {
  Table table{{{"id"}, {"what is said"}, {"what to do"}}, {}};
  add_rows(table, issue_entries(), "issue.", ".remedy");
  Table live{{{"id"}, {"what is said"}, {"what to do"}}, {}};
  add_rows(live, profile_issue_entries(), "issue.", ".remedy");
  return fmt::format(
      "# Issues\n\n{}\nWhat can be wrong with the data without stopping the work. Ids are stable: they stand in the "
      "JSON "
      "report\nunder `issues[].id`, the values in braces under `issues[].evidence`.\n\n{}\n## Of live recordings\n\n{}",
      kWritten, markdown_table(table), markdown_table(live));
}

std::string rules_reference() {
  Table rules{{{"rule"}, {"title"}, {"advice"}}, {}};
  add_rows(rules, rule_entries(), "rule.", ".title");
  for (auto& row : rules.rows) std::swap(row[1], row[2]);
  Table verdicts{{{"id"}, {"why a verdict was given"}}, {}};
  add_rows(verdicts, sentence_entries(), "verdict.", "");
  Table stalls{{{"stall"}, {"warps wait for"}}, {}};
  add_rows(stalls, cause_entries(), "stall.", "");
  Table causes{{{"cause"}, {"part of the measured time"}}, {}};
  add_rows(causes, cause_entries(), "cause.", "");
  return fmt::format(
      "# Rules\n\n{}\nWhat a kernel could gain, ordered by the time it could save. Ids are stable: they stand in the "
      "JSON "
      "report\nunder `kernels[].findings[].rule`, the values in braces under `evidence`.\n\n{}\n## Verdicts\n\n{}\n## "
      "Stall "
      "reasons\n\n{}\n## Causes\n\n{}",
      kWritten, markdown_table(rules), markdown_table(verdicts), markdown_table(stalls), markdown_table(causes));
}

}  // namespace ridge::render
