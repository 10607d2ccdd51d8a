// cvt against number/.
#include "emulator/number/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/exec/lanes/lanes_rig.h"

namespace ridge::emulator {
namespace {

using number::Conversion;
using number::Format;
using number::Integer;
using number::Rounding;
using testing::Bits;
using testing::expect_instruction;

struct IntegerType {
  const char* name;
  Integer type;
};
constexpr IntegerType kIntegers[] = {{".u8", number::kU8},   {".s8", number::kS8},   {".u16", number::kU16},
                                     {".s16", number::kS16}, {".u32", number::kU32}, {".s32", number::kS32},
                                     {".u64", number::kU64}, {".s64", number::kS64}};
struct FloatType {
  const char* name;
  const Format& format;
};
const FloatType kFloats[] = {
    {".f16", number::kF16}, {".bf16", number::kBf16}, {".f32", number::kF32}, {".f64", number::kF64}};
struct Named {
  const char* word;
  Rounding rounding;
};
constexpr Named kRoundings[] = {
    {".rn", Rounding::kNearestEven}, {".rz", Rounding::kZero}, {".rm", Rounding::kDown}, {".rp", Rounding::kUp}};
constexpr Named kIntegral[] = {
    {".rni", Rounding::kNearestEven}, {".rzi", Rounding::kZero}, {".rmi", Rounding::kDown}, {".rpi", Rounding::kUp}};

char letter_of(int bits) {
  return bits == 64 ? 'l' : bits == 32 ? 'w' : 'h';
}
std::string shape(int to, int from) {
  return {letter_of(to), letter_of(from)};
}
bool is_f32(const Format& format) {
  return &format == &number::kF32;
}

/// A register of 16 bits takes a signed byte with its sign; the rig's registers have 32.
std::uint64_t in_register(std::uint64_t value, const Integer& type) {
  if (!type.is_signed || type.bits >= 32) return value;
  return number::low_bits(static_cast<std::uint64_t>(number::as_signed(value, type.bits)), 32);
}

TEST(ConvertLanes, BetweenIntegers) {
  for (const IntegerType& to : kIntegers) {
    for (const IntegerType& from : kIntegers) {
      expect_instruction(std::string("cvt") + to.name + from.name, shape(to.type.bits, from.type.bits),
                         [&](const Bits& x) {
                           return in_register(number::integer_to_integer(x[0], from.type, to.type, false), to.type);
                         });
    }
  }
  expect_instruction("cvt.sat.s8.s32", "hw", [](const Bits& x) {
    return in_register(number::integer_to_integer(x[0], number::kS32, number::kS8, true), number::kS8);
  });
  expect_instruction("cvt.sat.u32.s64", "wl",
                     [](const Bits& x) { return number::integer_to_integer(x[0], number::kS64, number::kU32, true); });
}

TEST(ConvertLanes, FloatsToIntegersSaturate) {
  for (const IntegerType& to : kIntegers) {
    for (const FloatType& from : kFloats) {
      if (&from.format == &number::kBf16 && to.type.bits == 8) continue;
      for (const Named& how : kIntegral) {
        for (const bool ftz : {false, true}) {
          if (ftz && !is_f32(from.format)) continue;
          expect_instruction(std::string("cvt") + how.word + (ftz ? ".ftz" : "") + to.name + from.name,
                             shape(to.type.bits, from.format.width()), [&](const Bits& x) {
                               return in_register(
                                   number::float_to_integer(from.format, x[0], to.type, how.rounding, ftz), to.type);
                             });
        }
      }
    }
  }
}

TEST(ConvertLanes, IntegersToFloatsAreRoundedOnce) {
  for (const FloatType& to : kFloats) {
    for (const IntegerType& from : kIntegers) {
      if (&to.format == &number::kBf16 && from.type.bits == 8) continue;
      for (const Named& how : kRoundings) {
        expect_instruction(
            std::string("cvt") + how.word + to.name + from.name, shape(to.format.width(), from.type.bits),
            [&](const Bits& x) { return number::integer_to_float(from.type, x[0], to.format, how.rounding); });
      }
    }
  }
  expect_instruction("cvt.rn.sat.f32.s32", "ww", [](const Bits& x) {
    return number::integer_to_float(number::kS32, x[0], number::kF32, Rounding::kNearestEven, true);
  });
}

TEST(ConvertLanes, ToIntegralValues) {
  for (const bool ftz : {false, true}) {
    for (const bool sat : {false, true}) {
      const std::string words = std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "");
      for (const Named& how : kIntegral) {
        expect_instruction(std::string("cvt") + how.word + words + ".f32.f32", "ww", [&](const Bits& x) {
          return number::round_to_integral(number::kF32, x[0], how.rounding, ftz, sat);
        });
        if (ftz) continue;
        expect_instruction(std::string("cvt") + how.word + words + ".f64.f64", "ll", [&](const Bits& x) {
          return number::round_to_integral(number::kF64, x[0], how.rounding, false, sat);
        });
        expect_instruction(std::string("cvt") + how.word + words + ".f16.f16", "hh", [&](const Bits& x) {
          return number::round_to_integral(number::kF16, x[0], how.rounding, false, sat);
        });
      }
      expect_instruction("cvt" + words + ".f32.f32", "ww", [&](const Bits& x) {
        return number::float_to_float(number::kF32, x[0], number::kF32,
                                      {Rounding::kNearestEven, ftz, sat, false, false});
      });
    }
  }
}

TEST(ConvertLanes, BetweenFloats) {
  struct Pair {
    const char* types;
    const Format &to, &from;
    bool rounds, ftz;
  };
  const Pair pairs[] = {
      {".f64.f32", number::kF64, number::kF32, false, true},  {".f32.f64", number::kF32, number::kF64, true, true},
      {".f32.f16", number::kF32, number::kF16, false, true},  {".f16.f32", number::kF16, number::kF32, true, true},
      {".f64.f16", number::kF64, number::kF16, false, false}, {".f16.f64", number::kF16, number::kF64, true, false},
      {".bf16.f32", number::kBf16, number::kF32, true, true}, {".bf16.f64", number::kBf16, number::kF64, true, false},
      {".f16.bf16", number::kF16, number::kBf16, true, false}};
  for (const Pair& each : pairs) {
    for (const Named& how : kRoundings) {
      for (const bool ftz : {false, true}) {
        if (ftz && !each.ftz) continue;
        expect_instruction(
            std::string("cvt") + (each.rounds ? how.word : "") + (ftz ? ".ftz" : "") + each.types,
            shape(each.to.width(), each.from.width()), [&](const Bits& x) {
              return number::float_to_float(each.from, x[0], each.to, {how.rounding, ftz, false, false, false});
            });
      }
      if (!each.rounds) break;
    }
  }
  for (const bool ftz : {false, true}) {
    expect_instruction(std::string("cvt") + (ftz ? ".ftz" : "") + ".f32.bf16", "wh", [&](const Bits& x) {
      return number::float_to_float(number::kBf16, x[0], number::kF32,
                                    {Rounding::kNearestEven, ftz, false, false, false});
    });
  }
}

TEST(ConvertLanes, PairsTakeTheirFirstOperandAbove) {
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  for (const Named& how : {kRoundings[0], kRoundings[1]}) {
    for (const bool relu : {false, true}) {
      const Conversion conversion{how.rounding, false, false, relu, false};
      const std::string name = std::string("cvt") + how.word + (relu ? ".relu" : "");
      expect_instruction(name + ".f16x2.f32", "www", [&](const Bits& x) {
        return number::f32_to_pair(word(x[0]), word(x[1]), number::kF16, conversion);
      });
      expect_instruction(name + ".bf16x2.f32", "www", [&](const Bits& x) {
        return number::f32_to_pair(word(x[0]), word(x[1]), number::kBf16, conversion);
      });
    }
  }
  expect_instruction("cvt.rs.f16x2.f32", "wwww", [&](const Bits& x) {
    return number::f32_to_pair_stochastic(word(x[0]), word(x[1]), number::kF16, {}, word(x[2]));
  });
}

TEST(ConvertLanes, NarrowFormats) {
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  const Conversion finite{Rounding::kNearestEven, false, false, false, true};
  struct Kind {
    const char* name;
    const Format& format;
  };
  for (const Kind& each : {Kind{"e4m3x2", number::kE4m3}, Kind{"e5m2x2", number::kE5m2}, Kind{"e2m3x2", number::kE2m3},
                           Kind{"e3m2x2", number::kE3m2}, Kind{"e2m1x2", number::kE2m1}}) {
    const Format& format = each.format;
    expect_instruction(std::string("cvt.rn.satfinite.") + each.name + ".f32", "hww",
                       [&](const Bits& x) { return number::f32_to_pair(word(x[0]), word(x[1]), format, finite); });
    expect_instruction(std::string("cvt.rn.f16x2.") + each.name, "wh",
                       [&](const Bits& x) { return number::pair_to_f16x2(word(x[0]), format); });
  }
  expect_instruction("$g cvt.rs.satfinite.e4m3x4.f32 $0, {$1, $2, $3, $4}, 0x12345678;", "wwwww", [&](const Bits& x) {
    return number::f32_to_four_stochastic({word(x[0]), word(x[1]), word(x[2]), word(x[3])}, number::kE4m3, finite,
                                          0x12345678);
  });
  expect_instruction("cvt.rp.satfinite.ue8m0x2.f32", "hww", [&](const Bits& x) -> std::uint64_t {
    const std::uint64_t upper = number::f32_to_ue8m0(word(x[0]), Rounding::kUp, true);
    return upper << 8 | number::f32_to_ue8m0(word(x[1]), Rounding::kUp, true);
  });
  expect_instruction("cvt.rn.bf16x2.ue8m0x2", "wh", [&](const Bits& x) -> std::uint64_t {
    const std::uint64_t upper = number::ue8m0_to_bf16(static_cast<std::uint8_t>(x[0] >> 8));
    return upper << 16 | number::ue8m0_to_bf16(static_cast<std::uint8_t>(x[0]));
  });
  for (const bool away : {false, true}) {
    const Rounding rounding = away ? Rounding::kNearestAway : Rounding::kNearestEven;
    expect_instruction(std::string("cvt.") + (away ? "rna" : "rn") + ".tf32.f32", "ww", [&](const Bits& x) {
      return number::f32_to_tf32(word(x[0]), {rounding, false, false, false, false});
    });
  }
  expect_instruction("cvt.pack.sat.s8.s32.b32", "wwww", [&](const Bits& x) {
    return number::pack_saturated(word(x[0]), word(x[1]), word(x[2]), number::kS8);
  });
}

TEST(ConvertLanes, GoldenValues) {
  using ::testing::Each;
  EXPECT_THAT(testing::results_of("cvt.rni.s32.f32", "ww", {0x40200000}), Each(2U));      // 2.5
  EXPECT_THAT(testing::results_of("cvt.rzi.u32.f32", "ww", {0xbf800000}), Each(0U));      // -1
  EXPECT_THAT(testing::results_of("cvt.rn.f16.f32", "hw", {0x477ff000}), Each(0x7c00U));  // 65520
  EXPECT_THAT(testing::results_of("cvt.rn.bf16x2.f32", "www", {0x3f800000, 0x40000000}), Each(0x3f804000U));
  EXPECT_THAT(testing::results_of("cvt.s64.s32", "lw", {0x80000000}), Each(0xffffffff80000000U));
}

}  // namespace
}  // namespace ridge::emulator
