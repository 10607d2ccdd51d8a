// What a report says of roofs that are missing, of another GPU, or not what was asked for.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/rules/context.h"
#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

using test::measured;

/// One kernel of 1 ms that moves 1 GB at a clock of 1 GHz, on a GPU whose counters state their own peaks.
Profile streaming_profile() {
  test::ProfileBuilder builder;
  Measurement m = test::idle_measurement();
  m.conditions.sm_clock = measured<Hertz>(1e9);
  m.conditions.dram_peak = measured<BytesPerSecond>(4e12);
  m.conditions.fp32_fma_per_clock = measured<double>(50 * 128);
  m.work.bytes.dram = measured<Bytes>(1e9);
  test::add_fp32(m, 1e8);
  builder.launch(builder.kernel("stream"), 1e-3, m);
  return builder.profile();
}

bool has_issue(const Report& report, std::string_view id) {
  return std::any_of(report.issues.begin(), report.issues.end(),
                     [&](const Issue& issue) { return issue.message.id == id; });
}

const MemoryRoof* memory_roof_of(const Report& report, Level level) {
  for (const MemoryRoof& roof : report.machines[0].memory_roofs) {
    if (roof.level == level) return &roof;
  }
  return nullptr;
}

const ComputeRoof* compute_roof_of(const Report& report, const ComputeKey& key) {
  for (const ComputeRoof& roof : report.machines[0].compute_roofs) {
    if (roof.key == key) return &roof;
  }
  return nullptr;
}

TEST(KernelReportTest, RoofsSayWhereTheyComeFrom) {
  Profile profile = streaming_profile();
  profile.devices[0].machine->ceilings.push_back(
      {core(DataType::kInt32), 0, std::nullopt, Provenance::kDeclared, FlopsPerSecond(7e12)});
  const Report report = analyse(profile);
  const MemoryRoof* dram = memory_roof_of(report, Level::kDram);
  ASSERT_NE(dram, nullptr);
  EXPECT_EQ(dram->rate->count(), 4e12);
  EXPECT_EQ(dram->rate.provenance(), Provenance::kMeasured) << "the run's own peak is no data sheet";
  EXPECT_EQ(memory_roof_of(report, Level::kL2)->rate.provenance(), Provenance::kDatasheet);
  EXPECT_EQ(compute_roof_of(report, core(DataType::kFp32))->peak.provenance(), Provenance::kMeasured);
  EXPECT_EQ(compute_roof_of(report, core(DataType::kFp64))->peak.provenance(), Provenance::kDatasheet);
  EXPECT_EQ(compute_roof_of(report, core(DataType::kFp64))->clock->count(), 1e9);
  const ComputeRoof* given = compute_roof_of(report, core(DataType::kInt32));
  EXPECT_EQ(given->peak->count(), 7e12);
  EXPECT_EQ(given->peak.provenance(), Provenance::kDeclared);
  EXPECT_FALSE(given->clock) << "a given peak is not of the run's clock";
}

TEST(KernelReportTest, AnotherGpuHasItsOwnRoofsAndNoneOfTheTime) {
  Profile profile = streaming_profile();
  profile.devices[0].other_machine = true;
  const Report report = analyse(profile);
  EXPECT_EQ(report.machines[0].basis, RoofBasis::kDatasheet);
  EXPECT_EQ(memory_roof_of(report, Level::kDram)->rate->count(), 2e12) << "not the recorded peak";
  EXPECT_EQ(compute_roof_of(report, core(DataType::kFp32))->peak->count(), 51.2e12);
  const ReportKernel& kernel = report.kernels[0];
  EXPECT_EQ(kernel.roof.basis, RoofBasis::kDatasheet);
  EXPECT_EQ(kernel.verdict, Verdict::kMemoryBound) << "on paper: left of the ridge";
  EXPECT_FALSE(kernel.roof.fraction);
  EXPECT_EQ(kernel.roof.fraction.reason().text(), "the time is of another GPU than the roofs");
  ASSERT_FALSE(kernel.roof.times.empty());
  EXPECT_EQ(kernel.roof.times[0].least_time.count(), 1e9 / 2e12);
  EXPECT_EQ(kernel.roof.times[0].fraction, 0);
  EXPECT_TRUE(kernel.gap.empty());
  EXPECT_TRUE(kernel.findings.empty());
  EXPECT_TRUE(report.summary.top.empty());
  EXPECT_EQ(kernel.dram_per_s->count(), 1e12) << "what was measured stays";
}

TEST(KernelReportTest, CeilingsThatWereNeverMeasuredAreNotClaimed) {
  Profile profile = streaming_profile();
  const Report without = analyse(profile, {RoofBasis::kCeilings});
  EXPECT_TRUE(has_issue(without, "no-measured-ceilings"));
  EXPECT_EQ(without.machines[0].basis, RoofBasis::kDatasheet);
  EXPECT_EQ(without.kernels[0].roof.basis, RoofBasis::kDatasheet);
  profile.devices[0].machine->ceilings[0].provenance = Provenance::kMeasured;
  const Report with = analyse(profile, {RoofBasis::kCeilings});
  EXPECT_FALSE(has_issue(with, "no-measured-ceilings"));
  EXPECT_EQ(with.kernels[0].roof.basis, RoofBasis::kCeilings);
  EXPECT_FALSE(has_issue(analyse(profile), "no-measured-ceilings"));
}

TEST(KernelReportTest, NothingIsSaidOfTheDistanceToARoofThatMayNotBeTheOne) {
  Profile profile = streaming_profile();
  Machine& machine = *profile.devices[0].machine;
  std::erase_if(machine.levels, [](const MemoryLevel& level) { return level.level == Level::kDram; });
  profile.measurements[0].conditions.dram_peak = Value<BytesPerSecond>();
  profile.measurements[0].work.instructions.warp_instructions = measured<double>(1e8);
  const Report report = analyse(profile);
  const ReportKernel& kernel = report.kernels[0];
  EXPECT_EQ(kernel.verdict, Verdict::kUnknown);
  EXPECT_EQ(kernel.verdict_reason.id, "verdict.unknown-no-roof");
  EXPECT_FALSE(kernel.roof.times.empty()) << "what is known is shown";
  EXPECT_TRUE(kernel.gap.empty());
  EXPECT_TRUE(kernel.findings.empty());
  EXPECT_TRUE(report.summary.top.empty());
}

TEST(KernelReportTest, AKernelAboveItsRoofSavesOnlyWhatItsTimeHolds) {
  ReportKernel kernel;
  kernel.duration = kernel.measured_duration = measured<Seconds>(1e-3);
  kernel.roof.fraction = measured<double>(2);
  kernel.roof.times.resize(2);
  kernel.roof.times[0].resource = "l1", kernel.roof.times[0].least_time = Seconds(2e-3);
  kernel.roof.times[1].resource = "dram", kernel.roof.times[1].least_time = Seconds(1.5e-3);
  const Machine machine;
  const RuleContext context(kernel, machine);
  const auto halve_l1 = [](std::string_view resource) { return resource == "l1" ? 0.5 : 1.0; };
  EXPECT_EQ(context.saved_by_shrinking(halve_l1).count(), 0) << "DRAM alone would take longer than the kernel did";
  kernel.roof.times[1].least_time = Seconds(0.4e-3);
  EXPECT_DOUBLE_EQ(
      context.saved_by_shrinking([](std::string_view resource) { return resource == "l1" ? 0.1 : 1.0; }).count(),
      0.6e-3);
  EXPECT_EQ(context.above_roof().count(), 0);
}

}  // namespace
}  // namespace ridge
