#include "emulator/run/sample.h"

#include <algorithm>

#include "emulator/exec/launch.h"

namespace ridge::emulator {

std::vector<Wave> spread_waves(std::uint64_t clusters, std::uint64_t resident, std::uint64_t wanted) {
  const std::uint64_t waves = clusters / std::max<std::uint64_t>(resident, 1);  // whole ones
  if (waves <= 1) return {{0, clusters}};
  wanted = std::clamp<std::uint64_t>(wanted, 1, waves);
  std::vector<Wave> chosen;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint64_t wave = wanted == 1 ? 0 : i * (waves - 1) / (wanted - 1);
    chosen.push_back({wave * resident, resident});
  }
  return chosen;
}

std::vector<std::uint64_t> blocks_of(const Wave& wave, const Dim3& grid, const Dim3& cluster) {
  const std::uint64_t size = count_of(cluster);
  std::vector<std::uint64_t> blocks;
  blocks.reserve(wave.count * size);
  for (std::uint64_t number = wave.first; number < wave.first + wave.count; ++number) {
    for (std::uint64_t rank = 0; rank < size; ++rank) blocks.push_back(block_of_cluster(number, rank, grid, cluster));
  }
  return blocks;
}

}  // namespace ridge::emulator
