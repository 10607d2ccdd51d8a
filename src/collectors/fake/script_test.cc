#include "collectors/fake/script.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace ridge::collectors::fake {
namespace {

Script parsed(const std::string& text) {
  auto script = parse_script(text, "s");
  EXPECT_TRUE(script.has_value()) << (script ? "" : script.error().where + ": " + script.error().what);
  return script ? *std::move(script) : Script{};
}

std::string complaint(const std::string& text) {
  const auto script = parse_script(text, "s");
  return script ? "none" : script.error().where + ": " + script.error().what;
}

TEST(FakeScriptTest, AnEmptyScriptIsOneDeviceWithItsSensors) {
  const Script script = parsed("");
  ASSERT_EQ(script.devices.size(), 1U);
  EXPECT_EQ(script.devices[0].chip, "GH100");
  ASSERT_EQ(script.devices[0].sensors.size(), 1U);
  EXPECT_EQ(script.devices[0].sensors[0].sm_clock, 1.98e9);
}

TEST(FakeScriptTest, QuantitiesHaveUnits) {
  const Script script = parsed(
      "device\n memory 80GiB\n sm-clock 1.41GHz\n dram-rate 2TB/s\nend\nkernel k\n duration 3.5us\n shared "
      "2KiB\nend\n");
  EXPECT_EQ(script.devices[0].memory, 80ULL << 30U);
  EXPECT_EQ(script.devices[0].sm_clock, 1.41e9);
  EXPECT_EQ(script.devices[0].dram_rate, 2e12);
  EXPECT_EQ(script.kernels[0].duration, 3500U);
  EXPECT_EQ(script.kernels[0].shared_static, 2048U);
}

TEST(FakeScriptTest, QuotedNamesHoldAnyCharacter) {
  const Script script = parsed(R"(kernel "a \"b\"\n\x07 # c"  # d)"
                               "\nend\n");
  EXPECT_EQ(script.kernels.at(0).name, "a \"b\"\n\x07 # c");
}

TEST(FakeScriptTest, ALaunchKeepsItsConfiguration) {
  const Script script = parsed(
      "device\nend\ndevice\nend\nkernel k\nend\nprogram\n"
      "launch k grid 4,5 block 64 shared 1KiB stream 3 device 1 repeat 9 cooperative runtime\nend\n");
  const Step& step = script.programs.at("main").at(0);
  EXPECT_EQ(step.grid, (std::array<std::uint32_t, 3>{4, 5, 1}));
  EXPECT_EQ(step.block, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(step.shared, 1024U);
  EXPECT_EQ(step.stream, 3U);
  EXPECT_EQ(step.device, 1U);
  EXPECT_EQ(step.repeat, 9U);
  EXPECT_TRUE(step.cooperative && step.runtime);
}

TEST(FakeScriptTest, LoopsNest) {
  const Script script = parsed("program\nloop 2\nloop 3\nsync\nend\nsync\nend\nexit 4\nend\n");
  const auto& steps = script.programs.at("main");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].children.size(), 2U);
  EXPECT_EQ(steps[0].children[0].children.size(), 1U);
  EXPECT_EQ(steps[1].amount, 4U);
}

TEST(FakeScriptTest, SensorsKeepWhatALaterLineDoesNotSay) {
  const Script script = parsed("device\nsensors at 5ms power 650\nsensors at 9ms temperature 80\nend\n");
  const auto& sensors = script.devices[0].sensors;
  ASSERT_EQ(sensors.size(), 3U);
  EXPECT_EQ(sensors[0].at, 0U);
  EXPECT_EQ(sensors[2].watts, 650);
  EXPECT_EQ(sensors[2].celsius, 80);
}

TEST(FakeScriptTest, ErrorsNameFileAndLine) {
  EXPECT_EQ(complaint("kernel k\nend\n\nlunch k\n"), "s:4: 'lunch' begins no line of a script");
  EXPECT_EQ(complaint("kernel \"k\nend\n"), "s:1: a quote is not closed");
  EXPECT_EQ(complaint("kernel k\n"), "s:1: a block has no 'end'");
  EXPECT_EQ(complaint("end\n"), "s:1: there is no block for this 'end'");
  EXPECT_EQ(complaint("kernel k\nend\nkernel k\nend\n"), "s:3: kernel 'k' is there twice");
  EXPECT_EQ(complaint("kernel k\nduration 3\nend\n"), "s:2: '3' is not a duration such as 3.5us");
  EXPECT_EQ(complaint("kernel k\nduration -3us\nend\n"), "s:2: '-3us' is not a duration such as 3.5us");
  EXPECT_EQ(complaint("kernel k\ncount dram__bites.sum 1\nend\n"),
            "s:2: 'dram__bites.sum' is no metric of the fake chip");
  EXPECT_EQ(complaint("kernel k\ncount dram__bytes.sum 1 per hour\nend\n"),
            "s:2: a count is per block, warp or thread");
  EXPECT_EQ(complaint("fault flood\n"), "s:1: there is no fault 'flood'");
  EXPECT_EQ(complaint("kernel \"\\q\"\nend\n"), R"(s:1: an escape is none of \n, \t, \", \\ and \xHH)");
}

TEST(FakeScriptTest, WhatAProgramNamesHasToExist) {
  EXPECT_EQ(complaint("program\nlaunch k\nend\n"), "s:2: no kernel 'k' was described above");
  EXPECT_EQ(complaint("program\nreplay g\nend\n"), "s:2: there is no graph 'g'");
  EXPECT_EQ(complaint("program\nchild p\nend\n"), "s:2: there is no program 'p'");
  EXPECT_EQ(complaint("program\nloop 2\nsync device 1\nend\nend\n"), "s:3: there is no such device");
  EXPECT_EQ(complaint("kernel k\nend\ngraph g\nsync\nend\n"), "s:4: a graph holds launches only");
  EXPECT_EQ(complaint("kernel k\nend\nprogram\nlaunch k grid 1,2,3,4\nend\n"),
            "s:4: '1,2,3,4' has more than three extents");
  EXPECT_EQ(complaint("kernel k\nend\nprogram\nlaunch k grid 0\nend\n"), "s:4: a grid or block has no extent of 0");
}

TEST(FakeScriptTest, AMissingScriptIsSaidWithItsPath) {
  const auto script = read_script("/nowhere");
  ASSERT_FALSE(script.has_value());
  EXPECT_EQ(script.error().where, "/nowhere/script");
}

TEST(FakeScriptTest, TheExamplesAreScripts) {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RIDGE_SOURCE_DIR "/tests/data/fake_gpu")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto script = parse_script(text, entry.path().filename());
    EXPECT_TRUE(script.has_value()) << (script ? "" : script.error().where + ": " + script.error().what);
    ++found;
  }
  EXPECT_GE(found, 12U);
}

}  // namespace
}  // namespace ridge::collectors::fake
