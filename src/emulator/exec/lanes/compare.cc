// setp, set, selp and slct.
//
// A comparison with everything an instruction can add to it is two steps: the comparison to a predicate of its own,
// and what is made of it. That predicate keeps guards apart from results, too: @p setp.lt.s32 p|q, ...
#include <array>
#include <optional>
#include <utility>

#include "emulator/exec/lanes/compare.h"
#include "emulator/exec/lanes/families.h"
#include "emulator/exec/lanes/float_lanes.h"
#include "emulator/exec/lanes/rows.h"

namespace ridge::emulator::RIDGE_ISA {
namespace {

constexpr auto kNames = std::to_array<std::string_view>(
    {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
/// Of unsigned integers, by another name.
constexpr auto kUnsignedNames = std::to_array<std::pair<std::string_view, Comparison>>(
    {{"lo", Comparison::kLt}, {"ls", Comparison::kLe}, {"hi", Comparison::kGt}, {"hs", Comparison::kGe}});

std::optional<Comparison> comparison_of(const Builder& builder) {
  for (const std::string_view each : builder.instruction().modifiers) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (each == kNames[i]) return static_cast<Comparison>(i);
    }
    for (const auto& [name, comparison] : kUnsignedNames) {
      if (each == name) return comparison;
    }
  }
  return std::nullopt;
}

template <Comparison kWhich, class T>
RIDGE_LANE_CODE void setp(Warp& warp, const Step& step, Mask mask) {
  keep(warp, step.d, compare_lanes<kWhich, T>(lanes<T>(warp, step.a), lanes<T>(warp, step.b)), mask);
}

template <Comparison kWhich>
RIDGE_LANE_CODE void setp_flushed(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<float>(warp, step.a);
  const auto* b = lanes<float>(warp, step.b);
  alignas(64) std::uint32_t left[kLanes], right[kLanes];
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    left[i] = flushed(a[i]);
    right[i] = flushed(b[i]);
  }
  keep(warp, step.d, compare_lanes<kWhich, float>(left, right), mask);
}

/// d and, if there is one, the second predicate (the step's immediate) of a comparison's outcome a, with b.
enum class Boolean : std::uint8_t { kNone, kAnd, kOr, kXor };
Mask combined(Boolean how, Mask a, Mask b) {
  switch (how) {
    case Boolean::kAnd:
      return a & b;
    case Boolean::kOr:
      return a | b;
    case Boolean::kXor:
      return a ^ b;
    case Boolean::kNone:
      break;
  }
  return a;
}
void combine(Warp& warp, const Step& step, Mask mask) {
  const auto how = static_cast<Boolean>(step.flags);
  const Mask a = warp.predicate(step.a);
  const Mask b = how == Boolean::kNone ? 0 : warp.predicate(step.b);
  keep(warp, step.d, combined(how, a, b), mask);
  if (step.c != kNoSlot) keep(warp, step.c, combined(how, ~a, b), mask);
}

/// Two predicates at once: the guard may be one of them.
void keep_both(Warp& warp, const Step& step, Mask mask) {
  const Mask first = warp.predicate(step.a), second = warp.predicate(step.b);
  keep(warp, step.d, first, mask);
  if (step.c != kNoSlot) keep(warp, step.c, second, mask);
}

/// d = predicate ? immediate : 0.
RIDGE_LANE_CODE void set_words(Warp& warp, const Step& step, Mask mask) {
  const Mask set = warp.predicate(step.a);
  const auto value = static_cast<std::uint32_t>(step.immediate);
  each_lane<std::uint32_t>(
      warp.word(step.d),
      mask, [=](std::uint32_t i) __attribute__((always_inline)) { return (set & kLaneBits[i]) != 0 ? value : 0; });
}
/// The same for pairs of halves, of two predicates.
RIDGE_LANE_CODE void set_pairs(Warp& warp, const Step& step, Mask mask) {
  const Mask low = warp.predicate(step.a), high = warp.predicate(step.b);
  const auto value = static_cast<std::uint32_t>(step.immediate);
  each_lane<std::uint32_t>(
      warp.word(step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return ((low & kLaneBits[i]) != 0 ? value & 0xffff : 0) | ((high & kLaneBits[i]) != 0 ? value & 0xffff0000 : 0);
      });
}

template <class T>
RIDGE_LANE_CODE void selp(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<T>(warp, step.a);
  const auto* b = lanes<T>(warp, step.b);
  const Mask choice = warp.predicate(step.c);
  each_lane<T>(
      lanes<T>(warp, step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        const T one = a[i], other = b[i];
        return (choice & kLaneBits[i]) != 0 ? one : other;
      });
}

template <class C, bool kFtz>
struct Slct {
  template <class T>
  static constexpr T of(T a, T b, C c) {
    if constexpr (kFtz) c = from_word<float>(flushed(to_word(c)));
    return c >= 0 ? a : b;
  }
};

// ---- which handler

template <class T, std::size_t... kIndex>
Handler setp_of(Comparison which, std::index_sequence<kIndex...>) {
  static constexpr Handler kHandlers[] = {setp<static_cast<Comparison>(kIndex), T>...};
  return static_cast<std::size_t>(which) < sizeof...(kIndex) ? kHandlers[static_cast<std::size_t>(which)] : nullptr;
}
template <std::size_t... kIndex>
Handler setp_flushed_of(Comparison which, std::index_sequence<kIndex...>) {
  static constexpr Handler kHandlers[] = {setp_flushed<static_cast<Comparison>(kIndex)>...};
  return kHandlers[static_cast<std::size_t>(which)];
}

constexpr std::size_t kIntegerComparisons = 6;
using OfIntegers = std::make_index_sequence<kIntegerComparisons>;
using OfFloats = std::make_index_sequence<kNames.size()>;

Handler comparison_handler(Type type, Comparison which, bool ftz) {
  if (type == Type::kF64) return setp_of<double>(which, OfFloats{});
  if (type == Type::kF32) return ftz ? setp_flushed_of(which, OfFloats{}) : setp_of<float>(which, OfFloats{});
  switch (type) {
    case Type::kS16:
      return setp_of<std::int16_t>(which, OfIntegers{});
    case Type::kS32:
      return setp_of<std::int32_t>(which, OfIntegers{});
    case Type::kS64:
      return setp_of<std::int64_t>(which, OfIntegers{});
    case Type::kB16:
    case Type::kU16:
      return setp_of<std::uint16_t>(which, OfIntegers{});
    case Type::kB64:
    case Type::kU64:
      return setp_of<std::uint64_t>(which, OfIntegers{});
    default:
      return setp_of<std::uint32_t>(which, OfIntegers{});
  }
}

/// Widens the lower or upper half of a word to an f32.
template <class Format, bool kUpper, bool kFtz>
struct Half {
  static constexpr std::uint32_t of(std::uint32_t a) {
    const std::uint32_t half = kUpper ? a >> 16 : a & 0xffff;
    return Format::widened(kFtz ? Format::flushed(half) : half);
  }
};
template <class Format>
Handler widening(bool upper, bool ftz) {
  using W = std::uint32_t;
  if (upper) return ftz ? unary<Half<Format, true, true>, W, W> : unary<Half<Format, true, false>, W, W>;
  return ftz ? unary<Half<Format, false, true>, W, W> : unary<Half<Format, false, false>, W, W>;
}

bool is_pair(Type type) {
  return type == Type::kF16x2 || type == Type::kBf16x2;
}
bool is_half(Type type) {
  return type == Type::kF16 || type == Type::kBf16 || is_pair(type);
}

/// What an instruction compares, and with what its outcome is combined.
struct Comparing {
  Type type{};
  Comparison which{};
  bool ftz = false;
  Boolean how = Boolean::kNone;
  Slot q = kNoSlot;
};

std::optional<Comparing> read(Builder& builder) {
  const auto which = comparison_of(builder);
  if (!which) return std::nullopt;
  Comparing result{builder.type(), *which, builder.has("ftz"), Boolean::kNone, kNoSlot};
  if (builder.has("and")) result.how = Boolean::kAnd;
  if (builder.has("or")) result.how = Boolean::kOr;
  if (builder.has("xor")) result.how = Boolean::kXor;
  if (result.how != Boolean::kNone) result.q = builder.predicate(3);
  return result;
}

/// Emits the comparison of operands 1 and 2 to a predicate; of pairs, of their lower or upper halves.
void emit_comparison(Builder& builder, const Comparing& comparing, Slot to, bool upper = false) {
  Slot a = builder.source(1, comparing.type), b = builder.source(2, comparing.type);
  Type type = comparing.type;
  if (is_half(type)) {
    const bool f16 = type == Type::kF16 || type == Type::kF16x2;
    const Handler widen = f16 ? widening<F16>(upper, comparing.ftz) : widening<Bf16>(upper, comparing.ftz);
    const Slot left = builder.temporary(Type::kF32), right = builder.temporary(Type::kF32);
    builder.emit({.run = widen, .d = left, .a = a});
    builder.emit({.run = widen, .d = right, .a = b});
    a = left;
    b = right;
    type = Type::kF32;
  }
  builder.emit({.run = comparison_handler(type, comparing.which, comparing.ftz && !is_half(comparing.type)),
                .d = to,
                .a = a,
                .b = b});
}

void emit_combine(Builder& builder, const Comparing& comparing, Slot from, Slot to, Slot second = kNoSlot) {
  Step step{.run = combine, .d = to, .a = from, .b = comparing.q, .c = second};
  step.flags = static_cast<std::uint32_t>(comparing.how);
  builder.emit(step);
}

/// The outcome of a comparison of halves or of everything else, combined.
Slot emit_outcome(Builder& builder, const Comparing& comparing, bool upper) {
  const Slot outcome = builder.temporary(Type::kPredicate);
  emit_comparison(builder, comparing, outcome, upper);
  if (comparing.how != Boolean::kNone) emit_combine(builder, comparing, outcome, outcome);
  return outcome;
}

// d = comparison, p = its opposite; of pairs p is of the upper halves.
bool select_setp(Builder& builder) {
  if (builder.opcode() != "setp") return false;
  const auto comparing = read(builder);
  if (!comparing) return false;
  const auto [d, p] = builder.destination_pair(0, Type::kPredicate, Type::kPredicate);
  if (comparing->how == Boolean::kNone && p == kNoSlot) {
    emit_comparison(builder, *comparing, d);
    return true;
  }
  if (is_pair(comparing->type)) {
    const Slot low = emit_outcome(builder, *comparing, false), high = emit_outcome(builder, *comparing, true);
    builder.emit({.run = keep_both, .d = d, .a = low, .b = high, .c = p});
    return true;
  }
  const Slot outcome = builder.temporary(Type::kPredicate);
  emit_comparison(builder, *comparing, outcome);
  emit_combine(builder, *comparing, outcome, d, p);
  return true;
}

/// What .type says true is; false is 0.
std::uint32_t true_of(Type type) {
  switch (type) {
    case Type::kF32:
      return 0x3f800000;
    case Type::kF16:
      return 0x3c00;
    case Type::kBf16:
      return 0x3f80;
    case Type::kF16x2:
      return 0x3c003c00;
    case Type::kBf16x2:
      return 0x3f803f80;
    case Type::kU16:
    case Type::kS16:
      return 0xffff;
    default:
      return 0xffffffff;
  }
}

// Two types: of the destination and of what is compared.
bool select_set(Builder& builder) {
  if (builder.opcode() != "set") return false;
  const auto comparing = read(builder);
  if (!comparing || builder.types().size() != 2) return false;
  const Type to = builder.types()[0];
  const Slot low = emit_outcome(builder, *comparing, false);
  Step step{.run = set_words, .a = low, .immediate = true_of(to)};
  if (is_pair(comparing->type)) {
    step.b = emit_outcome(builder, *comparing, true);
    step.run = set_pairs;
  }
  step.d = builder.destination(0, to);
  builder.emit(step);
  return true;
}

// ---- selection

Handler select_by_predicate(Type type) {
  return size_of(type) == 8 ? selp<std::uint64_t> : selp<std::uint32_t>;
}

template <class C, bool kFtz>
Handler select_by_sign(Type type) {
  using Op = Slct<C, kFtz>;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  return size_of(type) == 8 ? ternary<Op, U64, U64, U64, C> : ternary<Op, U32, U32, U32, C>;
}

// Two types: of the values and of what decides.
bool select_slct(Builder& builder) {
  if (builder.opcode() != "slct" || builder.types().size() != 2) return false;
  const Type value = builder.types()[0], decides = builder.types()[1];
  const Handler run = decides == Type::kS32 ? select_by_sign<std::int32_t, false>(value)
                      : builder.has("ftz")  ? select_by_sign<float, true>(value)
                                            : select_by_sign<float, false>(value);
  Step step{.run = run, .a = builder.source(1, value), .b = builder.source(2, value)};
  step.c = builder.source(3, decides);
  step.d = builder.destination(0, value);
  builder.emit(step);
  return true;
}

constexpr Row kRows[] = {{"selp", "", "tttp", select_by_predicate}};

}  // namespace

bool select_compare(Builder& builder) {
  return select_setp(builder) || select_row(builder, kRows) || select_set(builder) || select_slct(builder);
}

}  // namespace ridge::emulator::RIDGE_ISA
