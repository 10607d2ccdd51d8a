// Helpers of the fake GPU's tests: scripts in folders of their own, and a process for each test that plays one, because
// a process has one GPU all its life.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace ridge::collectors::fake {

/// A folder with a script, removed at the end.
class ScriptFolder {
 public:
  explicit ScriptFolder(const std::string& script) {
    std::string name = std::filesystem::temp_directory_path() / "ridge-fake-XXXXXX";
    path_ = mkdtemp(name.data());
    std::ofstream(path_ + "/script") << script;
  }
  ~ScriptFolder() { std::filesystem::remove_all(path_); }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Runs the body in a process whose GPU plays the script; its failures are the test's.
template <class Body>
void on_gpu(const ScriptFolder& folder, Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    setenv("RIDGE_FAKE_GPU", folder.path().c_str(), 1);  // allow(getenv): the child's own
    body();
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);  // allow(exit): of the test's child
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "see the failures above";
}
template <class Body>
void on_gpu(const std::string& script, Body body) {
  const ScriptFolder folder(script);
  on_gpu(folder, body);
}

}  // namespace ridge::collectors::fake
