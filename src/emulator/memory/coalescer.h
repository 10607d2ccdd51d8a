// A global request of one warp as L1 takes it: the 128-byte lines it touches, and in each the 32-byte sectors.
//
// Aligned lanes touch at most 32 lines; lanes that straddle two (a fault on hardware) are split, so 64 is the bound.
// The order of lines is that of the lanes that first meet them (ascending or descending where the addresses are).
// Nothing is allocated.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/memory/request.h"

namespace ridge::emulator {

inline constexpr unsigned kMaxLines = 2 * kLanes;

/// What a request touches of one line. Without initial values: a request has 64 of them and uses few.
struct LineAccess {
  std::uint64_t line;    ///< address / 128
  std::uint32_t words;   ///< one bit for each 4-byte word that is touched
  std::uint32_t whole;   ///< the words of which every byte is
  std::uint8_t sectors;  ///< one bit for each sector that is touched
};

struct Coalesced {
  std::uint32_t lines = 0;       ///< used entries of `line`, which is not cleared beyond them
  std::uint32_t sectors = 0;     ///< sum over the lines
  std::uint32_t lane_words = 0;  ///< words that active lanes ask for, each lane apart
  LineAccess line[kMaxLines];    // NOLINT(modernize-avoid-c-arrays): left uninitialised, this is hot
  Coalesced() {}                 // NOLINT(modernize-use-equals-default): no clearing
};

void coalesce(const WarpAccess& access, Coalesced& out);

/// Sectors that an atomic or a reduction costs: those it touches, and one for each lane that meets another in its word
/// (22.6 a request of 32 lanes among 256 counters, as recorded; 22.3 by this rule; 20.4 sectors are touched).
[[nodiscard]] std::uint32_t atomic_sectors(const Coalesced& request);

/// Wavefronts in the data stage of L1, by the rules of src/lab/declare/wavefronts.md: loads one a line, two lines whose
/// banks differ share one; stores one a line and one more; atomics one for four sectors and one more; asynchronous
/// copies one a line where a lane brings less than 16 bytes, else none.
[[nodiscard]] std::uint32_t data_wavefronts(const Coalesced& request, const WarpAccess& access);

/// Set bits of a sector mask; std::popcount is a call where the instruction may not be used.
[[nodiscard]] constexpr std::uint32_t count_sectors(std::uint8_t sectors) {
  return static_cast<std::uint32_t>(0x4332322132212110ULL >> (4 * sectors) & 0xF);
}

/// The sectors (4 bits) that a mask of 32 words touches, and those it covers.
[[nodiscard]] constexpr std::uint8_t sectors_touched(std::uint32_t words) {
  words |= words >> 4;
  words |= words >> 2;
  words |= words >> 1;
  return static_cast<std::uint8_t>(((words & 0x01010101U) * 0x01020408U) >> 24 & 0xFU);
}
[[nodiscard]] constexpr std::uint8_t sectors_covered(std::uint32_t words) {
  return static_cast<std::uint8_t>(~sectors_touched(~words) & 0xFU);
}

}  // namespace ridge::emulator
