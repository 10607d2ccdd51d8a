#include "model/roofline/compute_time.h"

#include <algorithm>

namespace ridge {
namespace {

/// Thread instructions of one core type, and the FLOP that its full-rate instruction (a fused multiply-add, for halves
/// of a packed pair) counts.
struct Slots {
  Value<double> instructions;
  double flops_per_slot = 2;
};

Slots slots(const InstructionWork& work, DataType type) {
  switch (type) {
    case DataType::kFp64:
      return {work.fp64_add + work.fp64_mul + work.fp64_fma, 2};
    case DataType::kFp32:
      return {work.fp32_add + work.fp32_mul + work.fp32_fma, 2};
    case DataType::kFp16:
      return {work.fp16_add + work.fp16_mul + work.fp16_fma, 4};
    default:
      return {};
  }
}

ComputeTime time_of(const ComputeWork& part, const InstructionWork& instructions, const Value<FlopsPerSecond>& peak) {
  ComputeTime result{part.key, part.amount, part.amount / peak, false};
  if (!result.time || part.key.unit != ComputeUnit::kCore) return result;
  const Slots taken = slots(instructions, part.key.type);
  if (!taken.instructions) {
    result.estimated = true;
    return result;
  }
  const Seconds by_slots = Flops(*taken.instructions * taken.flops_per_slot) / *peak;
  // Packed singles are in the FLOP but not in these instructions; the larger of the two bounds holds.
  result.time = Value<Seconds>(std::max(by_slots, *result.time), result.time.provenance());
  return result;
}

}  // namespace

std::vector<ComputeTime> compute_times(const Work& work, const Machine& machine, const Conditions& conditions,
                                       RoofBasis basis) {
  std::vector<ComputeTime> times;
  times.reserve(work.compute.size());
  for (const ComputeWork& part : work.compute) {
    times.push_back(time_of(part, work.instructions, compute_roof(machine, part.key, conditions, basis)));
  }
  return times;
}

}  // namespace ridge
