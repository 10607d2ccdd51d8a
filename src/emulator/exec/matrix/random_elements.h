// Elements of matrices for tests: random values of a type and the bits that stand for them.
#pragma once

#include <bit>
#include <cstdint>
#include <random>

#include "emulator/exec/matrix/plan.h"
#include "emulator/number/convert.h"

namespace ridge::emulator::testing {

struct Encoded {
  std::uint64_t bits = 0;
  double value = 0;
};

[[nodiscard]] inline number::Format format_of(Element element) {
  switch (element) {
    case Element::kF16:
      return number::kF16;
    case Element::kBf16:
      return number::kBf16;
    case Element::kE4m3:
      return number::kE4m3;
    case Element::kE5m2:
      return number::kE5m2;
    default:
      return number::kF32;
  }
}

class RandomElements {
 public:
  explicit RandomElements(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] Encoded floating(const number::Format& format) {
    const double wanted = std::uniform_real_distribution<double>(-2, 2)(random_);
    const auto bits = number::float_to_float(number::kF64, std::bit_cast<std::uint64_t>(wanted), format);
    return {bits, std::bit_cast<double>(number::float_to_float(format, bits, number::kF64))};
  }

  [[nodiscard]] Encoded integer(unsigned bits, bool is_signed) {
    const auto code = static_cast<std::uint64_t>(random_()) & ((std::uint64_t{1} << bits) - 1);
    return {code, is_signed ? static_cast<double>(number::as_signed(code, static_cast<int>(bits)))
                            : static_cast<double>(code)};
  }

  [[nodiscard]] Encoded of(Element element) {
    switch (element) {
      case Element::kF64: {
        const double value = std::uniform_real_distribution<double>(-2, 2)(random_);
        return {std::bit_cast<std::uint64_t>(value), value};
      }
      case Element::kTf32: {
        Encoded full = floating(number::kF32);  // the lower bits are there, and are not looked at
        const auto kept = static_cast<std::uint32_t>(full.bits) & 0xffffe000U;
        return {full.bits, double{std::bit_cast<float>(kept)}};
      }
      case Element::kS8:
      case Element::kS4:
        return integer(bits_of(element), true);
      case Element::kU8:
      case Element::kU4:
      case Element::kB1:
        return integer(bits_of(element), false);
      default:
        return floating(format_of(element));
    }
  }

  /// Of an accumulator; integers near the ends of their range now and then.
  [[nodiscard]] Encoded of(Accumulate type) {
    if (type == Accumulate::kF16) return of(Element::kF16);
    if (type == Accumulate::kF32) return floating(number::kF32);
    if (type == Accumulate::kF64) return of(Element::kF64);
    const std::uint32_t choice = below(3);
    const std::uint32_t small = below(1000);
    const std::uint32_t bits = choice == 0 ? small : choice == 1 ? 0x7fffffffU - small : 0x80000000U + small;
    return {bits, static_cast<double>(static_cast<std::int32_t>(bits))};
  }

  [[nodiscard]] std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

 private:
  std::mt19937 random_;
};

}  // namespace ridge::emulator::testing
