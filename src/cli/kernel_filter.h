// Showing a part of a report's kernels. What refers to kernels that are not shown goes with them, and the summary
// speaks of those shown; shares of the time and the time of all kernels stay those of the whole recording.
#pragma once

#include <string>

#include "ridgepoint/analysis/report.h"
#include "ridgepoint/base/result.h"

namespace ridge::cli {

/// An error if it is no POSIX extended regular expression.
[[nodiscard]] Result<void> check_expression(const std::string& expression);
/// Keeps kernels whose full name a POSIX extended regular expression finds a match in. An expression that is none, or
/// that matches nothing, is an error.
[[nodiscard]] Result<void> keep_matching(Report& report, const std::string& expression);
void keep_first(Report& report, std::size_t count);

}  // namespace ridge::cli
