#include <gtest/gtest.h>

#include <string>

#include "ridgepoint/machines/database.h"

namespace ridge {
namespace {

constexpr std::string_view kSmall = R"(id = "toy"
name = "Toy GPU"
sm_count = 10
cores_per_sm = 128
boost_clock = "2 GHz"
[bus]
kind = "GDDR6"
width_bits = 256
data_rate = "16 Gbit/s"
[ceilings]
fp32_core = { ops_per_clock_per_sm = 256, clock = "2 GHz", stated = "5.12 TFLOP/s" }
[levels.l1]
bytes_per_clock = 128
[levels.dram]
capacity = "8 GiB"
)";

/// kSmall with one text replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  text.replace(text.find(from), from.size(), to);
  return text;
}

Error error_of(const std::string& toml) {
  const auto machine = parse_machine(toml, "toy.toml");
  EXPECT_FALSE(machine.has_value());
  return machine ? Error{} : machine.error();
}

TEST(MachineFileTest, ReadsCeilingsAndWorksOutBandwidths) {
  const auto machine = parse_machine(kSmall, "toy.toml");
  ASSERT_TRUE(machine.has_value()) << to_string(machine.error());
  ASSERT_EQ(machine->ceilings.size(), 1u);
  EXPECT_DOUBLE_EQ(peak(*machine, machine->ceilings[0]).count(), 5.12e12);
  ASSERT_NE(find_level(*machine, Level::kDram), nullptr);
  EXPECT_DOUBLE_EQ(find_level(*machine, Level::kDram)->bandwidth->count(), 512e9);
  EXPECT_DOUBLE_EQ(find_level(*machine, Level::kDram)->capacity->count(), 8.0 * 1024 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(find_level(*machine, Level::kL1)->bandwidth->count(), 10 * 128 * 2e9);
  EXPECT_EQ(machine->ceilings[0].provenance, Provenance::kDatasheet);
}

TEST(MachineFileTest, ErrorsNameLineKeyAndRemedy) {
  const Error error = error_of(with("cores_per_sm", "cores_per_smm"));
  EXPECT_EQ(error.code, ErrorCode::kBadInput);
  EXPECT_EQ(error.where, "toy.toml:4");
  EXPECT_NE(error.what.find("cores_per_smm"), std::string::npos);
  EXPECT_NE(error.remedy.find("cores_per_sm"), std::string::npos);
}

TEST(MachineFileTest, RejectsUnknownKeysInsideACeiling) {
  const Error error = error_of(with("stated = ", "claimed = "));
  EXPECT_EQ(error.where, "toy.toml:11");
  EXPECT_NE(error.what.find("ceilings.fp32_core.claimed"), std::string::npos);
}

TEST(MachineFileTest, RejectsAPeakThatIsNotCountTimesRateTimesClock) {
  const Error error = error_of(with("5.12 TFLOP/s", "5.5 TFLOP/s"));
  EXPECT_NE(error.what.find("10 SMs x 256"), std::string::npos) << error.what;
}

TEST(MachineFileTest, RejectsABandwidthThatIsNotBusWidthTimesDataRate) {
  const Error error = error_of(with("capacity = \"8 GiB\"", "bandwidth = \"600 GB/s\""));
  EXPECT_NE(error.what.find("levels.dram.bandwidth"), std::string::npos) << error.what;
}

TEST(MachineFileTest, RejectsWrongTypesAndUnits) {
  EXPECT_NE(error_of(with("sm_count = 10", "sm_count = \"10\"")).what.find("sm_count"), std::string::npos);
  EXPECT_NE(error_of(with("sm_count = 10", "sm_count = 10.5")).what.find("whole number"), std::string::npos);
  EXPECT_NE(error_of(with("sm_count = 10", "sm_count = -1")).what.find("outside"), std::string::npos);
  EXPECT_NE(error_of(with("sm_count = 10", "sm_count = nan")).what.find("sm_count"), std::string::npos);
  EXPECT_NE(error_of(with("\"2 GHz\"\n[bus]", "2\n[bus]")).what.find("boost_clock"), std::string::npos);
  EXPECT_NE(error_of(with("\"8 GiB\"", "\"8 GHz\"")).what.find("levels.dram.capacity"), std::string::npos);
  EXPECT_NE(error_of(with("fp32_core", "fp32_heart")).what.find("fp32_heart"), std::string::npos);
}

TEST(MachineFileTest, NamesTheLineOfASyntaxError) {
  const Error error = error_of(with("sm_count = 10", "sm_count = = 10"));
  EXPECT_EQ(error.where, "toy.toml:3");
}

TEST(MachineFileTest, RejectsATableHeaderWithoutAKey) {
  for (const char* header : {"[[[", "[[[a]]]", "[", "[[", "[]", "[ ]", "[=]", "[[[[[[[[", "[\n]"}) {
    EXPECT_FALSE(parse_machine(header, "x").has_value()) << header;
  }
}

TEST(MachineFileTest, OnlyTextsAndCommentsMayHoldMoreThanAscii) {
  EXPECT_TRUE(parse_machine(with("Toy GPU\"", "\u73a9\u5177 GPU\" # \u00e9"), "x").has_value());
  EXPECT_EQ(error_of(with("sm_count = 10", "sm_count = \u03d8")).where, "toy.toml:3");
  EXPECT_FALSE(parse_machine("e =0\"\u039bu", "x").has_value());
}

TEST(MachineFileTest, RejectsTomlThatNeverEnds) {
  EXPECT_FALSE(parse_machine("a = [[[[[[[[", "x").has_value());
  EXPECT_FALSE(parse_machine("a = " + std::string(5000, '['), "x").has_value());
  EXPECT_FALSE(parse_machine("a = \"", "x").has_value());
}

TEST(MachineFileTest, RejectsAFileWithNothingToComputeWith) {
  EXPECT_FALSE(parse_machine("id = \"x\"\nname = \"x\"\nsm_count = 1\n", "x").has_value());
  EXPECT_FALSE(parse_machine("", "x").has_value());
}

TEST(MachineFileTest, ACeilingMayBeABarePeakButNotHalfOfOne) {
  constexpr std::string_view kHead = "id = \"x\"\nname = \"x\"\nsm_count = 4\n[ceilings]\nfp32_core = ";
  const auto machine = parse_machine(std::string(kHead) + "{ stated = \"30 TFLOP/s\" }\n", "x");
  ASSERT_TRUE(machine.has_value()) << to_string(machine.error());
  EXPECT_FALSE(machine->ceilings[0].clock);
  EXPECT_EQ(peak(*machine, machine->ceilings[0]).count(), 30e12);
  EXPECT_FALSE(parse_machine(std::string(kHead) + "{ }\n", "x").has_value());
  EXPECT_FALSE(parse_machine(std::string(kHead) + "{ stated = \"30 TFLOP/s\", clock = \"1 GHz\" }\n", "x"));
}

TEST(MachineFileTest, SerialisedMachineIsReadBackEqual) {
  auto machine = parse_machine(kSmall, "toy.toml");
  ASSERT_TRUE(machine.has_value());
  machine->ceilings.push_back(
      {tensor(DataType::kTf32, TensorPath::kWgmma), 0, std::nullopt, Provenance::kDeclared, FlopsPerSecond(400e12)});
  machine->note = "quotes \" backslash \\ and\na line";
  machine->ceilings[0].clock = Hertz(1.0 / 3 * 1e9);
  machine->ceilings[0].stated = FlopsPerSecond(0);
  machine->ceilings[0].provenance = Provenance::kMeasured;
  machine->occupancy.shared_carveouts = {0, 8192, 100 * 1024};
  const auto again = parse_machine(serialise_machine(*machine), "again");
  ASSERT_TRUE(again.has_value()) << to_string(again.error()) << serialise_machine(*machine);
  EXPECT_EQ(*again, *machine);
}

}  // namespace
}  // namespace ridge
