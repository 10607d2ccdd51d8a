#include "emulator/exec/warp.h"

#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::answers;
using testing::KernelRig;
using testing::ThreadRig;

TEST(WarpTest, ArmsOfAnIfGiveEachLaneItsOwn) {
  const auto out = answers(R"(
    setp.lt.u32 %p0, %t, 10;
    @%p0 bra A;
    mov.u32 %r0, 1;
    bra.uni B;
A:  mov.u32 %r0, 2;
B:  add.u32 %r0, %r0, %t;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i < 10 ? 2 : 1) + i) << i;
}

TEST(WarpTest, LanesAreCountedWhereTheyAreAndMeetAgain) {
  ThreadRig kernel(R"(
    setp.lt.u32 %p0, %t, 10;
    @%p0 bra A;
    sub.u32 %r0, %t, 1;
    bra.uni B;
A:  mul.lo.u32 %r0, %t, 2;
B:  xor.b32 %r0, %r0, 7;)");
  ASSERT_TRUE(kernel.rig.run());
  EXPECT_EQ(kernel.rig.count("bra").warps, 1U);
  EXPECT_EQ(kernel.rig.count("bra").lanes, 10U);
  EXPECT_EQ(kernel.rig.count("sub.u32").lanes, 22U);
  EXPECT_EQ(kernel.rig.count("mul.lo.u32").lanes, 10U);
  EXPECT_EQ(kernel.rig.count("xor.b32").warps, 1U);
  EXPECT_EQ(kernel.rig.count("xor.b32").lanes, 32U);
  EXPECT_EQ(kernel.rig.count("ret").warps, 1U);
}

TEST(WarpTest, GuardsMaskLanesWithoutPartingThem) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 5;
    setp.lt.u32 %p0, %t, 3;
    @%p0 not.b32 %r0, %r0;
    @!%p0 neg.s32 %r0, %r0;)");
  ASSERT_TRUE(kernel.rig.run());
  EXPECT_EQ(kernel.rig.count("not.b32").lanes, 3U);
  EXPECT_EQ(kernel.rig.count("neg.s32").lanes, 29U);
  EXPECT_EQ(kernel.rig.count("neg.s32").warps, 1U);
  EXPECT_EQ(kernel.answers()[2], ~5U);
  EXPECT_EQ(kernel.answers()[3], 0U - 5U);
}

TEST(WarpTest, EachLaneHasItsOwnTripCount) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 0;
    mov.u32 %r1, 0;
L:  add.u32 %r0, %r0, %r1;
    add.s32 %r1, %r1, 1;
    setp.le.u32 %p0, %r1, %t;
    @%p0 bra L;
    xor.b32 %r2, %r1, 0;)");
  ASSERT_TRUE(kernel.rig.run());
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], i * (i + 1) / 2) << i;
  EXPECT_EQ(kernel.rig.count("add.s32").warps, 32U);
  EXPECT_EQ(kernel.rig.count("add.s32").lanes, 32U * 33 / 2);
  EXPECT_EQ(kernel.rig.count("xor.b32").warps, 1U);
}

TEST(WarpTest, BreakAndContinueInNestedLoops) {
  const auto out = answers(R"(
    mov.u32 %r0, 0;
    mov.u32 %r1, 0;
OUTER:
    mov.u32 %r2, 0;
INNER:
    add.u32 %r2, %r2, 1;
    and.b32 %r3, %r2, 1;
    setp.eq.u32 %p0, %r3, 0;
    @%p0 bra NEXT;
    add.u32 %r0, %r0, %r2;
    setp.gt.u32 %p1, %r2, %t;
    @%p1 bra BREAK;
NEXT:
    setp.lt.u32 %p2, %r2, 20;
    @%p2 bra INNER;
BREAK:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p3, %r1, %t;
    @%p3 bra OUTER;)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    std::uint32_t sum = 0, outer = 0;
    do {
      std::uint32_t inner = 0;
      do {
        if (++inner % 2 == 0) continue;
        sum += inner;
        if (inner > t) break;
      } while (inner < 20);
    } while (++outer < t);
    EXPECT_EQ(out[t], sum) << t;
  }
}

TEST(WarpTest, LanesThatExitEarlyAreNotWaitedFor) {
  ThreadRig kernel(R"(
    setp.lt.u32 %p0, %t, 20;
    @%p0 bra A;
    setp.lt.u32 %p1, %t, 25;
    @%p1 exit;
    mov.u32 %r0, 1;
    bra.uni B;
A:  mov.u32 %r0, 2;
B:  xor.b32 %r0, %r0, 0;)");
  ASSERT_TRUE(kernel.rig.run());
  const auto out = kernel.answers();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 20 ? 2 : i < 25 ? 0xDEADBEEF : 1) << i;
  EXPECT_EQ(kernel.rig.count("xor.b32").warps, 1U);
  EXPECT_EQ(kernel.rig.count("xor.b32").lanes, 27U);
}

TEST(WarpTest, AnArmInWhichAllExitLetsTheOtherGoOn) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 4;
    setp.lt.u32 %p0, %t, 20;
    @%p0 bra A;
    setp.lt.u32 %p1, %t, 30;
    @%p1 bra C;
    exit;
C:  st.global.b32 [%at], 3;
    exit;
A:  xor.b32 %r0, %r0, 1;)");
  ASSERT_TRUE(kernel.rig.run());
  const auto out = kernel.answers();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 20 ? 5 : i < 30 ? 3 : 0xDEADBEEF) << i;
}

TEST(WarpTest, ASwitchTakesEachLaneToItsCase) {
  ThreadRig kernel(R"(
    and.b32 %r1, %t, 3;
    mov.u32 %r0, 0;
    table: .branchtargets A, B, C, D;
    brx.idx %r1, table;
A:  add.u32 %r0, %r0, 1;
B:  add.u32 %r0, %r0, 10;
    bra E;
C:  add.u32 %r0, %r0, 100;
D:  add.u32 %r0, %r0, 1000;
E:  xor.b32 %r0, %r0, 0;)");
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  const std::uint32_t expected[] = {11, 10, 1100, 1000};
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], expected[i % 4]) << i;
  EXPECT_EQ(kernel.rig.count("xor.b32").warps, 1U);
}

TEST(WarpTest, ASwitchOutsideItsTableIsAFault) {
  ThreadRig kernel(R"(
    table: .branchtargets A;
    brx.idx %t, table;
A:  mov.u32 %r0, 0;)");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kBadOperand));
}

TEST(WarpTest, AGuardedSwitchLeavesTheOthersWhereTheyAre) {
  const auto out = answers(R"(
    and.b32 %r1, %t, 1;
    mov.u32 %r0, 0;
    setp.ge.u32 %p0, %t, 16;
    table: .branchtargets A, B;
    @%p0 brx.idx %r1, table;
    mov.u32 %r0, 7;
    bra E;
A:  mov.u32 %r0, 1;
    bra E;
B:  mov.u32 %r0, 2;
E:  add.u32 %r0, %r0, 0;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? 7 : 1 + i % 2) << i;
}

// Lanes of one warp that wait for one another: since compute capability 7.0 this ends.
TEST(WarpTest, ASpinLockBetweenLanesOfAWarpEnds) {
  const auto out = answers(R"(
LOOP:
    atom.shared.cas.b32 %r1, [lock], 0, 1;
    setp.ne.u32 %p0, %r1, 0;
    @%p0 bra LOOP;
    ld.volatile.shared.u32 %r0, [counter];
    add.u32 %r2, %r0, 1;
    st.volatile.shared.u32 [counter], %r2;
    membar.cta;
    atom.shared.exch.b32 %r3, [lock], 0;)",
                           ".shared .u32 lock; .shared .u32 counter;");
  std::vector<bool> seen(32, false);
  for (const std::uint32_t each : out) {
    ASSERT_LT(each, 32U);
    EXPECT_FALSE(seen[each]) << each;
    seen[each] = true;
  }
}

TEST(WarpTest, LanesInDifferentArmsTakePartInOneShuffle) {
  const auto out = answers(R"(
    mul.lo.u32 %r1, %t, 3;
    mov.u32 %r5, 1;
    setp.lt.u32 %p0, %t, 16;
    @%p0 bra A;
    mov.u32 %r5, 2;
    shfl.sync.bfly.b32 %r0, %r1, 1, 31, 0xFFFF0000;
    bra B;
A:  shfl.sync.bfly.b32 %r0, %r1, 2, 31, 0x0000FFFF;
B:  shfl.sync.bfly.b32 %r2, %r5, 16, 31, -1;
    mad.lo.u32 %r0, %r2, 1000, %r0;)");
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], i < 16 ? 2000 + 3 * (i ^ 2U) : 1000 + 3 * (i ^ 1U)) << i;
  }
}

// All 32 lanes name one another, but come to the same instruction in two fragments.
TEST(WarpTest, AVoteWaitsForLanesThatComeLater) {
  const auto out = answers(R"(
    setp.lt.u32 %p0, %t, 8;
    setp.lt.u32 %p1, %t, 4;
    mov.u32 %r1, 0;
    @%p0 bra.uni L;
    bra.uni V;
L:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 5;
    @%p2 bra L;
V:  vote.sync.ballot.b32 %r0, %p1, -1;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 0xFU) << i;
}

TEST(WarpTest, LanesWaitForOneAnotherAtDifferentBarriersOfTheWarp) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 0;
    setp.lt.u32 %p0, %t, 16;
    @%p0 bra A;
    bar.warp.sync -1;
    ld.shared.u32 %r0, [flag];
    bra B;
A:  st.shared.u32 [flag], 9;
    bar.warp.sync -1;
    mov.u32 %r0, 1;
B:  xor.b32 %r0, %r0, 0;)",
                   ".shared .u32 flag;");
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.fault();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], i < 16 ? 1 : 9) << i;
  EXPECT_EQ(kernel.rig.count("bar.warp.sync").lanes, 32U);
  EXPECT_EQ(kernel.rig.count("xor.b32").warps, 1U);
}

TEST(WarpTest, AVoteDoesNotWaitForLanesThatHaveEnded) {
  const auto out = answers(R"(
    setp.ge.u32 %p0, %t, 30;
    @%p0 exit;
    setp.ne.u32 %p1, %t, 99;
    vote.sync.ballot.b32 %r0, %p1, -1;)");
  for (std::uint32_t i = 0; i < 30; ++i) EXPECT_EQ(out[i], 0x3FFFFFFFU) << i;
}

TEST(WarpTest, LanesThatEndWhileOthersWaitForThemLetThemGo) {
  ThreadRig kernel(R"(
    setp.lt.u32 %p0, %t, 8;
    @%p0 bra A;
    setp.ne.u32 %p1, %t, 99;
    vote.sync.ballot.b32 %r0, %p1, -1;
    bra B;
A:  exit;
B:  xor.b32 %r0, %r0, 0;)");
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.fault();
  for (std::uint32_t i = 8; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], 0xFFFFFF00U) << i;
  EXPECT_EQ(kernel.rig.count("vote.sync.ballot.b32").warps, 1U);
  EXPECT_EQ(kernel.rig.count("vote.sync.ballot.b32").lanes, 24U);
}

TEST(WarpTest, NamingALaneThatNeverComesIsADeadlockAndSaysWhere) {
  ThreadRig kernel(R"(
    setp.lt.u32 %p0, %t, 16;
    mov.u32 %r0, 0;
    @%p0 bra A;
    shfl.sync.idx.b32 %r0, %r0, 0, 31, -1;
    bra B;
A:  bar.sync 1, 64;
B:  xor.b32 %r0, %r0, 0;)");
  EXPECT_FALSE(kernel.rig.run());
  ASSERT_TRUE(kernel.rig.has(FaultKind::kDeadlock)) << kernel.rig.fault();
  EXPECT_LT(kernel.rig.outcome().faults.back().site, kernel.rig.program().sites.size());
}

TEST(WarpTest, ThreadsBeyondTheBlockDoNotExist) {
  ThreadRig kernel("activemask.b32 %r0;", "", 40);
  ASSERT_TRUE(kernel.rig.run());
  EXPECT_EQ(kernel.answers()[0], 0xFFFFFFFFU);
  EXPECT_EQ(kernel.answers()[39], 0xFFU);
  EXPECT_EQ(kernel.rig.count("activemask.b32").warps, 2U);
  EXPECT_EQ(kernel.rig.count("activemask.b32").lanes, 40U);
}

TEST(WarpTest, SpecialRegistersOfABlockWithThreeAxes) {
  KernelRig rig(R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %d<3>;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;
  mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
  mad.lo.u32 %r5, %r2, %r4, %r1;
  mad.lo.u32 %r5, %r5, %r3, %r0;
  mov.u32 %r6, %laneid; mov.u32 %r7, %warpid;
  shl.b32 %r7, %r7, 8; or.b32 %r6, %r6, %r7;
  ld.param.u64 %d0, [out];
  mul.wide.u32 %d1, %r5, 4; add.u64 %d0, %d0, %d1;
  st.global.u32 [%d0], %r6;
  ret;
})");
  const auto out = rig.buffer(std::vector<std::uint32_t>(5 * 3 * 4));
  rig.request.block = {5, 3, 4};
  ASSERT_TRUE(rig.run()) << rig.error();
  const auto words = rig.read<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], i % 32 | i / 32 << 8) << i;
}

}  // namespace
}  // namespace ridge::emulator
