// Near misses: which of the known names somebody probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge {

/// The candidate at the least edit distance (insert, delete, replace, swap of neighbours), if that is at most a third
/// of the longer word; else a candidate that begins with `word` (three letters or more); else "".
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ridge
