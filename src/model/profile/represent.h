// Counters of representatives: a live recording measures one or a few launches of each kernel and shape, and the other
// launches of that shape take their measurement from there. The file stores only what was measured; this fills in the
// rest when it was read.
//
// A shape is what the recording measured once: device (so source as well), kernel, grid, block and dynamic shared
// memory; registers and the like follow from the kernel. A launch's own counters stay kMeasured. Values that come from
// other launches of the shape are kSampled: a representative Measurement, shared by all launches that have none of
// their own, and in a launch's own Measurement the values that its set of counters lacks. So where some launches were
// measured with the base counters and others with the tensor counters, each ends up with both, FLOP converted from
// the union of the raw counters.
//
// Clocks: a representative's are not those of the launches it stands for, whose clock may have sunk under load. Roofs
// at the measured clock need the SM clock that held, so it is the mean, by duration, of the readings nearest to those
// launches, where there are readings within kReadingReach; else the representative's own. L2 and DRAM clocks and the
// chip's peaks per clock are the representative's. All are kSampled.
//
// Durations: each launch keeps its own. A replayed launch has none (its activity record has no times), and its counters
// do: gpu__time_duration becomes its duration here, so that the file keeps saying what each source said.
//
// Left out: recordings of other tools (no Recording names their source), where a launch without counters is one the
// tool failed on; amounts from samples (Launch::sampled), which stand beside the measurement and are better evidence.
#pragma once

#include "ridgepoint/model/profile.h"

namespace ridge {

/// A reading further from a launch than this says nothing about its clock.
inline constexpr Seconds kReadingReach{1.0};

/// Fills the launches of every live recording in place and sets Recording::measured and represented by counting them.
/// Does nothing that a second call would do again.
void represent(Profile& profile);

/// True where there are values and every one comes from other launches: a measurement that represent() made.
[[nodiscard]] bool is_representative(const Measurement& measurement);

}  // namespace ridge
