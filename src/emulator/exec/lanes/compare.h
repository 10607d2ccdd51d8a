// Comparisons of 32 lanes as a mask.
//
// With AVX-512 a comparison of registers is a mask; elsewhere GCC's and clang's vectors give all ones or zeros by lane,
// whose signs are gathered.
#pragma once

#include "emulator/exec/lanes/lanes.h"
#include "emulator/number/minmax.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridge::emulator {
namespace {

using number::Comparison;

template <Comparison kWhich, class T>
constexpr bool holds(T a, T b) {
  if constexpr (kWhich == Comparison::kEq) return a == b;
  if constexpr (kWhich == Comparison::kNe) return a < b || a > b;
  if constexpr (kWhich == Comparison::kLt) return a < b;
  if constexpr (kWhich == Comparison::kLe) return a <= b;
  if constexpr (kWhich == Comparison::kGt) return a > b;
  if constexpr (kWhich == Comparison::kGe) return a >= b;
  if constexpr (kWhich == Comparison::kEqu) return !(a < b || a > b);
  if constexpr (kWhich == Comparison::kNeu) return !(a == b);
  if constexpr (kWhich == Comparison::kLtu) return !(a >= b);
  if constexpr (kWhich == Comparison::kLeu) return !(a > b);
  if constexpr (kWhich == Comparison::kGtu) return !(a <= b);
  if constexpr (kWhich == Comparison::kGeu) return !(a < b);
  const bool numbers = a <= b || a > b;
  return kWhich == Comparison::kNum ? numbers : !numbers;
}

#if RIDGE_ISA_LEVEL == 512
/// The predicate operand of the vector comparisons; quiet for all floating-point ones.
template <Comparison kWhich, class T>
constexpr int immediate_of() {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr int kCodes[] = {_CMP_EQ_OQ,  _CMP_NEQ_OQ, _CMP_LT_OQ,  _CMP_LE_OQ,  _CMP_GT_OQ,
                              _CMP_GE_OQ,  _CMP_EQ_UQ,  _CMP_NEQ_UQ, _CMP_NGE_UQ, _CMP_NGT_UQ,
                              _CMP_NLE_UQ, _CMP_NLT_UQ, _CMP_ORD_Q,  _CMP_UNORD_Q};
    return kCodes[static_cast<int>(kWhich)];
  } else {
    constexpr int kCodes[] = {_MM_CMPINT_EQ, _MM_CMPINT_NE,  _MM_CMPINT_LT,
                              _MM_CMPINT_LE, _MM_CMPINT_NLE, _MM_CMPINT_NLT};
    return kCodes[static_cast<int>(kWhich)];
  }
}

/// A value narrower than its word goes to the upper end, where the word's sign is.
template <class T>
RIDGE_LANE_CODE inline __m512i in_place(__m512i words) {
  using Each [[gnu::vector_size(64)]] = std::uint32_t;
  return reinterpret_cast<__m512i>(reinterpret_cast<Each>(words) << (32 - 8 * static_cast<int>(sizeof(T))));
}

/// 16 words or 8 doubles from `a` and `b` on.
template <Comparison kWhich, class T>
RIDGE_LANE_CODE inline Mask compare_some(const Word<T>* a, const Word<T>* b) {
  constexpr int kCode = immediate_of<kWhich, T>();
  const __m512i left = _mm512_loadu_si512(a), right = _mm512_loadu_si512(b);
  if constexpr (std::is_same_v<T, float>) {
    return _mm512_cmp_ps_mask(_mm512_castsi512_ps(left), _mm512_castsi512_ps(right), kCode);
  } else if constexpr (std::is_same_v<T, double>) {
    return _mm512_cmp_pd_mask(_mm512_castsi512_pd(left), _mm512_castsi512_pd(right), kCode);
  } else if constexpr (sizeof(T) == 8) {
    return std::is_signed_v<T> ? _mm512_cmp_epi64_mask(left, right, kCode) : _mm512_cmp_epu64_mask(left, right, kCode);
  } else {
    const __m512i upper_left = in_place<T>(left), upper_right = in_place<T>(right);
    return std::is_signed_v<T> ? _mm512_cmp_epi32_mask(upper_left, upper_right, kCode)
                               : _mm512_cmp_epu32_mask(upper_left, upper_right, kCode);
  }
}

template <Comparison kWhich, class T>
RIDGE_LANE_CODE inline Mask compare_lanes(const Word<T>* a, const Word<T>* b) {
  constexpr std::uint32_t kAtOnce = 64 / sizeof(Word<T>);
  Mask result = 0;
  for (std::uint32_t i = 0; i < kLanes; i += kAtOnce) result |= compare_some<kWhich, T>(a + i, b + i) << i;
  return result;
}
#else
/// The signs of 32 bytes.
RIDGE_LANE_CODE inline Mask signs_of(const std::int8_t* bytes) {
#if RIDGE_ISA_LEVEL == 256
  return static_cast<Mask>(_mm256_movemask_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes))));
#elif defined(__x86_64__)
  const auto* half = reinterpret_cast<const __m128i*>(bytes);
  const auto upper = static_cast<Mask>(_mm_movemask_epi8(_mm_loadu_si128(half + 1)));
  return upper << 16 | static_cast<Mask>(_mm_movemask_epi8(_mm_loadu_si128(half)));
#else
  Mask result = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) result |= static_cast<Mask>(bytes[i] < 0) << i;
  return result;
#endif
}

/// Lane by lane to bytes, whose signs are then a mask.
template <Comparison kWhich, class T>
RIDGE_LANE_CODE inline Mask compare_lanes(const Word<T>* a, const Word<T>* b) {
  alignas(32) std::int8_t signs[kLanes];
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    signs[i] = holds<kWhich>(from_word<T>(a[i]), from_word<T>(b[i])) ? std::int8_t{-1} : std::int8_t{0};
  }
  return signs_of(signs);
}
#endif

}  // namespace
}  // namespace ridge::emulator
