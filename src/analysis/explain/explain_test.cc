#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/explain/explanation.h"

namespace ridge {
namespace {

Machine machine_with(std::string id, int sms, double ops, double clock, double bandwidth, double l2) {
  Machine machine;
  machine.id = machine.name = std::move(id);
  machine.sm_count = sms;
  machine.ceilings.push_back({core(DataType::kFp32), ops, Hertz(clock), Provenance::kDatasheet, {}});
  MemoryLevel dram;
  dram.level = Level::kDram;
  dram.bandwidth = {BytesPerSecond(bandwidth), Provenance::kDatasheet};
  MemoryLevel cache;
  cache.level = Level::kL2;
  cache.capacity = {Bytes(l2), Provenance::kDatasheet};
  machine.levels = {dram, cache};
  return machine;
}
Machine l40s() {
  return machine_with("l40s", 142, 256, 2.52e9, 864e9, 96 * 1048576.0);
}
/// As quoted for a "4090D": 82.6 TFLOP/s and 1008 GB/s, with the 72 MB L2 of its chip.
Machine quoted() {
  return machine_with("quoted", 128, 256, 82.6e12 / (128 * 256), 1008e9, 72 * 1048576.0);
}

PaperWork work_of(std::string_view id, const GivenParameters& given, DataType type = DataType::kFp32) {
  auto work = bind_workload(*find_workload(id), given, type);
  EXPECT_TRUE(work) << to_string(work.error());
  return *work;
}

Explanation explained(const PaperWork& work, const Machine& machine, const ExplainOptions& options = {}) {
  auto made = explain(work, {machine}, options);
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

const ExplainStep* find_step(const std::vector<ExplainStep>& steps, std::string_view id) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const ExplainStep& s) { return s.id == id; });
  return found == steps.end() ? nullptr : &*found;
}
bool has(const std::vector<Message>& messages, std::string_view id) {
  return std::any_of(messages.begin(), messages.end(), [&](const Message& m) { return m.id == id; });
}

Stopwatch at_speed(double flops_per_s) {
  Stopwatch stopwatch;
  stopwatch.text = std::to_string(flops_per_s);
  stopwatch.speed = FlopsPerSecond(flops_per_s);
  return stopwatch;
}
Stopwatch at_time(double seconds) {
  Stopwatch stopwatch;
  stopwatch.text = std::to_string(seconds);
  stopwatch.time = Seconds(seconds);
  return stopwatch;
}

TEST(ExplainTest, VectorAddOnL40SIsMemoryBoundByAFactorOfAbout1270) {
  const Explanation made = explained(work_of("vector_add", {{"n", "1e8"}}), l40s());
  const MachinePlacement& at = made.machines[0];
  EXPECT_NEAR(made.intensity->count(), 1.0 / 12, 1e-12);
  EXPECT_NEAR(at.compute_time->count(), 1.09e-6, 0.01e-6);
  EXPECT_NEAR(at.data_time->count(), 1.389e-3, 0.001e-3);
  EXPECT_NEAR(at.attainable->count(), 72e9, 1e3);
  EXPECT_NEAR(*at.ratio, 1272, 2);
  EXPECT_EQ(at.verdict, Verdict::kMemoryBound);
  EXPECT_EQ(at.side, Side::kLeft);
}

TEST(ExplainTest, AdditionsAloneGetTheirLowerRoofAsAStepAndTheHeadlineStays) {
  const Explanation made = explained(work_of("vector_add", {{"n", "1e8"}}), l40s());
  const MachinePlacement& at = made.machines[0];
  EXPECT_NEAR(at.mix_peak->count(), at.peak->count() / 2, 1);
  EXPECT_NE(find_step(at.steps, "mix_peak"), nullptr);
  EXPECT_TRUE(has(at.notes, "explain.note.mix_free"));
  const Explanation fused = explained(work_of("saxpy", {{"n", "1e8"}}), l40s());
  EXPECT_EQ(find_step(fused.machines[0].steps, "mix_peak"), nullptr);
}

TEST(ExplainTest, StepsOfTheRoofFollowFromTheirOperands) {
  const Explanation made = explained(work_of("gemm", {{"n", "256"}}), l40s());
  const MachinePlacement& at = made.machines[0];
  const ExplainStep* ridge = find_step(at.steps, "ridge");
  ASSERT_NE(ridge, nullptr);
  EXPECT_NEAR(*ridge->value, std::get<double>(ridge->operands[0].value) / std::get<double>(ridge->operands[1].value),
              1e-9);
  const ExplainStep* peak = find_step(at.steps, "peak");
  ASSERT_EQ(peak->operands.size(), 3u);
  EXPECT_NEAR(*peak->value, 91.6e12, 0.05e12);
}

TEST(ExplainTest, NaiveGemmAboveTheMemoryRoofDisprovesTheNoReuseCount) {
  ExplainOptions options;
  options.stopwatches = {at_speed(4500e9)};
  const Explanation made = explained(work_of("gemm", {{"n", "1024"}, {"variant", "naive"}}), quoted(), options);
  const MachinePlacement& at = made.machines[0];
  EXPECT_NEAR(made.intensity->count(), 0.25, 1e-12);
  EXPECT_NEAR(at.attainable->count(), 252e9, 1e3);
  const MeasuredPlacement& measured = at.measured[0];
  EXPECT_NEAR(measured.measured.of_peak, 0.0545, 1e-4);
  EXPECT_NEAR(measured.measured.least_intensity.count(), 4.46, 0.005);
  EXPECT_EQ(measured.verdict, Verdict::kUnknown);
  ASSERT_GE(measured.findings.size(), 3u);
  EXPECT_EQ(measured.findings[0].id, "explain.above.memory");
  EXPECT_EQ(measured.findings[1].id, "explain.cause.reuse");
  EXPECT_TRUE(has(measured.findings, "explain.cause.l2")) << "8.4 MB of A and B fit into 72 MB";
  EXPECT_FALSE(has(measured.findings, "explain.above.memory_margin")) << "17 times the roof is no clock";
}

TEST(ExplainTest, TwoStopwatchesGiveTheSpeedUp) {
  ExplainOptions options;
  options.stopwatches = {at_speed(4500e9), at_speed(5763e9)};
  const Explanation made = explained(work_of("gemm", {{"n", "1024"}, {"variant", "naive"}}), quoted(), options);
  ASSERT_EQ(made.speedups.size(), 1u);
  EXPECT_NEAR(made.speedups[0].factor, 1.28, 0.005);
  EXPECT_NEAR(made.machines[0].measured[1].measured.of_peak, 0.0698, 1e-4);
}

TEST(ExplainTest, WithoutReuseToBlameDataOutsideL2MustBeAWrongClockOrStopwatch) {
  ExplainOptions options;
  options.stopwatches = {at_time(1.0e-3)};
  const Explanation made = explained(work_of("vector_add", {{"n", "1e8"}}), l40s(), options);
  const auto& findings = made.machines[0].measured[0].findings;
  EXPECT_EQ(findings[0].id, "explain.above.memory");
  EXPECT_FALSE(has(findings, "explain.cause.reuse"));
  EXPECT_TRUE(has(findings, "explain.cause.l2_not"));
  EXPECT_TRUE(has(findings, "explain.cause.stopwatch"));
}

TEST(ExplainTest, AFewPerCentAboveTheRoofMayBeTheClockAndKeepTheVerdict) {
  ExplainOptions options;
  options.stopwatches = {at_time(1.35e-3)};
  const Explanation made = explained(work_of("vector_add", {{"n", "1e8"}}), l40s(), options);
  const MeasuredPlacement& measured = made.machines[0].measured[0];
  // One sentence about the excess, and none that calls the traffic wrong beside one that trusts it.
  ASSERT_EQ(measured.findings.size(), 2u);
  EXPECT_EQ(measured.findings[0].id, "explain.above.memory_margin");
  EXPECT_EQ(measured.findings[1].id, "explain.measured.at_roof");
  EXPECT_EQ(measured.verdict, Verdict::kMemoryBound);
}

TEST(ExplainTest, AFewPerCentAboveThePeakDisprovesNothing) {
  ExplainOptions options;
  options.stopwatches = {at_speed(95e12)};
  const Explanation made = explained(work_of("gemm", {{"n", "8192"}}), l40s(), options);
  const MeasuredPlacement& measured = made.machines[0].measured[0];
  ASSERT_EQ(measured.findings.size(), 2u);
  EXPECT_EQ(measured.findings[0].id, "explain.above.peak_margin");
  EXPECT_EQ(measured.verdict, Verdict::kComputeBound);
}

TEST(ExplainTest, ABestThatLeavesOutTheResultSaysSo) {
  const auto best = [](const GivenParameters& given) { return explained(work_of("gemm", given), l40s()).steps; };
  EXPECT_NE(find_step(best({{"n", "4096"}, {"variant", "naive"}}), "best_intensity_without_c"), nullptr);
  EXPECT_NE(find_step(best({{"n", "4096"}, {"variant", "tiled"}}), "best_intensity_without_c"), nullptr);
  const auto counted = best({{"n", "4096"}, {"variant", "naive"}, {"count_c", "yes"}});
  ASSERT_NE(find_step(counted, "best_intensity"), nullptr);
  EXPECT_NEAR(*find_step(counted, "best_intensity")->value, 682.67, 0.01);
}

TEST(ExplainTest, SoftmaxFusesNothingAndHasTheRoofOfItsMix) {
  const Explanation made = explained(work_of("softmax", {{"rows", "1024"}, {"cols", "1024"}}), l40s());
  const MachinePlacement& at = made.machines[0];
  EXPECT_NE(find_step(at.steps, "mix_peak"), nullptr);
  EXPECT_NEAR(at.mix_peak->count(), at.peak->count() / 2, 1);
}

TEST(ExplainTest, ExactlyOnTheRoofIsNotAbove) {
  Stopwatch stopwatch;
  stopwatch.bandwidth = BytesPerSecond(864e9);
  ExplainOptions options;
  options.stopwatches = {stopwatch};
  const Explanation made = explained(work_of("vector_add", {{"n", "1e8"}}), l40s(), options);
  EXPECT_EQ(made.machines[0].measured[0].findings[0].id, "explain.measured.at_roof");
}

TEST(ExplainTest, FarBelowTheRoofIsLatencyBoundAndNotMemoryBound) {
  ExplainOptions options;
  options.stopwatches = {at_time(5e-3)};
  const Explanation made = explained(work_of("vector_add", {{"n", "1e8"}}), l40s(), options);
  EXPECT_EQ(made.machines[0].measured[0].verdict, Verdict::kLatencyBound);
  EXPECT_TRUE(has(made.machines[0].measured[0].findings, "explain.measured.below_roof"));
}

TEST(ExplainTest, AboveThePeakNamesTheFasterUnit) {
  Machine machine = l40s();
  machine.ceilings.push_back(
      {tensor(DataType::kTf32, TensorPath::kMmaSync), 512, Hertz(2.49e9), Provenance::kDatasheet, {}});
  ExplainOptions options;
  options.stopwatches = {at_speed(150e12)};
  const Explanation made = explained(work_of("gemm", {{"n", "8192"}}), machine, options);
  const auto& findings = made.machines[0].measured[0].findings;
  EXPECT_EQ(findings[0].id, "explain.above.peak");
  EXPECT_TRUE(has(findings, "explain.cause.other_unit"));
}

TEST(ExplainTest, TransposeHasNoSpeedOnlyBandwidth) {
  ExplainOptions options;
  options.stopwatches = {at_time(1e-3)};
  const Explanation made = explained(work_of("transpose", {{"n", "8192"}}), l40s(), options);
  const MachinePlacement& at = made.machines[0];
  EXPECT_EQ(at.verdict, Verdict::kMemoryBound);
  EXPECT_FALSE(at.ratio);
  EXPECT_EQ(find_step(at.measured[0].steps, "of_peak"), nullptr);
  EXPECT_NE(find_step(at.measured[0].steps, "of_bandwidth"), nullptr);

  options.stopwatches = {at_speed(1e9)};
  const auto refused = explain(work_of("transpose", {{"n", "8"}}), {l40s()}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST(ExplainTest, AMissingCeilingIsAnErrorAloneAndAGapAmongOthers) {
  const PaperWork work = work_of("gemm", {{"n", "64"}}, DataType::kBf16);
  const auto alone = explain(work, {l40s()}, {});
  ASSERT_FALSE(alone);
  EXPECT_NE(to_string(alone.error()).find("bf16_tensor_dense_acc32"), std::string::npos) << to_string(alone.error());
  const auto both = explain(work, {l40s(), quoted()}, {});
  ASSERT_TRUE(both);
  EXPECT_FALSE(both->machines[0].attainable);
  EXPECT_FALSE(both->machines[0].attainable.reason().text().empty());
  EXPECT_TRUE(both->machines[0].data_time) << "bytes and bandwidth are known";
}

TEST(ExplainTest, VectorWorkInATypeThatCoresLackIsComputedInFp32) {
  const Explanation made = explained(work_of("vector_add", {{"n", "64"}}, DataType::kFp8), l40s());
  EXPECT_EQ(made.machines[0].ceiling, "fp32_core");
  EXPECT_EQ(made.machines[0].unit_message, "explain.unit.converted");
}

TEST(ExplainTest, UnitAskedForWins) {
  Machine machine = l40s();
  machine.ceilings.push_back({tensor(DataType::kFp16, TensorPath::kMmaSync, Sparsity::kDense, Accumulator::kFp32),
                              1024,
                              Hertz(2.49e9),
                              Provenance::kDatasheet,
                              {}});
  machine.ceilings.push_back({core(DataType::kFp16), 256, Hertz(2.52e9), Provenance::kDatasheet, {}});
  const PaperWork work = work_of("gemm", {{"n", "4096"}}, DataType::kFp16);
  EXPECT_NEAR(explained(work, machine).machines[0].ridge->count(), 419, 1);
  ExplainOptions options;
  options.unit = ComputeUnit::kCore;
  EXPECT_EQ(explained(work, machine, options).machines[0].ceiling, "fp16_core");
}

TEST(ExplainTest, WorkingSetIsHeldAgainstL2) {
  EXPECT_TRUE(*explained(work_of("gemm", {{"n", "1024"}}), l40s()).machines[0].fits_l2);
  EXPECT_FALSE(*explained(work_of("gemm", {{"n", "8192"}}), l40s()).machines[0].fits_l2);
}

}  // namespace
}  // namespace ridge
