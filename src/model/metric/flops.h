// Floating-point work of one launch, from instruction counters of the ordinary cores and operation counters of the
// tensor cores. The rules and their reasons are in docs/design/flop-counting.md.
#pragma once

#include "model/metric/counters.h"
#include "ridgepoint/model/work.h"

namespace ridge {

/// Fills flops, compute and the fp*_add|mul|fma thread instructions.
void count_flops(const Counters& counters, const LaunchFacts& facts, Work& work);

}  // namespace ridge
