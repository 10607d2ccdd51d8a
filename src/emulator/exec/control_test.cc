#include "emulator/exec/control.h"

#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::answers;
using testing::ThreadRig;

constexpr std::string_view kTwice = R"(
.func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [value];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
})";

constexpr std::string_view kCallTwice = R"({
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %t;
    call.uni (b), twice, (a);
    ld.param.b32 %r0, [b];
    })";

TEST(CallTest, PassesParametersAndResultsByValue) {
  const auto out = answers(kCallTwice, kTwice);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2 * i);
}

TEST(CallTest, InDivergentCodeCallsOnlyTheLanesThere) {
  ThreadRig kernel(
      "mov.u32 %r0, 1; setp.lt.u32 %p0, %t, 5; @!%p0 bra B;" + std::string(kCallTwice) + "B: xor.b32 %r0, %r0, 0;",
      kTwice);
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], i < 5 ? 2 * i : 1) << i;
  EXPECT_EQ(kernel.rig.count("shl.b32").lanes, 5U);
  EXPECT_EQ(kernel.rig.count("xor.b32").warps, 1U);
}

TEST(CallTest, AGuardCallsSomeAndAllMeetBehindIt) {
  ThreadRig kernel(R"({
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %t;
    st.param.b32 [b], 77;
    setp.lt.u32 %p0, %t, 5;
    @%p0 call (b), twice, (a);
    ld.param.b32 %r0, [b];
    })",
                   kTwice);
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], i < 5 ? 2 * i : 77) << i;
  EXPECT_EQ(kernel.rig.count("st.global.b32").warps, 1U);
}

// fib(n) by two calls of itself, each lane to a depth of its own, with its value in local memory meanwhile.
constexpr std::string_view kFibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n) {
  .reg .b32 %r<8>; .reg .pred %p; .local .b32 kept;
  ld.param.u32 %r1, [n];
  setp.lt.u32 %p, %r1, 2;
  @%p bra LEAF;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r2;
    call (b), fib, (a);
    ld.param.b32 %r3, [b]; }
  st.local.u32 [kept], %r3;
  sub.u32 %r2, %r1, 2;
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r2;
    call (b), fib, (a);
    ld.param.b32 %r4, [b]; }
  ld.local.u32 %r3, [kept];
  add.u32 %r1, %r3, %r4;
LEAF:
  st.param.b32 [result], %r1;
  ret;
})";

TEST(CallTest, RecursionKeepsRegistersAndLocalMemoryOfEachCall) {
  const auto out = answers(R"({
    .param .b32 a; .param .b32 b;
    rem.u32 %r1, %t, 9;
    st.param.b32 [a], %r1;
    call (b), fib, (a);
    ld.param.b32 %r0, [b];
    })",
                           kFibonacci);
  const std::uint32_t expected[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], expected[i % 9]) << i;
}

TEST(CallTest, RecursionWithoutEndIsAFaultAndNotTheHostsEnd) {
  ThreadRig kernel("{ call f; }", ".func f() { .local .b8 room[4096]; .reg .b64 %d; mov.u64 %d, room; call f; ret; }");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_EQ(kernel.rig.error(), "");
  EXPECT_NE(kernel.rig.fault().find("call"), std::string::npos) << kernel.rig.fault();
}

TEST(CallTest, RecursionWithoutLocalMemoryEndsAsAFaultToo) {
  ThreadRig kernel("{ call f; }", ".func f() { .reg .b32 %r<400>; call f; ret; }");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kBadCall)) << kernel.rig.fault();
}

constexpr std::string_view kThree = R"(
.func (.param .b32 result) one() { st.param.b32 [result], 1; ret; }
.func (.param .b32 result) two() { st.param.b32 [result], 2; ret; }
.func (.param .b32 result) three() { st.param.b32 [result], 3; ret; }
)";

TEST(CallTest, LanesCallDifferentFunctionsByAddress) {
  ThreadRig kernel(R"({
    .param .b32 b;
    mov.u64 %d1, one;
    mov.u64 %d2, two;
    mov.u64 %d3, three;
    rem.u32 %r1, %t, 3;
    setp.eq.u32 %p0, %r1, 0;
    setp.eq.u32 %p1, %r1, 1;
    selp.b64 %d4, %d1, %d2, %p0;
    @!%p0 selp.b64 %d4, %d2, %d3, %p1;
    proto: .callprototype (.param .b32 _) _ ();
    call (b), %d4, (), proto;
    ld.param.b32 %r0, [b];
    })",
                   kThree);
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], 1 + i % 3) << i;
  EXPECT_EQ(kernel.rig.count("st.global.b32").warps, 1U);
}

TEST(CallTest, FunctionsAreCalledThroughATableInMemory) {
  const auto out = answers(R"({
    .param .b32 b;
    rem.u32 %r1, %t, 2;
    mul.wide.u32 %d1, %r1, 8;
    mov.u64 %d2, table;
    add.u64 %d2, %d2, %d1;
    ld.global.u64 %d4, [%d2];
    proto: .callprototype (.param .b32 _) _ ();
    call (b), %d4, (), proto;
    ld.param.b32 %r0, [b];
    })",
                           std::string(kThree) + ".global .u64 table[2] = {three, one};");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 3 : 1) << i;
}

TEST(CallTest, AnAddressThatIsNoFunctionIsAFault) {
  ThreadRig kernel(R"({
    .param .b32 b;
    mov.u64 %d4, 1234;
    proto: .callprototype (.param .b32 _) _ ();
    call (b), %d4, (), proto;
    })",
                   kThree);
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.has(FaultKind::kBadCall));
}

TEST(CallTest, LanesThatExitInAFunctionAreNotWaitedFor) {
  ThreadRig kernel("mov.u32 %r0, 3; { call leave; } xor.b32 %r0, %r0, 0;",
                   R"(.func leave() { .reg .b32 %r<2>; .reg .pred %p; mov.u32 %r1, %tid.x;
                      setp.ge.u32 %p, %r1, 10; @%p exit; ret; })");
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.answers()[i], i < 10 ? 3 : 0xDEADBEEF) << i;
  EXPECT_EQ(kernel.rig.count("xor.b32").lanes, 10U);
}

TEST(TrapTest, EndsTheKernelWithTheThread) {
  ThreadRig kernel("setp.eq.u32 %p0, %t, 7; @%p0 trap; mov.u32 %r0, 0;");
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_NE(kernel.rig.fault().find("trap (thread (7,0,0)"), std::string::npos) << kernel.rig.fault();
}

}  // namespace
}  // namespace ridge::emulator
