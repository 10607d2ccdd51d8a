#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::answers;
using testing::ThreadRig;

constexpr std::string_view kWords = ".shared .align 4 .b32 words[1024];";
// %r10: the address of this thread's word.
constexpr std::string_view kOwnWord = "mov.u32 %r10, words; mad.lo.u32 %r10, %t, 4, %r10;";

TEST(BarrierTest, AllWarpsSeeWhatWasWrittenBefore) {
  const auto out = answers(std::string(kOwnWord) + R"(
    st.shared.u32 [%r10], %t;
    bar.sync 0;
    sub.u32 %r1, 255, %t;
    mov.u32 %r2, words;
    mad.lo.u32 %r1, %r1, 4, %r2;
    ld.shared.u32 %r0, [%r1];)",
                           kWords, 256);
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(out[i], 255 - i);
}

// Warps 0 and 1 produce and go on; warps 2 and 3 wait.
TEST(BarrierTest, ProducersArriveAndConsumersSync) {
  const auto out = answers(std::string(kOwnWord) + R"(
    mov.u32 %r0, 0;
    setp.ge.u32 %p0, %t, 64;
    @%p0 bra CONSUME;
    add.u32 %r1, %t, 100;
    st.shared.u32 [%r10], %r1;
    bar.arrive 3, 128;
    bra DONE;
CONSUME:
    bar.sync 3, 128;
    ld.shared.u32 %r0, [%r10-256];
DONE: add.u32 %r0, %r0, 0;)",
                           kWords, 128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], i < 64 ? 0 : i + 36) << i;
}

TEST(BarrierTest, ABarrierOfSomeThreadsLeavesTheOthersAlone) {
  ThreadRig kernel(std::string(kOwnWord) + R"(
    setp.ge.u32 %p0, %t, 64;
    mov.u32 %r0, 5;
    @%p0 bra DONE;
    st.shared.u32 [%r10], %t;
    bar.sync 2, 64;
    xor.b32 %r1, %r10, 128;
    ld.shared.u32 %r0, [%r1];
DONE: add.u32 %r0, %r0, 0;)",
                   kWords, 128);
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.fault();
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(kernel.answers()[i], i < 64 ? i ^ 32U : 5) << i;
}

TEST(BarrierTest, ReductionsAnswerAllThreads) {
  const auto out = answers(R"(
    setp.lt.u32 %p0, %t, 70;
    bar.red.popc.u32 %r0, 0, %p0;
    setp.lt.u32 %p1, %t, 96;
    bar.red.and.pred %p2, 0, %p1;
    bar.red.and.pred %p3, 0, !%p4;
    setp.eq.u32 %p5, %t, 95;
    bar.red.or.pred %p6, 0, %p5;
    @%p2 add.u32 %r0, %r0, 1000;
    @%p3 add.u32 %r0, %r0, 10000;
    @%p6 add.u32 %r0, %r0, 100000;)",
                           "", 96);
  for (const std::uint32_t each : out) EXPECT_EQ(each, 111070U);
}

TEST(BarrierTest, WarpsThatHaveEndedAreNotWaitedFor) {
  const auto out = answers(R"(
    setp.ge.u32 %p0, %t, 64;
    @%p0 exit;
    bar.sync 0;
    mov.u32 %r0, 1;)",
                           "", 128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], i < 64 ? 1 : 0xDEADBEEF);
}

TEST(BarrierTest, WarpsThatEndLaterLetThoseGoThatWait) {
  const auto out = answers(R"(
    mov.u32 %r1, 0;
    setp.ge.u32 %p0, %t, 64;
    @!%p0 bra WAIT;
L:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 2000;
    @%p1 bra L;
    exit;
WAIT:
    bar.sync 0;
    mov.u32 %r0, 1;)",
                           "", 128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], i < 64 ? 1 : 0xDEADBEEF);
}

TEST(BarrierTest, LanesThatDoNotComeTogetherAreAFinding) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 1;
    setp.ge.u32 %p0, %t, 16;
    @%p0 bra A;
    bar.sync 0;
    bra B;
A:  bar.sync 0;
B:  add.u32 %r0, %r0, 0;)");
  EXPECT_TRUE(kernel.rig.run()) << kernel.rig.fault();
  EXPECT_TRUE(kernel.rig.has(FaultKind::kDivergentBarrier));
  EXPECT_NE(kernel.rig.fault().find("16 of 32 threads"), std::string::npos) << kernel.rig.fault();
}

TEST(BarrierTest, TheFormWithoutAlignedMayBeReachedByParts) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 1;
    setp.ge.u32 %p0, %t, 16;
    @%p0 bra A;
    barrier.sync 0;
    bra B;
A:  barrier.sync 0;
B:  add.u32 %r0, %r0, 0;)");
  EXPECT_TRUE(kernel.rig.run()) << kernel.rig.fault();
  EXPECT_EQ(kernel.rig.fault(), "");
}

TEST(BarrierTest, ABarrierThatHalfOfTheBlockNeverReachesIsADeadlockWithItsLine) {
  ThreadRig kernel(R"(
    setp.ge.u32 %p0, %t, 32;
    mov.u32 %r0, 0;
    @%p0 bra A;
    bar.sync 0;
A:  bar.sync 1, 96;)",
                   "", 64);
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kDeadlock));
  EXPECT_NE(kernel.rig.fault().find("'bar.sync', PTX line"), std::string::npos) << kernel.rig.fault();
}

TEST(BarrierTest, NumbersAndCountsThatDoNotExistAreFaults) {
  for (const std::string_view each : {"bar.sync %r1;", "bar.sync 0, %r1;"}) {
    ThreadRig kernel("mov.u32 %r0, 0; mov.u32 %r1, 17; " + std::string(each));
    EXPECT_FALSE(kernel.rig.run()) << each;
    EXPECT_TRUE(kernel.rig.has(FaultKind::kBadOperand)) << each;
  }
}

// Each block writes into its neighbour's shared memory and reads its own behind the cluster's barrier.
TEST(ClusterBarrierTest, BlocksOfAClusterWaitForOneAnother) {
  ThreadRig kernel(std::string(kOwnWord) + R"(
    mov.u32 %r1, %cluster_ctarank;
    add.u32 %r2, %r1, 1;
    and.b32 %r2, %r2, 3;
    mapa.shared::cluster.u32 %r3, %r10, %r2;
    mad.lo.u32 %r4, %r1, 100, %t;
    st.shared::cluster.u32 [%r3], %r4;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ld.shared.u32 %r0, [%r10];)",
                   kWords, 64, 8);
  kernel.rig.request.cluster = {4, 1, 1};
  for (const std::uint32_t sms : {1U, 8U}) {
    kernel.rig.options.sms = sms;
    ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
    for (std::uint32_t i = 0; i < 512; ++i) EXPECT_EQ(kernel.answers()[i], (i / 64 + 3) % 4 * 100 + i % 64) << i;
  }
}

TEST(ClusterBarrierTest, OneBlockThatNeverArrivesIsADeadlock) {
  ThreadRig kernel(R"(
    mov.u32 %r1, %cluster_ctarank;
    mov.u32 %r0, 0;
    setp.eq.u32 %p0, %r1, 0;
    @%p0 barrier.cluster.arrive;
    @%p0 barrier.cluster.wait;
    @!%p0 bar.sync 1, 96;)",
                   "", 32, 2);
  kernel.rig.request.cluster = {2, 1, 1};
  kernel.rig.options.sms = 2;
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kDeadlock)) << kernel.rig.fault();
}

}  // namespace
}  // namespace ridge::emulator
