#include "collectors/fake/sampler.h"

#include <gtest/gtest.h>

#include "collectors/fake/test_script.h"

namespace ridge::collectors::fake {
namespace {

Script script() {
  return *parse_script(
      "kernel a\ncount dram__bytes_read.sum 1000\nend\n"
      "kernel b\ncount dram__bytes_read.sum 7000\ncount l1tex__t_sector_hit_rate.pct 80\nend\n",
      "s");
}

WorkRecord run(std::uint32_t kernel, std::uint64_t start, std::uint64_t end, std::uint32_t device = 0) {
  return {start, end, 10, 1280, device, kernel};
}

double sum(Sampler& sampler, std::uint64_t until) {
  double total = 0;
  for (std::uint64_t left = sampler.ready(until); left > 0; --left) total += sampler.take().amounts[0];
  return total;
}

TEST(FakeSamplerTest, SamplesSumToTheWorkHoweverItStraddles) {
  const Script played = script();
  Sampler sampler(played, 0, {"dram__bytes_read"}, 1'000'000, 10'000);
  // Inside one sample, across two, across many, two at once.
  sampler.add({run(0, 1'001'000, 1'002'000), run(1, 1'009'999, 1'010'001), run(1, 1'011'111, 1'077'777),
               run(0, 1'040'000, 1'060'000)});
  EXPECT_NEAR(sum(sampler, 1'100'000), 16'000, 1e-6);
}

TEST(FakeSamplerTest, AKernelCountsEvenlyOverItsTime) {
  const Script played = script();
  Sampler sampler(played, 0, {"dram__bytes_read"}, 0, 10'000);
  sampler.add({run(0, 5'000, 25'000)});
  EXPECT_NEAR(sampler.take().amounts[0], 250, 1e-9);
  EXPECT_NEAR(sampler.take().amounts[0], 500, 1e-9);
  EXPECT_NEAR(sampler.take().amounts[0], 250, 1e-9);
  EXPECT_EQ(sampler.take().amounts[0], 0);
}

TEST(FakeSamplerTest, WorkFromBeforeTheStartCountsWithItsRest) {
  const Script played = script();
  Sampler sampler(played, 0, {"dram__bytes_read"}, 100'000, 10'000);
  sampler.add({run(0, 10'000, 20'000), run(0, 90'000, 110'000)});
  EXPECT_NEAR(sum(sampler, 200'000), 500, 1e-9);
}

TEST(FakeSamplerTest, WorkOfOtherDevicesIsNotSeen) {
  const Script played = *parse_script("device\nend\ndevice\nend\nkernel a\nend\n", "s");
  Sampler sampler(played, 1, {"dram__bytes_read"}, 0, 10'000);
  sampler.add({run(0, 0, 5'000, 0)});
  EXPECT_EQ(sum(sampler, 20'000), 0);
}

TEST(FakeSamplerTest, RecordsMayComeLaterAndOutOfOrder) {
  const Script played = script();
  Sampler sampler(played, 0, {"dram__bytes_read"}, 0, 10'000);
  sampler.add({run(1, 30'000, 40'000), run(0, 20'000, 30'000)});
  EXPECT_EQ(sum(sampler, 20'000), 0);
  sampler.add({run(0, 25'000, 26'000)});
  EXPECT_NEAR(sum(sampler, 40'000), 9'000, 1e-9);
}

TEST(FakeSamplerTest, TimePassesInEverySample) {
  const Script played = script();
  Sampler sampler(played, 0, {"sm__cycles_elapsed", "gpu__time_duration"}, 0, 10'000);
  const Sample sample = sampler.take();
  EXPECT_NEAR(sample.amounts[0], 10e-6 * 1.98e9 * 132, 1e-3);
  EXPECT_NEAR(sample.amounts[1], 10'000, 1e-6);
  EXPECT_EQ(sample.active, 0);
}

TEST(FakeSamplerTest, RatiosAreWeightedByTime) {
  const Script played = script();
  Sampler sampler(played, 0, {"l1tex__t_sector_hit_rate"}, 0, 10'000);
  sampler.add({run(1, 0, 5'000)});
  EXPECT_NEAR(sampler.take().amounts[0], 0.4, 1e-9);
}

TEST(FakeSamplerTest, OnlyWholeSamplesAreReady) {
  const Script played = script();
  Sampler sampler(played, 0, {"dram__bytes_read"}, 1'000, 10'000);
  EXPECT_EQ(sampler.ready(500), 0U);
  EXPECT_EQ(sampler.ready(10'999), 0U);
  EXPECT_EQ(sampler.ready(21'000), 2U);
  sampler.skip(2);
  EXPECT_EQ(sampler.take().start, 21'000U);
}

TEST(FakeWorkLogTest, ReadersSeeWhatWritersAppendEachOnce) {
  const ScriptFolder folder("");
  WorkReader reader(folder.path());
  EXPECT_TRUE(reader.news().empty());
  WorkWriter one(folder.path()), two(folder.path());
  EXPECT_TRUE(one.append(run(0, 1, 2)));
  EXPECT_TRUE(two.append(run(1, 3, 4)));
  const auto records = reader.news();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].kernel, 1U);
  EXPECT_TRUE(reader.news().empty());
  EXPECT_TRUE(one.append(run(0, 5, 6)));
  EXPECT_EQ(reader.news().size(), 1U);
}

}  // namespace
}  // namespace ridge::collectors::fake
