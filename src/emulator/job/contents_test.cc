#include "emulator/job/contents.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::emulator {
namespace {

Buffer buffer_of(ElementType type, std::uint64_t count, InitialKind kind, double low = 0, double high = 1) {
  Buffer buffer;
  buffer.name = "argument 1";
  buffer.type = type;
  buffer.count = count;
  buffer.initial.kind = kind;
  buffer.initial.low = low;
  buffer.initial.high = high;
  buffer.initial.seed = 1;
  return buffer;
}

std::vector<std::byte> filled(const Buffer& buffer) {
  std::vector<std::byte> memory(buffer.bytes());
  fill(buffer, 0, memory);
  return memory;
}

double at(const Buffer& buffer, const std::vector<std::byte>& memory, std::size_t index) {
  return value_of(buffer.type, load(buffer.type, memory, index));
}

TEST(ContentsTest, RandomNumbersStayInTheirBoundsAndSpreadOverThem) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64,
                                 ElementType::kI8, ElementType::kU32, ElementType::kI64}) {
    const double low = type == ElementType::kU32 ? 2 : -3;
    const Buffer buffer = buffer_of(type, 4096, InitialKind::kRandom, low, 5);
    const auto memory = filled(buffer);
    double least = 100, most = -100, sum = 0;
    for (std::size_t i = 0; i < buffer.count; ++i) {
      const double value = at(buffer, memory, i);
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value;
    }
    EXPECT_GE(least, low) << name(type);
    EXPECT_LT(most, 5) << name(type);
    EXPECT_LE(least, low + 0.1) << name(type);
    EXPECT_GE(most, 4 - 1e-9) << name(type);
    const double middle = is_floating(type) ? (low + 5) / 2 : (low + 4) / 2;
    EXPECT_NEAR(sum / 4096, middle, 0.2) << name(type);
  }
}

TEST(ContentsTest, PartsAreThoseOfTheWhole) {
  for (const InitialKind kind : {InitialKind::kRandom, InitialKind::kRamp, InitialKind::kConstant}) {
    for (const ElementType type : {ElementType::kF16, ElementType::kF32, ElementType::kU16, ElementType::kB64}) {
      const Buffer buffer = buffer_of(type, 100, kind);
      const auto whole = filled(buffer);
      std::vector<std::byte> part(10 * size_of(type));
      fill(buffer, 37, part);
      EXPECT_TRUE(
          std::equal(part.begin(), part.end(), whole.begin() + 37 * static_cast<std::ptrdiff_t>(size_of(type))));
    }
  }
}

TEST(ContentsTest, SeedsMakeOtherNumbers) {
  Buffer buffer = buffer_of(ElementType::kF32, 64, InitialKind::kRandom);
  const auto first = filled(buffer);
  EXPECT_EQ(first, filled(buffer));
  buffer.initial.seed = 2;
  EXPECT_NE(first, filled(buffer));
}

TEST(ContentsTest, RampsStepAndWholeOnesWrap) {
  const Buffer real = buffer_of(ElementType::kF64, 4, InitialKind::kRamp, 1, 0.5);
  EXPECT_EQ(at(real, filled(real), 3), 2.5);
  const Buffer whole = buffer_of(ElementType::kU8, 300, InitialKind::kRamp, 250, 1);
  EXPECT_EQ(at(whole, filled(whole), 6), 0);
  const Buffer down = buffer_of(ElementType::kI16, 4, InitialKind::kRamp, 1, -2);
  EXPECT_EQ(at(down, filled(down), 3), -5);
  const Buffer half = buffer_of(ElementType::kF16, 3, InitialKind::kRamp, 0, 60000);
  EXPECT_TRUE(std::isinf(at(half, filled(half), 2)));
}

TEST(ContentsTest, PoisonIsANumberNowhere) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64}) {
    const Buffer buffer = buffer_of(type, 2, InitialKind::kPoison);
    EXPECT_TRUE(std::isnan(at(buffer, filled(buffer), 1)));
  }
}

TEST(ContentsTest, FilesAreConvertedByValueAndBitsKept) {
  const std::vector<double> values{1, -2.5};
  std::vector<std::byte> data(16);
  for (std::size_t i = 0; i < 2; ++i)
    store(ElementType::kF64, data, i, *bits_of(ElementType::kF64, Number::of(values[i])));
  const auto array = parse_npy(encode_npy(ElementType::kF64, {2}, data), "a.npy");
  ASSERT_TRUE(array.has_value());
  Buffer buffer = buffer_of(ElementType::kF32, 2, InitialKind::kArray);
  buffer.initial.array = std::make_shared<const NpyArray>(*array);
  EXPECT_EQ(at(buffer, filled(buffer), 1), -2.5);
  buffer.type = ElementType::kB64;
  EXPECT_EQ(load(ElementType::kB64, filled(buffer), 1), *bits_of(ElementType::kF64, Number::of(-2.5)));
}

TEST(ContentsTest, ComparisonsTellTheFirstThatIsWrong) {
  Buffer buffer = buffer_of(ElementType::kF32, 4, InitialKind::kRamp, 0, 1);
  buffer.expected = Expectation{Number::of(2.0), nullptr, 1e-5};
  const Comparison comparison = compare(buffer, filled(buffer));
  EXPECT_FALSE(comparison.passed());
  EXPECT_EQ(described(comparison, buffer),
            "argument 1: 3 of 4 elements differ, the first at 0: 0 instead of 2 (tolerance 1e-05, worst 1)");
}

TEST(ContentsTest, TolerancesAreRelativeAboveOne) {
  Buffer buffer = buffer_of(ElementType::kF64, 1, InitialKind::kConstant);
  buffer.initial.value = Number::of(1000.9);
  buffer.expected = Expectation{Number::of(1000.0), nullptr, 1e-3};
  EXPECT_TRUE(compare(buffer, filled(buffer)).passed());
  buffer.initial.value = Number::of(0.002);
  buffer.expected->value = Number::of(0.0);
  EXPECT_FALSE(compare(buffer, filled(buffer)).passed());
}

TEST(ContentsTest, NoNumberAndInfinitiesEqualOnlyThemselves) {
  Buffer buffer = buffer_of(ElementType::kF32, 1, InitialKind::kConstant);
  const double infinity = HUGE_VAL, nothing = std::nan("");
  const auto passes = [&](double got, double expected) {
    buffer.initial.value = Number::of(got);
    buffer.expected = Expectation{Number::of(expected), nullptr, 1};
    return compare(buffer, filled(buffer)).passed();
  };
  EXPECT_TRUE(passes(nothing, nothing));
  EXPECT_TRUE(passes(infinity, infinity));
  EXPECT_FALSE(passes(infinity, -infinity));
  EXPECT_FALSE(passes(nothing, 0));
  EXPECT_FALSE(passes(0, infinity));
}

TEST(ContentsTest, WholeNumbersOf64BitsAreToldApart) {
  Buffer buffer = buffer_of(ElementType::kU64, 1, InitialKind::kConstant);
  buffer.initial.value = Number::of((std::uint64_t{1} << 60) + 1);
  buffer.expected = Expectation{Number::of(std::uint64_t{1} << 60), nullptr, 0};
  EXPECT_FALSE(compare(buffer, filled(buffer)).passed());
}

}  // namespace
}  // namespace ridge::emulator
