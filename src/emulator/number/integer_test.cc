#include "emulator/number/integer.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

#include "emulator/number/bits.h"
#include "emulator/number/video.h"

namespace ridge::number {
namespace {

constexpr auto kOnes = 0xffffffffU;
constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();
constexpr auto kMost = std::numeric_limits<std::int32_t>::max();

class Random {
 public:
  std::uint32_t word() { return static_cast<std::uint32_t>(bits_()); }
  std::uint64_t wide() { return bits_(); }
  // Amounts around and over the width.
  std::uint32_t amount() { return static_cast<std::uint32_t>(bits_() % 80); }

 private:
  std::mt19937_64 bits_{7};
};

// ---- arithmetic

// The upper half by schoolbook multiplication of 32-bit digits.
std::uint64_t upper_by_digits(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a0 = a & kOnes;
  const std::uint64_t a1 = a >> 32;
  const std::uint64_t b0 = b & kOnes;
  const std::uint64_t b1 = b >> 32;
  const std::uint64_t middle = (a0 * b0 >> 32) + (a0 * b1 & kOnes) + (a1 * b0 & kOnes);
  return a1 * b1 + (a0 * b1 >> 32) + (a1 * b0 >> 32) + (middle >> 32);
}

TEST(IntegerTest, UpperHalfOfA64BitProduct) {
  Random random;
  for (int i = 0; i < 10000; ++i) {
    const auto a = random.wide();
    const auto b = random.wide();
    const auto expected = upper_by_digits(a, b);
    ASSERT_EQ(mul_hi(a, b), expected);
    // Signed: less b where a is negative, less a where b is.
    const auto correction = ((a >> 63) != 0 ? b : 0) + ((b >> 63) != 0 ? a : 0);
    ASSERT_EQ(static_cast<std::uint64_t>(mul_hi(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))),
              expected - correction);
  }
  EXPECT_EQ(mul_hi<std::int32_t>(kLeast, kLeast), 0x40000000);
  EXPECT_EQ(mul_hi<std::int16_t>(-1, 1), -1);
  EXPECT_EQ(mul_wide<std::uint16_t>(0xffff, 0xffff), 0xfffe0001U);
  EXPECT_EQ(mul_lo<std::int32_t>(kLeast, -1), kLeast);
}

TEST(IntegerTest, SaturatingForms) {
  EXPECT_EQ(add_sat(kMost, 1), kMost);
  EXPECT_EQ(sub_sat(kLeast, 1), kLeast);
  EXPECT_EQ(mad_hi_sat(kMost, kMost, kMost), kMost);
  EXPECT_EQ(mad_hi_sat(kLeast, kMost, kLeast), kLeast);
  EXPECT_EQ(mad_hi_sat(1 << 16, 1 << 16, 5), 6);
}

TEST(IntegerTest, TwentyFourBitProductsIgnoreTheHighestByte) {
  EXPECT_EQ(mul24_lo<std::uint32_t>(0xff000003, 0xaa000005), 15U);
  EXPECT_EQ(mul24_hi<std::uint32_t>(0x00ffffff, 0x00ffffff), 0xfffffe00U);  // 0xfffffe000001 >> 16
  EXPECT_EQ(mul24_hi<std::int32_t>(0x00ffffff, 1), -1);                     // -1 * 1
  EXPECT_EQ(mul24_lo<std::int32_t>(0x00800000, 2), -0x01000000);
  EXPECT_EQ(mad24_hi_sat(0x007fffff, 0x007fffff, kMost), kMost);
}

TEST(IntegerTest, DivisionNeverTraps) {
  EXPECT_EQ(div_integer<std::int32_t>(kLeast, -1), kLeast);
  EXPECT_EQ(rem_integer<std::int32_t>(kLeast, -1), 0);
  EXPECT_EQ(div_integer<std::uint32_t>(5, 0), kOnes);
  EXPECT_EQ(rem_integer<std::int64_t>(-7, 0), -1);
  EXPECT_EQ(div_integer<std::int16_t>(-7, 2), -3);
  EXPECT_EQ(rem_integer<std::int16_t>(-7, 2), -1);
  EXPECT_EQ(sad<std::int32_t>(kLeast, kMost, 1), 0);  // wraps
  EXPECT_EQ(sad<std::uint32_t>(3, 10, 100), 107U);
  EXPECT_EQ(sad<std::uint32_t>(10, 3, 100), 107U);
}

TEST(IntegerTest, CarriesChainIntoWiderSums) {
  Random random;
  for (int i = 0; i < 10000; ++i) {
    const auto a = i % 3 == 0 ? random.wide() | 0xffffffff : random.wide();
    const auto b = i % 5 == 0 ? ~a : random.wide();
    const auto low = add_carry(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), false);
    const auto high = add_carry(static_cast<std::uint32_t>(a >> 32), static_cast<std::uint32_t>(b >> 32), low.carry);
    ASSERT_EQ(std::uint64_t{high.value} << 32 | low.value, a + b);
    ASSERT_EQ(high.carry, a + b < a);
    const auto less = sub_borrow(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), false);
    const auto rest = sub_borrow(static_cast<std::uint32_t>(a >> 32), static_cast<std::uint32_t>(b >> 32), less.carry);
    ASSERT_EQ(std::uint64_t{rest.value} << 32 | static_cast<std::uint32_t>(less.value), a - b);
    ASSERT_EQ(rest.carry, a < b);
  }
  EXPECT_TRUE(add_carry<std::uint32_t>(kOnes, 0, true).carry);  // by the carry alone
  EXPECT_TRUE(sub_borrow<std::uint32_t>(5, 5, true).carry);
  EXPECT_FALSE(sub_borrow<std::uint32_t>(6, 5, true).carry);
  EXPECT_TRUE(mad_lo_carry<std::uint32_t>(0x10001, 0xffff, 1, false).carry);
  EXPECT_EQ(mad_hi_carry<std::uint32_t>(0x80000000, 4, 7, true).value, 10U);
}

// ---- shifts

TEST(IntegerTest, ShiftsBeyondTheWidthClamp) {
  EXPECT_EQ(shl<std::uint32_t>(1, 31), 0x80000000U);
  EXPECT_EQ(shl<std::uint32_t>(1, 32), 0U);
  EXPECT_EQ(shl<std::uint16_t>(1, 16), 0);
  EXPECT_EQ(shr<std::uint64_t>(~std::uint64_t{0}, 64), 0U);
  EXPECT_EQ(shr<std::int32_t>(-5, 0xffffffff), -1);
  EXPECT_EQ(shr<std::int16_t>(0x4000, 40), 0);
}

TEST(IntegerTest, FunnelShiftsClampOrWrap) {
  EXPECT_EQ(shf_left(0x89abcdef, 0x01234567, 8, ShiftMode::kWrap), 0x23456789U);
  EXPECT_EQ(shf_right(0x89abcdef, 0x01234567, 8, ShiftMode::kWrap), 0x6789abcdU);
  EXPECT_EQ(shf_left(0x89abcdef, 0x01234567, 33, ShiftMode::kClamp), 0x89abcdefU);
  EXPECT_EQ(shf_left(0x89abcdef, 0x01234567, 32, ShiftMode::kWrap), 0x01234567U);
  EXPECT_EQ(shf_right(0x89abcdef, 0x01234567, 99, ShiftMode::kClamp), 0x01234567U);
}

// ---- bit fields, against the ISA's loops over bits

template <typename T>
T bfe_by_bits(T a, std::uint32_t b, std::uint32_t c) {
  constexpr std::size_t kWidth = kBits<T>;
  const std::bitset<64> bits(static_cast<Unsigned<T>>(a));
  const std::size_t position = kBits<T> == 64 ? b : b & 0xff;
  const std::size_t length = kBits<T> == 64 ? c : c & 0xff;
  const bool fill = std::is_signed_v<T> && length != 0 && bits[std::min(position + length, kWidth) - 1];
  std::bitset<64> result;
  for (std::size_t i = 0; i < kWidth; ++i) {
    const bool inside = i < length && position + i < kWidth;
    result[i] = inside ? bits[position + i] : fill;
  }
  return static_cast<T>(result.to_ullong());
}

template <typename T>
T bfi_by_bits(T a, T b, std::uint32_t c, std::uint32_t d) {
  std::bitset<64> result(b);
  const std::size_t position = kBits<T> == 64 ? c : c & 0xff;
  const std::size_t length = kBits<T> == 64 ? d : d & 0xff;
  for (std::size_t i = 0; i < length && position + i < static_cast<std::size_t>(kBits<T>); ++i) {
    result[position + i] = (a >> i & 1) != 0;
  }
  return static_cast<T>(result.to_ullong());
}

TEST(BitsTest, FieldsAgreeWithLoopsOverBits) {
  Random random;
  for (int i = 0; i < 20000; ++i) {
    const auto a = random.wide();
    const auto b = random.wide();
    const auto position = random.amount() + (i % 7 == 0 ? 0x100 : 0);  // of 32 bits, the low 8 bits count
    const auto length = random.amount();
    const auto a32 = static_cast<std::uint32_t>(a);
    ASSERT_EQ(bfe(a32, position, length), bfe_by_bits(a32, position, length));
    ASSERT_EQ(bfe(static_cast<std::int32_t>(a32), position, length),
              bfe_by_bits(static_cast<std::int32_t>(a32), position, length));
    ASSERT_EQ(bfe(a, position, length), bfe_by_bits(a, position, length));
    ASSERT_EQ(bfe(static_cast<std::int64_t>(a), position, length),
              bfe_by_bits(static_cast<std::int64_t>(a), position, length));
    ASSERT_EQ(bfi(a32, static_cast<std::uint32_t>(b), position, length),
              bfi_by_bits(a32, static_cast<std::uint32_t>(b), position, length));
    ASSERT_EQ(bfi(a, b, position, length), bfi_by_bits(a, b, position, length));
  }
}

TEST(BitsTest, BfindLooksForTheHighestBitThatIsNotTheSign) {
  EXPECT_EQ(bfind<std::uint32_t>(0), kOnes);
  EXPECT_EQ(bfind<std::int32_t>(-1), kOnes);
  EXPECT_EQ(bfind<std::uint32_t>(0x00010000), 16U);
  EXPECT_EQ(bfind<std::uint32_t>(0x00010000, true), 15U);
  EXPECT_EQ(bfind<std::int32_t>(-2), 0U);
  EXPECT_EQ(bfind<std::int64_t>(std::numeric_limits<std::int64_t>::min()), 62U);
  EXPECT_EQ(bfind<std::uint64_t>(0, true), kOnes);
}

TEST(BitsTest, FnsCountsSetBitsEitherWay) {
  EXPECT_EQ(fns(0x0000000a, 0, 1), 1U);
  EXPECT_EQ(fns(0x0000000a, 0, 2), 3U);
  EXPECT_EQ(fns(0x0000000a, 3, 1), 3U);
  EXPECT_EQ(fns(0x0000000a, 31, -1), 3U);
  EXPECT_EQ(fns(0x0000000a, 31, -2), 1U);
  EXPECT_EQ(fns(0x0000000a, 31, -3), kOnes);
  EXPECT_EQ(fns(0x0000000a, 3, 0), 3U);
  EXPECT_EQ(fns(0x0000000a, 2, 0), kOnes);
  EXPECT_EQ(fns(kOnes, 0, kLeast), kOnes);
}

TEST(BitsTest, ReversalLop3AndCnot) {
  EXPECT_EQ(brev<std::uint32_t>(0x00000001), 0x80000000U);
  EXPECT_EQ(brev<std::uint64_t>(0x0000000000000006), 0x6000000000000000U);
  // The table is what the function gives for these three words.
  const auto table = [](auto function) { return function(0xf0U, 0xccU, 0xaaU) & 0xff; };
  const std::uint32_t a = 0x12345678;
  const std::uint32_t b = 0x9abcdef0;
  const std::uint32_t c = 0x0f1e2d3c;
  const auto choose = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (x & y) | (~x & z); };
  const auto odd = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x ^ y ^ ~z; };
  EXPECT_EQ(lop3(a, b, c, table(choose)), choose(a, b, c));
  EXPECT_EQ(lop3(a, b, c, table(odd)), odd(a, b, c));
  EXPECT_EQ(cnot<std::uint16_t>(0), 1);
  EXPECT_EQ(cnot<std::uint64_t>(8), 0U);
}

TEST(BitsTest, SzextAndBmskClampOrWrap) {
  EXPECT_EQ(szext<std::int32_t>(0xff, 8, ShiftMode::kWrap), -1);
  EXPECT_EQ(szext<std::uint32_t>(0xabcd, 8, ShiftMode::kWrap), 0xcdU);
  EXPECT_EQ(szext<std::uint32_t>(kOnes, 0, ShiftMode::kClamp), 0U);
  EXPECT_EQ(szext<std::uint32_t>(0xabcdef01, 32, ShiftMode::kClamp), 0xabcdef01U);
  EXPECT_EQ(szext<std::uint32_t>(0xabcdef01, 36, ShiftMode::kWrap), 1U);
  EXPECT_EQ(bmsk(4, 8, ShiftMode::kWrap), 0xff0U);
  EXPECT_EQ(bmsk(28, 8, ShiftMode::kWrap), 0xf0000000U);
  EXPECT_EQ(bmsk(36, 33, ShiftMode::kWrap), 0x10U);
  EXPECT_EQ(bmsk(36, 1, ShiftMode::kClamp), 0U);
  EXPECT_EQ(bmsk(4, 40, ShiftMode::kClamp), 0xfffffff0U);
  EXPECT_EQ(bmsk(4, 0, ShiftMode::kClamp), 0U);
}

TEST(BitsTest, PermutationsOfBytes) {
  const std::uint32_t a = 0x33221180;  // bytes 3 to 0
  const std::uint32_t b = 0x77665544;  // bytes 7 to 4
  EXPECT_EQ(prmt(a, b, 0x7531), 0x77553311U);
  EXPECT_EQ(prmt(a, b, 0x8918), 0xff0011ffU);  // bit 3 spreads the byte's sign
  EXPECT_EQ(prmt(a, b, 3, Permutation::kForward4), 0x66554433U);
  EXPECT_EQ(prmt(a, b, 0, Permutation::kBackward4), 0x55667780U);
  EXPECT_EQ(prmt(a, b, 3, Permutation::kBackward4), 0x80112233U);
  EXPECT_EQ(prmt(a, b, 2, Permutation::kReplicate8), 0x22222222U);
  EXPECT_EQ(prmt(a, b, 1, Permutation::kEdgeLeft), 0x33221111U);
  EXPECT_EQ(prmt(a, b, 2, Permutation::kEdgeRight), 0x22221180U);
  EXPECT_EQ(prmt(a, b, 3, Permutation::kReplicate16), 0x33223322U);
}

TEST(BitsTest, DotProductsExtendEachOperandByItsType) {
  EXPECT_EQ(dp4a(0x01020304, 0x05060708, 10, false, false), 10U + 5 + 12 + 21 + 32);
  EXPECT_EQ(dp4a(0xff000000, 0x02000000, 0, true, false), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(dp4a(0xff000000, 0x02000000, 0, false, true), 510U);
  EXPECT_EQ(dp2a(0x00030002, 0x04050607, 1, false, false, false), 1U + 2 * 7 + 3 * 6);
  EXPECT_EQ(dp2a(0x00030002, 0x04050607, 1, false, false, true), 1U + 2 * 5 + 3 * 4);
  EXPECT_EQ(dp2a(0xffff0000, 0x0000ff00, 0, true, true, false), 1U);
}

TEST(BitsTest, PairsOf16BitsDoNotDisturbEachOther) {
  EXPECT_EQ(add_16x2(0x0001ffff, 0x00010001), 0x00020000U);
  EXPECT_EQ(min_16x2<std::uint16_t>(0x80000001, 0x00017fff), 0x00010001U);
  EXPECT_EQ(min_16x2<std::int16_t>(0x80000001, 0x00017fff), 0x80000001U);
  EXPECT_EQ(min_16x2<std::int16_t>(0x80000001, 0x00017fff, true), 0x00000001U);
  EXPECT_EQ(max_16x2<std::int16_t>(0x8000fffe, 0x0001ffff), 0x0001ffffU);
  EXPECT_EQ(max_16x2<std::int16_t>(0x8000fffe, 0x0001ffff, true), 0x00010000U);
}

// ---- video

constexpr VideoTypes kUnsigned{false, false, false};
constexpr VideoTypes kSigned{true, true, true};

TEST(VideoTest, FourBytesAtOnce) {
  EXPECT_EQ(video_simd(VideoOperation::kAdd, kFourBytes, kUnsigned, 0xff010280, 0x02010380, 0), 0x01020500U);
  EXPECT_EQ(video_simd(VideoOperation::kAdd, kFourBytes, kUnsigned, 0xff010280, 0x02010380, 0, true), 0xff0205ffU);
  EXPECT_EQ(video_simd(VideoOperation::kAdd, kFourBytes, kSigned, 0x7f800000, 0x01ff0000, 0, true), 0x7f800000U);
  EXPECT_EQ(
      video_simd(VideoOperation::kAbsoluteDifference, kFourBytes, kUnsigned, 0x05ff0001, 0x08000100, 7, false, true),
      7U + 3 + 255 + 1 + 1);
  EXPECT_EQ(video_simd(VideoOperation::kAverage, kFourBytes, kUnsigned, 0x01ff0400, 0x02ff0600, 0), 0x02ff0500U);
  EXPECT_EQ(video_simd(VideoOperation::kAverage, kFourBytes, kSigned, 0x000000ff, 0x000000fe, 0), 0x000000feU);  // -1.5
  EXPECT_EQ(video_simd(VideoOperation::kMax, kFourBytes, kSigned, 0x80017f00, 0x00ff0100, 0), 0x00017f00U);
}

TEST(VideoTest, TwoHalvesWithSelectorsAndMask) {
  EXPECT_EQ(video_simd(VideoOperation::kSub, kTwoHalves, kUnsigned, 0x00050003, 0x00020004, 0), 0x0003ffffU);
  EXPECT_EQ(video_simd(VideoOperation::kSub, kTwoHalves, kUnsigned, 0x00050003, 0x00020004, 0, true), 0x00030000U);
  constexpr VideoLanes kCrossed{2, {1, 0}, {2, 2}, 0x2};  // upper half only, from a's lower and b's lower
  EXPECT_EQ(video_simd(VideoOperation::kAdd, kCrossed, kUnsigned, 0x00050003, 0x00020004, 0xaaaabbbb), 0x0007bbbbU);
}

TEST(VideoTest, ComparisonsGiveOnesOrCount) {
  EXPECT_EQ(video_simd_set(Comparison::kLt, kFourBytes, false, false, 0x01ff0305, 0x02000305, 0), 0x01000000U);
  EXPECT_EQ(video_simd_set(Comparison::kLt, kFourBytes, true, true, 0x01ff0305, 0x02000305, 40, true), 42U);
  EXPECT_EQ(video_simd_set(Comparison::kEq, kTwoHalves, false, false, 0x00010002, 0x00010003, 0), 0x00010000U);
}

TEST(VideoTest, OnePartIsMergedOrCombinedWithC) {
  const auto byte = video_part(0x12f05678, VideoPart::kB2, true);
  EXPECT_EQ(byte, -16);
  EXPECT_EQ(video_part(0x12f05678, VideoPart::kH1, false), 0x12f0);
  EXPECT_EQ(video_scalar(VideoOperation::kAdd, byte, 4, 0xaabbccdd, {true, false, VideoPart::kB1}), 0xaabbf4ddU);
  EXPECT_EQ(video_scalar(VideoOperation::kAdd, 200, 100, 0, {false, true, VideoPart::kB0}), 0xffU);
  EXPECT_EQ(video_scalar(VideoOperation::kSub, 1, 2, 0, {false, true}), 0U);
  EXPECT_EQ(video_scalar(VideoOperation::kAdd, 5, 6, 100, {false, false, VideoPart::kWord, VideoSecond::kAdd}), 111U);
  EXPECT_EQ(video_scalar(VideoOperation::kSub, 5, 6, 7, {true, false, VideoPart::kWord, VideoSecond::kMin}), kOnes);
  EXPECT_EQ(video_set(Comparison::kGt, 3, 2, 9, {false, false, VideoPart::kWord, VideoSecond::kMax}), 9U);
}

TEST(VideoTest, ShiftsAndMultiplyAdd) {
  EXPECT_EQ(video_shift(0x80000001, 4, true, ShiftMode::kWrap, 0, {}), 0x10U);
  EXPECT_EQ(video_shift(0x80000001, 4, true, ShiftMode::kWrap, 0, {false, true}), kOnes);
  EXPECT_EQ(video_shift(0xffffffff, 40, true, ShiftMode::kClamp, 0, {false, true}), kOnes);
  EXPECT_EQ(video_shift(0xffffffff, 40, true, ShiftMode::kClamp, 0, {}), 0U);
  EXPECT_EQ(video_shift(-256, 36, false, ShiftMode::kWrap, 0, {true}), static_cast<std::uint32_t>(-16));
  EXPECT_EQ(video_mad(300, 300, 5, false, {}), 90005U);
  EXPECT_EQ(video_mad(300, 300, 5, false, {.plus_one = true, .shift = 7}), 90006U >> 7);
  EXPECT_EQ(video_mad(-300, 300, 5, true, {.shift = 15}), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(video_mad(0xffffffff, 0xffffffff, 0, false, {.sat = true}), kOnes);
  EXPECT_EQ(video_mad(300, 300, 5, false, {.negate_product = true}), static_cast<std::uint32_t>(-89995));
}

}  // namespace
}  // namespace ridge::number
