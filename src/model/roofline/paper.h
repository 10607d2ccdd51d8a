// The roofline on paper: work and traffic from formulas against one compute peak and one bandwidth.
//
// Two least times, of which the longer one binds: compute = FLOP / peak, data = bytes / bandwidth. The same in the
// terms of the roofline: intensity = FLOP / bytes, ridge = peak / bandwidth, attainable = min(peak, intensity x
// bandwidth); left of the ridge memory binds. Source: Williams, Waterman, Patterson, CACM 52(4), 2009.
// Not modelled: latency, launch time, caches (the bytes are what the caller counted), imperfect overlap.
#pragma once

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"

namespace ridge {

struct PaperRoof {
  FlopsPerSecond peak;
  BytesPerSecond bandwidth;
};

struct PaperPoint {
  FlopsPerByte intensity;
  FlopsPerByte ridge;
  Seconds compute_time;
  Seconds data_time;
  FlopsPerSecond attainable;
  bool memory_bound = true;  ///< left of the ridge; a point on it counts as compute-bound
  Value<double> ratio;       ///< longer time / shorter time; missing when there is no arithmetic
};

/// Precondition: bytes, peak and bandwidth are above 0.
[[nodiscard]] PaperPoint place_on_paper(Flops flops, Bytes bytes, const PaperRoof& roof);

/// A stopwatch result under the same roof. Fractions may be above 1: the point then lies above the roof.
struct PaperMeasurement {
  Seconds time;
  FlopsPerSecond speed;      ///< FLOP on paper / time
  BytesPerSecond bandwidth;  ///< bytes on paper / time
  double of_peak = 0;
  double of_bandwidth = 0;
  double of_roof = 0;            ///< least time / time, which is speed / attainable where there is arithmetic
  FlopsPerByte least_intensity;  ///< speed / DRAM bandwidth: with less, DRAM could not have fed this speed
};

/// Precondition: time is above 0.
[[nodiscard]] PaperMeasurement measure_on_paper(Flops flops, Bytes bytes, const PaperRoof& roof, Seconds time);

/// The compute roof of a mix of instructions: peak x FLOP / (2 x instructions), as the peak is that of fused
/// multiply-adds, 2 FLOP each. Half of the peak for additions alone.
[[nodiscard]] FlopsPerSecond mix_aware_peak(FlopsPerSecond peak, Flops flops, double instructions);

}  // namespace ridge
