// Eight doubles as the instruction set holds them, and the product of two tiles made of them. See lanes.h.
//
// Products of the element types are exact in a double, so that a fused and an unfused multiply-add give the same.
#pragma once

#include <cstdint>

#include "emulator/exec/lanes/lanes.h"

#if RIDGE_ISA_LEVEL > 0
#include <immintrin.h>
#endif

namespace ridge::emulator {
namespace {

#if RIDGE_ISA_LEVEL == 512
struct Columns {
  __m512d all;
  RIDGE_LANE_CODE static Columns load(const double* from) { return {_mm512_loadu_pd(from)}; }
  RIDGE_LANE_CODE void store(double* to) const { _mm512_storeu_pd(to, all); }
  RIDGE_LANE_CODE void add_product(double a, const Columns& b) { all = _mm512_fmadd_pd(_mm512_set1_pd(a), b.all, all); }
};
inline constexpr std::uint32_t kRowsAtOnce = 8;
#elif RIDGE_ISA_LEVEL == 256
struct Columns {
  __m256d low, high;
  RIDGE_LANE_CODE static Columns load(const double* from) { return {_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4)}; }
  RIDGE_LANE_CODE void store(double* to) const {
    _mm256_storeu_pd(to, low);
    _mm256_storeu_pd(to + 4, high);
  }
  RIDGE_LANE_CODE void add_product(double a, const Columns& b) {
    const __m256d factor = _mm256_set1_pd(a);
    low = _mm256_fmadd_pd(factor, b.low, low);
    high = _mm256_fmadd_pd(factor, b.high, high);
  }
};
inline constexpr std::uint32_t kRowsAtOnce = 4;
#else
struct Columns {
  double each[8];
  static Columns load(const double* from) {
    Columns result;
    for (std::uint32_t i = 0; i < 8; ++i) result.each[i] = from[i];
    return result;
  }
  void store(double* to) const {
    for (std::uint32_t i = 0; i < 8; ++i) to[i] = each[i];
  }
  void add_product(double a, const Columns& b) {
    for (std::uint32_t i = 0; i < 8; ++i) each[i] += a * b.each[i];
  }
};
inline constexpr std::uint32_t kRowsAtOnce = 2;
#endif

/// c[rows][8] += a b[depth][8], where a is [depth / width][rows][width]; `rows` is a multiple of 8.
RIDGE_LANE_CODE inline void add_products(const double* a, std::uint32_t width, const double* b, double* c,
                                         std::uint32_t rows, std::uint32_t depth) {
  for (std::uint32_t row = 0; row < rows; row += kRowsAtOnce) {
    Columns sums[kRowsAtOnce];
    for (std::uint32_t i = 0; i < kRowsAtOnce; ++i) sums[i] = Columns::load(c + (row + i) * 8);
    for (std::uint32_t k = 0; k < depth; k += width) {
      const double* left = a + k * rows + row * width;
      for (std::uint32_t j = 0; j < width; ++j) {
        const Columns factors = Columns::load(b + (k + j) * 8);
        for (std::uint32_t i = 0; i < kRowsAtOnce; ++i) sums[i].add_product(left[i * width + j], factors);
      }
    }
    for (std::uint32_t i = 0; i < kRowsAtOnce; ++i) sums[i].store(c + (row + i) * 8);
  }
}

}  // namespace
}  // namespace ridge::emulator
