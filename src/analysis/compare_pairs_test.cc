#include "analysis/compare_pairs.h"

#include <gtest/gtest.h>

#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

using test::add_fp32;
using test::idle_measurement;
using test::measured;
using test::ProfileBuilder;

constexpr double kFmas = 1024.0 * 1024 * 1024;

double number(const Comparison& pair, std::string_view name) {
  for (const Argument& argument : pair.explanation.arguments) {
    if (argument.name == name) return std::get<double>(argument.value);
  }
  return -1;
}

std::string text(const Comparison& pair, std::string_view name) {
  for (const Argument& argument : pair.explanation.arguments) {
    if (argument.name == name) return std::get<std::string>(argument.value);
  }
  return "";
}

Measurement of_work(double fmas, double dram) {
  Measurement m = idle_measurement();
  if (fmas > 0) add_fp32(m, fmas);
  m.work.bytes.dram = measured<Bytes>(dram);
  return m;
}

Measurement product(double dram, double l1, double wavefronts, double shared_wavefronts) {
  Measurement m = of_work(kFmas, dram);
  m.work.bytes.l1 = measured<Bytes>(l1);
  m.work.access.l1_wavefronts = measured<double>(wavefronts);
  m.work.access.shared_wavefronts = measured<double>(shared_wavefronts);
  return m;
}

/// As an H200 records a naive product: two wavefronts for each fused multiply-add of a warp, none of shared memory.
Measurement naive(double dram = 8.4e6) {
  return product(dram, 5.37e9, 67.27e6, 0);
}

/// The same product by tiles: its operands come from shared memory.
Measurement tiled(double dram = 8.4e6) {
  return product(dram, 0.27e9, 55.08e6, 52.9e6);
}

Report naive_and_tiled(double dram) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("gemm_naive"), 350e-6, naive(dram));
  builder.launch(builder.kernel("gemm_tiled"), 248e-6, tiled(dram));
  return analyse(builder.profile());
}

TEST(ComparePairsTest, ReadsThatMovedToSharedMemoryAreCountedInWavefronts) {
  const Report report = naive_and_tiled(8.4e6);
  ASSERT_EQ(report.comparisons.size(), 1u);
  const Comparison& pair = report.comparisons[0];
  EXPECT_EQ(pair.slower, "k0");
  EXPECT_EQ(pair.faster, "k1");
  EXPECT_EQ(text(pair, "slower"), "k0");
  EXPECT_EQ(text(pair, "faster"), "k1");
  EXPECT_EQ(pair.explanation.id, "comparison.moved-to-shared-in-l2");
  EXPECT_NEAR(number(pair, "factor"), 350.0 / 248, 1e-9);
  EXPECT_NEAR(number(pair, "l1_factor"), 5.37 / 0.27, 1e-9);
  EXPECT_NEAR(number(pair, "wavefront_factor"), 67.27 / 55.08, 1e-9);
  EXPECT_NEAR(number(pair, "shared_share"), 0.96, 0.001);
}

TEST(ComparePairsTest, DataBeyondL2IsNotClaimedToFit) {
  EXPECT_EQ(naive_and_tiled(8e9).comparisons.at(0).explanation.id, "comparison.moved-to-shared");
}

TEST(ComparePairsTest, WithoutWavefrontsTheBytesAreWhatIsKnown) {
  ProfileBuilder builder;
  Measurement a = naive(), b = tiled();
  for (Measurement* m : {&a, &b}) m->work.access.l1_wavefronts = m->work.access.shared_wavefronts = Value<double>();
  builder.launch(builder.kernel("gemm_naive"), 350e-6, a);
  builder.launch(builder.kernel("gemm_tiled"), 248e-6, b);
  EXPECT_EQ(analyse(builder.profile()).comparisons.at(0).explanation.id, "comparison.l1-traffic-in-l2");
}

TEST(ComparePairsTest, FewerWavefrontsAloneAreAnExplanation) {
  ProfileBuilder builder;
  Measurement registers = tiled();
  registers.work.access.l1_wavefronts = measured<double>(20e6);
  registers.work.access.shared_wavefronts = measured<double>(17e6);
  builder.launch(builder.kernel("gemm_tiled"), 248e-6, tiled());
  builder.launch(builder.kernel("gemm_registers"), 100e-6, registers);
  EXPECT_EQ(analyse(builder.profile()).comparisons.at(0).explanation.id, "comparison.wavefronts");
}

TEST(ComparePairsTest, EachMachineAndEachFileHasItsOwnPair) {
  for (const bool other_file : {true, false}) {
    ProfileBuilder builder;
    const std::uint32_t slow = builder.kernel("gemm_naive"), fast = builder.kernel("gemm_tiled");
    Device device = builder.profile().devices[0];
    if (other_file) {
      builder.profile().sources.push_back({"ncu-rep", "the same again", "", ""});
      device.source = 1;
    } else {
      device.name = "Round 200";
      device.machine->id = device.machine->name = "round200";
    }
    builder.profile().devices.push_back(device);
    for (const std::uint32_t at : {0U, 1U}) {
      builder.launch(slow, at == 0 ? 350e-6 : 300e-6, naive()).device = at;
      builder.launch(fast, at == 0 ? 248e-6 : 200e-6, tiled()).device = at;
    }
    const Report report = analyse(builder.profile());
    ASSERT_EQ(report.comparisons.size(), 2u) << other_file;
    for (const Comparison& pair : report.comparisons) {
      const auto kernel = [&](const std::string& id) -> const ReportKernel& {
        return *std::find_if(report.kernels.begin(), report.kernels.end(),
                             [&](const ReportKernel& each) { return each.id == id; });
      };
      EXPECT_EQ(kernel(pair.slower).source, kernel(pair.faster).source);
      EXPECT_EQ(kernel(pair.slower).machine, kernel(pair.faster).machine);
    }
  }
}

TEST(ComparePairsTest, DifferentProblemsAreNotCompared) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("a"), 1e-3, of_work(1e9, 1e8));
  builder.launch(builder.kernel("b"), 2e-3, of_work(1.01e9, 1e8));
  EXPECT_TRUE(analyse(builder.profile()).comparisons.empty());
}

TEST(ComparePairsTest, WithoutArithmeticTheThreadsTellProblemsApart) {
  ProfileBuilder builder;
  // The fastest of all has other threads; the two with the same are still a pair.
  builder.launch(builder.kernel("small", 1000), 0.1e-3, of_work(0, 1e8));
  builder.launch(builder.kernel("copy", 2000), 0.2e-3, of_work(0, 1e8));
  builder.launch(builder.kernel("transpose", 2000), 0.4e-3, of_work(0, 1.01e8));
  const Report report = analyse(builder.profile());
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].slower, "k0");
  EXPECT_EQ(report.comparisons[0].faster, "k1");
}

TEST(ComparePairsTest, OtherTrafficBetweenNearlyEqualArithmeticSplitsNoPair) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("naive"), 3e-3, of_work(1e9, 1e8));
  builder.launch(builder.kernel("streaming"), 1e-3, of_work(1e9 * (1 + 1e-9), 9e8));
  builder.launch(builder.kernel("tiled"), 2e-3, of_work(1e9 * (1 + 2e-9), 1e8));
  const Report report = analyse(builder.profile());
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.kernels[0].name, "naive");
  EXPECT_EQ(report.comparisons[0].slower, "k0");
  EXPECT_EQ(report.comparisons[0].faster, "k1");
}

TEST(ComparePairsTest, ConflictsTellCopiesOfTheSameSizeApart) {
  ProfileBuilder builder;
  Measurement padded = of_work(0, 1e6), conflicting = of_work(0, 1e6);
  padded.work.access.shared_wavefronts_excess = measured<double>(0);
  padded.work.access.shared_wavefronts = measured<double>(10e6);
  padded.work.access.l1_wavefronts = measured<double>(20e6);
  conflicting.work.access.shared_wavefronts_excess = measured<double>(60e6);
  conflicting.work.access.shared_wavefronts = measured<double>(70e6);
  conflicting.work.access.l1_wavefronts = measured<double>(80e6);
  builder.launch(builder.kernel("shared"), 0.5e-3, conflicting);
  builder.launch(builder.kernel("padded"), 0.3e-3, padded);
  const Report report = analyse(builder.profile());
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].explanation.id, "comparison.bank-conflicts");
}

TEST(ComparePairsTest, OneLimitForBothIsNotAnExplanation) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("a"), 2e-3, of_work(1e9, 1e9));
  builder.launch(builder.kernel("b"), 1e-3, of_work(1e9, 1e9));
  const Comparison pair = analyse(builder.profile()).comparisons.at(0);
  EXPECT_EQ(pair.explanation.id, "comparison.same-limit");
  EXPECT_NEAR(number(pair, "fraction_faster"), 2 * number(pair, "fraction_slower"), 1e-9);
}

}  // namespace
}  // namespace ridge
