// Tiles of matrix instructions: from registers to numbers and back. Compiled for each instruction set, see lanes.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "emulator/exec/lanes/lanes.h"
#include "emulator/exec/matrix/plan.h"

namespace ridge::emulator {
namespace {

inline constexpr std::uint32_t kSide = 8;  ///< rows of a tile

// ---- one element's bits as a number

RIDGE_LANE_CODE inline float half_value(std::uint32_t bits) {
  // The exponent's bias differs by 112; subnormal halves come out right this way.
  const float scaled = std::bit_cast<float>((bits & 0x7fffU) << 13) * 0x1p112F;
  std::uint32_t value = std::bit_cast<std::uint32_t>(scaled);
  value |= (bits & 0x7c00U) == 0x7c00U ? 0x7f800000U : 0U;
  return std::bit_cast<float>(value | (bits & 0x8000U) << 16);
}

template <Element kElement>
struct Decode {};
template <>
struct Decode<Element::kF16> {
  using Bits = std::uint16_t;
  RIDGE_LANE_CODE static float of(Bits bits) { return half_value(bits); }
};
template <>
struct Decode<Element::kBf16> {
  using Bits = std::uint16_t;
  RIDGE_LANE_CODE static float of(Bits bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};
template <>
struct Decode<Element::kTf32> {
  using Bits = std::uint32_t;
  RIDGE_LANE_CODE static float of(Bits bits) { return std::bit_cast<float>(bits & 0xffffe000U); }
};
template <>
struct Decode<Element::kE5m2> {
  using Bits = std::uint8_t;
  RIDGE_LANE_CODE static float of(Bits bits) { return half_value(std::uint32_t{bits} << 8); }
};
template <>
struct Decode<Element::kE4m3> {
  using Bits = std::uint8_t;
  RIDGE_LANE_CODE static float of(Bits bits) {
    const std::uint32_t magnitude = bits & 0x7fU;
    std::uint32_t value = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 20) * 0x1p120F);
    value |= magnitude == 0x7fU ? 0x7fc00000U : 0U;
    return std::bit_cast<float>(value | (bits & 0x80U) << 24);
  }
};
template <>
struct Decode<Element::kS8> {
  using Bits = std::uint8_t;
  RIDGE_LANE_CODE static float of(Bits bits) { return static_cast<std::int8_t>(bits); }
};
template <>
struct Decode<Element::kU8> {
  using Bits = std::uint8_t;
  RIDGE_LANE_CODE static float of(Bits bits) { return bits; }
};

// ---- order

/// to = the two halves of `from`, element by element in turn.
template <std::uint32_t kCount, class T>
RIDGE_LANE_CODE inline void interleave(const T* from, T* to) {
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kCount / 2; ++i) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[i + kCount / 2];
  }
}

/// [8][kCount / 8] to [kCount / 8][8]: a rotation of the index's bits by three.
template <std::uint32_t kCount, class T>
RIDGE_LANE_CODE inline void transpose(const T* from, T* to) {
  alignas(64) T first[kCount];
  alignas(64) T second[kCount];
  interleave<kCount>(from, first);
  interleave<kCount>(first, second);
  interleave<kCount>(second, to);
}

// Four-bit elements as bytes, the lower half of a byte first.
template <bool kSigned>
RIDGE_LANE_CODE inline void unpack_nibbles(const std::byte* from, std::uint8_t* to, std::uint32_t bytes) {
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const auto both = std::to_integer<std::uint32_t>(from[i]);
    const std::uint32_t low = both & 15U, high = both >> 4;
    to[2 * i] = static_cast<std::uint8_t>(kSigned ? (low ^ 8U) - 8U : low);
    to[2 * i + 1] = static_cast<std::uint8_t>(kSigned ? (high ^ 8U) - 8U : high);
  }
}

// ---- tiles of operands: 8 rows of 16 bytes

// In two steps, which compilers make vectors of: the first on narrow numbers.
template <Element kElement, std::uint32_t kCount>
RIDGE_LANE_CODE inline void decode(const typename Decode<kElement>::Bits* bits, double* to) {
  alignas(64) float values[kCount];
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kCount; ++i) values[i] = Decode<kElement>::of(bits[i]);
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kCount; ++i) to[i] = double{values[i]};
}

/// Values as [8][width].
template <Element kElement>
RIDGE_LANE_CODE inline void rows_of(const std::byte* tile, double* to) {
  using Bits = typename Decode<kElement>::Bits;
  constexpr std::uint32_t kCount = kTileBytes / sizeof(Bits);
  alignas(64) Bits bits[kCount];
  std::memcpy(bits, tile, sizeof bits);
  decode<kElement, kCount>(bits, to);
}

/// Values as [width][8].
template <Element kElement>
RIDGE_LANE_CODE inline void columns_of(const std::byte* tile, double* to) {
  using Bits = typename Decode<kElement>::Bits;
  constexpr std::uint32_t kCount = kTileBytes / sizeof(Bits);
  alignas(64) Bits bits[kCount];
  alignas(64) Bits turned[kCount];
  std::memcpy(bits, tile, sizeof bits);
  transpose<kCount>(bits, turned);
  decode<kElement, kCount>(turned, to);
}

/// The same of four-bit elements: [8][32] and [32][8].
template <bool kSigned>
RIDGE_LANE_CODE inline void nibble_rows_of(const std::byte* tile, double* to) {
  constexpr std::uint32_t kCount = 2 * kTileBytes;
  alignas(64) std::uint8_t bytes[kCount];
  unpack_nibbles<kSigned>(tile, bytes, kTileBytes);
  decode<Element::kS8, kCount>(bytes, to);
}
template <bool kSigned>
RIDGE_LANE_CODE inline void nibble_columns_of(const std::byte* tile, double* to) {
  constexpr std::uint32_t kCount = 2 * kTileBytes;
  alignas(64) std::uint8_t bytes[kCount];
  alignas(64) std::uint8_t turned[kCount];
  unpack_nibbles<kSigned>(tile, bytes, kTileBytes);
  transpose<kCount>(bytes, turned);
  decode<Element::kS8, kCount>(turned, to);
}

// ---- tiles of accumulators: 8 by 8 values, in two registers

template <class T>
RIDGE_LANE_CODE inline void load_pair(const std::uint32_t* even, const std::uint32_t* odd, double* to) {
  alignas(64) std::uint32_t both[2 * kLanes];
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    both[2 * i] = even[i];
    both[2 * i + 1] = odd[i];
  }
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < 2 * kLanes; ++i) to[i] = static_cast<double>(std::bit_cast<T>(both[i]));
}

RIDGE_LANE_CODE inline std::uint32_t single_bits(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return value != value ? 0x7fffffffU : bits;
}
RIDGE_LANE_CODE inline std::uint32_t wrapped(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}
RIDGE_LANE_CODE inline std::uint32_t saturated(double value) {
  constexpr double kLow = -0x1p31, kHigh = 0x1p31 - 1;
  const double clamped = value < kLow ? kLow : value > kHigh ? kHigh : value;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(clamped));
}

template <std::uint32_t (*kBits)(double)>
RIDGE_LANE_CODE inline void store_pair(const double* from, std::uint32_t* even, std::uint32_t* odd) {
  alignas(64) std::uint32_t both[2 * kLanes];
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < 2 * kLanes; ++i) both[i] = kBits(from[i]);
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    even[i] = both[2 * i];
    odd[i] = both[2 * i + 1];
  }
}

// To nearest even, from the exact value.
RIDGE_LANE_CODE inline std::uint16_t half_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 48 & 0x8000U);
  const double magnitude = std::bit_cast<double>(bits & ~(std::uint64_t{1} << 63));
  const double finite = magnitude < 65520.0 ? magnitude : 0.0;
  constexpr std::uint64_t kLeast = 1023 - 14;  // below 2^-14 the distance of halves is constant
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(finite) >> 52;
  // Adding 2^42 times the leading bit's value leaves ten bits behind it.
  const double large = std::bit_cast<double>(((exponent < kLeast ? kLeast : exponent) + 42) << 52);
  const double rounded = (finite + large) - large;
  const auto scaled = std::bit_cast<std::uint32_t>(static_cast<float>(rounded * 0x1p-112)) >> 13;
  const std::uint32_t code = magnitude < 65520.0 ? scaled : 0x7c00U;
  return static_cast<std::uint16_t>(value != value ? 0x7fffU : sign | code);
}

RIDGE_LANE_CODE inline void load_halves(const std::uint32_t* from, double* to) {
  rows_of<Element::kF16>(reinterpret_cast<const std::byte*>(from), to);
}
RIDGE_LANE_CODE inline void store_halves(const double* from, std::uint32_t* to) {
  alignas(64) std::uint16_t bits[2 * kLanes];
  RIDGE_EACH_LANE
  for (std::uint32_t i = 0; i < 2 * kLanes; ++i) bits[i] = half_bits(from[i]);
  std::memcpy(to, bits, sizeof bits);
}

}  // namespace
}  // namespace ridge::emulator
