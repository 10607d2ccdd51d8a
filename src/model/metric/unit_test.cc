#include "model/metric/unit.h"

#include <gtest/gtest.h>

#include <utility>

namespace ridge {
namespace {

TEST(MetricUnitTest, TimeIsInNanoseconds) {
  EXPECT_EQ(unit_of_metric("gpu__time_duration.sum").name, "s");
  EXPECT_DOUBLE_EQ(unit_of_metric("gpu__time_duration.sum").factor, 1e-9);
  EXPECT_DOUBLE_EQ(unit_of_metric("profiler__pmsampler_interval_time").factor, 1e-9);
}

TEST(MetricUnitTest, TellsTheUnitFromTheName) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"dram__bytes_read.sum", "byte"},
      {"dram__bytes.sum.per_second", "byte/s"},
      {"dram__bytes.sum.peak_sustained", "byte/cycle"},
      {"dram__cycles_elapsed.avg.per_second", "hz"},
      {"sm__cycles_active.avg", "cycle"},
      {"sm__warps_active.avg.pct_of_peak_sustained_active", "%"},
      {"lts__t_sector_hit_rate.pct", "%"},
      {"sm__maximum_warps_per_active_cycle_pct", "%"},
      {"lts__t_sectors.sum", "sector"},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", "inst/cycle"},
      {"smsp__thread_inst_executed_per_inst_executed.ratio", ""},
      {"device__attribute_l2_cache_size", ""},
      {"launch__registers_per_thread", "register/thread"},
  };
  for (const auto& [metric, unit] : cases) {
    EXPECT_EQ(unit_of_metric(metric).name, unit) << metric;
    EXPECT_EQ(unit_of_metric(metric).factor, 1) << metric;
  }
}

}  // namespace
}  // namespace ridge
