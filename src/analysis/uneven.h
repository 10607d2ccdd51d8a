// Launches of one kernel and shape of which only some were measured: whether the others show that the counters of those
// do not speak for them. A kernel whose loops depend on its data, or on an argument, does other work in each launch.
//
// What shows it, the surest first:
// * warp instructions of the launches that were measured: the most is kOtherInstructions times the least or more
// * DRAM traffic of the others, by their own samples: for a tenth of their time or more it is further from that of the
//   measured launch than samples can be wrong
// * durations of the others: they spread, or are far from that of the measured launch, by more than clocks explain
//
// Traffic that differs alone (from launch to launch it is the same, and so are the times) shows that the replayed
// launch found other data in the caches, not that it did other work. Not here: what the numbers of such launches become
// (evidence.h: each keeps its own samples).
#pragma once

#include <optional>
#include <string>

#include "analysis/aggregate.h"

namespace ridge {

struct UnevenWork {
  std::string quantity;  ///< "instructions", "traffic", "duration"
  Unit unit = Unit::kNone;
  double least = 0, most = 0;  ///< of nine tenths of the launches
  double measured = 0;         ///< of the launch whose counters stand for them
  std::size_t launches = 0;    ///< that they stand for
  bool caches = false;         ///< the work is the same, the caches were not
};

/// How a device's SM clock was while it ran.
struct RunningClock {
  Value<Hertz> median;
  double spread = 1;  ///< the most over the least, of nine tenths of the readings
};

/// `launches` are of a live recording. nullopt too where none stands for another.
[[nodiscard]] std::optional<UnevenWork> uneven_work(const Profile& profile, const LaunchIndices& launches,
                                                    const RunningClock& clock);

}  // namespace ridge
