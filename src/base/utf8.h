// UTF-8: names in reports are data and may hold any byte; inside the program every text is valid UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge {

/// Shortest forms only, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_valid_utf8(std::string_view text);

/// Each byte that cannot be part of a character becomes U+FFFD.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

/// ASCII letters in lower case; every other byte as it is, whatever the locale.
[[nodiscard]] std::string to_lower_ascii(std::string_view text);

void append_utf8(std::uint32_t code_point, std::string& out);

/// UTF-16 to UTF-8, in pieces of any size. The byte-order mark is dropped; half a pair becomes U+FFFD. An empty piece
/// ends the text.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(bool big_endian) : big_endian_(big_endian) {}
  void append(std::string_view bytes, std::string& out);

 private:
  void unit(std::uint32_t value, std::string& out);

  bool big_endian_;
  bool has_half_ = false;
  bool at_start_ = true;
  unsigned char half_ = 0;
  std::uint32_t high_ = 0;  ///< a pending high surrogate, or 0
};

}  // namespace ridge
