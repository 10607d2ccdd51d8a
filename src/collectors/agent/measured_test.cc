#include "collectors/agent/measured.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>

#include "collectors/agent/clock.h"
#include "collectors/agent/keeps_all.h"
#include "ridgepoint/range.h"

namespace ridge::collectors::agent {
namespace {

using Program = range_detail::RidgeRangeFigures;
static_assert(sizeof(RangeFigures) == sizeof(Program));
static_assert(offsetof(RangeFigures, have) == offsetof(Program, have));
static_assert(offsetof(RangeFigures, kernel_seconds) == offsetof(Program, kernel_seconds));
static_assert(offsetof(RangeFigures, launches) == offsetof(Program, launches));
static_assert(offsetof(RangeFigures, dram_read_bytes) == offsetof(Program, dram_read_bytes));
static_assert(offsetof(RangeFigures, warp_instructions) == offsetof(Program, warp_instructions));

int current_context(abi::Context* context) {
  static int here = 0;
  *context = static_cast<abi::Context>(static_cast<void*>(&here));
  return 0;
}
int no_context(abi::Context* context) {
  *context = nullptr;
  return 0;
}
abi::Result second_device(abi::Context, std::uint32_t* device) {
  *device = 1;
  return abi::kSuccess;
}

/// A thread that uses device 1, in a process that may not count.
struct World {
  World() {
    cupti.get_device_id = &second_device;
    driver.get_current_context = &current_context;
  }
  /// A record of a kernel that came now, of a length.
  void kernel(std::uint32_t device, wire::Nanoseconds length) {
    const wire::Nanoseconds now = real_now();
    delivered.push_back([this, device, now, length] { tally.kernel(device, 7, now, now + length); });
  }
  RangeFigures end() {
    RangeFigures figures{};
    measured.end(figures);
    return figures;
  }
  bool recording = true;
  std::vector<std::function<void()>> delivered;  // by a flush
  KeepsAll outbox;
  Cupti cupti;
  Driver driver;
  wire::Settings settings;
  Policy policy{settings, 0, outbox};
  TextBook texts{outbox};
  KernelBook kernels{texts, ""};
  RangeWatch watch{""};
  Marks marks{texts, watch, outbox, [this] { return recording; }};
  RangeTally tally;
  LaunchWatch launches{{cupti, driver, kernels, policy, watch, tally, outbox},
                       false,
                       [](wire::Stage, std::int32_t, const std::string&, wire::TextId) {}};
  MeasuredRanges measured{{cupti, driver, texts, marks, launches, tally, outbox},
                          [this] { return recording; },
                          [this](bool) {
                            for (const auto& deliver : delivered) deliver();
                            delivered.clear();
                          }};
};

TEST(AgentMeasured, KernelsOfTheRangeAndItsDeviceAreCounted) {
  World world;
  world.kernel(1, 1'000);
  for (const auto& deliver : world.delivered) deliver();
  world.delivered.clear();
  world.measured.begin("step");
  world.kernel(1, 300);
  world.kernel(1, 500);
  world.kernel(0, 7'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const RangeFigures figures = world.end();
  EXPECT_EQ(figures.have, 7U) << "no counters";
  EXPECT_EQ(figures.launches, 2U);
  EXPECT_NEAR(figures.kernel_seconds, 800e-9, 1e-15);
  EXPECT_GE(figures.seconds, 1e-3);
  const auto ranges = world.outbox.all<wire::RangeMeasured>();
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].device, 1U);
  EXPECT_EQ(ranges[0].thread, this_thread());
  EXPECT_TRUE(ranges[0].kernels_known);
  EXPECT_EQ(ranges[0].launches, 2U);
  EXPECT_EQ(ranges[0].kernel_nanoseconds, 800U);
  EXPECT_TRUE(ranges[0].image.empty());
  world.marks.flush();
  EXPECT_TRUE(world.outbox.all<wire::Events>().empty()) << "it is told of once";
}

TEST(AgentMeasured, TheInnerRangeHasItsTimeAlone) {
  World world;
  world.measured.begin("outer");
  world.measured.begin("inner");
  world.kernel(1, 300);
  EXPECT_EQ(world.end().have, 1U);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const RangeFigures outer = world.end();
  EXPECT_EQ(outer.launches, 1U);
  world.marks.flush();
  EXPECT_EQ(world.outbox.all<wire::RangeMeasured>().size(), 1U);
  ASSERT_EQ(world.outbox.all<wire::Events>().size(), 1U) << "the inner one is marked";
}

TEST(AgentMeasured, ARangeBesideAnotherThreadsHasItsTimeAlone) {
  World world;
  world.measured.begin("step");
  std::uint32_t have = 0;
  std::thread([&] {
    world.measured.begin("other");
    have = world.end().have;
  }).join();
  EXPECT_EQ(have, 1U);
  EXPECT_EQ(world.end().have, 7U);
}

TEST(AgentMeasured, AKernelWithoutTimesLeavesThemUnknown) {
  World world;
  world.measured.begin("step");
  world.delivered.push_back([&] { world.tally.kernel(1, 8, 0, 0); });
  EXPECT_EQ(world.end().have, 1U);
  EXPECT_FALSE(world.outbox.all<wire::RangeMeasured>().at(0).kernels_known);
}

TEST(AgentMeasured, ARecordOfAnEarlierReplayIsNotOfTheRange) {
  World world;
  world.tally.replayed(8);
  world.measured.begin("step");
  world.delivered.push_back([&] { world.tally.kernel(1, 8, 0, 0); });
  const RangeFigures figures = world.end();
  EXPECT_EQ(figures.have, 7U);
  EXPECT_EQ(figures.launches, 0U);
}

TEST(AgentMeasured, LostRecordsLeaveKernelsUnknown) {
  World world;
  world.measured.begin("step");
  world.tally.lost();
  EXPECT_EQ(world.end().have, 1U);
  world.measured.begin("next");
  EXPECT_EQ(world.end().have, 7U);
}

TEST(AgentMeasured, OutsideOfTheRecordingAndWithoutAContextThereIsTime) {
  World world;
  world.recording = false;
  world.measured.begin("step");
  EXPECT_EQ(world.end().have, 1U);
  world.recording = true;
  world.driver.get_current_context = &no_context;
  World without;
  without.driver.get_current_context = &no_context;
  without.measured.begin("step");
  EXPECT_EQ(without.end().have, 1U);
  EXPECT_TRUE(world.outbox.all<wire::RangeMeasured>().empty());
  EXPECT_TRUE(without.outbox.all<wire::RangeMeasured>().empty());
}

TEST(AgentMeasured, EndWithoutBeginIsNothing) {
  World world;
  EXPECT_EQ(world.end().have, 0U);
}

}  // namespace
}  // namespace ridge::collectors::agent
