// Runs as a Profile, so that they are analysed and reported like any recording: measured times, declared work; of runs
// that were emulated predicted times, counted work.
#pragma once

#include <string>
#include <vector>

#include "lab/run/run.h"
#include "ridgepoint/model/profile.h"

namespace ridge::lab {

/// Machines are not resolved yet. Runs without a time are left out. `taken` is ISO 8601 UTC.
[[nodiscard]] Profile make_profile(const device::Identity& gpu, const std::vector<Run>& runs, const std::string& taken);

}  // namespace ridge::lab
