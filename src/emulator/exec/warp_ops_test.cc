// Shuffles, votes, matches, reductions: what each lane gets, also where lanes come in parts or in several groups.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator::testing {
namespace {

using Lanes = std::vector<std::uint32_t>;

Lanes each_lane(const std::function<std::uint32_t(std::uint32_t)>& value) {
  Lanes result;
  for (std::uint32_t lane = 0; lane < 32; ++lane) result.push_back(value(lane));
  return result;
}

// The value is 100 + lane; the answer 1000 more where the predicate is true.
Lanes shuffled(const std::string& mode, const std::string& distance, const std::string& bound) {
  return answers("add.u32 %r1, %t, 100;\nshfl.sync." + mode + ".b32 %r0|%p1, %r1, " + distance + ", " + bound +
                 ", 0xffffffff;\n@%p1 add.u32 %r0, %r0, 1000;");
}

TEST(ShuffleTest, ButterflyTakesFromTheLaneWhoseNumberDiffersInThoseBits) {
  EXPECT_EQ(shuffled("bfly", "5", "31"), each_lane([](std::uint32_t i) { return 1100 + (i ^ 5U); }));
}

TEST(ShuffleTest, DownStopsAtTheBound) {
  EXPECT_EQ(shuffled("down", "3", "31"), each_lane([](std::uint32_t i) { return i + 3 < 32 ? 1103 + i : 100 + i; }));
}

TEST(ShuffleTest, UpStopsAtTheFirstLane) {
  EXPECT_EQ(shuffled("up", "2", "0"), each_lane([](std::uint32_t i) { return i >= 2 ? 1098 + i : 100 + i; }));
}

TEST(ShuffleTest, IndexIsOfTheSegment) {
  // Segments of eight lanes: mask 0x18 in bits 8 to 12, the bound 31.
  EXPECT_EQ(shuffled("idx", "3", "0x181f"), each_lane([](std::uint32_t i) { return 1103 + i / 8 * 8; }));
}

TEST(ShuffleTest, DownInSegmentsStaysInside) {
  EXPECT_EQ(shuffled("down", "1", "0x181f"), each_lane([](std::uint32_t i) { return i % 8 < 7 ? 1101 + i : 100 + i; }));
}

TEST(ShuffleTest, EachLaneMayNameAnother) {
  EXPECT_EQ(answers("sub.u32 %r2, 31, %t;\nshfl.sync.idx.b32 %r0, %t, %r2, 31, 0xffffffff;"),
            each_lane([](std::uint32_t i) { return 31 - i; }));
}

TEST(ShuffleTest, LanesThatComeInPartsAreExecutedTogether) {
  // Both sides of a branch end up at one shuffle only after the branch has met; a shuffle inside names its own lanes.
  EXPECT_EQ(
      answers("setp.lt.u32 %p1, %t, 16;\n@%p1 bra LOW;\nshfl.sync.bfly.b32 %r0, %t, 1, 31, 0xffff0000;\nbra END;\n"
              "LOW:\nshfl.sync.bfly.b32 %r0, %t, 2, 31, 0x0000ffff;\nEND:\nadd.u32 %r0, %r0, 0;"),
      each_lane([](std::uint32_t i) { return i < 16 ? i ^ 2U : i ^ 1U; }));
}

TEST(ShuffleTest, TheFormWithoutSyncWorksOnWhoIsThere) {
  EXPECT_EQ(answers("shfl.bfly.b32 %r0, %t, 16, 31;"), each_lane([](std::uint32_t i) { return i ^ 16U; }));
}

TEST(VoteTest, BallotCollectsThePredicates) {
  EXPECT_EQ(answers("setp.gt.u32 %p1, %t, 20;\nvote.sync.ballot.b32 %r0, %p1, 0xffffffff;"), Lanes(32, 0xffe00000U));
}

TEST(VoteTest, GroupsInOneWarpVoteForThemselves) {
  // The lower half names the lower half, the upper the upper.
  EXPECT_EQ(answers("setp.lt.u32 %p1, %t, 16;\nselp.u32 %r1, 0x0000ffff, 0xffff0000, %p1;\nsetp.lt.u32 %p2, %t, 18;\n"
                    "vote.sync.ballot.b32 %r0, %p2, %r1;"),
            each_lane([](std::uint32_t i) { return i < 16 ? 0xffffU : 0x30000U; }));
}

TEST(VoteTest, AllAnyAndUniform) {
  const auto vote = [](const std::string& mode, const std::string& bound) {
    return answers("setp.lt.u32 %p1, %t, " + bound + ";\nvote.sync." + mode +
                   ".pred %p2, %p1, 0xffffffff;\nselp.u32 %r0, 1, 0, %p2;")[0];
  };
  EXPECT_EQ(vote("all", "32"), 1U);
  EXPECT_EQ(vote("all", "31"), 0U);
  EXPECT_EQ(vote("any", "1"), 1U);
  EXPECT_EQ(vote("any", "0"), 0U);
  EXPECT_EQ(vote("uni", "0"), 1U);
  EXPECT_EQ(vote("uni", "32"), 1U);
  EXPECT_EQ(vote("uni", "5"), 0U);
}

TEST(MatchTest, AnyGivesTheLanesWithTheSameValue) {
  EXPECT_EQ(answers("and.b32 %r1, %t, 3;\nmatch.any.sync.b32 %r0, %r1, 0xffffffff;"),
            each_lane([](std::uint32_t i) { return 0x11111111U << (i % 4); }));
}

TEST(MatchTest, AllGivesThePredicateToo) {
  const std::string text = ";\nmatch.all.sync.b32 %r0|%p1, %r1, 0xffffffff;\n@%p1 sub.u32 %r0, %r0, 1;";
  EXPECT_EQ(answers("mov.u32 %r1, 7" + text), Lanes(32, 0xfffffffeU));
  EXPECT_EQ(answers("mov.u32 %r1, %t" + text), Lanes(32, 0));
}

TEST(ReductionTest, IntegersOfAllKinds) {
  const auto reduced = [](const std::string& operation) {
    return answers("sub.s32 %r1, %t, 3;\nredux.sync." + operation + " %r0, %r1, 0xffffffff;");
  };
  EXPECT_EQ(reduced("add.s32"), Lanes(32, 400));
  EXPECT_EQ(reduced("min.s32"), Lanes(32, 0xfffffffdU));
  EXPECT_EQ(reduced("max.s32"), Lanes(32, 28));
  EXPECT_EQ(reduced("max.u32"), Lanes(32, 0xffffffffU));
  EXPECT_EQ(reduced("min.u32"), Lanes(32, 0));
  EXPECT_EQ(reduced("or.b32"), Lanes(32, 0xffffffffU));
  EXPECT_EQ(reduced("and.b32"), Lanes(32, 0));
  std::uint32_t all = 0;
  for (std::uint32_t i = 0; i < 32; ++i) all ^= i - 3;
  EXPECT_EQ(reduced("xor.b32"), Lanes(32, all));
}

TEST(ReductionTest, FloatsPassNanOverUnlessAskedNot) {
  // Lane 0 has a NaN, the others -lane.
  const std::string values =
      "cvt.rn.f32.u32 %f1, %t;\nneg.f32 %f1, %f1;\nmov.b32 %r1, %f1;\nsetp.eq.u32 %p1, %t, 0;\n"
      "@%p1 mov.u32 %r1, 0x7fc00000;\n";
  EXPECT_EQ(answers(values + "redux.sync.min.f32 %r0, %r1, 0xffffffff;"), Lanes(32, 0xc1f80000U));      // -31
  EXPECT_EQ(answers(values + "redux.sync.max.abs.f32 %r0, %r1, 0xffffffff;"), Lanes(32, 0x41f80000U));  // 31
  EXPECT_EQ(answers(values + "redux.sync.min.NaN.f32 %r0, %r1, 0xffffffff;"), Lanes(32, 0x7fffffffU));
}

TEST(WarpOpsTest, ActiveMaskIsOfThoseWhoAreThere) {
  EXPECT_EQ(
      answers(
          "mov.u32 %r0, 0;\nsetp.lt.u32 %p1, %t, 4;\n@!%p1 bra END;\nactivemask.b32 %r0;\nEND:\nadd.u32 %r0, %r0, 0;"),
      each_lane([](std::uint32_t i) { return i < 4 ? 0xfU : 0U; }));
}

TEST(WarpOpsTest, ElectGivesOneLeader) {
  EXPECT_EQ(answers("elect.sync %r1|%p1, 0xffffffff;\nselp.u32 %r0, 1, 0, %p1;\nadd.u32 %r0, %r0, %r1;"),
            each_lane([](std::uint32_t i) { return i == 0 ? 1U : 0U; }));
}

TEST(WarpOpsTest, ABarrierOfTheWarpWaitsForThePartsThatItNames) {
  EXPECT_EQ(answers("setp.lt.u32 %p1, %t, 16;\n@%p1 bra LOW;\nmov.u32 %r0, 1;\nbar.warp.sync 0xffffffff;\nbra END;\n"
                    "LOW:\nmov.u32 %r0, 2;\nbar.warp.sync 0xffffffff;\nEND:\nadd.u32 %r0, %r0, 10;"),
            each_lane([](std::uint32_t i) { return i < 16 ? 12U : 11U; }));
}

TEST(WarpOpsTest, FencesAndHintsCountAndChangeNothing) {
  ThreadRig rig("membar.gl;\nfence.acq_rel.gpu;\nfence.proxy.async;\nnanosleep.u32 20;\npmevent 1;\nmov.u32 %r0, %t;");
  ASSERT_TRUE(rig.rig.run());
  EXPECT_EQ(rig.answers(), each_lane([](std::uint32_t i) { return i; }));
  EXPECT_EQ(rig.rig.count("membar.gl").warps, 1U);
  EXPECT_EQ(rig.rig.count("nanosleep.u32").warps, 1U);
}

}  // namespace
}  // namespace ridge::emulator::testing
