// Texts cut at blanks and separators, and for messages. Parts are views into the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge {

/// Without blanks and tabs at its ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// The parts between separators that are not empty.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator);

/// A text for the one line of a message: cut after 60 bytes, and `?` for what is no printable ASCII.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace ridge
