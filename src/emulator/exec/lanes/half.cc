// f16 and bf16, alone and in pairs, rounded to nearest. .ftz, .sat, .relu and mixed types: rare_half.cc.
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/float_lanes.h"
#include "emulator/exec/lanes/rows.h"
#include "emulator/number/native.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

using Bits = std::uint16_t;

struct AddF16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b) { return number::add_f16_nearest(a, b); }
};
struct SubF16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b) { return number::add_f16_nearest(a, b ^ 0x8000); }
};
struct MulF16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b) { return number::mul_f16_nearest(a, b); }
};
struct FmaF16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b, Bits c) { return number::fma_f16_nearest(a, b, c); }
};
struct AddBf16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b) { return number::add_bf16_nearest(a, b); }
};
struct SubBf16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b) { return number::add_bf16_nearest(a, b ^ 0x8000); }
};
struct MulBf16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b) { return number::mul_bf16_nearest(a, b); }
};
struct FmaBf16 {
  RIDGE_INLINE static Bits of(Bits a, Bits b, Bits c) { return number::fma_bf16_nearest(a, b, c); }
};
template <Bits kInfinity>
struct Neg {
  RIDGE_INLINE static Bits of(Bits a) {
    return (a & 0x7fff) > kInfinity ? Bits{0x7fff} : static_cast<Bits>(a ^ 0x8000);
  }
};
template <Bits kInfinity>
struct Abs {
  RIDGE_INLINE static Bits of(Bits a) {
    return (a & 0x7fff) > kInfinity ? Bits{0x7fff} : static_cast<Bits>(a & 0x7fff);
  }
};

/// -0 is below +0. Of a number and a NaN the number, or with kNan the NaN; there is one NaN.
template <Bits kInfinity, bool kMax, bool kNan>
struct Extremum {
  RIDGE_INLINE static Bits of(Bits a, Bits b) {
    const bool nan_a = (a & 0x7fff) > kInfinity, nan_b = (b & 0x7fff) > kInfinity;
    const bool first = kMax ? order(a) > order(b) : order(a) < order(b);
    const Bits number = nan_b || (first && !nan_a) ? a : b;
    const bool nan = kNan ? nan_a || nan_b : nan_a && nan_b;
    return nan ? Bits{0x7fff} : number;
  }

 private:
  RIDGE_INLINE static std::int32_t order(Bits a) {
    const std::int32_t magnitude = a & 0x7fff;
    return (a & 0x8000) != 0 ? -magnitude - 1 : magnitude;
  }
};

/// An operation on both halves of words.
template <class Op>
struct Both {
  template <class... T>
  RIDGE_INLINE static std::uint32_t of(T... a) {
    const std::uint32_t upper = Op::of(static_cast<Bits>(a >> 16)...);
    return upper << 16 | Op::of(static_cast<Bits>(a)...);
  }
};

// ---- which handler

template <class F16Op, class Bf16Op>
struct OfFormats {
  static Handler one(Type type) {
    return pick(type, unary<F16Op, Bits, Bits>, unary<Bf16Op, Bits, Bits>, unary<Both<F16Op>, W, W>,
                unary<Both<Bf16Op>, W, W>);
  }
  static Handler two(Type type) {
    return pick(type, binary<F16Op, Bits, Bits, Bits>, binary<Bf16Op, Bits, Bits, Bits>, binary<Both<F16Op>, W, W, W>,
                binary<Both<Bf16Op>, W, W, W>);
  }
  static Handler three(Type type) {
    return pick(type, ternary<F16Op, Bits, Bits, Bits, Bits>, ternary<Bf16Op, Bits, Bits, Bits, Bits>,
                ternary<Both<F16Op>, W, W, W, W>, ternary<Both<Bf16Op>, W, W, W, W>);
  }

 private:
  using W = std::uint32_t;
  static Handler pick(Type type, Handler f16, Handler bf16, Handler f16x2, Handler bf16x2) {
    switch (type) {
      case Type::kF16:
        return f16;
      case Type::kBf16:
        return bf16;
      case Type::kF16x2:
        return f16x2;
      case Type::kBf16x2:
        return bf16x2;
      default:
        return nullptr;
    }
  }
};

template <bool kMax, bool kNan>
using Extrema = OfFormats<Extremum<0x7c00, kMax, kNan>, Extremum<0x7f80, kMax, kNan>>;

constexpr Row kRows[] = {
    {"add", "?rn", "ttt", OfFormats<AddF16, AddBf16>::two},
    {"sub", "?rn", "ttt", OfFormats<SubF16, SubBf16>::two},
    {"mul", "?rn", "ttt", OfFormats<MulF16, MulBf16>::two},
    {"fma", "rn", "tttt", OfFormats<FmaF16, FmaBf16>::three},
    {"neg", "", "tt", OfFormats<Neg<0x7c00>, Neg<0x7f80>>::one},
    {"abs", "", "tt", OfFormats<Abs<0x7c00>, Abs<0x7f80>>::one},
    {"min", "", "ttt", Extrema<false, false>::two},
    {"min", "NaN", "ttt", Extrema<false, true>::two},
    {"max", "", "ttt", Extrema<true, false>::two},
    {"max", "NaN", "ttt", Extrema<true, true>::two},
};

}  // namespace

bool select_half(Builder& builder) {
  return builder.types().size() == 1 && select_row(builder, kRows);  // two types: mixed
}

}  // namespace ridge::emulator::RIDGE_ISA
