#include "emulator/device/emulated_device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace ridge::emulator {
namespace {

using device::Parameter;

constexpr auto kSheet = Provenance::kDatasheet;

MemoryLevel level(Level which, double capacity, double bandwidth) {
  MemoryLevel level;
  level.level = which;
  level.capacity = {Bytes(capacity), kSheet};
  level.bandwidth = {BytesPerSecond(bandwidth), kSheet};
  level.bytes_per_clock = {128, kSheet};
  level.line_bytes = 128;
  level.sector_bytes = 32;
  return level;
}

/// Four SMs.
Machine small_gpu() {
  Machine machine;
  machine.id = machine.name = "small";
  machine.compute_capability = "9.0";
  machine.sm_count = 4;
  machine.cores_per_sm = 128;
  machine.boost_clock = Hertz(1e9);
  machine.ceilings.push_back({core(DataType::kFp32), 256, Hertz(1e9), kSheet, {}});
  machine.levels = {level(Level::kShared, 228 << 10, 5e11), level(Level::kL1, 256 << 10, 5e11),
                    level(Level::kL2, 1 << 20, 2e11), level(Level::kDram, 1 << 28, 1e11)};
  machine.occupancy.max_warps_per_sm = 64;
  machine.occupancy.max_blocks_per_sm = 32;
  machine.occupancy.registers_per_sm = 65536;
  machine.occupancy.max_registers_per_block = 65536;
  machine.occupancy.shared_bytes_per_sm = 228 << 10;
  machine.occupancy.shared_bytes_per_block = 227 << 10;
  machine.occupancy.shared_allocation_unit = 128;
  return machine;
}

std::string lab_ptx(const std::string& name) {
  std::stringstream text;
  text << std::ifstream(RIDGE_SOURCE_DIR "/src/lab/ptx/" + name).rdbuf();
  return text.str();
}

/// A kernel over one pointer.
std::string kernel(const std::string& body, const std::string& before = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + before +
         ".visible .entry k(.param .u64 p) {\n  .reg .b32 %r<9>;\n  .reg .b64 %d<9>;\n  ld.param.u64 %d1, [p];\n" +
         body + "  ret;\n}\n";
}

class EmulatedDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = EmulatedDevice::open(small_gpu());
    ASSERT_TRUE(opened) << to_string(opened.error());
    gpu_ = *std::move(opened);
  }

  device::Function function(const std::string& ptx, const char* entry) {
    const auto module = gpu_->load(ptx, "test.ptx");
    EXPECT_TRUE(module) << to_string(module.error());
    const auto found = gpu_->find(*module, entry);
    EXPECT_TRUE(found) << to_string(found.error());
    return *found;
  }

  device::Address buffer(const std::vector<std::uint32_t>& words) {
    const auto address = gpu_->allocate(4 * words.size());
    EXPECT_TRUE(address) << to_string(address.error());
    EXPECT_TRUE(gpu_->copy_in(*address, std::as_bytes(std::span(words))));
    return *address;
  }
  std::vector<std::uint32_t> words(device::Address address, std::size_t count) {
    std::vector<std::uint32_t> read(count);
    EXPECT_TRUE(gpu_->copy_out(std::as_writable_bytes(std::span(read)), address));
    return read;
  }

  Result<void> launch(device::Function function, device::Address address, std::uint32_t blocks = 1) {
    return gpu_->launch({function, {blocks, 1, 1}, {32, 1, 1}, 0, {Parameter::of(address)}});
  }

  std::unique_ptr<EmulatedDevice> gpu_;
};

TEST_F(EmulatedDeviceTest, SaysOfItselfWhatTheMachineStates) {
  const device::Identity& identity = gpu_->identity();
  EXPECT_EQ(identity.name, "small");
  EXPECT_EQ(identity.capability, 90);
  EXPECT_EQ(identity.sm_count, 4);
  EXPECT_EQ(identity.attributes.l2_capacity->count(), 1 << 20);
  EXPECT_EQ(identity.attributes.shared_per_block->count(), 227 << 10);
  EXPECT_FALSE(identity.attributes.max_dram_clock) << "nothing states it";
}

TEST_F(EmulatedDeviceTest, AMachineOfAnotherVendorIsNotAvailable) {
  Machine machine = small_gpu();
  machine.compute_capability = "gfx942";
  const auto opened = EmulatedDevice::open(machine);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotAvailable);
}

TEST_F(EmulatedDeviceTest, RunsAKernelOfTheLab) {
  constexpr std::size_t kCount = 512;
  std::vector<float> a(kCount), b(kCount), c(kCount);
  for (std::size_t i = 0; i < kCount; ++i) a[i] = float(i), b[i] = 0.5F;
  std::vector<device::Address> at;
  for (const auto* each : {&a, &b, &c}) {
    at.push_back(*gpu_->allocate(4 * kCount));
    ASSERT_TRUE(gpu_->copy_in(at.back(), std::as_bytes(std::span(*each))));
  }
  const device::Function add = function(lab_ptx("stream.ptx"), "vector_add");
  ASSERT_TRUE(gpu_->launch({add,
                            {2, 1, 1},
                            {256, 1, 1},
                            0,
                            {Parameter::of(at[0]), Parameter::of(at[1]), Parameter::of(at[2]),
                             Parameter::of(static_cast<std::int32_t>(kCount))}}));
  ASSERT_TRUE(gpu_->copy_out(std::as_writable_bytes(std::span(c)), at[2]));
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(c[i], float(i) + 0.5F);
  ASSERT_EQ(gpu_->runs().size(), 1U);
  EXPECT_EQ(gpu_->runs()[0].measurement.work.flops->count(), kCount);
  EXPECT_EQ(gpu_->runs()[0].measurement.work.flops.provenance(), Provenance::kCounted);
  EXPECT_EQ(gpu_->runs()[0].configuration.grid, (Dim3{2, 1, 1}));
}

TEST_F(EmulatedDeviceTest, AGuardThatNobodyTakesIsNoDivergence) {
  const device::Function guarded = function(
      kernel("  .reg .pred %p1;\n  setp.eq.u64 %p1, %d1, 0;\n  @%p1 bra END;\n  st.global.u32 [%d1], 7;\nEND:\n"), "k");
  ASSERT_TRUE(launch(guarded, buffer({0})));
  EXPECT_EQ(*gpu_->runs()[0].measurement.execution.threads_per_instruction, 32);
}

TEST_F(EmulatedDeviceTest, TheClockMovesOnByThePredictedTimeOfEachLaunch) {
  const device::Function store = function(kernel("  st.global.u32 [%d1], 7;\n"), "k");
  const device::Address address = buffer({0});
  std::vector<device::Event> events;
  for (int i = 0; i < 3; ++i) {
    events.push_back(*gpu_->create_event());
    ASSERT_TRUE(gpu_->record(events.back()));
    if (i < 2) {
      ASSERT_TRUE(launch(store, address));
    }
  }
  const Seconds first = *gpu_->elapsed(events[0], events[1]), both = *gpu_->elapsed(events[0], events[2]);
  ASSERT_TRUE(gpu_->runs()[0].time.total);
  EXPECT_GT(first.count(), 0);
  EXPECT_DOUBLE_EQ(first.count(), gpu_->runs()[0].time.total->count());
  EXPECT_DOUBLE_EQ(both.count(), (first + *gpu_->runs()[1].time.total).count());
  EXPECT_EQ(gpu_->runs()[0].time.total.provenance(), Provenance::kModelled);
  const device::Event never = *gpu_->create_event();
  EXPECT_FALSE(gpu_->elapsed(events[0], never)) << "it was not recorded";
  gpu_->destroy(events[0]);
  EXPECT_FALSE(gpu_->elapsed(events[0], events[1]));
}

TEST_F(EmulatedDeviceTest, AFaultIsAnErrorAndSoIsAllThatFollows) {
  const device::Function store = function(kernel("  st.global.u32 [%d1+64], 7;\n"), "k");
  const device::Address address = buffer({1, 2});
  const auto failed = launch(store, address);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kInternal);
  EXPECT_NE(failed.error().what.find("out-of-bounds"), std::string::npos) << failed.error().what;
  EXPECT_FALSE(gpu_->synchronise());
  EXPECT_FALSE(gpu_->allocate(4));
  std::vector<std::byte> read(4);
  const auto later = gpu_->copy_out(read, address);
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().what, failed.error().what);
}

TEST_F(EmulatedDeviceTest, MemoryIsCopiedFilledAndBounded) {
  const device::Address address = buffer({1, 2, 3, 4});
  ASSERT_TRUE(gpu_->copy(address + 8, address, 8));
  EXPECT_EQ(words(address, 4), (std::vector<std::uint32_t>{1, 2, 1, 2}));
  ASSERT_TRUE(gpu_->fill(address + 4, 0xFF, 4));
  EXPECT_EQ(words(address, 4), (std::vector<std::uint32_t>{1, 0xFFFFFFFF, 1, 2}));
  EXPECT_FALSE(gpu_->fill(address + 12, 0, 8)) << "past the end";
  EXPECT_FALSE(gpu_->copy(address, address + 12, 8));
  const auto room = gpu_->free_memory();
  ASSERT_TRUE(room);
  EXPECT_EQ(room->count(), (1 << 28) - 16);
  const auto refused = gpu_->allocate(1 << 28);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotAvailable);
  gpu_->release(address);
  EXPECT_EQ(gpu_->free_memory()->count(), 1 << 28);
  std::vector<std::byte> read(4);
  EXPECT_FALSE(gpu_->copy_out(read, address));
}

TEST_F(EmulatedDeviceTest, ABinaryIsNotAvailableAndBadPtxNamesItsFile) {
  const auto binary = gpu_->load(std::string_view("\x7f"
                                                  "ELF\0\1",
                                                  6),
                                 "stream.fatbin");
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().code, ErrorCode::kNotAvailable);
  const auto broken = gpu_->load("not PTX", "stream.ptx");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().where.substr(0, 10), "stream.ptx");
  const auto module = gpu_->load(kernel(""), "one.ptx");
  const auto missing = gpu_->find(*module, "other");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().where.substr(0, 7), "one.ptx");
}

TEST_F(EmulatedDeviceTest, AModulesVariablesOutliveItsLaunchesBesideThoseOfOthers) {
  const std::string counter =
      "  mov.u64 %d2, count;\n  ld.global.u32 %r1, [%d2];\n  add.u32 %r1, %r1, 1;\n"
      "  st.global.u32 [%d2], %r1;\n  st.global.u32 [%d1], %r1;\n";
  const device::Function ones = function(kernel(counter, ".global .u32 count = 10;\n"), "k");
  const device::Function others = function(kernel(counter, ".global .u32 count = 500;\n"), "k");
  const device::Address address = buffer({0});
  std::vector<std::uint32_t> seen;
  for (const device::Function each : {ones, others, ones, ones, others}) {
    const auto done = gpu_->launch({each, {1, 1, 1}, {1, 1, 1}, 0, {Parameter::of(address)}});
    ASSERT_TRUE(done) << to_string(done.error());
    seen.push_back(words(address, 1)[0]);
  }
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{11, 501, 12, 13, 502}));
}

TEST_F(EmulatedDeviceTest, WhatIsUnloadedCannotBeLaunched) {
  const auto module = gpu_->load(kernel("", ".global .u32 count;\n"), "one.ptx");
  const auto found = gpu_->find(*module, "k");
  const device::Address address = buffer({0});
  ASSERT_TRUE(launch(*found, address));
  gpu_->unload(*module);
  EXPECT_FALSE(launch(*found, address));
  EXPECT_FALSE(gpu_->find(*module, "k"));
  EXPECT_EQ(gpu_->free_memory()->count(), (1 << 28) - 4) << "its variable is given back";
}

TEST_F(EmulatedDeviceTest, ArgumentsAndSharedMemoryAreHeldToTheKernel) {
  const device::Function plain = function(kernel(""), "k");
  const device::Address address = buffer({0});
  const auto refused = [&](std::vector<Parameter> parameters, std::uint32_t shared) {
    const auto done = gpu_->launch({plain, {1, 1, 1}, {32, 1, 1}, shared, std::move(parameters)});
    return done ? "accepted" : done.error().what;
  };
  EXPECT_EQ(refused({}, 0), "the kernel takes 1 arguments, not 0");
  EXPECT_EQ(refused({Parameter::of(std::uint32_t{1})}, 0), "argument 1 has 8 bytes, not 4");
  EXPECT_EQ(refused({Parameter::of(address)}, 100 << 10), "102400 bytes of dynamic shared memory were not allowed");
  ASSERT_TRUE(gpu_->allow_dynamic_shared(plain, 100 << 10));
  EXPECT_EQ(refused({Parameter::of(address)}, 100 << 10), "accepted");
  EXPECT_FALSE(gpu_->allow_dynamic_shared(plain, 228 << 10)) << "more than a block may have";
}

TEST_F(EmulatedDeviceTest, FactsAreTheKernelsOwn) {
  const device::Function found = function(lab_ptx("gemm_f32.ptx"), "gemm_tiled");
  const auto facts = gpu_->facts(found);
  ASSERT_TRUE(facts) << to_string(facts.error());
  EXPECT_EQ(facts->shared_static.count(), 2 * 32 * 32 * 4);
  EXPECT_EQ(facts->local.count(), 0);
  EXPECT_GT(facts->registers, 15);
  EXPECT_LT(facts->registers, 100);
}

TEST_F(EmulatedDeviceTest, ATensorMapNeedsAnAlignedMatrixInMemory) {
  const device::Address address = *gpu_->allocate(64 * 64 * 2);
  const auto map = gpu_->tensor_map({address, 64, 64, 64, 64});
  ASSERT_TRUE(map);
  EXPECT_EQ(map->size, 128U);
  EXPECT_FALSE(gpu_->tensor_map({address + 2, 32, 64, 32, 64}));
  EXPECT_FALSE(gpu_->tensor_map({address, 64, 63, 64, 63}));
  EXPECT_FALSE(gpu_->tensor_map({address, 65, 64, 64, 64})) << "larger than the buffer";
}

}  // namespace
}  // namespace ridge::emulator
