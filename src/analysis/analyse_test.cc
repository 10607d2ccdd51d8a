#include "ridgepoint/analysis/analyse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/test_profiles.h"
#include "model/metric/flops.h"

namespace ridge {
namespace {

using test::add_fp32;
using test::idle_measurement;
using test::measured;
using test::ProfileBuilder;

/// A streaming kernel: 1.4 GB in 1 ms of a 2 TB/s memory.
Measurement streaming() {
  Measurement m = idle_measurement();
  add_fp32(m, 0, 1e8);
  m.work.bytes.dram = measured<Bytes>(1.4e9);
  return m;
}

const Finding* finding_of(const ReportKernel& kernel, std::string_view rule) {
  for (const Finding& finding : kernel.findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

bool has_issue(const Report& report, std::string_view id) {
  return std::any_of(report.issues.begin(), report.issues.end(),
                     [&](const Issue& issue) { return issue.message.id == id; });
}

ReportKernel analyse_one(const Measurement& m, double seconds, std::uint32_t blocks = 10000) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("kernel", blocks), seconds, m);
  return analyse(builder.profile()).kernels.at(0);
}

TEST(AnalyseTest, StreamingKernelIsMemoryBoundByDramAndLeft) {
  const ReportKernel kernel = analyse_one(streaming(), 1e-3);
  EXPECT_EQ(kernel.verdict, Verdict::kMemoryBound);
  EXPECT_EQ(kernel.level, "dram");
  EXPECT_EQ(kernel.roof.resource, "dram");
  EXPECT_EQ(kernel.side, Side::kLeft);
  EXPECT_DOUBLE_EQ(*kernel.roof.fraction, 0.7);
  EXPECT_DOUBLE_EQ(kernel.dram_per_s->count(), 1.4e12);
  EXPECT_DOUBLE_EQ(kernel.intensity_dram->count(), 1e8 / 1.4e9);
  EXPECT_DOUBLE_EQ(kernel.roof.attainable->count(), 1e8 / 1.4e9 * 2e12);
  EXPECT_DOUBLE_EQ(kernel.roof.ridge->count(), 51.2e12 / 2e12);
  EXPECT_EQ(kernel.confidence, "high");
  EXPECT_EQ(kernel.id, "k0");
}

TEST(AnalyseTest, CountsLaunchesThatItIsNotAskedToList) {
  ProfileBuilder builder;
  const std::uint32_t kernel = builder.kernel("kernel");
  for (int i = 0; i < 3; ++i) builder.launch(kernel, 1e-3, streaming());
  builder.samples(1e9, 4e8);
  const Report listed = analyse(builder.profile());
  AnalysisOptions options;
  options.each_launch = false;
  const Report counted = analyse(builder.profile(), options);
  EXPECT_EQ(listed.kernels.at(0).launches.size(), 3U);
  EXPECT_EQ(listed.sampled.size(), 1U);
  EXPECT_TRUE(counted.kernels.at(0).launches.empty() && counted.sampled.empty());
  EXPECT_EQ(counted.kernels.at(0).runs(), 3U);
  EXPECT_EQ(counted.kernels.at(0).duration, listed.kernels.at(0).duration);
  EXPECT_EQ(counted.kernels.at(0).measured_launches, listed.kernels.at(0).measured_launches);
}

TEST(AnalyseTest, AdditionsAloneHaveHalfTheComputeRoof) {
  const ReportKernel kernel = analyse_one(streaming(), 1e-3);
  EXPECT_DOUBLE_EQ(kernel.roof.peak->count(), 25.6e12);
}

TEST(AnalyseTest, ArithmeticAtItsRoofIsComputeBound) {
  Measurement m = idle_measurement();
  add_fp32(m, 1e10);  // 20 GFLOP: 0.39 ms at 51.2 TFLOP/s
  m.work.bytes.dram = measured<Bytes>(1e6);
  const ReportKernel kernel = analyse_one(m, 0.5e-3);
  EXPECT_EQ(kernel.verdict, Verdict::kComputeBound);
  EXPECT_EQ(kernel.pipe, "fp32");
  EXPECT_EQ(kernel.side, Side::kRight);
  EXPECT_NEAR(*kernel.roof.fraction, 20e9 / 51.2e12 / 0.5e-3, 1e-12);
  ASSERT_NE(finding_of(kernel, "tensor-available"), nullptr);
  EXPECT_FALSE(finding_of(kernel, "tensor-available")->saving);
}

TEST(AnalyseTest, RightOfTheDramRidgeCanStillBeBoundByL1) {
  Measurement m = idle_measurement();
  add_fp32(m, 1e9);
  m.work.bytes.dram = measured<Bytes>(8e6);
  m.work.bytes.l1 = measured<Bytes>(5.4e9);
  m.work.access.l1_wavefronts = measured<double>(75e6);  // 0.375 ms at 200 G/s
  const ReportKernel kernel = analyse_one(m, 0.5e-3);
  EXPECT_EQ(kernel.verdict, Verdict::kMemoryBound);
  EXPECT_EQ(kernel.level, "l1");
  EXPECT_EQ(kernel.side, Side::kRight);
  EXPECT_EQ(kernel.verdict_reason.id, "verdict.memory-right");
  EXPECT_DOUBLE_EQ(*kernel.roof.fraction, 0.75);
}

TEST(AnalyseTest, NothingNearItsRoofIsLatencyBoundWithTheNearestNamed) {
  Measurement m = streaming();
  m.execution.stalls = {{"long_scoreboard", 20}, {"selected", 1}, {"wait", 5}};
  const ReportKernel kernel = analyse_one(m, 2e-3);
  EXPECT_EQ(kernel.verdict, Verdict::kLatencyBound);
  EXPECT_EQ(kernel.level, "dram");
  EXPECT_DOUBLE_EQ(*kernel.roof.fraction, 0.35);
  ASSERT_NE(finding_of(kernel, "stalls"), nullptr);
  EXPECT_NEAR(finding_of(kernel, "stalls")->saving->count(), 2e-3 * 0.65 * 0.8, 1e-12);
}

TEST(AnalyseTest, TooFewBlocksAreOverhead) {
  const ReportKernel kernel = analyse_one(streaming(), 10e-3, 20);
  EXPECT_EQ(kernel.verdict, Verdict::kOverheadBound);
  EXPECT_EQ(kernel.verdict_reason.id, "verdict.overhead-small");
  ASSERT_NE(finding_of(kernel, "small-grid"), nullptr);
  EXPECT_NEAR(finding_of(kernel, "small-grid")->saving->count(), 8e-3, 1e-12);
}

TEST(AnalyseTest, TooShortALaunchIsOverhead) {
  Measurement m = idle_measurement();
  m.work.bytes.dram = measured<Bytes>(1e6);
  const ReportKernel kernel = analyse_one(m, 3e-6);
  EXPECT_EQ(kernel.verdict, Verdict::kOverheadBound);
  EXPECT_EQ(kernel.verdict_reason.id, "verdict.overhead-short");
}

TEST(AnalyseTest, KernelsWithoutFlopsStillHaveAFraction) {
  Measurement m = idle_measurement();
  m.work.bytes.dram = measured<Bytes>(1.8e9);
  const ReportKernel kernel = analyse_one(m, 1e-3);
  EXPECT_EQ(kernel.verdict, Verdict::kMemoryBound);
  EXPECT_DOUBLE_EQ(*kernel.roof.fraction, 0.9);
  EXPECT_EQ(kernel.side, Side::kLeft);
  EXPECT_EQ(kernel.intensity_dram->count(), 0);
}

TEST(AnalyseTest, MissingFlopsStayMissing) {
  Measurement m = streaming();
  m.work.flops = Value<Flops>::missing(kTensorUncounted);
  m.work.compute.clear();
  ProfileBuilder builder;
  builder.launch(builder.kernel("gemm"), 1e-3, m);
  const Report report = analyse(builder.profile());
  const ReportKernel& kernel = report.kernels.at(0);
  EXPECT_FALSE(kernel.work.flops);
  EXPECT_FALSE(kernel.flops_per_s);
  EXPECT_FALSE(kernel.intensity_dram);
  EXPECT_EQ(kernel.side, Side::kUnknown);
  EXPECT_EQ(kernel.verdict, Verdict::kMemoryBound);
  EXPECT_TRUE(has_issue(report, "tensor-flops-unknown"));
}

TEST(AnalyseTest, RatesOfAGroupAreSumOfWorkOverSumOfTime) {
  // The same kernel twice: sums 58,414,464 B and 237,760 ns, so 245.7 GB/s, which is not the mean of the two rates.
  ProfileBuilder builder;
  const std::uint32_t kernel = builder.kernel("sgemm");
  Measurement first = idle_measurement(), second = idle_measurement();
  first.work.bytes.dram = measured<Bytes>(27595520);
  second.work.bytes.dram = measured<Bytes>(30818944);
  builder.launch(kernel, 117344e-9, first);
  builder.launch(kernel, 120416e-9, second);
  const Report report = analyse(builder.profile());
  ASSERT_EQ(report.kernels.size(), 1u);
  const ReportKernel& group = report.kernels[0];
  EXPECT_EQ(group.launches.size(), 2u);
  EXPECT_EQ(group.work.bytes.dram->count(), 58414464);
  EXPECT_NEAR(group.dram_per_s->count(), 58414464 / 237760e-9, 1);
  EXPECT_DOUBLE_EQ(group.duration_min->count(), 117344e-9);
  EXPECT_DOUBLE_EQ(group.duration_max->count(), 120416e-9);
  EXPECT_DOUBLE_EQ(group.duration_median->count(), (117344e-9 + 120416e-9) / 2);
}

TEST(AnalyseTest, ALaunchWithoutCountersDoesNotPoisonItsGroup) {
  ProfileBuilder builder;
  const std::uint32_t kernel = builder.kernel("kernel");
  builder.launch(kernel, 1e-3, streaming());
  builder.launch(kernel, 1e-3, streaming());
  Measurement nothing;
  builder.launch(kernel, 4e-3, nothing);
  const Report report = analyse(builder.profile());
  const ReportKernel& group = report.kernels.at(0);
  EXPECT_DOUBLE_EQ(group.duration->count(), 6e-3);
  EXPECT_EQ(group.measured_launches, 2u);
  EXPECT_DOUBLE_EQ(group.work.bytes.dram->count(), 2.8e9);
  EXPECT_DOUBLE_EQ(group.dram_per_s->count(), 1.4e12);
  EXPECT_DOUBLE_EQ(*group.roof.fraction, 0.7);
  EXPECT_FALSE(group.launches[2].flops);
  EXPECT_TRUE(has_issue(report, "launches-without-counters"));
}

TEST(AnalyseTest, NoCountersAnywhereLeaveTimesAndShares) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("a"), 3e-3);
  builder.launch(builder.kernel("b"), 1e-3);
  const Report report = analyse(builder.profile());
  EXPECT_EQ(report.kernels[0].name, "a");
  EXPECT_DOUBLE_EQ(*report.kernels[0].share, 0.75);
  EXPECT_EQ(report.kernels[0].verdict, Verdict::kUnknown);
  EXPECT_FALSE(report.kernels[0].roof.fraction);
  EXPECT_FALSE(report.kernels[0].work.flops);
  EXPECT_DOUBLE_EQ(report.summary.kernel_time->count(), 4e-3);
  EXPECT_FALSE(report.summary.wall);
  EXPECT_FALSE(report.summary.gpu_busy);
}

TEST(AnalyseTest, AnUnknownMachineLeavesRoofsMissingWithAReason) {
  ProfileBuilder builder;
  builder.profile().devices[0].machine.reset();
  builder.launch(builder.kernel("kernel"), 1e-3, streaming());
  const Report report = analyse(builder.profile());
  EXPECT_EQ(report.kernels[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(report.kernels[0].roof.fraction.reason().text(), "the machine is not known");
  EXPECT_TRUE(report.kernels[0].intensity_dram);
  EXPECT_EQ(report.machines.at(0).machine.id, "unknown");
}

TEST(AnalyseTest, DifferentConfigurationsAndDevicesAreDifferentGroups) {
  ProfileBuilder builder;
  const std::uint32_t a = builder.kernel("kernel", 100), b = builder.kernel("kernel", 200);
  builder.launch(a, 1e-3, streaming());
  builder.launch(b, 1e-3, streaming()).kernel = a;
  builder.profile().devices.push_back(builder.profile().devices[0]);
  builder.launch(a, 1e-3, streaming()).device = 1;
  const Report report = analyse(builder.profile());
  EXPECT_EQ(report.kernels.size(), 3u);
  EXPECT_EQ(report.machines.size(), 1u);  // two devices, one kind of machine
}

TEST(AnalyseTest, TheMeasuredClockScalesComputeRoofs) {
  Measurement m = streaming();
  m.conditions.sm_clock = measured<Hertz>(1e9);
  ProfileBuilder builder;
  builder.launch(builder.kernel("kernel"), 1e-3, m);
  EXPECT_DOUBLE_EQ(analyse(builder.profile()).kernels[0].roof.peak->count(), 12.8e12);
  const Report stated = analyse(builder.profile(), {RoofBasis::kDatasheet});
  EXPECT_DOUBLE_EQ(stated.kernels[0].roof.peak->count(), 25.6e12);
  EXPECT_EQ(stated.kernels[0].roof.basis, RoofBasis::kDatasheet);
}

TEST(AnalyseTest, WithoutAMeasuredClockTheReportDoesNotClaimOne) {
  Measurement m = streaming();
  m.conditions.sm_clock = Value<Hertz>();
  const ReportKernel kernel = analyse_one(m, 1e-3);
  EXPECT_EQ(kernel.roof.basis, RoofBasis::kDatasheet);
}

TEST(AnalyseTest, OccupancyThatWasNotRecordedIsComputed) {
  ProfileBuilder builder;
  OccupancyLimits& limits = builder.profile().devices[0].machine->occupancy;
  limits.max_warps_per_sm = 64, limits.max_blocks_per_sm = 32;
  limits.registers_per_sm = 65536, limits.max_registers_per_block = 65536;
  builder.launch(builder.kernel("kernel"), 1e-3, streaming());
  builder.profile().configurations[0].registers_per_thread = measured<double>(128);
  const ReportKernel kernel = analyse(builder.profile()).kernels.at(0);
  // 128 registers x 256 threads: two blocks of 8 warps on an SM of 64.
  ASSERT_TRUE(kernel.occupancy.theoretical);
  EXPECT_DOUBLE_EQ(*kernel.occupancy.theoretical, 0.25);
  EXPECT_EQ(kernel.occupancy.theoretical.provenance(), Provenance::kModelled);
  EXPECT_EQ(kernel.occupancy.limiter, "registers");
  EXPECT_FALSE(kernel.occupancy.achieved);
}

TEST(AnalyseTest, EveryKernelHasItsInstructionRoofline) {
  Measurement m = streaming();
  m.work.instructions.warp_instructions = measured<double>(7e6);
  const ReportKernel kernel = analyse_one(m, 1e-3);
  EXPECT_DOUBLE_EQ(*kernel.instruction_roofline.instructions_per_s, 7e9);
  EXPECT_DOUBLE_EQ(*kernel.instruction_roofline.intensity_dram, 7e6 / (1.4e9 / 32));
  // 0.16 instructions per transaction x 62.5 G transactions per second: DRAM allows less than the schedulers do.
  EXPECT_DOUBLE_EQ(*kernel.attainable_instructions_per_s, 7e6 / (1.4e9 / 32) * (2e12 / 32));
  m.work.instructions.warp_instructions = Value<double>::missing("not collected");
  EXPECT_FALSE(analyse_one(m, 1e-3).attainable_instructions_per_s);
}

TEST(AnalyseTest, GapsCloseToTheDuration) {
  const ReportKernel kernel = analyse_one(streaming(), 1e-3);
  double sum = 0;
  for (const GapPart& part : kernel.gap) sum += part.seconds.count();
  EXPECT_DOUBLE_EQ(sum, 1e-3);
  EXPECT_DOUBLE_EQ(kernel.gap.at(0).seconds.count(), 0.7e-3);
}

TEST(AnalyseTest, ClocksHeldAtTheirBaseAreSaid) {
  Measurement m = streaming();
  m.conditions.sm_clock = measured<Hertz>(1.51e9);
  ProfileBuilder builder;
  builder.launch(builder.kernel("kernel"), 1e-3, m);
  EXPECT_TRUE(has_issue(analyse(builder.profile()), "clock-at-base"));
  builder.profile().measurements[0].conditions.sm_clock = measured<Hertz>(1.9e9);
  EXPECT_FALSE(has_issue(analyse(builder.profile()), "clock-at-base"));
}

TEST(AnalyseTest, IntegratedGpusLackDramCountersForAReason) {
  ProfileBuilder builder;
  builder.profile().devices[0].machine->compute_capability = "8.7";
  Measurement m = streaming();
  m.work.bytes.dram = Value<Bytes>();
  builder.launch(builder.kernel("kernel"), 1e-3, m);
  EXPECT_TRUE(has_issue(analyse(builder.profile()), "dram-counters-absent"));
  builder.profile().devices[0].machine->compute_capability = "9.0";
  EXPECT_TRUE(has_issue(analyse(builder.profile()), "no-dram"));
}

TEST(AnalyseTest, SharesSumToOneAndFractionsAreNeverNegative) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> amount(0, 1e10), seconds(1e-7, 1e-1), coin(0, 1);
  for (int round = 0; round < 50; ++round) {
    ProfileBuilder builder;
    for (int i = 0; i < 20; ++i) {
      Measurement m;
      const auto maybe = [&](auto& value, double x) {
        using T = std::decay_t<decltype(*value)>;
        if (coin(random) < 0.7) value = measured<T>(x);
      };
      visit_fields([&](std::string_view, auto& value) { maybe(value, amount(random)); }, m.work);
      maybe(m.conditions.sm_clock, 2e9);
      maybe(m.execution.theoretical_occupancy, coin(random));
      const std::uint32_t kernel = builder.kernel("k" + std::to_string(i % 7), static_cast<std::uint32_t>(1 + i * 37));
      builder.launch(kernel, seconds(random), m);
    }
    const Report report = analyse(builder.profile());
    double shares = 0;
    for (const ReportKernel& kernel : report.kernels) {
      shares += *kernel.share;
      EXPECT_EQ(kernel.work.flops.has_value() && kernel.measured_duration, kernel.flops_per_s.has_value());
      EXPECT_GE(kernel.roof.fraction.value_or(0), 0);
      for (const Finding& finding : kernel.findings) {
        if (!finding.saving) continue;
        EXPECT_GE(finding.saving->count(), 0);
        EXPECT_LE(finding.saving->count(), kernel.duration->count() * (1 + 1e-12));
      }
      EXPECT_TRUE(
          std::is_sorted(kernel.findings.begin(), kernel.findings.end(), [](const Finding& a, const Finding& b) {
            return a.saving.value_or(Seconds(-1)) > b.saving.value_or(Seconds(-1));
          }));
    }
    EXPECT_NEAR(shares, 1, 1e-9);
  }
}

}  // namespace
}  // namespace ridge
