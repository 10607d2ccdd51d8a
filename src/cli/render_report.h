// A Report in the format that the command line asks for.
#pragma once

#include <string>

#include "cli/command.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::cli {

/// Whether the format lists each launch (AnalysisOptions::each_launch).
[[nodiscard]] bool lists_launches(const OutputOptions& options, bool detail);

/// `all_with` is what shows what is left out without detail.
[[nodiscard]] std::string render_report(const Report& report, const OutputOptions& options, bool detail,
                                        const std::string& all_with = "--detail");

}  // namespace ridge::cli
