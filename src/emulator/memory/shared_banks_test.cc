#include "emulator/memory/shared_banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

namespace ridge::emulator {
namespace {

using Addresses = std::array<std::uint64_t, kLanes>;

template <class Address>
Addresses lanes(Address address) {
  Addresses result{};
  for (unsigned i = 0; i < kLanes; ++i) result[i] = std::uint64_t{address(i)};
  return result;
}

SharedCost cost(const Addresses& addresses, std::uint32_t bytes, std::uint32_t active = kAllLanes) {
  return shared_cost({.addresses = addresses.data(), .active = active, .bytes = bytes});
}

TEST(SharedBanks, OneWordForAllOrNeighbouringWordsTakeOneWavefront) {
  EXPECT_EQ(cost(lanes([](unsigned) { return 64U; }), 4), (SharedCost{1, 0}));
  EXPECT_EQ(cost(lanes([](unsigned i) { return 4 * i; }), 4), (SharedCost{1, 0}));
  EXPECT_EQ(cost(lanes([](unsigned i) { return i; }), 1), (SharedCost{1, 0}));
  EXPECT_EQ(cost(lanes([](unsigned i) { return 2 * (31 - i); }), 2), (SharedCost{1, 0}));
}

/// shared_stride and transpose_shared as recorded: stride 1, 2 and 32 cost 1, 2 and 32 wavefronts; a padded column one.
TEST(SharedBanks, StridesCostTheWordsOfOneBank) {
  for (const auto& [stride, wavefronts] :
       std::map<unsigned, unsigned>{{1, 1}, {2, 2}, {3, 1}, {8, 8}, {12, 4}, {32, 32}, {33, 1}, {64, 32}}) {
    EXPECT_EQ(cost(lanes([step = 4 * stride](unsigned i) { return step * i; }), 4),
              (SharedCost{wavefronts, wavefronts - 1}))
        << stride;
  }
}

/// The recorded vector product: 2 loads of 16 bytes with 2 addresses and 2 with 16 take 12 wavefronts.
TEST(SharedBanks, SixteenBytesGoByQuartersUnlessNeighboursAgree) {
  const SharedCost left = cost(lanes([](unsigned i) { return i / 16 * 16; }), 16);
  const SharedCost right = cost(lanes([](unsigned i) { return i % 16 * 16; }), 16);
  EXPECT_EQ(2 * left.wavefronts + 2 * right.wavefronts, 12U);
  EXPECT_EQ(left.conflicts + right.conflicts, 0U);
}

/// The asynchronous one: 2 with 4 addresses, each for 8 neighbours, and 4 with 8, each for lanes 8 apart: 20. The tiled
/// one: 8 loads of 16 bytes that all lanes share and 32 of 4 bytes: 48.
TEST(SharedBanks, OtherRecordedProductsCostWhatTheyDid) {
  const SharedCost neighbours = cost(lanes([](unsigned i) { return i / 8 * 16; }), 16);
  const SharedCost apart = cost(lanes([](unsigned i) { return i % 8 * 16; }), 16);
  EXPECT_EQ(2 * neighbours.wavefronts + 4 * apart.wavefronts, 20U);
  const SharedCost all = cost(lanes([](unsigned) { return 32U; }), 16);
  const SharedCost row = cost(lanes([](unsigned i) { return 4 * i; }), 4);
  EXPECT_EQ(8 * all.wavefronts + 32 * row.wavefronts, 48U);
}

TEST(SharedBanks, WholeRowsOfWideLanesHaveNoConflict) {
  EXPECT_EQ(cost(lanes([](unsigned i) { return 8 * i; }), 8), (SharedCost{2, 0}));
  EXPECT_EQ(cost(lanes([](unsigned i) { return 16 * i; }), 16), (SharedCost{4, 0}));
  EXPECT_EQ(cost(lanes([](unsigned i) { return 128 * i; }), 16), (SharedCost{32, 28}));
  EXPECT_EQ(cost(lanes([](unsigned i) { return 256 * (i % 2); }), 8), (SharedCost{4, 2}));
}

TEST(SharedBanks, SwitchedOffLanesCostNothingButTheInstructionDoes) {
  const Addresses column = lanes([](unsigned i) { return 128 * i; });
  EXPECT_EQ(cost(column, 4, 0), (SharedCost{1, 0}));
  EXPECT_EQ(cost(column, 4, 0xF), (SharedCost{4, 3}));
  EXPECT_EQ(cost(column, 16, 0xFF00), (SharedCost{8, 7}));
}

/// histogram_shared, n = 16777216: 1,656,287 wavefronts of 524,288 additions to 256 counters.
TEST(SharedBanks, AdditionsToAHistogramCostWhatWasRecorded) {
  std::mt19937 random(5);
  double wavefronts = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    const Addresses addresses = lanes([&](unsigned) { return 4 * (random() % 256); });
    wavefronts += shared_cost({.addresses = addresses.data(), .bytes = 4, .kind = AccessKind::kReduction}).wavefronts;
  }
  EXPECT_NEAR(wavefronts / kRounds, 1656287.0 / 524288, 0.01 * 1656287 / 524288);
}

TEST(SharedBanks, FourByteLanesMatchACountByBank) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    const unsigned span = 1U << (1 + random() % 12);
    const Addresses addresses = lanes([&](unsigned) { return 4 * (random() % span); });
    const auto active = static_cast<std::uint32_t>(random());
    std::map<std::uint64_t, std::set<std::uint64_t>> banks;
    for (unsigned i = 0; i < kLanes; ++i) {
      if ((active >> i & 1U) != 0) banks[addresses[i] / 4 % 32].insert(addresses[i]);
    }
    std::size_t most = 1;
    for (const auto& [bank, words] : banks) most = std::max(most, words.size());
    EXPECT_EQ(cost(addresses, 4, active).wavefronts, most);
  }
}

}  // namespace
}  // namespace ridge::emulator
