// Every file that comes with the program is held to arithmetic and to the figures its sources print.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <span>
#include <string>

#include "base/embedded.h"
#include "ridgepoint/machines/database.h"

namespace ridge {

std::span<const EmbeddedFile> embedded_machines();

namespace {

void expect_within(double actual, double expected, double tolerance, const std::string& what) {
  EXPECT_LE(std::abs(actual - expected), tolerance * expected) << what << ": " << actual << " against " << expected;
}

const Machine& machine(std::string_view id) {
  const Machine* found = Database::built_in().find(id);
  EXPECT_NE(found, nullptr) << id;
  static const Machine nothing;
  return found != nullptr ? *found : nothing;
}

double peak_of(std::string_view id, std::string_view ceiling) {
  const Machine& m = machine(id);
  const Ceiling* found = find_ceiling(m, *parse_compute_key(ceiling));
  EXPECT_NE(found, nullptr) << id << " " << ceiling;
  return found != nullptr ? peak(m, *found).count() : 0;
}

double dram_of(std::string_view id) {
  const MemoryLevel* dram = find_level(machine(id), Level::kDram);
  EXPECT_NE(dram, nullptr) << id;
  return dram != nullptr && dram->bandwidth ? dram->bandwidth->count() : 0;
}

TEST(MachinesDataTest, EveryFileParsesAndIsNamedAfterItsId) {
  ASSERT_GE(embedded_machines().size(), 33u);
  for (const EmbeddedFile& file : embedded_machines()) {
    const auto parsed = parse_machine(file.content, file.name);
    ASSERT_TRUE(parsed.has_value()) << to_string(parsed.error());
    EXPECT_EQ(parsed->id + ".toml", file.name);
  }
  EXPECT_EQ(Database::built_in().machines().size(), embedded_machines().size());
}

TEST(MachinesDataTest, HoldsEveryMachineThatWasPromised) {
  for (const char* id : {"v100-sxm2",
                         "v100-pcie",
                         "t4",
                         "a100-sxm-40gb",
                         "a100-sxm-80gb",
                         "a100-pcie-40gb",
                         "a100-pcie-80gb",
                         "a10",
                         "a10g",
                         "a30",
                         "a40",
                         "l4",
                         "l40",
                         "l40s",
                         "gh200",
                         "h100-sxm",
                         "h100-pcie",
                         "h100-nvl",
                         "h200-sxm",
                         "h20",
                         "b200",
                         "rtx2080ti",
                         "rtx3090",
                         "rtx4090",
                         "rtx4090d",
                         "rtx5070",
                         "mi100",
                         "rtx5090",
                         "rtx6000ada",
                         "jetson-agx-orin",
                         "mi210",
                         "mi250x-gcd",
                         "mi300x"}) {
    EXPECT_NE(Database::built_in().find(id), nullptr) << id;
  }
}

TEST(MachinesDataTest, IdsAliasesAndDeviceNamesAreUnique) {
  std::set<std::string> ids, names;
  for (const Machine& m : Database::built_in().machines()) {
    EXPECT_TRUE(ids.insert(m.id).second) << m.id;
    for (const std::string& alias : m.aliases) EXPECT_TRUE(ids.insert(alias).second) << alias;
    for (const std::string& name : m.device_names) EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(m.device_names.empty()) << m.id;
    EXPECT_FALSE(m.sources.empty()) << m.id;
  }
}

TEST(MachinesDataTest, Fp32PeakIsCountTimesCoresTimesTwoTimesClock) {
  for (const Machine& m : Database::built_in().machines()) {
    const Ceiling* fp32 = find_ceiling(m, core(DataType::kFp32));
    ASSERT_NE(fp32, nullptr) << m.id;
    EXPECT_DOUBLE_EQ(peak(m, *fp32).count(), m.sm_count * m.cores_per_sm * 2.0 * fp32->clock->count()) << m.id;
    EXPECT_EQ(fp32->clock, m.boost_clock) << m.id;
  }
}

TEST(MachinesDataTest, EveryCeilingIsWithinOnePerCentOfWhatItsSourcePrints) {
  int held = 0;
  for (const Machine& m : Database::built_in().machines()) {
    for (const Ceiling& ceiling : m.ceilings) {
      if (ceiling.stated.count() <= 0) continue;
      ++held;
      expect_within(peak(m, ceiling).count(), ceiling.stated.count(), 0.01, m.id + " " + name(ceiling.key));
    }
  }
  EXPECT_GE(held, 250);
}

TEST(MachinesDataTest, EveryDramBandwidthIsBusWidthTimesDataRateAndAsPrinted) {
  for (const Machine& m : Database::built_in().machines()) {
    const MemoryLevel* dram = find_level(m, Level::kDram);
    ASSERT_NE(dram, nullptr) << m.id;
    ASSERT_TRUE(dram->bandwidth.has_value()) << m.id;
    ASSERT_GT(dram->stated.count(), 0) << m.id;
    expect_within(dram->bandwidth->count(), m.bus.width_bits * m.bus.data_rate_bits_per_s / 8, 0.01, m.id);
    expect_within(dram->bandwidth->count(), dram->stated.count(), 0.01, m.id);
    EXPECT_TRUE(dram->capacity.has_value()) << m.id;
  }
}

TEST(MachinesDataTest, SparsePeakIsNeverBelowTheDenseOne) {
  for (const Machine& m : Database::built_in().machines()) {
    for (const Ceiling& ceiling : m.ceilings) {
      if (ceiling.key.sparsity != Sparsity::kSparse) continue;
      ComputeKey dense = ceiling.key;
      dense.sparsity = Sparsity::kDense;
      const Ceiling* other = find_ceiling(m, dense);
      ASSERT_NE(other, nullptr) << m.id << " " << name(ceiling.key);
      EXPECT_GT(peak(m, ceiling), peak(m, *other)) << m.id << " " << name(ceiling.key);
    }
  }
}

TEST(MachinesDataTest, EveryFileIsReadBackEqualAfterWriting) {
  for (const Machine& m : Database::built_in().machines()) {
    const auto again = parse_machine(serialise_machine(m), m.id);
    ASSERT_TRUE(again.has_value()) << to_string(again.error());
    EXPECT_EQ(*again, m) << m.id;
  }
}

TEST(MachinesDataTest, OccupancyLimitsAreComplete) {
  for (const Machine& m : Database::built_in().machines()) {
    const OccupancyLimits& limits = m.occupancy;
    EXPECT_GT(limits.max_warps_per_sm, 0) << m.id;
    EXPECT_GT(limits.registers_per_sm, 0) << m.id;
    EXPECT_GT(limits.shared_bytes_per_sm, 0) << m.id;
    EXPECT_LE(limits.shared_bytes_per_block, limits.shared_bytes_per_sm) << m.id;
    if (m.vendor == Vendor::kNvidia) {
      EXPECT_EQ(limits.shared_carveouts.back(), limits.shared_bytes_per_sm) << m.id;
      EXPECT_GE(limits.max_blocks_per_sm, 16) << m.id;
    }
  }
}

TEST(MachinesDataTest, MachinesOfOneCapabilityShareTheirLimits) {
  for (const Machine& a : Database::built_in().machines()) {
    for (const Machine& b : Database::built_in().machines()) {
      if (a.compute_capability != b.compute_capability) continue;
      EXPECT_EQ(a.occupancy, b.occupancy) << a.id << " " << b.id;
    }
  }
}

TEST(MachinesDataTest, GoldenPeaksAndRidges) {
  expect_within(peak_of("l40s", "fp32_core"), 91.6e12, 0.001, "L40S fp32");
  expect_within(dram_of("l40s"), 864e9, 0.001, "L40S dram");
  EXPECT_EQ(std::lround(peak_of("l40s", "fp32_core") / dram_of("l40s")), 106);
  EXPECT_EQ(std::lround(peak_of("h100-sxm", "fp32_core") / dram_of("h100-sxm")), 20);
  EXPECT_EQ(std::lround(peak_of("rtx5090", "fp32_core") / dram_of("rtx5090")), 58);
  EXPECT_EQ(std::lround(peak_of("l40s", "fp16_tensor_mma_dense") / dram_of("l40s")), 419);
}

TEST(MachinesDataTest, ClocksOfOneDatasheetStayApart) {
  const Machine& l40s = machine("l40s");
  EXPECT_DOUBLE_EQ(find_ceiling(l40s, core(DataType::kFp32))->clock->count(), 2.52e9);
  EXPECT_DOUBLE_EQ(find_ceiling(l40s, *parse_compute_key("fp16_tensor_mma_dense"))->clock->count(), 2.49e9);
  const Machine& h100 = machine("h100-sxm");
  EXPECT_DOUBLE_EQ(find_ceiling(h100, core(DataType::kFp32))->clock->count(), 1.98e9);
  EXPECT_DOUBLE_EQ(find_ceiling(h100, *parse_compute_key("bf16_tensor_wgmma_dense"))->clock->count(), 1.83e9);
}

TEST(MachinesDataTest, MmaSyncIsTwoThirdsOfWgmmaOnHopper) {
  for (const char* id : {"h100-sxm", "h100-pcie", "h100-nvl", "h200-sxm", "gh200"}) {
    for (const char* type : {"tf32", "fp16", "bf16", "int8"}) {
      const double mma = peak_of(id, std::string(type) + "_tensor_mma_dense");
      const double wgmma = peak_of(id, std::string(type) + "_tensor_wgmma_dense");
      expect_within(mma, wgmma * 2 / 3, 1e-9, std::string(id) + " " + type);
    }
  }
}

TEST(MachinesDataTest, H200RatesAreThoseItsCountersState) {
  const Machine& h200 = machine("h200-sxm");
  // Reports count the bytes of L2's tag stage, so its rate is the roof and not that of the way to the SMs (188 x 32).
  EXPECT_NEAR(find_level(h200, Level::kL2)->bandwidth->count(), 94 * 3 * 32 * 1.71e9, 1);
  const auto chip_rate = [&](std::string_view key) {
    return find_ceiling(h200, *parse_compute_key(key))->ops_per_clock_per_sm * h200.sm_count;
  };
  EXPECT_DOUBLE_EQ(chip_rate("fp32_core"), 33792);
  EXPECT_DOUBLE_EQ(chip_rate("fp64_core"), 16896);
  EXPECT_DOUBLE_EQ(chip_rate("fp16_core"), 67584);
  EXPECT_DOUBLE_EQ(chip_rate("fp64_tensor_mma_dense"), 33792);
  EXPECT_DOUBLE_EQ(chip_rate("tf32_tensor_wgmma_dense"), 270336);
  EXPECT_DOUBLE_EQ(chip_rate("bf16_tensor_mma_dense"), 360448);
  EXPECT_DOUBLE_EQ(chip_rate("int8_tensor_wgmma_dense"), 1081344);
}

TEST(MachinesDataTest, GeForceHalvesTheRateForFp32Accumulate) {
  for (const char* id : {"rtx2080ti", "rtx3090", "rtx4090", "rtx4090d", "rtx5070", "rtx5090"}) {
    EXPECT_DOUBLE_EQ(peak_of(id, "fp16_tensor_mma_dense_acc16"), 2 * peak_of(id, "fp16_tensor_mma_dense_acc32")) << id;
  }
  for (const char* id : {"rtx4090", "rtx4090d", "rtx5070", "rtx5090"}) {
    EXPECT_DOUBLE_EQ(peak_of(id, "fp8_tensor_mma_dense_acc16"), 2 * peak_of(id, "fp8_tensor_mma_dense_acc32")) << id;
  }
}

TEST(MachinesDataTest, CardsThatAreOftenConfused) {
  expect_within(peak_of("rtx4090", "fp32_core"), 82.6e12, 0.001, "4090");
  expect_within(peak_of("rtx4090d", "fp32_core"), 73.5e12, 0.001, "4090 D");
  expect_within(peak_of("v100-sxm2", "fp32_core"), 15.7e12, 0.005, "V100 SXM2");
  expect_within(peak_of("v100-pcie", "fp32_core"), 14.1e12, 0.005, "V100 PCIe");
  expect_within(peak_of("a10g", "fp32_core"), 35.0e12, 0.005, "A10G");
  expect_within(peak_of("h100-nvl", "bf16_tensor_wgmma_dense"), 835.5e12, 0.001, "H100 NVL");
  expect_within(peak_of("mi250x-gcd", "bf16_tensor_mfma_dense"), 191.5e12, 0.001, "MI250X GCD");
  expect_within(dram_of("mi300x"), 5324.8e9, 1e-9, "MI300X dram");
  expect_within(dram_of("b200"), 7672.32e9, 1e-9, "B200 dram");
  EXPECT_EQ(machine("mi300x").sm_count, 304);
  EXPECT_EQ(machine("mi250x-gcd").sm_count, 110);
  // 10.0 has two barriers a block, 12.0 one.
  EXPECT_EQ(machine("b200").occupancy.max_barriers_per_sm, 64);
  EXPECT_EQ(machine("rtx5090").occupancy.max_barriers_per_sm, 24);
}

}  // namespace
}  // namespace ridge
