// Predicts how long a launch takes on a machine: the time each resource needs for the work, and the time that warps
// need with the parallelism there is. The longest bounds the launch; those that come near it add to it (time.md).
#pragma once

#include "emulator/run/kernel_run.h"
#include "emulator/run/latency.h"
#include "emulator/run/work.h"

namespace ridge::emulator {

struct TimeInputs {
  const Machine& machine;
  PipeTotals totals;  ///< of the whole grid, as is all else here
  Waits waits;
  double warps = 0;  ///< launched
  double blocks = 0;
  double blocks_per_sm = 1, warps_per_block = 1;
  double sms_used = 1;  ///< that get a block
  double l1_wavefronts = 0;
  double l1_hits = 0, l2_hits = 0;  ///< shares of loads: of sectors asked from L1, and of those from L2
  double l2_bytes = 0, dram_read = 0, dram_write = 0;
  double partial_stores = 0;   ///< sectors written only in part
  double hottest_atomics = 0;  ///< sectors of atomics that one line of L2 must serve one after the other
};

/// Not available where the machine states no clock.
[[nodiscard]] Result<PredictedTime> predict_time(const TimeInputs& inputs);

}  // namespace ridge::emulator
