// The types of a buffer's elements and of scalar arguments: how wide they are, and what bits a number becomes.
//
// f16, bf16, f32, f64; i8 to i64 (s8 to s64 is the same); u8 to u64; b8 to b64, which are bits: random fills every one
// of them, and comparisons are of bits. Not here: fp8 and narrower (a buffer of them is one of b8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ridge::emulator {

enum class ElementType : std::uint8_t {
  kF16,
  kBf16,
  kF32,
  kF64,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kB8,
  kB16,
  kB32,
  kB64,
};
inline constexpr int kElements = 16;

/// "f32" -> kF32; nothing for a word that names none.
[[nodiscard]] std::optional<ElementType> element_type_named(std::string_view word);
/// "f32".
[[nodiscard]] std::string_view name(ElementType element);
/// "f16, bf16, ...": for messages.
[[nodiscard]] std::string element_list();
/// Bytes of one element.
[[nodiscard]] std::size_t size_of(ElementType element);
[[nodiscard]] bool is_floating(ElementType element);
[[nodiscard]] bool is_bits(ElementType element);

/// A number as somebody wrote it: whole ones are exact up to 64 bits.
struct Number {
  double real = 0;
  bool whole = false;           ///< then it is magnitude with that sign
  bool negative = false;        ///< of whole ones
  std::uint64_t magnitude = 0;  ///< of whole ones

  [[nodiscard]] static Number of(double value);
  [[nodiscard]] static Number of(std::uint64_t value);
  friend bool operator==(const Number&, const Number&) = default;
};
/// "-3", "2.5".
[[nodiscard]] std::string to_string(const Number& number);

/// The element's bits, rounded to nearest even; nothing if an integer type cannot hold the number, or if a finite one
/// would become infinite. Bits take whole numbers, signed or unsigned.
[[nodiscard]] std::optional<std::uint64_t> bits_of(ElementType element, const Number& number);
/// As a double, which holds all but 64-bit integers exactly.
[[nodiscard]] double value_of(ElementType element, std::uint64_t bits);
/// The number that those bits are, exactly.
[[nodiscard]] Number number_of(ElementType element, std::uint64_t bits);

/// Element `index` of memory that holds such elements, little-endian.
[[nodiscard]] std::uint64_t load(ElementType element, std::span<const std::byte> memory, std::size_t index);
void store(ElementType element, std::span<std::byte> memory, std::size_t index, std::uint64_t bits);

}  // namespace ridge::emulator
