// The integer instructions of PTX that C++ has no operator for, as the ISA defines them for every operand. T is the
// instruction's type (std::uint32_t for .u32, std::int64_t for .s64); amounts and positions are .u32 as in PTX.
// Everything wraps. Video instructions stand in video.h, saturating conversions in convert.h.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ridge::number {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

template <std::integral T>
inline constexpr int kBits = std::numeric_limits<Unsigned<T>>::digits;

// Twice as wide, of the same signedness.
template <std::integral T>
struct WiderOf;
template <>
struct WiderOf<std::uint16_t> {
  using Type = std::uint32_t;
};
template <>
struct WiderOf<std::int16_t> {
  using Type = std::int32_t;
};
template <>
struct WiderOf<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct WiderOf<std::int32_t> {
  using Type = std::int64_t;
};
template <>
struct WiderOf<std::uint64_t> {
  __extension__ using Type = unsigned __int128;
};
template <>
struct WiderOf<std::int64_t> {
  __extension__ using Type = __int128;
};
template <std::integral T>
using Wider = typename WiderOf<T>::Type;

// ---- arithmetic

template <std::integral T>
[[nodiscard]] constexpr Wider<T> mul_wide(T a, T b) {
  return static_cast<Wider<T>>(static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b));
}
template <std::integral T>
[[nodiscard]] constexpr T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> kBits<T>);
}
template <std::integral T>
[[nodiscard]] constexpr T mul_lo(T a, T b) {
  return static_cast<T>(mul_wide(a, b));
}
template <std::integral T>
[[nodiscard]] constexpr T add_wrap(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <std::integral T>
[[nodiscard]] constexpr T sub_wrap(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}

[[nodiscard]] constexpr std::int32_t saturate_s32(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                                            std::numeric_limits<std::int32_t>::max()));
}
[[nodiscard]] constexpr std::int32_t add_sat(std::int32_t a, std::int32_t b) {
  return saturate_s32(std::int64_t{a} + b);
}
[[nodiscard]] constexpr std::int32_t sub_sat(std::int32_t a, std::int32_t b) {
  return saturate_s32(std::int64_t{a} - b);
}
[[nodiscard]] constexpr std::int32_t mad_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return saturate_s32(std::int64_t{mul_hi(a, b)} + c);
}

// mul24: the 48-bit product of 24-bit operands; .lo its lower 32 bits, .hi its upper 32.
template <std::integral T>
[[nodiscard]] constexpr Wider<T> product24(T a, T b) {
  const auto narrow = [](T value) { return static_cast<T>(static_cast<T>(static_cast<Unsigned<T>>(value) << 8) >> 8); };
  return mul_wide(narrow(a), narrow(b));
}
template <std::integral T>
[[nodiscard]] constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <std::integral T>
[[nodiscard]] constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
[[nodiscard]] constexpr std::int32_t mad24_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return saturate_s32(std::int64_t{mul24_hi(a, b)} + c);
}

template <std::integral T>
[[nodiscard]] constexpr T sad(T a, T b, T c) {
  return add_wrap(c, a < b ? sub_wrap(b, a) : sub_wrap(a, b));
}

// Division by zero is left open by the ISA; all ones, of the remainder as well, are what an H200 gives.
template <std::integral T>
[[nodiscard]] constexpr T div_integer(T a, T b) {
  if (b == 0) return static_cast<T>(~Unsigned<T>{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub_wrap(T{0}, a);
  return static_cast<T>(a / b);
}
template <std::integral T>
[[nodiscard]] constexpr T rem_integer(T a, T b) {
  if (b == 0) return static_cast<T>(~Unsigned<T>{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

// ---- extended precision: the condition code goes in and comes out. Of a subtraction it is the borrow.

template <typename T>
struct Carried {
  T value;
  bool carry;
};

template <std::integral T>
[[nodiscard]] constexpr Carried<T> add_carry(T a, T b, bool carry) {
  const auto first = static_cast<Unsigned<T>>(add_wrap(a, b));
  const auto sum = static_cast<Unsigned<T>>(first + (carry ? 1 : 0));
  return {static_cast<T>(sum), first < static_cast<Unsigned<T>>(a) || sum < first};
}
template <std::integral T>
[[nodiscard]] constexpr Carried<T> sub_borrow(T a, T b, bool borrow) {
  const auto first = static_cast<Unsigned<T>>(sub_wrap(a, b));
  const auto difference = static_cast<Unsigned<T>>(first - (borrow ? 1 : 0));
  return {static_cast<T>(difference), static_cast<Unsigned<T>>(a) < static_cast<Unsigned<T>>(b) || difference > first};
}
template <std::integral T>
[[nodiscard]] constexpr Carried<T> mad_lo_carry(T a, T b, T c, bool carry) {
  return add_carry(mul_lo(a, b), c, carry);
}
template <std::integral T>
[[nodiscard]] constexpr Carried<T> mad_hi_carry(T a, T b, T c, bool carry) {
  return add_carry(mul_hi(a, b), c, carry);
}

// ---- shifts

template <std::integral T>
[[nodiscard]] constexpr T shl(T a, std::uint32_t count) {
  return count >= static_cast<std::uint32_t>(kBits<T>) ? T{0} : static_cast<T>(static_cast<Unsigned<T>>(a) << count);
}
// Fills with the sign where T is signed.
template <std::integral T>
[[nodiscard]] constexpr T shr(T a, std::uint32_t count) {
  constexpr auto kLast = static_cast<std::uint32_t>(kBits<T> - 1);
  if (count > kLast) return std::is_signed_v<T> ? static_cast<T>(a >> kLast) : T{0};
  return static_cast<T>(a >> count);
}

enum class ShiftMode : std::uint8_t { kClamp, kWrap };

[[nodiscard]] constexpr std::uint32_t funnel_amount(std::uint32_t count, ShiftMode mode) {
  return mode == ShiftMode::kClamp ? std::min<std::uint32_t>(count, 32) : count & 31;
}
// shf: of {high, low}, the upper word shifted left or the lower one shifted right.
[[nodiscard]] constexpr std::uint32_t shf_left(std::uint32_t low, std::uint32_t high, std::uint32_t count,
                                               ShiftMode mode) {
  const std::uint64_t both = std::uint64_t{high} << 32 | low;
  return static_cast<std::uint32_t>(both << funnel_amount(count, mode) >> 32);
}
[[nodiscard]] constexpr std::uint32_t shf_right(std::uint32_t low, std::uint32_t high, std::uint32_t count,
                                                ShiftMode mode) {
  const std::uint64_t both = std::uint64_t{high} << 32 | low;
  return static_cast<std::uint32_t>(both >> funnel_amount(count, mode));
}

}  // namespace ridge::number
