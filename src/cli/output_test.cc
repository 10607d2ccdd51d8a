// Where results go and how they look: -o, --width, --lang, --color and the environment.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/output_file.h"
#include "cli/parser.h"

namespace ridge::cli {
namespace {

class OutputTest : public testing::Test {
 protected:
  static Arguments arguments(const std::vector<std::string>& words) {
    CommandSpec spec;
    spec.name = "try";
    const Result<Arguments> result = parse(spec, words);
    EXPECT_TRUE(result);
    return result.value_or(Arguments());
  }
  OutputOptions options(const std::vector<std::string>& words) {
    const Result<OutputOptions> result = output_options(arguments(words), context_);
    EXPECT_TRUE(result);
    return result.value_or(OutputOptions());
  }

  std::ostringstream out_, err_;
  Context context_ = {out_, err_, 80, true, {}};
};

TEST_F(OutputTest, ColoursATerminalOnly) {
  EXPECT_TRUE(options({}).colour);
  context_.out_is_terminal = false;
  EXPECT_FALSE(options({}).colour);
  EXPECT_TRUE(options({"--color", "always"}).colour);
}

TEST_F(OutputTest, ObeysNoColorAndDumbTerminals) {
  context_.environment = {{"NO_COLOR", "1"}};
  EXPECT_FALSE(options({}).colour);
  EXPECT_TRUE(options({"--color", "always"}).colour);
  context_.environment = {{"NO_COLOR", ""}};
  EXPECT_TRUE(options({}).colour);
  context_.environment = {{"TERM", "dumb"}};
  EXPECT_FALSE(options({}).colour);
}

TEST_F(OutputTest, DoesNotColourAFile) {
  EXPECT_FALSE(options({"-o", "f"}).colour);
}

TEST_F(OutputTest, TakesTheTerminalsWidthUnlessOneIsGiven) {
  EXPECT_EQ(options({}).width, 80);
  EXPECT_EQ(options({"--width", "200"}).width, 200);
}

TEST_F(OutputTest, RefusesWidthsThatAreNone) {
  for (const char* width : {"19", "1001", "x", "80x", "", "-80", "99999999999999999999"}) {
    EXPECT_FALSE(output_options(arguments({"--width", width}), context_)) << width;
  }
}

TEST_F(OutputTest, TakesTheLanguageOfTheEnvironmentUnlessOneIsGiven) {
  EXPECT_EQ(options({}).language, "en");
  context_.environment = {{"RIDGE_LANG", "zh"}, {"LANG", "de_DE.UTF-8"}};
  EXPECT_EQ(options({}).language, "zh");
  EXPECT_EQ(options({"--lang", "en"}).language, "en");
  context_.environment = {{"RIDGE_LANG", "fr"}};
  EXPECT_EQ(options({}).language, "en");
}

TEST_F(OutputTest, KeepsToAsciiOnATerminalWithoutUtf8) {
  EXPECT_TRUE(options({}).unicode);
  context_.environment = {{"LANG", "en_US.UTF-8"}};
  EXPECT_TRUE(options({}).unicode);
  context_.environment = {{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}};
  EXPECT_FALSE(options({}).unicode);
  EXPECT_TRUE(options({"-o", "f"}).unicode);
}

TEST_F(OutputTest, ExpandsProcessHostAndRank) {
  context_.environment = {{"SLURM_PROCID", "3"}};
  EXPECT_EQ(expand_output_path("a.%p.%r.%%", context_).value_or(""), "a." + std::to_string(getpid()) + ".3.%");
  EXPECT_EQ(expand_output_path("%h", context_)->find('%'), std::string::npos);
  context_.environment = {};
  EXPECT_EQ(expand_output_path("%r", context_).value_or(""), "0");
}

TEST_F(OutputTest, RefusesUnknownPlaceholders) {
  for (const char* name : {"a%x", "a%"}) {
    const Result<std::string> result = expand_output_path(name, context_);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  }
}

TEST_F(OutputTest, WritesToStandardOutputOrTheFile) {
  ASSERT_TRUE(write_result("x", arguments({}), context_));
  ASSERT_TRUE(write_result("y", arguments({"-o", "-"}), context_));
  EXPECT_EQ(out_.str(), "xy");
  const std::string path = testing::TempDir() + "/ridge_output_%p";
  ASSERT_TRUE(write_result("z", arguments({"-o", path}), context_));
  std::ifstream file(expand_output_path(path, context_).value_or(""));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "z");
  EXPECT_EQ(out_.str(), "xy");
  std::filesystem::remove(expand_output_path(path, context_).value_or(""));
}

class KeepInputsTest : public OutputTest {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/keep_inputs_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"a", "b"}) std::ofstream(folder_ / name) << name;
    std::filesystem::create_symlink("b", folder_ / "link");
    std::filesystem::create_hard_link(folder_ / "b", folder_ / "hard");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] Result<void> keep(const std::string& output, const std::string& machine = "l40s") const {
    Arguments given;
    given.set("--output", {output});
    given.set("--on", {machine});
    given.set_positionals({path("a"), path("b"), path("none")});
    return keep_inputs(given, context_);
  }

  std::filesystem::path folder_;
};

TEST_F(KeepInputsTest, RefusesAnOutputThatIsAnInputByAnyName) {
  for (const std::string& name :
       {path("a"), path("b"), path("link"), path("hard"), path("./a"), path("a").insert(1, "/")}) {
    const Result<void> result = keep(name);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage);
    EXPECT_EQ(result.error().where, name);
  }
}

TEST_F(KeepInputsTest, RefusesTheFileOfTheMachineAsOutput) {
  std::ofstream(folder_ / "m.toml") << "m";
  EXPECT_FALSE(keep(path("m.toml"), path("m.toml")));
  EXPECT_TRUE(keep(path("m.toml")));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  std::ofstream("l40s") << "m";
  EXPECT_TRUE(keep("l40s", "l40s"));  // the id of a machine, whatever files there are
  std::filesystem::current_path(before);
}

TEST_F(KeepInputsTest, AllowsOtherFilesAndDevices) {
  std::ofstream(folder_ / "other") << "old";
  for (const std::string& name : {path("other"), path("new"), path("none"), std::string("/dev/null")}) {
    EXPECT_TRUE(keep(name)) << name;
  }
  Arguments device;
  device.set("--output", {"/dev/null"});
  device.set_positionals({"/dev/null"});
  EXPECT_TRUE(keep_inputs(device, context_));
}

TEST_F(KeepInputsTest, ExpandsTheNameFirst) {
  std::filesystem::rename(path("a"), path("x." + std::to_string(getpid())));
  Arguments given;
  given.set("--output", {path("x.%p")});
  given.set_positionals({path("x." + std::to_string(getpid()))});
  EXPECT_FALSE(keep_inputs(given, context_));
  given.set("--output", {path("%q")});
  EXPECT_FALSE(keep_inputs(given, context_));
}

}  // namespace
}  // namespace ridge::cli
