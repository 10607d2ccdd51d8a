// Logic and shifts.
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/rows.h"
#include "emulator/number/bits.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

struct And {
  template <class T>
  static constexpr T of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static constexpr T of(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static constexpr T of(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  static constexpr T of(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static constexpr T of(T a) {
    return number::cnot(a);
  }
};
struct Shl {
  template <class T>
  static constexpr T of(T a, std::uint32_t count) {
    return number::shl(a, count);
  }
};
struct Shr {
  template <class T>
  static constexpr T of(T a, std::uint32_t count) {
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> std::min<std::uint32_t>(count, number::kBits<T> - 1));
    return number::shr(a, count);
  }
};
template <bool kLeft, number::ShiftMode kMode>
struct Shf {
  static constexpr std::uint32_t of(std::uint32_t low, std::uint32_t high, std::uint32_t count) {
    return kLeft ? number::shf_left(low, high, count, kMode) : number::shf_right(low, high, count, kMode);
  }
};

/// Any function of three bits: the step's flags are its table.
RIDGE_LANE_CODE void lop3(Warp& warp, const Step& step, Mask mask) {
  const auto* a = warp.word(step.a);
  const auto* b = warp.word(step.b);
  const auto* c = warp.word(step.c);
  std::uint32_t row[8];
  for (std::uint32_t i = 0; i < 8; ++i) row[i] = (step.flags >> i & 1U) != 0 ? ~std::uint32_t{0} : 0;
  each_lane<std::uint32_t>(
      warp.word(step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        const auto choose = [](std::uint32_t by, std::uint32_t one, std::uint32_t zero) {
          return (by & one) | (~by & zero);
        };
        const auto without = choose(b[i], choose(c[i], row[3], row[2]), choose(c[i], row[1], row[0]));
        const auto with = choose(b[i], choose(c[i], row[7], row[6]), choose(c[i], row[5], row[4]));
        return choose(a[i], with, without);
      });
}

/// Predicates: all lanes at once.
template <class Op>
void of_predicates(Warp& warp, const Step& step, Mask mask) {
  keep(warp, step.d, Op::of(warp.predicate(step.a), warp.predicate(step.b)), mask);
}
void not_predicate(Warp& warp, const Step& step, Mask mask) {
  keep(warp, step.d, ~warp.predicate(step.a), mask);
}
/// d = a != 0, and or or with the predicate b.
template <class Op>
RIDGE_LANE_CODE void test_words(Warp& warp, const Step& step, Mask mask) {
  const auto* a = warp.word(step.a);
  Mask set = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) set |= static_cast<Mask>(a[i] != 0) << i;
  keep(warp, step.d, Op::of(set, warp.predicate(step.b)), mask);
}

// ---- handlers by type

using Bits = AnySign<std::uint16_t, std::uint32_t, std::uint64_t>;

template <class Op>
Handler of_pred(Type type) {
  return type == Type::kPredicate ? of_predicates<Op> : Handler{nullptr};
}
Handler not_pred(Type type) {
  return type == Type::kPredicate ? not_predicate : Handler{nullptr};
}
template <class Op, class List>
Handler shift(Type type) {
  return pick(type, List{}, []<class T>(Tag<T>) -> Handler { return binary<Op, T, T, std::uint32_t>; });
}
template <bool kLeft, number::ShiftMode kMode>
Handler funnel(Type type) {
  return ternary_of<Shf<kLeft, kMode>, AnySign<std::uint32_t>>(type);
}

constexpr auto kClamp = number::ShiftMode::kClamp;
constexpr auto kWrap = number::ShiftMode::kWrap;

constexpr Row kRows[] = {
    {"and", "", "ttt", binary_of<And, Bits>},        {"and", "", "ppp", of_pred<And>},
    {"or", "", "ttt", binary_of<Or, Bits>},          {"or", "", "ppp", of_pred<Or>},
    {"xor", "", "ttt", binary_of<Xor, Bits>},        {"xor", "", "ppp", of_pred<Xor>},
    {"not", "", "tt", unary_of<Not, Bits>},          {"not", "", "pp", not_pred},
    {"cnot", "", "tt", unary_of<Cnot, Bits>},        {"shl", "", "ttu", shift<Shl, Bits>},
    {"shr", "", "ttu", shift<Shr, Integers>},        {"shf", "l clamp", "tttt", funnel<true, kClamp>},
    {"shf", "l wrap", "tttt", funnel<true, kWrap>},  {"shf", "r clamp", "tttt", funnel<false, kClamp>},
    {"shf", "r wrap", "tttt", funnel<false, kWrap>},
};

// lop3.b32 d, a, b, c, table; with .or or .and: d|p, ..., q, where p is (d != 0) or/and q.
bool select_lop3(Builder& builder) {
  if (builder.opcode() != "lop3") return false;
  const bool tests = builder.has("or") || builder.has("and");
  const Slot q = tests ? builder.predicate(5) : kNoSlot;
  Step step{.run = lop3, .a = builder.source(1, Type::kB32), .b = builder.source(2, Type::kB32)};
  step.c = builder.source(3, Type::kB32);
  step.flags = static_cast<std::uint32_t>(builder.integer(4)) & 0xff;
  const auto [d, p] = builder.destination_pair(0, Type::kB32, Type::kPredicate);
  step.d = d;
  builder.emit(step);
  if (!tests || p == kNoSlot) return true;
  builder.emit({.run = builder.has("or") ? test_words<Or> : test_words<And>, .d = p, .a = d, .b = q});
  return true;
}

}  // namespace

bool select_logic(Builder& builder) {
  return select_row(builder, kRows) || select_lop3(builder);
}

}  // namespace ridge::emulator::RIDGE_ISA
