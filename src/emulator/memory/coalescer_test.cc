#include "emulator/memory/coalescer.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace ridge::emulator {
namespace {

using Addresses = std::array<std::uint64_t, kLanes>;

Addresses strided(std::uint64_t base, std::int64_t stride) {
  Addresses result{};
  for (unsigned i = 0; i < kLanes; ++i) {
    result[i] = base + static_cast<std::uint64_t>(stride) * i;
  }
  return result;
}

struct Expected {
  std::map<std::uint64_t, std::set<unsigned>> bytes;  ///< of each line
};

Expected byte_by_byte(const WarpAccess& access) {
  Expected expected;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1U) == 0) continue;
    for (std::uint64_t i = 0; i < access.bytes; ++i) {
      const std::uint64_t at = access.addresses[lane] + i;
      expected.bytes[at / 128].insert(static_cast<unsigned>(at % 128));
    }
  }
  return expected;
}

void expect_line(const LineAccess& line, const std::set<unsigned>& bytes) {
  std::uint32_t words = 0, whole = 0;
  std::uint8_t sectors = 0;
  for (unsigned word = 0; word < 32; ++word) {
    const auto here =
        static_cast<unsigned>(std::distance(bytes.lower_bound(4 * word), bytes.lower_bound(4 * word + 4)));
    if (here != 0) words |= 1U << word;
    if (here == 4) whole |= 1U << word;
    if (here != 0) sectors = static_cast<std::uint8_t>(sectors | 1U << (word / 8));
  }
  EXPECT_EQ(line.words, words);
  EXPECT_EQ(line.whole, whole);
  EXPECT_EQ(line.sectors, sectors);
}

/// The coalescer against an account of single bytes.
void expect_matches(const WarpAccess& access) {
  Coalesced out;
  coalesce(access, out);
  const Expected expected = byte_by_byte(access);
  ASSERT_EQ(out.lines, expected.bytes.size());
  std::uint32_t sectors = 0;
  for (std::uint32_t i = 0; i < out.lines; ++i) {
    const auto at = expected.bytes.find(out.line[i].line);
    ASSERT_NE(at, expected.bytes.end());
    expect_line(out.line[i], at->second);
    sectors += static_cast<std::uint32_t>(std::popcount(out.line[i].sectors));
  }
  EXPECT_EQ(out.sectors, sectors);
}

Coalesced coalesced(const Addresses& addresses, std::uint32_t bytes, AccessKind kind = AccessKind::kLoad) {
  Coalesced out;
  coalesce({.addresses = addresses.data(), .bytes = bytes, .kind = kind}, out);
  return out;
}

TEST(Coalescer, EveryStrideAndWidthMatchesAnAccountOfBytes) {
  for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (std::int64_t stride = -200; stride <= 200; ++stride) {
      for (const std::uint64_t base : {8192ULL, 8192ULL + 32, 8192ULL + 4, 8192ULL + 127, 8192ULL + 112}) {
        SCOPED_TRACE(testing::Message() << bytes << " bytes, stride " << stride << ", base " << base);
        const Addresses addresses = strided(base, stride);
        expect_matches({.addresses = addresses.data(), .bytes = bytes});
      }
    }
  }
}

TEST(Coalescer, LargeStridesOfEitherSignMatch) {
  for (const std::int64_t stride : {256LL, -256LL, 4096LL, -4096LL, 1LL << 33, 260LL, 132LL}) {
    const Addresses addresses = strided(1ULL << 40, stride);
    for (const std::uint32_t bytes : {1U, 4U, 16U}) expect_matches({.addresses = addresses.data(), .bytes = bytes});
  }
}

TEST(Coalescer, RandomAddressesAndMasksMatch) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t bytes = 1U << (random() % 6);
    const std::uint64_t span = 1ULL << (6 + random() % 20);
    const std::uint64_t align = random() % 4 == 0 ? 1 : bytes;
    Addresses addresses{};
    for (auto& address : addresses) address = (1U << 20) + random() % span / align * align;
    const std::uint32_t active = round % 3 == 0 ? kAllLanes : static_cast<std::uint32_t>(random());
    SCOPED_TRACE(round);
    expect_matches({.addresses = addresses.data(), .active = active, .bytes = bytes});
  }
}

TEST(Coalescer, InactiveLanesAskForNothing) {
  const Addresses addresses = strided(0, 4096);
  Coalesced out;
  coalesce({.addresses = addresses.data(), .active = 0}, out);
  EXPECT_EQ(out.lines, 0U);
  EXPECT_EQ(out.sectors, 0U);
  coalesce({.addresses = addresses.data(), .active = 1U << 31}, out);
  EXPECT_EQ(out.lines, 1U);
  EXPECT_EQ(out.line[0].line, 31U * 32);
}

TEST(Coalescer, NeighboursShareSectorsAndStridesDoNot) {
  EXPECT_EQ(coalesced(strided(4096, 4), 4).sectors, 4U);
  EXPECT_EQ(coalesced(strided(4096, 16), 16).lines, 4U);
  EXPECT_EQ(coalesced(strided(4096, 64), 4).lines, 16U);
  EXPECT_EQ(coalesced(strided(4096, 64), 4).sectors, 32U);
  EXPECT_EQ(coalesced(strided(4096, 0), 16).sectors, 1U);
  EXPECT_EQ(coalesced(strided(4100, 4), 4).sectors, 5U);
}

TEST(Coalescer, MisalignedLanesOf32BytesStayInBounds) {
  const Addresses addresses = strided(112, 4096);
  const Coalesced out = coalesced(addresses, 32);
  EXPECT_EQ(out.lines, kMaxLines);
  EXPECT_EQ(out.sectors, kMaxLines);
}

std::uint32_t wavefronts(const Addresses& addresses, std::uint32_t bytes, AccessKind kind) {
  return data_wavefronts(coalesced(addresses, bytes, kind),
                         {.addresses = addresses.data(), .bytes = bytes, .kind = kind});
}

TEST(Wavefronts, LoadsCostTheirLines) {
  EXPECT_EQ(wavefronts(strided(4096, 0), 4, AccessKind::kLoad), 1U);
  EXPECT_EQ(wavefronts(strided(4096, 4), 4, AccessKind::kLoad), 1U);
  EXPECT_EQ(wavefronts(strided(4096, 16), 16, AccessKind::kLoad), 4U);
  EXPECT_EQ(wavefronts(strided(4096, 64), 4, AccessKind::kLoad), 16U);  // recorded: strided_read with stride 16
}

TEST(Wavefronts, TwoLinesWhoseBanksDifferShareOne) {
  EXPECT_EQ(wavefronts(strided(4100, 4), 4, AccessKind::kLoad), 1U);  // recorded: stencil_rows
  EXPECT_EQ(wavefronts(strided(4096, 132), 4, AccessKind::kLoad), 16U);
}

TEST(Wavefronts, StoresCostOneMoreThanTheirLines) {
  EXPECT_EQ(wavefronts(strided(4096, 4), 4, AccessKind::kStore), 2U);
  EXPECT_EQ(wavefronts(strided(4096, 16384), 4, AccessKind::kStore), 33U);  // recorded: transpose_naive
}

TEST(Wavefronts, AsynchronousCopiesOf16BytesPassByTheDataStage) {
  EXPECT_EQ(wavefronts(strided(4096, 16), 16, AccessKind::kAsyncCopy), 0U);
  EXPECT_EQ(wavefronts(strided(4096, 4096), 4, AccessKind::kAsyncCopy), 32U);
}

/// histogram_global, n = 16777216: 524,288 warps add to 256 counters at random and touch 11,859,165 sectors; with the
/// wavefront of each load 3,959,619 wavefronts.
TEST(Wavefronts, AdditionsToAHistogramCostWhatWasRecorded) {
  std::mt19937 random(3);
  double sectors = 0, wavefronts = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    Addresses addresses{};
    for (auto& address : addresses) address = 65536 + 4 * (random() % 256);
    const WarpAccess access{.addresses = addresses.data(), .kind = AccessKind::kReduction};
    Coalesced out;
    coalesce(access, out);
    sectors += atomic_sectors(out);
    wavefronts += data_wavefronts(out, access);
  }
  EXPECT_NEAR(sectors / kRounds, 11859165.0 / 524288, 0.03 * 11859165.0 / 524288);
  EXPECT_NEAR(wavefronts / kRounds, 3959619.0 / 524288 - 1, 0.06 * 3959619.0 / 524288);
}

TEST(Wavefronts, AReductionOfConsecutiveWordsTouchesFourSectors) {
  EXPECT_EQ(atomic_sectors(coalesced(strided(4096, 4), 4)), 4U);  // recorded: histogram_shared
  EXPECT_EQ(atomic_sectors(coalesced(strided(4096, 8), 8)), 8U);
}

}  // namespace
}  // namespace ridge::emulator
