// 2 to the power of an f32, for vectors.
//
// In doubles: a power of two for the whole part and the Taylor series of the rest, whose first term left out is below
// 7e-15 of the result; rounded to f32 once. So nearly always the nearest f32, far inside the 2^-22 that PTX allows.
// Plain products and sums: the same bits from every instruction set.
#pragma once

#include "emulator/exec/lanes/lanes.h"

namespace ridge::emulator {
namespace {

RIDGE_INLINE float exponential(float exponent) {
  constexpr double kShift = 0x1.8p52;  // adding it leaves the whole part in the lowest bits
  constexpr double kTerms[] = {        // ln(2)^n / n!
                               0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58fp-3,  0x1.c6b08d704a0c0p-5,
                               0x1.3b2ab6fba4e77p-7,  0x1.5d87fe78a6731p-10, 0x1.430912f86c787p-13,
                               0x1.ffcbfc588b0c7p-17, 0x1.62c0223a5c824p-20, 0x1.b5253d395e7c4p-24,
                               0x1.e4cf5158b8ecap-28, 0x1.e8cac7351bb25p-32};
  constexpr float kBeyond = 200.0F;  // results are 0 and infinity from there on
  const float bounded = exponent < -kBeyond ? -kBeyond : exponent > kBeyond ? kBeyond : exponent;
  const double x = static_cast<double>(bounded);
  const double shifted = x + kShift;
  const double rest = x - (shifted - kShift);
  double sum = kTerms[10];
  for (int n = 9; n >= 0; --n) sum = sum * rest + kTerms[n];
  sum = sum * rest + 1.0;
  const std::uint64_t whole = std::bit_cast<std::uint64_t>(shifted) << 52;
  return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) + whole));
}

}  // namespace
}  // namespace ridge::emulator
