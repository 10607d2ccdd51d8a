#include "base/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ridge {
namespace {

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("ridge_files_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) {
    std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(FilesTest, ReadsWhatWasWritten) {
  const std::string content("a\0b\n", 4);
  EXPECT_EQ(*read_file(write("f", content)), content);
}

TEST_F(FilesTest, NamesThePathAndTheReasonWhenAFileIsMissing) {
  const auto missing = open_file(folder_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kBadInput);
  EXPECT_NE(to_string(missing.error()).find("none"), std::string::npos);
  EXPECT_NE(to_string(missing.error()).find("No such file"), std::string::npos);
}

TEST_F(FilesTest, SaysWhatToCheck) {
  EXPECT_EQ(open_file(folder_ / "none").error().remedy, "check the path");
  EXPECT_EQ(open_file("").error().where, "\"\"");
  const std::string secret = write("secret", "x");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (geteuid() == 0) return;  // root may read everything; tests/golden/input/unreadable.golden runs without
  EXPECT_EQ(open_file(secret).error().remedy, "check its permissions");
}

TEST_F(FilesTest, RefusesADirectory) {
  const auto refused = open_file(folder_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
}

TEST_F(FilesTest, RefusesMoreThanTheLimitAndSaysWhichFile) {
  const std::string path = write("big", std::string(100, 'x'));
  const Result<std::string> refused = read_file(path, 99);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, path);
}

TEST_F(FilesTest, JumpsOverBytesThatNobodyWants) {
  std::string content(3'000'000, '.');
  content += "end";
  ByteReader reader(*open_file(write("long", content)));
  EXPECT_EQ(reader.skip(3'000'000), 3'000'000U);
  EXPECT_EQ(reader.peek(10), "end");
  EXPECT_EQ(reader.skip(10'000'000), 3U);
}

}  // namespace
}  // namespace ridge
