#include <gtest/gtest.h>

#include "emulator/exec/exec_rig.h"

namespace ridge::emulator {
namespace {

using testing::KernelRig;

struct Kinds : Listener {
  std::vector<AccessKind> seen;
  void access(const Where&, const Access& access) override {
    if (access.kind != AccessKind::kLoad && access.kind != AccessKind::kStore) seen.push_back(access.kind);
  }
};

// What a listener hears of the atomics in `body`, by one warp.
std::vector<AccessKind> kinds(const std::string& body) {
  KernelRig kernel(
      ".global .align 16 .b8 cells[64]; .visible .entry k() { .reg .u32 %r<9>; .reg .pred %p<2>; .reg .f32 %f<9>; " +
      body + " ret; }");
  Kinds listener;
  kernel.options.listeners = [&](std::uint32_t) { return std::vector<Listener*>{&listener}; };
  kernel.options.workers = 1;
  EXPECT_TRUE(kernel.run()) << kernel.error() << kernel.fault();
  return listener.seen;
}

using Kind = AccessKind;

TEST(UnreadAtomicTest, IsAReduction) {
  EXPECT_EQ(kinds("atom.global.add.u32 %r1, [cells], 1;"), std::vector{Kind::kReduction});
  EXPECT_EQ(kinds("{ .reg .u32 old; atom.global.add.u32 old, [cells], 1; }"), std::vector{Kind::kReduction});
  EXPECT_EQ(kinds("atom.global.add.u32 _, [cells], 1;"), std::vector{Kind::kReduction});
  EXPECT_EQ(kinds("atom.global.add.u32 %r1, [cells], 1; atom.global.max.u32 %r1, [cells], 1;"),
            (std::vector{Kind::kReduction, Kind::kReduction}));
  EXPECT_EQ(kinds("mov.u32 %r2, %laneid; setp.lt.u32 %p1, %r2, 9; @%p1 atom.global.add.u32 %r1, [cells], 1;"),
            std::vector{Kind::kReduction});
}

TEST(UnreadAtomicTest, ReadAnywhereItReturnsAValue) {
  EXPECT_EQ(kinds("atom.global.add.u32 %r1, [cells], 1; mov.u32 %r2, %r1;"), std::vector{Kind::kAtomic});
  EXPECT_EQ(kinds("atom.global.add.u32 %r1, [cells], 1; st.global.u32 [cells+4], %r1;"), std::vector{Kind::kAtomic});
  EXPECT_EQ(kinds("mov.u32 %r1, 2; atom.global.add.u32 %r1, [cells], %r1;"), std::vector{Kind::kAtomic});
  EXPECT_EQ(kinds("atom.global.add.u32 %r1, [cells], 1; atom.global.add.u32 %r2, [cells], %r1;"),
            (std::vector{Kind::kAtomic, Kind::kReduction}));
}

TEST(UnreadAtomicTest, ExchangesAndAcquiresStayAtomics) {
  EXPECT_EQ(kinds("atom.global.exch.b32 %r1, [cells], 1;"), std::vector{Kind::kAtomic});
  EXPECT_EQ(kinds("atom.global.cas.b32 %r1, [cells], 0, 1;"), std::vector{Kind::kAtomic});
  EXPECT_EQ(kinds("atom.acq_rel.gpu.global.add.u32 %r1, [cells], 1;"), std::vector{Kind::kAtomic});
}

}  // namespace
}  // namespace ridge::emulator
