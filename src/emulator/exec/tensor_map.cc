#include "emulator/exec/tensor_map.h"

#include <cstring>

#include "emulator/exec/program.h"

namespace ridge::emulator {
namespace {

constexpr std::uint64_t kMark = 0x70616d65676469ULL;  // "idgemap"

/// As it lies in the 128 bytes.
struct Packed {
  std::uint64_t mark = kMark;
  std::uint64_t address = 0;
  std::uint32_t rank = 0, element_bytes = 0, swizzle = 0, reserved = 0;
  std::array<std::uint32_t, 5> extent{};
  std::array<std::uint16_t, 5> box{};
  std::array<std::uint16_t, 1> padding{};
  std::array<std::uint64_t, 5> stride{};
};
static_assert(sizeof(Packed) <= kTensorMapBytes);

// What the driver allows: boxes of at most 256 elements a dimension, that fit shared memory.
bool is_sound(const TensorMap& map) {
  constexpr std::uint32_t kMostBox = 256, kMostElement = 16;
  if (map.element_bytes == 0 || map.element_bytes > kMostElement || map.swizzle > Swizzle::k128) return false;
  std::uint64_t bytes = map.element_bytes;
  for (std::uint32_t d = 0; d < map.rank; ++d) {
    if (map.box[d] == 0 || map.box[d] > kMostBox) return false;
    bytes *= map.box[d];
  }
  return bytes <= kMostShared;
}

}  // namespace

std::array<std::byte, kTensorMapBytes> encode(const TensorMap& map) {
  Packed packed;
  packed.address = map.address;
  packed.rank = map.rank;
  packed.element_bytes = map.element_bytes;
  packed.swizzle = static_cast<std::uint32_t>(map.swizzle);
  packed.extent = map.extent;
  packed.stride = map.stride;
  for (std::size_t i = 0; i < map.box.size(); ++i) packed.box[i] = static_cast<std::uint16_t>(map.box[i]);
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::memcpy(bytes.data(), &packed, sizeof packed);
  return bytes;
}

std::optional<TensorMap> decode_tensor_map(std::span<const std::byte, kTensorMapBytes> bytes) {
  Packed packed;
  std::memcpy(&packed, bytes.data(), sizeof packed);
  if (packed.mark != kMark || packed.rank == 0 || packed.rank > 5) return std::nullopt;
  TensorMap map;
  map.address = packed.address;
  map.rank = packed.rank;
  map.element_bytes = packed.element_bytes;
  map.swizzle = static_cast<Swizzle>(packed.swizzle);
  map.extent = packed.extent;
  map.stride = packed.stride;
  for (std::size_t i = 0; i < map.box.size(); ++i) map.box[i] = packed.box[i];
  if (!is_sound(map)) return std::nullopt;
  return map;
}

std::uint64_t swizzled(std::uint64_t base, std::uint64_t offset, Swizzle swizzle) {
  const std::uint64_t address = base + offset;
  // 16-byte pieces change places by the number of the 128-byte row they are in.
  const std::uint64_t row = address >> 7;
  const std::uint64_t mask = swizzle == Swizzle::k128  ? 7
                             : swizzle == Swizzle::k64 ? 3
                             : swizzle == Swizzle::k32 ? 1
                                                       : 0;
  // Narrower patterns repeat after more rows: 64 bytes take bits 7-8 of the address, 32 bytes bit 7.
  return address ^ (row & mask) << 4;
}

}  // namespace ridge::emulator
