// What a report says of a live recording as a whole: the evidence it reached, how much of the program it covers, what
// the devices did with the time, and at which clocks.
//
// Everything here is of the whole recording, whichever kernels a report shows. Times that overlap count once (the union
// of intervals, per device), so no share exceeds 1. Not here: single launches, spans and readings.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

/// Least, median and largest of a device's readings while a kernel or copy ran, in the reading's own unit; of all
/// readings where none fell into such a time.
struct Spread {
  Value<double> least, median, most;
};

/// Copies or memsets of one name on one device. Their times are added, not united.
struct CopyTotal {
  std::string name;
  std::size_t count = 0;
  Value<Bytes> bytes;
  Value<Seconds> time;
};

/// One device's part of a recording.
struct DeviceActivity {
  std::int64_t device = 0;  ///< the source's device number
  std::string name;
  std::size_t launches = 0;
  std::size_t unplaced = 0;        ///< launches that have no start, as replayed ones have not; not in the times below
  Value<Seconds> kernels, copies;  ///< while any of them ran
  Value<Seconds> busy;             ///< while a kernel or a copy ran
  Value<Seconds> active;           ///< from the first start to the last end
  Value<Seconds> idle;             ///< of `active`, while nothing ran
  Value<Seconds> longest_gap;
  Value<double> busy_share;  ///< busy / the program's own time: without the replays for counters
  std::vector<CopyTotal> copied;
  std::size_t readings = 0;
  Spread sm_clock, memory_clock, watts, celsius;
  /// Why clocks were held down, with the share of readings that say so, largest first: "power-cap", "hardware-thermal",
  /// ...
  std::vector<std::pair<std::string, double>> throttled;
};

struct ReportRecording {
  Recording recording;
  std::vector<DeviceActivity> devices;  ///< those that were used
  /// Of launches with samples: the mean share of their amounts that neighbours' samples make up, weighted by time.
  Value<double> uncertainty;
  std::size_t uncertain = 0;  ///< launches whose samples were too mixed to be used (analysis/evidence.h)
};

}  // namespace ridge
