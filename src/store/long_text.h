// Long texts of a plain column, packed: names of kernels of C++ libraries are thousands of bytes that repeat
// themselves.
//
// Up to 512 bytes a text is stored as a text, for any SQLite client to read. A longer one is a blob, if that is
// shorter: its length in 4 bytes, lowest first, then zlib data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::store {

/// What a name may be at most, packed or not.
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;

/// None: it is stored as it is.
[[nodiscard]] std::optional<std::string> pack_text(const std::string& text);
/// None: the bytes are not what pack_text() makes.
[[nodiscard]] std::optional<std::string> unpack_text(std::string_view packed);

}  // namespace ridge::store
