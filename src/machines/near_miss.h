// The known name that a mistyped one most likely meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::machines {

/// The nearest names by edit distance, then those that contain `text`; at most `most` of them, best first. Case, '-',
/// '_' and blanks do not count.
[[nodiscard]] std::vector<std::string> near_misses(std::string_view text, const std::vector<std::string>& names,
                                                   std::size_t most);

/// " or "-joined and quoted: `did you mean "a", "b" or "c"?`; empty for no candidates.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& candidates);

}  // namespace ridge::machines
