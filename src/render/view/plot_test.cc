#include "render/view/plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/report_fixture.h"

namespace ridge::render {
namespace {

Plot lab_plot() {
  return make_plots(test::lab_report(), 26).at(0);
}

TEST(PlotTest, DrawsTheRoofsThatTheKernelsUse) {
  const Plot plot = lab_plot();
  std::vector<std::string> names;
  for (const PlotRoof& roof : plot.roofs) names.push_back(roof.resource);
  EXPECT_EQ(names, (std::vector<std::string>{"dram", "l2", "l1", "bf16_tensor_wgmma_dense", "fp32_core"}));
}

TEST(PlotTest, RoofsAreChosenByTheTimeOfTheirKernelsAndNotByHeight) {
  Report report = test::lab_report();
  ReportMachine& machine = report.machines[0];
  const auto add = [&](DataType type, double peak, TensorPath path = TensorPath::kWgmma) {
    const ComputeKey key = tensor(type, path);
    ComputeRoof roof = machine.compute_roofs.front();
    roof.key = key;
    roof.peak = Value<FlopsPerSecond>(FlopsPerSecond(peak), Provenance::kDatasheet);
    machine.compute_roofs.push_back(roof);
    ReportKernel kernel = report.kernels[5];
    kernel.duration = Value<Seconds>(Seconds(1e-6), Provenance::kMeasured);
    kernel.work.compute = {{}};
    kernel.work.compute[0].key = key;
    kernel.work.compute[0].amount = Value<Flops>(Flops(1e9), Provenance::kMeasured);
    report.kernels.push_back(kernel);
  };
  add(DataType::kFp8, 2e15);
  add(DataType::kFp16, 1e15);
  add(DataType::kTf32, 5e14);
  add(DataType::kFp64, 1e14);
  add(DataType::kFp4, 4e15);
  add(DataType::kFp6, 3e15);
  add(DataType::kFp8, 1.5e15, TensorPath::kMmaSync);
  const Plot plot = make_plots(report, 26).at(0);
  int compute = 0;
  bool fp32 = false;
  for (const PlotRoof& roof : plot.roofs) {
    compute += roof.memory ? 0 : 1;
    fp32 = fp32 || roof.resource == "fp32_core";
  }
  EXPECT_EQ(compute, 8);
  EXPECT_TRUE(fp32);
}

TEST(PlotTest, MemoryRoofsEndAtTheTopComputeRoof) {
  const Plot plot = lab_plot();
  const double top = std::log10(plot.top_compute()->rate);
  for (const PlotRoof& roof : plot.roofs) {
    EXPECT_GE(roof.x0, plot.x_min);
    EXPECT_LE(roof.x1, plot.x_max);
    if (!roof.memory) continue;
    EXPECT_NEAR(roof.y1, top, 1e-9);
    EXPECT_NEAR(roof.y1 - roof.x1, std::log10(roof.rate), 1e-9);
  }
}

TEST(PlotTest, AKernelStandsAtItsIntensityAndSpeed) {
  const Plot plot = lab_plot();
  const Report report = test::lab_report();
  ASSERT_FALSE(plot.points.empty());
  const PlotPoint& point = plot.points[0];
  EXPECT_EQ(point.kernel, 0u);
  EXPECT_EQ(point.level, "dram");
  EXPECT_NEAR(std::pow(10, point.x), report.kernels[0].intensity_dram->count(), 1e-9);
  EXPECT_NEAR(std::pow(10, point.y), report.kernels[0].flops_per_s->count(), 1);
}

TEST(PlotTest, AKernelWithoutFlopsIsNotPlaced) {
  const Plot plot = lab_plot();
  ASSERT_EQ(plot.unplaced.size(), 1u);
  EXPECT_EQ(plot.unplaced[0].kernel, 2u);
  EXPECT_TRUE(plot.unplaced[0].no_flops);
}

TEST(PlotTest, AKernelWithUnknownFlopsIsNotPlacedAndSaysWhy) {
  const Plot plot = make_plots(test::unknown_report(), 26).at(0);
  ASSERT_EQ(plot.unplaced.size(), 1u);
  EXPECT_FALSE(plot.unplaced[0].no_flops);
  EXPECT_EQ(plot.unplaced[0].reason.text(), "not collected");
}

TEST(PlotTest, WithoutDramCountersTheL2IntensityServes) {
  Report report = test::lab_report();
  report.kernels[0].intensity_dram = Value<FlopsPerByte>::missing("no DRAM counters");
  const Plot plot = make_plots(report, 26).at(0);
  EXPECT_EQ(plot.points[0].level, "l2");
}

TEST(PlotTest, AnOutlierIsDrawnAtTheEdgeAndDoesNotStretchTheAxes) {
  Report report = test::lab_report();
  report.kernels[0].intensity_dram = Value<FlopsPerByte>(FlopsPerByte(1e15), Provenance::kMeasured);
  const Plot plot = make_plots(report, 26).at(0);
  EXPECT_TRUE(plot.points[0].clamped);
  EXPECT_EQ(plot.points[0].x, plot.x_max);
  EXPECT_LT(plot.x_max - plot.x_min, 11);
}

TEST(PlotTest, AxesHaveWholeDecadesAndSomeRoom) {
  for (const Report& report : {test::lab_report(), test::unknown_report()}) {
    for (const Plot& plot : make_plots(report, 26)) {
      EXPECT_EQ(plot.x_min, std::floor(plot.x_min));
      EXPECT_GE(plot.x_max - plot.x_min, 3);
      EXPECT_GT(plot.y_max - plot.y_min, 2);
    }
  }
}

}  // namespace
}  // namespace ridge::render
