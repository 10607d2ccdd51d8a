#include "model/roofline/paper.h"

#include <algorithm>

namespace ridge {

PaperPoint place_on_paper(Flops flops, Bytes bytes, const PaperRoof& roof) {
  PaperPoint point;
  point.intensity = flops / bytes;
  point.ridge = roof.peak / roof.bandwidth;
  point.compute_time = flops / roof.peak;
  point.data_time = bytes / roof.bandwidth;
  point.attainable = std::min(roof.peak, point.intensity * roof.bandwidth);
  point.memory_bound = point.intensity < point.ridge;
  const auto [shorter, longer] = std::minmax(point.compute_time, point.data_time);
  point.ratio = shorter > Seconds(0) ? Value<double>(longer / shorter, Provenance::kDeclared)
                                     : Value<double>::missing("there is no arithmetic");
  return point;
}

PaperMeasurement measure_on_paper(Flops flops, Bytes bytes, const PaperRoof& roof, Seconds time) {
  const PaperPoint point = place_on_paper(flops, bytes, roof);
  PaperMeasurement measured;
  measured.time = time;
  measured.speed = flops / time;
  measured.bandwidth = bytes / time;
  measured.of_peak = measured.speed / roof.peak;
  measured.of_bandwidth = measured.bandwidth / roof.bandwidth;
  measured.of_roof = std::max(point.compute_time, point.data_time) / time;
  measured.least_intensity = measured.speed / roof.bandwidth;
  return measured;
}

FlopsPerSecond mix_aware_peak(FlopsPerSecond peak, Flops flops, double instructions) {
  if (instructions <= 0) return peak;
  return std::min(peak, peak * (flops.count() / (2 * instructions)));
}

}  // namespace ridge
