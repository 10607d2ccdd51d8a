#include "emulator/memory/sectored_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ridge::emulator {
namespace {

LineAccess words(std::uint64_t line, std::uint32_t mask) {
  return {.line = line, .words = mask, .whole = mask, .sectors = sectors_touched(mask)};
}

TEST(SectorMasks, FollowTheWords) {
  EXPECT_EQ(sectors_touched(0), 0);
  EXPECT_EQ(sectors_touched(1), 1);
  EXPECT_EQ(sectors_touched(0x80000100), 0b1010);
  EXPECT_EQ(sectors_covered(0x00FF00FE), 0b0100);
  EXPECT_EQ(sectors_covered(0xFFFFFFFF), 0b1111);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(count_sectors(static_cast<std::uint8_t>(i)), static_cast<std::uint32_t>(std::popcount(i)));
  }
}

TEST(ReadCache, SectorsOfALineComeOneByOne) {
  ReadCache cache(64 << 10);
  EXPECT_EQ(cache.read(5, 0b0011), 0);
  EXPECT_EQ(cache.read(5, 0b0110), 0b0010);
  EXPECT_EQ(cache.read(5, 0b1111), 0b0111);
  cache.invalidate(5, 0b0101);
  EXPECT_EQ(cache.read(5, 0b1111), 0b1010);
}

TEST(ReadCache, WholeSectorsThatWereWrittenCanBeReadAndOthersNot) {
  ReadCache cache(64 << 10);
  EXPECT_EQ(cache.write(9, 0b0011, 0b0001), 0);
  EXPECT_EQ(cache.write(9, 0b0111, 0), 0b0011);
  EXPECT_EQ(cache.read(9, 0b0011), 0b0001);
}

TEST(ReadCache, HoldsWhatItsSizeSaysAndLosesSomeBeyond) {
  ReadCache cache(128 << 10);
  EXPECT_EQ(cache.bytes(), 128U << 10);
  const auto hits = [&](std::uint64_t lines) {
    std::uint64_t sum = 0;
    for (int pass = 0; pass < 4; ++pass) {
      for (std::uint64_t line = 0; line < lines; ++line) sum += cache.read(line, 1);
    }
    return static_cast<double>(sum) / static_cast<double>(4 * lines);
  };
  EXPECT_GT(hits(512), 0.74);  // half full: only the first pass misses
  cache = ReadCache(128 << 10);
  const double beyond = hits(1536);  // half as much again: replacement at random keeps some
  EXPECT_GT(beyond, 0.15);
  EXPECT_LT(beyond, 0.6);
}

TEST(ReadCache, StridesOfPowersOfTwoSpread) {
  for (const std::uint64_t stride : {1ULL, 8ULL, 32ULL, 128ULL, 1024ULL, 1ULL << 20}) {
    ReadCache cache(256 << 10);
    std::uint64_t hits = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::uint64_t i = 0; i < 1024; ++i) hits += cache.read(i * stride, 1);
    }
    EXPECT_GT(hits, 950U) << stride;
  }
}

TEST(WriteCache, WholeSectorsNeedNoMemory) {
  WriteCache cache(4);
  const std::uint64_t hash = hash_of(3);
  EXPECT_EQ(cache.write(words(3, 0x000000FF), hash).dirty, 0);
  EXPECT_EQ(cache.touch(3, 0b1111, hash), 0b0001);
  EXPECT_EQ(cache.dirty_sectors(), 1U);
}

TEST(WriteCache, WordsOfOneSectorAddUp) {
  WriteCache cache(4);
  const std::uint64_t hash = hash_of(3);
  for (unsigned word = 0; word < 8; ++word) {
    EXPECT_EQ(cache.touch(3, 0b0001, hash), 0);
    (void)cache.write(words(3, 1U << word), hash);
  }
  EXPECT_EQ(cache.touch(3, 0b0001, hash), 0b0001);
}

TEST(WriteCache, TheOldestLineMakesRoomAndSaysWhatIsDirtyAndPartial) {
  WriteCache cache(1);
  (void)cache.write(words(0, 0x0000'01FF), hash_of(0));  // sector 0 whole, sector 1 in part
  for (std::uint64_t line = 1; line < kWays; ++line) EXPECT_EQ(cache.fill(line, 1, hash_of(line)).dirty, 0);
  EXPECT_EQ(cache.touch(1, 1, hash_of(1)), 1);
  const Victim victim = cache.fill(100, 1, hash_of(100));
  EXPECT_EQ(victim.dirty, 0b0011);
  EXPECT_EQ(victim.partial, 0b0010);
  EXPECT_EQ(cache.touch(1, 1, hash_of(1)), 1) << "was used since";
  (void)cache.fill(101, 1, hash_of(101));
  EXPECT_EQ(cache.touch(2, 1, hash_of(2)), 0) << "was the oldest";
}

TEST(WriteCache, DirtyLinesBeyondTheLimitAreWrittenEarlyAndStay) {
  WriteCache cache(1, 2);
  EXPECT_EQ(cache.write(words(0, 0xFF), hash_of(0)).dirty, 0);
  EXPECT_EQ(cache.write(words(1, 0xFF), hash_of(1)).dirty, 0);
  EXPECT_EQ(cache.write(words(2, 0xFF), hash_of(2)).dirty, 1);
  EXPECT_EQ(cache.touch(0, 1, hash_of(0)), 1);
  EXPECT_EQ(cache.dirty_sectors(), 2U);
}

/// Against a list of lines in the order of their use.
TEST(WriteCache, IsExactlyLeastRecentlyUsed) {
  WriteCache cache(1);
  std::vector<std::uint64_t> order;
  std::mt19937 random(3);
  for (int step = 0; step < 20000; ++step) {
    const std::uint64_t line = random() % 24;
    const auto at = std::find(order.begin(), order.end(), line);
    ASSERT_EQ(cache.touch(line, 1, hash_of(line)) != 0, at != order.end());
    if (at != order.end()) order.erase(at);
    order.insert(order.begin(), line);
    (void)cache.fill(line, 1, hash_of(line));
    if (order.size() > kWays) order.pop_back();
  }
}

}  // namespace
}  // namespace ridge::emulator
