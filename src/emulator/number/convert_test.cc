#include "emulator/number/convert.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "emulator/number/host.h"

namespace ridge::number {
namespace {

using testing::directed;
using testing::kHostRoundings;
using testing::Patterns;
using testing::with_rounding;

constexpr Integer kIntegers[] = {kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64};

std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// A finite code's value, by its definition.
double value_of(const Format& format, std::uint64_t code) {
  const auto magnitude = code & format.magnitude_mask();
  const auto field = static_cast<int>(magnitude >> format.mantissa_bits);
  const auto mantissa = static_cast<double>(magnitude & (format.min_normal() - 1));
  const double one = field == 0 ? 0 : static_cast<double>(format.min_normal());
  const double value = std::ldexp(one + mantissa, std::max(field, 1) - format.bias() - format.mantissa_bits);
  return (code & format.sign_bit()) != 0 ? -value : value;
}

std::uint64_t converted(double value, const Format& to, Rounding rounding, bool negative) {
  return float_to_float(kF64, bits_of(negative ? -value : value), to, {rounding});
}

// Between a code and the next one: just above, half way, just below, by every rounding and both signs.
void expect_gap(const Format& to, std::uint64_t code) {
  const double low = value_of(to, code);
  const double high = value_of(to, code + 1);
  const double middle = (low + high) / 2;
  for (const bool negative : {false, true}) {
    const auto sign = negative ? to.sign_bit() : 0;
    const auto up = negative ? Rounding::kDown : Rounding::kUp;  // away from zero
    const auto down = negative ? Rounding::kUp : Rounding::kDown;
    ASSERT_EQ(converted(low, to, Rounding::kUp, negative), code | sign) << "an exact value stays";
    for (const double inside : {std::nextafter(low, high), middle, std::nextafter(high, low)}) {
      ASSERT_EQ(converted(inside, to, up, negative), (code + 1) | sign) << inside;
      ASSERT_EQ(converted(inside, to, down, negative), code | sign) << inside;
      ASSERT_EQ(converted(inside, to, Rounding::kZero, negative), code | sign) << inside;
    }
    ASSERT_EQ(converted(middle, to, Rounding::kNearestEven, negative), (code + (code & 1)) | sign);
    ASSERT_EQ(converted(middle, to, Rounding::kNearestAway, negative), (code + 1) | sign);
    ASSERT_EQ(converted(std::nextafter(middle, low), to, Rounding::kNearestAway, negative), code | sign);
    ASSERT_EQ(converted(std::nextafter(middle, high), to, Rounding::kNearestEven, negative), (code + 1) | sign);
  }
}

TEST(ConvertTest, EveryGapOfEveryNarrowFormatIsRoundedAsAsked) {
  for (const auto& to : {kE2m1, kE2m3, kE3m2, kE4m3, kE5m2, kF16, kBf16}) {
    for (std::uint64_t code = 0; code < to.max_finite() && !HasFatalFailure(); ++code) expect_gap(to, code);
  }
}

TEST(ConvertTest, SingleAndDoubleAgreeWithTheHost) {
  Patterns patterns(kF64);
  auto values = directed(kF64);
  for (const auto bits : directed(kF32)) values.push_back(float_to_float(kF32, bits, kF64));
  for (int i = 0; i < 20000; ++i) values.push_back(patterns.near(i % 2 == 0 ? kF64.one() : bits_of(0x1p-126)));
  for (const auto bits : values) {
    if (is_nan(kF64, bits)) continue;
    volatile double value = std::bit_cast<double>(bits);
    for (const auto rounding : kHostRoundings) {
      const auto expected = with_rounding(rounding, [&] { return static_cast<float>(value); });
      ASSERT_EQ(float_to_float(kF64, bits, kF32, {rounding}), bits_of(expected)) << std::hex << bits;
      const auto back = static_cast<double>(expected);
      ASSERT_EQ(float_to_float(kF32, bits_of(expected), kF64, {rounding}), bits_of(back)) << std::hex << bits;
    }
  }
}

// ---- to integers

std::uint64_t host_integer(double value, const Integer& to, Rounding rounding) {
  volatile double input = value;
  const auto rounded = static_cast<long double>(with_rounding(rounding, [&] { return double{std::nearbyint(input)}; }));
  if (rounded >= static_cast<long double>(largest(to))) return largest(to);
  if (rounded <= static_cast<long double>(smallest(to)))
    return low_bits(static_cast<std::uint64_t>(smallest(to)), to.bits);
  if (rounded >= 0) return static_cast<std::uint64_t>(rounded);
  return low_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded)), to.bits);
}

std::vector<double> integer_edges() {
  std::vector<double> values = {0.0, -0.0, 0.25, 0.5, 0.75, 1.5, 2.5, 0x1p-1074, 1e300, 0x1.fffffffffffffp52};
  for (const int exponent : {7, 8, 15, 16, 31, 32, 52, 53, 63, 64, 65}) {
    const double power = std::ldexp(1.0, exponent);
    for (const double step : {-1.0, -0.5, 0.0, 0.5, 1.0}) values.push_back(power + step);
    values.push_back(std::nextafter(power, 0));
    values.push_back(std::nextafter(power, 1e300));
  }
  const auto count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  values.push_back(INFINITY);
  values.push_back(-INFINITY);
  return values;
}

TEST(ConvertTest, FloatToIntegerRoundsAndSaturatesAsTheHostRounds) {
  auto values = integer_edges();
  Patterns patterns(kF64);
  for (int i = 0; i < 2000; ++i) {
    const double random = std::bit_cast<double>(patterns.near(bits_of(std::ldexp(1.0, i % 66))));
    if (!std::isnan(random)) values.push_back(random);
  }
  for (const double value : values) {
    for (const auto& to : kIntegers) {
      for (const auto rounding : kHostRoundings) {
        ASSERT_EQ(float_to_integer(kF64, bits_of(value), to, rounding), host_integer(value, to, rounding))
            << value << " to " << to.bits << " bits, rounding " << static_cast<int>(rounding);
        const auto narrow = static_cast<float>(value);
        ASSERT_EQ(float_to_integer(kF32, bits_of(narrow), to, rounding), host_integer(narrow, to, rounding)) << value;
      }
    }
  }
}

TEST(ConvertTest, EveryHalfToIntegerAgreesWithTheHost) {
  for (const auto& format : {kF16, kBf16}) {
    for (std::uint64_t code = 0; code < 0x10000; ++code) {
      if ((code & format.magnitude_mask()) >= format.infinity()) continue;
      const double value = value_of(format, code);
      for (const auto& to : {kS8, kU32}) {
        ASSERT_EQ(float_to_integer(format, code, to, Rounding::kNearestEven),
                  host_integer(value, to, Rounding::kNearestEven))
            << value;
      }
    }
  }
}

TEST(ConvertTest, NanToIntegerDependsOnTheWidths) {
  EXPECT_EQ(float_to_integer(kF32, 0x7fc00000, kS32, Rounding::kZero), 0u);
  EXPECT_EQ(float_to_integer(kF32, 0xffc00000, kU8, Rounding::kZero), 0u);
  EXPECT_EQ(float_to_integer(kF16, 0x7fff, kU32, Rounding::kZero), 0u);
  EXPECT_EQ(float_to_integer(kF32, 0x7fc00000, kS64, Rounding::kZero), 0x8000000000000000u);
  EXPECT_EQ(float_to_integer(kF32, 0x7fc00000, kU64, Rounding::kZero), 0x8000000000000000u);
  EXPECT_EQ(float_to_integer(kF64, 0x7ff8000000000000, kS32, Rounding::kZero), 0x80000000u);
  EXPECT_EQ(float_to_integer(kF64, 0x7ff8000000000000, kU16, Rounding::kZero), 0x8000u);
}

TEST(ConvertTest, FtzFlushesASinglePrecisionInputAlone) {
  EXPECT_EQ(float_to_integer(kF32, 0x00000001, kS32, Rounding::kUp), 1u);
  EXPECT_EQ(float_to_integer(kF32, 0x00000001, kS32, Rounding::kUp, true), 0u);
  EXPECT_EQ(float_to_float(kF16, 0x0001, kF32, {Rounding::kNearestEven, true}), 0x33800000u);
  EXPECT_EQ(float_to_float(kF32, 0x807fffff, kF64, {Rounding::kNearestEven, true}), 0x8000000000000000u);
  EXPECT_EQ(float_to_float(kF64, bits_of(0x1p-140), kF32, {Rounding::kNearestEven, true}), 0u);
  EXPECT_EQ(float_to_float(kBf16, 0x0040, kF32, {Rounding::kNearestEven, true}), 0u);
  EXPECT_EQ(float_to_float(kF32, 0x33800000, kF16, {Rounding::kNearestEven, true}), 0x0001u);  // a subnormal f16 stays
}

// ---- from integers

TEST(ConvertTest, IntegerToFloatAgreesWithTheHost) {
  Patterns patterns(kF64);
  std::vector<std::uint64_t> values = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1};
  for (int i = 0; i < 3000; ++i) {
    const auto few = patterns.any() & patterns.any() & patterns.any();
    values.push_back((i % 2 == 0 ? few : patterns.any()) >> (i % 64));
    values.push_back(~values.back());
  }
  for (const auto value : values) {
    for (const auto rounding : kHostRoundings) {
      volatile long double positive = static_cast<long double>(value);  // 64 bits: exact
      volatile long double either = static_cast<long double>(static_cast<std::int64_t>(value));
      const auto f32 = with_rounding(rounding, [&] { return static_cast<float>(positive); });
      const auto f64 = with_rounding(rounding, [&] { return static_cast<double>(either); });
      ASSERT_EQ(integer_to_float(kU64, value, kF32, rounding), bits_of(f32)) << value;
      ASSERT_EQ(integer_to_float(kS64, value, kF64, rounding), bits_of(f64)) << value;
    }
  }
}

TEST(ConvertTest, NarrowIntegersReadTheirOwnBitsOnly) {
  EXPECT_EQ(integer_to_float(kS8, 0xabcdef80, kF32, Rounding::kNearestEven), bits_of(-128.0F));
  EXPECT_EQ(integer_to_float(kU8, 0xabcdef80, kF32, Rounding::kNearestEven), bits_of(128.0F));
  EXPECT_EQ(integer_to_float(kU32, 65520, kF16, Rounding::kNearestEven), 0x7c00u);
  EXPECT_EQ(integer_to_float(kU32, 65519, kF16, Rounding::kNearestEven), 0x7bffu);
  EXPECT_EQ(integer_to_float(kU32, 7, kF32, Rounding::kNearestEven, true), bits_of(1.0F));
  EXPECT_EQ(integer_to_float(kS32, 0xfffffff9, kF32, Rounding::kNearestEven, true), 0u);
  EXPECT_EQ(integer_to_float(kS32, 0, kF32, Rounding::kDown), 0u);
}

// ---- between integers

TEST(ConvertTest, IntegersExtendByTheirSourceAndSaturateByTheirTarget) {
  EXPECT_EQ(integer_to_integer(0x80, kS8, kS32, false), 0xffffff80u);
  EXPECT_EQ(integer_to_integer(0x80, kU8, kS32, false), 0x80u);
  EXPECT_EQ(integer_to_integer(0x12345678, kS32, kU8, false), 0x78u);
  EXPECT_EQ(integer_to_integer(0xffffffff, kS32, kU64, false), ~std::uint64_t{0});
  EXPECT_EQ(integer_to_integer(0xffffffff, kS32, kU8, true), 0u);
  EXPECT_EQ(integer_to_integer(300, kU32, kU8, true), 255u);
  EXPECT_EQ(integer_to_integer(300, kU32, kS8, true), 127u);
  EXPECT_EQ(integer_to_integer(0xffffff00, kS32, kS8, true), 0x80u);
  EXPECT_EQ(integer_to_integer(~std::uint64_t{0}, kU64, kS64, true), 0x7fffffffffffffffu);
  EXPECT_EQ(integer_to_integer(0x8000000000000000, kS64, kS32, true), 0x80000000u);
  EXPECT_EQ(integer_to_integer(0xffffffffffffff85, kS64, kS8, true), 0x85u);
}

// ---- to integral values

TEST(ConvertTest, RoundingToIntegralAgreesWithTheHost) {
  for (const double value : integer_edges()) {
    volatile double input = value;
    volatile auto narrow = static_cast<float>(value);
    for (const auto rounding : kHostRoundings) {
      const auto f64 = with_rounding(rounding, [&] { return double{std::nearbyint(input)}; });
      const auto f32 = with_rounding(rounding, [&] { return float{std::nearbyint(narrow)}; });
      EXPECT_EQ(round_to_integral(kF64, bits_of(value), rounding), bits_of(f64)) << value;
      EXPECT_EQ(round_to_integral(kF32, bits_of(float{narrow}), rounding), bits_of(f32)) << value;
    }
  }
  EXPECT_EQ(round_to_integral(kF32, 0xffc00000, Rounding::kZero), 0x7fffffffu);
  EXPECT_EQ(round_to_integral(kF16, 0x3800, Rounding::kNearestEven), 0u);  // 0.5
  EXPECT_EQ(round_to_integral(kBf16, 0xbf00, Rounding::kDown), 0xbf80u);   // -0.5
  EXPECT_EQ(round_to_integral(kF32, 0x80000001, Rounding::kDown), 0xbf800000u);
  EXPECT_EQ(round_to_integral(kF32, 0x80000001, Rounding::kDown, true), 0x80000000u);
  EXPECT_EQ(round_to_integral(kF32, bits_of(2.5F), Rounding::kUp, false, true), bits_of(1.0F));
}

// ---- special values

TEST(ConvertTest, NanBecomesTheTargetsNanOrItsLargestNumber) {
  EXPECT_EQ(float_to_float(kF32, 0xff812345, kF16), 0x7fffu);
  EXPECT_EQ(float_to_float(kF32, 0xff812345, kBf16), 0x7fffu);
  EXPECT_EQ(float_to_float(kF32, 0x7fc00000, kE4m3, {.satfinite = true}), 0x7fu);
  EXPECT_EQ(float_to_float(kF32, 0x7fc00000, kE5m2, {.satfinite = true}), 0x7fu);
  EXPECT_EQ(float_to_float(kF32, 0xffc00000, kE2m1, {.satfinite = true}), 0x7u);
  EXPECT_EQ(float_to_float(kF32, 0xffc00000, kE2m3, {.satfinite = true}), 0x1fu);
  EXPECT_EQ(float_to_float(kE4m3, 0xff, kF16), 0x7fffu);
  EXPECT_EQ(float_to_float(kF32, 0x7f800001, kF64, {.ftz = true}), 0x7fffffffe0000000u);
  EXPECT_EQ(float_to_float(kF32, 0x7fc00000, kF16, {.sat = true}), 0u);
  EXPECT_EQ(float_to_float(kF32, 0xffc00000, kF16, {.relu = true}), 0x7fffu);
}

TEST(ConvertTest, NanOfF64KeepsSignAndPayloadAsAnH200HasIt) {
  EXPECT_EQ(float_to_float(kF64, 0xfff8000000000001, kF32), 0xffc00000u);
  EXPECT_EQ(float_to_float(kF64, 0x7ff00000ffffffff, kF32), 0x7fc00007u);
  EXPECT_EQ(float_to_float(kF64, 0xfff7ffffffffffff, kF16), 0xffffu);
  EXPECT_EQ(float_to_float(kF32, 0xff800001, kF64), 0xfff8000020000000u);
  EXPECT_EQ(float_to_float(kF64, 0xfff0000000000001, kF64), 0xfff0000000000001u);  // a copy
  EXPECT_EQ(float_to_float(kBf16, 0xff81, kF32), 0xff810000u);                     // so is this
}

TEST(ConvertTest, FtzLooksAtWhatIsNotYetRounded) {
  const std::uint64_t below = 0x380fffffe0000000;  // rounds up to the smallest normal f32
  EXPECT_EQ(float_to_float(kF64, below, kF32), 0x00800000u);
  EXPECT_EQ(float_to_float(kF64, below, kF32, {.ftz = true}), 0u);
  EXPECT_EQ(float_to_float(kF32, 0x80000001, kF16, {.rounding = Rounding::kDown, .ftz = true}), 0x8001u);
}

TEST(ConvertTest, SatfiniteKeepsWhatIsTooLargeFinite) {
  const Conversion finite{.satfinite = true};
  EXPECT_EQ(float_to_float(kF32, bits_of(1e9F), kE4m3, finite), 0x7eu);  // 448
  EXPECT_EQ(float_to_float(kF32, bits_of(-INFINITY), kE4m3, finite), 0xfeu);
  EXPECT_EQ(float_to_float(kF32, bits_of(-1e9F), kE5m2, finite), 0xfbu);
  EXPECT_EQ(float_to_float(kF32, bits_of(INFINITY), kF16, finite), 0x7bffu);
  EXPECT_EQ(float_to_float(kF32, bits_of(65520.0F), kF16, finite), 0x7bffu);
  EXPECT_EQ(float_to_float(kF32, bits_of(65520.0F), kF16), 0x7c00u);
  EXPECT_EQ(float_to_float(kF32, bits_of(-INFINITY), kE2m1, finite), 0xfu);
  EXPECT_EQ(float_to_float(kF32, bits_of(-7.0F), kE2m1, {.relu = true, .satfinite = true}), 0u);
  EXPECT_EQ(float_to_float(kF32, 0x7f7fffff, kBf16, finite), 0x7f7fu);
}

TEST(ConvertTest, Tf32KeepsTheUpperNineteenBits) {
  const Conversion away{Rounding::kNearestAway};
  EXPECT_EQ(f32_to_tf32(0x3f801000, away), 0x3f802000u);  // a tie
  EXPECT_EQ(f32_to_tf32(0x3f800fff, away), 0x3f800000u);
  EXPECT_EQ(f32_to_tf32(0x3f801000, {}), 0x3f800000u);
  EXPECT_EQ(f32_to_tf32(0x3f803fff, {Rounding::kZero}), 0x3f802000u);
  EXPECT_EQ(f32_to_tf32(0xffbfffff, away), 0xffbfe000u);
  EXPECT_EQ(f32_to_tf32(0xffbfffff, {}), 0x7fffe000u);
  EXPECT_EQ(f32_to_tf32(0x7f7fffff, away), 0x7f800000u);
  EXPECT_EQ(f32_to_tf32(0xff7fffff, {.rounding = Rounding::kNearestAway, .satfinite = true}), 0xff7fe000u);
  EXPECT_EQ(f32_to_tf32(0xbf800000, {.relu = true}), 0u);
}

// ---- pairs

TEST(ConvertTest, PairsHoldTheirFirstOperandAbove) {
  const auto one = bits_of(1.0F);
  const auto minus_two = bits_of(-2.0F);
  EXPECT_EQ(f32_to_pair(one, minus_two, kF16, {}), 0x3c00c000u);
  EXPECT_EQ(f32_to_pair(one, minus_two, kBf16, {}), 0x3f80c000u);
  EXPECT_EQ(f32_to_pair(one, minus_two, kE4m3, {.satfinite = true}), 0x38c0u);
  EXPECT_EQ(f32_to_pair(one, minus_two, kE2m1, {.satfinite = true}), 0x2cu);
  EXPECT_EQ(f32_to_pair(one, minus_two, kE2m3, {.satfinite = true}), 0x0830u);
  EXPECT_EQ(f16x2_to_pair(0x3c00c000, kE5m2, {.satfinite = true}), 0x3cc0u);
  EXPECT_EQ(pair_to_f16x2(0x38c0, kE4m3), 0x3c00c000u);
  EXPECT_EQ(pair_to_f16x2(0x2c, kE2m1), 0x3c00c000u);
  EXPECT_EQ(pair_to_f16x2(0x0830, kE2m3), 0x3c00c000u);
  EXPECT_EQ(pair_to_f16x2(0x38c0, kE4m3, {.relu = true}), 0x3c000000u);
}

TEST(ConvertTest, EveryByteComesBackFromHalf) {
  for (const auto& from : {kE4m3, kE5m2, kE2m1, kE2m3, kE3m2}) {
    for (std::uint64_t code = 0; code < (std::uint64_t{1} << from.width()); ++code) {
      const auto half = float_to_float(from, code, kF16);
      if (is_nan(from, code)) {
        ASSERT_EQ(half, 0x7fffu);
        continue;
      }
      ASSERT_EQ(float_to_float(kF16, half, from), code);
      if (!is_infinite(from, code)) {
        ASSERT_EQ(value_of(kF16, half), value_of(from, code));
      }
    }
  }
}

// ---- stochastic rounding

TEST(ConvertTest, StochasticRoundingGoesUpWithTheFractionCutOff) {
  // 1 + 3/8 of bf16's last place, by all 65536 random numbers.
  const std::uint32_t value = 0x3f806000;
  int ups = 0;
  for (std::uint32_t random = 0; random < 0x10000; ++random) {
    const auto pair = f32_to_pair_stochastic(value, 0, kBf16, {}, random << 16);
    ASSERT_TRUE(pair >> 16 == 0x3f80 || pair >> 16 == 0x3f81);
    ups += pair >> 16 == 0x3f81 ? 1 : 0;
  }
  EXPECT_EQ(ups, 0x10000 * 3 / 8);
  EXPECT_EQ(f32_to_pair_stochastic(0x3f800000, 0xbf800000, kBf16, {}, 0xffffffff), 0x3f80bf80u);  // exact stays
}

TEST(ConvertTest, StochasticHalfReadsThirteenBitsOfEachHalf) {
  const std::uint32_t almost = 0x3f801fff;  // one of f32's places below the next f16
  EXPECT_EQ(f32_to_pair_stochastic(almost, almost, kF16, {}, 0x00010000), 0x3c013c00u);
  EXPECT_EQ(f32_to_pair_stochastic(almost, almost, kF16, {}, 0xe000e001), 0x3c003c01u);
}

TEST(ConvertTest, StochasticFoursShareRandomBitsByPairs) {
  const Four halves{bits_of(1.0625F), bits_of(-1.0625F), bits_of(1.0625F), bits_of(500.0F)};  // half a place of e4m3
  EXPECT_EQ(f32_to_four_stochastic(halves, kE4m3, {.satfinite = true}, 0x80000000), 0x39b9387eu);
  EXPECT_EQ(f32_to_four_stochastic(halves, kE4m3, {.satfinite = true}, 0x00008000), 0x38b8397eu);
  const Four fours{bits_of(1.25F), bits_of(1.25F), bits_of(1.25F), bits_of(-9.0F)};  // half a place of e2m1
  EXPECT_EQ(f32_to_four_stochastic(fours, kE2m1, {.satfinite = true}, 0x80000000), 0x332fu);
  EXPECT_EQ(f32_to_four_stochastic(fours, kE2m1, {.satfinite = true}, 0x00800000), 0x223fu);
}

// ---- powers of two and packed integers

TEST(ConvertTest, Ue8m0IsTheExponent) {
  EXPECT_EQ(f32_to_ue8m0(bits_of(1.0F), Rounding::kZero, true), 127);
  EXPECT_EQ(f32_to_ue8m0(bits_of(-1.5F), Rounding::kZero, true), 127);
  EXPECT_EQ(f32_to_ue8m0(bits_of(1.5F), Rounding::kUp, true), 128);
  EXPECT_EQ(f32_to_ue8m0(0x00400000, Rounding::kUp, true), 0);
  EXPECT_EQ(f32_to_ue8m0(0x00400001, Rounding::kUp, true), 1);
  EXPECT_EQ(f32_to_ue8m0(0x7f7fffff, Rounding::kUp, true), 0xfe);
  EXPECT_EQ(f32_to_ue8m0(0x7f7fffff, Rounding::kUp, false), 0xff);
  EXPECT_EQ(f32_to_ue8m0(0x7f800000, Rounding::kZero, true), 0xfe);
  EXPECT_EQ(f32_to_ue8m0(0x7fc00000, Rounding::kZero, true), 0xff);
  EXPECT_EQ(bf16_to_ue8m0(0x4040, Rounding::kUp, true), 129);
  EXPECT_EQ(ue8m0_to_bf16(0), 0x0040);
  EXPECT_EQ(ue8m0_to_bf16(128), 0x4000);
  EXPECT_EQ(ue8m0_to_bf16(0xff), 0x7fff);
}

TEST(ConvertTest, PackSaturatesAndShiftsWhatIsThereUp) {
  EXPECT_EQ(pack_saturated(70000, 0xffffffff, 0, kU16), 0xffff0000u);
  EXPECT_EQ(pack_saturated(70000, 0xfffeffff, 0, kS16), 0x7fff8000u);
  EXPECT_EQ(pack_saturated(300, 5, 0x1234, kU8), 0x1234ff05u);
  EXPECT_EQ(pack_saturated(9, 0xfffffff0, 1, {4, true}), 0x178u);
  EXPECT_EQ(pack_saturated(9, 0, 0, {2, false}), 0xcu);
}

}  // namespace
}  // namespace ridge::number
