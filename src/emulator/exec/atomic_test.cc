#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::answers;
using testing::ThreadRig;

struct Case {
  std::string_view operation;  ///< and type
  std::uint32_t before, operand, after;
};

TEST(AtomicTest, EachOperationOnWords) {
  const Case cases[] = {
      {"add.u32", 7, 5, 12},
      {"add.s32", 7, 0xFFFFFFFE, 5},
      {"min.u32", 7, 0xFFFFFFFF, 7},
      {"min.s32", 7, 0xFFFFFFFF, 0xFFFFFFFF},
      {"max.u32", 7, 0xFFFFFFFF, 0xFFFFFFFF},
      {"max.s32", 7, 0xFFFFFFFF, 7},
      {"inc.u32", 7, 7, 0},
      {"inc.u32", 6, 7, 7},
      {"dec.u32", 0, 9, 9},
      {"dec.u32", 12, 9, 9},
      {"dec.u32", 5, 9, 4},
      {"and.b32", 0xF0F, 0x0FF, 0x00F},
      {"or.b32", 0xF0F, 0x0FF, 0xFFF},
      {"xor.b32", 0xF0F, 0x0FF, 0xFF0},
      {"exch.b32", 1, 2, 2},
      {"add.f32", 0x3F800000, 0x40000000, 0x40400000},
      {"add.noftz.f16x2", 0x3C003C00, 0x40003C00, 0x42004000},
      {"add.noftz.bf16x2", 0x3F803F80, 0x40003F80, 0x40404000},
  };
  for (const Case& each : cases) {
    for (const std::string_view space : {"global", "shared", ""}) {
      const std::string dot = space.empty() ? "" : "." + std::string(space);
      const std::string place = space == "shared" ? "near" : "%out";
      ThreadRig kernel("mov.u32 %r1, " + std::to_string(each.before) + "; mov.u32 %r2, " +
                           std::to_string(each.operand) + "; st" + dot + ".u32 [" + place + "], %r1; atom" + dot + "." +
                           std::string(each.operation) + " %r3, [" + place + "], %r2; ld" + dot + ".u32 %r4, [" +
                           place +
                           "]; xor.b32 %r3, %r3, %r1; mad.lo.u32 %r0, %r3, 0, %r4; setp.ne.u32 %p0, %r3, 0; "
                           "@%p0 mov.u32 %r0, 0xBAD;",
                       ".shared .u32 near;", 1);
      ASSERT_TRUE(kernel.rig.run()) << each.operation << kernel.rig.error() << kernel.rig.fault();
      EXPECT_EQ(kernel.answers()[0], each.after) << each.operation << " " << space;
    }
  }
}

TEST(AtomicTest, LanesThatCollideFollowOneAnother) {
  const auto out = answers("atom.global.add.u32 %r0, [counter], 1;", ".global .u32 counter;", 64);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
}

TEST(AtomicTest, CompareAndSwapLetsOneWin) {
  const auto out = answers("add.u32 %r1, %t, 100; atom.global.cas.b32 %r0, [cell], 0, %r1;", ".global .u32 cell;");
  EXPECT_EQ(out[0], 0U);
  for (std::uint32_t i = 1; i < 32; ++i) EXPECT_EQ(out[i], 100U);
}

TEST(AtomicTest, WordsOf64And16Bits) {
  EXPECT_EQ(answers(R"(
    mov.u64 %d1, 0x100000000;
    atom.global.add.u64 %d2, [cell], %d1;
    bar.warp.sync -1;
    ld.global.u64 %d2, [cell];
    shr.u64 %d2, %d2, 32; cvt.u32.u64 %r0, %d2;)",
                    ".global .u64 cell;")[0],
            32U);
  EXPECT_EQ(answers("mov.u16 %h1, 7; mov.u16 %h2, 0; atom.global.cas.b16 %h3, [cell+2], %h2, %h1; "
                    "ld.global.u32 %r0, [cell];",
                    ".global .align 4 .b8 cell[4];")[0],
            0x70000U);
}

TEST(AtomicTest, WorkersOfTheHostAddUpWithoutLoss) {
  ThreadRig kernel(R"(
    mov.u32 %r0, 0;
L:  red.global.add.u32 [sum], 1;
    red.global.add.f64 [real], 0d3FF0000000000000;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 50; @%p0 bra L;)",
                   ".global .u32 sum; .global .f64 real;", 128, 8);
  kernel.rig.options.sms = 4;
  kernel.rig.options.workers = 2;
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  const auto& variables = kernel.rig.program().variables;
  EXPECT_EQ(kernel.rig.read<std::uint32_t>(variables[0].address)[0], 128U * 8 * 50);
  EXPECT_EQ(kernel.rig.read<double>(variables[1].address)[0], 128.0 * 8 * 50);
}

}  // namespace
}  // namespace ridge::emulator
