#include "emulator/job/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ridge::emulator {
namespace {

/// Looks random and is decided by its arguments (the mixing function of splitmix64, public domain).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
  std::uint64_t z = seed * 0xD1342543DE82EF95 + (index + 1) * kStep;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// In [0, 1).
double unit(std::uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

template <class T, class F>
void fill_with(std::span<std::byte> memory, std::uint64_t first, F value) {
  const std::size_t count = memory.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    const T element = value(first + i);
    std::memcpy(memory.data() + i * sizeof(T), &element, sizeof(T));
  }
}

/// `bits` gives an element's bits by its index.
template <class F>
void fill_bits(const Buffer& buffer, std::uint64_t first, std::span<std::byte> memory, F bits) {
  switch (size_of(buffer.type)) {
    case 1:
      return fill_with<std::uint8_t>(memory, first, [&](auto i) { return static_cast<std::uint8_t>(bits(i)); });
    case 2:
      return fill_with<std::uint16_t>(memory, first, [&](auto i) { return static_cast<std::uint16_t>(bits(i)); });
    case 4:
      return fill_with<std::uint32_t>(memory, first, [&](auto i) { return static_cast<std::uint32_t>(bits(i)); });
    default:
      return fill_with<std::uint64_t>(memory, first, [&](auto i) { return static_cast<std::uint64_t>(bits(i)); });
  }
}

/// A float that rounding brought up to the bound, which is outside, becomes the other one.
template <class T>
T below(double value, double low, double high) {
  const T rounded = static_cast<T>(value);
  return rounded < static_cast<T>(high) ? rounded : static_cast<T>(low);
}

void fill_random(const Buffer& buffer, std::uint64_t first, std::span<std::byte> memory) {
  const Initial& initial = buffer.initial;
  const double low = initial.low, high = initial.high, range = high - low;
  const auto real = [&](std::uint64_t i) { return low + range * unit(mixed(initial.seed, i)); };
  if (is_bits(buffer.type)) {
    return fill_bits(buffer, first, memory, [&](std::uint64_t i) { return mixed(initial.seed, i); });
  }
  if (buffer.type == ElementType::kF32) {
    return fill_with<float>(memory, first, [&](std::uint64_t i) { return below<float>(real(i), low, high); });
  }
  if (buffer.type == ElementType::kF64) {
    return fill_with<double>(memory, first, [&](std::uint64_t i) { return below<double>(real(i), low, high); });
  }
  if (is_floating(buffer.type)) {
    const std::uint64_t bound = bits_of(buffer.type, Number::of(high)).value_or(0);
    const std::uint64_t lowest = bits_of(buffer.type, Number::of(low)).value_or(0);
    return fill_bits(buffer, first, memory, [&](std::uint64_t i) {
      const std::uint64_t bits = bits_of(buffer.type, Number::of(real(i))).value_or(0);
      return bits == bound ? lowest : bits;
    });
  }
  // Whole numbers of [low, high): the bounds themselves were held to the type.
  const double last = std::ceil(high) - 1;
  fill_bits(buffer, first, memory, [&](std::uint64_t i) {
    const double value = std::min(std::floor(real(i)), last);
    return bits_of(buffer.type, Number::of(value)).value_or(0);
  });
}

void fill_ramp(const Buffer& buffer, std::uint64_t first, std::span<std::byte> memory) {
  const double start = buffer.initial.low, step = buffer.initial.high;
  if (buffer.type == ElementType::kF32) {
    return fill_with<float>(memory, first,
                            [&](std::uint64_t i) { return static_cast<float>(start + step * static_cast<double>(i)); });
  }
  if (is_floating(buffer.type)) {
    return fill_bits(buffer, first, memory, [&](std::uint64_t i) {
      // What is too large for the type becomes infinite, as it does when a program counts up.
      const Number value = Number::of(start + step * static_cast<double>(i));
      const double sign = value.real < 0 ? -1 : 1;
      return bits_of(buffer.type, value).value_or(bits_of(buffer.type, Number::of(sign * INFINITY)).value_or(0));
    });
  }
  const auto whole = [](double value) {
    const Number number = Number::of(value);
    return number.negative ? 0 - number.magnitude : number.magnitude;
  };
  const std::uint64_t origin = whole(start), stride = whole(step);
  fill_bits(buffer, first, memory, [&](std::uint64_t i) { return origin + stride * i; });
}

/// The bits that an element of a file has in the buffer.
std::uint64_t taken_over(const NpyArray& array, ElementType type, std::size_t index) {
  const std::uint64_t bits = load(array.type, array.data(), index);
  const bool as_it_is = array.type == type || is_bits(array.type) || is_bits(type);
  return as_it_is ? bits : bits_of(type, number_of(array.type, bits)).value_or(0);
}

void fill_from(const NpyArray& array, const Buffer& buffer, std::uint64_t first, std::span<std::byte> memory) {
  if (size_of(array.type) == size_of(buffer.type) && array.type == buffer.type) {
    const auto bytes = array.data().subspan(first * size_of(array.type), memory.size());
    std::copy(bytes.begin(), bytes.end(), memory.begin());
    return;
  }
  fill_bits(buffer, first, memory, [&](std::uint64_t i) { return taken_over(array, buffer.type, i); });
}

/// The number that an element must be. Bits of a file are read as the buffer's type.
Number expected_at(const Buffer& buffer, std::size_t index) {
  const Expectation& expected = *buffer.expected;
  if (expected.array == nullptr) return expected.value;
  const std::uint64_t bits = load(expected.array->type, expected.array->data(), index);
  return number_of(is_bits(expected.array->type) ? buffer.type : expected.array->type, bits);
}

/// |got - expected| / max(1, |expected|); 0 if they are the same, whatever they are.
double distance(const Number& got, const Number& expected) {
  if (got.whole && expected.whole && got.negative == expected.negative && got.magnitude == expected.magnitude) return 0;
  if (std::isnan(got.real) && std::isnan(expected.real)) return 0;
  if (got.real == expected.real && !(got.whole && expected.whole)) return 0;
  if (!std::isfinite(got.real) || !std::isfinite(expected.real)) return INFINITY;
  double difference = std::fabs(got.real - expected.real);
  if (difference == 0) difference = 1;  // whole numbers that a double does not tell apart
  return difference / std::max(1.0, std::fabs(expected.real));
}

}  // namespace

void fill(const Buffer& buffer, std::uint64_t first, std::span<std::byte> memory) {
  switch (buffer.initial.kind) {
    case InitialKind::kRandom:
      return fill_random(buffer, first, memory);
    case InitialKind::kRamp:
      return fill_ramp(buffer, first, memory);
    case InitialKind::kConstant: {
      const std::uint64_t bits = bits_of(buffer.type, buffer.initial.value).value_or(0);
      return fill_bits(buffer, first, memory, [bits](std::uint64_t) { return bits; });
    }
    case InitialKind::kPoison:
      std::fill(memory.begin(), memory.end(), std::byte{0xFF});
      return;
    case InitialKind::kArray:
      return fill_from(*buffer.initial.array, buffer, first, memory);
  }
}

Comparison compare(const Buffer& buffer, std::span<const std::byte> memory) {
  Comparison comparison;
  comparison.compared = memory.size() / size_of(buffer.type);
  for (std::size_t i = 0; i < comparison.compared; ++i) {
    const Number got = number_of(buffer.type, load(buffer.type, memory, i));
    const Number expected = expected_at(buffer, i);
    const double off = distance(got, expected);
    if (std::isfinite(off)) comparison.worst = std::max(comparison.worst, off);
    if (off <= buffer.expected->tolerance) continue;
    if (comparison.wrong++ != 0) continue;
    comparison.first_wrong = i;
    comparison.got = got;
    comparison.expected = expected;
  }
  return comparison;
}

std::string described(const Comparison& comparison, const Buffer& buffer) {
  const std::string bound = fmt::format("tolerance {:g}, worst {:.3g}", buffer.expected->tolerance, comparison.worst);
  if (comparison.passed()) {
    return fmt::format("{}: all {} elements are as expected ({})", buffer.name, comparison.compared, bound);
  }
  return fmt::format("{}: {} of {} elements differ, the first at {}: {} instead of {} ({})", buffer.name,
                     comparison.wrong, comparison.compared, comparison.first_wrong, to_string(comparison.got),
                     to_string(comparison.expected), bound);
}

}  // namespace ridge::emulator
