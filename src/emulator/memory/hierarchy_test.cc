// Counts against closed forms, and against what an H200 counted for the lab's kernels (tests/data/h200/lab_truth.csv).
// hierarchy.md has the whole comparison.
#include "emulator/memory/hierarchy.h"

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "emulator/memory/test_patterns.h"

namespace ridge::emulator {
namespace {

using test::ask;
using test::kA;
using test::kB;
using test::kC;
using test::Pattern;

constexpr AccessKind kLoad = AccessKind::kLoad, kStore = AccessKind::kStore;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// One recorded launch, by the profiler's names.
std::map<std::string, double> recorded(const std::string& kernel, const std::string& sizes) {
  std::ifstream file(RIDGE_SOURCE_DIR "/tests/data/h200/lab_truth.csv");
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> titles = cells_of(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != titles.size() || cells[0] != kernel || cells[1] != sizes) continue;
    std::map<std::string, double> row;
    for (std::size_t i = 2; i < cells.size(); ++i) {
      std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), row[titles[i]]);
    }
    return row;
  }
  ADD_FAILURE() << kernel << " " << sizes << " was not recorded";
  return {};
}

constexpr const char* kL2Sectors = "lts__t_sectors.sum";
constexpr const char* kL2ToL1 = "l1tex__m_xbar2l1tex_read_bytes.sum";
constexpr const char* kL1ToL2 = "l1tex__m_l1tex2xbar_write_bytes.sum";
constexpr const char* kDramRead = "dram__bytes_read.sum";
constexpr const char* kDramWrite = "dram__bytes_write.sum";
constexpr const char* kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";

void expect_near(const std::map<std::string, double>& row, const char* name, std::uint64_t counted, double tolerance) {
  const auto at = row.find(name);
  ASSERT_NE(at, row.end()) << name;
  EXPECT_NEAR(static_cast<double>(counted), at->second, tolerance * at->second) << name;
}

/// Both ways between L1 and L2, sectors in L2, DRAM reads.
void expect_traffic(const MemoryCounts& counts, const std::map<std::string, double>& row, double tolerance) {
  expect_near(row, kLoadSectors, counts.loads.sectors, 0.002);
  expect_near(row, kStoreSectors, counts.stores.sectors, 0.002);
  expect_near(row, kL2ToL1, counts.l2_to_l1_bytes, tolerance);
  expect_near(row, kL1ToL2, counts.l1_to_l2_bytes, 0.002);
  expect_near(row, kL2Sectors, counts.l2_sectors, tolerance);
  expect_near(row, kDramRead, counts.dram_read_bytes, tolerance);
}

/// Millions of requests a case, and nothing that memory_system_test.cc does not go through: not under sanitizers.
class Recorded : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "would take minutes";
#endif
  }
};

/// What the recorded programs left dirty in L2 before, where a kernel pushes it out (reduce_vector writes nothing).
constexpr double kLeftBefore = 2.3e6;

void expect_dram_writes(const MemoryCounts& counts, const std::map<std::string, double>& row, double tolerance) {
  const double written = row.at(kDramWrite);
  EXPECT_NEAR(static_cast<double>(counts.dram_write_bytes) + kLeftBefore, written, tolerance * written);
}

/// A thread an element: `loads` arrays are read with `stride`, `stores` written.
Pattern streaming(std::uint64_t elements, unsigned loads, unsigned stores, std::uint64_t stride = 1) {
  Pattern pattern{.blocks = elements / 256, .step = {}};
  pattern.step = [=](SmMemory& memory, std::uint64_t block, std::uint32_t warp) {
    const std::uint64_t first = block * 256 + warp * 32;
    const auto array = [](std::uint64_t base, unsigned i) { return base + (std::uint64_t{i} << 31); };
    for (unsigned i = 0; i < loads; ++i) {
      ask(memory, kLoad, 4, [&](unsigned lane) { return array(kA, i) + (first + lane) * 4 * stride; });
    }
    for (unsigned i = 0; i < stores; ++i) {
      ask(memory, kStore, 4, [&](unsigned lane) { return array(kC, i) + (first + lane) * 4; });
    }
  };
  return pattern;
}

TEST_F(Recorded, VectorAdd) {
  const auto row = recorded("vector_add", "n=16777216");
  const MemoryCounts counts = run(streaming(1 << 24, 2, 1));
  expect_traffic(counts, row, 0.02);
  expect_dram_writes(counts, row, 0.05);
  EXPECT_EQ(counts.loads.hits, 0U);
}

/// Twice as many bytes are written as read, and L2 keeps no more of them dirty than of others.
TEST_F(Recorded, TwoResultsOfOneReading) {
  const auto row = recorded("sin_cos_fused", "n=16777216");
  const MemoryCounts counts = run(streaming(1 << 24, 1, 2));
  expect_traffic(counts, row, 0.02);
  expect_dram_writes(counts, row, 0.05);
}

/// Half of the sectors that are fetched nobody asked for: DRAM, and L2 from its other half, move 64 bytes.
TEST_F(Recorded, StridedReads) {
  for (const std::uint64_t stride : {1U, 4U, 16U}) {
    SCOPED_TRACE(stride);
    const auto row = recorded("strided_read", "n=4194304 stride=" + std::to_string(stride));
    const MemoryCounts counts = run(streaming(1 << 22, 1, 1, stride));
    expect_traffic(counts, row, 0.04);
  }
}

TEST_F(Recorded, RandomReadsOfAnArrayThatL2Holds) {
  std::mt19937 random(1);
  Pattern pattern{.blocks = (1 << 22) / 256, .step = {}};
  pattern.step = [&](SmMemory& memory, std::uint64_t block, std::uint32_t warp) {
    const std::uint64_t first = block * 256 + warp * 32;
    ask(memory, kLoad, 4, [&](unsigned lane) { return kA + (first + lane) * 4; });
    ask(memory, kLoad, 4, [&](unsigned) { return kB + (random() % (1U << 22)) * 4ULL; });
    ask(memory, kStore, 4, [&](unsigned lane) { return kC + (first + lane) * 4; });
  };
  const MemoryCounts counts = run(pattern);
  expect_traffic(counts, recorded("gathered_read", "n=4194304"), 0.05);
}

/// A warp writes a column: 32 sectors, of each 4 bytes, which L2 joins.
TEST_F(Recorded, NaiveTranspose) {
  constexpr std::uint64_t kN = 4096;
  Pattern pattern{.blocks = kN * kN / 1024, .steps = 32, .step = {}};
  pattern.step = [](SmMemory& memory, std::uint64_t block, std::uint32_t step) {
    const std::uint64_t x = block % (kN / 32) * 32, y = block / (kN / 32) * 32 + step;
    ask(memory, kLoad, 4, [&](unsigned lane) { return kA + (y * kN + x + lane) * 4; });
    ask(memory, kStore, 4, [&](unsigned lane) { return kC + ((x + lane) * kN + y) * 4; });
  };
  const auto row = recorded("transpose_naive", "n=4096");
  const MemoryCounts counts = run(pattern);
  expect_near(row, kL2Sectors, counts.l2_sectors, 0.03);
  expect_near(row, kL1ToL2, counts.l1_to_l2_bytes, 0);
  expect_near(row, kL2ToL1, counts.l2_to_l1_bytes, 0.001);
  // the recording reads 12 MB of sectors that were pushed out half written; here columns follow each other closely
  expect_near(row, kDramRead, counts.dram_read_bytes, 0.16);
}

TEST_F(Recorded, AdditionsToAGlobalHistogram) {
  std::mt19937 random(1);
  Pattern pattern{.blocks = 1 << 16, .step = {}};
  pattern.step = [&](SmMemory& memory, std::uint64_t block, std::uint32_t warp) {
    ask(memory, kLoad, 1, [&](unsigned lane) { return kA + block * 256 + warp * 32 + lane; });
    ask(memory, AccessKind::kReduction, 4, [&](unsigned) { return kC + 4 * (random() % 256); });
  };
  const auto row = recorded("histogram_global", "n=16777216");
  const MemoryCounts counts = run(pattern);
  expect_near(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", counts.reductions.sectors, 0.03);
  expect_near(row, kL2Sectors, counts.l2_sectors, 0.03);
  expect_near(row, kDramRead, counts.dram_read_bytes, 0.01);
  EXPECT_EQ(counts.l2_dirty_bytes, 1024U);
}

/// Five readings of a value, four of them answered by L1.
TEST_F(Recorded, DirectStencil) {
  constexpr std::uint64_t kWidth = 4096;
  Pattern pattern{.blocks = 128 * 512, .step = {}};
  pattern.step = [](SmMemory& memory, std::uint64_t block, std::uint32_t warp) {
    const std::uint64_t y = block / 128 * 8 + warp;
    const std::uint64_t row = kA + (y * kWidth + block % 128 * 32) * 4;
    if (y == 0 || y == kWidth - 1) return;
    for (const std::uint64_t shift : {0ULL, 0ULL - 4, 4ULL, 0ULL - 4 * kWidth, 4ULL * kWidth}) {
      ask(memory, kLoad, 4, [&](unsigned lane) { return row + shift + 4 * lane; });
    }
    ask(memory, kStore, 4, [&](unsigned lane) { return row - kA + kC + 4 * lane; });
  };
  const MemoryCounts counts = run(pattern);
  const auto row = recorded("stencil_direct", "width=4096 height=4096");
  expect_near(row, kL2ToL1, counts.l2_to_l1_bytes, 0.05);
  expect_near(row, kL2Sectors, counts.l2_sectors, 0.1);
  expect_near(row, kDramRead, counts.dram_read_bytes, 0.02);
  expect_dram_writes(counts, row, 0.05);
}

/// Three passes over rows of 16 and 32 KiB, eight of which share an L1 of 224 KiB.
TEST_F(Recorded, SoftmaxInThreePasses) {
  for (const std::uint32_t columns : {4096U, 8192U}) {
    SCOPED_TRACE(columns);
    const std::uint32_t warps = columns / 32;
    Pattern pattern{.blocks = 2048, .steps = 3 * warps, .step = {}};
    pattern.step = [=](SmMemory& memory, std::uint64_t block, std::uint32_t step) {
      const std::uint64_t at = (block * columns + step % warps * 32) * 4;
      ask(memory, kLoad, 4, [&](unsigned lane) { return kA + at + 4 * lane; });
      if (step >= 2 * warps) ask(memory, kStore, 4, [&](unsigned lane) { return kC + at + 4 * lane; });
    };
    expect_traffic(run(pattern), recorded("softmax_passes", "rows=2048 columns=" + std::to_string(columns)), 0.1);
  }
}

/// The tiled product: each block brings its tiles once. Requests that several SMs make at the same time are merged on
/// their way to L2 (6.5 of 8.8 million sectors are left), which is not modelled.
TEST_F(Recorded, TiledProduct) {
  constexpr std::uint64_t kN = 1024;
  Pattern pattern{.blocks = kN * kN / 1024, .blocks_per_sm = 2, .steps = kN, .step = {}};
  pattern.step = [](SmMemory& memory, std::uint64_t block, std::uint32_t step) {
    const std::uint64_t column = block % (kN / 32) * 32, row = block / (kN / 32) * 32 + step % 32;
    const std::uint64_t k = step / 32 * 32;
    ask(memory, kLoad, 4, [&](unsigned lane) { return kA + (row * kN + k + lane) * 4; });
    ask(memory, kLoad, 4, [&](unsigned lane) { return kB + ((k + step % 32) * kN + column + lane) * 4; });
    if (k == kN - 32) ask(memory, kStore, 4, [&](unsigned lane) { return kC + (row * kN + column + lane) * 4; });
  };
  const MemoryCounts counts = run(pattern);
  const auto row = recorded("gemm_tiled", "n=1024");
  expect_near(row, kL2ToL1, counts.l2_to_l1_bytes, 0.01);
  expect_near(row, kDramRead, counts.dram_read_bytes, 0.01);
  EXPECT_GT(static_cast<double>(counts.l2_sectors), row.at(kL2Sectors));
  EXPECT_EQ(counts.dram_write_bytes, 0U);
  EXPECT_EQ(counts.l2_dirty_bytes, 4 * kN * kN);
}

}  // namespace
}  // namespace ridge::emulator
