#include "importers/importer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "importers/join.h"
#include "support/import_helpers.h"
#include "support/report_writer.h"

namespace ridge {
namespace {

using testing::import_text;
using testing::sample_report;

TEST(ImporterTest, RecognisesFormatsByContent) {
  EXPECT_EQ(sniff(sample_report()), "ncu-rep");
  EXPECT_EQ(sniff("==PROF== x\n\"ID\",\"Kernel Name\",\"a\",\"b\",\"c\"\n"), "ncu-csv");
  const std::string sqlite("SQLite format 3\0", 16);
  EXPECT_EQ(sniff(sqlite + "CREATE TABLE StringIds (id INTEGER)"), "nsys-sqlite");
  EXPECT_EQ(sniff(sqlite + "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER)"), "nsys-sqlite");
  EXPECT_EQ(sniff(sqlite + "CREATE TABLE rocpd_string (id INTEGER)"), "rocpd");
  EXPECT_EQ(sniff(sqlite + "CREATE TABLE moz_places (id INTEGER)"), "sqlite");
  EXPECT_EQ(sniff("{\"traceEvents\": []}"), "chrome-trace");
  EXPECT_EQ(sniff("[{\"ph\":\"X\",\"ts\":1}]"), "chrome-trace");
  EXPECT_EQ(sniff("Dispatch_ID,Kernel_Name,GPU_ID\n"), "rocprof-csv");
  EXPECT_EQ(sniff("==NVPROF== Profiling process 1\n"), "nvprof");
  EXPECT_EQ(sniff("    Section: GPU Speed Of Light Throughput\n"), "ncu-text");
  EXPECT_EQ(sniff(std::string_view("\"\0I\0D\0\"\0,\0\"\0K\0e\0r\0n\0e\0l\0 \0N\0a\0m\0e\0\"\0", 36)), "utf-16");
  EXPECT_FALSE(sniff("plain text"));
}

TEST(ImporterTest, SaysWhatAnUnsupportedFileIsInOneLine) {
  const auto refused = import_text(std::string("SQLite format 3\0", 16) + "TARGET_INFO_GPU" + std::string(200, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
  const std::string text = to_string(refused.error());
  EXPECT_NE(text.find("recognised as an nsys SQLite export; not supported yet"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(ImporterTest, CountsALineThatDoesNotEnd) {
  EXPECT_NE(to_string(import_text("NVR").error()).find("in 1 line of text"), std::string::npos);
  EXPECT_NE(to_string(import_text("a\n[1,2]").error()).find("in 2 lines of text"), std::string::npos);
}

TEST(ImporterTest, BytesThatAreNoTextAreNotCalledText) {
  const auto refused = import_text("\xff\xd8\xff\xe0\xb2\xc4\x99\x81");
  ASSERT_FALSE(refused);
  EXPECT_NE(to_string(import_text(std::string(5000, '\xfe')).error()).find("it starts with fe fe"), std::string::npos);
  EXPECT_NE(to_string(refused.error()).find("it starts with ff d8 ff e0"), std::string::npos);
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
    std::string path = folder_ / name;
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

constexpr char kSourcePage[] =
    "\"Kernel Name\",\"axpy(float *)\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\"\n"
    "\"0x10\",\"EXIT\",\"3\",\"8\"\n";

TEST_F(ImportFilesTest, AJoinedPageStaysASourceOfTheReport) {
  const std::vector<std::string> paths = {write("r.ncu-rep", sample_report(1)), write("source.csv", kSourcePage)};
  const auto profiles = import_files(paths);
  ASSERT_TRUE(profiles);
  ASSERT_EQ(profiles->size(), 1U);
  ASSERT_EQ(profiles->front().sources.size(), 2U);
  EXPECT_EQ(profiles->front().sources[0].path, paths[0]);
  EXPECT_EQ(profiles->front().sources[1].path, paths[1]);
  EXPECT_EQ(profiles->front().sources[1].kind, "ncu-csv-source");
}

TEST_F(ImportFilesTest, APageGoesToTheNearestReportBeforeIt) {
  const std::string page = write("source.csv", kSourcePage);
  const std::string a = write("a.ncu-rep", sample_report(1)), b = write("b.ncu-rep", sample_report(1));
  const auto page_of = [&](const std::vector<std::string>& paths) -> std::size_t {
    const auto profiles = import_files(paths);
    if (!profiles || profiles->size() != 2) return 99;
    return (*profiles)[0].sources.size() == 2 ? 0 : (*profiles)[1].sources.size() == 2 ? 1 : 99;
  };
  EXPECT_EQ(page_of({a, b, page}), 1U);
  EXPECT_EQ(page_of({a, page, b}), 0U);
  EXPECT_EQ(page_of({page, a, b}), 0U);
}

TEST_F(ImportFilesTest, APageOfNoReportKeepsItsPlace) {
  const std::string page = write("source.csv", kSourcePage);
  const std::string raw = write("raw.csv",
                                "\"ID\",\"Kernel Name\",\"Block Size\",\"CC\",\"gpu__time_duration.sum\"\n"
                                "\"\",\"\",\"\",\"\",\"ns\"\n\"0\",\"other(float *)\",\"(32, 1, 1)\",\"9.0\",\"5\"\n");
  const auto profiles = import_files(std::vector<std::string>{page, raw});
  ASSERT_TRUE(profiles) << to_string(profiles.error());
  ASSERT_EQ(profiles->size(), 2U);
  EXPECT_EQ((*profiles)[0].sources[0].path, page);
}

Profile with_kernels(const std::vector<std::string>& names) {
  Profile profile;
  profile.sources.push_back({"ncu-rep", names.front(), "", ""});
  for (const std::string& name : names) profile.kernels.push_back({"f", name, ""});
  return profile;
}

TEST(JoinFilesTest, SpellsAKernelAsTheFirstFileThatHasIt) {
  std::vector<Profile> profiles = {with_kernels({"void f<(int)32>(float *)"}), with_kernels({"void f<32>(float*)"})};
  join_files(profiles);
  EXPECT_EQ(profiles[1].kernels[0].full_name, "void f<(int)32>(float *)");
}

TEST(JoinFilesTest, KernelsThatOneFileTellsApartStayApart) {
  std::vector<Profile> profiles = {with_kernels({"f<1>()"}), with_kernels({"f<(int)1>()", "f<(bool)1>()"})};
  join_files(profiles);
  EXPECT_EQ(profiles[1].kernels[0].full_name, "f<(int)1>()");
  EXPECT_EQ(profiles[1].kernels[1].full_name, "f<(bool)1>()");
}

}  // namespace
}  // namespace ridge
