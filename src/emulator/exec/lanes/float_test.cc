// Floating-point instructions against number/, whose arithmetic is exact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "emulator/exec/lanes/lanes_rig.h"
#include "emulator/number/approximate.h"
#include "emulator/number/convert.h"
#include "emulator/number/minmax.h"
#include "emulator/number/softfloat.h"

namespace ridge::emulator {
namespace {

using number::Format;
using number::Mode;
using number::Rounding;
using testing::Bits;
using testing::expect_instruction;

struct Named {
  const char* name;
  Rounding rounding;
};
constexpr Named kRoundings[] = {
    {".rn", Rounding::kNearestEven}, {".rz", Rounding::kZero}, {".rm", Rounding::kDown}, {".rp", Rounding::kUp}};

using Operation = std::uint64_t (*)(const Format&, const Bits&, const Mode&);
std::uint64_t add(const Format& format, const Bits& x, const Mode& mode) {
  return number::add(format, x[0], x[1], mode);
}
std::uint64_t sub(const Format& format, const Bits& x, const Mode& mode) {
  return number::sub(format, x[0], x[1], mode);
}
std::uint64_t mul(const Format& format, const Bits& x, const Mode& mode) {
  return number::mul(format, x[0], x[1], mode);
}
std::uint64_t fma(const Format& format, const Bits& x, const Mode& mode) {
  return number::fma(format, x[0], x[1], x[2], mode);
}
std::uint64_t div(const Format& format, const Bits& x, const Mode& mode) {
  return number::div(format, x[0], x[1], mode);
}
std::uint64_t rcp(const Format& format, const Bits& x, const Mode& mode) {
  return number::rcp(format, x[0], mode);
}
std::uint64_t root(const Format& format, const Bits& x, const Mode& mode) {
  return number::sqrt(format, x[0], mode);
}

struct Arithmetic {
  const char* opcode;
  std::size_t sources;
  Operation operation;
  bool saturates;  ///< .sat exists
};
constexpr Arithmetic kArithmetic[] = {{"add", 2, add, true},   {"sub", 2, sub, true},  {"mul", 2, mul, true},
                                      {"fma", 3, fma, true},   {"div", 2, div, false}, {"rcp", 1, rcp, false},
                                      {"sqrt", 1, root, false}};

std::string shape(char letter, std::size_t sources) {
  return std::string(sources + 1, letter);
}

testing::Expected of(const Format& format, Operation operation, const Mode& mode) {
  return [&format, operation, mode](const Bits& x) { return operation(format, x, mode); };
}

/// An operation on both halves of words (bits 16) or doubles (bits 32).
testing::Expected both(const testing::Expected& one, unsigned bits) {
  return [one, bits](const Bits& x) {
    Bits low{}, high{};
    for (std::size_t i = 0; i < x.size(); ++i) {
      low[i] = x[i] & ((std::uint64_t{1} << bits) - 1);
      high[i] = x[i] >> bits & ((std::uint64_t{1} << bits) - 1);
    }
    return one(high) << bits | one(low);
  };
}

TEST(FloatLanes, SinglePrecisionIsExactInEveryRounding) {
  for (const Arithmetic& each : kArithmetic) {
    for (const Named& rounding : kRoundings) {
      for (const bool ftz : {false, true}) {
        for (const bool sat : {false, true}) {
          if (sat && !each.saturates) continue;
          const std::string name = std::string(each.opcode) + rounding.name + (ftz ? ".ftz" : "") + (sat ? ".sat" : "");
          const Mode mode{rounding.rounding, ftz, sat, false};
          expect_instruction(name + ".f32", shape('w', each.sources), of(number::kF32, each.operation, mode));
        }
      }
    }
  }
}

TEST(FloatLanes, DoublePrecisionIsExactInEveryRounding) {
  for (const Arithmetic& each : kArithmetic) {
    for (const Named& rounding : kRoundings) {
      const Mode mode{rounding.rounding, false, false, false};
      expect_instruction(std::string(each.opcode) + rounding.name + ".f64", shape('l', each.sources),
                         of(number::kF64, each.operation, mode));
    }
  }
}

TEST(FloatLanes, PairsOfSinglesAreTwoSingles) {
  for (const Arithmetic& each : kArithmetic) {
    if (!each.saturates) continue;
    for (const bool ftz : {false, true}) {
      const Mode mode{Rounding::kNearestEven, ftz, false, false};
      expect_instruction(std::string(each.opcode) + ".rn" + (ftz ? ".ftz" : "") + ".f32x2", shape('l', each.sources),
                         both(of(number::kF32, each.operation, mode), 32));
    }
  }
  expect_instruction("fma.rz.f32x2", "llll", both(of(number::kF32, fma, {Rounding::kZero, false, false, false}), 32));
}

TEST(FloatLanes, HalvesAreRoundedOnce) {
  for (const Arithmetic& each : kArithmetic) {
    if (!each.saturates) continue;
    const auto f16 = of(number::kF16, each.operation, {}), bf16 = of(number::kBf16, each.operation, {});
    const std::string name = std::string(each.opcode) + ".rn";
    expect_instruction(name + ".f16", shape('h', each.sources), f16);
    expect_instruction(name + ".bf16", shape('h', each.sources), bf16);
    expect_instruction(name + ".f16x2", shape('w', each.sources), both(f16, 16));
    expect_instruction(name + ".bf16x2", shape('w', each.sources), both(bf16, 16));
    const auto special = of(number::kF16, each.operation, {Rounding::kNearestEven, true, true, false});
    expect_instruction(name + ".ftz.sat.f16", shape('h', each.sources), special);
    expect_instruction(name + ".ftz.sat.f16x2", shape('w', each.sources), both(special, 16));
  }
  const auto relu = of(number::kBf16, fma, {Rounding::kNearestEven, false, false, true});
  expect_instruction("fma.rn.relu.bf16x2", "wwww", both(relu, 16));
}

TEST(FloatLanes, MixedSumsWidenTheirNarrowOperandsFirst) {
  const auto f32 = [](const Format& format, std::uint64_t x) {
    return number::float_to_float(format, x, number::kF32);
  };
  expect_instruction("add.rn.f32.f16", "whw",
                     [&](const Bits& x) { return number::add(number::kF32, f32(number::kF16, x[0]), x[1], {}); });
  expect_instruction("fma.rz.f32.bf16", "whhw", [&](const Bits& x) {
    return number::fma(number::kF32, f32(number::kBf16, x[0]), f32(number::kBf16, x[1]), x[2],
                       {Rounding::kZero, false, false, false});
  });
}

TEST(FloatLanes, MinimaAndMaximaPassOverNanUnlessAskedNotTo) {
  using number::Extremum;
  struct Kind {
    const char* opcode;
    Extremum which;
  };
  for (const Kind& kind : {Kind{"min", Extremum::kMin}, Kind{"max", Extremum::kMax}}) {
    const auto expected = [&](const Format& format, const number::ExtremumMode& mode) {
      const Extremum which = kind.which;
      return [&format, mode, which](const Bits& x) { return number::extremum(format, which, x[0], x[1], mode); };
    };
    const std::string name = kind.opcode;
    for (const bool ftz : {false, true}) {
      for (const bool nan : {false, true}) {
        for (const bool xorsign : {false, true}) {
          const number::ExtremumMode mode{ftz, nan, xorsign, false};
          const std::string words =
              std::string(ftz ? ".ftz" : "") + (nan ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "");
          expect_instruction(name + words + ".f32", "www", expected(number::kF32, mode));
          expect_instruction(name + words + ".f16", "hhh", expected(number::kF16, mode));
          expect_instruction(name + words + ".f16x2", "www", both(expected(number::kF16, mode), 16));
          if (!ftz) expect_instruction(name + words + ".bf16x2", "www", both(expected(number::kBf16, mode), 16));
        }
        const Extremum which = kind.which;
        const number::ExtremumMode three{ftz, nan, false, true};
        expect_instruction(name + (ftz ? ".ftz" : "") + (nan ? ".NaN" : "") + ".abs.f32", "wwww", [=](const Bits& x) {
          return number::extremum(number::kF32, which, x[0], x[1], x[2], three);
        });
      }
    }
    expect_instruction(name + ".f64", "lll", expected(number::kF64, {}));
  }
}

TEST(FloatLanes, SignsAreBitsButForNan) {
  for (const bool ftz : {false, true}) {
    const std::string word = ftz ? ".ftz" : "";
    const auto neg = [ftz](const Format& format) {
      return [&format, ftz](const Bits& x) { return number::neg(format, x[0], ftz); };
    };
    const auto abs = [ftz](const Format& format) {
      return [&format, ftz](const Bits& x) { return number::abs(format, x[0], ftz); };
    };
    expect_instruction("neg" + word + ".f32", "ww", neg(number::kF32));
    expect_instruction("abs" + word + ".f32", "ww", abs(number::kF32));
    expect_instruction("neg" + word + ".f16", "hh", neg(number::kF16));
    expect_instruction("abs" + word + ".f16x2", "ww", both(abs(number::kF16), 16));
  }
  expect_instruction("neg.f64", "ll", [](const Bits& x) { return number::neg(number::kF64, x[0]); });
  expect_instruction("abs.f64", "ll", [](const Bits& x) { return number::abs(number::kF64, x[0]); });
  expect_instruction("abs.bf16x2", "ww", both([](const Bits& x) { return number::abs(number::kBf16, x[0]); }, 16));
  expect_instruction("copysign.f64", "lll", [](const Bits& x) { return number::copysign(number::kF64, x[0], x[1]); });
  expect_instruction("copysign.f32", "www", [](const Bits& x) { return number::copysign(number::kF32, x[0], x[1]); });
}

TEST(FloatLanes, PropertiesAreTested) {
  using number::Property;
  struct Kind {
    const char* word;
    Property property;
  };
  for (const Kind& each : {Kind{"finite", Property::kFinite}, Kind{"infinite", Property::kInfinite},
                           Kind{"number", Property::kNumber}, Kind{"notanumber", Property::kNotANumber},
                           Kind{"normal", Property::kNormal}, Kind{"subnormal", Property::kSubnormal}}) {
    const Property property = each.property;
    expect_instruction(std::string("testp.") + each.word + ".f32", "pw",
                       [=](const Bits& x) { return number::test_property(number::kF32, property, x[0]) ? 1 : 0; });
    expect_instruction(std::string("testp.") + each.word + ".f64", "pl",
                       [=](const Bits& x) { return number::test_property(number::kF64, property, x[0]) ? 1 : 0; });
  }
}

/// What ex2 gives may be the neighbour of the nearest float, once in ten million.
TEST(FloatLanes, ExponentialsAreTheNearestFloatOrItsNeighbour) {
  for (const bool ftz : {false, true}) {
    const std::string name = std::string("ex2.approx") + (ftz ? ".ftz" : "") + ".f32";
    for (int i = -1500; i <= 1500; ++i) {
      const float x = static_cast<float>(i) * 0.1037F;
      const auto nearest = number::ex2_approx_f32(std::bit_cast<std::uint32_t>(x), ftz);
      if (i % 100 != 0) continue;
      for (const std::uint64_t each : testing::results_of(name, "ww", {std::bit_cast<std::uint32_t>(x)})) {
        EXPECT_LE(each > nearest ? each - nearest : nearest - each, 1U) << name << " of " << x;
      }
    }
  }
}

TEST(FloatLanes, ApproximateFunctionsAreThoseOfNumber) {
  using Function = std::uint32_t (*)(std::uint32_t, bool);
  struct Kind {
    const char* opcode;
    Function function;
  };
  for (const Kind& each :
       {Kind{"rcp", number::rcp_approx_f32}, Kind{"rsqrt", number::rsqrt_approx_f32},
        Kind{"sqrt", number::sqrt_approx_f32}, Kind{"lg2", number::lg2_approx_f32}, Kind{"sin", number::sin_approx_f32},
        Kind{"cos", number::cos_approx_f32}, Kind{"ex2", number::ex2_approx_f32}}) {
    for (const bool ftz : {false, true}) {
      const Function function = each.function;
      expect_instruction(std::string(each.opcode) + ".approx" + (ftz ? ".ftz" : "") + ".f32", "ww",
                         [=](const Bits& x) { return function(static_cast<std::uint32_t>(x[0]), ftz); });
    }
  }
  for (const bool ftz : {false, true}) {
    const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
    const std::string end = std::string(ftz ? ".ftz" : "") + ".f32";
    expect_instruction("div.approx" + end, "www",
                       [=](const Bits& x) { return number::div_approx_f32(word(x[0]), word(x[1]), ftz); });
    expect_instruction("div.full" + end, "www",
                       [=](const Bits& x) { return number::div_full_f32(word(x[0]), word(x[1]), ftz); });
  }
  expect_instruction("rcp.approx.ftz.f64", "ll", [](const Bits& x) { return number::rcp_approx_ftz_f64(x[0]); });
  expect_instruction("rsqrt.approx.ftz.f64", "ll", [](const Bits& x) { return number::rsqrt_approx_ftz_f64(x[0]); });
  expect_instruction("rsqrt.approx.f64", "ll", [](const Bits& x) { return number::rsqrt_approx_f64(x[0]); });
  expect_instruction("tanh.approx.f16x2", "ww", [](const Bits& x) {
    return number::both_halves(static_cast<std::uint32_t>(x[0]), number::tanh_approx_f16);
  });
}

TEST(FloatLanes, GoldenValues) {
  using ::testing::Each;
  EXPECT_THAT(testing::results_of("fma.rn.f32", "wwww", {0x3f800001, 0x3f800001, 0xbf800002}), Each(0x28800000U));
  EXPECT_THAT(testing::results_of("add.rn.f16", "hhh", {0x3c00, 0x1000}), Each(0x3c00U));  // 1 + 2^-11: a tie
  EXPECT_THAT(testing::results_of("mul.rn.f64", "lll", {0x4008000000000000, 0x4000000000000000}),
              Each(0x4018000000000000U));
  EXPECT_THAT(testing::results_of("min.f32", "www", {0x7fc00000, 0x3f800000}), Each(0x3f800000U));
}

}  // namespace
}  // namespace ridge::emulator
