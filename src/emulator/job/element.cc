#include "emulator/job/element.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/number/convert.h"

namespace ridge::emulator {
namespace {

enum class Kind : std::uint8_t { kFloat, kSigned, kUnsigned, kBits };

struct Row {
  std::string_view name;
  Kind kind;
  std::uint8_t bytes;
};

constexpr std::array<Row, kElements> kRows{{
    {"f16", Kind::kFloat, 2},
    {"bf16", Kind::kFloat, 2},
    {"f32", Kind::kFloat, 4},
    {"f64", Kind::kFloat, 8},
    {"i8", Kind::kSigned, 1},
    {"i16", Kind::kSigned, 2},
    {"i32", Kind::kSigned, 4},
    {"i64", Kind::kSigned, 8},
    {"u8", Kind::kUnsigned, 1},
    {"u16", Kind::kUnsigned, 2},
    {"u32", Kind::kUnsigned, 4},
    {"u64", Kind::kUnsigned, 8},
    {"b8", Kind::kBits, 1},
    {"b16", Kind::kBits, 2},
    {"b32", Kind::kBits, 4},
    {"b64", Kind::kBits, 8},
}};

constexpr const Row& row_of(ElementType element) {
  return kRows[static_cast<std::size_t>(element)];
}

const number::Format& format_of(ElementType element) {
  return element == ElementType::kF16 ? number::kF16 : number::kBf16;
}

/// Nearest even, from the double itself: through float it would round twice.
std::uint64_t float_bits(ElementType element, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (element == ElementType::kF64) return bits;
  if (element == ElementType::kF32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return number::float_to_float(number::kF64, bits, format_of(element));
}

std::uint64_t mask_of(ElementType element) {
  return ~std::uint64_t{0} >> (64 - 8 * size_of(element));
}

std::int64_t extended(ElementType element, std::uint64_t bits) {
  const auto unused = static_cast<unsigned>(64 - 8 * size_of(element));
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

std::optional<ElementType> element_type_named(std::string_view word) {
  std::string wanted(word);
  if (wanted.size() > 1 && wanted[0] == 's') wanted[0] = 'i';
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == wanted) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::string_view name(ElementType element) {
  return row_of(element).name;
}

std::string element_list() {
  std::string list;
  for (const Row& row : kRows) list += (list.empty() ? "" : ", ") + std::string(row.name);
  return list;
}

std::size_t size_of(ElementType element) {
  return row_of(element).bytes;
}

bool is_floating(ElementType element) {
  return row_of(element).kind == Kind::kFloat;
}

bool is_bits(ElementType element) {
  return row_of(element).kind == Kind::kBits;
}

Number Number::of(double value) {
  constexpr double kEnd = 0x1p64;
  Number number;
  number.real = value;
  number.whole = std::floor(value) == value && std::fabs(value) < kEnd;
  if (!number.whole) return number;
  number.magnitude = static_cast<std::uint64_t>(std::fabs(value));
  number.negative = number.magnitude != 0 && value < 0;
  return number;
}

Number Number::of(std::uint64_t value) {
  return {static_cast<double>(value), true, false, value};
}

std::string to_string(const Number& number) {
  if (number.whole) return fmt::format("{}{}", number.negative ? "-" : "", number.magnitude);
  return fmt::format("{}", number.real);
}

std::optional<std::uint64_t> bits_of(ElementType element, const Number& number) {
  if (is_floating(element)) {
    const std::uint64_t bits = float_bits(element, number.real);
    if (std::isfinite(number.real) && !std::isfinite(value_of(element, bits))) return std::nullopt;
    return bits;
  }
  if (!number.whole) return std::nullopt;
  const std::uint64_t mask = mask_of(element);
  const std::uint64_t half = (mask >> 1) + 1;  // what the most negative one is short of zero
  const bool is_signed = row_of(element).kind == Kind::kSigned;
  const bool fits = number.negative ? number.magnitude <= half && row_of(element).kind != Kind::kUnsigned
                                    : number.magnitude <= (is_signed ? half - 1 : mask);
  if (!fits) return std::nullopt;
  return (number.negative ? 0 - number.magnitude : number.magnitude) & mask;
}

double value_of(ElementType element, std::uint64_t bits) {
  switch (element) {
    case ElementType::kF16:
    case ElementType::kBf16:
      return std::bit_cast<double>(number::float_to_float(format_of(element), bits, number::kF64));
    case ElementType::kF32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ElementType::kF64:
      return std::bit_cast<double>(bits);
    default:
      return number_of(element, bits).real;
  }
}

Number number_of(ElementType element, std::uint64_t bits) {
  if (is_floating(element)) return Number::of(value_of(element, bits));
  if (row_of(element).kind != Kind::kSigned) return Number::of(bits & mask_of(element));
  const std::int64_t value = extended(element, bits);
  const auto magnitude = static_cast<std::uint64_t>(value);
  return {static_cast<double>(value), true, value < 0, value < 0 ? 0 - magnitude : magnitude};
}

std::uint64_t load(ElementType element, std::span<const std::byte> memory, std::size_t index) {
  std::uint64_t bits = 0;
  const std::size_t size = size_of(element);
  std::memcpy(&bits, memory.data() + index * size, size);
  return bits;
}

void store(ElementType element, std::span<std::byte> memory, std::size_t index, std::uint64_t bits) {
  const std::size_t size = size_of(element);
  std::memcpy(memory.data() + index * size, &bits, size);
}

}  // namespace ridge::emulator
