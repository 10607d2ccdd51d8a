// What files of the same run say together: a source page's lines and counts go to the launches they belong to, and a
// kernel that pages spell differently gets one name.
#pragma once

#include <vector>

#include "ridgepoint/model/profile.h"

namespace ridge {

/// True for a profile that a source page alone made.
[[nodiscard]] bool is_source_page(const Profile& profile);

/// Adds the source page's hot lines and raw counters to the launches of the same kernels, in order of appearance, and
/// fills work that `report` lacks (FLOP counted by opcode); its file becomes a further source of `report`. False, and
/// nothing is changed, when not every kernel of the page has a launch in `report`.
[[nodiscard]] bool join_source_page(Profile& report, const Profile& page);

/// Profiles of several files, in the order of the command line. Each source page whose kernels all have launches in
/// another file is joined to that one, to the nearest before it or else to the first behind it, and leaves the list;
/// recordings of several runs are left alone. Then a kernel is spelled as in the first file that has it, where
/// spellings differ only by spaces and the casts of "gemm<(int)32>", so that later stages know it for the same.
void join_files(std::vector<Profile>& profiles);

}  // namespace ridge
