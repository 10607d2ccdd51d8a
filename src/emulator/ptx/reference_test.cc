#include "emulator/ptx/reference.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace ridge::ptx {
namespace {

/// RIDGE_WRITE_REFERENCE=1 writes the page; without it the test holds the page to the table.
TEST(PtxReference, ThePageIsTheTable) {
  const std::string path = std::string(RIDGE_SOURCE_DIR) + "/docs/reference/ptx.md";
  if (std::getenv("RIDGE_WRITE_REFERENCE") != nullptr) std::ofstream(path) << opcode_reference();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_TRUE(text.str() == opcode_reference()) << "run the test with RIDGE_WRITE_REFERENCE=1 and commit " << path;
}

}  // namespace
}  // namespace ridge::ptx
