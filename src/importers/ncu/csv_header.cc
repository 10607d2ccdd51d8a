#include <algorithm>

#include "importers/ncu/csv_import.h"
#include "importers/ncu/csv_tables.h"

namespace ridge::ncu {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool has(const std::vector<CsvField>& fields, std::string_view title) {
  return std::any_of(fields.begin(), fields.end(), [&](const CsvField& f) { return f.text == title; });
}

HeaderKind kind_of(const std::vector<CsvField>& fields) {
  if (has(fields, "Metric Name") && has(fields, "Metric Value") && has(fields, "ID")) return HeaderKind::kDetails;
  const bool has_place = has(fields, "Address") || has(fields, "#") || has(fields, "Line No") || has(fields, "Line");
  if (has_place && has(fields, "Source") && fields.size() >= 3) return HeaderKind::kSource;
  if (fields.size() >= 2 && fields[0].text == "Kernel Name" && !has(fields, "ID")) return HeaderKind::kSourceKernel;
  if (has(fields, "ID") && has(fields, "Kernel Name") && !has(fields, "Metric Name") && fields.size() > 4) {
    return HeaderKind::kRaw;
  }
  return HeaderKind::kNone;
}

}  // namespace

Header classify_header(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  const bool is_candidate =
      line.find("Kernel Name") != std::string_view::npos || line.find("Source") != std::string_view::npos;
  if (!is_candidate) return {};
  std::vector<CsvField> fields;
  for (const char separator : {',', ';', '\t'}) {
    if (line.find(separator) == std::string_view::npos) continue;
    split_line(line, separator, fields);
    if (const HeaderKind kind = kind_of(fields); kind != HeaderKind::kNone) return {kind, separator};
  }
  return {};
}

bool is_csv_page(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(find_line_end(text), text.size());
    const std::string_view line = text.substr(0, end);
    const HeaderKind kind = classify_header(line).kind;
    if (kind != HeaderKind::kNone) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace ridge::ncu
