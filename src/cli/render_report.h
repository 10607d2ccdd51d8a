// A Report in the format that the command line asks for.
#pragma once

#include <string>

#include "cli/command.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::cli {

/// Whether the format lists each launch (AnalysisOptions::each_launch).
[[nodiscard]] bool lists_launches(const OutputOptions& options, bool detail);

[[nodiscard]] std::string render_report(const Report& report, const OutputOptions& options, bool detail);

}  // namespace ridge::cli
