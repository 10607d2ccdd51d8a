// Texts cut at blanks and separators. Parts are views into the text.
#pragma once

#include <string_view>
#include <vector>

namespace ridge {

/// Without blanks and tabs at its ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// The parts between separators that are not empty.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator);

}  // namespace ridge
