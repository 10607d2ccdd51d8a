// Findings: what costs this kernel time, and what to do about it. Each rule is one function over a kernel's report.
//
// A rule says how much time its cause explains: it removes the waste from the time view and sees how far the binding
// resource's least time falls before another resource binds, or how much of the time above the roof its cause can
// account for. Findings are ordered by that saving; a threshold alone never makes one.
// Not modelled: savings of two findings overlap (removing one may remove the other) and must not be added.
#pragma once

#include <vector>

#include "ridgepoint/analysis/report.h"

namespace ridge {

/// Largest saving first; findings without a known saving last.
[[nodiscard]] std::vector<Finding> findings_of(const ReportKernel& kernel, const Machine& machine);

}  // namespace ridge
