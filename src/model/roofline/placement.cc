// The classical view: intensity against peak and bandwidth.
#include <algorithm>

#include "model/roofline/compute_time.h"
#include "ridgepoint/model/roofline.h"

namespace ridge {
namespace {

/// FLOP over the sum of the time each part needs at its own peak: the harmonic mean of the peaks. Conservative where
/// two units can run side by side (tensor and ordinary cores); the time view and the verdict treat them apart.
Value<FlopsPerSecond> mix_aware_peak(const Work& work, const std::vector<ComputeTime>& times) {
  if (!work.flops) return Value<FlopsPerSecond>::missing(work.flops.reason());
  Value<Seconds> sum(Seconds(0), Provenance::kMeasured);
  Flops flops{0};
  for (const ComputeTime& part : times) {
    if (!is_floating_point(part.key.type) || !part.amount) continue;
    sum = sum + part.time;
    flops += *part.amount;
  }
  if (!sum) return Value<FlopsPerSecond>::missing(sum.reason());
  if (*sum == Seconds(0)) return Value<FlopsPerSecond>::missing("no floating-point work");
  return Value<FlopsPerSecond>(flops / *sum, sum.provenance());
}

const ComputeTime* longest(const std::vector<ComputeTime>& times, bool floating) {
  const ComputeTime* most = nullptr;
  for (const ComputeTime& part : times) {
    if (is_floating_point(part.key.type) != floating || !part.time) continue;
    if (most == nullptr || *part.time > *most->time) most = &part;
  }
  return most;
}

std::optional<ComputeKey> dominant_precision(const Work& work, const std::vector<ComputeTime>& times) {
  const ComputeTime* most = longest(times, true);
  if (most == nullptr) most = longest(times, false);
  if (most != nullptr) return most->key;
  // No floating-point work at all: the left end of the fp32 roof.
  if (work.flops && *work.flops == Flops(0)) return core(DataType::kFp32);
  return std::nullopt;
}

Side side_of(const Value<FlopsPerByte>& intensity, const Value<FlopsPerByte>& ridge) {
  if (!intensity || !ridge) return Side::kUnknown;
  return *intensity < *ridge ? Side::kLeft : Side::kRight;
}

Value<FlopsPerSecond> lower(const Value<FlopsPerSecond>& a, const Value<FlopsPerSecond>& b) {
  return combine(a, b, [](FlopsPerSecond x, FlopsPerSecond y) { return std::min(x, y); });
}

}  // namespace

std::string_view name(Side side) {
  switch (side) {
    case Side::kLeft:
      return "left";
    case Side::kRight:
      return "right";
    case Side::kUnknown:
      return "unknown";
  }
  return "unknown";
}

Placement place(const Work& work, const Machine& machine, const Conditions& conditions, RoofBasis basis) {
  const std::vector<ComputeTime> times = compute_times(work, machine, conditions, basis);
  const Value<BytesPerSecond> dram = memory_roof(machine, Level::kDram, conditions, basis);
  Placement result;
  result.intensity_dram = work.flops / work.bytes.dram;
  result.intensity_l2 = work.flops / work.bytes.l2;
  result.intensity_l1 = work.flops / work.bytes.l1;
  result.intensity_shared = work.flops / work.bytes.shared;
  result.precision = dominant_precision(work, times);
  result.peak = mix_aware_peak(work, times);
  result.attainable = lower(result.peak, result.intensity_dram * dram);
  if (result.precision) {
    result.ridge = compute_roof(machine, *result.precision, conditions, basis) / dram;
    if (!is_floating_point(result.precision->type)) {
      // Integer operations are no FLOP, so the intensity stays 0; the side is that of the operations.
      result.side_intensity = longest(times, false)->amount / work.bytes.dram;
      result.side = side_of(result.side_intensity, result.ridge);
      return result;
    }
    // Work without any DRAM traffic is infinitely far right, whatever the ridge.
    if (!result.intensity_dram && work.flops && work.bytes.dram && *work.flops > Flops(0)) {
      result.attainable = result.peak;
      result.side_intensity = result.intensity_dram;
      result.side = Side::kRight;
      return result;
    }
  }
  result.side_intensity = result.intensity_dram;
  result.side = side_of(result.side_intensity, result.ridge);
  return result;
}

}  // namespace ridge
