// Floating-point arithmetic rounded to nearest, .ftz and .sat included, and the approximate functions that have a short
// exact way. Other roundings and the other functions: rare_float.cc.
#include "emulator/exec/lanes/exponential.h"
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/float_lanes.h"
#include "emulator/exec/lanes/rows.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

// ---- operations of exact operands, rounded once by the host

struct Add {
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
};
struct Fma {
  static float of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct Div {
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
};
struct Rcp {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
};
struct Sqrt {
  static float of(float a) { return __builtin_sqrtf(a); }
  static double of(double a) { return __builtin_sqrt(a); }
};
struct Rsqrt {
  static float of(float a) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
};
struct Ex2 {
  static float of(float a) { return exponential(a); }
};
/// a * (1/b): beyond 2^126 the reciprocal is lost, and what is left is a times the zero of b's sign.
struct DivApprox {
  static float of(float a, float b) {
    const std::uint32_t bits = to_word(b), magnitude = bits & 0x7fffffff;
    const std::uint32_t lost = (magnitude > 0x7e800000 ? ~0U : 0) & (magnitude < 0x7f800000 ? ~0U : 0);
    constexpr std::uint32_t kOne = 0x3f800000;
    const auto factor = from_word<float>((kOne & ~lost) | (bits & 0x80000000 & lost));
    const auto divisor = from_word<float>((bits & ~lost) | (kOne & lost));
    return a * factor / divisor;
  }
};

/// Of numbers, and of NaN the other one; -0 is below +0. Both NaN: a NaN.
template <bool kMax, bool kNan>
struct Extremum {
  template <class T>
  static T of(T a, T b) {
    const auto left = to_word(a), right = to_word(b);
    const bool first = kMax ? a > b : a < b;
    const auto equal = kMax ? left & right : left | right;  // the same number, or zeros of two signs
    const T one = first || b != b ? a : from_word<T>(a == b ? equal : right);
    return kNan && (a != a) ? a : kNan && (b != b) ? b : one;
  }
};

// ---- .ftz, .sat and NaN around them

/// The NaN of an f64 result: the first operand that is one, else the default. (Of f32 there is one only.)
constexpr std::uint64_t kQuiet = 0x0008000000000000, kNanF64 = 0x7ff8000000000000;
inline std::uint64_t quiet_nan(double value, std::uint64_t otherwise) {
  return value != value ? std::bit_cast<std::uint64_t>(value) | kQuiet : otherwise;
}
inline double nan_of(double result, double a, double b) {
  const std::uint64_t nan = quiet_nan(a, quiet_nan(b, kNanF64));
  return result != result ? std::bit_cast<double>(nan) : result;
}

/// Of fma the addend comes first.
inline double nan_of(double result, double a, double b, double c) {
  const std::uint64_t nan = quiet_nan(c, quiet_nan(a, quiet_nan(b, kNanF64)));
  return result != result ? std::bit_cast<double>(nan) : result;
}
/// Of one operand: of a reciprocal or a root. A root of what is negative has the sign set.
inline double nan_of(double result, double a) {
  const std::uint64_t nan = quiet_nan(a, kNanF64 | (a < 0 ? std::uint64_t{1} << 63 : 0));
  return result != result ? std::bit_cast<double>(nan) : result;
}

template <class Op, bool kFtz = false, bool kSat = false>
struct Rounded {
  RIDGE_INLINE static float of(float a) { return finished(Op::of(in(a))); }
  RIDGE_INLINE static float of(float a, float b) { return finished(Op::of(in(a), in(b))); }
  RIDGE_INLINE static float of(float a, float b, float c) { return finished(Op::of(in(a), in(b), in(c))); }
  template <class... T>
  static double of(double a, T... rest) {
    return nan_of(Op::of(a, rest...), a, rest...);
  }

 private:
  static float in(float value) { return kFtz ? flushed(value) : value; }
  static float finished(float result) {
    if constexpr (kSat) {
      const float low = result > 0.0F ? result : 0.0F;  // NaN as well
      return in(low < 1.0F ? low : 1.0F);
    }
    return in(canonical(result));
  }
};

/// The sign of a NaN stays; f32 has one NaN only.
constexpr std::uint64_t kInfinityF64 = 0x7ff0000000000000;
template <bool kFtz>
struct Abs {
  static std::uint32_t of(std::uint32_t a) {
    const std::uint32_t magnitude = (kFtz ? flushed(a) : a) & 0x7fffffff;
    return magnitude > 0x7f800000 ? kNanF32 : magnitude;
  }
  static std::uint64_t of(std::uint64_t a) {
    const std::uint64_t magnitude = a & 0x7fffffffffffffff;
    return magnitude > kInfinityF64 ? a | kQuiet : magnitude;
  }
};
template <bool kFtz>
struct Neg {
  static std::uint32_t of(std::uint32_t a) {
    return (a & 0x7fffffff) > 0x7f800000 ? kNanF32 : (kFtz ? flushed(a) : a) ^ 0x80000000;
  }
  static std::uint64_t of(std::uint64_t a) {
    return (a & 0x7fffffffffffffff) > kInfinityF64 ? a | kQuiet : a ^ 0x8000000000000000;
  }
};
struct Copysign {
  template <class T>
  static T of(T sign, T magnitude) {
    constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
    return (sign & kSign) | (magnitude & ~kSign);
  }
};

// ---- f32x2: twice as many lanes of f32

template <class Lane>
RIDGE_LANE_CODE RIDGE_INLINE void each_of_pairs(std::uint32_t* d, Mask mask, const Lane& lane) {
  constexpr std::uint32_t kBoth = 2 * kLanes;
  alignas(64) std::uint32_t held[kBoth];
  asm("" : "=m"(held));  // as in each_lane
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kBoth; ++i) held[i] = to_word<float>(lane(i));
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kBoth; ++i) d[i] = (mask & kLaneBits[i / 2]) != 0 ? held[i] : d[i];
}
template <class Op>
RIDGE_LANE_CODE void binary_x2(Warp& warp, const Step& step, Mask mask) {
  const auto* a = warp.word(step.a);
  const auto* b = warp.word(step.b);
  each_of_pairs(
      warp.word(step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return Op::of(from_word<float>(a[i]), from_word<float>(b[i]));
      });
}
template <class Op>
RIDGE_LANE_CODE void ternary_x2(Warp& warp, const Step& step, Mask mask) {
  const auto* a = warp.word(step.a);
  const auto* b = warp.word(step.b);
  const auto* c = warp.word(step.c);
  each_of_pairs(
      warp.word(step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return Op::of(from_word<float>(a[i]), from_word<float>(b[i]), from_word<float>(c[i]));
      });
}

// ---- which handler

using Single = Types<float>;
using Double = Types<double>;
using Both = Types<float, double>;

template <class Op, class List = Both>
Handler one(Type type) {
  return unary_of<Op, List>(type);
}
template <class Op, class List = Both>
Handler two(Type type) {
  return binary_of<Op, List>(type);
}
template <class Op, class List = Both>
Handler three(Type type) {
  return ternary_of<Op, List>(type);
}
template <class Op>
Handler two_x2(Type type) {
  return type == Type::kF32x2 ? binary_x2<Op> : Handler{nullptr};
}
template <class Op>
Handler three_x2(Type type) {
  return type == Type::kF32x2 ? ternary_x2<Op> : Handler{nullptr};
}
/// Sign operations work on the bits.
Type bits_of(Type type) {
  return type == Type::kF32 ? Type::kB32 : type == Type::kF64 ? Type::kB64 : Type::kPredicate;
}
template <class Op>
Handler one_of_bits(Type type) {
  return unary_of<Op, AnySign<std::uint32_t, std::uint64_t>>(bits_of(type));
}
template <class Op>
Handler two_of_bits(Type type) {
  return binary_of<Op, AnySign<std::uint32_t, std::uint64_t>>(bits_of(type));
}

template <class Op>
using Ftz = Rounded<Op, true>;
template <class Op>
using Sat = Rounded<Op, false, true>;
template <class Op>
using FtzSat = Rounded<Op, true, true>;

constexpr Row kRows[] = {
    {"add", "?rn", "ttt", two<Rounded<Add>>},
    {"add", "?rn ftz", "ttt", two<Ftz<Add>, Single>},
    {"add", "?rn sat", "ttt", two<Sat<Add>, Single>},
    {"add", "?rn ftz sat", "ttt", two<FtzSat<Add>, Single>},
    {"add", "?rn", "ttt", two_x2<Rounded<Add>>},
    {"add", "?rn ftz", "ttt", two_x2<Ftz<Add>>},
    {"sub", "?rn", "ttt", two<Rounded<Sub>>},
    {"sub", "?rn ftz", "ttt", two<Ftz<Sub>, Single>},
    {"sub", "?rn sat", "ttt", two<Sat<Sub>, Single>},
    {"sub", "?rn ftz sat", "ttt", two<FtzSat<Sub>, Single>},
    {"sub", "?rn", "ttt", two_x2<Rounded<Sub>>},
    {"sub", "?rn ftz", "ttt", two_x2<Ftz<Sub>>},
    {"mul", "?rn", "ttt", two<Rounded<Mul>>},
    {"mul", "?rn ftz", "ttt", two<Ftz<Mul>, Single>},
    {"mul", "?rn sat", "ttt", two<Sat<Mul>, Single>},
    {"mul", "?rn ftz sat", "ttt", two<FtzSat<Mul>, Single>},
    {"mul", "?rn", "ttt", two_x2<Rounded<Mul>>},
    {"mul", "?rn ftz", "ttt", two_x2<Ftz<Mul>>},
    {"fma", "rn", "tttt", three<Rounded<Fma>>},
    {"fma", "rn ftz", "tttt", three<Ftz<Fma>, Single>},
    {"fma", "rn sat", "tttt", three<Sat<Fma>, Single>},
    {"fma", "rn ftz sat", "tttt", three<FtzSat<Fma>, Single>},
    {"fma", "rn", "tttt", three_x2<Rounded<Fma>>},
    {"fma", "rn ftz", "tttt", three_x2<Ftz<Fma>>},
    {"mad", "rn", "tttt", three<Rounded<Fma>>},
    {"mad", "rn ftz", "tttt", three<Ftz<Fma>, Single>},
    {"mad", "rn sat", "tttt", three<Sat<Fma>, Single>},
    {"mad", "rn ftz sat", "tttt", three<FtzSat<Fma>, Single>},
    {"div", "rn", "ttt", two<Rounded<Div>>},
    {"div", "rn ftz", "ttt", two<Ftz<Div>, Single>},
    {"div", "full", "ttt", two<Rounded<Div>, Single>},
    {"div", "full ftz", "ttt", two<Ftz<Div>, Single>},
    {"div", "approx", "ttt", two<Rounded<DivApprox>, Single>},
    {"div", "approx ftz", "ttt", two<Ftz<DivApprox>, Single>},
    {"rcp", "rn", "tt", one<Rounded<Rcp>>},
    {"rcp", "rn ftz", "tt", one<Ftz<Rcp>, Single>},
    {"rcp", "approx", "tt", one<Rounded<Rcp>, Single>},
    {"rcp", "approx ftz", "tt", one<Ftz<Rcp>, Single>},
    {"sqrt", "rn", "tt", one<Rounded<Sqrt>>},
    {"sqrt", "rn ftz", "tt", one<Ftz<Sqrt>, Single>},
    {"sqrt", "approx", "tt", one<Rounded<Sqrt>, Single>},
    {"sqrt", "approx ftz", "tt", one<Ftz<Sqrt>, Single>},
    {"rsqrt", "approx", "tt", one<Rounded<Rsqrt>, Single>},
    {"rsqrt", "approx ftz", "tt", one<Ftz<Rsqrt>, Single>},
    {"ex2", "approx", "tt", one<Rounded<Ex2>, Single>},
    {"ex2", "approx ftz", "tt", one<Ftz<Ex2>, Single>},
    {"min", "", "ttt", two<Rounded<Extremum<false, false>>>},
    {"min", "ftz", "ttt", two<Ftz<Extremum<false, false>>, Single>},
    {"min", "NaN", "ttt", two<Rounded<Extremum<false, true>>, Single>},
    {"min", "ftz NaN", "ttt", two<Ftz<Extremum<false, true>>, Single>},
    {"max", "", "ttt", two<Rounded<Extremum<true, false>>>},
    {"max", "ftz", "ttt", two<Ftz<Extremum<true, false>>, Single>},
    {"max", "NaN", "ttt", two<Rounded<Extremum<true, true>>, Single>},
    {"max", "ftz NaN", "ttt", two<Ftz<Extremum<true, true>>, Single>},
    {"abs", "", "tt", one_of_bits<Abs<false>>},
    {"abs", "ftz", "tt", one_of_bits<Abs<true>>},
    {"neg", "", "tt", one_of_bits<Neg<false>>},
    {"neg", "ftz", "tt", one_of_bits<Neg<true>>},
    {"copysign", "", "ttt", two_of_bits<Copysign>},
};

}  // namespace

bool select_float(Builder& builder) {
  return select_row(builder, kRows);
}

}  // namespace ridge::emulator::RIDGE_ISA
