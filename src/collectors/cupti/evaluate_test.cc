#include "collectors/cupti/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collectors/cupti/find.h"

namespace ridge::collectors::cupti {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Profile::metrics as a collector would build it.
struct Table {
  std::vector<MetricName> names;
  std::uint32_t operator()(const std::string& name, const std::string& unit) {
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (names[i].name == name) return i;
    }
    names.push_back({name, unit});
    return static_cast<std::uint32_t>(names.size() - 1);
  }
};

LaunchFacts facts_of_90() {
  LaunchFacts facts;
  facts.capability_major = 9;
  facts.duration = Value<Seconds>(Seconds(123), Provenance::kMeasured);  // not to be used
  return facts;
}

TEST(EvaluateTest, CountersBecomeWorkAndTheDurationIsTheCounters) {
  const std::vector<std::string> metrics = {"gpu__time_duration.sum",
                                            "dram__bytes_read.sum",
                                            "dram__bytes_write.sum",
                                            "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                            "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                                            "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                            "sm__warps_active.avg.pct_of_peak_sustained_active"};
  const std::vector<double> values = {2000, 64, 32, 1, 2, 10, 50};
  Table table;
  const EvaluatedLaunch launch = measurement_of_values(metrics, values, facts_of_90(), std::ref(table));
  ASSERT_TRUE(launch.duration);
  EXPECT_DOUBLE_EQ(launch.duration->count(), 2e-6);
  EXPECT_EQ(launch.measurement.work.bytes.dram_read->count(), 64);
  EXPECT_EQ(launch.measurement.work.bytes.dram->count(), 96);
  EXPECT_EQ(launch.measurement.work.flops->count(), 23);
  EXPECT_EQ(*launch.measurement.execution.achieved_occupancy, 0.5);
  EXPECT_EQ(launch.measurement.work.flops.provenance(), Provenance::kMeasured);
  EXPECT_EQ(launch.not_collected, 0u);
}

TEST(EvaluateTest, RawCountersAreInBaseUnitsAndSorted) {
  Table table;
  table("dram__bytes_read.sum", "byte");
  const EvaluatedLaunch launch =
      measurement_of_values(std::vector<std::string>{"gpu__time_duration.sum", "dram__bytes_read.sum"},
                            std::vector<double>{2000, 64}, facts_of_90(), std::ref(table));
  ASSERT_EQ(launch.measurement.raw.size(), 2u);
  EXPECT_EQ(launch.measurement.raw[0].metric, 0u);
  EXPECT_EQ(launch.measurement.raw[0].value, 64);
  EXPECT_DOUBLE_EQ(launch.measurement.raw[1].value, 2e-6);
  EXPECT_EQ(table.names[1].unit, "s");
}

TEST(EvaluateTest, WhatWasNotCollectedIsMissingNotZero) {
  Table table;
  const EvaluatedLaunch launch =
      measurement_of_values(std::vector<std::string>{"gpu__time_duration.sum", "dram__bytes_read.sum",
                                                     "dram__bytes_write.sum", "lts__t_bytes.sum"},
                            std::vector<double>{kNone, kNone, 32, -1}, facts_of_90(), std::ref(table));
  EXPECT_FALSE(launch.duration);
  EXPECT_EQ(launch.duration.reason().text(), "the counter was not collected in every pass");
  EXPECT_FALSE(launch.measurement.work.bytes.dram_read);
  EXPECT_FALSE(launch.measurement.work.bytes.dram);
  EXPECT_EQ(launch.measurement.work.bytes.dram_write->count(), 32);
  EXPECT_FALSE(launch.measurement.work.bytes.l2);
  EXPECT_EQ(launch.not_collected, 2u);
  EXPECT_EQ(table.names.size(), 2u);
}

TEST(EvaluateTest, AnImageThatIsNoneIsAnError) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP()
      << "the vendor's library loads its own parts in a way (RTLD_DEEPBIND) that the address sanitizer refuses";
#endif
  const auto library = choose_library(places_here("", 0));
  if (!library) GTEST_SKIP() << "no CUPTI on this machine: " << to_string(library.error());
  const auto calls = open_calls(library->path);
  if (!calls || supported_chips(**calls).empty()) GTEST_SKIP() << "no CUPTI that can be used here";
  wire::CounterSetup setup;
  setup.metrics = {"gpu__time_duration.sum"};
  const auto evaluator = Evaluator::make(*calls, "GH100", setup);
  ASSERT_TRUE(evaluator) << to_string(evaluator.error());
  EXPECT_FALSE(evaluator->values(""));
  EXPECT_FALSE(evaluator->values(std::string(4096, '\0')));
}

}  // namespace
}  // namespace ridge::collectors::cupti
