#include "emulator/exec/flow.h"

#include <gtest/gtest.h>

namespace ridge::emulator {
namespace {

FlowItem plain() {
  return {};
}
FlowItem branch_to(std::uint32_t target) {
  return {{target}, true, false};
}
FlowItem jump_to(std::uint32_t target) {
  return {{target}, false, false};
}
FlowItem end() {
  return {{}, false, true};
}
FlowItem guarded_end() {
  return {{}, true, true};
}

TEST(MeetingPointsTest, NothingMeetsWithoutBranches) {
  EXPECT_TRUE(meeting_points({}).empty());
  EXPECT_EQ(meeting_points({plain(), end()}), (std::vector<std::uint32_t>{kNowhere, kNowhere}));
}

TEST(MeetingPointsTest, IfMeetsAfterItsBody) {
  EXPECT_EQ(meeting_points({branch_to(2), plain(), plain(), end()})[0], 2U);
}

TEST(MeetingPointsTest, BothArmsMeetAfterTheSecond) {
  EXPECT_EQ(meeting_points({branch_to(3), plain(), jump_to(4), plain(), plain(), end()})[0], 4U);
}

// A kernel's text ends twice where its last instruction is ret: the end behind it cannot be reached.
TEST(MeetingPointsTest, AnEndThatCannotBeReachedIsNotTheOneLanesAreExpectedAt) {
  const auto meets = meeting_points({branch_to(3), plain(), jump_to(4), plain(), plain(), end(), end()});
  EXPECT_EQ(meets[0], 4U);
}

TEST(MeetingPointsTest, LoopMeetsBehindItsLastBranch) {
  const auto meets = meeting_points({plain(), plain(), branch_to(1), plain(), end()});
  EXPECT_EQ(meets[2], 3U);
}

TEST(MeetingPointsTest, BreakMeetsWhereTheLoopIsLeft) {
  // 0: body; 1: break to 4; 2: body; 3: back to 0; 4: after
  const auto meets = meeting_points({plain(), branch_to(4), plain(), branch_to(0), plain(), end()});
  EXPECT_EQ(meets[1], 4U);
  EXPECT_EQ(meets[3], 4U);
}

TEST(MeetingPointsTest, InnerBranchMeetsWithinTheOuterArm) {
  // 0 -> 5; inner 1 -> 3; 3 inner meeting; 4 jump 6; 5 else; 6 meeting
  const auto meets =
      meeting_points({branch_to(5), branch_to(3), plain(), plain(), jump_to(6), plain(), plain(), end()});
  EXPECT_EQ(meets[1], 3U);
  EXPECT_EQ(meets[0], 6U);
}

TEST(MeetingPointsTest, AnArmThatEndsIsNotWaitedFor) {
  // 0 -> 4; 1 -> 3 (inner); 2: ends; 3: jump 5; 4: else; 5: meeting
  const auto meets = meeting_points({branch_to(4), branch_to(3), end(), jump_to(5), plain(), plain(), end()});
  EXPECT_EQ(meets[0], 5U);
  EXPECT_EQ(meets[1], 3U);
}

TEST(MeetingPointsTest, BranchesOnAWayToAnEarlierEndMeetOnThatWay) {
  // 0 -> 5; that way: 1 -> 3, 2, 3, 4 end; the other: 5 -> 7, 6, 7, 8 end
  const auto meets =
      meeting_points({branch_to(5), branch_to(3), plain(), plain(), end(), branch_to(7), plain(), plain(), end()});
  EXPECT_EQ(meets[1], 3U);
  EXPECT_EQ(meets[5], 7U);
}

TEST(MeetingPointsTest, AGuardedEndPartsNobody) {
  EXPECT_EQ(meeting_points({guarded_end(), plain(), end()})[0], kNowhere);
}

TEST(MeetingPointsTest, AllTargetsOfATableMeet) {
  const FlowItem table{{1, 3, 5}, false, false};
  const auto meets = meeting_points({table, plain(), jump_to(6), plain(), jump_to(6), plain(), plain(), end()});
  EXPECT_EQ(meets[0], 6U);
}

TEST(MeetingPointsTest, CodeThatCannotBeReachedChangesNothing) {
  // 3 and 4 cannot be reached, and branch into the arm.
  const auto meets =
      meeting_points({branch_to(5), plain(), jump_to(6), plain(), branch_to(1), plain(), plain(), end()});
  EXPECT_EQ(meets[0], 6U);
}

TEST(MeetingPointsTest, AnEndlessLoopHasNoMeetingPoint) {
  EXPECT_EQ(meeting_points({plain(), branch_to(0), jump_to(0), end()})[1], kNowhere);
}

}  // namespace
}  // namespace ridge::emulator
