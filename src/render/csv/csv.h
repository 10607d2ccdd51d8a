// The report as CSV: one row a kernel, or with `detail` one row a launch. The header names carry the SI unit
// (duration_s, dram_bytes); numbers are in full precision. A value that was not obtained is an empty cell, and the last
// column, "missing", lists what is empty with the reasons ("l1_bytes: the counter was not collected; ...").
#pragma once

#include <string>

#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct CsvOptions {
  bool detail = false;  ///< one row a launch
};

[[nodiscard]] std::string render_csv(const Report& report, const CsvOptions& options = {});

}  // namespace ridge::render
