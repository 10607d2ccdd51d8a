#include "emulator/exec/decode.h"

#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"
#include "emulator/ptx/parser.h"

namespace ridge::emulator {
namespace {

using testing::KernelRig;
using testing::thread_kernel;

struct Case {
  std::string_view body, says;
};

// The first line of the body is line 19 of the module.
TEST(DecodeTest, WhatIsNotLegalIsRefusedAtItsLine) {
  const Case cases[] = {
      {"bra NOWHERE;", "there is no label 'NOWHERE'"},
      {"add.u32 %r0, %r1, %q7;", "'%q7' is not declared"},
      {"add.u64 %d0, %r1, %d1;", "'%r1' does not have the size"},
      {"@%r1 add.u32 %r0, %r1, 1;", "not a predicate register"},
      {"ld.global.v4.u32 {%r0, %r1}, [%out];", "as many elements"},
      {"st.const.u32 [%out], %r1;", ""},
      {"ld.global.u32 %r0, [%h1];", "cannot hold an address"},
      {"brx.idx %r0, NOTABLE;", "list of targets"},
      {"call nothing;", "'nothing' is no function"},
      {"cp.async.ca.shared.global [%r1], [%out], 5;", ""},
      {"mov.u32 %r0, %tid.q;", ""},
      {"same: same: mov.u32 %r0, 0;", "declared twice"},
      {"add.u32 %r40, %r1, 1;", "'%r40'"},
  };
  for (const Case& each : cases) {
    const KernelRig rig(thread_kernel(each.body));
    EXPECT_NE(rig.error().find(each.says), std::string::npos) << each.body << ": " << rig.error();
    EXPECT_NE(rig.error().find("line 19"), std::string::npos) << each.body << ": " << rig.error();
  }
}

TEST(DecodeTest, OperandsThatAreMissingAreAnErrorAndNotACrash) {
  for (const std::string_view each : {"brx.idx;", "bra;", "call;", "ld.global.u32;", "mbarrier.init.shared.b64;",
                                      "atom.global.add.u32 %r0;", "bar.sync;", "cp.async.wait_group;"}) {
    const KernelRig rig(thread_kernel(each));
    EXPECT_FALSE(rig.error().empty()) << each;
  }
}

TEST(DecodeTest, WhatIsNotEmulatedCanBeSkippedAndIsMarked) {
  constexpr std::string_view kBody = "mov.u32 %r0, 5; multimem.red.relaxed.sys.global.add.u32 [%out], %r0;";
  const KernelRig refused(thread_kernel(kBody));
  EXPECT_NE(refused.error().find("multimem is not emulated"), std::string::npos) << refused.error();
  KernelRig skipped(thread_kernel(kBody), {true, ""});
  const auto out = skipped.buffer(std::vector<std::uint32_t>(32));
  ASSERT_TRUE(skipped.run()) << skipped.error();
  EXPECT_EQ(skipped.read<std::uint32_t>(out)[3], 5U);
  int marked = 0;
  for (const Site& each : skipped.program().sites) marked += each.skipped ? 1 : 0;
  EXPECT_EQ(marked, 1);
}

TEST(DecodeTest, RegistersThatOnlyHardwareHasAreNotCalledUndeclared) {
  const KernelRig rig(thread_kernel("mov.u32 %r0, %envreg2;"));
  EXPECT_NE(rig.error().find("the register '%envreg2' is not emulated"), std::string::npos) << rig.error();
}

TEST(DecodeTest, PoliciesOfCachesChangeNoResult) {
  KernelRig rig(thread_kernel(
      "createpolicy.fractional.L2::evict_first.b64 %d1, 1.0; createpolicy.cvt.L2.b64 %d0, %d1; mov.u32 %r0, 5;"));
  const auto out = rig.buffer(std::vector<std::uint32_t>(32));
  ASSERT_TRUE(rig.run()) << rig.error() << rig.fault();
  EXPECT_EQ(rig.read<std::uint32_t>(out)[3], 5U);
  EXPECT_EQ(rig.count("createpolicy.cvt.L2.b64").warps, 1U);
}

TEST(DecodeTest, IllegalPtxIsNotSkipped) {
  EXPECT_FALSE(KernelRig(thread_kernel("cvt.rn.f32.f16 %f0, %h0;"), {true, ""}).error().empty());
}

TEST(DecodeTest, LocalMemoryBeyondWhatAThreadHasIsRefused) {
  EXPECT_NE(KernelRig(thread_kernel(".local .b8 room[600000]; mov.u32 %r0, 0;")).error().find("512 KiB"),
            std::string::npos);
}

TEST(DecodeTest, ImpossibleNumbersOfRegistersAreRefused) {
  for (const std::string_view each : {".reg .b32 %x<4000000000>;", ".reg .v4 .b32 %x<900000000>;"}) {
    EXPECT_FALSE(KernelRig(thread_kernel(std::string(each) + "mov.u32 %r0, 0;")).error().empty()) << each;
  }
}

std::string error_of(std::string_view text, std::string_view name) {
  const auto module = ptx::parse(".version 8.6\n.target sm_90\n.address_size 64\n" + std::string(text));
  if (!module) return "parse: " + module.error().what;
  const auto found = find_entry(*module, name);
  return found ? "found " + std::string((*found)->name) : found.error().what + " | " + found.error().remedy;
}

TEST(FindEntryTest, ByNameSymbolOrBecauseItIsTheOnlyOne) {
  constexpr std::string_view kTwo =
      ".entry _Z4copyIfEvPT_i() { ret; } .entry _ZN3lab4copyIdEEvPT_i() { ret; } .entry plain() { ret; }";
  EXPECT_EQ(error_of(".entry only() { ret; }", ""), "found only");
  EXPECT_EQ(error_of(kTwo, "plain"), "found plain");
  EXPECT_EQ(error_of(kTwo, "copy<float>"), "found _Z4copyIfEvPT_i");
  EXPECT_EQ(error_of(kTwo, "lab::copy"), "found _ZN3lab4copyIdEEvPT_i");
  EXPECT_EQ(error_of(kTwo, "_Z4copyIfEvPT_i"), "found _Z4copyIfEvPT_i");
}

TEST(FindEntryTest, OtherwiseItSaysWhatThereIs) {
  constexpr std::string_view kTwo = ".entry a() { ret; } .entry b() { ret; }";
  EXPECT_EQ(error_of(".func f() { ret; }", "").rfind("the module has no kernel", 0), 0U);
  EXPECT_EQ(error_of(kTwo, ""), "the module has several kernels | name one of: a, b");
  EXPECT_EQ(error_of(kTwo, "c"), "no kernel is named 'c' | choose one of: a, b");
}

}  // namespace
}  // namespace ridge::emulator
