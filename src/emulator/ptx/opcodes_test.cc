#include "emulator/ptx/opcodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

#include "emulator/ptx/parser.h"

namespace ridge::ptx {
namespace {

using testing::HasSubstr;

// "" if it is legal, else the error.
std::string outcome(std::string_view text) {
  const auto module = parse(".version 8.0\n.target sm_90\n.entry k() {\n" + std::string(text) + "\n}\n");
  if (!module) return "does not parse: " + to_string(module.error());
  const auto& body = *std::get<Function>(module->items.at(0)).body;
  const auto form = match(std::get<Instruction>(body.statements.at(0)));
  return form ? "" : to_string(form.error());
}

TEST(Opcodes, AcceptsWhatCompilersWrite) {
  for (const char* text : {"add.s32 %r1, %r2, -1;",
                           "add.rn.ftz.sat.f32 %f1, %f2, 0f3F800000;",
                           "mad.wide.u32 %rd1, %r1, 4, %rd2;",
                           "fma.rn.bf16x2 %r1, %r2, %r3, %r4;",
                           "setp.geu.and.ftz.f32 %p1|%p2, %f1, %f2, !%p3;",
                           "ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];",
                           "ld.acquire.gpu.global.u32 %r1, [%rd1];",
                           "st.global.wt.v2.f32 [%rd1], {%f1, %f2};",
                           "atom.global.gpu.acq_rel.cas.b32 %r1, [%rd1], %r2, %r3;",
                           "atom.add.acquire.sys.u64 %rd1, [%rd2], %rd3;",
                           "red.global.add.f32 [%rd1], %f1;",
                           "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;",
                           "cvt.rzi.ftz.s32.f32 %r1, %f1;",
                           "cvt.f32.f16 %f1, %rs1;",
                           "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
                           "{%r5,%r6}, {%f1,%f2,%f3,%f4};",
                           "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 1;",
                           "cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;",
                           "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;",
                           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 128;",
                           "shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;",
                           "bar.red.popc.u32 %r1, 0, %p1;",
                           "barrier.sync.aligned 1, 128;",
                           "bra.uni L;",
                           "call (r), f, (a, b), proto;",
                           "call f;",
                           "mov.b64 {%r1, %r2}, %rd1;",
                           "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];",
                           "lop3.b32 %r1, %r2, %r3, %r4, 0x96;"}) {
    EXPECT_EQ(outcome(text), "") << text;
  }
}

// One of each family whose forms were compared with ptxas 13.0.
TEST(Opcodes, AcceptsWhatPtxasAccepts) {
  for (const char* text :
       {"min.NaN.abs.f32 %f1, %f2, %f3, %f4;",
        "max.s16x2.relu %r1, %r2, %r3;",
        "fma.rn.relu.oob.bf16x2 %r1, %r2, %r3, %r4;",
        "setp.lo.and.u32 %p1, %r1, %r2, !%p2;",
        "set.lt.u32.f16x2 %r1, %r2, %r3;",
        "set.eq.f16.s32 %h1, %r2, %r3;",
        "and.pred %p1, %p2, !%p3;",
        "mov.pred %p1, !%p2;",
        "mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;",
        "cvt.rs.relu.satfinite.e2m1x4.f32 %h1, {%f1, %f2, %f3, %f4}, %r1;",
        "cvt.rn.satfinite.e2m1x2.f16x2 %b1, %r1;",
        "cvt.rm.bf16.f32 %h1, %f1;",
        "cvt.rn.satfinite.relu.bf16x2.f32 %r1, %f1, %f2;",
        "ld.global.L1::no_allocate.L2::evict_last.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd5];",
        "ld.global.ca.nc.L2::cache_hint.L2::64B.u32 %r1, [%rd1], %rd2;",
        "st.bulk.weak.shared::cta [%r1], 64, 0;",
        "st.async.mmio.release.sys.global.b32 [%rd1], %r1;",
        "prefetch.L2::evict_last [%rd1];",
        "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, "
        "%r3}], [%r4];",
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%rd1, {%r1, %r2, %r3, %r4, %r5}];",
        "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %q1;",
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32.satfinite {%r1}, {%r2}, {%r3}, {%r4};",
        "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3 {%f1}, "
        "{%r1}, "
        "{%r2}, {%f2}, %r3, {0, 1}, %r4, {0, 1};",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];",
        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r1], {%r2};",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1}, %rd1, %rd2, %r1, 0, %p1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%r1}, %rd1, %rd2, %p1;",
        "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r1], %rd1, %rd2, %r2, {%r3, %r4, %r5, %r6}, %p1, 8;",
        "tcgen05.ld.sync.aligned.16x32bx2.x2.pack::16b.b32 {%r1, %r2}, [%r3], 4;",
        "tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%r1], %rd1;",
        "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;",
        "fence.acquire.sync_restrict::shared::cluster.cluster;",
        "atom.global.v4.f32.add {%f1, %f2, %f3, %f4}, [%rd1], {%f5, %f6, %f7, %f8};",
        "red.relaxed.gpu.global.add.noftz.L2::cache_hint.v4.bf16x2 [%rd1], {%r1, %r2, %r3, %r4}, %rd2;",
        "multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v4.bf16x2 {%r1, %r2, %r3, %r4}, [%rd1];",
        "tex.base.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, {%f5, %f6}];",
        "txq.level.width.b32 %r1, [%rd1], 0;",
        "vmad.s32.s32.u32.shr15 %r1, -%r2, %r3, %r4;"}) {
    EXPECT_EQ(outcome(text), "") << text;
  }
}

TEST(Opcodes, RefusesWhatPtxasRefuses) {
  for (const char* text : {"mul.s32 %r1, %r2, %r3;",
                           "mad.f32 %f1, %f2, %f3, %f4;",
                           "min.xorsign.abs.f32 %f1, %f2, %f3, %f4;",
                           "setp.lt.b32 %p1, %r1, %r2;",
                           "setp.lo.s32 %p1, %r1, %r2;",
                           "mov.b32 %r1, -%r2;",
                           "cvt.rna.relu.tf32.f32 %r1, %f1;",
                           "cvt.sat.s32.s16 %r1, %h1;",
                           "cvt.rz.ue8m0x2.f32 %h1, %f1;",
                           "ld.global.L2::evict_first.b32 %r1, [%rd1];",
                           "ld.volatile.const.u32 %r1, [%rd1];",
                           "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, [%r2];",
                           "mbarrier.arrive.shared::cta.b64 [%r1];",
                           "mbarrier.test_wait.b64 %p1, [%rd1], %rd2, %r1;",
                           "membar.proxy.async;",
                           "fence.proxy.tensormap::generic.acquire.gpu;",
                           "atom.global.add.f16x2 %r1, [%rd1], %r2;",
                           "atom.global.add.s64 %rd1, [%rd2], %rd3;",
                           "red.global.max.v2.f32 [%rd1], {%f1, %f2};",
                           "mma.sync.aligned.m16n8k8.col.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};",
                           "tex.2d.v2.f32.f32 {%f1, %f2}, [%rd1, {%f5, %f6}];"}) {
    EXPECT_NE(outcome(text), "") << text;
  }
}

// Each was written by a person or a compiler of another project and refused by ptxas.
TEST(Opcodes, RefusesWhatPtxHasNot) {
  EXPECT_THAT(outcome("ld.global.f16 %rs1, [%rd1];"), HasSubstr("'.f16' cannot follow 'ld.global' (line 4, column 1)"));
  EXPECT_THAT(outcome("cvt.rn.f32.f16 %f1, %rs1;"), HasSubstr("'.f16' cannot follow 'cvt.rn.f32'"));
  EXPECT_THAT(outcome("cvt.rn.f64.f32 %fd1, %f1;"), HasSubstr("'.f32' cannot follow 'cvt.rn.f64'"));
  EXPECT_THAT(outcome("cvt.f16.f32 %rs1, %f1;"), HasSubstr("'.f32' cannot follow 'cvt.f16'"));
  EXPECT_THAT(outcome("add.b32 %r1, %r2, %r3;"), HasSubstr("'.b32' cannot follow 'add'"));
  EXPECT_THAT(outcome("fma.f32 %f1, %f2, %f3, %f4;"), HasSubstr("PTX allows there: .rn, .rz, .rm, .rp"));
  EXPECT_THAT(outcome("div.f32 %f1, %f2, %f3;"), HasSubstr("'.f32' cannot follow 'div'"));
  EXPECT_THAT(outcome("setp.lt %p1, %r1, %r2;"), HasSubstr("'setp.lt' is not complete"));
  EXPECT_THAT(outcome("mul.wide.u64 %rd1, %rd2, %rd3;"), HasSubstr("'.u64' cannot follow 'mul.wide'"));
  EXPECT_THAT(outcome("frobnicate.f32 %f1;"), HasSubstr("PTX has no instruction 'frobnicate'"));
}

TEST(Opcodes, RefusesOperandsThatDoNotFit) {
  EXPECT_THAT(outcome("add.s32 %r1, %r2;"), HasSubstr("the operands of 'add.s32 %r1, %r2;' do not fit it"));
  EXPECT_THAT(outcome("add.s32 5, %r2, %r3;"), HasSubstr("'add.s32' takes d,a,a"));
  EXPECT_THAT(outcome("ld.global.u32 %r1, %rd1;"), HasSubstr("do not fit"));
  EXPECT_THAT(outcome("st.global.u32 [%rd1], !%p1;"), HasSubstr("do not fit"));
  EXPECT_THAT(outcome("cp.async.wait_group %r1;"), HasSubstr("do not fit"));
}

TEST(Opcodes, FormsOfOneOpcodeAndFamilyStandTogetherAndAreNoTwins) {
  std::set<std::string> seen;
  for (const Form& form : forms()) {
    const std::string key = std::string(form.opcode) + std::string(form.modifiers) + " " + std::string(form.operands);
    EXPECT_TRUE(seen.insert(key).second) << "twice: " << key;
    EXPECT_NE(name(form.family), "") << key;
  }
}

TEST(Opcodes, NotationOfEveryFormIsWellFormed) {
  for (const Form& form : forms()) {
    char open = 0;
    for (std::size_t i = 0; i < form.modifiers.size(); ++i) {
      const char c = form.modifiers[i];
      if (c == '(' || c == '{') {
        EXPECT_EQ(open, 0) << form.modifiers;
        open = c;
      } else if (c == ')' || c == '}') {
        EXPECT_EQ(open, c == ')' ? '(' : '{') << form.modifiers;
        open = 0;
      } else if (c == '|') {
        EXPECT_NE(open, 0) << form.modifiers;
      } else if (c == '$') {
        const std::size_t end = form.modifiers.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", i + 1);
        EXPECT_FALSE(members(form.modifiers.substr(i + 1, end == std::string_view::npos ? end : end - i - 1)).empty())
            << form.modifiers;
      }
    }
    EXPECT_EQ(open, 0) << form.modifiers;
  }
}

}  // namespace
}  // namespace ridge::ptx
