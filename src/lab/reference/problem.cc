#include "lab/reference/problem.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace ridge::lab {
namespace {

constexpr int kFloatBits = 24;

/// The nearest bfloat16 (ties to even), widened again.
float rounded_to_bfloat16(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  bits += 0x7FFF + ((bits >> 16) & 1);
  return std::bit_cast<float>(bits & 0xFFFF0000U);
}

template <class T>
T read(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void write(std::span<std::byte> bytes, std::size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

void encode(ElementType type, std::span<std::byte> bytes, std::size_t index, double value) {
  switch (type) {
    case ElementType::kFloat32:
      return write(bytes, index, static_cast<float>(value));
    case ElementType::kBfloat16:
      return write(bytes, index,
                   static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16));
    case ElementType::kInt32:
      return write(bytes, index, static_cast<std::int32_t>(value));
    case ElementType::kUint32:
      return write(bytes, index, static_cast<std::uint32_t>(value));
    case ElementType::kUint8:
      return write(bytes, index, static_cast<std::uint8_t>(value));
  }
}

}  // namespace

std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  std::uint64_t z = seed + 0x9E3779B97F4A7C15U * (index + 1) + 0xD1B54A32D192ED03U * stream;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

Problem::Problem(const BoundKernel& kernel, std::uint64_t seed) : kernel_(&kernel), seed_(seed) {
  for (const Buffer& buffer : kernel.declaration->buffers) {
    const bool index = buffer.role == Role::kIndex;
    index_ends_.push_back(index ? evaluate(buffer.index_end, kernel.variables).value_or(1) : 0);
  }
}

double Problem::at(std::size_t buffer, std::size_t index) const {
  const Buffer& what = kernel_->declaration->buffers[buffer];
  const std::uint64_t random = mixed(seed_, buffer, index);
  const double unit = static_cast<double>(random >> (64 - kFloatBits)) / double(1 << kFloatBits);  // [0, 1)
  if (what.role == Role::kIndex) {
    return std::floor(static_cast<double>(random >> 11) * 0x1p-53 * index_ends_[buffer]);
  }
  const double value = what.low + (what.high - what.low) * unit;
  switch (what.type) {
    case ElementType::kFloat32:
      return static_cast<float>(value);
    case ElementType::kBfloat16:
      return rounded_to_bfloat16(static_cast<float>(value));
    default:
      return std::floor(value);
  }
}

void Problem::fill(std::size_t buffer, std::size_t first, std::span<std::byte> bytes) const {
  const Buffer& what = kernel_->declaration->buffers[buffer];
  if (what.role == Role::kOutput || what.role == Role::kAccumulated) {
    std::memset(bytes.data(), what.role == Role::kOutput ? 0xFF : 0, bytes.size());
    return;
  }
  const std::size_t count = bytes.size() / element_size(what.type);
  for (std::size_t i = 0; i < count; ++i) encode(what.type, bytes, i, at(buffer, first + i));
}

double decode(ElementType type, std::span<const std::byte> bytes, std::size_t index) {
  switch (type) {
    case ElementType::kFloat32:
      return read<float>(bytes, index);
    case ElementType::kBfloat16:
      return std::bit_cast<float>(std::uint32_t{read<std::uint16_t>(bytes, index)} << 16);
    case ElementType::kInt32:
      return read<std::int32_t>(bytes, index);
    case ElementType::kUint32:
      return read<std::uint32_t>(bytes, index);
    case ElementType::kUint8:
      return read<std::uint8_t>(bytes, index);
  }
  return 0;
}

bool is_poison(ElementType type, std::span<const std::byte> bytes, std::size_t index) {
  const std::size_t size = element_size(type);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[index * size + i] != std::byte{0xFF}) return false;
  }
  return true;
}

}  // namespace ridge::lab
