// Which blocks of a grid run when not all do.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgepoint/model/profile.h"

namespace ridge::emulator {

/// A contiguous run of blocks, in the grid's order of start: as many as the chip holds at once.
struct Wave {
  std::uint64_t first = 0, count = 0;  ///< in units of clusters
};

/// `wanted` whole waves spread evenly over the grid of `clusters`, each of `resident` clusters; the first is always
/// there. All of the grid in one wave if it has no more.
[[nodiscard]] std::vector<Wave> spread_waves(std::uint64_t clusters, std::uint64_t resident, std::uint64_t wanted);

/// The linear indices of the blocks of clusters first ... first + count - 1, cluster by cluster.
[[nodiscard]] std::vector<std::uint64_t> blocks_of(const Wave& wave, const Dim3& grid, const Dim3& cluster);

}  // namespace ridge::emulator
