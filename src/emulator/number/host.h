// What the tests of this folder hold the arithmetic against: the host's floating-point unit under a rounding mode, and
// bit patterns that are likely to go wrong. For tests only.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "emulator/number/softfloat.h"

namespace ridge::number::testing {

inline constexpr Rounding kHostRoundings[] = {Rounding::kNearestEven, Rounding::kZero, Rounding::kDown, Rounding::kUp};

[[nodiscard]] inline int host_mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::kZero:
      return FE_TOWARDZERO;
    case Rounding::kDown:
      return FE_DOWNWARD;
    case Rounding::kUp:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

// Runs `function` under a rounding mode. Its operands have to be volatile, or the compiler computes before the mode is
// set.
template <typename Function>
auto with_rounding(Rounding rounding, Function function) {
  const int before = std::fegetround();
  std::fesetround(host_mode(rounding));
  const volatile auto result = function();  // or the compiler may compute it after the mode is set back
  std::fesetround(before);
  return result;
}

// Zeros, the smallest and largest of subnormals, normals and finite numbers, one and its neighbours, infinities, NaN;
// and of all the negative.
[[nodiscard]] inline std::vector<std::uint64_t> directed(const Format& format) {
  const auto least = format.min_normal();
  std::vector<std::uint64_t> values = {0,
                                       1,
                                       2,
                                       3,
                                       least / 2,
                                       least - 1,
                                       least,
                                       least + 1,
                                       format.one() - 1,
                                       format.one(),
                                       format.one() + 1,
                                       format.one() + least,
                                       format.one() + least / 2,
                                       format.max_finite() - 1,
                                       format.max_finite()};
  if (format.has_infinity) values.push_back(format.infinity());
  if (format.has_nan) values.push_back(format.nan);
  const auto count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(values[i] | format.sign_bit());
  return values;
}

// Random bits; every second value with an exponent near that of `near`, so that sums cancel and products meet the
// edges.
class Patterns {
 public:
  explicit Patterns(const Format& format) : format_(format) {}

  [[nodiscard]] std::uint64_t any() { return random_() & (format_.magnitude_mask() | format_.sign_bit()); }

  [[nodiscard]] std::uint64_t near(std::uint64_t other) {
    if ((random_() & 1) != 0) return any();
    const auto mantissa = format_.min_normal() - 1;
    const auto step = format_.min_normal() * (random_() % 3);
    // Sparse mantissas make ties.
    const auto bits = (random_() & 1) != 0 ? random_() & random_() & random_() & random_() : random_();
    const auto exponent = ((other & format_.magnitude_mask()) + step) & format_.magnitude_mask() & ~mantissa;
    return exponent | (bits & mantissa) | (random_() & format_.sign_bit());
  }

 private:
  Format format_;
  std::mt19937_64 random_{20240229};  // always the same patterns: a failure can be looked at again
};

}  // namespace ridge::number::testing
