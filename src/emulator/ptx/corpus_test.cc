// What compilers wrote: nvcc (the lab's kernels and tests/data/ptx), clang and Triton. Every text is read, is the same
// after printing, and every instruction in it is legal.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "emulator/ptx/opcodes.h"
#include "emulator/ptx/parser.h"
#include "emulator/ptx/printer.h"

namespace ridge::ptx {
namespace {

std::vector<std::string> texts() {
  std::vector<std::string> found;
  for (const char* folder : {"/src/lab/ptx", "/tests/data/ptx"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(RIDGE_SOURCE_DIR) + folder)) {
      if (entry.path().extension() == ".ptx") found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string content(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t expect_legal(const Scope& scope) {
  std::size_t instructions = 0;
  for (const Statement& statement : scope.statements) {
    if (const auto* instruction = std::get_if<Instruction>(&statement)) {
      ++instructions;
      const auto form = match(*instruction);
      EXPECT_TRUE(form.has_value()) << to_string(form.error());
    } else if (const auto* inner = std::get_if<Scope>(&statement)) {
      instructions += expect_legal(*inner);
    }
  }
  return instructions;
}

class PtxCorpus : public ::testing::TestWithParam<std::string> {};

TEST_P(PtxCorpus, IsReadPrintedAndLegal) {
  const auto module = parse(content(GetParam()));
  ASSERT_TRUE(module.has_value()) << to_string(module.error());
  const auto again = parse(print(*module));
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_TRUE(*again == *module);
  std::size_t instructions = 0;
  for (const auto& item : module->items) {
    const auto* function = std::get_if<Function>(&item);
    if (function != nullptr && function->body) instructions += expect_legal(*function->body);
  }
  EXPECT_GT(instructions, 10U);
}

INSTANTIATE_TEST_SUITE_P(All, PtxCorpus, ::testing::ValuesIn(texts()), [](const auto& each) {
  std::string name = std::filesystem::path(each.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace ridge::ptx
