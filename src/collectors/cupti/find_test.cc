#include "collectors/cupti/find.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ridge::collectors::cupti {
namespace {

namespace fs = std::filesystem;

/// A file system of its own, with empty files in the places of libraries.
class FindTest : public testing::Test {
 protected:
  FindTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) / (std::string("ridge_find_") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
    places_.root = root_.string();
  }
  ~FindTest() override { fs::remove_all(root_); }

  void library(const std::string& path, bool helper = true) {
    const fs::path file = root_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream{file};
    if (helper) std::ofstream{file.parent_path() / "libnvperf_host.so"};
  }
  [[nodiscard]] std::string path(const std::string& part) const { return (root_ / part).string(); }

  fs::path root_;
  Places places_;
};

TEST_F(FindTest, PrefersTheToolkitThatFitsTheDriver) {
  library("usr/local/cuda-12.8/lib64/libcupti.so.12");
  library("usr/local/cuda-13.0/lib64/libcupti.so.13");
  library("usr/local/cuda-13.2/lib64/libcupti.so.13");
  places_.driver = 13000;
  const auto found = find_libraries(places_);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, path("usr/local/cuda-13.0/lib64/libcupti.so.13"));
  EXPECT_EQ(found[0].version, 13000u);
  EXPECT_EQ(found[0].note, "");
  EXPECT_EQ(found[1].version, 13020u);
  EXPECT_EQ(found[1].note, "version 13.2 is newer than the driver (CUDA 13.0)");
  EXPECT_EQ(found[2].note, "version 12.8 is older than the driver (CUDA 13.0) and may not know the GPU");
  places_.driver = 12080;
  EXPECT_EQ(find_libraries(places_)[0].version, 12080u);
}

TEST_F(FindTest, TakesTheNewestWhereNoDriverIsKnown) {
  library("usr/local/cuda-12.8/extras/CUPTI/lib64/libcupti.so.12");
  library("usr/local/cuda-13.0/targets/x86_64-linux/lib/libcupti.so.13");
  const auto chosen = choose_library(places_);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->version, 13000u);
  EXPECT_EQ(chosen->origin, "CUDA toolkit");
}

TEST_F(FindTest, OneFileUnderTwoNamesIsOneLibrary) {
  library("usr/local/cuda-13.0/lib64/libcupti.so.13");
  fs::create_directory_symlink(root_ / "usr/local/cuda-13.0", root_ / "usr/local/cuda");
  fs::create_symlink("libcupti.so.13", root_ / "usr/local/cuda-13.0/lib64/libcupti.so");
  const auto found = find_libraries(places_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, path("usr/local/cuda/lib64/libcupti.so.13"));
  EXPECT_EQ(found[0].version, 13000u);
}

TEST_F(FindTest, WithoutItsHelperALibraryIsListedButNotChosen) {
  library("usr/local/cuda-13.0/lib64/libcupti.so.13", false);
  library("opt/nvidia/cuda-12.9/lib64/libcupti.so.12");
  const auto found = find_libraries(places_);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, path("opt/nvidia/cuda-12.9/lib64/libcupti.so.12"));
  EXPECT_TRUE(found[1].unusable);
  EXPECT_EQ(found[1].note, "libnvperf_host.so is not beside it");
}

TEST_F(FindTest, FindsWhatCameWithTheProgramFirst) {
  library("usr/local/cuda-13.0/lib64/libcupti.so.13");
  library("opt/ridge/lib/cupti/libcupti.so.13");
  fs::create_directories(root_ / "opt/ridge/bin");
  places_.program_folder = path("opt/ridge/bin");
  const auto chosen = choose_library(places_);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->origin, "beside ridge");
}

TEST_F(FindTest, FindsThePackagesOfPythonInPath) {
  library("venv/lib/python3.11/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12");
  library("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcupti.so.13");
  fs::create_directories(root_ / "venv/bin");
  std::ofstream{root_ / "venv/bin/python3"};
  places_.programs = {path("nothing"), path("venv/bin")};
  const auto found = find_libraries(places_);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].version, 13000u);
  EXPECT_EQ(found[0].origin, "Python package");
  EXPECT_EQ(found[1].version, 12000u);
}

TEST_F(FindTest, FindsTheLoadersFolders) {
  library("fake/libcupti.so.13");
  places_.loader = {path("fake")};
  const auto chosen = choose_library(places_);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->origin, "LD_LIBRARY_PATH");
}

TEST_F(FindTest, WhatAPersonChoseIsTheOnlyOne) {
  library("usr/local/cuda-13.0/lib64/libcupti.so.13");
  library("mine/libcupti.so.13", false);
  places_.chosen = path("mine/libcupti.so.13");
  places_.chosen_by = "--cupti";
  const auto chosen = choose_library(places_);
  ASSERT_TRUE(chosen) << to_string(chosen.error());
  EXPECT_EQ(chosen->path, path("mine/libcupti.so.13"));
  places_.chosen = path("mine/absent.so");
  const auto absent = choose_library(places_);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kUsage);
  EXPECT_EQ(absent.error().what, "--cupti: there is no such file");
}

TEST_F(FindTest, ReadsYearsAsNoVersion) {
  library("mine/libcupti.so.2025.3.1");
  places_.chosen = path("mine/libcupti.so.2025.3.1");
  EXPECT_EQ(find_libraries(places_).at(0).version, 0u);
}

TEST_F(FindTest, RefusesWhatIsTooOld) {
  library("usr/local/cuda-11.8/lib64/libcupti.so");
  const auto chosen = choose_library(places_);
  ASSERT_FALSE(chosen);
  EXPECT_NE(chosen.error().what.find("version 11.8 is too old"), std::string::npos);
}

TEST_F(FindTest, SaysWhereItLookedInVain) {
  const auto chosen = choose_library(places_);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kNotAvailable);
  EXPECT_EQ(chosen.error().what, "no CUPTI was found");
}

}  // namespace
}  // namespace ridge::collectors::cupti
