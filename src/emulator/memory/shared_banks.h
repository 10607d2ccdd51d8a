// What a request to shared memory costs: 32 banks of 4 bytes, one wavefront a clock.
//
// By the rules of src/lab/declare/wavefronts.md: 4 bytes a lane (or less) take the largest number of different words
// that fall into one bank. Lanes of 8 bytes go by half warps and of 16 by quarters, each by that rule; two such groups
// count as one where each pair of neighbouring lanes asks for the same bytes (recorded for 16 bytes, taken to hold for
// 8). Lanes with the same word cost nothing more, for stores (one wins) as for atomics (recorded: 3.16 wavefronts of 32
// random words among 256, 3.16 by this rule). An instruction without an active lane takes one wavefront.
// Misaligned lanes (a fault on hardware) count by the unit their first byte lies in.
// Not modelled: arbitration between requests, which adds up to a fifth on hardware.
#pragma once

#include "emulator/memory/request.h"

namespace ridge::emulator {

struct SharedCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;  ///< wavefronts beyond the one of each group of lanes

  friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

/// Addresses are offsets into shared memory. Asynchronous copies: the shared side of those of 4 and 8 bytes a lane.
[[nodiscard]] SharedCost shared_cost(const WarpAccess& access);

}  // namespace ridge::emulator
