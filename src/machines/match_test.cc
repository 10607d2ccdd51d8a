#include "ridgepoint/machines/match.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "machines/device_name.h"

namespace ridge {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

template <class T>
Value<T> reported(T value) {
  return Value<T>(value, Provenance::kReported);
}

Match match(std::string_view name, const DeviceAttributes& attributes = {}) {
  return match_device(name, attributes, Database::built_in());
}

std::string id_of(const Match& found) {
  return found.machine ? found.machine->id : "none";
}

std::string argument(const Match& found, std::string_view issue, std::string_view name) {
  for (const Issue& entry : found.issues) {
    if (entry.message.id != issue) continue;
    for (const Argument& argument : entry.message.arguments) {
      if (argument.name == name) return std::get<std::string>(argument.value);
    }
  }
  return "no such issue";
}

DeviceAttributes capability(double major, double minor) {
  DeviceAttributes attributes;
  attributes.compute_capability_major = reported(major);
  attributes.compute_capability_minor = reported(minor);
  return attributes;
}

/// What a report on an unknown Hopper card says.
DeviceAttributes hopper_attributes() {
  DeviceAttributes attributes = capability(9, 0);
  attributes.sm_count = reported(120.0);
  attributes.max_sm_clock = reported(Hertz(1.9e9));
  attributes.max_dram_clock = reported(Hertz(3e9));
  attributes.dram_bus_width_bits = reported(6144.0);
  attributes.dram_capacity = reported(Bytes(96 * kGiB));
  return attributes;
}

TEST(MatchTest, EveryDriverNameFindsItsOwnMachine) {
  for (const Machine& machine : Database::built_in().machines()) {
    for (const std::string& name : machine.device_names) {
      EXPECT_EQ(id_of(match(name)), machine.id) << name;
    }
  }
}

TEST(MatchTest, ANameIsNeverMatchedByItsBeginning) {
  EXPECT_EQ(id_of(match("NVIDIA A10")), "a10");
  EXPECT_EQ(id_of(match("NVIDIA A10G")), "a10g");
  EXPECT_EQ(id_of(match("NVIDIA L4")), "l4");
  EXPECT_EQ(id_of(match("NVIDIA L40S")), "l40s");
  EXPECT_EQ(id_of(match("NVIDIA GeForce RTX 4090")), "rtx4090");
  EXPECT_EQ(id_of(match("NVIDIA GeForce RTX 4090 D")), "rtx4090d");
  for (const char* name : {"NVIDIA A1", "NVIDIA A100X", "NVIDIA L400", "NVIDIA H2", "NVIDIA GeForce RTX 2080",
                           "NVIDIA GeForce RTX 5070 Ti", "NVIDIA GeForce RTX 4090 Laptop GPU", "Quadro RTX 6000",
                           "NVIDIA T400", "NVIDIA B300 SXM6 AC", "Tesla V100S-PCIE-32GB", "Tesla V100-SXM3-32GB",
                           "NVIDIA H200 NVL", "NVIDIA", "Graphics Device"}) {
    EXPECT_EQ(id_of(match(name)), "none") << name;
    EXPECT_EQ(argument(match(name), "machine-unknown", "device"), name);
  }
}

TEST(MatchTest, ADeviceWithoutANameIsCalledByItsFacts) {
  DeviceAttributes attributes = capability(10, 0);
  attributes.sm_count = reported(152.0);
  const Match found = match("", attributes);
  EXPECT_EQ(argument(found, "machine-unnamed", "capability"), "10.0");
  EXPECT_EQ(argument(found, "machine-unnamed", "machines"), "b200");
  EXPECT_EQ(argument(match("", capability(3, 5)), "machine-unknown", "device"), "GPU (CC 3.5)");
  EXPECT_EQ(argument(match("", {}), "machine-unknown", "device"), "GPU");
}

TEST(MatchTest, MachinesOfTheSameSizeAreSuggestedFirst) {
  DeviceAttributes attributes = capability(9, 0);
  attributes.sm_count = reported(78.0);
  EXPECT_EQ(argument(match("", attributes), "machine-unnamed", "machines").substr(0, 5), "h20, ");
}

TEST(MatchTest, ANamelessAmdDeviceIsUnknown) {
  DeviceAttributes attributes = capability(9, 0);
  attributes.sm_count = reported(104.0);
  attributes.dram_capacity = reported(Bytes(64 * kGiB));
  EXPECT_EQ(id_of(match("AMD Radeon Graphics", attributes)), "none");
}

TEST(MatchTest, SpellingsOfTheMakerAndSeriesDoNotCount) {
  EXPECT_EQ(id_of(match("GeForce RTX 4090")), "rtx4090");
  EXPECT_EQ(id_of(match("rtx  4090")), "rtx4090");
  EXPECT_EQ(id_of(match("A100-SXM4-80GB")), "a100-sxm-80gb");
  EXPECT_EQ(id_of(match("NVIDIA H100 SXM5")), "h100-sxm");
  EXPECT_EQ(id_of(match("Instinct MI300X OAM")), "mi300x");
}

TEST(MatchTest, AmbiguousNamesAreSettledByTheDevicesOwnFacts) {
  DeviceAttributes pcie;
  pcie.sm_count = reported(114.0);
  pcie.dram_capacity = reported(Bytes(79.6 * kGiB));
  const Match found = match("NVIDIA H100", pcie);
  EXPECT_EQ(id_of(found), "h100-pcie");
  EXPECT_EQ(argument(found, "machine-chosen", "evidence"), "name, sm_count=114, memory=80GiB");

  DeviceAttributes nvl;
  nvl.sm_count = reported(132.0);
  nvl.dram_capacity = reported(Bytes(93.6 * kGiB));
  EXPECT_EQ(id_of(match("NVIDIA H100", nvl)), "h100-nvl");

  DeviceAttributes sxm;
  sxm.sm_count = reported(132.0);
  sxm.dram_capacity = reported(Bytes(79.6 * kGiB));
  sxm.max_sm_clock = reported(Hertz(1.98e9));
  EXPECT_EQ(id_of(match("NVIDIA H100", sxm)), "h100-sxm");
}

TEST(MatchTest, AmbiguousNamesWithoutFactsChooseNothing) {
  const Match found = match("NVIDIA H100");
  EXPECT_EQ(id_of(found), "none");
  const std::string machines = argument(found, "machine-ambiguous", "machines");
  for (const char* id : {"h100-sxm", "h100-pcie", "h100-nvl"}) EXPECT_NE(machines.find(id), std::string::npos);
  EXPECT_EQ(found.issues.front().severity, Severity::kError);
}

TEST(MatchTest, AKnownNameWithOtherFactsIsAnotherDevice) {
  DeviceAttributes small = capability(8, 7);
  small.sm_count = reported(14.0);
  EXPECT_NE(id_of(match("Orin", small)), "jetson-agx-orin");
  EXPECT_EQ(id_of(match("NVIDIA GeForce RTX 5090", capability(8, 9))), "none");
  DeviceAttributes large;
  large.sm_count = reported(188.0);
  EXPECT_EQ(id_of(match("NVIDIA GeForce RTX 5090", large)), "none");
}

TEST(MatchTest, ASliceIsScaledToItsSms) {
  DeviceAttributes attributes = capability(8, 0);
  attributes.sm_count = reported(42.0);
  const Match found = match("NVIDIA A100-SXM4-40GB", attributes);
  ASSERT_TRUE(found.machine.has_value());
  EXPECT_EQ(found.machine->sm_count, 42);
  EXPECT_NEAR(peak(*found.machine, *find_ceiling(*found.machine, core(DataType::kFp32))).count(), 7.58e12, 0.01e12);
  EXPECT_FALSE(find_level(*found.machine, Level::kDram)->bandwidth.has_value());
  EXPECT_NEAR(find_level(*found.machine, Level::kL1)->bandwidth->count(), 42 * 128 * 1.41e9, 1e6);
  ASSERT_EQ(found.issues.size(), 2u);
  EXPECT_EQ(found.issues[1].message.id, "machine-slice");
  EXPECT_NE(found.machine->note.find("42 of the 108"), std::string::npos);
}

TEST(MatchTest, ASliceGetsItsEighthsOfTheMemory) {
  DeviceAttributes attributes;
  attributes.sm_count = reported(42.0);
  attributes.dram_capacity = reported(Bytes(19.6 * kGiB));
  const Match found = match("NVIDIA A100-SXM4-40GB MIG 3g.20gb", attributes);
  ASSERT_TRUE(found.machine.has_value());
  const MemoryLevel* dram = find_level(*found.machine, Level::kDram);
  EXPECT_NEAR(dram->bandwidth->count(), 1555.2e9 / 2, 1e9);
  EXPECT_NEAR(dram->capacity->count(), 20 * kGiB, 1);
  EXPECT_NEAR(find_level(*found.machine, Level::kL2)->capacity->count(), 20.0 * 1024 * 1024, 1);
}

TEST(MatchTest, ACardSoldWithTwoMemorySizesHasTheReportedOne) {
  DeviceAttributes attributes;
  attributes.sm_count = reported(80.0);
  attributes.dram_capacity = reported(Bytes(31.7 * kGiB));
  const Match found = match("Tesla V100-SXM2-32GB", attributes);
  ASSERT_TRUE(found.machine.has_value());
  EXPECT_EQ(find_level(*found.machine, Level::kDram)->capacity, attributes.dram_capacity);
}

TEST(MatchTest, AnUnknownDeviceIsDerivedFromCoresOfItsCapability) {
  const Match found = match("NVIDIA H800", hopper_attributes());
  ASSERT_TRUE(found.machine.has_value());
  EXPECT_EQ(found.machine->provenance, Provenance::kReported);
  EXPECT_DOUBLE_EQ(peak(*found.machine, *find_ceiling(*found.machine, core(DataType::kFp32))).count(),
                   120 * 128 * 2 * 1.9e9);
  EXPECT_DOUBLE_EQ(find_level(*found.machine, Level::kDram)->bandwidth->count(), 6144.0 * 2 * 3e9 / 8);
  EXPECT_EQ(found.machine->occupancy.max_warps_per_sm, 64) << "borrowed from the same compute capability";
  EXPECT_EQ(find_ceiling(*found.machine, core(DataType::kFp64)), nullptr) << "fp64 differs between products";
  EXPECT_NE(found.machine->note.find("120 SMs x 128 lanes"), std::string::npos) << found.machine->note;
  ASSERT_EQ(found.issues.size(), 1u);
  EXPECT_EQ(found.issues[0].message.id, "machine-derived");
  EXPECT_EQ(found.issues[0].severity, Severity::kNotice);
}

TEST(MatchTest, StatedRatesComeBeforeTables) {
  DeviceAttributes attributes = hopper_attributes();
  attributes.fp32_fma_per_clock = reported(120.0 * 128);
  attributes.fp64_fma_per_clock = reported(120.0 * 64);
  attributes.fp16_fma_per_clock = reported(120.0 * 128);
  attributes.dram_bytes_per_clock = reported(1500.0);
  const Match found = match("NVIDIA H800", attributes);
  ASSERT_TRUE(found.machine.has_value());
  const auto peak_of = [&](DataType type) {
    return peak(*found.machine, *find_ceiling(*found.machine, core(type))).count();
  };
  EXPECT_DOUBLE_EQ(peak_of(DataType::kFp64), 120 * 64 * 2 * 1.9e9);
  EXPECT_DOUBLE_EQ(peak_of(DataType::kFp16), 120 * 128 * 4 * 1.9e9);
  EXPECT_DOUBLE_EQ(find_level(*found.machine, Level::kDram)->bandwidth->count(), 1500 * 3e9);
  EXPECT_EQ(found.machine->cores_per_sm, 128);
}

TEST(MatchTest, WithoutClocksNothingIsDerived) {
  DeviceAttributes attributes = capability(9, 0);
  attributes.sm_count = reported(120.0);
  const Match found = match("NVIDIA H800", attributes);
  EXPECT_EQ(id_of(found), "none");
  EXPECT_EQ(found.issues.front().severity, Severity::kError);
}

TEST(MatchTest, ResolvesEveryDeviceOfAProfileAndRepeatsNoIssue) {
  Profile profile;
  for (const char* name : {"NVIDIA H200", "NVIDIA H200", "Toaster"}) profile.devices.emplace_back().name = name;
  profile.devices[1].index = 1;
  profile.devices.emplace_back().name = "NVIDIA L4";
  profile.devices.back().machine = *Database::built_in().find("t4");
  resolve_machines(profile, Database::built_in());
  EXPECT_EQ(profile.devices[0].machine->id, "h200-sxm");
  EXPECT_EQ(profile.devices[1].machine->id, "h200-sxm");
  EXPECT_FALSE(profile.devices[2].machine.has_value());
  EXPECT_EQ(profile.devices[3].machine->id, "t4") << "a machine that was already there stays";
  EXPECT_EQ(profile.issues.size(), 2u);
}

TEST(DeviceNameTest, TakesAllMarksApart) {
  const auto name = machines::parse_device_name("NVIDIA A100-SXM4-40GB MIG 3g.20gb");
  EXPECT_EQ(name.model, std::set<std::string>{"a100"});
  EXPECT_EQ(name.form, std::set<std::string>{"sxm4"});
  EXPECT_EQ(name.memory_gib, 40);
  EXPECT_TRUE(name.slice);
}

Profile recorded_on(std::string_view name, double sms, double major) {
  Profile profile;
  Device& device = profile.devices.emplace_back();
  device.name = name;
  device.attributes.sm_count = reported(sms);
  device.attributes.compute_capability_major = reported(major);
  return profile;
}

/// Whether a recording's device counts as another GPU than the machine chosen for it.
bool is_other(Profile profile, std::string_view id) {
  choose_machine(profile, *find_machine(id), Database::built_in());
  EXPECT_EQ(profile.devices[0].machine->id, id);
  EXPECT_EQ(profile.issues.size(), profile.devices[0].other_machine ? 1u : 0u);
  return profile.devices[0].other_machine;
}

TEST(ChooseMachineTest, AnotherGpuThanTheRecordedOneIsMarkedAndSaid) {
  EXPECT_TRUE(is_other(recorded_on("NVIDIA H200", 132, 9), "l40s"));
  EXPECT_TRUE(is_other(recorded_on("NVIDIA H200", 132, 9), "h100-sxm"));
  EXPECT_TRUE(is_other(recorded_on("NVIDIA H200", 132, 9), "custom"));
  Profile profile = recorded_on("NVIDIA H200", 132, 9);
  choose_machine(profile, *find_machine("l40s"), Database::built_in());
  EXPECT_EQ(profile.issues[0].message.id, "machine-other");
  EXPECT_EQ(argument(Match{{}, profile.issues}, "machine-other", "device"), "NVIDIA H200");
}

TEST(ChooseMachineTest, TheRecordedGpuItselfIsNoOther) {
  EXPECT_FALSE(is_other(recorded_on("NVIDIA H200", 132, 9), "h200-sxm"));
  EXPECT_FALSE(is_other(recorded_on("NVIDIA H200", 16, 9), "h200-sxm")) << "a slice of it";
}

TEST(ChooseMachineTest, AGpuThatNobodyKnowsIsWhatAPersonSays) {
  EXPECT_FALSE(is_other(recorded_on("Graphics Device", 132, 9), "h200-sxm"));
  EXPECT_FALSE(is_other(recorded_on("Graphics Device", 132, 9), "custom"));
  EXPECT_TRUE(is_other(recorded_on("Graphics Device", 200, 9), "h200-sxm")) << "more SMs than it has";
  EXPECT_TRUE(is_other(recorded_on("Graphics Device", 132, 8), "h200-sxm")) << "another compute capability";
}

}  // namespace
}  // namespace ridge
