// The JSON report, schema "ridge.report/1": docs/reference/json.md describes every key. Numbers are SI base units in
// full precision; a value that was not obtained is null and its path stands with the reason under "missing" of the
// nearest object. Sentences are English: programs should read ids.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ridgepoint/analysis/report.h"

namespace ridge::render {

inline constexpr std::string_view kReportSchema = "ridge.report/1";

struct JsonOptions {
  bool detail = false;  ///< adds "launches", "ranges" and "spans"
};

/// Pretty enough to read: one kernel, launch, span or issue a line.
[[nodiscard]] std::string render_json(const Report& report, const JsonOptions& options = {});

/// The same text in pieces: no more than one kernel is held as a document at a time.
void write_json(const Report& report, const JsonOptions& options, const std::function<void(std::string_view)>& sink);

}  // namespace ridge::render
