#include "emulator/exec/type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ridge::emulator {
namespace {

constexpr auto kNames = std::to_array<std::pair<std::string_view, Type>>(
    {{"pred", Type::kPredicate}, {"b8", Type::kB8},       {"u8", Type::kU8},       {"s8", Type::kS8},
     {"b16", Type::kB16},        {"u16", Type::kU16},     {"s16", Type::kS16},     {"f16", Type::kF16},
     {"bf16", Type::kBf16},      {"b32", Type::kB32},     {"u32", Type::kU32},     {"s32", Type::kS32},
     {"f32", Type::kF32},        {"u16x2", Type::kU16x2}, {"s16x2", Type::kS16x2}, {"f16x2", Type::kF16x2},
     {"bf16x2", Type::kBf16x2},  {"tf32", Type::kTf32},   {"b64", Type::kB64},     {"u64", Type::kU64},
     {"s64", Type::kS64},        {"f64", Type::kF64},     {"f32x2", Type::kF32x2}, {"b128", Type::kB128}});

}  // namespace

std::optional<Type> type_named(std::string_view word) {
  const auto* found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& each) { return each.first == word; });
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

std::uint32_t size_of(Type type) {
  if (type == Type::kPredicate) return 0;
  if (type <= Type::kS8) return 1;
  if (type <= Type::kBf16) return 2;
  if (type <= Type::kTf32) return 4;
  return type == Type::kB128 ? 16 : 8;
}

bool is_signed_integer(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

bool is_floating(Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kBf16:
    case Type::kF32:
    case Type::kF16x2:
    case Type::kBf16x2:
    case Type::kTf32:
    case Type::kF64:
    case Type::kF32x2:
      return true;
    default:
      return false;
  }
}

Lane lane_of(Type type) {
  if (type == Type::kPredicate) return Lane::kMask;
  if (size_of(type) <= 4) return Lane::kWord;
  return size_of(type) == 8 ? Lane::kDouble : Lane::kQuad;
}

std::uint32_t slot_bytes(Lane lane) {
  constexpr std::array<std::uint32_t, 4> kBytes = {4, 128, 256, 512};
  return kBytes[static_cast<std::size_t>(lane)];
}

}  // namespace ridge::emulator
