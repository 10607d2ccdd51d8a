// The emulator's memory units, by what a warp's addresses look like: coalescing, shared banks, a load as one SM sees
// it, and L2's part of a stream.
#include <benchmark/benchmark.h>

#include <array>
#include <random>
#include <vector>

#include "emulator/memory/hierarchy.h"

namespace ridge::emulator {
namespace {

using Addresses = std::array<std::uint64_t, kLanes>;

enum Shape : std::int64_t { kUniform, kNeighbours, kTwoRows, kStride64, kStride4096, kRandom };

/// 64 requests of a shape, so that branches cannot be learnt by heart.
std::vector<Addresses> requests(std::int64_t shape) {
  std::mt19937_64 random(1);
  std::vector<Addresses> result(64);
  for (Addresses& addresses : result) {
    const std::uint64_t base = random() % 1000 * 4096;
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
      const std::array<std::uint64_t, 6> address{base,
                                                 base + 4 * lane,
                                                 base + lane / 16 * 8192,
                                                 base + 64 * lane,
                                                 base + 4096 * lane,
                                                 random() % (1U << 22) * 4};
      addresses[lane] = address[static_cast<std::size_t>(shape)];
    }
  }
  return result;
}

void coalescing(benchmark::State& state) {
  const std::vector<Addresses> all = requests(state.range(0));
  std::size_t i = 0;
  Coalesced out;
  for (auto _ : state) {
    const WarpAccess access{.addresses = all[i++ % all.size()].data()};
    coalesce(access, out);
    benchmark::DoNotOptimize(data_wavefronts(out, access));
  }
}
BENCHMARK(coalescing)->DenseRange(kUniform, kRandom);

void shared_banks(benchmark::State& state) {
  const std::vector<Addresses> all = requests(state.range(0));
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(shared_cost({.addresses = all[i++ % all.size()].data()}));
}
BENCHMARK(shared_banks)->DenseRange(kUniform, kRandom);

/// 64 lines that L1 has.
void load_that_hits(benchmark::State& state) {
  const std::vector<Addresses> all = requests(state.range(0));
  SmMemory memory(224 << 10, 8);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(memory.global({.addresses = all[i++ % all.size()].data()}));
}
BENCHMARK(load_that_hits)->Arg(kUniform)->Arg(kNeighbours);

/// Items are lines: each is asked for by an SM, misses everywhere and goes through L2.
void stream_of_misses(benchmark::State& state) {
  MemoryHierarchy memory({.sms = 132, .l1_bytes = 224 << 10, .l2_bytes = 60 << 20, .l2_partitions = 2, .slices = 8});
  std::uint64_t line = 0;
  constexpr unsigned kEach = 64;
  for (auto _ : state) {
    for (unsigned i = 0; i < kEach * memory.sms(); ++i, ++line) {
      Addresses addresses{};
      for (std::uint64_t lane = 0; lane < kLanes; ++lane) addresses[lane] = 128 * line + 4 * lane;
      memory.sm(i / kEach).global({.addresses = addresses.data()});
    }
    memory.drain_all();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(line));
}
BENCHMARK(stream_of_misses)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ridge::emulator
