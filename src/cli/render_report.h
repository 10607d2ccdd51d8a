// A Report in the format that the command line asks for.
#pragma once

#include <string>

#include "cli/command.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::cli {

[[nodiscard]] std::string render_report(const Report& report, const OutputOptions& options, bool detail);

}  // namespace ridge::cli
