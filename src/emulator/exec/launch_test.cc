#include "emulator/exec/launch.h"

#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::KernelRig;
using testing::ThreadRig;

TEST(LaunchTest, WorkersChangeNeitherResultsNorCounts) {
  constexpr std::string_view kBody = R"(
    mov.u32 %r1, 0; mov.u32 %r0, 0;
L:  add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, 1;
    setp.lt.u32 %p0, %r1, %g; @%p0 bra L;
    red.global.add.u32 [total], 1;)";
  const auto run = [&](std::uint32_t workers) {
    ThreadRig kernel(kBody, ".global .u32 total;", 64, 37);
    kernel.rig.options.sms = 6;
    kernel.rig.options.blocks_per_sm = 2;
    kernel.rig.options.workers = workers;
    EXPECT_TRUE(kernel.rig.run()) << kernel.rig.fault();
    EXPECT_EQ(kernel.rig.outcome().blocks, 37U);
    std::vector<std::uint64_t> all;
    for (const SiteCount& each : kernel.rig.outcome().counts) {
      all.push_back(each.warps);
      all.push_back(each.lanes);
    }
    for (const std::uint32_t each : kernel.answers()) all.push_back(each);
    all.push_back(kernel.rig.read<std::uint32_t>(kernel.rig.program().variables[0].address)[0]);
    return all;
  };
  const auto alone = run(1);
  EXPECT_EQ(alone.back(), 37U * 64);
  EXPECT_EQ(alone, run(2));
  EXPECT_EQ(alone, run(5));
}

TEST(LaunchTest, OnlyTheNamedBlocksRun) {
  ThreadRig kernel("mov.u32 %r0, %i;", "", 32, 8);
  kernel.rig.options.blocks = {6, 1};
  ASSERT_TRUE(kernel.rig.run());
  EXPECT_EQ(kernel.rig.outcome().blocks, 2U);
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(kernel.answers()[i * 32], i == 1 || i == 6 ? i : 0xDEADBEEF) << i;
  }
}

TEST(LaunchTest, BlocksAreDealtToSmsInTurn) {
  ThreadRig kernel("mov.u32 %r0, %smid;", "", 32, 6);
  kernel.rig.options.sms = 4;
  kernel.rig.options.blocks_per_sm = 2;
  ASSERT_TRUE(kernel.rig.run());
  const std::uint32_t expected[] = {0, 1, 2, 3, 0, 1};
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(kernel.answers()[i * 32], expected[i]) << i;
}

TEST(LaunchTest, AKernelThatDoesNotEndIsStopped) {
  ThreadRig kernel("L: bra L;");
  kernel.rig.options.most_steps = 5000;
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_NE(kernel.rig.fault().find("did not end within 5000 warp instructions"), std::string::npos);
}

TEST(LaunchTest, CancellingEndsItBetweenRounds) {
  ThreadRig kernel("L: bra L;");
  int asked = 0;
  kernel.rig.options.cancelled = [&] { return ++asked > 3; };
  EXPECT_FALSE(kernel.rig.run());
  EXPECT_TRUE(kernel.rig.outcome().cancelled);
  EXPECT_TRUE(kernel.rig.outcome().faults.empty());
}

TEST(LaunchTest, WhatCannotBeLaunchedIsAnErrorThatSaysSo) {
  const auto error_of = [](auto change) {
    ThreadRig kernel("mov.u32 %r0, 0;", "", 32, 4);
    change(kernel.rig);
    EXPECT_FALSE(kernel.rig.run());
    return kernel.rig.error();
  };
  EXPECT_NE(error_of([](KernelRig& rig) { rig.request.block = {1024, 2, 1}; }).find("2048 threads"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) { rig.request.grid = {0, 1, 1}; }).find("0 blocks"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) { rig.request.cluster = {3, 1, 1}; }).find("multiple"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) { rig.request.cluster = {32, 1, 1}; }).find("1 to 16"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) { rig.request.parameters.clear(); }).find("8 bytes"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) { rig.request.dynamic_shared = 1 << 30; }).find("shared"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) { rig.options.blocks = {4}; }).find("blocks"), std::string::npos);
  EXPECT_NE(error_of([](KernelRig& rig) {
              rig.request.cluster = {2, 1, 1};
              rig.options.blocks = {0, 1, 2};
            }).find("clusters"),
            std::string::npos);
}

TEST(RuntimeTest, PrintfFormatsWhatEachThreadPasses) {
  ThreadRig kernel(R"(
    .local .align 8 .b8 room[32];
    setp.ne.u32 %p0, %t, 1;
    mov.u32 %r0, 0;
    @%p0 bra DONE;
    mov.u64 %d1, room; cvta.local.u64 %d1, %d1;
    mov.u32 %r1, -5;
    st.u32 [%d1], %r1;
    mov.f64 %e1, 0d3FF8000000000000;
    st.f64 [%d1+8], %e1;
    mov.u64 %d3, 0xFFFFFFFFFF;
    st.u64 [%d1+16], %d3;
    mov.u64 %d2, format; cvta.global.u64 %d2, %d2;
    { .param .b64 a; .param .b64 b; .param .b32 c;
      st.param.b64 [a], %d2; st.param.b64 [b], %d1;
      call.uni (c), vprintf, (a, b);
      ld.param.b32 %r0, [c]; }
DONE: add.u32 %r0, %r0, 0;)",
                   ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                   // "%3d|%.2f|%llx%%\n"
                   ".global .align 1 .b8 format[17] = {37, 51, 100, 124, 37, 46, 50, 102, 124, 37, 108, 108, 120, 37, "
                   "37, 10, 0};");
  ASSERT_TRUE(kernel.rig.run()) << kernel.rig.error() << kernel.rig.fault();
  EXPECT_EQ(kernel.rig.outcome().printed, " -5|1.50|ffffffffff%\n");
}

}  // namespace
}  // namespace ridge::emulator
