#include <gtest/gtest.h>

#include <cmath>

#include "ridgepoint/machines/database.h"

namespace ridge {
namespace {

Machine get(std::string_view id) {
  const auto machine = find_machine(id);
  EXPECT_TRUE(machine.has_value()) << id;
  return machine.value_or(Machine{});
}

double peak_of(const Machine& machine, std::string_view key) {
  const Ceiling* ceiling = find_ceiling(machine, *parse_compute_key(key));
  return ceiling != nullptr ? peak(machine, *ceiling).count() : 0;
}

TEST(OverridesTest, ReplaceTheQuotedFiguresOfAKnownMachine) {
  Machine machine = get("rtx4090d");
  ASSERT_TRUE(apply_overrides(machine, {"fp32=82.6TFLOP/s"}, {"dram=1008GB/s"}).has_value());
  EXPECT_DOUBLE_EQ(peak_of(machine, "fp32_core"), 82.6e12);
  const MemoryLevel* dram = find_level(machine, Level::kDram);
  EXPECT_DOUBLE_EQ(dram->bandwidth->count(), 1008e9);
  EXPECT_EQ(dram->bandwidth.provenance(), Provenance::kDeclared);
  EXPECT_EQ(find_ceiling(machine, core(DataType::kFp32))->provenance, Provenance::kDeclared);
  EXPECT_NE(machine.note.find("fp32=82.6TFLOP/s"), std::string::npos);
  EXPECT_EQ(std::lround(peak_of(machine, "fp32_core") / dram->bandwidth->count()), 82);
}

TEST(OverridesTest, CustomMachineHasOnlyWhatIsGiven) {
  Machine machine = get("custom");
  EXPECT_TRUE(machine.ceilings.empty());
  ASSERT_TRUE(apply_overrides(machine, {"fp32=30TFLOP/s"}, {"dram=900GB/s"}).has_value());
  EXPECT_DOUBLE_EQ(peak_of(machine, "fp32_core"), 30e12);
  EXPECT_EQ(machine.ceilings.size(), 1u);
  EXPECT_EQ(machine.levels.size(), 1u);
  EXPECT_EQ(machine.provenance, Provenance::kDeclared);
}

TEST(OverridesTest, AGivenPeakIsExactAndHasNoClock) {
  for (const char* id : {"custom", "h200-sxm"}) {
    Machine machine = get(id);
    ASSERT_TRUE(apply_overrides(machine, {"fp32=30TFLOP/s"}, {}).has_value());
    const Ceiling* ceiling = find_ceiling(machine, core(DataType::kFp32));
    ASSERT_NE(ceiling, nullptr);
    EXPECT_FALSE(ceiling->clock) << id;
    EXPECT_EQ(peak(machine, *ceiling).count(), 30e12) << id;
    EXPECT_EQ(peak_at(machine, *ceiling, Hertz(1e9)).count(), 30e12) << id;
  }
  EXPECT_EQ(get("custom").sm_count, 0) << "not known is not 1";
  Machine machine = get("custom");
  ASSERT_TRUE(apply_overrides(machine, {"fp32=30TFLOP/s"}, {"dram=900GB/s"}).has_value());
  const auto again = parse_machine(serialise_machine(machine), "again");
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_EQ(again->sm_count, 0);
  EXPECT_EQ(peak(*again, again->ceilings[0]).count(), 30e12);
}

TEST(OverridesTest, ATensorPeakStandsForEveryPathItDoesNotName) {
  Machine machine = get("h200-sxm");
  ASSERT_TRUE(apply_overrides(machine, {"tensor_bf16=700TFLOP/s"}, {}).has_value());
  EXPECT_DOUBLE_EQ(peak_of(machine, "bf16_tensor_wgmma_dense"), 700e12);
  EXPECT_DOUBLE_EQ(peak_of(machine, "bf16_tensor_mma_dense"), 700e12);
  EXPECT_NEAR(peak_of(machine, "bf16_tensor_wgmma_sparse"), 1978.9e12, 1e12) << "sparse stays";
  EXPECT_NEAR(peak_of(machine, "fp16_tensor_wgmma_dense"), 989.4e12, 1e12) << "other types stay";
}

TEST(OverridesTest, ANamedPathLeavesTheOthers) {
  Machine machine = get("h200-sxm");
  ASSERT_TRUE(apply_overrides(machine, {"bf16_tensor_mma_dense=600TFLOP/s"}, {}).has_value());
  EXPECT_DOUBLE_EQ(peak_of(machine, "bf16_tensor_mma_dense"), 600e12);
  EXPECT_NEAR(peak_of(machine, "bf16_tensor_wgmma_dense"), 989.4e12, 1e12);
}

TEST(OverridesTest, TypesWithoutACoreUnitMeanTheTensorUnit) {
  Machine machine = get("custom");
  ASSERT_TRUE(apply_overrides(machine, {"fp8=2PFLOP/s", "tf32=400TFLOPS"}, {}).has_value());
  EXPECT_DOUBLE_EQ(peak_of(machine, "fp8_tensor_dense"), 2e15);
  EXPECT_DOUBLE_EQ(peak_of(machine, "tf32_tensor_wgmma_dense"), 400e12);
}

TEST(OverridesTest, ErrorsNameTheOptionAndChangeNothing) {
  const Machine before = get("l40s");
  for (const char* peak_text : {"fp32", "=3TFLOP/s", "fp33=3TFLOP/s", "fp32=3", "fp32=3GB/s", "fp32=0TFLOP/s"}) {
    Machine machine = before;
    const auto result = apply_overrides(machine, {"fp64=1TFLOP/s", peak_text}, {});
    ASSERT_FALSE(result.has_value()) << peak_text;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage);
    EXPECT_EQ(result.error().where, "--peak") << peak_text;
    EXPECT_EQ(machine, before) << peak_text;
  }
  Machine machine = before;
  EXPECT_FALSE(apply_overrides(machine, {}, {"ram=900GB/s"}).has_value());
  EXPECT_FALSE(apply_overrides(machine, {}, {"dram=-1GB/s"}).has_value());
  EXPECT_FALSE(apply_overrides(machine, {}, {"dram=900GHz"}).has_value());
  EXPECT_EQ(machine, before);
}

TEST(OverridesTest, NothingGivenChangesNothing) {
  const Machine before = get("l40s");
  Machine machine = before;
  ASSERT_TRUE(apply_overrides(machine, {}, {}).has_value());
  EXPECT_EQ(machine, before);
}

}  // namespace
}  // namespace ridge
