// The head of a report: how much time, where it goes, what to look at first.
#pragma once

#include "ridgepoint/analysis/report.h"

namespace ridge {

/// Time beyond what the binding resource needs at its ceiling, over all launches; missing without a fraction.
[[nodiscard]] Value<Seconds> time_gap_to_roof(const ReportKernel& kernel);

/// `kernels` with their ids, shares and findings: all of a recording.
[[nodiscard]] ReportSummary summarise(const std::vector<ReportKernel>& kernels);

}  // namespace ridge
