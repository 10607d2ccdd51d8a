// Runs as a Profile, so that they are analysed and reported like any recording: measured times, declared work.
#pragma once

#include <string>
#include <vector>

#include "lab/run/run.h"
#include "ridgepoint/model/profile.h"

namespace ridge::lab {

/// Machines are not resolved yet. Runs that were not timed are left out. `taken` is ISO 8601 UTC.
[[nodiscard]] Profile make_profile(const device::Identity& gpu, const std::vector<Run>& runs, const std::string& taken);

}  // namespace ridge::lab
