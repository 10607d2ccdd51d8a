#include "cli/help.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "cli/exit_codes.h"
#include "cli/registry.h"

namespace ridge::cli {
namespace {

/// How many times a flag's label begins a line of help ("  --format FORMAT", "  -o, --output FILE").
int labels_of(const std::string& help, const std::string& flag) {
  std::istringstream lines(help);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  -", 0) != 0) continue;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word.size() == 3 && word.back() == ',') words >> word;
    if (word == flag) ++count;
  }
  return count;
}

TEST(HelpTest, NamesEachFlagExactlyOnce) {
  for (const auto& command : commands()) {
    const std::string help = command_help(command->spec(), 100);
    for (const Flag& flag : all_flags(command->spec())) {
      EXPECT_EQ(labels_of(help, flag.name), 1) << "ridge " << command->spec().name << " " << flag.name;
    }
    EXPECT_EQ(labels_of(help, "--help"), 1) << command->spec().name;
  }
}

TEST(HelpTest, ListsEveryCommandOnceExceptHiddenOnes) {
  const std::string help = program_help(commands(), 100);
  for (const auto& command : commands()) {
    const std::string entry = "\n  " + command->spec().name + " ";
    const std::size_t first = help.find(entry);
    EXPECT_EQ(first != std::string::npos, !command->spec().hidden) << command->spec().name;
    if (first == std::string::npos) continue;
    EXPECT_EQ(help.find(entry, first + 1), std::string::npos) << command->spec().name;
  }
}

TEST(HelpTest, ShowsEveryExitStatus) {
  const std::string help = program_help(commands(), 100);
  for (const ExitCode& code : exit_codes()) {
    EXPECT_NE(help.find("  " + std::to_string(code.status) + "   "), std::string::npos) << code.status;
  }
}

TEST(HelpTest, HasAnExitStatusForEveryErrorCode) {
  std::set<int> listed;
  for (const ExitCode& code : exit_codes()) listed.insert(code.status);
  for (const ErrorCode code : {ErrorCode::kUsage, ErrorCode::kBadInput, ErrorCode::kNotAvailable, ErrorCode::kInternal,
                               ErrorCode::kNotComparable}) {
    EXPECT_EQ(listed.count(exit_status(code)), 1U);
  }
}

TEST(HelpTest, KeepsLinesWithinTheTerminal) {
  for (const int width : {60, 80, 200}) {
    for (const auto& command : commands()) {
      std::istringstream lines(command_help(command->spec(), width));
      bool in_examples = false;
      for (std::string line; std::getline(lines, line);) {
        if (line == "Examples:") in_examples = true;
        // A command line of an example is not broken, so that it can be copied.
        const bool example = in_examples && line.rfind("  ridge", 0) == 0;
        const bool usage = line.rfind("Usage:", 0) == 0 || line.rfind("ridge " + command->spec().name + ":", 0) == 0;
        if (example || usage) continue;
        EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
      }
    }
  }
}

TEST(HelpTest, SaysSomethingOfEverything) {
  for (const auto& command : commands()) {
    const CommandSpec& spec = command->spec();
    EXPECT_FALSE(spec.summary.empty()) << spec.name;
    EXPECT_FALSE(spec.description.empty()) << spec.name;
    for (const Flag& flag : all_flags(spec)) {
      EXPECT_FALSE(flag.help.empty()) << spec.name << flag.name;
      EXPECT_EQ(flag.name.rfind("--", 0), 0U) << flag.name;
    }
    for (const Positional& positional : spec.positionals) EXPECT_FALSE(positional.help.empty()) << spec.name;
  }
}

TEST(HelpTest, ManualPageIsUpToDate) {
  std::ifstream file(RIDGE_SOURCE_DIR "/docs/reference/cli.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(page, manual(commands())) << "run tools/update_golden";
}

}  // namespace
}  // namespace ridge::cli
