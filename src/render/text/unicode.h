// UTF-8, one code point at a time, as far as showing text in columns needs it.
//
// Not modelled: grapheme clusters (a flag of two regional letters counts four columns), normalisation, right-to-left
// layout. Widths follow Unicode's East Asian Width (UAX #11), ambiguous characters count one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge::render {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;  ///< how many bytes were read, at least 1
  bool valid = false;     ///< false: one byte that is not UTF-8 (overlong forms and surrogates included)
};

/// The code point at the start of `text`. Precondition: not empty.
[[nodiscard]] CodePoint decode(std::string_view text);

/// 0 for combining and zero-width characters, 2 for East Asian wide and emoji, 1 for the rest.
[[nodiscard]] int column_width(char32_t code);

/// Must not reach a reader as it is: C0 and C1 controls, bidirectional controls, invisible format characters, line and
/// paragraph separators, noncharacters.
[[nodiscard]] bool is_hidden(char32_t code);

/// Only ASCII of the same width: box lines, dashes, dots and arrows get their nearest sign, anything else `?`.
[[nodiscard]] std::string ascii_only(std::string_view text);

}  // namespace ridge::render
