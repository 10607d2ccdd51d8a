#include <gtest/gtest.h>

#include <array>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::answers;
using testing::KernelRig;
using testing::thread_kernel;
using testing::ThreadRig;

// An address of all ones plus a few bytes passes the end of the address space: such accesses were once let through.
TEST(MemoryTest, AddressesAtTheEndOfTheAddressSpaceAreOutOfBounds) {
  for (const std::string_view each :
       {"ld.global.u32 %r0, [%d1-4];", "st.global.u32 [%d1-4], %r0;", "ld.shared.u32 %r0, [%d1-4];",
        "st.shared.u32 [%d1-4], %r0;", "ld.u32 %r0, [%d1-4];", "atom.global.add.u32 %r0, [%d1-4], 1;",
        "ld.local.u32 %r0, [%d1-4];", "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%d1-16];"}) {
    ThreadRig kernel("mov.u32 %r0, 0; mov.u64 %d1, 0;" + std::string(each), ".shared .u32 word;");
    EXPECT_FALSE(kernel.rig.run()) << each;
    EXPECT_TRUE(kernel.rig.has(FaultKind::kOutOfBounds)) << each << kernel.rig.error();
  }
}

TEST(MemoryTest, AddressesOf32BitsAreComputedIn32Bits) {
  const auto out = answers(R"(
    mov.u32 %r1, words;
    sub.u32 %r1, %r1, 128;
    mad.lo.u32 %r1, %t, 4, %r1;
    st.shared.u32 [%r1+128], %t;
    ld.shared.u32 %r0, [%r1+128];)",
                           ".shared .u32 words[32];");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i);
}

TEST(MemoryTest, FaultsSayWhatWhereAndByWhom) {
  ThreadRig kernel("mov.u32 %r0, 0; st.global.u32 [%at+4], %r0;");
  EXPECT_FALSE(kernel.rig.run());
  const std::string text = kernel.rig.fault();
  EXPECT_EQ(text.rfind("out-of-bounds access of 4 bytes of global memory at 0x", 0), 0U) << text;
  EXPECT_NE(text.find("0 bytes after the 128 bytes of 'buffer 0' (thread (31,0,0) of block (0,0,0); 'st.global.u32'"),
            std::string::npos)
      << text;
}

TEST(MemoryTest, MisalignedAccessesAreFaults) {
  for (const std::string_view each : {"ld.global.u32 %r0, [%out+2];", "ld.shared.u64 %d1, [words+4];",
                                      "ld.global.v2.u32 {%r0, %r1}, [%out+4];", "st.local.u16 [own+1], %h1;"}) {
    ThreadRig kernel(".local .align 8 .b8 own[16]; mov.u32 %r0, 0; mov.u16 %h1, 0;" + std::string(each),
                     ".shared .align 8 .u32 words[4];");
    EXPECT_FALSE(kernel.rig.run()) << each;
    EXPECT_TRUE(kernel.rig.has(FaultKind::kMisaligned)) << each << kernel.rig.error() << kernel.rig.fault();
  }
}

struct Width {
  std::string_view load;
  std::uint32_t expected;
};

// The bytes 0x81 0xF2 0x83 0x84 at an aligned address, as each type reads them into a register of 32 bits.
TEST(MemoryTest, EveryWidthAndSign) {
  const Width widths[] = {{"u8", 0x81},        {"s8", 0xFFFFFF81}, {"b8", 0x81},        {"u16", 0xF281},
                          {"s16", 0xFFFFF281}, {"b16", 0xF281},    {"u32", 0x8483F281}, {"s32", 0x8483F281}};
  for (const Width& each : widths) {
    const std::string load = "ld.global." + std::string(each.load) + " %r0, [%d1];";
    EXPECT_EQ(answers("mov.u64 %d1, bytes;" + load, ".global .align 8 .b8 bytes[8] = {0x81, 0xF2, 0x83, 0x84};")[5],
              each.expected)
        << load;
  }
}

TEST(MemoryTest, NarrowSignedLoadsIntoWideAndNarrowRegisters) {
  const std::string_view module = ".global .align 8 .b8 bytes[8] = {0x81, 0xF2, 0x83, 0x84};";
  EXPECT_EQ(answers("ld.global.s8 %d1, [bytes]; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r0, %d1;", module)[0], 0xFFFFFFFF);
  EXPECT_EQ(answers("ld.global.u8 %d1, [bytes]; shr.u64 %d1, %d1, 32; cvt.u32.u64 %r0, %d1;", module)[0], 0U);
  EXPECT_EQ(answers("ld.global.s8 %h1, [bytes]; mov.u16 %h2, 0; mov.b32 %r0, {%h1, %h2};", module)[0], 0xFF81U);
  EXPECT_EQ(answers("ld.global.s8 %h1, [bytes]; cvt.u32.u16 %r0, %h1;", module)[0], 0xFF81U);
  EXPECT_EQ(answers("ld.global.s8 %h1, [bytes]; shr.u16 %h1, %h1, 4; cvt.u32.u16 %r0, %h1;", module)[0], 0xFF8U);
}

TEST(MemoryTest, VectorsKeepTheirOrder) {
  const auto out = answers(R"(
    mov.u64 %d1, words;
    ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1];
    st.shared.v4.u32 [copy], {%r4, %r3, %r2, %r1};
    ld.shared.v2.u64 {%d2, %d3}, [copy];
    cvt.u32.u64 %r0, %d3;
    shr.u64 %d2, %d2, 32;
    cvt.u32.u64 %r5, %d2;
    mad.lo.u32 %r0, %r0, 100, %r5;)",
                           ".global .align 16 .u32 words[4] = {1, 2, 3, 4}; .shared .align 16 .u32 copy[4];");
  EXPECT_EQ(out[0], 203U);
}

TEST(MemoryTest, AVectorMayOverwriteItsOwnAddress) {
  EXPECT_EQ(answers("mov.u64 %d1, words; ld.global.v2.u64 {%d1, %d2}, [%d1]; add.u64 %d1, %d1, %d2; "
                    "cvt.u32.u64 %r0, %d1;",
                    ".global .align 16 .u64 words[2] = {70, 7};")[9],
            77U);
}

// Each lane of a generic access may mean another window.
TEST(MemoryTest, GenericAddressesOfAllWindowsInOneInstruction) {
  const auto out = answers(R"(
    .local .align 4 .b8 own[8];
    mov.u32 %r1, 30; st.local.u32 [own], %r1;
    mov.u32 %r1, 20; st.shared.u32 [there], %r1;
    cvta.global.u64 %d1, far;
    mov.u64 %d4, there;
    cvta.shared.u64 %d2, %d4;
    mov.u64 %d5, own;
    cvta.local.u64 %d3, %d5;
    rem.u32 %r2, %t, 3;
    setp.eq.u32 %p0, %r2, 1;
    setp.eq.u32 %p1, %r2, 2;
    @%p0 mov.u64 %d1, %d2;
    @%p1 mov.u64 %d1, %d3;
    ld.u32 %r0, [%d1];
    add.u32 %r0, %r0, 1;
    st.u32 [%d1], %r0;
    ld.u32 %r0, [%d1];)",
                           ".global .u32 far = 10; .shared .u32 there;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 11 + 10 * (i % 3)) << i;
}

TEST(MemoryTest, IsspacepKnowsTheWindows) {
  EXPECT_EQ(answers(R"(
    cvta.shared.u64 %d2, there;
    isspacep.shared %p0, %d2;
    isspacep.global %p1, %d2;
    isspacep.global %p2, %out;
    mov.u32 %r0, 0;
    @%p0 add.u32 %r0, %r0, 1;
    @%p1 add.u32 %r0, %r0, 10;
    @%p2 add.u32 %r0, %r0, 100;)",
                    ".shared .u32 there;")[0],
            101U);
}

TEST(MemoryTest, LocalMemoryIsEachThreadsOwn) {
  const auto out = answers(R"(
    .local .align 4 .b8 own[64];
    mov.u64 %d1, own;
    and.b32 %r1, %t, 15;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d1, %d1, %d2;
    st.local.u32 [%d1], %t;
    ld.local.u32 %r0, [%d1];)",
                           "", 64);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
}

TEST(MemoryTest, VariablesHoldTheirInitialValuesAndAddresses) {
  const std::string_view module = R"(
.const .align 4 .f32 scale[2] = {0f3F800000, 0f40000000};
.global .align 8 .u64 where = words;
.global .align 8 .u64 behind = words+8;
.global .align 4 .u32 words[4] = {5, 6, 7};)";
  EXPECT_EQ(answers("ld.global.u64 %d1, [where]; ld.global.u32 %r0, [%d1+4];", module)[0], 6U);
  EXPECT_EQ(answers("ld.global.u64 %d1, [behind]; ld.global.u32 %r0, [%d1];", module)[0], 7U);
  EXPECT_EQ(answers("ld.global.u32 %r0, [words+12];", module)[0], 0U);
  EXPECT_EQ(answers("ld.const.u32 %r0, [scale+4];", module)[0], 0x40000000U);
  EXPECT_EQ(answers("mov.u64 %d1, scale; mad.wide.u32 %d1, 1, 4, %d1; ld.const.u32 %r0, [%d1];", module)[0],
            0x40000000U);
}

TEST(MemoryTest, ConstantMemoryCannotBeWritten) {
  ThreadRig kernel("mov.u32 %r0, 1; cvta.const.u64 %d1, fixed; st.u32 [%d1], %r0;", ".const .u32 fixed = 3;");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kReadOnly)) << kernel.rig.error();
}

TEST(MemoryTest, EntryParametersOfEveryKind) {
  KernelRig rig(R"(
.visible .entry k(.param .u64 out, .param .u8 small, .param .f64 real, .param .align 8 .b8 structure[24]) {
  .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f64 %e<2>; .reg .b16 %h<2>;
  ld.param.u64 %d0, [out];
  ld.param.u8 %h0, [small];
  cvt.u32.u16 %r0, %h0;
  ld.param.f64 %e0, [real];
  cvt.rzi.u32.f64 %r1, %e0;
  ld.param.v2.u32 {%r2, %r3}, [structure+8];
  mov.b64 %d1, structure;
  cvta.param.u64 %d2, %d1;
  ld.u32 %r4, [%d2+20];
  ld.param.u32 %r5, [%d1+16];
  st.global.v2.u32 [%d0], {%r0, %r1};
  st.global.v2.u32 [%d0+8], {%r2, %r3};
  st.global.v2.u32 [%d0+16], {%r4, %r5};
  ret;
})");
  const auto out = rig.buffer(std::vector<std::uint32_t>(6));
  rig.value(std::uint8_t{200});
  rig.value(double{77.5});
  rig.value(std::array<std::uint32_t, 6>{10, 11, 12, 13, 14, 15});
  ASSERT_TRUE(rig.run()) << rig.error() << rig.fault();
  EXPECT_EQ(rig.read<std::uint32_t>(out), (std::vector<std::uint32_t>{200, 77, 12, 13, 15, 14}));
}

TEST(MemoryTest, ParametersEndWhereTheKernelsEnd) {
  ThreadRig kernel("mov.b64 %d1, out; cvta.param.u64 %d1, %d1; ld.u32 %r0, [%d1+8];");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kOutOfBounds)) << kernel.rig.error();
}

TEST(MemoryTest, SharedMemoryEndsWhereTheBlocksEnds) {
  ThreadRig kernel("mov.u32 %r0, 1; st.shared.u32 [words+16], %r0;", ".shared .u32 words[4];");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_NE(kernel.rig.fault().find("the block has 16 bytes of shared memory"), std::string::npos)
      << kernel.rig.fault();
}

TEST(MemoryTest, DynamicSharedMemoryFollowsTheStatic) {
  ThreadRig kernel("mov.u32 %r1, more; mov.u32 %r2, first; sub.u32 %r0, %r1, %r2; st.shared.u32 [%r1+60], %r0;",
                   ".shared .align 4 .b8 first[20]; .extern .shared .align 16 .b8 more[];");
  kernel.rig.request.dynamic_shared = 64;
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  EXPECT_EQ(kernel.answers()[0], 32U);
  kernel.rig.request.dynamic_shared = 48;
  EXPECT_FALSE(kernel.rig.run());
}

TEST(MemoryTest, AnAddressOfAnotherBlockOfTheClusterNamesIt) {
  ThreadRig kernel(R"(
    mov.u32 %r1, words;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    getctarank.shared::cluster.u32 %r0, %r2;
    cvta.shared.u64 %d1, words;
    mapa.u64 %d2, %d1, 1;
    getctarank.u64 %r3, %d2;
    mad.lo.u32 %r0, %r0, 10, %r3;)",
                   ".shared .u32 words[4];", 32, 2);
  kernel.rig.request.cluster = {2, 1, 1};
  kernel.rig.options.sms = 2;
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  EXPECT_EQ(kernel.answers()[0], 11U);
}

TEST(MemoryTest, ABlockThatTheClusterDoesNotHaveIsOutOfBounds) {
  ThreadRig kernel("mov.u32 %r1, words; mapa.shared::cluster.u32 %r1, %r1, 2; ld.shared::cluster.u32 %r0, [%r1];",
                   ".shared .u32 words[4];", 32, 2);
  kernel.rig.request.cluster = {2, 1, 1};
  kernel.rig.options.sms = 2;
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_NE(kernel.rig.fault().find("the cluster has 2 blocks"), std::string::npos) << kernel.rig.fault();
}

// What the ISA allows only for .b types, or not at all, is refused at its line, as ptxas does.
TEST(MemoryTest, IllegalTypesAreRefusedWithTheirLine) {
  for (const std::string_view each :
       {"ld.global.f16 %h0, [%out];", "cvt.rn.f32.f16 %f0, %h0;", "cvt.rn.f64.f32 %e0, %f0;"}) {
    const KernelRig rig(thread_kernel("\n" + std::string(each)));
    EXPECT_NE(rig.error().find("line 20"), std::string::npos) << each << ": " << rig.error();
  }
}

TEST(MemoryTest, ThreeStepsOfRowsWithinAVectorAreNotTakenForOneRun) {
  const auto out = answers(R"(
    mov.u64 %d1, words;
    mul.wide.u32 %d2, %t, 8;
    add.u64 %d1, %d1, %d2;
    ld.global.v2.u32 {%r1, %r2}, [%d1];
    mad.lo.u32 %r0, %r1, 10, %r2;)",
                           ".global .align 8 .u32 words[64] = {1, 2, 3, 4, 5, 6};");
  EXPECT_EQ(out[0], 12U);
  EXPECT_EQ(out[1], 34U);
  EXPECT_EQ(out[2], 56U);
  EXPECT_EQ(out[3], 0U);
}

}  // namespace
}  // namespace ridge::emulator
