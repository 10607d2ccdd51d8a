#include "emulator/memory/schedule.h"

#include <gtest/gtest.h>

#include <set>

namespace ridge::emulator {
namespace {

Machine h200() {
  Machine machine;
  machine.id = "h200-sxm";
  machine.sm_count = 132;
  machine.occupancy.max_warps_per_sm = 64;
  machine.occupancy.max_blocks_per_sm = 32;
  machine.occupancy.registers_per_sm = machine.occupancy.max_registers_per_block = 65536;
  machine.occupancy.shared_bytes_per_sm = 228 << 10;
  machine.occupancy.shared_bytes_per_block = 227 << 10;
  machine.occupancy.shared_reserved_per_block = 1024;
  machine.occupancy.shared_allocation_unit = 128;
  for (const int kib : {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}) {
    machine.occupancy.shared_carveouts.push_back(kib * 1024.0);
  }
  return machine;
}

OccupancyRequest request(int threads, int registers) {
  OccupancyRequest result;
  result.threads_per_block = threads;
  result.registers_per_thread = registers;
  return result;
}

/// launch__shared_mem_config_size of the recordings tour_full_raw.csv.gz and torch_raw.csv.gz.
TEST(SharedCarveout, IsThatOfRecordedLaunches) {
  const OccupancyLimits limits = h200().occupancy;
  struct Recorded {
    int blocks;
    double shared_per_block, kib;
  };
  for (const Recorded& launch : std::vector<Recorded>{{8, 1024, 32},
                                                      {2, 1024, 8},
                                                      {8, 2048, 32},
                                                      {2, 9216, 32},
                                                      {8, 5120, 100},
                                                      {8, 5248, 100},
                                                      {2, 1152, 8},
                                                      {16, 1048, 32},
                                                      {16, 1024, 32},
                                                      {32, 1024, 32},
                                                      {1, 148480, 164},
                                                      {1, 214212, 228}}) {
    EXPECT_EQ(shared_carveout(limits, launch.blocks, launch.shared_per_block), launch.kib * 1024)
        << launch.blocks << " of " << launch.shared_per_block;
  }
}

TEST(Residency, FollowsOccupancyAndTheLaunchOwnSetting) {
  const auto naive = residency_of(h200(), request(1024, 32));
  ASSERT_TRUE(naive);
  EXPECT_EQ(naive->blocks_per_sm, 2U);
  EXPECT_EQ(naive->shared_carveout, 8192);
  OccupancyRequest own = request(256, 16);
  own.shared_carveout = Bytes(100 * 1024);
  const auto set = residency_of(h200(), own);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->shared_carveout, 100 * 1024);
}

TEST(Residency, ABlockThatFitsNowhereIsAUsageError) {
  const auto result = residency_of(h200(), request(1024, 128));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
}

TEST(BlockScheduler, TheFirstWaveGoesRoundTheSms) {
  BlockScheduler scheduler(10, 4, 2);
  const std::vector<Placement> batch = scheduler.next_batch();
  ASSERT_EQ(batch.size(), 8U);
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(batch[i], (Placement{i, i % 4, i / 4}));
  for (const Placement& placement : batch) scheduler.finished(placement, 1);
  EXPECT_EQ(scheduler.next_batch(), (std::vector<Placement>{{8, 0, 0}, {9, 1, 0}}));
}

TEST(BlockScheduler, TheNextBlockGoesWhereAPlaceIsFreeFirst) {
  BlockScheduler scheduler(7, 4, 1);
  for (const Placement& placement : scheduler.next_batch()) {
    scheduler.finished(placement, placement.sm == 2 ? 1 : 10);
  }
  // SM 2 is free at 1; the mean is 7.75, so that its next block is thought to end before the others do
  const std::vector<Placement> batch = scheduler.next_batch();
  ASSERT_EQ(batch, (std::vector<Placement>{{4, 2, 0}}));
  scheduler.finished(batch[0], 1);
  EXPECT_EQ(scheduler.next_batch(), (std::vector<Placement>{{5, 2, 0}}));
}

TEST(BlockScheduler, EveryBlockRunsOnce) {
  for (const std::uint32_t cluster : {1U, 2U, 4U}) {
    BlockScheduler scheduler(1000, 7, 3, cluster);
    std::set<std::uint64_t> seen;
    for (auto batch = scheduler.next_batch(); !batch.empty(); batch = scheduler.next_batch()) {
      for (const Placement& placement : batch) {
        EXPECT_TRUE(seen.insert(placement.block).second);
        EXPECT_LT(placement.sm, 7U);
        EXPECT_LT(placement.slot, 3U);
        scheduler.finished(placement, 1.0 + static_cast<double>(placement.block % 5));
      }
    }
    EXPECT_EQ(seen.size(), 1000U);
  }
}

TEST(BlockScheduler, BlocksOfAClusterStartTogetherOnNeighbours) {
  BlockScheduler scheduler(8, 4, 1, 2);
  EXPECT_EQ(scheduler.next_batch(), (std::vector<Placement>{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}}));
}

/// The tour's chain: 133 blocks for 132 places take twice the time of 132.
TEST(BlockScheduler, OneBlockTooManyCostsAWave) {
  BlockScheduler scheduler(133, 132, 1);
  for (auto batch = scheduler.next_batch(); !batch.empty(); batch = scheduler.next_batch()) {
    for (const Placement& placement : batch) scheduler.finished(placement, 5);
  }
  EXPECT_EQ(scheduler.makespan(), 10);
  EXPECT_NEAR(scheduler.waves(), 133.0 / 132, 1e-12);
  EXPECT_NEAR(scheduler.balance(), 133.0 / 264, 1e-12);
}

}  // namespace
}  // namespace ridge::emulator
