#include <gtest/gtest.h>

#include <array>

#include "emulator/exec/exec_rig.h"
#include "emulator/exec/mbarrier.h"
#include "emulator/exec/tensor_map.h"

namespace ridge::emulator {
namespace {

using testing::answers;
using testing::KernelRig;
using testing::ThreadRig;

TEST(MbarrierTest, APhaseEndsWithItsLastArrival) {
  std::array<std::byte, 8> bytes{};
  MbarrierRef barrier(bytes.data());
  barrier.init(3);
  const std::uint64_t token = barrier.arrive(1);
  EXPECT_FALSE(barrier.passed(token));
  EXPECT_EQ(MbarrierRef::pending(barrier.arrive(1)), 2U);
  EXPECT_FALSE(barrier.passed_parity(false));
  (void)barrier.arrive(1);
  EXPECT_TRUE(barrier.passed(token));
  EXPECT_TRUE(barrier.passed_parity(false));
  EXPECT_FALSE(barrier.passed_parity(true));
  (void)barrier.arrive(3);
  EXPECT_TRUE(barrier.passed_parity(true));
}

TEST(MbarrierTest, APhaseWaitsForItsBytesInWhateverOrder) {
  std::array<std::byte, 8> bytes{};
  MbarrierRef barrier(bytes.data());
  barrier.init(1);
  barrier.complete(100);  // before they are expected
  EXPECT_FALSE(barrier.passed_parity(false));
  barrier.expect(300);
  (void)barrier.arrive(1);
  EXPECT_FALSE(barrier.passed_parity(false));
  barrier.complete(200);
  EXPECT_TRUE(barrier.passed_parity(false));
}

TEST(MbarrierTest, ArrivalsThatDropAreNotExpectedAgain) {
  std::array<std::byte, 8> bytes{};
  MbarrierRef barrier(bytes.data());
  barrier.init(2);
  (void)barrier.arrive(1, true);
  (void)barrier.arrive(1);
  EXPECT_TRUE(barrier.passed_parity(false));
  (void)barrier.arrive(1);
  EXPECT_TRUE(barrier.passed_parity(true));
}

TEST(AsyncCopyTest, CopiesAndFillsWithZeros) {
  const auto out = answers(R"(
    mov.u32 %r1, near; mad.lo.u32 %r1, %t, 16, %r1;
    mov.u32 %r3, -1;
    st.shared.u32 [%r1+12], %r3; st.shared.u32 [%r1+4], %r3;
    and.b32 %r2, %t, 1; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, 4;
    cp.async.cg.shared.global [%r1], [words], 16, %r2;
    cp.async.commit_group; cp.async.wait_group 0;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1];
    mad.lo.u32 %r0, %r5, 10, %r4; mad.lo.u32 %r0, %r7, 100, %r0;)",
                           ".global .align 16 .u32 words[4] = {1, 2, 3, 4}; .shared .align 16 .b8 near[512];");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 1 : 21) << i;
}

TEST(AsyncCopyTest, TheSourceMustBeAlignedAsWell) {
  ThreadRig kernel("mov.u32 %r0, 0; cp.async.cg.shared.global [near], [words+4], 16;",
                   ".global .align 16 .u32 words[8]; .shared .align 16 .b8 near[16];");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kMisaligned));
}

TEST(BulkCopyTest, AMulticastReachesTheBlocksOfItsMask) {
  ThreadRig kernel(R"(
    mov.u32 %r1, %cluster_ctarank;
    setp.ne.u32 %p0, %t, 0;
    @!%p0 mbarrier.init.shared.b64 [gate], 1;
    @!%p0 mbarrier.arrive.expect_tx.shared.b64 %d1, [gate], 128;
    barrier.cluster.arrive; barrier.cluster.wait;
    setp.ne.or.u32 %p1, %r1, 0, %p0;
    mov.u16 %h1, 11;
    @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [near], [words], 128, [gate], %h1;
    setp.eq.u32 %p2, %r1, 2;
    mov.u32 %r0, 0;
    @%p2 bra DONE;
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p3, [gate], 0;
    @!%p3 bra WAIT;
DONE:
    mov.u32 %r2, near; mad.lo.u32 %r2, %t, 4, %r2;
    ld.shared.u32 %r0, [%r2];)",
                   ".global .align 16 .u32 words[32] = {7, 8, 9}; .shared .align 16 .b8 near[128]; .shared .b64 gate;",
                   32, 4);
  kernel.rig.request.cluster = {4, 1, 1};
  kernel.rig.options.sms = 4;
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  for (std::uint32_t b = 0; b < 4; ++b) EXPECT_EQ(kernel.answers()[b * 32 + 1], b == 2 ? 0 : 8) << b;
}

TEST(BulkCopyTest, SizesThatAreNoMultipleOf16AreFaults) {
  ThreadRig kernel("mov.u32 %r0, 0; cp.async.bulk.global.shared::cta.bulk_group [%out], [near], 24;",
                   ".shared .align 16 .b8 near[128];");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kBadOperand)) << kernel.rig.fault();
}

// Rows of 128 bytes: the 16-byte piece c of row r lies at c ^ (r mod 8), for narrower patterns at fewer bits of it.
TEST(SwizzleTest, PiecesChangePlacesByTheirRow) {
  for (std::uint64_t row = 0; row < 16; ++row) {
    for (std::uint64_t piece = 0; piece < 8; ++piece) {
      const std::uint64_t at = row * 128 + piece * 16;
      EXPECT_EQ(swizzled(1024, at, Swizzle::kNone), 1024 + at);
      EXPECT_EQ(swizzled(1024, at, Swizzle::k128), 1024 + row * 128 + (piece ^ row % 8) * 16);
      EXPECT_EQ(swizzled(1024, at, Swizzle::k64), 1024 + row * 128 + (piece ^ row % 4) * 16);
      EXPECT_EQ(swizzled(1024, at, Swizzle::k32), 1024 + row * 128 + (piece ^ row % 2) * 16);
    }
  }
}

TensorMap small_map() {
  TensorMap map;
  map.address = 4096;
  map.rank = 2;
  map.element_bytes = 4;
  map.extent = {40, 10};
  map.box = {32, 8};
  map.stride = {4, 160};
  return map;
}

TEST(TensorMapTest, WhatIsNoMapOrAnUnsoundOneIsRefused) {
  EXPECT_TRUE(decode_tensor_map(encode(small_map())).has_value());
  EXPECT_FALSE(decode_tensor_map(std::array<std::byte, kTensorMapBytes>{}).has_value());
  TensorMap map = small_map();
  map.box = {256, 256};
  EXPECT_FALSE(decode_tensor_map(encode(map)).has_value());  // 256 KiB
  map = small_map();
  map.element_bytes = 1U << 31;
  EXPECT_FALSE(decode_tensor_map(encode(map)).has_value());
}

// A box that hangs over the tensor's corner: what lies outside is zeros, and counts as bytes all the same.
TEST(TensorMapTest, ABoxPartlyOutsideIsFilledWithZerosAndSwizzled) {
  KernelRig rig(R"(
.shared .align 1024 .b8 box[1024];
.shared .align 8 .b64 gate;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
  .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<4>;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p0, %r0, 0;
  mov.b64 %d0, map; cvta.param.u64 %d0, %d0;
  @%p0 bra READY;
  mbarrier.init.shared.b64 [gate], 1;
  mbarrier.arrive.expect_tx.shared.b64 %d1, [gate], 1024;
  mov.u32 %r1, 24; mov.u32 %r2, -3;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%d0, {%r1, %r2}], [gate];
READY:
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0;
  @!%p1 bra WAIT;
  ld.param.u64 %d2, [out];
  mul.wide.u32 %d3, %r0, 4; add.u64 %d2, %d2, %d3;
  mov.u32 %r3, box; mad.lo.u32 %r3, %r0, 4, %r3;
  ld.shared.u32 %r4, [%r3];
  st.global.u32 [%d2], %r4;
  ret;
})");
  const auto out = rig.buffer(std::vector<std::uint32_t>(256));
  const auto tensor = rig.memory().allocate(1600, "tensor");
  ASSERT_TRUE(tensor.has_value());
  auto* words = reinterpret_cast<std::uint32_t*>(rig.memory().bytes(*tensor).data());
  for (std::uint32_t i = 0; i < 400; ++i) words[i] = 1000 + i;
  TensorMap map = small_map();
  map.address = *tensor;
  map.swizzle = Swizzle::k128;
  rig.value(encode(map));
  rig.request.block = {256, 1, 1};
  ASSERT_TRUE(rig.run()) << rig.error() << rig.fault();
  const auto box = rig.read<std::uint32_t>(out);
  for (std::uint32_t y = 0; y < 8; ++y) {
    for (std::uint32_t x = 0; x < 32; ++x) {
      const std::uint32_t place = y * 32 + ((x / 4) ^ y) * 4 + x % 4;
      const bool inside = x + 24 < 40 && y >= 3;
      EXPECT_EQ(box[place], inside ? 1000 + (y - 3) * 40 + x + 24 : 0) << x << " " << y;
    }
  }
}

}  // namespace
}  // namespace ridge::emulator
