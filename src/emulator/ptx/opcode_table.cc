#include <array>

#include "emulator/ptx/opcodes.h"

namespace ridge::ptx {
namespace {

using F = Family;

// Sorted by opcode within a family; forms of one opcode together. Source: the syntax lines of the PTX ISA, 9.0.
constexpr auto kForms = std::to_array<Form>({
    // ---- integer arithmetic
    {"add", "(.u16|.u32|.u64|.s16|.s64)", "d,a,a", F::kInteger},
    {"add", "{.sat}.s32", "d,a,a", F::kInteger},
    {"add", "(.u16x2|.s16x2)", "d,a,a", F::kInteger},
    {"add", "{.cc}(.u32|.s32|.u64|.s64)", "d,a,a", F::kInteger},
    {"add", "{$rnd}{.ftz}{.sat}.f32", "d,a,a", F::kFloat},
    {"add", "{$rnd}{.ftz}.f32x2", "d,a,a", F::kFloat},
    {"add", "{$rnd}.f64", "d,a,a", F::kFloat},
    {"add", "{.rn}{.ftz}{.sat}(.f16|.f16x2)", "d,a,a", F::kHalf},
    {"add", "{.rn}(.bf16|.bf16x2)", "d,a,a", F::kHalf},
    {"add", "{$rnd}{.sat}.f32(.f16|.bf16)", "d,a,a", F::kHalf},
    {"sub", "(.u16|.u32|.u64|.s16|.s64)", "d,a,a", F::kInteger},
    {"sub", "{.sat}.s32", "d,a,a", F::kInteger},
    {"sub", "{.cc}(.u32|.s32|.u64|.s64)", "d,a,a", F::kInteger},
    {"sub", "{$rnd}{.ftz}{.sat}.f32", "d,a,a", F::kFloat},
    {"sub", "{$rnd}{.ftz}.f32x2", "d,a,a", F::kFloat},
    {"sub", "{$rnd}.f64", "d,a,a", F::kFloat},
    {"sub", "{.rn}{.ftz}{.sat}(.f16|.f16x2)", "d,a,a", F::kHalf},
    {"sub", "{.rn}(.bf16|.bf16x2)", "d,a,a", F::kHalf},
    {"sub", "{$rnd}{.sat}.f32(.f16|.bf16)", "d,a,a", F::kHalf},
    {"mul", "{.hi|.lo|.wide}(.u16|.u32|.s16|.s32)", "d,a,a", F::kInteger},
    {"mul", "(.hi|.lo)(.u64|.s64)", "d,a,a", F::kInteger},
    {"mul", "{$rnd}{.ftz}{.sat}.f32", "d,a,a", F::kFloat},
    {"mul", "{$rnd}{.ftz}.f32x2", "d,a,a", F::kFloat},
    {"mul", "{$rnd}.f64", "d,a,a", F::kFloat},
    {"mul", "{.rn}{.ftz}{.sat}(.f16|.f16x2)", "d,a,a", F::kHalf},
    {"mul", "{.rn}(.bf16|.bf16x2)", "d,a,a", F::kHalf},
    {"mul24", "(.hi|.lo)(.u32|.s32)", "d,a,a", F::kInteger},
    {"mad", "(.hi|.lo|.wide)(.u16|.u32|.s16|.s32)", "d,a,a,a", F::kInteger},
    {"mad", "(.hi|.lo)(.u64|.s64)", "d,a,a,a", F::kInteger},
    {"mad", ".hi.sat.s32", "d,a,a,a", F::kInteger},
    {"mad", "(.hi|.lo).cc(.u32|.s32|.u64|.s64)", "d,a,a,a", F::kInteger},
    {"mad", "{$rnd}{.ftz}{.sat}.f32", "d,a,a,a", F::kFloat},
    {"mad", "$rnd.f64", "d,a,a,a", F::kFloat},
    {"mad24", "(.hi|.lo)(.u32|.s32)", "d,a,a,a", F::kInteger},
    {"mad24", ".hi.sat.s32", "d,a,a,a", F::kInteger},
    {"madc", "(.hi|.lo){.cc}(.u32|.s32|.u64|.s64)", "d,a,a,a", F::kInteger},
    {"addc", "{.cc}(.u32|.s32|.u64|.s64)", "d,a,a", F::kInteger},
    {"subc", "{.cc}(.u32|.s32|.u64|.s64)", "d,a,a", F::kInteger},
    {"sad", "$int", "d,a,a,a", F::kInteger},
    {"div", "$int", "d,a,a", F::kInteger},
    {"div", "(.approx|.full|.rn|.rz|.rm|.rp){.ftz}.f32", "d,a,a", F::kFloat},
    {"div", "$rnd.f64", "d,a,a", F::kFloat},
    {"rem", "$int", "d,a,a", F::kInteger},
    {"abs", "(.s16|.s32|.s64)", "d,a", F::kInteger},
    {"abs", "{.ftz}.f32", "d,a", F::kFloat},
    {"abs", ".f64", "d,a", F::kFloat},
    {"abs", "{.ftz}(.f16|.f16x2)", "d,a", F::kHalf},
    {"abs", "(.bf16|.bf16x2)", "d,a", F::kHalf},
    {"neg", "(.s16|.s32|.s64)", "d,a", F::kInteger},
    {"neg", "{.ftz}.f32", "d,a", F::kFloat},
    {"neg", ".f64", "d,a", F::kFloat},
    {"neg", "{.ftz}(.f16|.f16x2)", "d,a", F::kHalf},
    {"neg", "(.bf16|.bf16x2)", "d,a", F::kHalf},
    {"min", "(.u16|.u32|.u64|.s16|.s64)", "d,a,a", F::kInteger},
    {"min", "(.u16x2|.s16x2)", "d,a,a", F::kInteger},
    {"min", "{.relu}(.s32|.s16x2)", "d,a,a", F::kInteger},
    {"min", "{.ftz}{.NaN}{.xorsign.abs}.f32", "d,a,a{,a}", F::kFloat},
    {"min", ".f64", "d,a,a", F::kFloat},
    {"min", "{.ftz}{.NaN}{.xorsign.abs}(.f16|.f16x2)", "d,a,a", F::kHalf},
    {"min", "{.NaN}{.xorsign.abs}(.bf16|.bf16x2)", "d,a,a", F::kHalf},
    {"max", "(.u16|.u32|.u64|.s16|.s64)", "d,a,a", F::kInteger},
    {"max", "(.u16x2|.s16x2)", "d,a,a", F::kInteger},
    {"max", "{.relu}(.s32|.s16x2)", "d,a,a", F::kInteger},
    {"max", "{.ftz}{.NaN}{.xorsign.abs}.f32", "d,a,a{,a}", F::kFloat},
    {"max", ".f64", "d,a,a", F::kFloat},
    {"max", "{.ftz}{.NaN}{.xorsign.abs}(.f16|.f16x2)", "d,a,a", F::kHalf},
    {"max", "{.NaN}{.xorsign.abs}(.bf16|.bf16x2)", "d,a,a", F::kHalf},
    {"popc", "(.b32|.b64)", "d,a", F::kInteger},
    {"clz", "(.b32|.b64)", "d,a", F::kInteger},
    {"brev", "(.b32|.b64)", "d,a", F::kInteger},
    {"bfind", "{.shiftamt}(.u32|.u64|.s32|.s64)", "d,a", F::kInteger},
    {"fns", ".b32", "d,a,a,a", F::kInteger},
    {"bfe", "(.u32|.u64|.s32|.s64)", "d,a,a,a", F::kInteger},
    {"bfi", "(.b32|.b64)", "d,a,a,a,a", F::kInteger},
    {"szext", "(.clamp|.wrap)(.u32|.s32)", "d,a,a", F::kInteger},
    {"bmsk", "(.clamp|.wrap).b32", "d,a,a", F::kInteger},
    {"dp4a", "(.u32|.s32)(.u32|.s32)", "d,a,a,a", F::kInteger},
    {"dp2a", "(.lo|.hi)(.u32|.s32)(.u32|.s32)", "d,a,a,a", F::kInteger},

    // ---- floating point
    {"fma", "$rnd{.ftz}{.sat}.f32", "d,a,a,a", F::kFloat},
    {"fma", "$rnd{.ftz}.f32x2", "d,a,a,a", F::kFloat},
    {"fma", "$rnd.f64", "d,a,a,a", F::kFloat},
    {"fma", ".rn{.ftz}{.sat}(.f16|.f16x2)", "d,a,a,a", F::kHalf},
    {"fma", ".rn{.ftz}.relu(.f16|.f16x2)", "d,a,a,a", F::kHalf},
    {"fma", ".rn{.relu}(.bf16|.bf16x2)", "d,a,a,a", F::kHalf},
    {"fma", ".rn.oob{.relu}(.f16|.f16x2|.bf16|.bf16x2)", "d,a,a,a", F::kHalf},
    {"fma", "$rnd{.sat}.f32(.f16|.bf16)", "d,a,a,a", F::kHalf},
    {"rcp", "(.approx|.rn|.rz|.rm|.rp){.ftz}.f32", "d,a", F::kFloat},
    {"rcp", "$rnd.f64", "d,a", F::kFloat},
    {"rcp", ".approx.ftz.f64", "d,a", F::kFloat},
    {"sqrt", "(.approx|.rn|.rz|.rm|.rp){.ftz}.f32", "d,a", F::kFloat},
    {"sqrt", "$rnd.f64", "d,a", F::kFloat},
    {"rsqrt", ".approx{.ftz}.f32", "d,a", F::kFloat},
    {"rsqrt", ".approx{.ftz}.f64", "d,a", F::kFloat},
    {"sin", ".approx{.ftz}.f32", "d,a", F::kFloat},
    {"cos", ".approx{.ftz}.f32", "d,a", F::kFloat},
    {"lg2", ".approx{.ftz}.f32", "d,a", F::kFloat},
    {"ex2", ".approx{.ftz}.f32", "d,a", F::kFloat},
    {"ex2", ".approx(.f16|.f16x2)", "d,a", F::kHalf},
    {"ex2", ".approx.ftz(.bf16|.bf16x2)", "d,a", F::kHalf},
    {"tanh", ".approx(.f32|.f16|.f16x2)", "d,a", F::kFloat},
    {"tanh", ".approx(.bf16|.bf16x2)", "d,a", F::kFloat},
    {"copysign", "(.f32|.f64)", "d,a,a", F::kFloat},
    {"testp", "(.finite|.infinite|.number|.notanumber|.normal|.subnormal)(.f32|.f64)", "p,a", F::kFloat},

    // ---- comparison and selection
    {"setp", "$compare(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64)", "d|p,a,a", F::kCompare},
    {"setp", "$compare$boolean(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64)", "d|p,a,a,q", F::kCompare},
    {"setp", "$compare_float{.ftz}(.f32|.f64)", "d|p,a,a", F::kCompare},
    {"setp", "$compare_float$boolean{.ftz}(.f32|.f64)", "d|p,a,a,q", F::kCompare},
    {"setp", "$compare_float{.ftz}(.f16|.f16x2)", "d|p,a,a", F::kCompare},
    {"setp", "$compare_float$boolean{.ftz}(.f16|.f16x2)", "d|p,a,a,q", F::kCompare},
    {"setp", "$compare_float(.bf16|.bf16x2)", "d|p,a,a", F::kCompare},
    {"setp", "$compare_float$boolean(.bf16|.bf16x2)", "d|p,a,a,q", F::kCompare},
    {"set", "$compare(.u32|.s32|.f32)(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64)", "d,a,a", F::kCompare},
    {"set", "$compare$boolean(.u32|.s32|.f32)(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64)", "d,a,a,q", F::kCompare},
    {"set", "$compare_float{.ftz}(.u32|.s32|.f32)(.f32|.f64)", "d,a,a", F::kCompare},
    {"set", "$compare_float$boolean{.ftz}(.u32|.s32|.f32)(.f32|.f64)", "d,a,a,q", F::kCompare},
    {"set", "$compare_float{.ftz}(.f16|.u16|.s16|.u32|.s32)(.f16)", "d,a,a", F::kCompare},
    {"set", "$compare_float$boolean{.ftz}(.f16|.u16|.s16|.u32|.s32)(.f16)", "d,a,a,q", F::kCompare},
    {"set", "$compare_float{.ftz}.f16x2.f16x2", "d,a,a", F::kCompare},
    {"set", "$compare_float$boolean{.ftz}.f16x2.f16x2", "d,a,a,q", F::kCompare},
    {"set", "$compare_float(.bf16|.u16|.s16|.u32|.s32).bf16", "d,a,a", F::kCompare},
    {"set", "$compare_float.bf16x2.bf16x2", "d,a,a", F::kCompare},
    {"selp", "(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64)", "d,a,a,q", F::kCompare},
    {"slct", "(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64).s32", "d,a,a,a", F::kCompare},
    {"slct", "{.ftz}(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64).f32", "d,a,a,a", F::kCompare},

    // ---- logic and shifts
    {"and", "(.pred|.b16|.b32|.b64)", "d,a,a", F::kLogic},
    {"or", "(.pred|.b16|.b32|.b64)", "d,a,a", F::kLogic},
    {"xor", "(.pred|.b16|.b32|.b64)", "d,a,a", F::kLogic},
    {"not", "(.pred|.b16|.b32|.b64)", "d,a", F::kLogic},
    {"cnot", "(.b16|.b32|.b64)", "d,a", F::kLogic},
    {"lop3", ".b32", "d,a,a,a,i", F::kLogic},
    {"lop3", "(.or|.and).b32", "d|p,a,a,a,i,q", F::kLogic},
    {"shl", "(.b16|.b32|.b64)", "d,a,a", F::kLogic},
    {"shr", "(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64)", "d,a,a", F::kLogic},
    {"shf", "(.l|.r)(.clamp|.wrap).b32", "d,a,a,a", F::kLogic},

    // ---- moves and conversions
    {"mov", "(.pred|.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64)", "*,*", F::kMove},
    {"mov", ".b128", "*,*", F::kMove},
    {"prmt", ".b32{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "d,a,a,a", F::kMove},
    {"cvta", "$address_space(.u32|.u64)", "d,a", F::kMove},
    {"cvta", ".to$address_space(.u32|.u64)", "d,a", F::kMove},
    {"isspacep", "(.const|.global|.local|.shared|.shared::cta|.shared::cluster|.param|.param::entry)", "p,a", F::kMove},
    {"mapa", "{.shared::cluster}(.u32|.u64)", "d,a,a", F::kMove},
    {"getctarank", "{.shared::cluster}(.u32|.u64)", "d,a", F::kMove},
    {"cvt", "{.sat}(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64)(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64)", "d,a", F::kMove},
    {"cvt", "(.rni|.rzi|.rmi|.rpi){.ftz}{.sat}(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64)(.f16|.f32|.f64)", "d,a",
     F::kMove},
    {"cvt", "(.rni|.rzi|.rmi|.rpi)(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64).bf16", "d,a", F::kMove},
    {"cvt", "$rnd{.ftz}{.sat}(.f16|.f32|.f64)(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64)", "d,a", F::kMove},
    {"cvt", "$rnd.bf16(.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64)", "d,a", F::kMove},
    {"cvt", "{.ftz}{.sat}.f32.f16", "d,a", F::kMove},
    {"cvt", "{.ftz}{.sat}.f64(.f32|.f16)", "d,a", F::kMove},
    {"cvt", "$rnd{.ftz}{.sat}.f32.f64", "d,a", F::kMove},
    {"cvt", "$rnd{.ftz}{.sat}.f16(.f32|.f64)", "d,a", F::kMove},
    {"cvt", "{.rni|.rzi|.rmi|.rpi}{.ftz}{.sat}(.f16.f16|.f32.f32|.f64.f64)", "d,a", F::kMove},
    {"cvt", "{.rni|.rzi|.rmi|.rpi}.bf16.bf16", "d,a", F::kMove},
    {"cvt", "(.rn|.rz){.relu}{.satfinite}(.f16|.bf16).f32", "d,a", F::kMove},
    {"cvt", "(.rn|.rz){.relu}{.satfinite}(.f16x2|.bf16x2).f32", "d,a,a", F::kMove},
    {"cvt", ".rs{.relu}{.satfinite}(.f16x2|.bf16x2).f32", "d,a,a,a", F::kMove},
    {"cvt", "{.ftz}{.sat}.f32.bf16", "d,a", F::kMove},
    {"cvt", "{.sat}.f64.bf16", "d,a", F::kMove},
    {"cvt", "$rnd{.sat}.bf16(.f16|.f64|.bf16)", "d,a", F::kMove},
    {"cvt", "$rnd{.sat}.f16.bf16", "d,a", F::kMove},
    {"cvt", "(.rna|.rn|.rz){.relu}{.satfinite}.tf32.f32", "d,a", F::kMove},
    {"cvt", ".rn.satfinite{.relu}(.e4m3x2|.e5m2x2).f32", "d,a,a", F::kMove},
    {"cvt", ".rn.satfinite{.relu}(.e4m3x2|.e5m2x2).f16x2", "d,a", F::kMove},
    {"cvt", ".rn{.relu}.f16x2(.e4m3x2|.e5m2x2)", "d,a", F::kMove},
    {"cvt", ".rn.satfinite{.relu}(.e2m1x2|.e2m3x2|.e3m2x2).f32", "d,a,a", F::kMove},
    {"cvt", ".rn{.relu}.f16x2(.e2m1x2|.e2m3x2|.e3m2x2)", "d,a", F::kMove},
    {"cvt", "(.rz|.rp){.satfinite}.ue8m0x2(.f32|.bf16x2)", "d,a{,a}", F::kMove},
    {"cvt", ".rn.bf16x2.ue8m0x2", "d,a", F::kMove},
    {"cvt", ".pack.sat(.u16|.s16).s32", "d,a,a", F::kMove},
    {"cvt", ".pack.sat(.u2|.s2|.u4|.s4|.u8|.s8).s32.b32", "d,a,a,a", F::kMove},
    {"createpolicy",
     ".fractional(.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged){.L2::evict_first|.L2::evict_"
     "unchanged}.b64",
     "d{,a}", F::kMemory},
    {"createpolicy",
     ".range{.global}(.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged){.L2::evict_first|.L2::"
     "evict_unchanged}.b64",
     "d,m,a,a", F::kMemory},
    {"createpolicy", ".cvt.L2.b64", "d,a", F::kMemory},

    // ---- memory
    {"ld", "{.weak}{$load_space}{$load_cache}{$evict_l1}{$evict_l2}{.L2::cache_hint}{$prefetch}{$vector}$memory_type",
     "dv,m{,a}", F::kMemory},
    {"ld", ".volatile{$load_space}{$prefetch}{$vector}$memory_type", "dv,m", F::kMemory},
    {"ld",
     "(.relaxed|.acquire)$scope{$load_space}{$evict_l1}{$evict_l2}{.L2::cache_hint}{$prefetch}{$vector}$memory_type",
     "dv,m{,a}", F::kMemory},
    {"ld", ".mmio.relaxed.sys{.global}$memory_type", "d,m", F::kMemory},
    {"ld", ".global{.ca|.cg|.cs}.nc{$evict_l1}{$evict_l2}{.L2::cache_hint}{$prefetch}{$vector}$memory_type", "dv,m{,a}",
     F::kMemory},
    {"ldu", "{.global}{$vector}$memory_type", "dv,m", F::kMemory},
    {"st", "{.weak}{$store_space}{$store_cache}{$evict_l1}{$evict_l2}{.L2::cache_hint}{$vector}$memory_type",
     "m,av{,a}", F::kMemory},
    {"st", ".volatile{$store_space}{$vector}$memory_type", "m,av", F::kMemory},
    {"st", "(.relaxed|.release)$scope{$store_space}{$evict_l1}{$evict_l2}{.L2::cache_hint}{$vector}$memory_type",
     "m,av{,a}", F::kMemory},
    {"st", ".mmio.relaxed.sys{.global}$memory_type", "m,a", F::kMemory},
    {"prefetch", "{.global|.local}(.L1|.L2)", "m", F::kMemory},
    {"prefetch", ".global(.L2::evict_last|.L2::evict_normal)", "m", F::kMemory},
    {"prefetch", "{.const|.param}.tensormap", "m", F::kMemory},
    {"prefetchu", ".L1", "m", F::kMemory},
    {"applypriority", "{.global}.L2::evict_normal", "m,i", F::kMemory},
    {"discard", "{.global}.L2", "m,i", F::kMemory},
    {"alloca", "(.u32|.u64)", "d,a{,i}", F::kMemory},
    {"stacksave", "(.u32|.u64)", "d", F::kMemory},
    {"stackrestore", "(.u32|.u64)", "a", F::kMemory},

    // ---- asynchronous copies and mbarrier
    {"cp", ".async(.ca|.cg)(.shared|.shared::cta).global{.L2::cache_hint}{$prefetch}", "m,m,i{,*}{,a}", F::kAsync},
    {"cp", ".async.commit_group", "", F::kAsync},
    {"cp", ".async.wait_group", "i", F::kAsync},
    {"cp", ".async.wait_all", "", F::kAsync},
    {"cp", ".async.mbarrier.arrive{.noinc}{.shared|.shared::cta}.b64", "m", F::kAsync},
    {"cp",
     ".async.bulk(.shared::cluster|.shared::cta).global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_"
     "hint}",
     "m,m,a,m{,a}{,a}", F::kAsync},
    {"cp", ".async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "m,m,a,m", F::kAsync},
    {"cp", ".async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask}", "m,m,a{,a}{,a}", F::kAsync},
    {"cp", ".async.bulk.commit_group", "", F::kAsync},
    {"cp", ".async.bulk.wait_group{.read}", "i", F::kAsync},
    {"cp", ".async.bulk.prefetch.L2.global{.L2::cache_hint}", "m,a{,a}", F::kAsync},
    {"cp",
     ".async.bulk.tensor(.1d|.2d|.3d|.4d|.5d)(.shared::cluster|.shared::cta).global{.tile|.im2col|.im2col::w|.im2col::"
     "w::128|.tile::gather4}.mbarrier::complete_tx::bytes{.multicast::cluster}{.cta_group::1|.cta_group::2}{.L2::cache_"
     "hint}",
     "m,m,m{,*}{,*}{,*}", F::kAsync},
    {"cp",
     ".async.bulk.tensor(.1d|.2d|.3d|.4d|.5d).global.shared::cta{.tile|.im2col_no_offs|.tile::scatter4}.bulk_group{.L2:"
     ":cache_hint}",
     "m,m{,a}", F::kAsync},
    {"cp", ".async.bulk.prefetch.tensor(.1d|.2d|.3d|.4d|.5d).L2.global{.tile|.im2col}{.L2::cache_hint}", "m{,*}{,a}",
     F::kAsync},
    {"cp",
     ".reduce.async.bulk(.shared::cluster.shared::cta.mbarrier::complete_tx::bytes|.global.shared::cta.bulk_group){.L2:"
     ":cache_hint}(.and|.or|.xor|.add|.inc|.dec|.min|.max){.noftz}(.u32|.s32|.u64|.s64|.b32|.b64|.f16|.bf16|.f32|.f64)",
     "m,m,a{,*}{,a}", F::kAsync},
    {"cp",
     ".reduce.async.bulk.tensor(.1d|.2d|.3d|.4d|.5d).global.shared::cta(.add|.min|.max|.inc|.dec|.and|.or|.xor){.tile|."
     "im2col_no_offs}.bulk_group{.L2::cache_hint}",
     "m,m{,a}", F::kAsync},
    {"tensormap",
     ".replace.tile(.global_address|.rank|.box_dim|.global_dim|.global_stride|.element_stride|.elemtype|.interleave_"
     "layout|.swizzle_mode|.fill_mode|.swizzle_atomicity){.global|.shared::cta}.b1024(.b32|.b64)",
     "m,*{,*}", F::kAsync},
    {"tensormap",
     ".cp_fenceproxy.global.shared::cta.tensormap::generic(.release|.acquire)(.cta|.cluster|.gpu|.sys).sync.aligned",
     "m,m,i", F::kAsync},
    {"mbarrier", ".init{.shared|.shared::cta}.b64", "m,a", F::kAsync},
    {"mbarrier", ".inval{.shared|.shared::cta}.b64", "m", F::kAsync},
    {"mbarrier", ".expect_tx{.relaxed}{.cta|.cluster}{.shared|.shared::cta|.shared::cluster}.b64", "m,a", F::kAsync},
    {"mbarrier", ".complete_tx{.relaxed}{.cta|.cluster}{.shared|.shared::cta|.shared::cluster}.b64", "m,a", F::kAsync},
    {"mbarrier",
     "(.arrive|.arrive_drop){.expect_tx}{.noComplete}{.release|.relaxed}{.cta|.cluster}{.shared|.shared::cta|.shared::"
     "cluster}.b64",
     "d,m{,a}", F::kAsync},
    {"mbarrier",
     "(.arrive|.arrive_drop){.expect_tx}{.noComplete}{.release|.relaxed}{.cta|.cluster}{.shared|.shared::cta|.shared::"
     "cluster}.b64",
     "m{,a}", F::kAsync},
    {"mbarrier", "(.test_wait|.try_wait){.parity}{.acquire|.relaxed}{.cta|.cluster}{.shared|.shared::cta}.b64",
     "p,m,a{,a}", F::kAsync},
    {"mbarrier", ".pending_count.b64", "d,a", F::kAsync},

    // ---- matrices
    {"mma", ".sync.aligned(.m8n8k4|.m16n8k8|.m16n8k16)(.row|.col)(.row|.col)(.f16|.f32).f16.f16(.f16|.f32)", "v,v,v,v",
     F::kMatrix},
    {"mma", ".sync.aligned(.m16n8k8|.m16n8k16).row.col.f32.bf16.bf16.f32", "v,v,v,v", F::kMatrix},
    {"mma", ".sync.aligned(.m16n8k4|.m16n8k8).row.col.f32.tf32.tf32.f32", "v,v,v,v", F::kMatrix},
    {"mma", ".sync.aligned(.m8n8k4|.m16n8k4|.m16n8k8|.m16n8k16).row.col{.rn|.rz|.rm|.rp}.f64.f64.f64.f64", "v,v,v,v",
     F::kMatrix},
    {"mma", ".sync.aligned(.m8n8k16|.m16n8k16|.m16n8k32).row.col{.satfinite}.s32(.u8|.s8)(.u8|.s8).s32", "v,v,v,v",
     F::kMatrix},
    {"mma", ".sync.aligned(.m8n8k32|.m16n8k32|.m16n8k64).row.col{.satfinite}.s32(.u4|.s4)(.u4|.s4).s32", "v,v,v,v",
     F::kMatrix},
    {"mma", ".sync.aligned(.m8n8k128|.m16n8k128|.m16n8k256).row.col.s32.b1.b1.s32(.xor.popc|.and.popc)", "v,v,v,v",
     F::kMatrix},
    {"mma", ".sync.aligned(.m16n8k16|.m16n8k32).row.col(.f16|.f32)(.e4m3|.e5m2)(.e4m3|.e5m2)(.f16|.f32)", "v,v,v,v",
     F::kMatrix},
    {"mma",
     "{.sp|.sp::ordered_metadata}.sync.aligned{.sp}(.m16n8k8|.m16n8k16|.m16n8k32|.m16n8k64|.m16n8k128).row.col{."
     "satfinite}(.f16|.f32|.s32)$matrix_type$matrix_type(.f16|.f32|.s32)",
     "v,v,v,v,a,i", F::kMatrix},
    {"mma", ".sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32$matrix_small$matrix_small.f32", "v,v,v,v", F::kMatrix},
    {"ldmatrix", ".sync.aligned.m8n8(.x1|.x2|.x4){.trans}{.shared|.shared::cta}.b16", "dv,m", F::kMatrix},
    {"ldmatrix",
     ".sync.aligned(.m16n16|.m8n16)(.x1|.x2|.x4){.trans}{.shared|.shared::cta}{.b8x16.b6x16_p32|.b8x16.b4x16_p64|.b8}",
     "v,m", F::kMatrix},
    {"stmatrix", ".sync.aligned.m8n8(.x1|.x2|.x4){.trans}{.shared|.shared::cta}.b16", "m,av", F::kMatrix},
    {"movmatrix", ".sync.aligned.m8n8.trans.b16", "d,a", F::kMatrix},
    {"wmma",
     ".load(.a|.b|.c).sync.aligned(.row|.col)$wmma_shape{.global|.shared|.shared::cta}(.f16|.f32|.s32|.u8|.s8|.bf16|."
     "tf32|.f64|.u4|.s4|.b1)",
     "v,m{,a}", F::kMatrix},
    {"wmma", ".store.d.sync.aligned(.row|.col)$wmma_shape{.global|.shared|.shared::cta}(.f16|.f32|.s32|.f64)",
     "m,v{,a}", F::kMatrix},
    {"wmma", ".mma.sync.aligned(.row|.col)(.row|.col)$wmma_shape(.f16|.f32)(.f16|.f32)", "v,v,v,v", F::kMatrix},
    {"wmma",
     ".mma.sync.aligned(.row|.col)(.row|.col)$wmma_shape{.rn|.rz|.rm|.rp}(.f32|.s32|.f64)(.bf16|.tf32|.f64|.u8|.s8|.u4|"
     ".s4)(.bf16|.tf32|.f64|.u8|.s8|.u4|.s4)(.f32|.s32|.f64){.satfinite}",
     "v,v,v,v", F::kMatrix},
    {"wmma", ".mma(.xor.popc|.and.popc).sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "v,v,v,v", F::kMatrix},
    {"wgmma", ".fence.sync.aligned", "", F::kMatrix},
    {"wgmma", ".commit_group.sync.aligned", "", F::kMatrix},
    {"wgmma", ".wait_group.sync.aligned", "i", F::kMatrix},
    {"wgmma",
     ".mma_async.sync.aligned$wgmma_shape(.f16|.f32)(.f16|.bf16|.tf32|.e4m3|.e5m2)(.f16|.bf16|.tf32|.e4m3|.e5m2)",
     "v,*,a,q,i,i{,i}{,i}", F::kMatrix},
    {"wgmma", ".mma_async.sync.aligned$wgmma_shape{.satfinite}.s32(.u8|.s8)(.u8|.s8)", "v,*,a,q", F::kMatrix},
    {"setmaxnreg", "(.inc|.dec).sync.aligned.u32", "i", F::kMatrix},

    // ---- control
    {"bra", "{.uni}", "l", F::kControl},
    {"brx", ".idx{.uni}", "a,t", F::kControl},
    {"call", "{.uni}", "{(),}f{,()}{,t}", F::kControl},
    {"ret", "{.uni}", "", F::kControl},
    {"exit", "", "", F::kControl},
    {"trap", "", "", F::kControl},
    {"brkpt", "", "", F::kControl},
    {"nanosleep", ".u32", "a", F::kControl},
    {"pmevent", "{.mask}", "i", F::kControl},
    {"griddepcontrol", "(.launch_dependents|.wait)", "", F::kControl},
    {"elect", ".sync", "d|p,a", F::kControl},

    // ---- barriers and fences
    {"bar", "{.cta}.sync", "a{,a}", F::kBarrier},
    {"bar", "{.cta}.arrive", "a,a", F::kBarrier},
    {"bar", "{.cta}.red.popc.u32", "d,a{,a},q", F::kBarrier},
    {"bar", "{.cta}.red(.and|.or).pred", "p,a{,a},q", F::kBarrier},
    {"bar", ".warp.sync", "a", F::kBarrier},
    {"barrier", "{.cta}.sync{.aligned}", "a{,a}", F::kBarrier},
    {"barrier", "{.cta}.arrive{.aligned}", "a,a", F::kBarrier},
    {"barrier", "{.cta}.red.popc{.aligned}.u32", "d,a{,a},q", F::kBarrier},
    {"barrier", "{.cta}.red(.and|.or){.aligned}.pred", "p,a{,a},q", F::kBarrier},
    {"barrier", ".cluster.arrive{.release|.relaxed}{.aligned}", "", F::kBarrier},
    {"barrier", ".cluster.wait{.acquire}{.aligned}", "", F::kBarrier},
    {"membar", "(.cta|.gl|.sys)", "", F::kBarrier},
    {"membar", ".proxy(.alias|.async|.async.global|.async.shared::cta|.async.shared::cluster)", "", F::kBarrier},
    {"fence", "{.sc|.acq_rel|.acquire|.release}$scope", "", F::kBarrier},
    {"fence", "(.acquire|.release).sync_restrict(.shared::cluster.cluster|.shared::cta.cluster)", "", F::kBarrier},
    {"fence", ".mbarrier_init.release.cluster", "", F::kBarrier},
    {"fence", ".proxy(.alias|.async|.async.global|.async.shared::cta|.async.shared::cluster)", "", F::kBarrier},
    {"fence", ".proxy.tensormap::generic(.release|.acquire)$scope", "{m,i}", F::kBarrier},

    // ---- warps
    {"shfl", "(.up|.down|.bfly|.idx).b32", "d|p,a,a,a", F::kWarp},
    {"shfl", ".sync(.up|.down|.bfly|.idx).b32", "d|p,a,a,a,a", F::kWarp},
    {"vote", "(.all|.any|.uni).pred", "p,q", F::kWarp},
    {"vote", ".ballot.b32", "d,q", F::kWarp},
    {"vote", ".sync(.all|.any|.uni).pred", "p,q,a", F::kWarp},
    {"vote", ".sync.ballot.b32", "d,q,a", F::kWarp},
    {"match", ".any.sync(.b32|.b64)", "d,a,a", F::kWarp},
    {"match", ".all.sync(.b32|.b64)", "d|p,a,a", F::kWarp},
    {"activemask", ".b32", "d", F::kWarp},
    {"redux", ".sync(.add|.min|.max)(.u32|.s32)", "d,a,a", F::kWarp},
    {"redux", ".sync(.and|.or|.xor).b32", "d,a,a", F::kWarp},
    {"redux", ".sync(.min|.max){.abs}{.NaN}.f32", "d,a,a", F::kWarp},

    // ---- atomics
    {"atom", "{$semantics}{$scope}{$atomic_space}(.and|.or|.xor)(.b32|.b64)", "d,m,a{,a}", F::kAtomic},
    {"atom", "{$semantics}{$scope}{$atomic_space}.exch{.L2::cache_hint}(.b32|.b64|.b128)", "d,m,a{,a}", F::kAtomic},
    {"atom", "{$semantics}{$scope}{$atomic_space}.cas{.L2::cache_hint}(.b16|.b32|.b64|.b128)", "d,m,a,a{,a}",
     F::kAtomic},
    {"atom",
     "{$semantics}{$scope}{$atomic_space}.add{.noftz}{.L2::cache_hint}(.u32|.s32|.u64|.s64|.f32|.f64|.f16|.f16x2|.bf16|"
     ".bf16x2)",
     "d,m,a{,a}", F::kAtomic},
    {"atom", "{$semantics}{$scope}{$atomic_space}(.inc|.dec){.L2::cache_hint}.u32", "d,m,a{,a}", F::kAtomic},
    {"atom", "{$semantics}{$scope}{$atomic_space}(.min|.max){.L2::cache_hint}(.u32|.s32|.u64|.s64)", "d,m,a{,a}",
     F::kAtomic},
    {"atom",
     "{$semantics}{$scope}{.global}(.add|.min|.max){.noftz}{.L2::cache_hint}(.v2|.v4|.v8)(.f16|.f16x2|.bf16|.bf16x2|."
     "f32)",
     "v,m,v{,a}", F::kAtomic},
    {"red", "{$reduction_semantics}{$scope}{$atomic_space}(.and|.or|.xor){.L2::cache_hint}(.b32|.b64)", "m,a{,a}",
     F::kAtomic},
    {"red",
     "{$reduction_semantics}{$scope}{$atomic_space}.add{.noftz}{.L2::cache_hint}(.u32|.s32|.u64|.s64|.f32|.f64|.f16|."
     "f16x2|.bf16|.bf16x2)",
     "m,a{,a}", F::kAtomic},
    {"red", "{$reduction_semantics}{$scope}{$atomic_space}(.inc|.dec){.L2::cache_hint}.u32", "m,a{,a}", F::kAtomic},
    {"red", "{$reduction_semantics}{$scope}{$atomic_space}(.min|.max){.L2::cache_hint}(.u32|.s32|.u64|.s64)", "m,a{,a}",
     F::kAtomic},
    {"red",
     "{$reduction_semantics}{$scope}{.global}(.add|.min|.max){.noftz}{.L2::cache_hint}(.v2|.v4|.v8)(.f16|.f16x2|.bf16|."
     "bf16x2|.f32)",
     "m,v{,a}", F::kAtomic},
    {"red",
     ".async{.relaxed}{.cluster}{.shared::cluster}.mbarrier::complete_tx::bytes(.inc|.dec|.min|.max|.add|.and|.or|.xor)"
     "(.u32|.s32|.u64|.b32)",
     "m,a,m", F::kAtomic},
    {"st",
     ".async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.v2|.v4}(.b32|.b64|.u32|.u64|.s32|.s64|.f32|.f64)",
     "m,av,m", F::kAsync},
    {"multimem",
     ".ld_reduce{.weak|.relaxed|.acquire}{$scope}{.global}(.add|.min|.max|.and|.or|.xor){.acc::f32|.acc::f16}{.v2|.v4|."
     "v8}(.u32|.s32|.u64|.s64|.b32|.b64|.f16|.f16x2|.bf16|.bf16x2|.f32|.f64)",
     "dv,m", F::kAtomic},
    {"multimem",
     ".st{.weak|.relaxed|.release}{$scope}{.global}{.v2|.v4|.v8}(.u32|.s32|.u64|.s64|.b32|.b64|.f16|.f16x2|.bf16|."
     "bf16x2|.f32|.f64)",
     "m,av", F::kAtomic},
    {"multimem",
     ".red{.relaxed|.release}{$scope}{.global}(.add|.min|.max|.and|.or|.xor){.v2|.v4|.v8}(.u32|.s32|.u64|.s64|.b32|."
     "b64|.f16|.f16x2|.bf16|.bf16x2|.f32|.f64)",
     "m,av", F::kAtomic},

    // ---- textures and surfaces
    {"tex", "(.1d|.2d|.3d|.a1d|.a2d|.cube|.acube|.2dms|.a2dms){.v2|.v4}(.u32|.s32|.f32|.f16|.f16x2)(.s32|.f32)",
     "dv,m{,*}{,*}", F::kTexture},
    {"tex", "(.base|.level|.grad)(.1d|.2d|.3d|.a1d|.a2d|.cube|.acube){.v2|.v4}(.u32|.s32|.f32|.f16|.f16x2).f32",
     "dv,m,*{,*}{,*}{,*}", F::kTexture},
    {"tld4", "(.r|.g|.b|.a)(.2d|.a2d|.cube|.acube).v4(.u32|.s32|.f32).f32", "dv,m{,*}{,*}", F::kTexture},
    {"txq",
     "(.width|.height|.depth|.channel_data_type|.channel_order|.normalized_coords|.array_size|.num_mipmap_levels|.num_"
     "samples|.filter_mode|.addr_mode_0|.addr_mode_1|.addr_mode_2).b32",
     "d,m", F::kTexture},
    {"suld", ".b(.1d|.2d|.3d|.a1d|.a2d){.ca|.cg|.cs|.cv}{.v2|.v4}(.b8|.b16|.b32|.b64)(.trap|.clamp|.zero)", "dv,m",
     F::kTexture},
    {"sust", "(.b|.p)(.1d|.2d|.3d|.a1d|.a2d){.wb|.cg|.cs|.wt}{.v2|.v4}(.b8|.b16|.b32|.b64)(.trap|.clamp|.zero)", "m,av",
     F::kTexture},
    {"sured", "(.b|.p)(.add|.min|.max|.and|.or)(.1d|.2d|.3d)(.u32|.u64|.s32|.b32|.s64)(.trap|.clamp|.zero)", "m,a",
     F::kTexture},
    {"suq", "(.width|.height|.depth|.channel_data_type|.channel_order|.array_size|.memory_layout).b32", "d,m",
     F::kTexture},
    {"istypep", "(.texref|.samplerref|.surfref)", "p,a", F::kTexture},

    // ---- video: packed bytes and halves
    {"vadd4", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vsub4", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vavrg4", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vabsdiff4", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vmin4", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vmax4", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vset4", "(.u32|.s32)(.u32|.s32)$compare{.add}", "d,a,a,a", F::kVideo},
    {"vadd2", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vsub2", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vavrg2", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vabsdiff2", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vmin2", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vmax2", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add}", "d,a,a,a", F::kVideo},
    {"vset2", "(.u32|.s32)(.u32|.s32)$compare{.add}", "d,a,a,a", F::kVideo},
    {"vadd", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vsub", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vabsdiff", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vmin", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vmax", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.sat}{.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vshl", "(.u32|.s32)(.u32|.s32).u32{.sat}(.clamp|.wrap){.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vshr", "(.u32|.s32)(.u32|.s32).u32{.sat}(.clamp|.wrap){.add|.min|.max}", "d,a,a{,a}", F::kVideo},
    {"vmad", "(.u32|.s32)(.u32|.s32)(.u32|.s32){.po}{.sat}{.shr7|.shr15}", "d,a,a,a", F::kVideo},
    {"vset", "(.u32|.s32)(.u32|.s32)$compare{.add|.min|.max}", "d,a,a{,a}", F::kVideo},
});

struct Set {
  std::string_view name;
  std::span<const std::string_view> members;
};
using Names = std::string_view;
constexpr auto kRnd = std::to_array<Names>({"rn", "rz", "rm", "rp"});
constexpr auto kInt = std::to_array<Names>({"u16", "u32", "u64", "s16", "s32", "s64"});
constexpr auto kCompare = std::to_array<Names>({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"});
constexpr auto kCompareFloat =
    std::to_array<Names>({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
constexpr auto kBoolean = std::to_array<Names>({"and", "or", "xor"});
constexpr auto kAddressSpace = std::to_array<Names>(
    {"const", "global", "local", "shared", "shared::cta", "shared::cluster", "param", "param::entry"});
constexpr auto kLoadSpace = std::to_array<Names>(
    {"const", "global", "local", "param", "param::entry", "param::func", "shared", "shared::cta", "shared::cluster"});
constexpr auto kStoreSpace =
    std::to_array<Names>({"global", "local", "param", "param::func", "shared", "shared::cta", "shared::cluster"});
constexpr auto kLoadCache = std::to_array<Names>({"ca", "cg", "cs", "lu", "cv"});
constexpr auto kStoreCache = std::to_array<Names>({"wb", "cg", "cs", "wt"});
constexpr auto kEvictL1 = std::to_array<Names>(
    {"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
constexpr auto kEvictL2 = std::to_array<Names>({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
constexpr auto kPrefetch = std::to_array<Names>({"L2::64B", "L2::128B", "L2::256B"});
constexpr auto kVector = std::to_array<Names>({"v2", "v4", "v8"});
constexpr auto kMemoryType = std::to_array<Names>(
    {"b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64"});
constexpr auto kScope = std::to_array<Names>({"cta", "cluster", "gpu", "sys"});
constexpr auto kSemantics = std::to_array<Names>({"relaxed", "acquire", "release", "acq_rel"});
constexpr auto kReductionSemantics = std::to_array<Names>({"relaxed", "release"});
constexpr auto kAtomicSpace = std::to_array<Names>({"global", "shared", "shared::cta", "shared::cluster"});
constexpr auto kMatrixType = std::to_array<Names>({"f16", "bf16", "tf32", "u8", "s8", "u4", "s4", "e4m3", "e5m2"});
constexpr auto kMatrixSmall = std::to_array<Names>({"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"});
constexpr auto kWmmaShape =
    std::to_array<Names>({"m16n16k16", "m8n32k16", "m32n8k16", "m16n16k8", "m8n8k4", "m8n8k32", "m8n8k128"});
// The m64nNkK of wgmma are a rule, not a list: see in_set.
constexpr auto kWgmmaShape = std::to_array<Names>({"m64n*k*"});

constexpr auto kSets = std::to_array<Set>({{"rnd", kRnd},
                                           {"int", kInt},
                                           {"compare", kCompare},
                                           {"compare_float", kCompareFloat},
                                           {"boolean", kBoolean},
                                           {"address_space", kAddressSpace},
                                           {"load_space", kLoadSpace},
                                           {"store_space", kStoreSpace},
                                           {"load_cache", kLoadCache},
                                           {"store_cache", kStoreCache},
                                           {"evict_l1", kEvictL1},
                                           {"evict_l2", kEvictL2},
                                           {"prefetch", kPrefetch},
                                           {"vector", kVector},
                                           {"memory_type", kMemoryType},
                                           {"scope", kScope},
                                           {"semantics", kSemantics},
                                           {"reduction_semantics", kReductionSemantics},
                                           {"atomic_space", kAtomicSpace},
                                           {"matrix_type", kMatrixType},
                                           {"matrix_small", kMatrixSmall},
                                           {"wmma_shape", kWmmaShape},
                                           {"wgmma_shape", kWgmmaShape}});

}  // namespace

std::span<const Form> forms() {
  return kForms;
}

std::span<const std::string_view> members(std::string_view set) {
  for (const Set& each : kSets) {
    if (each.name == set) return each.members;
  }
  return {};
}

}  // namespace ridge::ptx
