#include "store/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace ridge::store {
namespace {

namespace fs = std::filesystem;

class WriteFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/write_file_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WriteFileTest, WritesTheBytesAndLeavesNothingElse) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(write_file(folder_ / "out", bytes));
  EXPECT_EQ(contents(folder_ / "out"), bytes);
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(WriteFileTest, ReplacesAFileAndKeepsItsPermissions) {
  const fs::path path = folder_ / "out";
  ASSERT_TRUE(write_file(path, "old and longer"));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFileTest, ReplacesTheTargetOfASymbolicLink) {
  ASSERT_TRUE(write_file(folder_ / "target", "old"));
  fs::create_symlink("target", folder_ / "link");
  ASSERT_TRUE(write_file(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(contents(folder_ / "target"), "new");
}

TEST_F(WriteFileTest, NamesAMissingFolderAsUsageError) {
  const Result<void> result = write_file(folder_ / "no" / "out", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  EXPECT_EQ(result.error().where, (folder_ / "no" / "out").string());
  EXPECT_EQ(result.error().remedy, "create the folder first or name another");
}

TEST_F(WriteFileTest, RefusesAFolder) {
  const Result<void> result = write_file(folder_, "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
}

TEST_F(WriteFileTest, WritesToADeviceInPlace) {
  ASSERT_TRUE(write_file("/dev/null", "x"));
  struct stat status = {};
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST_F(WriteFileTest, ReportsAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Result<void> result = write_file("/dev/full", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInternal);
  EXPECT_NE(result.error().what.find("No space left"), std::string::npos) << result.error().what;
}

TEST_F(WriteFileTest, LeavesNothingBehindWhenTheFinalNameIsImpossible) {
  const std::string name(300, 'n');
  ASSERT_FALSE(write_file(folder_ / name, "x"));
  EXPECT_EQ(files_in_folder(), 0U);
}

}  // namespace
}  // namespace ridge::store
