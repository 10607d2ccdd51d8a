// A source page given beside another page of the same run: its lines and counts go to the launches they belong to.
#pragma once

#include <vector>

#include "ridgepoint/model/profile.h"

namespace ridge {

/// True for a profile that a source page alone made.
[[nodiscard]] bool is_source_page(const Profile& profile);

/// Adds the source page's hot lines and raw counters to the launches of the same kernels, in order of appearance, and
/// fills work that `report` lacks (FLOP counted by opcode). False, and nothing is changed, when not every kernel of the
/// page has a launch in `report`.
[[nodiscard]] bool join_source_page(Profile& report, const Profile& page);

}  // namespace ridge
