// The words of PTX text, and where they stand.
//
// A token is a view into the source, which the caller keeps. Numbers carry their value; everything else is its text.
// Comments and blanks separate tokens and are dropped. Not modelled: preprocessor lines (`#` to the end of the line is
// a comment, as ptxas treats what a preprocessor leaves).
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::ptx {

/// Both from 1; columns count bytes.
struct Position {
  std::uint32_t line = 1, column = 1;
  friend bool operator==(const Position&, const Position&) = default;
};

enum class TokenKind : std::uint8_t {
  kEnd,
  kName,         ///< an identifier: letters, digits, _ $, or % first: "add", "%r12", "$L__BB0_2"
  kDotted,       ///< a dot and what follows: ".global", ".L2::128B", ".2d"
  kInteger,      ///< 12, 0x1F, 017, 0b11, each also with U
  kFloat32,      ///< 0f and eight hexadecimal digits
  kFloat64,      ///< 0d and sixteen, or decimal with a point or an exponent
  kString,       ///< without its quotes
  kPunctuation,  ///< one or two characters
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  Position at;
  std::uint64_t bits = 0;    ///< of numbers: the value, or the bits of the float
  bool is_unsigned = false;  ///< an integer with U, or one that does not fit 63 bits
  bool spaced = true;        ///< blank or comment before it
};

}  // namespace ridge::ptx
