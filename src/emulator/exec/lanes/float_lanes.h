// Floating-point lanes as bits: flushing, canonical NaN, and the narrow formats as f32. All of it in integer and f32
// operations that every vector set has.
#pragma once

#include "emulator/exec/lanes/lanes.h"

namespace ridge::emulator {
namespace {

inline constexpr std::uint32_t kNanF32 = 0x7fffffff;

/// A subnormal f32 as the zero of its sign.
constexpr std::uint32_t flushed(std::uint32_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}
inline float flushed(float value) {
  return std::bit_cast<float>(flushed(std::bit_cast<std::uint32_t>(value)));
}
/// A NaN as the one that PTX gives.
inline float canonical(float value) {
  return value != value ? std::bit_cast<float>(kNanF32) : value;
}

struct F16 {
  static constexpr std::uint32_t kNan = 0x7fff;

  static constexpr std::uint32_t flushed(std::uint32_t half) { return (half & 0x7c00) == 0 ? half & 0x8000 : half; }

  /// Exact. The multiplication moves the exponent and makes subnormals normal.
  static constexpr std::uint32_t widened(std::uint32_t half) {
    constexpr float kScale = 0x1p112F;
    constexpr std::uint32_t kInfinity = 0x7c00U << 13;
    const std::uint32_t magnitude = (half & 0x7fff) << 13, sign = (half & 0x8000) << 16;
    const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * kScale);
    const std::uint32_t exponent = magnitude >= kInfinity ? 0x7f800000 : 0;
    return magnitude > kInfinity ? kNanF32 : scaled | exponent | sign;
  }

  /// To the nearest, ties to the even one.
  static constexpr std::uint32_t narrowed(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    // Subnormal results: adding 0.5 leaves the places of the result at the end of the sum, rounded.
    const float sum = std::bit_cast<float>(magnitude) + 0.5F;
    const std::uint32_t small = std::bit_cast<std::uint32_t>(sum) - 0x3f000000;
    const std::uint32_t normal = (magnitude - (112U << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    const std::uint32_t rounded = magnitude < (113U << 23)                       ? small
                                  : normal > 0x7c00 || magnitude >= (143U << 23) ? 0x7c00
                                                                                 : normal;
    return magnitude > 0x7f800000 ? kNan : rounded | sign;
  }
};

struct Bf16 {
  static constexpr std::uint32_t kNan = 0x7fff;

  static constexpr std::uint32_t flushed(std::uint32_t half) { return (half & 0x7f80) == 0 ? half & 0x8000 : half; }
  static constexpr std::uint32_t widened(std::uint32_t half) { return (half & 0x7fff) > 0x7f80 ? kNanF32 : half << 16; }
  static constexpr std::uint32_t narrowed(std::uint32_t bits) {
    const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffff) > 0x7f800000 ? kNan : rounded;
  }
};

}  // namespace
}  // namespace ridge::emulator
