// The time arithmetic needs at its peak, part by part. On ordinary cores an instruction takes one slot of one lane
// whatever it does, so an addition takes as long as a fused multiply-add that counts twice.
#pragma once

#include <vector>

#include "ridgepoint/model/roofline.h"

namespace ridge {

struct ComputeTime {
  ComputeKey key;
  Value<Flops> amount;
  Value<Seconds> time;     ///< missing if amount or peak is
  bool estimated = false;  ///< FLOP at the headline peak, the instruction counts being unknown
};

/// One entry for each part of work.compute.
[[nodiscard]] std::vector<ComputeTime> compute_times(const Work& work, const Machine& machine,
                                                     const Conditions& conditions, RoofBasis basis);

}  // namespace ridge
