#include "store/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "store/temporary_file.h"

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

TEST_F(WriteFileTest, WhatWritingWouldMeetIsToldBefore) {
  std::ofstream(folder_ / "old") << "old";
  fs::create_symlink(folder_ / "nothing", folder_ / "link");
  EXPECT_TRUE(check_file(folder_ / "new"));
  EXPECT_TRUE(check_file(folder_ / "old"));
  EXPECT_TRUE(check_file("/dev/null"));
  EXPECT_TRUE(check_file("/dev/stderr"));
  for (const fs::path& path : {folder_, folder_ / "no/file", folder_ / "link", fs::path()}) {
    const Result<void> checked = check_file(path);
    const Result<void> written = write_file(path, "x");
    ASSERT_FALSE(checked) << path;
    ASSERT_FALSE(written) << path;
    EXPECT_EQ(to_string(checked.error()), to_string(written.error()));
  }
  EXPECT_EQ(files_in_folder(), 2U);
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

TEST_F(WriteFileTest, RefusesALinkThatLeadsNowhereAndKeepsIt) {
  fs::create_symlink("missing", folder_ / "dangling");
  fs::create_symlink("loop", folder_ / "loop");
  for (const char* name : {"dangling", "loop"}) {
    const Result<void> result = write_file(folder_ / name, "x");
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, ErrorCode::kUsage);
    EXPECT_EQ(result.error().where, (folder_ / name).string());
    EXPECT_TRUE(fs::is_symlink(folder_ / name)) << name;
  }
  EXPECT_EQ(files_in_folder(), 2U);
}

TEST_F(WriteFileTest, AddsToTheFileBehindAStream) {
  const fs::path path = folder_ / "log";
  ASSERT_TRUE(write_file(path, "old"));
  const int file = open(path.c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(file, 0);
  const std::string number = std::to_string(file);
  EXPECT_TRUE(write_file("/dev/fd/" + number, ", fd"));
  EXPECT_TRUE(write_file("/proc/self/fd/" + number, ", proc"));
  fs::create_symlink("/dev/fd/" + number, folder_ / "link");
  EXPECT_TRUE(write_file(folder_ / "link", ", link"));
  close(file);
  EXPECT_EQ(contents(path), "old, fd, proc, link");
}

TEST_F(WriteFileTest, RefusesAStreamThatIsNotOpen) {
  const Result<void> result = write_file("/dev/fd/9999", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
}

/// Runs `write` in a process of its own that a signal ends after some of the bytes: SIGXFSZ, which the system sends at
/// the first byte beyond the largest size a file may have. True if it ended so.
template <class F>
bool killed_while(F write) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const rlimit small = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &small);
    write(std::string(100'000, 'n'));
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ;
}

TEST_F(WriteFileTest, LeavesOnlyTheOldFileWhenASignalEndsIt) {
  const fs::path path = folder_ / "out";
  ASSERT_TRUE(write_file(path, "old"));
  EXPECT_TRUE(killed_while([&](const std::string& bytes) { (void)write_file(path, bytes); }));
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(WriteFileTest, LeavesOnlyTheOldFileAlsoWhereFilesNeedAName) {
  const fs::path path = folder_ / "out";
  ASSERT_EQ(replace_through_named(path, "old", nullptr), 0);
  EXPECT_TRUE(killed_while([&](const std::string& bytes) { (void)replace_through_named(path, bytes, nullptr); }));
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(WriteFileTest, LeavesSignalsAsTheyWere) {
  struct sigaction before = {};
  sigset_t blocked_before;
  std::signal(SIGHUP, SIG_IGN);  // as nohup does
  ASSERT_EQ(replace_through_named(folder_ / "out", "x", nullptr), 0);
  ASSERT_TRUE(write_file(folder_ / "out", "y"));
  sigaction(SIGHUP, nullptr, &before);
  EXPECT_EQ(before.sa_handler, SIG_IGN);
  std::signal(SIGHUP, SIG_DFL);
  sigaction(SIGTERM, nullptr, &before);
  EXPECT_EQ(before.sa_handler, SIG_DFL);
  sigprocmask(SIG_SETMASK, nullptr, &blocked_before);
  EXPECT_EQ(sigismember(&blocked_before, SIGTERM), 0);
}

TEST_F(WriteFileTest, TakesTheNextNameWhenAKilledProgramLeftOne) {
  const std::string left = ".ridge-" + std::to_string(getpid()) + "-0.tmp";
  std::ofstream(folder_ / left) << "left";
  ASSERT_TRUE(write_file(folder_ / "out", "old"));
  ASSERT_TRUE(write_file(folder_ / "out", "new"));
  ASSERT_EQ(replace_through_named(folder_ / "named", "new", nullptr), 0);
  EXPECT_EQ(contents(folder_ / "out"), "new");
  EXPECT_EQ(contents(folder_ / "named"), "new");
  EXPECT_EQ(contents(folder_ / left), "left");
  EXPECT_EQ(files_in_folder(), 3U);
}

TEST_F(WriteFileTest, LeavesNothingBehindWhenTheFinalNameIsImpossible) {
  const std::string name(300, 'n');
  ASSERT_FALSE(write_file(folder_ / name, "x"));
  EXPECT_EQ(files_in_folder(), 0U);
}

}  // namespace
}  // namespace ridge::store
