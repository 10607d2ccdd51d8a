#include "emulator/run/sample.h"

#include <algorithm>

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
  const std::uint64_t across = grid.x / cluster.x, down = grid.y / cluster.y;
  const std::uint64_t size = std::uint64_t{cluster.x} * cluster.y * cluster.z;
  std::vector<std::uint64_t> blocks;
  blocks.reserve(wave.count * size);
  for (std::uint64_t number = wave.first; number < wave.first + wave.count; ++number) {
    for (std::uint64_t rank = 0; rank < size; ++rank) {
      const std::uint64_t x = number % across * cluster.x + rank % cluster.x;
      const std::uint64_t y = number / across % down * cluster.y + rank / cluster.x % cluster.y;
      const std::uint64_t z = number / across / down * cluster.z + rank / cluster.x / cluster.y;
      blocks.push_back(x + grid.x * (y + std::uint64_t{grid.y} * z));
    }
  }
  return blocks;
}

}  // namespace ridge::emulator
