// A tensor map: how a bulk copy finds its box in global memory. 128 bytes that the host makes and a kernel only passes
// on; what they hold is ours, so that maps made by a driver are not understood.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ridge::emulator {

enum class Swizzle : std::uint32_t { kNone, k32, k64, k128 };

/// Dimension 0 is the innermost, contiguous one.
struct TensorMap {
  std::uint64_t address = 0;
  std::uint32_t rank = 0, element_bytes = 0;
  Swizzle swizzle = Swizzle::kNone;
  std::array<std::uint32_t, 5> extent{}, box{};
  std::array<std::uint64_t, 5> stride{};  ///< bytes; of dimension 0 the element's
};

inline constexpr std::size_t kTensorMapBytes = 128;
[[nodiscard]] std::array<std::byte, kTensorMapBytes> encode(const TensorMap& map);
/// Nothing where the bytes are no map of ours.
[[nodiscard]] std::optional<TensorMap> decode_tensor_map(std::span<const std::byte, kTensorMapBytes> bytes);

/// Where byte `offset` of a box lies once it is swizzled; `base` is where the box begins in shared memory.
[[nodiscard]] std::uint64_t swizzled(std::uint64_t base, std::uint64_t offset, Swizzle swizzle);

}  // namespace ridge::emulator
