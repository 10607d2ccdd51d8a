// The guide shows real output: every console block of docs/guide/explain*.md is run again and must answer the same, on
// a terminal of 80 columns.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/commands/commands.h"
#include "cli/program.h"

namespace ridge::cli {
namespace {

struct Block {
  std::string command, output;
};

std::vector<Block> blocks_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<Block> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```console") {
      inside = true;
      blocks.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside && line.starts_with("$ ridge ") && blocks.back().command.empty()) {
      blocks.back().command = line.substr(8);
    } else if (inside) {
      blocks.back().output += line + "\n";
    }
  }
  return blocks;
}

/// Words as a shell would pass them, as far as the guide needs it: blanks and single quotes.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  bool quoted = false;
  bool open = false;
  for (const char c : command) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open) words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

class ExplainGuideTest : public testing::TestWithParam<const char*> {};

TEST_P(ExplainGuideTest, ShowsWhatTheProgramAnswers) {
  Commands list;
  list.push_back(make_explain_command());
  const std::vector<Block> blocks = blocks_of(std::string(RIDGE_SOURCE_DIR) + "/docs/guide/" + GetParam());
  EXPECT_GE(blocks.size(), 6u);
  for (const Block& block : blocks) {
    std::ostringstream out;
    std::ostringstream err;
    Context context = {out, err, 80};
    EXPECT_EQ(run_program(list, words_of(block.command), context), 0) << block.command << err.str();
    EXPECT_EQ(out.str(), block.output) << block.command;
  }
}

class ExplainReferenceTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ExplainReferenceTest, IsWhatTheProgramPrints) {
  const auto& [page, language] = GetParam();
  std::ifstream file(std::string(RIDGE_SOURCE_DIR) + "/docs/reference/" + page);
  std::stringstream expected;
  expected << file.rdbuf();
  Commands list;
  list.push_back(make_explain_command());
  std::ostringstream out;
  std::ostringstream err;
  Context context = {out, err};
  EXPECT_EQ(run_program(list, {"explain", "--list", "--format", "md", "--lang", language}, context), 0) << err.str();
  EXPECT_EQ(out.str(), expected.str());
}

INSTANTIATE_TEST_SUITE_P(Languages, ExplainReferenceTest,
                         testing::Values(std::pair("explain.md", "en"), std::pair("explain.zh-CN.md", "zh")));
INSTANTIATE_TEST_SUITE_P(Languages, ExplainGuideTest, testing::Values("explain.md", "explain.zh-CN.md"));

}  // namespace
}  // namespace ridge::cli
