// How one number becomes bytes: variable-length integers (7 bits a byte, low first), and doubles in the shortest of
// four forms that gives back the same bits.
#pragma once

#include <cstdint>

namespace ridge::store {

/// Small numbers of either sign become small unsigned ones: 0, -1, 1, -2 ... are 0, 1, 2, 3.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

enum class DoubleForm : unsigned char {
  kBits,              ///< the 8 bytes themselves
  kInteger,           ///< a whole number below 2^53
  kNanosecondsTimes,  ///< whole number x 1e-9, as one tool computes seconds
  kNanosecondsOver,   ///< whole number / 1e9, as another does; the two differ in the last bit
};

struct PackedDouble {
  DoubleForm form = DoubleForm::kBits;
  std::int64_t whole = 0;  ///< unused for kBits
};

/// The shortest form that unpacks to the same bits; -0.0, infinities and NaN stay kBits.
[[nodiscard]] PackedDouble pack(double value);
[[nodiscard]] double unpack(DoubleForm form, std::int64_t whole);

}  // namespace ridge::store
