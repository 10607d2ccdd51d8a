// Extended precision: .cc and the instructions with c, which pass a carry (of subtractions a borrow) from one to the
// next. It is a predicate of the function, one bit a lane.
#include "emulator/exec/lanes/rows.h"
#include "emulator/exec/scalar/scalar.h"
#include "emulator/number/integer.h"

namespace ridge::emulator {
namespace {

struct Add {
  template <class T>
  static number::Carried<T> of(T a, T b, T, bool carry) {
    return number::add_carry(a, b, carry);
  }
};
struct Sub {
  template <class T>
  static number::Carried<T> of(T a, T b, T, bool carry) {
    return number::sub_borrow(a, b, carry);
  }
};
struct MadLo {
  template <class T>
  static number::Carried<T> of(T a, T b, T c, bool carry) {
    return number::mad_lo_carry(a, b, c, carry);
  }
};
struct MadHi {
  template <class T>
  static number::Carried<T> of(T a, T b, T c, bool carry) {
    return number::mad_hi_carry(a, b, c, carry);
  }
};

enum Flags : std::uint32_t { kReads = 1, kWrites = 2 };

/// The carry is the predicate at the step's immediate.
template <class Op, class T>
void with_carry(Warp& warp, const Step& step, Mask mask) {
  const auto carry_slot = static_cast<Slot>(step.immediate);
  const Mask before = (step.flags & kReads) != 0 ? warp.predicate(carry_slot) : 0;
  Mask after = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if ((mask & kLaneBits[i]) == 0) continue;
    const auto value = [&](Slot slot) { return from_word<T>(lanes<T>(warp, slot)[i]); };
    const T c = step.c == kNoSlot ? T{0} : value(step.c);
    const auto result = Op::of(value(step.a), value(step.b), c, (before & kLaneBits[i]) != 0);
    lanes<T>(warp, step.d)[i] = to_word<T>(result.value);
    after |= result.carry ? kLaneBits[i] : 0;
  }
  if ((step.flags & kWrites) != 0) keep(warp, carry_slot, after, mask);
}

template <class Op>
Handler of(Type type) {
  return pick(type, Words{}, []<class T>(Tag<T>) -> Handler { return with_carry<Op, T>; });
}

constexpr Row kRows[] = {
    {"add", "cc", "ttt", of<Add>, kWrites},
    {"addc", "", "ttt", of<Add>, kReads},
    {"addc", "cc", "ttt", of<Add>, kReads | kWrites},
    {"sub", "cc", "ttt", of<Sub>, kWrites},
    {"subc", "", "ttt", of<Sub>, kReads},
    {"subc", "cc", "ttt", of<Sub>, kReads | kWrites},
    {"mad", "lo cc", "tttt", of<MadLo>, kWrites},
    {"mad", "hi cc", "tttt", of<MadHi>, kWrites},
    {"madc", "lo", "tttt", of<MadLo>, kReads},
    {"madc", "lo cc", "tttt", of<MadLo>, kReads | kWrites},
    {"madc", "hi", "tttt", of<MadHi>, kReads},
    {"madc", "hi cc", "tttt", of<MadHi>, kReads | kWrites},
};

}  // namespace

bool select_carry(Builder& builder) {
  if (!select_row(builder, kRows)) return false;
  Body& body = builder.body();
  if (body.carry == kNoSlot) body.carry = body.allocate(Lane::kMask);
  Step& step = builder.last();
  step.immediate = body.carry;
  return true;
}

}  // namespace ridge::emulator
