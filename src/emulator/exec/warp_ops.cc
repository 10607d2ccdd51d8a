#include "emulator/exec/warp_ops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string_view>

#include "emulator/exec/access.h"
#include "emulator/exec/control.h"
#include "emulator/exec/families.h"
#include "emulator/number/minmax.h"

namespace ridge::emulator {
namespace {

std::uint32_t first_lane(Mask mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

// Steps keep the slot of the members in their flags: kNoSlot is what the forms without .sync have.
Slot members_slot(const Step& step) {
  return static_cast<Slot>(step.flags);
}

Mask lanes_here(Warp& warp, const Step& step, Mask mask) {
  const Slot members = members_slot(step);
  return members == kNoSlot ? mask : gather(warp, step, members_named(warp, members, mask), mask);
}

// Calls `each(group)` for the lanes of `all` that name the same members.
template <class F>
void for_each_group(const Warp& warp, const Step& step, Mask all, F each) {
  if (members_slot(step) == kNoSlot) return each(all);
  const std::uint32_t* named = warp.word(members_slot(step));
  while (all != 0) {
    const std::uint32_t members = named[first_lane(all)];
    Mask group = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) group |= static_cast<Mask>(named[i] == members) << i;
    group &= all;
    each(group);
    all &= ~group;
  }
}

void set_predicate(const Warp& warp, Slot slot, Mask lanes, Mask value) {
  if (slot == kNoSlot) return;
  Mask& to = warp.predicate(slot);
  to = (to & ~lanes) | (value & lanes);
}

void set_words(const Warp& warp, Slot slot, Mask lanes, std::uint32_t value) {
  std::uint32_t* to = warp.word(slot);
  for (std::uint32_t i = 0; i < kLanes; ++i) to[i] = (lanes >> i & 1U) != 0 ? value : to[i];
}

// ---- shfl

struct Segment {
  std::uint32_t lane = 0, first = 0, last = 0, mask = 0;  ///< `mask`: the bits of a lane that name its segment
};

struct Up {
  static std::int32_t source(const Segment& at, std::uint32_t by) {
    const auto from = static_cast<std::int32_t>(at.lane) - static_cast<std::int32_t>(by);
    return from >= static_cast<std::int32_t>(at.last) ? from : -1;
  }
};
struct Down {
  static std::int32_t source(const Segment& at, std::uint32_t by) {
    const std::uint32_t from = at.lane + by;
    return from <= at.last ? static_cast<std::int32_t>(from) : -1;
  }
};
struct Butterfly {
  static std::int32_t source(const Segment& at, std::uint32_t by) {
    const std::uint32_t from = at.lane ^ by;
    return from <= at.last ? static_cast<std::int32_t>(from) : -1;
  }
};
struct Indexed {
  static std::int32_t source(const Segment& at, std::uint32_t by) {
    const std::uint32_t from = at.first | (by & ~at.mask);
    return from <= at.last ? static_cast<std::int32_t>(from) : -1;
  }
};

// Operands: a the value, b the distance or lane, c the segment and its bound; immediate: the slot of the predicate. A
// lane that is told the value of one that does not take part gets what that one's register holds.
template <class Mode>
void shuffle(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  if (all == 0) return;
  const std::uint32_t *a = warp.word(step.a), *b = warp.word(step.b), *c = warp.word(step.c);
  std::uint32_t* d = warp.word(step.d);
  alignas(64) std::array<std::uint32_t, kLanes> result;
  Mask in_range = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t bound = c[lane] & 31U, segment = c[lane] >> 8 & 31U;
    const Segment at{lane, lane & segment, (lane & segment) | (bound & ~segment), segment};
    const std::int32_t from = Mode::source(at, b[lane] & 31U);
    in_range |= static_cast<Mask>(from >= 0) << lane;
    result[lane] = a[from >= 0 ? static_cast<std::uint32_t>(from) & 31U : lane];
  }
  if (all == kAllLanes) {
    std::copy(result.begin(), result.end(), d);
  } else {
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = (all >> i & 1U) != 0 ? result[i] : d[i];
  }
  set_predicate(warp, static_cast<Slot>(step.immediate), all, in_range);
}

bool select_shuffle(Builder& builder) {
  const bool sync = builder.has("sync");
  const auto [d, p] = builder.destination_pair(0, Type::kB32, Type::kPredicate);
  Step step{.d = d, .a = builder.source(1, Type::kB32), .b = builder.source(2, Type::kU32)};
  step.c = builder.source(3, Type::kU32);
  step.flags = static_cast<std::uint32_t>(sync ? builder.source(4, Type::kB32) : kNoSlot);
  step.immediate = p;
  step.run = builder.has("up")     ? shuffle<Up>
             : builder.has("down") ? shuffle<Down>
             : builder.has("bfly") ? shuffle<Butterfly>
                                   : shuffle<Indexed>;
  builder.emit(step);
  return true;
}

// ---- vote, activemask, elect

template <class Decide>
void vote(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  const Mask yes = all == 0 ? 0 : warp.predicate(step.a);
  for_each_group(warp, step, all, [&](Mask group) {
    set_predicate(warp, step.d, group, Decide::of(yes & group, group) ? kAllLanes : 0);
  });
}
struct All {
  static bool of(Mask yes, Mask group) { return yes == group; }
};
struct Any {
  static bool of(Mask yes, Mask) { return yes != 0; }
};
struct Uniform {
  static bool of(Mask yes, Mask group) { return yes == 0 || yes == group; }
};

void ballot(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  const Mask yes = all == 0 ? 0 : warp.predicate(step.a);
  for_each_group(warp, step, all, [&](Mask group) { set_words(warp, step.d, group, yes & group); });
}

bool select_vote(Builder& builder) {
  const bool sync = builder.has("sync"), words = builder.has("ballot");
  Step step{.d = builder.destination(0, words ? Type::kB32 : Type::kPredicate), .a = builder.predicate(1)};
  step.flags = static_cast<std::uint32_t>(sync ? builder.source(2, Type::kB32) : kNoSlot);
  step.run = words ? ballot : builder.has("all") ? vote<All> : builder.has("any") ? vote<Any> : vote<Uniform>;
  builder.emit(step);
  return true;
}

void active_mask(Warp& warp, const Step& step, Mask mask) {
  set_words(warp, step.d, mask, mask);
}

bool select_active_mask(Builder& builder) {
  builder.emit({.run = active_mask, .d = builder.destination(0, Type::kB32)});
  return true;
}

// The lowest lane of each group leads.
void elect(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  for_each_group(warp, step, all, [&](Mask group) {
    set_words(warp, step.d, group, first_lane(group));
    set_predicate(warp, static_cast<Slot>(step.immediate), group, group & (~group + 1));
  });
}

bool select_elect(Builder& builder) {
  const auto [d, p] = builder.destination_pair(0, Type::kB32, Type::kPredicate);
  Step step{.run = elect, .d = d};
  step.flags = static_cast<std::uint32_t>(builder.source(1, Type::kB32));
  step.immediate = p;
  builder.emit(step);
  return true;
}

// ---- match

template <class T>
T value_at(const Warp& warp, Slot slot, std::uint32_t lane) {
  if constexpr (sizeof(T) == 8) {
    return warp.wide(slot)[lane];
  } else {
    return warp.word(slot)[lane];
  }
}

template <class T>
Mask same_as(const Warp& warp, Slot slot, T value, Mask group) {
  Mask same = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) same |= static_cast<Mask>(value_at<T>(warp, slot, i) == value) << i;
  return same & group;
}

template <class T>
void match_any(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  std::array<std::uint32_t, kLanes> result{};
  for_each_group(warp, step, all, [&](Mask group) {
    for (Mask left = group; left != 0;) {
      const Mask same = same_as<T>(warp, step.a, value_at<T>(warp, step.a, first_lane(left)), group);
      for (Mask each = same; each != 0; each &= each - 1) result[first_lane(each)] = same;
      left &= ~same;
    }
  });
  for (Mask each = all; each != 0; each &= each - 1) warp.word(step.d)[first_lane(each)] = result[first_lane(each)];
}

template <class T>
void match_all(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  std::array<Mask, kLanes> result{};
  Mask equal = 0;
  for_each_group(warp, step, all, [&](Mask group) {
    const bool same = same_as<T>(warp, step.a, value_at<T>(warp, step.a, first_lane(group)), group) == group;
    for (Mask each = group; each != 0; each &= each - 1) result[first_lane(each)] = same ? group : 0;
    if (same) equal |= group;
  });
  for (Mask each = all; each != 0; each &= each - 1) warp.word(step.d)[first_lane(each)] = result[first_lane(each)];
  set_predicate(warp, static_cast<Slot>(step.immediate), all, equal);
}

bool select_match(Builder& builder) {
  const bool any = builder.has("any"), wide = builder.has("b64");
  const auto [d, p] = builder.destination_pair(0, Type::kB32, Type::kPredicate);
  Step step{.d = d, .a = builder.source(1, wide ? Type::kB64 : Type::kB32)};
  step.flags = static_cast<std::uint32_t>(builder.source(2, Type::kB32));
  step.immediate = p;
  step.run = any ? (wide ? match_any<std::uint64_t> : match_any<std::uint32_t>)
                 : (wide ? match_all<std::uint64_t> : match_all<std::uint32_t>);
  builder.emit(step);
  return true;
}

// ---- redux

struct SignedMin {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
  }
};
struct SignedMax {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a : b;
  }
};
struct Min {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return std::min(a, b); }
};
struct Max {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return std::max(a, b); }
};
template <class Op>
struct Plain {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return Op{}(a, b); }
};
template <number::Extremum kWhich, bool kAbs, bool kNan>
struct FloatExtremum {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) {
    const number::ExtremumMode mode{.nan = kNan, .abs = kAbs};
    return static_cast<std::uint32_t>(number::extremum(number::kF32, kWhich, a, b, mode));
  }
};

// The first value meets itself, which min, max, and, or leave as it is (and makes .abs and NaN of a lone lane right).
template <class Op, bool kIdempotent>
void reduce(Warp& warp, const Step& step, Mask mask) {
  const Mask all = lanes_here(warp, step, mask);
  const std::uint32_t* a = warp.word(step.a);
  for_each_group(warp, step, all, [&](Mask group) {
    std::uint32_t result = a[first_lane(group)];
    if (kIdempotent) result = Op::of(result, result);
    for (Mask left = group & (group - 1); left != 0; left &= left - 1) result = Op::of(result, a[first_lane(left)]);
    set_words(warp, step.d, group, result);
  });
}

template <number::Extremum kWhich>
Handler float_reduction(bool abs, bool nan) {
  if (abs)
    return nan ? reduce<FloatExtremum<kWhich, true, true>, true> : reduce<FloatExtremum<kWhich, true, false>, true>;
  return nan ? reduce<FloatExtremum<kWhich, false, true>, true> : reduce<FloatExtremum<kWhich, false, false>, true>;
}

Handler reduction(const Builder& builder) {
  const bool min = builder.has("min"), max = builder.has("max");
  if (builder.has("f32")) {
    const bool abs = builder.has("abs"), nan = builder.has("NaN");
    return min ? float_reduction<number::Extremum::kMin>(abs, nan) : float_reduction<number::Extremum::kMax>(abs, nan);
  }
  if (builder.has("s32") && min) return reduce<SignedMin, true>;
  if (builder.has("s32") && max) return reduce<SignedMax, true>;
  if (min) return reduce<Min, true>;
  if (max) return reduce<Max, true>;
  if (builder.has("and")) return reduce<Plain<std::bit_and<>>, true>;
  if (builder.has("or")) return reduce<Plain<std::bit_or<>>, true>;
  if (builder.has("xor")) return reduce<Plain<std::bit_xor<>>, false>;
  return reduce<Plain<std::plus<>>, false>;
}

bool select_reduction(Builder& builder) {
  Step step{.run = reduction(builder), .d = builder.destination(0, Type::kB32), .a = builder.source(1, Type::kB32)};
  step.flags = static_cast<std::uint32_t>(builder.source(2, Type::kB32));
  builder.emit(step);
  return true;
}

// ---- waiting, and hints

void warp_barrier(Warp& warp, const Step& step, Mask mask) {
  (void)synchronise(warp, step, members_named(warp, members_slot(step), mask), mask);
}

bool select_barrier_of_warp(Builder& builder) {
  if (!builder.has("warp")) return false;
  Step step{.run = warp_barrier};
  step.flags = static_cast<std::uint32_t>(builder.source(0, Type::kB32));
  builder.emit(step);
  return true;
}

// How long is nobody's business here: the others get their turn.
void sleep(Warp& warp, const Step&, Mask) {
  warp.budget = 0;
}

bool select_sleep(Builder& builder) {
  builder.emit({.run = sleep, .a = builder.source(0, Type::kU32)});
  return true;
}

// Steps are executed in order and memory is one, so that fences have nothing to wait for; a launch has no other beside
// it; caches are told of accesses, not of hints. All of them count as instructions.
bool select_nothing(Builder& builder) {
  builder.emit({.run = nothing});
  return true;
}

void fence(Warp& warp, const Step&, Mask) {
  tell_order(warp);
}

bool select_fence(Builder& builder) {
  builder.emit({.run = fence});
  return true;
}

bool select_hint(Builder& builder) {
  (void)builder.address(0);
  return select_nothing(builder);
}

// What a policy says is opaque; caches take no hints, so that any will do.
void no_policy(Warp& warp, const Step& step, Mask mask) {
  std::uint64_t* to = warp.wide(step.d);
  for (std::uint32_t i = 0; i < kLanes; ++i) to[i] = (mask >> i & 1U) != 0 ? 0 : to[i];
}

bool select_policy(Builder& builder) {
  builder.emit({.run = no_policy, .d = builder.destination(0, Type::kB64)});
  return true;
}

struct Entry {
  std::string_view opcode;
  Select select = nullptr;
};
constexpr auto kEntries = std::to_array<Entry>({{"activemask", select_active_mask},
                                                {"applypriority", select_hint},
                                                {"bar", select_barrier_of_warp},
                                                {"createpolicy", select_policy},
                                                {"discard", select_hint},
                                                {"elect", select_elect},
                                                {"fence", select_fence},
                                                {"griddepcontrol", select_nothing},
                                                {"match", select_match},
                                                {"membar", select_fence},
                                                {"nanosleep", select_sleep},
                                                {"pmevent", select_nothing},
                                                {"prefetch", select_hint},
                                                {"prefetchu", select_hint},
                                                {"redux", select_reduction},
                                                {"setmaxnreg", select_nothing},
                                                {"shfl", select_shuffle},
                                                {"vote", select_vote}});

}  // namespace

Mask members_named(const Warp& warp, Slot members, Mask mask) {
  const std::uint32_t* named = warp.word(members);
  Mask all = mask;
  for (std::uint32_t i = 0; i < kLanes; ++i) all |= (mask >> i & 1U) != 0 ? named[i] : 0;
  return all;
}

Mask whole_warp(Warp& warp, const Step& step, Mask mask) {
  const Mask live = warp.live();
  if ((mask & live) == live) return mask;
  if ((warp.active & live) != live) return gather(warp, step, live, mask);
  raise(warp, step, FaultKind::kDivergentBarrier, first_lane(live & ~mask), ptx::Space::kRegister, 0, 0,
        "all lanes of the warp must execute it, and its guard holds for some only");
  return mask;
}

bool select_warp(Builder& builder) {
  const auto* found = std::find_if(kEntries.begin(), kEntries.end(),
                                   [&](const Entry& each) { return each.opcode == builder.opcode(); });
  return found != kEntries.end() && found->select(builder);
}

}  // namespace ridge::emulator
