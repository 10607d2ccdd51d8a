// Integer arithmetic without a condition code: see lanes.h for how this is compiled, number/ for what it computes.
#include "emulator/number/integer.h"
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/rows.h"
#include "emulator/number/bits.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

#define RIDGE_INTEGER_OP(Name, function)      \
  struct Name {                               \
    template <class... T>                     \
    static constexpr auto of(T... operands) { \
      return number::function(operands...);   \
    }                                         \
  };

RIDGE_INTEGER_OP(Add, add_wrap)
RIDGE_INTEGER_OP(AddSat, add_sat)
RIDGE_INTEGER_OP(Sub, sub_wrap)
RIDGE_INTEGER_OP(SubSat, sub_sat)
RIDGE_INTEGER_OP(MulHi, mul_hi)
RIDGE_INTEGER_OP(MulWide, mul_wide)
RIDGE_INTEGER_OP(Mul24Lo, mul24_lo)
RIDGE_INTEGER_OP(Mul24Hi, mul24_hi)
RIDGE_INTEGER_OP(Mad24HiSat, mad24_hi_sat)
RIDGE_INTEGER_OP(MadHiSat, mad_hi_sat)
RIDGE_INTEGER_OP(Sad, sad)
RIDGE_INTEGER_OP(Div, div_integer)
RIDGE_INTEGER_OP(Rem, rem_integer)
RIDGE_INTEGER_OP(Bfe, bfe)
RIDGE_INTEGER_OP(Bfi, bfi)
RIDGE_INTEGER_OP(Bfind, bfind)
RIDGE_INTEGER_OP(Brev, brev)
RIDGE_INTEGER_OP(Add16x2, add_16x2)
#undef RIDGE_INTEGER_OP

struct MulLo {
  template <class T>
  static constexpr T of(T a, T b) {
    return static_cast<T>(static_cast<Word<T>>(a) * static_cast<Word<T>>(b));
  }
};

/// a * b + c, of the product's lower half, its upper half or all of it.
template <class Product>
struct Mad {
  template <class T, class C>
  static constexpr C of(T a, T b, C c) {
    return number::add_wrap(static_cast<C>(Product::of(a, b)), c);
  }
};

struct Min {
  template <class T>
  static constexpr T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static constexpr T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct Abs {
  template <class T>
  static constexpr T of(T a) {
    return a < 0 ? number::sub_wrap(T{0}, a) : a;
  }
};
struct Neg {
  template <class T>
  static constexpr T of(T a) {
    return number::sub_wrap(T{0}, a);
  }
};
template <class Op>
struct Relu {
  template <class T>
  static constexpr T of(T a, T b) {
    return Max::of(Op::of(a, b), T{0});
  }
};

/// 32-bit division by way of doubles: exact, since a quotient that is not whole is at least 2^-32 of itself away from
/// the next whole number; and vectors have it.
struct DivWord {
  template <class T>
  static constexpr T of(T a, T b) {
    const T safe = b == 0 ? T{1} : b;
    const auto quotient = static_cast<std::int64_t>(static_cast<double>(a) / static_cast<double>(safe));
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(quotient);  // as number::div_integer
  }
};
struct RemWord {
  template <class T>
  static constexpr T of(T a, T b) {
    return b == 0 ? static_cast<T>(-1) : number::sub_wrap(a, MulLo::of(DivWord::of(a, b), b));
  }
};

struct Popc {
  template <class T>
  static constexpr std::uint32_t of(T a) {
    return static_cast<std::uint32_t>(std::popcount(a));
  }
};
struct Clz {
  template <class T>
  static constexpr std::uint32_t of(T a) {
    return static_cast<std::uint32_t>(std::countl_zero(a));
  }
};
struct BfindShift {
  template <class T>
  static constexpr std::uint32_t of(T a) {
    return number::bfind(a, true);
  }
};
struct Fns {
  static constexpr std::uint32_t of(std::uint32_t mask, std::uint32_t base, std::uint32_t offset) {
    return number::fns(mask, base, static_cast<std::int32_t>(offset));
  }
};
template <number::ShiftMode kMode>
struct Szext {
  template <class T>
  static constexpr T of(T a, std::uint32_t count) {
    return number::szext(a, count, kMode);
  }
};
template <number::ShiftMode kMode>
struct Bmsk {
  static constexpr std::uint32_t of(std::uint32_t position, std::uint32_t count) {
    return number::bmsk(position, count, kMode);
  }
};

template <bool kMax, bool kRelu>
struct Extremum16x2 {
  template <class T>
  static constexpr std::uint32_t of_type(std::uint32_t a, std::uint32_t b) {
    return kMax ? number::max_16x2<T>(a, b, kRelu) : number::min_16x2<T>(a, b, kRelu);
  }
};
template <class Pair, class T>
struct OfType {
  static constexpr std::uint32_t of(std::uint32_t a, std::uint32_t b) { return Pair::template of_type<T>(a, b); }
};

template <bool kASigned, bool kBSigned>
struct Dp4a {
  static constexpr std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return number::dp4a(a, b, c, kASigned, kBSigned);
  }
};
template <bool kUpper, bool kASigned, bool kBSigned>
struct Dp2a {
  static constexpr std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return number::dp2a(a, b, c, kASigned, kBSigned, kUpper);
  }
};

// ---- handlers by type, where operands differ in type

template <class Op>
Handler widening(Type type) {
  return pick(type, Short{}, []<class T>(Tag<T>) -> Handler { return binary<Op, number::Wider<T>, T, T>; });
}
template <class Op>
Handler widening_sum(Type type) {
  return pick(type, Short{},
              []<class T>(Tag<T>) -> Handler { return ternary<Op, number::Wider<T>, T, T, number::Wider<T>>; });
}
/// A count of or a place in bits: .u32 of any width.
template <class Op, class List = AnySign<std::uint32_t, std::uint64_t>>
Handler counting(Type type) {
  return pick(type, List{}, []<class T>(Tag<T>) -> Handler { return unary<Op, std::uint32_t, T>; });
}
Handler field_extract(Type type) {
  return pick(type, Words{},
              []<class T>(Tag<T>) -> Handler { return ternary<Bfe, T, T, std::uint32_t, std::uint32_t>; });
}
Handler field_insert(Type type) {
  return pick(type, AnySign<std::uint32_t, std::uint64_t>{},
              []<class T>(Tag<T>) -> Handler { return quaternary<Bfi, T, T, T, std::uint32_t, std::uint32_t>; });
}
template <class Op>
Handler pair_of(Type type) {
  if (type == Type::kU16x2) return binary<OfType<Op, std::uint16_t>, std::uint32_t, std::uint32_t, std::uint32_t>;
  if (type == Type::kS16x2) return binary<OfType<Op, std::int16_t>, std::uint32_t, std::uint32_t, std::uint32_t>;
  return nullptr;
}
Handler pair_sum(Type type) {
  if (type != Type::kU16x2 && type != Type::kS16x2) return nullptr;
  return binary<Add16x2, std::uint32_t, std::uint32_t, std::uint32_t>;
}

using Word32 = Types<std::uint32_t, std::int32_t>;
using Unsigned32 = AnySign<std::uint32_t>;
using Signed32 = Types<std::int32_t>;
using UpTo64 = Types<std::uint16_t, std::int16_t, std::uint64_t, std::int64_t>;
constexpr auto kClamp = number::ShiftMode::kClamp;
constexpr auto kWrap = number::ShiftMode::kWrap;

constexpr Row kRows[] = {
    {"add", "", "ttt", binary_of<Add, Wrapping>},
    {"add", "sat", "ttt", binary_of<AddSat, Signed32>},
    {"add", "", "ttt", pair_sum},
    {"sub", "", "ttt", binary_of<Sub, Wrapping>},
    {"sub", "sat", "ttt", binary_of<SubSat, Signed32>},
    {"mul", "lo", "ttt", binary_of<MulLo, Wrapping>},
    {"mul", "hi", "ttt", binary_of<MulHi, Integers>},
    {"mul", "wide", "wtt", widening<MulWide>},
    {"mul24", "lo", "ttt", binary_of<Mul24Lo, Word32>},
    {"mul24", "hi", "ttt", binary_of<Mul24Hi, Word32>},
    {"mad", "lo", "tttt", ternary_of<Mad<MulLo>, Wrapping>},
    {"mad", "hi", "tttt", ternary_of<Mad<MulHi>, Integers>},
    {"mad", "wide", "wttw", widening_sum<Mad<MulWide>>},
    {"mad", "hi sat", "tttt", ternary_of<MadHiSat, Signed32>},
    {"mad24", "lo", "tttt", ternary_of<Mad<Mul24Lo>, Word32>},
    {"mad24", "hi", "tttt", ternary_of<Mad<Mul24Hi>, Word32>},
    {"mad24", "hi sat", "tttt", ternary_of<Mad24HiSat, Signed32>},
    {"sad", "", "tttt", ternary_of<Sad, Integers>},
    {"div", "", "ttt", binary_of<DivWord, Word32>},
    {"div", "", "ttt", binary_of<Div, UpTo64>},
    {"rem", "", "ttt", binary_of<RemWord, Word32>},
    {"rem", "", "ttt", binary_of<Rem, UpTo64>},
    {"abs", "", "tt", unary_of<Abs, Signed>},
    {"neg", "", "tt", unary_of<Neg, Signed>},
    {"min", "", "ttt", binary_of<Min, Integers>},
    {"min", "relu", "ttt", binary_of<Relu<Min>, Signed32>},
    {"min", "", "ttt", pair_of<Extremum16x2<false, false>>},
    {"min", "relu", "ttt", pair_of<Extremum16x2<false, true>>},
    {"max", "", "ttt", binary_of<Max, Integers>},
    {"max", "relu", "ttt", binary_of<Relu<Max>, Signed32>},
    {"max", "", "ttt", pair_of<Extremum16x2<true, false>>},
    {"max", "relu", "ttt", pair_of<Extremum16x2<true, true>>},
    {"popc", "", "ut", counting<Popc>},
    {"clz", "", "ut", counting<Clz>},
    {"brev", "", "tt", unary_of<Brev, AnySign<std::uint32_t, std::uint64_t>>},
    {"bfind", "", "ut", counting<Bfind, Words>},
    {"bfind", "shiftamt", "ut", counting<BfindShift, Words>},
    {"fns", "", "tttt", ternary_of<Fns, Unsigned32>},
    {"bfe", "", "ttuu", field_extract},
    {"bfi", "", "tttuu", field_insert},
    {"szext", "clamp", "ttt", binary_of<Szext<kClamp>, Word32>},
    {"szext", "wrap", "ttt", binary_of<Szext<kWrap>, Word32>},
    {"bmsk", "clamp", "ttt", binary_of<Bmsk<kClamp>, Unsigned32>},
    {"bmsk", "wrap", "ttt", binary_of<Bmsk<kWrap>, Unsigned32>},
};

template <template <bool, bool> class Op>
Handler by_signs(bool a_signed, bool b_signed) {
  using U = std::uint32_t;
  if (a_signed) return b_signed ? ternary<Op<true, true>, U, U, U, U> : ternary<Op<true, false>, U, U, U, U>;
  return b_signed ? ternary<Op<false, true>, U, U, U, U> : ternary<Op<false, false>, U, U, U, U>;
}
template <bool kASigned, bool kBSigned>
using Dp2aLower = Dp2a<false, kASigned, kBSigned>;
template <bool kASigned, bool kBSigned>
using Dp2aUpper = Dp2a<true, kASigned, kBSigned>;

// Two types: of a and of b.
bool select_dot(Builder& builder) {
  const bool four = builder.opcode() == "dp4a";
  if (!four && builder.opcode() != "dp2a") return false;
  const bool a_signed = builder.types()[0] == Type::kS32, b_signed = builder.types()[1] == Type::kS32;
  const Handler run = four                ? by_signs<Dp4a>(a_signed, b_signed)
                      : builder.has("lo") ? by_signs<Dp2aLower>(a_signed, b_signed)
                                          : by_signs<Dp2aUpper>(a_signed, b_signed);
  builder.emit(step_of(builder, "tttt", run, Type::kB32));
  return true;
}

}  // namespace

bool select_integer(Builder& builder) {
  return select_row(builder, kRows) || select_dot(builder);
}

}  // namespace ridge::emulator::RIDGE_ISA
