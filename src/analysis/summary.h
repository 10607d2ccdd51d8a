// The head of a report: how much time, where it goes, what to look at first.
#pragma once

#include "ridgepoint/analysis/report.h"

namespace ridge {

/// Time beyond what the binding resource needs at its ceiling, over all launches; missing without a fraction.
[[nodiscard]] Value<Seconds> time_gap_to_roof(const ReportKernel& kernel);

/// Of a report that has everything else: its kernels with ids, shares and findings, and its recordings.
[[nodiscard]] ReportSummary summarise(const Report& report);

}  // namespace ridge
