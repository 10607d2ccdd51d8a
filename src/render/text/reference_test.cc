#include "render/text/reference.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace ridge::render {
namespace {

/// RIDGE_WRITE_REFERENCE=1 writes the page; without it the test holds the page to the catalogue.
void expect_page(const std::string& name, const std::string& expected) {
  const std::string path = std::string(RIDGE_SOURCE_DIR) + "/docs/reference/" + name;
  if (std::getenv("RIDGE_WRITE_REFERENCE") != nullptr) std::ofstream(path) << expected;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), expected) << "run the test with RIDGE_WRITE_REFERENCE=1 and commit " << path;
}

TEST(ReferenceTest, TheIssuesPageIsTheCatalogue) {
  expect_page("issues.md", issues_reference());
}

TEST(ReferenceTest, TheRulesPageIsTheCatalogue) {
  expect_page("rules.md", rules_reference());
}

TEST(ReferenceTest, PagesListWhatTheyPromise) {
  EXPECT_NE(issues_reference().find("| no-flops | "), std::string::npos);
  EXPECT_EQ(issues_reference().find("| no-flops.remedy"), std::string::npos);
  EXPECT_NE(rules_reference().find("| bank-conflicts | shared-memory bank conflicts | "), std::string::npos);
  EXPECT_NE(rules_reference().find("| long_scoreboard |"), std::string::npos);
}

}  // namespace
}  // namespace ridge::render
