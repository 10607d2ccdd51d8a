#include "analysis/rules/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

using test::add_fp32;
using test::idle_measurement;
using test::measured;
using test::ProfileBuilder;

ReportKernel analyse_one(const Measurement& m, double seconds, std::uint32_t blocks = 10000) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("kernel", blocks), seconds, m);
  return analyse(builder.profile()).kernels.at(0);
}

const Finding* finding_of(const ReportKernel& kernel, std::string_view rule) {
  for (const Finding& finding : kernel.findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

double argument(const Finding& finding, std::string_view name) {
  for (const Argument& entry : finding.advice.arguments) {
    if (entry.name == name) return std::get<double>(entry.value);
  }
  return -1;
}

/// A transpose through shared memory whose rows all fall into one bank: 60 of 70 M wavefronts are conflicts.
Measurement conflicting() {
  Measurement m = idle_measurement();
  m.work.access.l1_wavefronts = measured<double>(80e6);  // 0.4 ms at 200 G/s
  m.work.access.shared_wavefronts = measured<double>(70e6);
  m.work.access.shared_wavefronts_excess = measured<double>(60e6);
  m.work.access.shared_load_instructions = measured<double>(2e6);
  m.work.access.shared_load_wavefronts = measured<double>(64e6);
  m.work.bytes.dram = measured<Bytes>(0.4e9);  // 0.2 ms
  return m;
}

TEST(RulesTest, BankConflictsSaveUpToTheNextResource) {
  const ReportKernel kernel = analyse_one(conflicting(), 0.5e-3);
  EXPECT_EQ(kernel.roof.resource, "l1");
  const Finding* finding = finding_of(kernel, "bank-conflicts");
  ASSERT_NE(finding, nullptr);
  // L1 would need 0.1 ms, then DRAM binds with 0.2 ms: of 0.4 ms, 0.2 ms go.
  EXPECT_NEAR(finding->saving->count(), 0.2e-3, 1e-12);
  EXPECT_NEAR(*finding->speedup, 0.5 / 0.3, 1e-9);
  EXPECT_EQ(finding->severity, FindingSeverity::kWarning);
  EXPECT_DOUBLE_EQ(argument(*finding, "ways"), 32);
}

TEST(RulesTest, ConflictsOnAnIdleResourceAreNoFinding) {
  Measurement m = conflicting();
  m.work.bytes.dram = measured<Bytes>(0.9e9);  // 0.45 ms: DRAM binds whatever shared memory does
  EXPECT_EQ(finding_of(analyse_one(m, 0.5e-3), "bank-conflicts"), nullptr);
}

TEST(RulesTest, UncoalescedLoadsCostDramTimeToo) {
  Measurement m = idle_measurement();
  m.work.bytes.dram = measured<Bytes>(1.6e9);  // 0.8 ms, of 50 M sectors of which 7/8 are excess
  m.work.access.global_load_sectors = measured<double>(50e6);
  m.work.access.global_load_requests = measured<double>(50e6 / 32);
  m.work.access.global_store_sectors = measured<double>(0);
  m.work.access.excess_sectors = measured<double>(50e6 * 7 / 8);
  const ReportKernel kernel = analyse_one(m, 1e-3);
  const Finding* finding = finding_of(kernel, "uncoalesced-access");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(finding->saving->count(), 0.8e-3 * 7 / 8, 1e-9);
  EXPECT_DOUBLE_EQ(argument(*finding, "loads"), 32);
  EXPECT_EQ(kernel.findings.front().rule, "uncoalesced-access");
}

TEST(RulesTest, DramKeepsTheBytesThatWereAskedFor) {
  Measurement m = idle_measurement();
  // L2 merged the partial stores: DRAM moved no more than the useful bytes, so coalescing cannot save there.
  m.work.bytes.dram = measured<Bytes>(0.2e9);
  m.work.bytes.l2 = measured<Bytes>(8e9);  // 0.8 ms
  m.work.access.global_load_sectors = measured<double>(0);
  m.work.access.global_store_sectors = measured<double>(50e6);
  m.work.access.excess_sectors = measured<double>(50e6 * 7 / 8);
  const ReportKernel kernel = analyse_one(m, 1e-3);
  const Finding* finding = finding_of(kernel, "uncoalesced-access");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(finding->saving->count(), 0.8e-3 - 0.1e-3, 1e-9);
}

TEST(RulesTest, LowOccupancyOfABusyKernelIsNoFinding) {
  Measurement m = idle_measurement();
  add_fp32(m, 1e10);
  m.execution.theoretical_occupancy = measured<double>(0.13);
  m.execution.achieved_occupancy = measured<double>(0.13);
  m.execution.limit_registers = measured<double>(1);
  m.execution.limit_warps = measured<double>(8);
  const double at_85_percent = 2e10 / 51.2e12 / 0.85;
  EXPECT_EQ(finding_of(analyse_one(m, at_85_percent), "low-occupancy"), nullptr);
  const ReportKernel slow = analyse_one(m, at_85_percent * 2);  // 42.5 %
  const Finding* finding = finding_of(slow, "low-occupancy");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(slow.occupancy.limiter, "registers");
  EXPECT_LE(finding->saving->count(), slow.duration->count() * (1 - *slow.roof.fraction) + 1e-15);
}

TEST(RulesTest, OperandsFromL1ForEveryUseAskForRegisterTiles) {
  Measurement m = idle_measurement();
  add_fp32(m, 1e9);                                      // 2 GFLOP: 0.04 ms
  m.work.access.l1_wavefronts = measured<double>(67e6);  // 0.335 ms
  m.work.bytes.l1 = measured<Bytes>(5.4e9);
  m.work.bytes.dram = measured<Bytes>(8.4e6);
  const ReportKernel kernel = analyse_one(m, 0.45e-3);
  const Finding* finding = finding_of(kernel, "operand-reuse");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(finding->saving->count(), 0.335e-3 - 2e9 / 51.2e12, 1e-9);
}

TEST(RulesTest, TheTailOfTheLastWaveIsBoundByIdleSms) {
  Measurement m = idle_measurement();
  m.work.bytes.dram = measured<Bytes>(0.4e9);
  m.execution.waves_per_sm = measured<double>(1.25);
  ReportKernel kernel = analyse_one(m, 1e-3);
  ASSERT_NE(finding_of(kernel, "partial-waves"), nullptr);
  EXPECT_NEAR(finding_of(kernel, "partial-waves")->saving->count(), 1e-3 * (1 - 1.25 / 2), 1e-12);
  m.execution.sm_active = measured<double>(0.9);
  kernel = analyse_one(m, 1e-3);
  EXPECT_NEAR(finding_of(kernel, "partial-waves")->saving->count(), 0.1e-3, 1e-12);
  m.execution.waves_per_sm = measured<double>(2);
  EXPECT_EQ(finding_of(analyse_one(m, 1e-3), "partial-waves"), nullptr);
}

TEST(RulesTest, DivergenceOfAMemoryBoundKernelCostsNothing) {
  Measurement m = idle_measurement();
  m.execution.threads_per_instruction = measured<double>(16);
  m.work.bytes.dram = measured<Bytes>(1.8e9);
  EXPECT_EQ(finding_of(analyse_one(m, 1e-3), "divergence"), nullptr);
  m.work.bytes.dram = measured<Bytes>(0.1e9);
  m.work.instructions.warp_instructions = measured<double>(0.7e-3 * 100 * 4 * 2e9);  // 70 % of the issue slots
  const ReportKernel kernel = analyse_one(m, 1e-3);
  ASSERT_NE(finding_of(kernel, "divergence"), nullptr);
  EXPECT_NEAR(finding_of(kernel, "divergence")->saving->count(), 0.35e-3, 1e-9);
}

TEST(RulesTest, DoublesOnAChipWithFewLanesForThem) {
  ProfileBuilder builder;
  Machine& machine = *builder.profile().devices[0].machine;
  machine.ceilings[1].ops_per_clock_per_sm = 4;  // fp64 at 1/64 of fp32, as on GeForce
  Measurement m = idle_measurement();
  m.work.flops = measured<Flops>(0.56e9);
  m.work.compute.push_back({core(DataType::kFp64), measured<Flops>(0.56e9)});
  m.work.instructions.fp64_fma = measured<double>(0.28e9);
  m.work.instructions.fp64_add = m.work.instructions.fp64_mul = measured<double>(0);
  builder.launch(builder.kernel("kernel"), 1e-3, m);
  const ReportKernel kernel = analyse(builder.profile()).kernels.at(0);
  EXPECT_EQ(kernel.pipe, "fp64");
  const Finding* finding = finding_of(kernel, "slow-precision");
  ASSERT_NE(finding, nullptr);
  EXPECT_DOUBLE_EQ(argument(*finding, "factor"), 64);
  EXPECT_NEAR(finding->saving->count(), 0.7e-3 * 63 / 64, 1e-9);
}

TEST(RulesTest, MmaSyncOnAChipWithWgmmaIsTheSlowerPath) {
  Measurement m = idle_measurement();
  m.work.flops = measured<Flops>(400e9);
  m.work.compute.push_back({tensor(DataType::kBf16, TensorPath::kMmaSync, Sparsity::kDense, Accumulator::kFp32),
                            measured<Flops>(400e9)});  // 0.73 ms at 546 TFLOP/s
  const ReportKernel kernel = analyse_one(m, 1e-3);
  EXPECT_EQ(kernel.pipe, "tensor_bf16_mma");
  const Finding* finding = finding_of(kernel, "slow-tensor-path");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(argument(*finding, "factor"), 4096.0 / 2730, 1e-9);
}

TEST(RulesTest, SparseMmaSyncIsTheSlowerPathToo) {
  ProfileBuilder builder;
  Machine& machine = *builder.profile().devices[0].machine;
  const auto sparse = [](TensorPath path) { return tensor(DataType::kBf16, path, Sparsity::kSparse); };
  machine.ceilings.push_back({sparse(TensorPath::kWgmma), 8192, Hertz(2e9), Provenance::kDatasheet});
  machine.ceilings.push_back({sparse(TensorPath::kMmaSync), 5460, Hertz(2e9), Provenance::kDatasheet});
  Measurement m = idle_measurement();
  m.work.flops = measured<Flops>(800e9);
  m.work.compute.push_back({sparse(TensorPath::kMmaSync), measured<Flops>(800e9)});
  builder.launch(builder.kernel("kernel"), 1e-3, m);
  const ReportKernel kernel = analyse(builder.profile()).kernels.at(0);
  EXPECT_EQ(kernel.pipe, "tensor_bf16_mma_sparse");
  const Finding* finding = finding_of(kernel, "slow-tensor-path");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(finding->saving->count(), 800e9 / (100 * 5460 * 2e9) * (1 - 5460.0 / 8192), 1e-9);
}

TEST(RulesTest, LaunchesWithoutADurationDoNotMakeTheOthersShort) {
  ProfileBuilder builder;
  Measurement m = idle_measurement();
  m.work.bytes.dram = measured<Bytes>(1e6);
  const std::uint32_t kernel = builder.kernel("kernel", 20);
  builder.launch(kernel, 6e-6, m);
  for (int i = 0; i < 3; ++i) builder.launch(kernel, 1, m).duration = Value<Seconds>::missing("not collected");
  const ReportKernel report = analyse(builder.profile()).kernels.at(0);
  ASSERT_EQ(report.verdict, Verdict::kOverheadBound);
  EXPECT_EQ(finding_of(report, "short-launches"), nullptr) << "a launch takes 6 us, not 1.5";
  EXPECT_NE(finding_of(report, "small-grid"), nullptr);
}

TEST(RulesTest, AboveTheRoofIsAFindingWithACause) {
  Measurement m = idle_measurement();
  add_fp32(m, 1e10);
  m.conditions.sm_clock = measured<Hertz>(2.2e9);
  ProfileBuilder builder;
  builder.launch(builder.kernel("kernel"), 2e10 / 51.2e12 / 1.066, m);
  const Report report = analyse(builder.profile(), {RoofBasis::kDatasheet});
  const ReportKernel& kernel = report.kernels.at(0);
  EXPECT_NEAR(*kernel.roof.fraction, 1.066, 1e-9);
  const Finding* finding = finding_of(kernel, "above-the-roof");
  ASSERT_NE(finding, nullptr);
  EXPECT_FALSE(finding->saving);
  for (const Argument& entry : finding->advice.arguments) {
    if (entry.name == "above_cause") {
      EXPECT_EQ(std::get<std::string>(entry.value), "clock");
    }
  }
}

TEST(RulesTest, NamesAreSortedAndEveryFindingCarriesOne) {
  const auto names = rule_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  const std::set<std::string_view> known(names.begin(), names.end());
  EXPECT_EQ(known.size(), names.size());
  for (const Finding& finding : analyse_one(conflicting(), 0.5e-3).findings) {
    EXPECT_EQ(known.count(finding.rule), 1u) << finding.rule;
    EXPECT_EQ(finding.advice.id, "rule." + finding.rule);
  }
}

}  // namespace
}  // namespace ridge
