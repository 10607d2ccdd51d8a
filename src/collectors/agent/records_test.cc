#include "collectors/agent/records.h"

#include <gtest/gtest.h>

#include "collectors/agent/keeps_all.h"

namespace ridge::collectors::agent {
namespace {

struct World {
  explicit World(wire::Settings wanted = {}) : settings(std::move(wanted)) {}
  KeepsAll outbox;
  wire::Settings settings;
  Cupti cupti;
  Driver driver;
  Policy policy{settings, 0, outbox};
  Books books{TextBook(outbox), KernelBook(books.texts, settings.kernel_filter), ShapeBook(outbox),
              DeviceBook(cupti, driver, outbox, false)};
  RangeTally tally;
  RecordReader reader{books, policy, tally, outbox, cupti};

  template <class Record>
  void read(const Record& record) {
    reader.read(*static_cast<const abi::Activity*>(static_cast<const void*>(&record)));
  }
};

abi::ActivityKernel kernel(const char* name) {
  abi::ActivityKernel record{};
  record.kind = abi::kActivityConcurrentKernel;
  record.name = name;
  record.registersPerThread = 40;
  record.start = 1000;
  record.end = 1500;
  record.deviceId = 1;
  record.contextId = 3;
  record.streamId = 7;
  record.gridX = 8;
  record.gridY = record.gridZ = 1;
  record.blockX = 256;
  record.blockY = record.blockZ = 1;
  record.dynamicSharedMemory = 512;
  record.correlationId = 42;
  return record;
}

TEST(AgentRecords, AKernelIsALaunchOfItsTextAndShape) {
  World world;
  world.read(kernel("_Z4gemmPf"));
  world.read(kernel("_Z4gemmPf"));
  world.reader.flush();
  EXPECT_EQ(world.outbox.all<wire::Text>().size(), 1U);
  ASSERT_EQ(world.outbox.all<wire::Shape>().size(), 1U);
  const auto shape = world.outbox.all<wire::Shape>()[0];
  EXPECT_EQ(shape.grid[0], 8U);
  EXPECT_EQ(shape.registers, 40U);
  EXPECT_EQ(shape.shared_dynamic, 512U);
  const auto batches = world.outbox.all<wire::Launches>();
  ASSERT_EQ(batches.size(), 1U);
  ASSERT_EQ(batches[0].items.size(), 2U);
  const auto& launch = batches[0].items[0];
  EXPECT_EQ(launch.kernel, world.outbox.all<wire::Text>()[0].id);
  EXPECT_EQ(launch.shape, shape.id);
  EXPECT_EQ(launch.device, 1U);
  EXPECT_EQ(launch.stream, 7U);
  EXPECT_EQ(launch.correlation, 42U);
  EXPECT_EQ(launch.end - launch.start, 500U);
}

TEST(AgentRecords, TheFirstRecordOfAContextTellsOfIt) {
  World world;
  world.read(kernel("a"));
  world.read(kernel("a"));
  const auto contexts = world.outbox.all<wire::ContextMade>();
  ASSERT_EQ(contexts.size(), 1U);
  EXPECT_EQ(contexts[0].context, 3U);
  EXPECT_EQ(contexts[0].device, 1U);
  EXPECT_EQ(world.outbox.all<wire::DeviceFound>().size(), 1U);
}

TEST(AgentRecords, AKernelThatTheFilterDoesNotWantIsNotSent) {
  wire::Settings settings;
  settings.kernel_filter = "gemm";
  World world(settings);
  world.read(kernel("_Z4gemmPf"));
  world.read(kernel("saxpy"));
  world.reader.flush();
  ASSERT_EQ(world.outbox.all<wire::Launches>().size(), 1U);
  EXPECT_EQ(world.outbox.all<wire::Launches>()[0].items.size(), 1U);
}

TEST(AgentRecords, CopiesAndSetsSayWhatMemory) {
  World world;
  abi::ActivityMemcpy copy{};
  copy.kind = abi::kActivityMemcpy;
  copy.srcKind = abi::kMemoryPinned;
  copy.dstKind = abi::kMemoryDevice;
  copy.bytes = 4096;
  abi::ActivityMemset set{};
  set.kind = abi::kActivityMemset;
  set.memoryKind = abi::kMemoryManaged;
  abi::ActivityMemcpyPtoP peer{};
  peer.kind = abi::kActivityMemcpy2;
  peer.srcDeviceId = 0;
  peer.dstDeviceId = 1;
  world.read(copy);
  world.read(set);
  world.read(peer);
  world.reader.flush();
  ASSERT_EQ(world.outbox.all<wire::Copies>().size(), 1U);
  const auto items = world.outbox.all<wire::Copies>()[0].items;
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].from, wire::MemoryKind::kPinned);
  EXPECT_EQ(items[0].to, wire::MemoryKind::kDevice);
  EXPECT_EQ(items[0].bytes, 4096U);
  EXPECT_TRUE(items[1].set);
  EXPECT_EQ(items[1].to, wire::MemoryKind::kManaged);
  EXPECT_EQ(items[2].other_device, 1U);
}

TEST(AgentRecords, BothEndsOfARangeMakeOneEventInEitherOrder) {
  for (const bool end_first : {false, true}) {
    World world;
    abi::ActivityMarker start{};
    start.kind = abi::kActivityMarker;
    start.flags = abi::kMarkerStart;
    start.id = 5;
    start.timestamp = 100;
    start.threadId = 77;
    start.name = "step";
    abi::ActivityMarker end = start;
    end.flags = abi::kMarkerEnd;
    end.timestamp = 300;
    end.name = nullptr;
    world.read(end_first ? end : start);
    world.read(end_first ? start : end);
    world.reader.flush();
    ASSERT_EQ(world.outbox.all<wire::Events>().size(), 1U);
    const auto event = world.outbox.all<wire::Events>()[0].items.at(0);
    EXPECT_EQ(event.kind, wire::EventKind::kRange);
    EXPECT_EQ(event.start, 100U);
    EXPECT_EQ(event.end, 300U);
    EXPECT_EQ(event.thread, 77U);
    EXPECT_EQ(world.outbox.all<wire::Text>().at(0).text, "step");
  }
}

TEST(AgentRecords, UnknownKindsAreCountedNotGuessedAt) {
  World world;
  abi::ActivityKernel record{};
  record.kind = 9999;
  world.read(record);
  world.read(record);
  world.reader.flush();
  const auto dropped = world.outbox.all<wire::Dropped>();
  ASSERT_EQ(dropped.size(), 1U);
  EXPECT_EQ(dropped[0].what, wire::Loss::kUnknownRecords);
  EXPECT_EQ(dropped[0].count, 2U);
  world.reader.flush();
  EXPECT_EQ(world.outbox.all<wire::Dropped>().size(), 1U);
}

TEST(AgentRecords, PagesThatMoveAndFaults) {
  World world;
  abi::ActivityUnifiedMemory record{};
  record.kind = abi::kActivityUnifiedMemoryCounter;
  record.counterKind = abi::kUnifiedBytesHtod;
  record.value = 65536;
  record.dstId = 1;
  world.read(record);
  record.counterKind = abi::kUnifiedGpuPageFault;
  world.read(record);
  world.reader.flush();
  const auto items = world.outbox.all<wire::Events>().at(0).items;
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].kind, wire::EventKind::kPageMigration);
  EXPECT_EQ(items[0].bytes, 65536U);
  EXPECT_EQ(items[0].device, 1U);
  EXPECT_EQ(items[1].kind, wire::EventKind::kPageFault);
}

}  // namespace
}  // namespace ridge::collectors::agent
