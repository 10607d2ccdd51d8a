// cvt, as far as vectors do it: between integers, to and from f32 and f64 as usual, and the 16-bit formats to nearest.
// The other forms: rare_convert.cc.
#include <limits>

#include "emulator/exec/lanes/converted.h"
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/float_lanes.h"
#include "emulator/exec/lanes/rows.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

using F32 = float;
using F64 = double;

// ---- to integral values

enum class Integral : std::uint8_t { kNearest, kZero, kDown, kUp, kNone };

template <Integral kHow>
struct Rint {
  RIDGE_INLINE static float of(float a) {
    if constexpr (kHow == Integral::kNearest) return __builtin_rintf(a);
    if constexpr (kHow == Integral::kZero) return __builtin_truncf(a);
    if constexpr (kHow == Integral::kDown) return __builtin_floorf(a);
    if constexpr (kHow == Integral::kUp) return __builtin_ceilf(a);
    return a;
  }
  RIDGE_INLINE static double of(double a) {
    if constexpr (kHow == Integral::kNearest) return __builtin_rint(a);
    if constexpr (kHow == Integral::kZero) return __builtin_trunc(a);
    if constexpr (kHow == Integral::kDown) return __builtin_floor(a);
    if constexpr (kHow == Integral::kUp) return __builtin_ceil(a);
    return a;
  }
};

template <Integral kHow, bool kFtz, bool kSat>
struct ToIntegral {
  template <class T>
  RIDGE_INLINE static T of(T a) {
    if constexpr (kFtz) a = flushed(a);
    const T whole = Rint<kHow>::of(a);
    if constexpr (kSat) {
      const T low = whole > 0 ? whole : T{0};  // NaN as well
      return low < 1 ? low : T{1};
    }
    if constexpr (kHow == Integral::kNone && !kFtz) {
      return a;  // a copy, of NaN as well
    } else if constexpr (std::is_same_v<T, float>) {
      return canonical(whole);
    } else {
      return a != a ? from_word<T>(to_word(a) | 0x0008000000000000) : whole;
    }
  }
};

/// The largest integer of D that A represents.
template <class D, class A>
constexpr A highest() {
  constexpr int kLost = std::numeric_limits<D>::digits - std::numeric_limits<A>::digits;
  constexpr D kLargest = std::numeric_limits<D>::max();
  if constexpr (kLost > 0) return static_cast<A>(kLargest >> kLost << kLost);
  return static_cast<A>(kLargest);
}

/// Saturates. NaN is 0, or the code with only the highest bit set where f64 or 64 bits take part.
template <class D, Integral kHow>
struct ToInteger {
  template <class A>
  RIDGE_INLINE static D of(A a) {
    constexpr A kLow = static_cast<A>(std::numeric_limits<D>::min()), kHigh = highest<D, A>();
    constexpr bool kWide = sizeof(A) == 8 || sizeof(D) == 8;
    constexpr auto kNan = static_cast<D>(kWide ? std::make_unsigned_t<D>{1} << (8 * sizeof(D) - 1) : 0);
    const A whole = Rint<kHow>::of(a == a ? a : A{0});
    const A above = whole < kLow ? kLow : whole;
    const auto inside = static_cast<D>(above > kHigh ? kHigh : above);
    const D bounded = whole > kHigh ? std::numeric_limits<D>::max() : inside;
    return a == a ? bounded : kNan;
  }
};

template <class D>
struct Cast {
  template <class A>
  static constexpr D of(A a) {
    return static_cast<D>(a);
  }
};

// ---- between formats

// A NaN keeps its sign and payload, and becomes quiet.
struct Widen {  // f32 to f64
  static double of(float a) {
    const std::uint64_t bits = to_word(a);
    const std::uint64_t nan = (bits & 0x80000000) << 32 | 0x7ff8000000000000 | (bits & 0x3fffff) << 29;
    return a == a ? static_cast<double>(a) : from_word<double>(nan);
  }
};
struct WidenFtz {
  static double of(float a) { return Widen::of(canonical(flushed(a))); }
};
struct Narrow {
  static float of(double a) {
    const std::uint64_t bits = to_word(a);
    const auto nan = static_cast<std::uint32_t>((bits >> 32 & 0x80000000) | 0x7fc00000 | (bits >> 29 & 0x3fffff));
    return a == a ? static_cast<float>(a) : from_word<float>(nan);
  }
};
/// What is tiny before it is rounded becomes zero.
struct NarrowFtz {
  static float of(double a) {
    const bool tiny = __builtin_fabs(a) < 0x1p-126;
    return Narrow::of(tiny ? __builtin_copysign(0.0, a) : a);
  }
};
template <class Format, bool kFtz>
struct ToHalf {
  static constexpr std::uint32_t of(std::uint32_t a) { return Format::narrowed(kFtz ? flushed(a) : a); }
};
template <class Format, bool kFtz>
struct FromHalf {
  static constexpr std::uint32_t of(std::uint32_t a) {
    if (std::is_same_v<Format, Bf16> && !kFtz) return a << 16;  // a copy, of NaN as well
    const std::uint32_t wide = Format::widened(a & 0xffff);
    return kFtz ? flushed(wide) : wide;
  }
};
/// The first operand to the upper half.
template <class Format>
struct ToPair {
  static constexpr std::uint32_t of(std::uint32_t upper, std::uint32_t lower) {
    return Format::narrowed(upper) << 16 | Format::narrowed(lower);
  }
};
/// To nearest, ties away from zero.
struct ToTf32 {
  static constexpr std::uint32_t of(std::uint32_t a) {
    return (a & 0x7fffffff) > 0x7f800000 ? a & ~std::uint32_t{0x1fff} : (a + 0x1000) & ~std::uint32_t{0x1fff};
  }
};

// ---- which handler

/// By the source's type; .bN is none of them.
template <class Make>
Handler of_integer(Type type, Make make) {
  using All = Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t,
                    std::int64_t>;
  return is_floating(type) ? nullptr : pick(type, All{}, make);
}

template <class D>
Handler integer_from(Type from) {
  return of_integer(from, []<class A>(Tag<A>) -> Handler { return unary<Cast<D>, D, A>; });
}
Handler integer_to_integer(Type to, Type from) {
  switch (size_of(to)) {
    case 1:
      return integer_from<std::uint8_t>(from);
    case 2:
      return integer_from<std::uint16_t>(from);
    case 4:
      return integer_from<std::uint32_t>(from);
    default:
      return integer_from<std::uint64_t>(from);
  }
}

template <class A, Integral kHow>
Handler float_to_integer_as(Type to) {
  using Wide = Types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
  return pick(to, Wide{}, []<class D>(Tag<D>) -> Handler { return unary<ToInteger<D, kHow>, D, A>; });
}
template <class A>
Handler float_to_integer(Type to, Integral how) {
  switch (how) {
    case Integral::kNearest:
      return float_to_integer_as<A, Integral::kNearest>(to);
    case Integral::kZero:
      return float_to_integer_as<A, Integral::kZero>(to);
    case Integral::kDown:
      return float_to_integer_as<A, Integral::kDown>(to);
    case Integral::kUp:
      return float_to_integer_as<A, Integral::kUp>(to);
    case Integral::kNone:
      break;
  }
  return nullptr;
}
template <class D>
Handler integer_to_float(Type from) {
  return of_integer(from, []<class A>(Tag<A>) -> Handler { return unary<Cast<D>, D, A>; });
}

template <Integral kHow>
Handler integral_as(Type type, bool ftz, bool sat) {
  if (type == Type::kF64) {
    return sat ? unary<ToIntegral<kHow, false, true>, F64, F64> : unary<ToIntegral<kHow, false, false>, F64, F64>;
  }
  if (ftz) return sat ? unary<ToIntegral<kHow, true, true>, F32, F32> : unary<ToIntegral<kHow, true, false>, F32, F32>;
  return sat ? unary<ToIntegral<kHow, false, true>, F32, F32> : unary<ToIntegral<kHow, false, false>, F32, F32>;
}
Handler to_integral(Type type, Integral how, bool ftz, bool sat) {
  switch (how) {
    case Integral::kNearest:
      return integral_as<Integral::kNearest>(type, ftz, sat);
    case Integral::kZero:
      return integral_as<Integral::kZero>(type, ftz, sat);
    case Integral::kDown:
      return integral_as<Integral::kDown>(type, ftz, sat);
    case Integral::kUp:
      return integral_as<Integral::kUp>(type, ftz, sat);
    case Integral::kNone:
      break;
  }
  return integral_as<Integral::kNone>(type, ftz, sat);
}

/// Pairs of formats with one way each; ftz is taken into account.
struct FormatRow {
  Type to, from;
  bool rounds;  ///< .rn must be there
  Handler plain, ftz;
};
using U32 = std::uint32_t;
constexpr FormatRow kFormats[] = {
    {Type::kF64, Type::kF32, false, unary<Widen, F64, F32>, unary<WidenFtz, F64, F32>},
    {Type::kF32, Type::kF64, true, unary<Narrow, F32, F64>, unary<NarrowFtz, F32, F64>},
    {Type::kF32, Type::kF16, false, unary<FromHalf<F16, false>, U32, U32>, unary<FromHalf<F16, false>, U32, U32>},
    {Type::kF32, Type::kBf16, false, unary<FromHalf<Bf16, false>, U32, U32>, unary<FromHalf<Bf16, true>, U32, U32>},
    {Type::kF16, Type::kF32, true, unary<ToHalf<F16, false>, U32, U32>, unary<ToHalf<F16, true>, U32, U32>},
    {Type::kBf16, Type::kF32, true, unary<ToHalf<Bf16, false>, U32, U32>, unary<ToHalf<Bf16, true>, U32, U32>},
};

/// What a cvt says beside its types.
struct Modifiers {
  Integral integral = Integral::kNone;
  bool rn = false, ftz = false, sat = false, other = false;
};
Modifiers read(const Builder& builder) {
  Modifiers result;
  for (const std::string_view each : builder.instruction().modifiers) {
    if (type_named(each)) continue;
    if (each == "rni")
      result.integral = Integral::kNearest;
    else if (each == "rzi")
      result.integral = Integral::kZero;
    else if (each == "rmi")
      result.integral = Integral::kDown;
    else if (each == "rpi")
      result.integral = Integral::kUp;
    else if (each == "rn")
      result.rn = true;
    else if (each == "ftz")
      result.ftz = true;
    else if (each == "sat")
      result.sat = true;
    else
      result.other = true;
  }
  return result;
}

Handler from_float(Type to, Type from, const Modifiers& how) {
  const bool moves_small = how.integral == Integral::kDown || how.integral == Integral::kUp;
  if (is_floating(to) || how.rn || (how.ftz && moves_small)) return nullptr;
  if (from == Type::kF32) return float_to_integer<F32>(to, how.integral);
  return from == Type::kF64 ? float_to_integer<F64>(to, how.integral) : nullptr;
}

Handler between_floats(Type to, Type from, const Modifiers& how) {
  if (to == from && !how.rn && (to == Type::kF32 || to == Type::kF64)) {
    return to_integral(to, how.integral, how.ftz, how.sat);
  }
  if (how.sat || how.integral != Integral::kNone) return nullptr;
  for (const FormatRow& row : kFormats) {
    if (row.to == to && row.from == from && (how.rn || !row.rounds)) return how.ftz ? row.ftz : row.plain;
  }
  return nullptr;
}

Handler conversion(Type to, Type from, const Modifiers& how) {
  if (how.other) return nullptr;
  if (!is_floating(to) && !is_floating(from)) {
    return how.sat || how.rn || how.integral != Integral::kNone ? nullptr : integer_to_integer(to, from);
  }
  if (is_floating(from)) return is_floating(to) ? between_floats(to, from, how) : from_float(to, from, how);
  if (!how.rn || how.sat) return nullptr;
  if (to == Type::kF32) return integer_to_float<F32>(from);
  return to == Type::kF64 ? integer_to_float<F64>(from) : nullptr;
}

bool select_cvt(Builder& builder) {
  if (builder.opcode() != "cvt" || builder.types().size() != 2 || builder.operand_count() != 2) return false;
  const Type to = builder.types()[0], from = builder.types()[1];
  const Handler run = conversion(to, from, read(builder));
  if (run == nullptr) return false;
  emit_conversion(builder, {.run = run, .a = builder.source(1, from)}, to);
  return true;
}

Handler to_f16x2(Type from) {
  return from == Type::kF32 ? binary<ToPair<F16>, U32, U32, U32> : Handler{nullptr};
}
Handler to_bf16x2(Type from) {
  return from == Type::kF32 ? binary<ToPair<Bf16>, U32, U32, U32> : Handler{nullptr};
}
Handler to_tf32(Type from) {
  return from == Type::kF32 ? unary<ToTf32, U32, U32> : Handler{nullptr};
}

bool select_packing(Builder& builder) {
  if (builder.opcode() != "cvt" || builder.types().size() != 2) return false;
  constexpr Row kPairs[] = {{"cvt", "rn", "ttt", to_f16x2}}, kBfloatPairs[] = {{"cvt", "rn", "ttt", to_bf16x2}};
  constexpr Row kTf32[] = {{"cvt", "rna", "tt", to_tf32}};
  switch (builder.types()[0]) {
    case Type::kF16x2:
      return select_row(builder, kPairs);
    case Type::kBf16x2:
      return select_row(builder, kBfloatPairs);
    case Type::kTf32:
      return select_row(builder, kTf32);
    default:
      return false;
  }
}

}  // namespace

bool select_convert(Builder& builder) {
  return select_cvt(builder) || select_packing(builder);
}

}  // namespace ridge::emulator::RIDGE_ISA
