#include "model/roofline/paper.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

const PaperRoof kRoof{FlopsPerSecond(30e12), BytesPerSecond(900e9)};

TEST(PaperRooflineTest, LeftOfTheRidgeMemoryBindsAndAttainableIsIntensityTimesBandwidth) {
  const PaperPoint point = place_on_paper(Flops(1e8), Bytes(1.2e9), kRoof);
  EXPECT_TRUE(point.memory_bound);
  EXPECT_DOUBLE_EQ(point.attainable.count(), 75e9);
  EXPECT_NEAR(point.ridge.count(), 33.333, 1e-3);
  EXPECT_DOUBLE_EQ(*point.ratio, point.data_time / point.compute_time);
}

TEST(PaperRooflineTest, RightOfTheRidgeThePeakIsAttainable) {
  const PaperPoint point = place_on_paper(Flops(256), Bytes(1), kRoof);
  EXPECT_FALSE(point.memory_bound);
  EXPECT_DOUBLE_EQ(point.attainable.count(), 30e12);
  EXPECT_GT(*point.ratio, 1);
}

TEST(PaperRooflineTest, OnTheRidgeBothTimesAreEqualAndComputeBinds) {
  const PaperPoint point = place_on_paper(Flops(100), Bytes(3), kRoof);
  EXPECT_DOUBLE_EQ(*point.ratio, 1);
  EXPECT_FALSE(point.memory_bound);
}

TEST(PaperRooflineTest, WithoutArithmeticTheRatioIsMissingAndNotInfinite) {
  const PaperPoint point = place_on_paper(Flops(0), Bytes(8), kRoof);
  EXPECT_TRUE(point.memory_bound);
  ASSERT_FALSE(point.ratio);
  EXPECT_EQ(point.ratio.reason().text(), "there is no arithmetic");
}

TEST(PaperRooflineTest, StopwatchFractionsCanBeAboveOne) {
  const PaperMeasurement measured = measure_on_paper(Flops(0.25), Bytes(1), kRoof, Seconds(0.5 / 900e9));
  EXPECT_DOUBLE_EQ(measured.of_roof, 2);
  EXPECT_DOUBLE_EQ(measured.of_bandwidth, 2);
  EXPECT_DOUBLE_EQ(measured.least_intensity.count(), 0.5);
}

TEST(PaperRooflineTest, AdditionsAloneReachHalfOfThePeakAndAnUnknownMixKeepsIt) {
  EXPECT_DOUBLE_EQ(mix_aware_peak(kRoof.peak, Flops(7), 7).count(), 15e12);
  EXPECT_DOUBLE_EQ(mix_aware_peak(kRoof.peak, Flops(14), 7).count(), 30e12);
  EXPECT_DOUBLE_EQ(mix_aware_peak(kRoof.peak, Flops(14), 0).count(), 30e12);
}

}  // namespace
}  // namespace ridge
