#include "importers/importer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/import_helpers.h"
#include "support/report_writer.h"

namespace ridge {
namespace {

using testing::import_text;
using testing::sample_report;

TEST(ImporterTest, RecognisesFormatsByContent) {
  EXPECT_EQ(sniff(sample_report()), "ncu-rep");
  EXPECT_EQ(sniff("==PROF== x\n\"ID\",\"Kernel Name\",\"a\",\"b\",\"c\"\n"), "ncu-csv");
  EXPECT_EQ(sniff(std::string("SQLite format 3\0rest", 20)), "nsys-sqlite");
  EXPECT_EQ(sniff("{\"traceEvents\": []}"), "chrome-trace");
  EXPECT_EQ(sniff("[{\"ph\":\"X\",\"ts\":1}]"), "chrome-trace");
  EXPECT_EQ(sniff("Dispatch_ID,Kernel_Name,GPU_ID\n"), "rocprof-csv");
  EXPECT_EQ(sniff("==NVPROF== Profiling process 1\n"), "nvprof");
  EXPECT_EQ(sniff("    Section: GPU Speed Of Light Throughput\n"), "ncu-text");
  EXPECT_FALSE(sniff("plain text"));
}

TEST(ImporterTest, SaysWhatAnUnsupportedFileIsInOneLine) {
  const auto refused = import_text(std::string("SQLite format 3\0", 16) + std::string(200, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
  const std::string text = to_string(refused.error());
  EXPECT_NE(text.find("recognised as an nsys SQLite export; not supported yet"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(ImporterTest, RefusesUnknownBytesWithoutPrintingThem) {
  const auto refused = import_text(std::string("\x01\x02\x00\x1b[31m", 8));
  ASSERT_FALSE(refused);
  EXPECT_NE(to_string(refused.error()).find("01 02 00 1b"), std::string::npos);
  EXPECT_EQ(to_string(refused.error()).find('\x1b'), std::string::npos);
}

class ImportFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("ridge_importer_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(ImportFilesTest, KeepsOneProfilePerFileInOrder) {
  const std::vector<std::string> paths = {write("a.bin", sample_report(1)), write("b.txt", sample_report(2))};
  const auto profiles = import_files(paths);
  ASSERT_TRUE(profiles) << to_string(profiles.error());
  ASSERT_EQ(profiles->size(), 2U);
  EXPECT_EQ((*profiles)[0].launches.size(), 1U);
  EXPECT_EQ((*profiles)[1].launches.size(), 2U);
  EXPECT_EQ((*profiles)[0].sources[0].path, paths[0]);
}

TEST_F(ImportFilesTest, NamesTheFileThatCannotBeRead) {
  const std::vector<std::string> paths = {write("a.bin", sample_report(1)), folder_ / "missing"};
  const auto refused = import_files(paths);
  ASSERT_FALSE(refused);
  EXPECT_NE(to_string(refused.error()).find("missing"), std::string::npos);
}

TEST_F(ImportFilesTest, JoinsASourcePageWhereverItStands) {
  const std::string page =
      write("source.csv",
            "\"Kernel Name\",\"axpy(float *)\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\"\n"
            "\"0x10\",\"EXIT\",\"3\",\"8\"\n");
  const std::string report = write("r.ncu-rep", sample_report(1));
  for (const std::vector<std::string>& paths : {std::vector{page, report}, std::vector{report, page}}) {
    const auto profiles = import_files(paths);
    ASSERT_TRUE(profiles);
    ASSERT_EQ(profiles->size(), 1U);
    const Profile& joined = profiles->front();
    EXPECT_EQ(measurement_of(joined, joined.launches[0])->hot_lines.size(), 1U);
  }
}

}  // namespace
}  // namespace ridge
