// What a live recording says as a whole: coverage, the devices' time, clocks and power.
#pragma once

#include "analysis/uneven.h"
#include "ridgepoint/analysis/recording.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

struct LiveReport {
  std::vector<ReportRecording> recordings;
  std::vector<RunningClock> running_clocks;  ///< of each device, by its place in Profile::devices
};
[[nodiscard]] LiveReport report_recordings(const Profile& profile);

/// The program's own wall time: without what replays for counters took.
[[nodiscard]] Value<Seconds> own_time(const Recording& recording);

}  // namespace ridge
