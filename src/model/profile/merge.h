// Several recordings as one Profile: tables are joined, equal kernels, configurations and counter names become one, and
// every launch keeps its own source and device.
//
// Nothing is matched between recordings: the same run read from two files counts twice, each under its source.
#pragma once

#include "ridgepoint/model/profile.h"

namespace ridge {

/// Adds everything of `other` to `profile`. Indices of `profile` stay valid.
void merge(Profile& profile, Profile other);

}  // namespace ridge
