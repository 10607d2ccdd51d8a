#include "ridgepoint/model/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace ridge {
namespace {

constexpr double kKiB = 1024;

/// Compute capability 9.0.
OccupancyLimits hopper() {
  OccupancyLimits limits;
  limits.max_warps_per_sm = 64;
  limits.max_blocks_per_sm = 32;
  limits.registers_per_sm = limits.max_registers_per_block = 65536;
  limits.shared_bytes_per_sm = 228 * kKiB;
  limits.shared_bytes_per_block = 227 * kKiB;
  limits.shared_reserved_per_block = kKiB;
  limits.shared_allocation_unit = 128;
  limits.max_barriers_per_sm = 64;
  limits.shared_carveouts = {0, 8 * kKiB, 16 * kKiB, 32 * kKiB, 64 * kKiB, 100 * kKiB, 228 * kKiB};
  return limits;
}

/// Compute capability 5.0 and 5.2: the same file of registers, of which a block may use all, or half.
OccupancyLimits maxwell(int max_registers_per_block) {
  OccupancyLimits limits;
  limits.max_warps_per_sm = 64;
  limits.max_blocks_per_sm = 32;
  limits.registers_per_sm = 65536;
  limits.max_registers_per_block = max_registers_per_block;
  return limits;
}

OccupancyRequest request(int threads, int registers, double shared_static = 0, double shared_dynamic = 0,
                         int barriers = 0) {
  OccupancyRequest result;
  result.threads_per_block = threads;
  result.registers_per_thread = registers;
  result.shared_static = Bytes(shared_static);
  result.shared_dynamic = Bytes(shared_dynamic);
  result.barriers_per_block = barriers;
  return result;
}

Occupancy get(const OccupancyLimits& limits, const OccupancyRequest& wanted) {
  const auto result = occupancy(limits, wanted);
  EXPECT_TRUE(result.has_value()) << (result ? "" : to_string(result.error()));
  return result.value_or(Occupancy{});
}

int blocks_by(const Occupancy& result, OccupancyLimiter limiter) {
  for (const OccupancyLimit& limit : result.limits) {
    if (limit.limiter == limiter) return limit.blocks.value_or(-1);
  }
  return -2;
}

bool limited_by(const Occupancy& result, OccupancyLimiter limiter) {
  return std::find(result.limiters.begin(), result.limiters.end(), limiter) != result.limiters.end();
}

TEST(OccupancyTest, RegistersAreGivenToWholeWarpsInUnits) {
  const Occupancy result = get(hopper(), request(224, 92));
  EXPECT_EQ(result.registers_per_warp, 96 * 32);
  EXPECT_EQ(blocks_by(result, OccupancyLimiter::kRegisters), 2) << "21 warps, 20 in fours, 7 a block";
  EXPECT_EQ(result.warps_per_sm, 14);
}

TEST(OccupancyTest, RegisterCountsOfOneUnitCostTheSame) {
  EXPECT_EQ(get(hopper(), request(256, 41)).registers_per_warp, 48 * 32);
  EXPECT_EQ(get(hopper(), request(256, 43)).registers_per_warp, 48 * 32);
  EXPECT_EQ(get(hopper(), request(256, 41)).blocks_per_sm, get(hopper(), request(256, 43)).blocks_per_sm);
}

TEST(OccupancyTest, TheRegistersOneBlockMayUseLimitTheBlocks) {
  EXPECT_EQ(get(maxwell(32768), request(128, 85)).blocks_per_sm, 4);
  EXPECT_EQ(get(maxwell(65536), request(128, 85)).blocks_per_sm, 5);
}

TEST(OccupancyTest, AgreesWithTheProfilerOnALargeTensorKernel) {
  const Occupancy result = get(hopper(), request(384, 168, 0, 205696, 7));
  EXPECT_EQ(blocks_by(result, OccupancyLimiter::kRegisters), 1);
  EXPECT_EQ(blocks_by(result, OccupancyLimiter::kShared), 1);
  EXPECT_EQ(blocks_by(result, OccupancyLimiter::kWarps), 5);
  EXPECT_EQ(blocks_by(result, OccupancyLimiter::kBlocks), 32);
  EXPECT_EQ(blocks_by(result, OccupancyLimiter::kBarriers), 9);
  EXPECT_EQ(result.warps_per_sm, 12);
  EXPECT_DOUBLE_EQ(result.fraction, 0.1875);
  EXPECT_TRUE(limited_by(result, OccupancyLimiter::kRegisters));
  EXPECT_TRUE(limited_by(result, OccupancyLimiter::kShared));
  EXPECT_EQ(result.limiters.size(), 2u);
}

struct ProfiledRow {
  int threads, registers;
  double shared_static, carveout;
  int by_registers, by_shared, by_warps;
};

TEST(OccupancyTest, AgreesWithTheProfilerOnLaunchesOfAnH200) {
  // launch__occupancy_limit_* of Nsight Compute 2025.3; carve-out as launch__shared_mem_config_size
  for (const ProfiledRow& row :
       {ProfiledRow{256, 16, 0, 32768, 16, 32, 8}, ProfiledRow{256, 16, 1024, 32768, 16, 16, 8},
        ProfiledRow{256, 22, 0, 32768, 10, 32, 8}, ProfiledRow{1024, 32, 0, 8192, 2, 8, 2},
        ProfiledRow{1024, 32, 8192, 32768, 2, 3, 2}, ProfiledRow{256, 20, 0, 32768, 10, 32, 8},
        ProfiledRow{256, 22, 4096, 102400, 10, 20, 8}, ProfiledRow{256, 22, 4224, 102400, 10, 19, 8}}) {
    OccupancyRequest wanted = request(row.threads, row.registers, row.shared_static);
    wanted.shared_carveout = Bytes(row.carveout);
    const Occupancy result = get(hopper(), wanted);
    EXPECT_EQ(blocks_by(result, OccupancyLimiter::kRegisters), row.by_registers) << row.registers;
    EXPECT_EQ(blocks_by(result, OccupancyLimiter::kShared), row.by_shared) << row.shared_static;
    EXPECT_EQ(blocks_by(result, OccupancyLimiter::kWarps), row.by_warps) << row.threads;
    EXPECT_DOUBLE_EQ(result.fraction, 1.0);
  }
}

TEST(OccupancyTest, AgreesWithTheDriverOfAnH200) {
  std::ifstream file(RIDGE_SOURCE_DIR "/tests/data/occupancy/h200_driver.csv");
  ASSERT_TRUE(file.is_open());
  std::string line;
  std::getline(file, line);
  int held = 0;
  for (; std::getline(file, line); ++held) {
    std::istringstream fields(line);
    int registers = 0, barriers = 0, threads = 0, shared = 0, blocks = 0;
    char comma = 0;
    fields >> registers >> comma >> barriers >> comma >> threads >> comma >> shared >> comma >> blocks;
    ASSERT_TRUE(fields) << line;
    EXPECT_EQ(get(hopper(), request(threads, registers, 0, shared, barriers)).blocks_per_sm, blocks) << line;
  }
  EXPECT_EQ(held, 1500);
}

TEST(OccupancyTest, SaysHowManyRegistersWouldAdmitOneBlockMore) {
  const Occupancy result = get(hopper(), request(256, 40));
  ASSERT_TRUE(limited_by(result, OccupancyLimiter::kRegisters));
  EXPECT_EQ(result.blocks_per_sm, 6);
  ASSERT_EQ(result.changes.size(), 1u);
  EXPECT_EQ(result.changes[0].limit, 32);
  EXPECT_EQ(get(hopper(), request(256, 32)).blocks_per_sm, 8);
  EXPECT_EQ(get(hopper(), request(256, 33)).blocks_per_sm, 6) << "33 would not do";
  EXPECT_DOUBLE_EQ(result.fraction_after_changes.value_or(0), 1.0);
}

TEST(OccupancyTest, SaysHowMuchSharedMemoryWouldAdmitOneBlockMore) {
  const Occupancy result = get(hopper(), request(256, 32, 48 * kKiB));
  ASSERT_EQ(result.limiters, std::vector{OccupancyLimiter::kShared});
  EXPECT_EQ(result.blocks_per_sm, 4);
  ASSERT_EQ(result.changes.size(), 1u);
  const double limit = result.changes[0].limit;
  EXPECT_EQ(get(hopper(), request(256, 32, limit)).blocks_per_sm, 5);
  EXPECT_EQ(get(hopper(), request(256, 32, limit + 1)).blocks_per_sm, 4) << "one byte more does not do";
}

TEST(OccupancyTest, ChangesThatDoNotHelpAloneAreGivenTogether) {
  const Occupancy result = get(hopper(), request(384, 168, 0, 205696));
  ASSERT_EQ(result.changes.size(), 2u);
  EXPECT_DOUBLE_EQ(result.fraction_after_changes.value_or(0), 24.0 / 64);
}

TEST(OccupancyTest, FewWarpsAndManyBlocksAreLimitedByBlocks) {
  const Occupancy result = get(hopper(), request(32, 16));
  EXPECT_EQ(result.limiters, std::vector{OccupancyLimiter::kBlocks});
  EXPECT_DOUBLE_EQ(result.fraction, 0.5);
  const BetterBlockSizes better = better_block_sizes(hopper(), result);
  ASSERT_TRUE(better.larger.has_value());
  EXPECT_EQ(better.larger->request.threads_per_block, 64);
  EXPECT_FALSE(better.smaller.has_value());
}

TEST(OccupancyTest, BarriersLimitBlocks) {
  const Occupancy result = get(hopper(), request(64, 16, 0, 0, 16));
  EXPECT_EQ(result.limiters, std::vector{OccupancyLimiter::kBarriers});
  EXPECT_EQ(result.blocks_per_sm, 4);
  ASSERT_EQ(result.changes.size(), 1u);
  EXPECT_EQ(result.changes[0].limit, 12);
}

TEST(OccupancyTest, FindsTheNearestBetterBlockSizes) {
  const Occupancy result = get(hopper(), request(768, 32));
  EXPECT_EQ(result.warps_per_sm, 48);
  const BetterBlockSizes better = better_block_sizes(hopper(), result);
  ASSERT_TRUE(better.smaller && better.larger);
  EXPECT_EQ(better.smaller->request.threads_per_block, 672);
  EXPECT_EQ(better.larger->request.threads_per_block, 800);
}

TEST(OccupancyTest, FindsTheBestBlockSizeOfAll) {
  const BetterBlockSizes better = better_block_sizes(hopper(), get(hopper(), request(768, 32)));
  ASSERT_TRUE(better.best);
  EXPECT_EQ(better.best->request.threads_per_block, 512);
  EXPECT_EQ(better.best->warps_per_sm, 64);
  EXPECT_FALSE(better_block_sizes(hopper(), *better.best).best) << "nothing is better than the best";
}

TEST(OccupancyTest, ABlockThatDoesNotFitHasNone) {
  const Occupancy result = get(hopper(), request(1024, 128));
  EXPECT_EQ(result.blocks_per_sm, 0);
  EXPECT_EQ(result.limiters, std::vector{OccupancyLimiter::kRegisters});
  ASSERT_EQ(result.changes.size(), 1u);
  EXPECT_EQ(result.changes[0].limit, 64);
  EXPECT_EQ(get(hopper(), request(128, 32, 228 * kKiB)).blocks_per_sm, 0);
  EXPECT_EQ(get(hopper(), request(128, 32, 227 * kKiB)).blocks_per_sm, 1);
}

TEST(OccupancyTest, APartialWarpCountsAsAWholeOne) {
  EXPECT_EQ(get(hopper(), request(33, 16)).warps_per_block, 2);
  EXPECT_EQ(get(hopper(), request(1, 0)).warps_per_block, 1);
}

TEST(OccupancyTest, NamesTheCarveoutThatHoldsTheBlocks) {
  EXPECT_EQ(get(hopper(), request(256, 32, 8 * kKiB)).carveout_needed, 100 * kKiB) << "8 blocks x 9 KiB";
}

TEST(OccupancyTest, TableKeepsRegistersAndSharedMemory) {
  const auto table = occupancy_by_block_size(hopper(), request(250, 40, kKiB));
  ASSERT_FALSE(table.empty());
  EXPECT_TRUE(std::any_of(table.begin(), table.end(),
                          [](const Occupancy& row) { return row.request.threads_per_block == 250; }));
  for (const Occupancy& row : table) {
    EXPECT_EQ(row.request.registers_per_thread, 40);
    EXPECT_EQ(row.request.shared_static, Bytes(kKiB));
  }
  EXPECT_EQ(table.back().request.threads_per_block, 1024);
}

TEST(OccupancyTest, RejectsWhatNoLaunchCanHave) {
  EXPECT_FALSE(occupancy(hopper(), request(0, 32)).has_value());
  EXPECT_FALSE(occupancy(hopper(), request(1025, 32)).has_value());
  EXPECT_FALSE(occupancy(hopper(), request(32, 256)).has_value());
  EXPECT_FALSE(occupancy(hopper(), request(32, -1)).has_value());
  EXPECT_FALSE(occupancy(hopper(), request(32, 32, -1)).has_value());
  EXPECT_FALSE(occupancy(hopper(), request(32, 32, 0, 0, -1)).has_value());
  const auto unknown = occupancy(OccupancyLimits{}, request(32, 32));
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotAvailable);
}

TEST(OccupancyTest, ReadsWhatALaunchAskedFor) {
  Configuration configuration;
  configuration.block = Dim3{32, 8, 1};
  EXPECT_FALSE(occupancy_request(configuration).has_value()) << "registers not known";
  configuration.registers_per_thread = Value<double>(22, Provenance::kReported);
  configuration.shared_static = Value<Bytes>(Bytes(4224), Provenance::kReported);
  const auto wanted = occupancy_request(configuration);
  ASSERT_TRUE(wanted.has_value());
  EXPECT_EQ(*wanted, request(256, 22, 4224));
}

}  // namespace
}  // namespace ridge
