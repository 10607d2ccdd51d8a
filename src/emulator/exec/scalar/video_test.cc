// Video instructions against number/, with and without selectors.
#include "emulator/number/video.h"

#include <gtest/gtest.h>

#include "emulator/exec/lanes/lanes_rig.h"

namespace ridge::emulator {
namespace {

using number::VideoOperation;
using number::VideoPart;
using number::VideoSecond;
using testing::Bits;
using testing::expect_instruction;

std::uint32_t word(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits);
}

TEST(VideoInstructions, FourBytesAndTwoHalves) {
  struct Kind {
    const char* name;
    VideoOperation operation;
  };
  for (const Kind& each :
       {Kind{"vadd", VideoOperation::kAdd}, Kind{"vsub", VideoOperation::kSub}, Kind{"vavrg", VideoOperation::kAverage},
        Kind{"vabsdiff", VideoOperation::kAbsoluteDifference}, Kind{"vmin", VideoOperation::kMin},
        Kind{"vmax", VideoOperation::kMax}}) {
    const VideoOperation operation = each.operation;
    expect_instruction(std::string(each.name) + "4.s32.s32.u32.sat", "wwww", [=](const Bits& x) {
      return number::video_simd(operation, number::kFourBytes, {true, true, false}, word(x[0]), word(x[1]), word(x[2]),
                                true, false);
    });
    expect_instruction(std::string(each.name) + "2.u32.u32.u32.add", "wwww", [=](const Bits& x) {
      return number::video_simd(operation, number::kTwoHalves, {false, false, false}, word(x[0]), word(x[1]),
                                word(x[2]), false, true);
    });
  }
}

TEST(VideoInstructions, LanesAreChosenBySelectors) {
  // The last digit is the lowest lane: bytes 4 to 7 are those of the second operand.
  expect_instruction("$g vadd4.u32.u32.u32 $0.b20, $1.b7610, $2.b3254, $3;", "wwww", [](const Bits& x) {
    number::VideoLanes lanes = number::kFourBytes;
    lanes.a = {0, 1, 6, 7};
    lanes.b = {4, 5, 2, 3};
    lanes.mask = 0b0101;
    return number::video_simd(VideoOperation::kAdd, lanes, {false, false, false}, word(x[0]), word(x[1]), word(x[2]));
  });
  expect_instruction("vset2.s32.s32.lt", "wwww", [](const Bits& x) {
    return number::video_simd_set(number::Comparison::kLt, number::kTwoHalves, true, true, word(x[0]), word(x[1]),
                                  word(x[2]));
  });
}

TEST(VideoInstructions, OnePartOfEachOperand) {
  expect_instruction("$g vadd.s32.s32.u32.sat.max $0, $1.b3, $2.h1, $3;", "wwww", [](const Bits& x) {
    return number::video_scalar(VideoOperation::kAdd, number::video_part(word(x[0]), VideoPart::kB3, true),
                                number::video_part(word(x[1]), VideoPart::kH1, false), word(x[2]),
                                {true, true, VideoPart::kWord, VideoSecond::kMax});
  });
  expect_instruction("$g vsub.u32.u32.u32 $0.h1, $1, $2.b0, $3;", "wwww", [](const Bits& x) {
    return number::video_scalar(VideoOperation::kSub, word(x[0]), number::video_part(word(x[1]), VideoPart::kB0, false),
                                word(x[2]), {false, false, VideoPart::kH1, VideoSecond::kNone});
  });
  expect_instruction("vshl.u32.u32.u32.clamp", "www", [](const Bits& x) {
    return number::video_shift(word(x[0]), word(x[1]), true, number::ShiftMode::kClamp, 0, {});
  });
  expect_instruction("$g vmad.s32.s32.u32.sat.shr7 $0, -$1.h0, $2.b1, $3;", "wwww", [](const Bits& x) {
    number::VideoMad how;
    how.negate_product = true;
    how.sat = true;
    how.shift = 7;
    return number::video_mad(number::video_part(word(x[0]), VideoPart::kH0, true),
                             number::video_part(word(x[1]), VideoPart::kB1, false), word(x[2]), true, how);
  });
}

TEST(VideoInstructions, ASelectorOfAPartThatIsNotThereIsAnError) {
  for (const char* each : {"vadd.u32.u32.u32 $0, $1.h2, $2;", "vadd4.u32.u32.u32 $0, $1.b10, $2, $2;"}) {
    EXPECT_NE(testing::error_of(each, "www"), "") << each;
  }
}

}  // namespace
}  // namespace ridge::emulator
