// Integer arithmetic, logic, shifts and moves against number/ and plain C++.
#include "emulator/number/integer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "emulator/exec/lanes/lanes_rig.h"
#include "emulator/number/bits.h"

namespace ridge::emulator {
namespace {

using testing::Bits;
using testing::expect_instruction;

template <class T>
constexpr char letter_of() {
  return sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'w' : 'l';
}
template <class T>
std::string type_name() {
  return std::string(std::is_signed_v<T> ? ".s" : ".u") + std::to_string(8 * sizeof(T));
}
template <class T>
std::string same(std::size_t sources) {
  return std::string(sources + 1, letter_of<T>());
}
template <class T>
std::uint64_t bits_of(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}

/// Every integer type in turn.
template <class Test>
void each_type(Test test) {
  test(std::uint16_t{});
  test(std::int16_t{});
  test(std::uint32_t{});
  test(std::int32_t{});
  test(std::uint64_t{});
  test(std::int64_t{});
}

TEST(IntegerLanes, SumsProductsAndQuotientsOfEveryType) {
  each_type([](auto zero) {
    using T = decltype(zero);
    const auto two = [](auto function) {
      return [function](const Bits& x) { return bits_of<T>(function(static_cast<T>(x[0]), static_cast<T>(x[1]))); };
    };
    const std::string type = type_name<T>();
    expect_instruction("add" + type, same<T>(2), two([](T a, T b) { return number::add_wrap(a, b); }));
    expect_instruction("sub" + type, same<T>(2), two([](T a, T b) { return number::sub_wrap(a, b); }));
    expect_instruction("mul.lo" + type, same<T>(2), two([](T a, T b) { return number::mul_lo(a, b); }));
    expect_instruction("mul.hi" + type, same<T>(2), two([](T a, T b) { return number::mul_hi(a, b); }));
    expect_instruction("div" + type, same<T>(2), two([](T a, T b) { return number::div_integer(a, b); }));
    expect_instruction("rem" + type, same<T>(2), two([](T a, T b) { return number::rem_integer(a, b); }));
    expect_instruction("min" + type, same<T>(2), two([](T a, T b) { return std::min(a, b); }));
    expect_instruction("max" + type, same<T>(2), two([](T a, T b) { return std::max(a, b); }));
    expect_instruction("mad.lo" + type, same<T>(3), [](const Bits& x) {
      return bits_of<T>(
          number::add_wrap(number::mul_lo(static_cast<T>(x[0]), static_cast<T>(x[1])), static_cast<T>(x[2])));
    });
    expect_instruction("sad" + type, same<T>(3), [](const Bits& x) {
      return bits_of<T>(number::sad(static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2])));
    });
    if constexpr (std::is_signed_v<T>) {
      expect_instruction("abs" + type, same<T>(1), [](const Bits& x) {
        const T a = static_cast<T>(x[0]);
        return bits_of<T>(a < 0 ? number::sub_wrap(T{0}, a) : a);
      });
      expect_instruction("neg" + type, same<T>(1),
                         [](const Bits& x) { return bits_of<T>(number::sub_wrap(T{0}, static_cast<T>(x[0]))); });
    }
    if constexpr (sizeof(T) < 8) {
      const std::string wide = sizeof(T) == 2 ? "whh" : "lww", wide_sum = sizeof(T) == 2 ? "whhw" : "lwwl";
      expect_instruction("mul.wide" + type, wide, [](const Bits& x) {
        return bits_of<number::Wider<T>>(number::mul_wide(static_cast<T>(x[0]), static_cast<T>(x[1])));
      });
      expect_instruction("mad.wide" + type, wide_sum, [](const Bits& x) {
        const auto product = number::mul_wide(static_cast<T>(x[0]), static_cast<T>(x[1]));
        return bits_of<number::Wider<T>>(number::add_wrap(product, static_cast<number::Wider<T>>(x[2])));
      });
    }
  });
}

TEST(IntegerLanes, ShiftsTakeAnyCount) {
  each_type([](auto zero) {
    using T = decltype(zero);
    const std::string operands = {letter_of<T>(), letter_of<T>(), 'w'};
    expect_instruction("shr" + type_name<T>(), operands, [](const Bits& x) {
      return bits_of<T>(number::shr(static_cast<T>(x[0]), static_cast<std::uint32_t>(x[1])));
    });
    if constexpr (!std::is_signed_v<T>) {
      expect_instruction("shl.b" + std::to_string(8 * sizeof(T)), operands, [](const Bits& x) {
        return bits_of<T>(number::shl(static_cast<T>(x[0]), static_cast<std::uint32_t>(x[1])));
      });
    }
  });
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  for (const auto& [name, mode] :
       {std::pair{"clamp", number::ShiftMode::kClamp}, std::pair{"wrap", number::ShiftMode::kWrap}}) {
    const number::ShiftMode how = mode;
    expect_instruction(std::string("shf.l.") + name + ".b32", "wwww",
                       [=](const Bits& x) { return number::shf_left(word(x[0]), word(x[1]), word(x[2]), how); });
    expect_instruction(std::string("shf.r.") + name + ".b32", "wwww",
                       [=](const Bits& x) { return number::shf_right(word(x[0]), word(x[1]), word(x[2]), how); });
    expect_instruction(std::string("bmsk.") + name + ".b32", "www",
                       [=](const Bits& x) { return number::bmsk(word(x[0]), word(x[1]), how); });
    expect_instruction(std::string("szext.") + name + ".s32", "www", [=](const Bits& x) {
      return bits_of(number::szext(static_cast<std::int32_t>(x[0]), word(x[1]), how));
    });
  }
}

TEST(IntegerLanes, FieldsAndCounts) {
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  expect_instruction("bfi.b32", "wwwww",
                     [=](const Bits& x) { return number::bfi(word(x[0]), word(x[1]), word(x[2]), word(x[3])); });
  expect_instruction("bfi.b64", "lllww",
                     [=](const Bits& x) { return number::bfi(x[0], x[1], word(x[2]), word(x[3])); });
  expect_instruction("bfe.s32", "wwww", [=](const Bits& x) {
    return bits_of(number::bfe(static_cast<std::int32_t>(x[0]), word(x[1]), word(x[2])));
  });
  expect_instruction("bfe.u64", "llww", [=](const Bits& x) { return number::bfe(x[0], word(x[1]), word(x[2])); });
  expect_instruction("bfind.s64", "wl", [](const Bits& x) { return number::bfind(static_cast<std::int64_t>(x[0])); });
  expect_instruction("bfind.shiftamt.u32", "ww", [=](const Bits& x) { return number::bfind(word(x[0]), true); });
  expect_instruction("popc.b64", "wl", [](const Bits& x) { return static_cast<std::uint64_t>(std::popcount(x[0])); });
  expect_instruction("clz.b32", "ww",
                     [=](const Bits& x) { return static_cast<std::uint64_t>(std::countl_zero(word(x[0]))); });
  expect_instruction("brev.b64", "ll", [](const Bits& x) { return number::brev(x[0]); });
  expect_instruction("fns.b32", "wwww", [=](const Bits& x) {
    return number::fns(word(x[0]), word(x[1]), static_cast<std::int32_t>(x[2]));
  });
  expect_instruction("dp4a.s32.u32", "wwww",
                     [=](const Bits& x) { return number::dp4a(word(x[0]), word(x[1]), word(x[2]), true, false); });
  expect_instruction("dp2a.hi.u32.s32", "wwww", [=](const Bits& x) {
    return number::dp2a(word(x[0]), word(x[1]), word(x[2]), false, true, true);
  });
}

TEST(IntegerLanes, SaturationAndPairs) {
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  const auto signed_word = [](std::uint64_t bits) { return static_cast<std::int32_t>(bits); };
  expect_instruction("add.sat.s32", "www",
                     [=](const Bits& x) { return bits_of(number::add_sat(signed_word(x[0]), signed_word(x[1]))); });
  expect_instruction("mad.hi.sat.s32", "wwww", [=](const Bits& x) {
    return bits_of(number::mad_hi_sat(signed_word(x[0]), signed_word(x[1]), signed_word(x[2])));
  });
  expect_instruction("mad24.hi.sat.s32", "wwww", [=](const Bits& x) {
    return bits_of(number::mad24_hi_sat(signed_word(x[0]), signed_word(x[1]), signed_word(x[2])));
  });
  expect_instruction("max.relu.s32", "www", [=](const Bits& x) {
    return bits_of(std::max({signed_word(x[0]), signed_word(x[1]), 0}));
  });
  expect_instruction("add.s16x2", "www", [=](const Bits& x) { return number::add_16x2(word(x[0]), word(x[1])); });
  expect_instruction("min.relu.s16x2", "www",
                     [=](const Bits& x) { return number::min_16x2<std::int16_t>(word(x[0]), word(x[1]), true); });
  expect_instruction("max.u16x2", "www",
                     [=](const Bits& x) { return number::max_16x2<std::uint16_t>(word(x[0]), word(x[1])); });
}

/// 96 bits and more by carries, against the host's 128-bit arithmetic.
TEST(IntegerLanes, CarriesPassFromOneInstructionToTheNext) {
  __extension__ using Wide = unsigned __int128;
  const std::string sum = "$g add.cc.u64 %low, $1, $2; $g addc.cc.u64 %middle, $3, $4; $g addc.u64 $0, %middle, 0;";
  const std::string difference =
      "$g sub.cc.u64 %low, $1, $2; $g subc.cc.u64 %middle, $3, $4; $g subc.u64 $0, %middle, 0;";
  const std::string registers = "{ .reg .b64 %low, %middle; ";
  // The upper half of {x2, x0} + {x3, x1}, plus what passes out of it.
  expect_instruction(registers + sum + " }", "lllll", [](const Bits& x) {
    const Wide a = Wide{x[2]} << 64 | x[0], b = Wide{x[3]} << 64 | x[1];
    const Wide total = a + b;
    return static_cast<std::uint64_t>(total >> 64) + (total < a ? 1 : 0);
  });
  expect_instruction(registers + difference + " }", "lllll", [](const Bits& x) {
    const Wide a = Wide{x[2]} << 64 | x[0], b = Wide{x[3]} << 64 | x[1];
    return static_cast<std::uint64_t>((a - b) >> 64) - (a < b ? 1 : 0);
  });
  // A product of 64 by 64 bits from 32-bit parts: the highest word of it.
  const std::string product =
      "{ .reg .b32 %r<8>; .reg .b64 %sum; $g mul.hi.u32 %r0, $1, $3; $g mad.lo.cc.u32 %r0, $1, $4, %r0; "
      "$g madc.hi.u32 %r1, $1, $4, 0; $g mad.lo.cc.u32 %r0, $2, $3, %r0; $g madc.hi.cc.u32 %r1, $2, $3, %r1; "
      "$g addc.u32 %r2, 0, 0; $g mad.lo.cc.u32 %r1, $2, $4, %r1; $g madc.hi.u32 $0, $2, $4, %r2; }";
  expect_instruction(product, "wwwww", [](const Bits& x) {
    const Wide a = x[1] << 32 | x[0], b = x[3] << 32 | x[2];
    return static_cast<std::uint64_t>(a * b >> 96);
  });
}

TEST(LogicLanes, EveryTableOfThreeBits) {
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  for (std::uint32_t table = 0; table < 256; table += 15) {
    expect_instruction("$g lop3.b32 $0, $1, $2, $3, " + std::to_string(table) + ";", "wwww",
                       [=](const Bits& x) { return number::lop3(word(x[0]), word(x[1]), word(x[2]), table); });
  }
}

TEST(LogicLanes, BitsAndPredicates) {
  expect_instruction("and.b64", "lll", [](const Bits& x) { return x[0] & x[1]; });
  expect_instruction("or.b16", "hhh", [](const Bits& x) { return x[0] | x[1]; });
  expect_instruction("xor.b32", "www", [](const Bits& x) { return x[0] ^ x[1]; });
  expect_instruction("not.b16", "hh", [](const Bits& x) { return ~x[0] & 0xffff; });
  expect_instruction("not.b64", "ll", [](const Bits& x) { return ~x[0]; });
  expect_instruction("cnot.b32", "ww", [](const Bits& x) { return x[0] == 0 ? 1 : 0; });
  expect_instruction("and.pred", "ppp", [](const Bits& x) { return x[0] & x[1]; });
  expect_instruction("or.pred", "ppp", [](const Bits& x) { return x[0] | x[1]; });
  expect_instruction("xor.pred", "ppp", [](const Bits& x) { return x[0] ^ x[1]; });
  expect_instruction("not.pred", "pp", [](const Bits& x) { return x[0] ^ 1; });
}

TEST(MoveLanes, BytesArePermuted) {
  using number::Permutation;
  const auto word = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  const auto test = [&](const char* name, Permutation mode) {
    expect_instruction(std::string("prmt.b32") + name, "wwww",
                       [=](const Bits& x) { return number::prmt(word(x[0]), word(x[1]), word(x[2]), mode); });
  };
  test("", Permutation::kIndex);
  test(".f4e", Permutation::kForward4);
  test(".b4e", Permutation::kBackward4);
  test(".rc8", Permutation::kReplicate8);
  test(".ecl", Permutation::kEdgeLeft);
  test(".ecr", Permutation::kEdgeRight);
  test(".rc16", Permutation::kReplicate16);
}

TEST(MoveLanes, CopiesOfEveryWidth) {
  const auto same_bits = [](const Bits& x) { return x[0]; };
  expect_instruction("mov.u32", "ww", same_bits);
  expect_instruction("mov.f64", "ll", same_bits);
  expect_instruction("mov.b16", "hh", same_bits);
  expect_instruction("mov.pred", "pp", same_bits);
  expect_instruction("{ .reg .b128 %q; .reg .b64 %l; mov.b128 %q, {$1, $2}; mov.b128 {_, %l}, %q; $g mov.b64 $0, %l; }",
                     "lll", [](const Bits& x) { return x[1]; });
}

TEST(MoveLanes, VectorsArePackedLowestFirst) {
  expect_instruction("$g mov.b64 $0, {$1, $2};", "lww", [](const Bits& x) { return x[1] << 32 | x[0]; });
  expect_instruction("$g mov.b32 $0, {$1, $2};", "whh", [](const Bits& x) { return x[1] << 16 | x[0]; });
  expect_instruction("$g mov.b64 $0, {$1, $2, $3, $4};", "lhhhh",
                     [](const Bits& x) { return x[3] << 48 | x[2] << 32 | x[1] << 16 | x[0]; });
  expect_instruction("$g mov.b64 {_, $0}, $1;", "wl", [](const Bits& x) { return x[0] >> 32; });
  expect_instruction("$g mov.b32 {$0, _}, $1;", "hw", [](const Bits& x) { return x[0] & 0xffff; });
  expect_instruction("$g mov.b64 {_, _, $0, _}, $1;", "hl", [](const Bits& x) { return x[0] >> 32 & 0xffff; });
  expect_instruction(
      "{ .reg .b32 %a, %b; mov.b32 %a, $1; mov.b32 %b, $2; mov.v2.b32 {%a, %b}, {%b, %a}; $g mov.b32 "
      "$0, %a; }",
      "www", [](const Bits& x) { return x[1]; });
}

TEST(MoveLanes, ClocksMoveOn) {
  expect_instruction(
      "{ .reg .b64 %t<2>; .reg .pred %p; mov.u64 %t0, %clock64; mov.u64 %t1, %clock64; "
      "setp.lt.u64 %p, %t0, %t1; $g selp.b32 $0, 1, 0, %p; }",
      "ww", [](const Bits&) { return 1; });
}

}  // namespace
}  // namespace ridge::emulator
