// Work on 32 lanes at a time.
//
// The sources of this folder are compiled once for each instruction set of the host (RIDGE_ISA: portable, avx2,
// avx512), the handlers marked RIDGE_LANE_CODE for that set only: everything else in them stays baseline code, so that
// what the linker shares between the objects runs anywhere. select.h says which is taken at run time.
//
// An operation is a struct with a static function `of` on values of single lanes; the templates here make handlers of
// it. Lanes are words of 32 or 64 bits: a narrower value stands in the low bits of its word, with zeros above.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/exec/warp.h"

#if RIDGE_ISA_LEVEL == 512
#define RIDGE_ISA avx512
#define RIDGE_ISA_NAME "avx512"
#define RIDGE_LANE_CODE \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi,bmi2,popcnt,lzcnt,f16c")))
#elif RIDGE_ISA_LEVEL == 256
#define RIDGE_ISA avx2
#define RIDGE_ISA_NAME "avx2"
#define RIDGE_LANE_CODE __attribute__((target("avx2,fma,bmi,bmi2,popcnt,lzcnt,f16c")))
#else
#define RIDGE_ISA portable
#define RIDGE_ISA_NAME "portable"
#define RIDGE_LANE_CODE
#endif

// What must not become a call: a call keeps the loop around it from becoming vectors.
#define RIDGE_INLINE __attribute__((always_inline)) inline

// Lanes do not depend on one another, also where an operand is the destination.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // some loops stay loops
#define RIDGE_EACH_LANE _Pragma("clang loop vectorize(assume_safety)")
#else
#define RIDGE_EACH_LANE _Pragma("GCC ivdep")
#endif

namespace ridge::emulator {
namespace {

/// The word a value of T stands in.
template <class T>
using Word = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;

template <class T>
inline T from_word(Word<T> word) {
  if constexpr (sizeof(T) == sizeof(Word<T>)) {
    return std::bit_cast<T>(word);
  } else {
    return static_cast<T>(word);  // integers only: the low bits
  }
}
template <class T>
inline Word<T> to_word(T value) {
  if constexpr (sizeof(T) == sizeof(Word<T>)) {
    return std::bit_cast<Word<T>>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <class T>
inline Word<T>* lanes(const Warp& warp, Slot slot) {
  return reinterpret_cast<Word<T>*>(warp.base + slot);
}

/// Bit i for lane i, to test masks with: vectors have no shift by lane in every set.
inline constexpr std::array<Mask, kLanes> kLaneBits = [] {
  std::array<Mask, kLanes> bits{};
  for (std::uint32_t i = 0; i < kLanes; ++i) bits[i] = Mask{1} << i;
  return bits;
}();

/// Writes `from` where the mask says so.
template <class W>
RIDGE_LANE_CODE inline void blend(W* to, const W* from, Mask mask) {
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kLanes; ++i) to[i] = (mask & kLaneBits[i]) != 0 ? from[i] : to[i];
}

/// Runs `lane(i)` for 32 lanes and keeps what it gives where the mask says so. All lanes are computed, so that the loop
/// has no branch: `lane` must be harmless for the others.
template <class D, class Lane>
RIDGE_LANE_CODE RIDGE_INLINE void each_lane(Word<D>* d, Mask mask, const Lane& lane) {
  alignas(64) Word<D> held[kLanes];
  asm("" : "=m"(held));  // GCC warns of it as not written where it is
  Word<D>* to = mask == kAllLanes ? d : held;
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kLanes; ++i) to[i] = to_word<D>(lane(i));
  if (mask != kAllLanes) blend(d, held, mask);
}

/// d = Op::of(a): types of the destination and the source.
template <class Op, class D, class A>
RIDGE_LANE_CODE void unary(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<A>(warp, step.a);
  each_lane<D>(
      lanes<D>(warp, step.d),
      mask, [=](std::uint32_t i) __attribute__((always_inline)) { return static_cast<D>(Op::of(from_word<A>(a[i]))); });
}

template <class Op, class D, class A, class B>
RIDGE_LANE_CODE void binary(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<A>(warp, step.a);
  const auto* b = lanes<B>(warp, step.b);
  each_lane<D>(
      lanes<D>(warp, step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return static_cast<D>(Op::of(from_word<A>(a[i]), from_word<B>(b[i])));
      });
}

template <class Op, class D, class A, class B, class C>
RIDGE_LANE_CODE void ternary(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<A>(warp, step.a);
  const auto* b = lanes<B>(warp, step.b);
  const auto* c = lanes<C>(warp, step.c);
  each_lane<D>(
      lanes<D>(warp, step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return static_cast<D>(Op::of(from_word<A>(a[i]), from_word<B>(b[i]), from_word<C>(c[i])));
      });
}

/// Four operands: the slot of the last is the step's immediate.
template <class Op, class D, class A, class B, class C, class E>
RIDGE_LANE_CODE void quaternary(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<A>(warp, step.a);
  const auto* b = lanes<B>(warp, step.b);
  const auto* c = lanes<C>(warp, step.c);
  const auto* e = lanes<E>(warp, static_cast<Slot>(step.immediate));
  each_lane<D>(
      lanes<D>(warp, step.d), mask, [=](std::uint32_t i) __attribute__((always_inline)) {
        return static_cast<D>(Op::of(from_word<A>(a[i]), from_word<B>(b[i]), from_word<C>(c[i]), from_word<E>(e[i])));
      });
}

/// A predicate gets a result for the lanes of the mask.
inline void keep(Warp& warp, Slot to, Mask result, Mask mask) {
  Mask& d = warp.predicate(to);
  d = (d & ~mask) | (result & mask);
}

/// The predicate d = Op::of(a, b).
template <class Op, class A>
RIDGE_LANE_CODE void compare(Warp& warp, const Step& step, Mask mask) {
  const auto* a = lanes<A>(warp, step.a);
  const auto* b = lanes<A>(warp, step.b);
  Mask result = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    result |= static_cast<Mask>(Op::of(from_word<A>(a[i]), from_word<A>(b[i]))) << i;
  }
  keep(warp, step.d, result, mask);
}

}  // namespace
}  // namespace ridge::emulator
