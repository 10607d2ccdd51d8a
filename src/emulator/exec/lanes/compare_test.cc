// Comparisons, selection and conversions against number/.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "emulator/exec/lanes/lanes_rig.h"
#include "emulator/number/minmax.h"

namespace ridge::emulator {
namespace {

using number::Comparison;
using testing::Bits;
using testing::expect_instruction;

constexpr auto kComparisons = std::to_array<std::pair<const char*, Comparison>>({{"eq", Comparison::kEq},
                                                                                 {"ne", Comparison::kNe},
                                                                                 {"lt", Comparison::kLt},
                                                                                 {"le", Comparison::kLe},
                                                                                 {"gt", Comparison::kGt},
                                                                                 {"ge", Comparison::kGe},
                                                                                 {"equ", Comparison::kEqu},
                                                                                 {"neu", Comparison::kNeu},
                                                                                 {"ltu", Comparison::kLtu},
                                                                                 {"leu", Comparison::kLeu},
                                                                                 {"gtu", Comparison::kGtu},
                                                                                 {"geu", Comparison::kGeu},
                                                                                 {"num", Comparison::kNum},
                                                                                 {"nan", Comparison::kNan}});

bool is_of_integers(Comparison comparison) {
  return comparison <= Comparison::kGe;
}

template <class T>
void expect_integers(const char* name, Comparison comparison) {
  const char letter = sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'w' : 'l';
  const std::string type = std::string(std::is_signed_v<T> ? ".s" : ".u") + std::to_string(8 * sizeof(T));
  expect_instruction(std::string("setp.") + name + type, std::string{'p', letter, letter}, [=](const Bits& x) {
    return number::compare_integer(comparison, static_cast<T>(x[0]), static_cast<T>(x[1])) ? 1 : 0;
  });
}

TEST(CompareLanes, Integers) {
  for (const auto& [name, comparison] : kComparisons) {
    if (!is_of_integers(comparison)) continue;
    expect_integers<std::uint16_t>(name, comparison);
    expect_integers<std::int16_t>(name, comparison);
    expect_integers<std::uint32_t>(name, comparison);
    expect_integers<std::int32_t>(name, comparison);
    expect_integers<std::uint64_t>(name, comparison);
    expect_integers<std::int64_t>(name, comparison);
  }
  expect_instruction("setp.hs.u32", "pww", [](const Bits& x) { return x[0] >= x[1] ? 1 : 0; });
  expect_instruction("setp.lo.u64", "pll", [](const Bits& x) { return x[0] < x[1] ? 1 : 0; });
}

TEST(CompareLanes, FloatsOrderedAndNot) {
  struct Kind {
    const char* type;
    char letter;
    const number::Format& format;
    bool flushes;
  };
  const Kind kinds[] = {{".f32", 'w', number::kF32, true},
                        {".f64", 'l', number::kF64, false},
                        {".f16", 'h', number::kF16, true},
                        {".bf16", 'h', number::kBf16, false}};
  for (const auto& each : kComparisons) {
    const Comparison comparison = each.second;
    for (const Kind& kind : kinds) {
      for (const bool ftz : {false, true}) {
        if (ftz && !kind.flushes) continue;
        const number::Format& format = kind.format;
        expect_instruction(std::string("setp.") + each.first + (ftz ? ".ftz" : "") + kind.type,
                           std::string{'p', kind.letter, kind.letter}, [=, &format](const Bits& x) {
                             return number::compare_float(format, comparison, x[0], x[1], ftz) ? 1 : 0;
                           });
      }
    }
  }
}

TEST(CompareLanes, OutcomesAreCombinedAndTheirOppositeToo) {
  const auto less = [](const Bits& x) { return static_cast<std::int32_t>(x[0]) < static_cast<std::int32_t>(x[1]); };
  expect_instruction("setp.lt.and.s32", "pwwp", [=](const Bits& x) { return less(x) && x[2] != 0 ? 1 : 0; });
  expect_instruction("setp.lt.xor.s32", "pwwp", [=](const Bits& x) { return less(x) != (x[2] != 0) ? 1 : 0; });
  expect_instruction("$g setp.lt.or.s32 $0, $1, $2, !$3;", "pwwp",
                     [=](const Bits& x) { return less(x) || x[2] == 0 ? 1 : 0; });
  expect_instruction("{ .reg .pred %t; $g setp.lt.s32 %t|$0, $1, $2; }", "pww",
                     [=](const Bits& x) { return less(x) ? 0 : 1; });
  expect_instruction("{ .reg .pred %t; $g setp.lt.and.s32 %t|$0, $1, $2, $3; }", "pwwp",
                     [=](const Bits& x) { return !less(x) && x[2] != 0 ? 1 : 0; });
  expect_instruction("{ .reg .pred %t; $g setp.gtu.f16x2 %t|$0, $1, $2; }", "pww", [](const Bits& x) {
    return number::compare_float(number::kF16, Comparison::kGtu, x[0] >> 16, x[1] >> 16) ? 1 : 0;
  });
}

/// The guard is the first of the two results: the second must not see what became of it.
TEST(CompareLanes, AGuardMayBeWhatIsWritten) {
  expect_instruction(
      "{ .reg .pred %t, %u; setp.ne.b32 %t, $1, $1; @!%t setp.eq.b32 %t|%u, $1, $2; $g mov.pred $0, %u; }", "pww",
      [](const Bits& x) { return x[0] == x[1] ? 0 : 1; });
}

TEST(CompareLanes, SetGivesNumbers) {
  const auto less = [](const Bits& x) { return number::compare_float(number::kF32, Comparison::kLt, x[0], x[1]); };
  expect_instruction("set.lt.u32.f32", "www", [=](const Bits& x) { return less(x) ? 0xffffffff : 0; });
  expect_instruction("set.lt.f32.f32", "www", [=](const Bits& x) { return less(x) ? 0x3f800000 : 0; });
  expect_instruction("set.lt.and.f32.f32", "wwwp",
                     [=](const Bits& x) { return less(x) && x[2] != 0 ? 0x3f800000 : 0; });
  expect_instruction("set.ge.f16x2.f16x2", "www", [](const Bits& x) -> std::uint64_t {
    const auto half = [&](unsigned from) -> std::uint64_t {
      const bool set =
          number::compare_float(number::kF16, Comparison::kGe, x[0] >> from & 0xffff, x[1] >> from & 0xffff);
      return set ? 0x3c00 : 0;
    };
    return half(16) << 16 | half(0);
  });
}

TEST(CompareLanes, Selection) {
  expect_instruction("selp.b32", "wwwp", [](const Bits& x) { return x[2] != 0 ? x[0] : x[1]; });
  expect_instruction("selp.f64", "lllp", [](const Bits& x) { return x[2] != 0 ? x[0] : x[1]; });
  expect_instruction("slct.u64.s32", "lllw",
                     [](const Bits& x) { return static_cast<std::int32_t>(x[2]) >= 0 ? x[0] : x[1]; });
  for (const bool ftz : {false, true}) {
    expect_instruction(std::string("slct") + (ftz ? ".ftz" : "") + ".f32.f32", "wwww", [=](const Bits& x) {
      return number::compare_float(number::kF32, Comparison::kGe, x[2], 0, ftz) ? x[0] : x[1];
    });
  }
}

}  // namespace
}  // namespace ridge::emulator
