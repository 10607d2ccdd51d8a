// The counts of a warp, made again from the index expressions of the kernels: addresses of 32 lanes, put through the
// rules of wavefronts.md. What a declaration says of a step must be the sum over its accesses.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "lab/declare/bind.h"
#include "lab/declare/registry.h"

namespace ridge::lab {
namespace {

using Lane = std::function<long(int lane)>;  // byte address of a lane; negative: not active

struct Counts {
  double requests = 0, sectors = 0, lines = 0, instructions = 0, wavefronts = 0;
  Counts& operator+=(const Counts& other) {
    requests += other.requests, sectors += other.sectors, lines += other.lines;
    instructions += other.instructions, wavefronts += other.wavefronts;
    return *this;
  }
};

Counts global(const Lane& address, int bytes) {
  std::set<long> sectors, lines;
  for (int lane = 0; lane < 32; ++lane) {
    const long at = address(lane);
    if (at < 0) continue;
    for (long byte = at; byte < at + bytes; byte += 4) sectors.insert(byte / 32), lines.insert(byte / 128);
  }
  Counts counts;
  counts.requests = sectors.empty() ? 0 : 1;
  counts.sectors = double(sectors.size());
  counts.lines = double(lines.size());
  return counts;
}

/// Most different words in one bank over a group of lanes.
double fullest_bank(const Lane& address, int bytes, int first, int count) {
  std::set<long> words[32];
  for (int lane = first; lane < first + count; ++lane) {
    for (int word = 0; word < bytes / 4; ++word) {
      const long at = address(lane) / 4 + word;
      words[at % 32].insert(at);
    }
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return double(most);
}

/// 16 bytes a lane: quarter warps apart, unless neighbours ask for the same.
double half_warp(const Lane& address, int first) {
  bool paired = true;
  for (int lane = first; lane < first + 16; lane += 2) paired = paired && address(lane) == address(lane + 1);
  if (paired) return fullest_bank(address, 16, first, 16);
  return fullest_bank(address, 16, first, 8) + fullest_bank(address, 16, first + 8, 8);
}

Counts shared(const Lane& address, int bytes) {
  Counts counts;
  counts.instructions = 1;
  counts.wavefronts =
      bytes == 16 ? half_warp(address, 0) + half_warp(address, 16) : fullest_bank(address, bytes, 0, 32);
  return counts;
}

template <class Access>
Counts sum(int times, const Access& access) {
  Counts total;
  for (int i = 0; i < times; ++i) total += access(i);
  return total;
}

const Work& work_of(const char* kernel, const char* sizes, BoundKernel& storage) {
  storage = *bind_kernel(*find_kernel(kernel), *parse_sizes(sizes), 132);
  return storage.work;
}

constexpr int kN = 1024;  // of the square kernels here

TEST(LabAccessTest, RegisterTile) {
  BoundKernel kernel;
  const Work& work = work_of("gemm_register", "n=1024", kernel);
  const double steps = double(kN) * kN * kN / 16384;
  const Counts loads =
      sum(4, [](int i) { return global([=](int l) { return 4L * ((l + i * 256) / 8 * kN + (l + i * 256) % 8); }, 4); });
  const Counts loads_b = sum(4, [](int i) { return global([=](int l) { return 4L * (i * 2 * kN + l); }, 4); });
  EXPECT_EQ(*work.access.global_load_requests, steps * (loads.requests + loads_b.requests));
  EXPECT_EQ(*work.access.global_load_sectors, steps * (loads.sectors + loads_b.sectors));
  const Counts stores = sum(
      4, [](int i) { return shared([=](int l) { return 4L * ((l + i * 256) % 8 * 129 + (l + i * 256) / 8); }, 4); });
  const Counts stores_b = sum(4, [](int i) { return shared([=](int l) { return 4L * (i * 2 * 128 + l); }, 4); });
  EXPECT_EQ(*work.access.shared_store_instructions, steps * (stores.instructions + stores_b.instructions));
  EXPECT_EQ(*work.access.shared_store_wavefronts, steps * (stores.wavefronts + stores_b.wavefronts));
  const Counts left =
      sum(64, [](int i) { return shared([=](int l) { return 4L * (i / 8 * 129 + l / 16 + i % 8 * 16); }, 4); });
  const Counts right =
      sum(64, [](int i) { return shared([=](int l) { return 4L * (i / 8 * 128 + l % 16 + i % 8 * 16); }, 4); });
  EXPECT_EQ(*work.access.shared_load_wavefronts, steps * (left.wavefronts + right.wavefronts));
}

TEST(LabAccessTest, VectorLoads) {
  BoundKernel kernel;
  const Work& work = work_of("gemm_vector", "n=1024", kernel);
  const double steps = double(kN) * kN * kN / 16384;
  const Counts a = global([](int l) { return 4L * (l / 2 * kN + l % 2 * 4); }, 16);
  const Counts b = global([](int l) { return 16L * l; }, 16);
  EXPECT_EQ(*work.access.global_load_requests, steps * (a.requests + b.requests));
  EXPECT_EQ(*work.access.global_load_sectors, steps * (a.sectors + b.sectors));
  Counts stores = sum(4, [](int i) { return shared([=](int l) { return 4L * ((l % 2 * 4 + i) * 132 + l / 2); }, 4); });
  stores += shared([](int l) { return 16L * l; }, 16);
  EXPECT_EQ(*work.access.shared_store_instructions, steps * stores.instructions);
  EXPECT_EQ(*work.access.shared_store_wavefronts, steps * stores.wavefronts);
  const Counts left = shared([](int l) { return 16L * (l / 16); }, 16);
  const Counts right = shared([](int l) { return 16L * (l % 16); }, 16);
  EXPECT_EQ(*work.access.shared_load_wavefronts, steps * 8 * 2 * (left.wavefronts + right.wavefronts));
}

TEST(LabAccessTest, AsynchronousCopies) {
  BoundKernel kernel;
  const Work& work = work_of("gemm_async", "n=1024", kernel);
  const double steps = double(kN) * kN * kN / 65536;
  const Counts a = global([](int l) { return 4L * (l / 16 * kN + l % 16); }, 4);
  const Counts b = global([](int l) { return 16L * l; }, 16);
  EXPECT_EQ(*work.access.global_load_requests, steps * (8 * a.requests + 4 * b.requests));
  EXPECT_EQ(*work.access.global_load_sectors, steps * (8 * a.sectors + 4 * b.sectors));
  const Counts stored = shared([](int l) { return 4L * (l % 16 * 132 + l / 16); }, 4);
  const double copies = steps * 8 * (a.lines + stored.wavefronts), stores = double(kN) * kN / 128 * 5;
  EXPECT_EQ(*work.access.l1_wavefronts - *work.access.shared_wavefronts, copies + stores);
  const Counts left = shared([](int l) { return 16L * (l / 8); }, 16);
  const Counts right = shared([](int l) { return 16L * (l % 8); }, 16);
  const double first_fragments = 8 * double(kN) * kN / 32768 * (2 * left.wavefronts + 4 * right.wavefronts);
  EXPECT_EQ(*work.access.shared_load_wavefronts,
            steps * 16 * (2 * left.wavefronts + 4 * right.wavefronts) + first_fragments);
  const Counts store = global([](int l) { return 4L * (l / 8 * kN + l % 8 * 4); }, 16);
  EXPECT_EQ(*work.access.global_store_sectors, double(kN) * kN / 128 * store.sectors);
}

TEST(LabAccessTest, TiledProduct) {
  BoundKernel kernel;
  const Work& work = work_of("gemm_tiled", "n=1024", kernel);
  const double tiles = double(kN) * kN / 32 * kN / 32;
  const Counts a = shared([](int) { return 0L; }, 16);
  const Counts b = shared([](int l) { return 4L * l; }, 4);
  EXPECT_EQ(*work.access.shared_load_wavefronts, tiles * (8 * a.wavefronts + 32 * b.wavefronts));
  EXPECT_EQ(*work.access.shared_load_instructions, tiles * 40);
}

TEST(LabAccessTest, TensorProductStores) {
  BoundKernel kernel;
  const Work& work = work_of("gemm_mma_bf16", "n=1024", kernel);
  const Counts pairs = global([](int l) { return 2L * (l / 4 * kN + l % 4 * 2); }, 4);
  EXPECT_EQ(*work.access.global_store_sectors, double(kN) * kN / 64 * pairs.sectors);
  BoundKernel other;
  const Work& wgmma = work_of("gemm_wgmma_bf16", "n=1024", other);
  const Counts rows = global([](int l) { return 2L * (l / 4 * kN + l % 4 * 8); }, 16);
  EXPECT_EQ(*wgmma.access.global_store_sectors, double(kN) * kN / 256 * rows.sectors);
}

TEST(LabAccessTest, Transposes) {
  BoundKernel kernel;
  const double warps = double(kN) * kN / 32;
  const Work naive = work_of("transpose_naive", "n=1024", kernel);
  EXPECT_EQ(*naive.access.global_store_sectors, warps * global([](int l) { return 4L * l * kN; }, 4).sectors);
  const Work conflicted = work_of("transpose_shared", "n=1024", kernel);
  EXPECT_EQ(*conflicted.access.shared_load_wavefronts, warps * shared([](int l) { return 4L * l * 32; }, 4).wavefronts);
  const Work padded = work_of("transpose_padded", "n=1024", kernel);
  EXPECT_EQ(*padded.access.shared_load_wavefronts, warps * shared([](int l) { return 4L * l * 33; }, 4).wavefronts);
  const Work swizzled = work_of("transpose_swizzled", "n=1024", kernel);
  const Counts stores = sum(4, [](int i) {
    return shared(
        [=](int l) {
          const int row = l / 16 + i * 16, column = l % 16;
          return 4L * (row * 64 + (column ^ (row / 4)) * 4);
        },
        16);
  });
  const Counts loads = sum(16, [](int i) {
    return shared(
        [=](int l) {
          const int c = l / 16 + i / 4 * 16, r = l % 16 * 4 + i % 4;
          return 4L * (r * 64 + ((c / 4) ^ (r / 4)) * 4 + c % 4);
        },
        4);
  });
  const double threads_in_warps = double(kN) * kN / 4096 * 8;  // 8 warps a tile of 64 x 64
  EXPECT_EQ(*swizzled.access.shared_store_wavefronts, threads_in_warps * stores.wavefronts);
  EXPECT_EQ(*swizzled.access.shared_load_wavefronts, threads_in_warps * loads.wavefronts);
}

TEST(LabAccessTest, StridesOfGlobalAndSharedMemory) {
  for (int stride = 1; stride <= 32; ++stride) {
    BoundKernel kernel;
    const std::string size = " stride=" + std::to_string(stride);
    const Work far = work_of("strided_read", ("n=1024" + size).c_str(), kernel);
    const Counts warp = global([=](int l) { return 4L * l * stride; }, 4);
    EXPECT_EQ(*far.access.global_load_sectors, 32 * warp.sectors) << stride;
    EXPECT_EQ(*far.access.l1_wavefronts, 32 * warp.lines + 2 * 32) << stride;
    const Work near = work_of("shared_stride", ("blocks=1" + size).c_str(), kernel);
    EXPECT_EQ(*near.access.shared_load_wavefronts, 512 * shared([=](int l) { return 4L * l * stride; }, 4).wavefronts)
        << stride;
  }
}

/// Loads of a whole grid of the stencil, warp by warp.
Counts stencil_loads(int width, int height, bool rows) {
  Counts total;
  const auto load = [&](int x0, int y, int dx, int dy, bool inner_only) {
    total += global(
        [=](int l) {
          const int x = x0 + l;
          const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
          return inner_only && border ? -1L : 4L * ((y + dy) * width + x + dx);
        },
        4);
  };
  for (int x0 = 0; x0 < width; x0 += 32) {
    for (int y = 0; y < height; ++y) {
      const bool first = y % 16 == 0;
      if (!rows || first) load(x0, y, 0, 0, false);
      if (rows && first && y > 0) load(x0, y, 0, -1, false);
      if (rows && y + 1 < height) load(x0, y, 0, 1, false);
      if (!rows) load(x0, y, 0, -1, true), load(x0, y, 0, 1, true);
      load(x0, y, -1, 0, true), load(x0, y, 1, 0, true);
    }
  }
  return total;
}

TEST(LabAccessTest, Stencils) {
  for (const bool rows : {false, true}) {
    BoundKernel kernel;
    const Work& work = work_of(rows ? "stencil_rows" : "stencil_direct", "width=256 height=48", kernel);
    const Counts loads = stencil_loads(256, 48, rows);
    EXPECT_EQ(*work.access.global_load_requests, loads.requests);
    EXPECT_EQ(*work.access.global_load_sectors, loads.sectors);
    const double stores = 2 * *work.access.global_store_requests;
    EXPECT_EQ(*work.access.l1_wavefronts, loads.lines + stores);
  }
}

TEST(LabAccessTest, TreesOfTheReductions) {
  // A step is executed by the warps that still have an active thread.
  const auto steps = [](bool together) {
    int executed = 0;
    for (int d = 1; d < 256; d *= 2) {
      for (int warp = 0; warp < 8; ++warp) {
        bool active = false;
        for (int t = warp * 32; t < warp * 32 + 32; ++t) active = active || (together ? t < d : t % (2 * d) == 0);
        executed += active ? 1 : 0;
      }
    }
    return double(executed);
  };
  BoundKernel kernel;
  const Work interleaved = work_of("reduce_interleaved", "n=1024", kernel);
  EXPECT_EQ(*interleaved.access.shared_load_instructions, 4 * (2 * steps(false) + 1));
  EXPECT_EQ(*interleaved.access.shared_store_instructions, 4 * (steps(false) + 8));
  const Work sequential = work_of("reduce_sequential", "n=1024", kernel);
  EXPECT_EQ(*sequential.access.shared_load_instructions, 4 * (2 * steps(true) + 1));
  EXPECT_EQ(*sequential.access.shared_store_instructions, 4 * (steps(true) + 8));
}

}  // namespace
}  // namespace ridge::lab
