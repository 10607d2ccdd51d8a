// Bytes, requests, sectors, wavefronts and conflicts of one launch, at every level.
#pragma once

#include "model/metric/counters.h"
#include "ridgepoint/model/work.h"

namespace ridge {

/// Fills bytes and access.
void count_traffic(const Counters& counters, const LaunchFacts& facts, Work& work);

/// Sectors one L2 slice can look up per cycle, as recorded or known for the chip.
[[nodiscard]] Value<double> l2_sectors_per_cycle(const Counters& counters, const LaunchFacts& facts);

}  // namespace ridge
