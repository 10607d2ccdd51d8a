// Sizes and addresses at whole multiples.
#pragma once

#include <cstdint>

namespace ridge::emulator {

/// The least multiple of `multiple` that is no less than `value`.
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace ridge::emulator
