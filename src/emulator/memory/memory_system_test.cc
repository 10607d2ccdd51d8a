// The memory system by small cases: what goes where, and that the number of workers changes nothing.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "emulator/memory/hierarchy.h"
#include "emulator/memory/test_patterns.h"

namespace ridge::emulator {
namespace {

using test::ask;
using test::kA;

/// One SM, one L2 without halves.
MemoryGeometry small() {
  return {.sms = 1, .l1_bytes = 64 << 10, .l2_bytes = 1 << 20, .l2_partitions = 1, .slices = 1};
}

void neighbours(SmMemory& memory, AccessKind kind, std::uint64_t base) {
  ask(memory, kind, 4, [=](unsigned lane) { return base + 4 * lane; });
}

TEST(MemoryHierarchy, ALineIsBroughtOnceThroughEveryLevel) {
  MemoryHierarchy memory(small());
  for (int i = 0; i < 3; ++i) neighbours(memory.sm(0), AccessKind::kLoad, kA);
  memory.drain_all();
  const MemoryCounts counts = memory.counts();
  EXPECT_EQ(counts.loads, (RequestCounts{.requests = 3, .sectors = 12, .hits = 8}));
  EXPECT_EQ(counts.l2_to_l1_bytes, 128U);
  EXPECT_EQ(counts.l2_read_sectors, 4U);
  EXPECT_EQ(counts.l2_read_hits, 0U);
  EXPECT_EQ(counts.dram_read_bytes, 128U);
}

TEST(MemoryHierarchy, LoadsPastL1AreAnsweredByL2) {
  MemoryHierarchy memory(small());
  std::array<std::uint64_t, kLanes> addresses{};
  for (unsigned lane = 0; lane < kLanes; ++lane) addresses[lane] = kA + 4 * lane;
  for (int i = 0; i < 2; ++i) memory.sm(0).global({.addresses = addresses.data(), .l1 = L1Use::kBypassed});
  memory.drain_all();
  EXPECT_EQ(memory.counts().loads.hits, 0U);
  EXPECT_EQ(memory.counts().l2_read_hits, 4U);
  EXPECT_EQ(memory.counts().dram_read_bytes, 128U);
}

TEST(MemoryHierarchy, OneSectorCostsDram64Bytes) {
  MemoryHierarchy memory(small());
  ask(memory.sm(0), AccessKind::kLoad, 4, [](unsigned) { return kA; });
  memory.drain_all();
  EXPECT_EQ(memory.counts().l2_to_l1_bytes, 32U);
  EXPECT_EQ(memory.counts().dram_read_bytes, 64U);
}

TEST(MemoryHierarchy, WholeSectorsAreWrittenWithoutReadingThem) {
  MemoryHierarchy memory(small());
  neighbours(memory.sm(0), AccessKind::kStore, kA);
  memory.drain_all();
  EXPECT_EQ(memory.counts().dram_read_bytes, 0U);
  EXPECT_EQ(memory.counts().dram_write_bytes, 0U);
  EXPECT_EQ(memory.counts().l2_dirty_bytes, 128U);
}

TEST(MemoryHierarchy, WhatIsReadBackAfterAPartialWriteComesFromDram) {
  MemoryHierarchy memory(small());
  ask(memory.sm(0), AccessKind::kStore, 4, [](unsigned) { return kA; });
  memory.drain_all();
  EXPECT_EQ(memory.counts().dram_read_bytes, 0U);
  ask(memory.sm(0), AccessKind::kLoad, 4, [](unsigned) { return kA + 4; });
  memory.drain_all();
  EXPECT_EQ(memory.counts().dram_read_bytes, 64U);
  EXPECT_EQ(memory.counts().l2_dirty_bytes, 32U);
}

TEST(MemoryHierarchy, AtomicsDropTheLineFromL1AndNeedItInL2) {
  MemoryHierarchy memory(small());
  neighbours(memory.sm(0), AccessKind::kLoad, kA);
  neighbours(memory.sm(0), AccessKind::kAtomic, kA);
  neighbours(memory.sm(0), AccessKind::kLoad, kA);
  memory.drain_all();
  const MemoryCounts counts = memory.counts();
  EXPECT_EQ(counts.loads.hits, 0U);
  EXPECT_EQ(counts.atomics.sectors, 4U);
  EXPECT_EQ(counts.l2_to_l1_bytes, 3U * 128);  // the atomic's old values as well
  EXPECT_EQ(counts.l1_to_l2_bytes, 128U);
  EXPECT_EQ(counts.dram_read_bytes, 128U);
  EXPECT_EQ(counts.l2_dirty_bytes, 128U);
}

TEST(MemoryHierarchy, BulkCopiesPassByL1) {
  MemoryHierarchy memory(small());
  memory.sm(0).bulk(AccessKind::kLoad, kA + 16, 256);
  memory.sm(0).bulk(AccessKind::kStore, kA + 4096, 64);
  memory.drain_all();
  const MemoryCounts counts = memory.counts();
  EXPECT_EQ(counts.bulk_read_bytes, 9U * 32);
  EXPECT_EQ(counts.l2_to_l1_bytes, 9U * 32);
  EXPECT_EQ(counts.l1_to_l2_bytes, 64U);
  EXPECT_EQ(counts.loads.requests, 0U);
}

TEST(MemoryHierarchy, HalvesOfL2CopyWhatTheyReadFromEachOther) {
  MemoryGeometry geometry = small();
  geometry.sms = geometry.l2_partitions = 2;
  MemoryHierarchy memory(geometry);
  constexpr std::uint64_t kLinesRead = 1000;
  for (std::uint32_t sm = 0; sm < 2; ++sm) {
    for (std::uint64_t i = 0; i < kLinesRead; ++i) neighbours(memory.sm(sm), AccessKind::kLoad, kA + 128 * i);
  }
  memory.drain_all();
  const MemoryCounts counts = memory.counts();
  EXPECT_EQ(counts.dram_read_bytes, 128 * kLinesRead);
  EXPECT_EQ(counts.l2_read_sectors, 8 * kLinesRead);
  // each line is far from one of the two SMs
  EXPECT_EQ(counts.l2_fabric_sectors, 4 * kLinesRead);
  EXPECT_EQ(counts.l2_sectors, 12 * kLinesRead);
}

TEST(MemoryHierarchy, AWriteEndsTheCopyInTheOtherHalf) {
  MemoryGeometry geometry = small();
  geometry.sms = geometry.l2_partitions = 2;
  geometry.l1_bytes = 0;
  MemoryHierarchy memory(geometry);
  const auto read_by_both = [&] {
    for (std::uint32_t sm = 0; sm < 2; ++sm) memory.sm(sm).bulk(AccessKind::kLoad, kA, 128);
    memory.drain_all();
    return memory.counts().l2_fabric_sectors;
  };
  EXPECT_EQ(read_by_both(), 4U);
  EXPECT_EQ(read_by_both(), 4U) << "both have it";
  for (std::uint32_t sm = 0; sm < 2; ++sm) memory.sm(sm).bulk(AccessKind::kStore, kA, 128);
  memory.drain_all();
  EXPECT_EQ(memory.counts().l2_fabric_sectors, 8U) << "one of the two writes is from afar";
  EXPECT_EQ(read_by_both(), 12U) << "the copy was dropped";
  EXPECT_EQ(memory.counts().dram_read_bytes, 128U);
}

TEST(MemoryHierarchy, SharedRequestsAreCountedByKind) {
  SmMemory memory(0, 1);
  std::array<std::uint64_t, kLanes> column{};
  for (unsigned lane = 0; lane < kLanes; ++lane) column[lane] = 128 * lane;
  memory.shared({.addresses = column.data(), .kind = AccessKind::kLoad});
  memory.shared({.addresses = column.data(), .active = 1, .kind = AccessKind::kStore});
  memory.shared({.addresses = column.data(), .active = 3, .kind = AccessKind::kReduction});
  EXPECT_EQ(memory.counts().shared_loads, (SharedCounts{.requests = 1, .wavefronts = 32, .conflicts = 31}));
  EXPECT_EQ(memory.counts().shared_stores, (SharedCounts{.requests = 1, .wavefronts = 1, .conflicts = 0}));
  EXPECT_EQ(memory.counts().shared_atomics, (SharedCounts{.requests = 1, .wavefronts = 2, .conflicts = 1}));
}

void random_requests(MemoryHierarchy& memory, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::uint32_t sm = 0; sm < memory.sms(); ++sm) {
    for (unsigned i = 0; i < 200 + 50 * sm; ++i) {
      const auto kind = static_cast<AccessKind>(random() % 4);
      ask(memory.sm(sm), kind, 4, [&](unsigned) { return kA + random() % (1U << 22) / 4 * 4; });
    }
  }
}

/// Two workers, each with half of the slices, against one with all of them.
TEST(MemoryHierarchy, TheNumberOfWorkersChangesNothing) {
  MemoryGeometry geometry{.sms = 6, .l1_bytes = 32 << 10, .l2_bytes = 1 << 20, .l2_partitions = 2, .slices = 8};
  MemoryHierarchy alone(geometry), together(geometry);
  for (std::uint32_t round = 0; round < 5; ++round) {
    random_requests(alone, round);
    random_requests(together, round);
    alone.drain_all();
    const auto half = [&](std::uint32_t first) {
      for (std::uint32_t slice = first; slice < together.slices(); slice += 2) together.drain(slice);
    };
    std::thread other(half, 1);
    half(0);
    other.join();
  }
  EXPECT_EQ(alone.counts(), together.counts());
  EXPECT_GT(alone.counts().dram_write_bytes, 0U);
}

TEST(MemoryHierarchy, CopiesAndOperandsAreNoLoadsOrStoresOfSharedMemory) {
  MemoryHierarchy memory(small());
  std::array<std::uint64_t, kLanes> offsets{};
  for (unsigned lane = 0; lane < kLanes; ++lane) offsets[lane] = 8 * lane;
  for (const AccessKind kind : {AccessKind::kAsyncCopy, AccessKind::kAsyncCopy, AccessKind::kOperand}) {
    memory.sm(0).shared({.addresses = offsets.data(), .kind = kind});
  }
  const MemoryCounts counts = memory.counts();
  EXPECT_EQ(counts.shared_copies, (SharedCounts{.requests = 2, .wavefronts = 4, .conflicts = 2}));
  EXPECT_EQ(counts.shared_operands, (SharedCounts{.requests = 1, .wavefronts = 2, .conflicts = 1}));
  EXPECT_EQ(counts.shared_loads, SharedCounts{});
  EXPECT_EQ(counts.shared_stores, SharedCounts{});
  EXPECT_EQ(counts.shared(), (SharedCounts{.requests = 3, .wavefronts = 6, .conflicts = 3}));
}

TEST(MemoryGeometry, ComesFromAMachineOrSaysWhatLacks) {
  Machine machine;
  machine.id = "card";
  EXPECT_FALSE(geometry_of(machine, 0));
  machine.sm_count = 132;
  machine.compute_capability = "9.0";
  const auto level = [](Level which, double bytes) {
    MemoryLevel result;
    result.level = which;
    result.capacity = Value<Bytes>(Bytes(bytes), Provenance::kDatasheet);
    return result;
  };
  machine.levels = {level(Level::kL1, 256 << 10)};
  const auto lacking = geometry_of(machine, 0);
  ASSERT_FALSE(lacking);
  EXPECT_EQ(lacking.error().what, "card states no capacity of L2");
  machine.levels.push_back(level(Level::kL2, 60 << 20));
  const auto geometry = geometry_of(machine, 32 << 10);
  ASSERT_TRUE(geometry);
  EXPECT_EQ(geometry->l1_bytes, 224U << 10);
  EXPECT_EQ(geometry->l2_bytes, 60U << 20);
  EXPECT_EQ(geometry->l2_partitions, 2U);
  EXPECT_FALSE(geometry_of(machine, 300 << 10));
  machine.compute_capability = "8.9";
  EXPECT_EQ(geometry_of(machine, 0)->l2_partitions, 1U);
}

}  // namespace
}  // namespace ridge::emulator
