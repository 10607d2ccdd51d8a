// --roof: what the roofs of a report are. What every command that makes a report shares.
#pragma once

#include "cli/command.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge::cli {

[[nodiscard]] const Flag& roof_flag();
[[nodiscard]] AnalysisOptions analysis_options(const Arguments& arguments);

}  // namespace ridge::cli
