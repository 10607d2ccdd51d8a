// Access patterns of the lab's kernels, without PTX: what each warp of a block asks for in each step. Blocks run in
// waves, the resident blocks of all SMs side by side.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "emulator/memory/hierarchy.h"

namespace ridge::emulator::test {

/// Three buffers that no kernel fills.
inline constexpr std::uint64_t kA = 1ULL << 32, kB = 2ULL << 32, kC = 3ULL << 32;

/// One instruction of a full warp; `address` says each lane's.
template <class Address>
void ask(SmMemory& memory, AccessKind kind, std::uint32_t bytes, Address address) {
  std::array<std::uint64_t, kLanes> addresses{};
  for (unsigned lane = 0; lane < kLanes; ++lane) addresses[lane] = address(lane);
  memory.global({.addresses = addresses.data(), .bytes = bytes, .kind = kind});
}

struct Pattern {
  std::uint64_t blocks = 0;
  std::uint32_t blocks_per_sm = 8;
  std::uint32_t steps = 8;
  std::function<void(SmMemory&, std::uint64_t block, std::uint32_t step)> step;
};

/// An H200 with 32 KiB of each SM set aside as shared memory.
inline MemoryGeometry h200(std::uint32_t slices = 8) {
  return {.sms = 132, .l1_bytes = 224 << 10, .l2_bytes = 60 << 20, .l2_partitions = 2, .slices = slices};
}

/// Queues are emptied often, so that SMs stay side by side in L2 as well.
inline MemoryCounts run(const Pattern& pattern, const MemoryGeometry& geometry = h200()) {
  MemoryHierarchy memory(geometry);
  const std::uint64_t wave = std::uint64_t{memory.sms()} * pattern.blocks_per_sm;
  for (std::uint64_t first = 0; first < pattern.blocks; first += wave) {
    const std::uint64_t last = std::min(pattern.blocks, first + wave);
    for (std::uint32_t step = 0; step < pattern.steps; ++step) {
      for (std::uint64_t block = first; block < last; ++block) {
        pattern.step(memory.sm(static_cast<std::uint32_t>((block - first) % memory.sms())), block, step);
      }
      if (step % 16 == 15 || step + 1 == pattern.steps) memory.drain_all();
    }
  }
  return memory.counts();
}

}  // namespace ridge::emulator::test
