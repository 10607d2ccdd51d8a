// The types of PTX as execution needs them: how wide, and how bits are meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::emulator {

enum class Type : std::uint8_t {
  kPredicate,
  kB8,
  kU8,
  kS8,
  kB16,
  kU16,
  kS16,
  kF16,
  kBf16,
  kB32,
  kU32,
  kS32,
  kF32,
  kU16x2,
  kS16x2,
  kF16x2,
  kBf16x2,
  kTf32,
  kB64,
  kU64,
  kS64,
  kF64,
  kF32x2,
  kB128,
};

/// "f32" -> kF32; nothing for a word that names no type of a register.
[[nodiscard]] std::optional<Type> type_named(std::string_view word);
/// Bytes of one value; 0 for a predicate.
[[nodiscard]] std::uint32_t size_of(Type type);
[[nodiscard]] bool is_signed_integer(Type type);
[[nodiscard]] bool is_floating(Type type);

/// How a register lies in a frame. Values narrower than 32 bits take a word a lane, zero above; predicates one bit.
enum class Lane : std::uint8_t { kMask, kWord, kDouble, kQuad };
[[nodiscard]] Lane lane_of(Type type);
/// Bytes of a slot, all 32 lanes: 4, 128, 256, 512.
[[nodiscard]] std::uint32_t slot_bytes(Lane lane);

}  // namespace ridge::emulator
