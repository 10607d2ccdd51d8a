#include "emulator/listen/checker.h"

#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::ThreadRig;

constexpr std::string_view kWords = ".shared .align 4 .b32 words[256]; .shared .align 8 .b64 gate;";
// %r10: this thread's word, %r11: its counterpart's, in another warp.
constexpr std::string_view kAddresses = R"(
    mov.u32 %r2, words;
    mad.lo.u32 %r10, %t, 4, %r2;
    xor.b32 %r11, %r10, 128;
    mov.u32 %r0, 0;)";

std::vector<Fault> findings(const std::string& body, std::uint32_t threads = 64, std::uint32_t blocks = 1) {
  ThreadRig kernel(std::string(kAddresses) + body, kWords, threads, blocks);
  Checker checker;
  kernel.rig.options.listeners = [&](std::uint32_t) { return std::vector<Listener*>{&checker}; };
  EXPECT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  EXPECT_EQ(checker.watched(), blocks);
  return checker.findings();
}

TEST(CheckerTest, ABarrierBetweenWriteAndReadIsRight) {
  EXPECT_TRUE(findings("st.shared.u32 [%r10], %t; bar.sync 0; ld.shared.u32 %r0, [%r11];").empty());
}

TEST(CheckerTest, AMissingBarrierIsARace) {
  const auto found = findings(R"(
    st.shared.u32 [%r10], %t;
    st.shared.u32 [%r11], %t;)");
  ASSERT_FALSE(found.empty());
  for (const Fault& each : found) EXPECT_EQ(each.kind, FaultKind::kSharedRace);
  EXPECT_EQ(found[0].bytes, 4U);
  EXPECT_NE(found[0].text.find("wrote it, and no barrier lies between"), std::string::npos) << found[0].text;
}

TEST(CheckerTest, AWriteOverWhatAnotherWarpStillReadsIsARace) {
  const auto found = findings(R"(
    st.shared.u32 [%r10], %t;
    bar.sync 0;
    ld.shared.u32 %r0, [%r11];
    st.shared.u32 [%r10], %r0;)");
  ASSERT_FALSE(found.empty());
  for (const Fault& each : found) EXPECT_EQ(each.kind, FaultKind::kSharedRace);
}

TEST(CheckerTest, NeighbouringBytesAreNotTheSameByte) {
  EXPECT_TRUE(findings(R"(
    mov.u32 %r2, words; add.u32 %r2, %r2, %t; cvt.u16.u32 %h0, %t;
    shl.b32 %r3, %t, 0;
    st.shared.u8 [%r2], %h0;)")
                  .empty());
}

TEST(CheckerTest, ReadsOfWhatNobodyWroteAreFound) {
  const auto found = findings("ld.shared.u32 %r0, [%r10];");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FaultKind::kUninitialisedShared);
}

TEST(CheckerTest, EveryBlockBeginsWithNothingWritten) {
  const auto found = findings(R"(
    setp.ne.u32 %p0, %i, 0;
    @%p0 bra READ;
    st.shared.u32 [%r10], %t;
READ:
    bar.sync 0;
    ld.shared.u32 %r0, [%r10];)",
                              64, 3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].block, 1U);
}

TEST(CheckerTest, AtomicsAreNoRaceAmongThemselvesButWithAPlainStore) {
  const std::string begin = "st.shared.u32 [%r10], %t; bar.sync 0; atom.shared.add.u32 %r1, [words], 1;";
  EXPECT_TRUE(findings(begin).empty());
  const auto found = findings(begin + "st.shared.u32 [words], 1;");
  ASSERT_FALSE(found.empty());
  for (const Fault& each : found) EXPECT_EQ(each.kind, FaultKind::kSharedRace);
}

TEST(CheckerTest, LanesOfOneWarpAreLeftOut) {
  EXPECT_TRUE(findings("st.shared.u32 [words], %t; ld.shared.u32 %r0, [words];", 32).empty());
}

TEST(CheckerTest, FencesAndVolatileAccessesMayOrder) {
  EXPECT_TRUE(findings("st.shared.u32 [%r10], %t; membar.cta; ld.volatile.shared.u32 %r0, [%r10];").empty());
}

TEST(CheckerTest, AsynchronousCopiesWriteAndNeedABarrier) {
  const std::string copy = "cp.async.ca.shared.global [%r10], [%out], 4; cp.async.wait_all;";
  EXPECT_TRUE(findings(copy + "bar.sync 0; ld.shared.u32 %r0, [%r11];").empty());
  const auto found = findings(copy + "cp.async.ca.shared.global [%r11], [%out], 4;");
  ASSERT_FALSE(found.empty());
  for (const Fault& each : found) EXPECT_EQ(each.kind, FaultKind::kSharedRace);
}

TEST(CheckerTest, ZerosOfACopyThatReadsNothingAreWritten) {
  EXPECT_TRUE(
      findings("mov.u32 %r3, 0; cp.async.ca.shared.global [%r10], [%out], 4, %r3; ld.shared.u32 %r0, [%r10];").empty());
}

TEST(CheckerTest, BulkCopiesAreOrderedByTheirMbarrier) {
  EXPECT_TRUE(findings(R"(
    setp.ne.u32 %p0, %t, 0;
    @%p0 bra READY;
    mbarrier.init.shared.b64 [gate], 1;
    mbarrier.arrive.expect_tx.shared.b64 %d1, [gate], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [words], [%out], 256, [gate];
READY:
    bar.sync 0;
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p1, [gate], 0;
    @!%p1 bra WAIT;
    ld.shared.u32 %r0, [%r11];)")
                  .empty());
}

TEST(CheckerTest, BlocksBeyondItsMemoryAreNotWatched) {
  ThreadRig kernel(std::string(kAddresses) + "ld.shared.u32 %r0, [%r10];", kWords, 64, 2);
  Checker checker(100);
  kernel.rig.options.listeners = [&](std::uint32_t) { return std::vector<Listener*>{&checker}; };
  EXPECT_TRUE(kernel.rig.run());
  EXPECT_EQ(checker.watched(), 0U);
  EXPECT_TRUE(checker.findings().empty());
}

}  // namespace
}  // namespace ridge::emulator
