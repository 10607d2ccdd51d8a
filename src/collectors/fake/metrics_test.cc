#include "collectors/fake/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::collectors::fake {
namespace {

Execution of(const Kernel& kernel, const Device& device) {
  return {&kernel, &device, 100e-6, 1000, 256000, 8000};
}

double value(const std::string& text, const Kernel& kernel, const Device& device = {}) {
  MetricName name;
  EXPECT_TRUE(parse_metric(text, false, name)) << text;
  const Execution execution = of(kernel, device);
  return form_value(name, counted(name.base, execution), {execution.seconds, execution.seconds * kActiveShare}, device);
}

Kernel with(std::initializer_list<std::pair<const std::string, Count>> counts) {
  Kernel kernel;
  for (const auto& [name, count] : counts) kernel.counts[name] = count;
  return kernel;
}

TEST(FakeMetricsTest, WhatAKernelListsIsWhatItCounts) {
  const Kernel kernel = with({{"dram__bytes_read.sum", {5e6}},
                              {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", {3, Count::Per::kThread}}});
  EXPECT_DOUBLE_EQ(value("dram__bytes_read.sum", kernel), 5e6);
  EXPECT_DOUBLE_EQ(value("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", kernel), 768000);
  EXPECT_DOUBLE_EQ(value("sm__sass_thread_inst_executed_op_ffma_pred_on.sum", kernel), 768000);
}

TEST(FakeMetricsTest, FormsFollowFromTheSum) {
  const Kernel kernel = with({{"dram__bytes_read.sum", {5e6}}});
  const Device device;
  EXPECT_NEAR(value("dram__bytes_read.sum.per_second", kernel), 5e10, 1);
  const double share = value("dram__bytes_read.sum.pct_of_peak_sustained_elapsed", kernel);
  EXPECT_NEAR(share, 100 * 5e10 / device.dram_rate, 1e-9);
  EXPECT_NEAR(value("sm__cycles_elapsed.avg.per_second", kernel), device.sm_clock, 1);
  EXPECT_NEAR(value("gpu__time_duration.sum", kernel), 100'000, 1e-6);
}

TEST(FakeMetricsTest, AListedFormGivesTheOthers) {
  const Kernel kernel = with({{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", {45}}});
  EXPECT_NEAR(value("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", kernel), 45, 1e-9);
  EXPECT_NEAR(value("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", kernel), 50, 1e-9);
}

TEST(FakeMetricsTest, RelatedMetricsAgree) {
  const Kernel kernel = with({{"dram__bytes_read.sum", {6.4e6}}, {"dram__sectors_write.sum", {1e5}}});
  EXPECT_DOUBLE_EQ(value("dram__sectors_read.sum", kernel), 2e5);
  EXPECT_DOUBLE_EQ(value("dram__bytes_write.sum", kernel), 3.2e6);
  EXPECT_DOUBLE_EQ(value("dram__bytes.sum", kernel), 9.6e6);
  EXPECT_DOUBLE_EQ(value("lts__t_bytes.sum", kernel), 9.6e6);
}

TEST(FakeMetricsTest, EveryMetricOfTheChipHasAValueInEveryForm) {
  for (const MetricClass type : {MetricClass::kCounter, MetricClass::kRatio, MetricClass::kThroughput}) {
    for (const char* base : base_metrics(type, false)) {
      for (const char* form : forms(type)) {
        const double v = value(std::string(base) + form, Kernel{});
        EXPECT_TRUE(std::isfinite(v) && v >= 0) << base << form << " " << v;
      }
    }
  }
}

TEST(FakeMetricsTest, AMigSliceDoesNotTellOfSharedUnits) {
  Device device;
  device.mig = true;
  EXPECT_TRUE(std::isnan(value("dram__bytes_read.sum", Kernel{}, device)));
  EXPECT_TRUE(std::isnan(value("lts__t_sectors.sum", Kernel{}, device)));
  EXPECT_FALSE(std::isnan(value("sm__inst_executed.sum", Kernel{}, device)));
}

TEST(FakeMetricsTest, NamesThatTheChipDoesNotHaveAreRefused) {
  MetricName name;
  EXPECT_FALSE(parse_metric("dram__bytes_read", false, name));
  EXPECT_FALSE(parse_metric("dram__bytes_read.total", false, name));
  EXPECT_FALSE(parse_metric("nothing.sum", false, name));
  EXPECT_FALSE(parse_metric("l1tex__t_sector_hit_rate.sum", false, name));
  EXPECT_FALSE(parse_metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", true, name));
  EXPECT_TRUE(parse_metric("dram__bytes_read.sum", true, name));
}

TEST(FakeMetricsTest, OpcodesAndTensorPathsTakePassesOfTheirOwn) {
  const std::vector<std::string> hardware = {"dram__bytes_read.sum", "lts__t_bytes.sum", "sm__inst_executed.sum"};
  EXPECT_EQ(passes_of(hardware), 1U);
  auto more = hardware;
  more.emplace_back("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
  EXPECT_EQ(passes_of(more), 2U);
  more.emplace_back("sm__ops_path_tensor_src_fp64.sum");
  EXPECT_EQ(passes_of(more), 3U);
}

}  // namespace
}  // namespace ridge::collectors::fake
