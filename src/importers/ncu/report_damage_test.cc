// Damage: whatever happens to a report, the answer is a profile with an issue or one line of error, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "support/import_helpers.h"
#include "support/report_writer.h"

namespace ridge::ncu {
namespace {

using testing::find_issue;
using testing::import_text;
using testing::issue_number;
using testing::issue_text;
using testing::ReportWriter;
using testing::sample_launch;
using testing::sample_report;
using testing::WireWriter;

std::string u32(std::uint32_t value) {
  WireWriter out;
  out.little_endian(value, 4);
  return out.text();
}

void expect_bad_input(const std::string& bytes, std::string_view part) {
  const auto profile = import_text(bytes);
  ASSERT_FALSE(profile) << part;
  EXPECT_EQ(profile.error().code, ErrorCode::kBadInput);
  const std::string line = to_string(profile.error());
  EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_FALSE(profile.error().remedy.empty());
}

TEST(NcuReportDamageTest, ReturnsEveryLaunchBeforeTheCutAndSaysWhatIsLost) {
  const std::string whole = sample_report(4);
  const std::string three = sample_report(3);
  const auto profile = import_text(whole.substr(0, whole.size() - 100));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 3U);
  const Issue* const issue = find_issue(*profile, "report-cut");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue->severity, Severity::kDataLoss);
  EXPECT_EQ(issue_number(*issue, "launches"), 3);
  EXPECT_EQ(issue_number(*issue, "lost"), 1);
  EXPECT_EQ(issue_number(*issue, "bytes"), 100);
  EXPECT_EQ(issue_text(*issue, "offset"), std::to_string(whole.size() - 100));
}

TEST(NcuReportDamageTest, CountsEveryAnnouncedLaunchThatIsMissing) {
  std::string whole = ReportWriter().launches({sample_launch("a"), sample_launch("b"), sample_launch("c")}).text();
  const auto profile = import_text(whole.substr(0, whole.size() * 2 / 3));
  ASSERT_TRUE(profile);
  const Issue* const issue = find_issue(*profile, "report-cut");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_number(*issue, "launches") + issue_number(*issue, "lost"), 3);
}

TEST(NcuReportDamageTest, SurvivesACutAtEveryByte) {
  const std::string whole = sample_report(2);
  std::size_t most = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto profile = import_text(std::string_view(whole).substr(0, length));
    if (!profile) {
      EXPECT_EQ(profile.error().code, ErrorCode::kBadInput) << length;
      continue;
    }
    EXPECT_LE(profile->launches.size(), 2U);
    most = std::max(most, profile->launches.size());
    // Between two blocks a cut cannot be told from the end.
    const bool is_whole_prefix = find_issue(*profile, "report-cut") == nullptr;
    EXPECT_TRUE(!is_whole_prefix || profile->launches.size() == 1) << length;
  }
  EXPECT_EQ(most, 1U);
}

TEST(NcuReportDamageTest, SurvivesAFlippedBitInEveryByte) {
  const std::string whole = sample_report(2);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    const auto profile = import_text(flipped);
    if (!profile) {
      EXPECT_FALSE(profile.error().what.empty()) << i;
    }
    if (profile) {
      EXPECT_LE(profile->launches.size(), 2U) << i;
    }
  }
}

TEST(NcuReportDamageTest, RefusesWhatIsNotAReport) {
  expect_bad_input("", "empty");
  expect_bad_input("NVX\1 something else", "not a known format");
  expect_bad_input(std::string("NVR\0", 4), "ends inside its header");
  expect_bad_input(std::string("NVR\0", 4) + u32(0xffffffff), "byte 4");
  expect_bad_input(ReportWriter().text(), "no kernel launch");
  expect_bad_input(ReportWriter().source(10).text(), "no kernel launch");
  expect_bad_input(ReportWriter().range(10).text(), "range results");
}

TEST(NcuReportDamageTest, AllocatesNothingForAGiganticLength) {
  expect_bad_input(ReportWriter().raw(u32(0xfffffff0)).text(), "claims 4294967280 bytes");
  expect_bad_input(ReportWriter().raw(u32(60'000'000) + "x").text(), "ends inside a block header");
  WireWriter header;
  header.varint(2, 1).varint(5, std::uint64_t{1} << 62);
  expect_bad_input(
      ReportWriter()
          .raw(u32(static_cast<std::uint32_t>(header.text().size())) + header.text() + u32(0xffffffff) + "x")
          .text(),
      "inside a launch");
}

TEST(NcuReportDamageTest, StopsAtAPartThatIsLargerThanItsPayload) {
  WireWriter header;
  header.varint(2, 1).varint(5, 10);
  const std::string block = u32(static_cast<std::uint32_t>(header.text().size())) + header.text() + u32(100) + "abcdef";
  const auto profile = import_text(ReportWriter().launch(sample_launch()).raw(block).text());
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 1U);
  ASSERT_NE(find_issue(*profile, "report-cut"), nullptr);
}

TEST(NcuReportDamageTest, CountsTheBytesBehindDamageThatAreThere) {
  const std::string rest = ReportWriter().launch(sample_launch("b")).text().substr(8);
  const std::string bogus = u32(0xfffffff0);
  const auto profile = import_text(ReportWriter().launch(sample_launch("a")).raw(bogus + rest).text());
  ASSERT_TRUE(profile);
  const Issue* const issue = find_issue(*profile, "report-cut");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_number(*issue, "bytes"), static_cast<double>(rest.size()));
}

TEST(NcuReportDamageTest, DoesNotCallLostWhatOnlyALengthSays) {
  WireWriter header;
  header.varint(2, 0).varint(5, 17'000'000);
  const std::string block = u32(static_cast<std::uint32_t>(header.text().size())) + header.text() + "abcdef";
  const auto profile = import_text(ReportWriter().launch(sample_launch("a")).raw(block).text());
  ASSERT_TRUE(profile);
  EXPECT_EQ(issue_number(*find_issue(*profile, "report-cut"), "bytes"), 6);
}

TEST(NcuReportDamageTest, LeavesOutADamagedLaunchAndReadsTheNext) {
  WireWriter header;
  const std::string bad =
      "\x6a\x7f"
      "cut short";  // a metric that claims more than the launch holds
  header.varint(2, 1).varint(5, bad.size() + 4);
  const std::string block = u32(static_cast<std::uint32_t>(header.text().size())) + header.text() +
                            u32(static_cast<std::uint32_t>(bad.size())) + bad;
  const auto profile =
      import_text(ReportWriter().launch(sample_launch("a")).raw(block).launch(sample_launch("b")).text());
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 2U);
  EXPECT_EQ(profile->launches[1].source_id, 2U);
  const Issue* const issue = find_issue(*profile, "launches-damaged");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(issue_number(*issue, "lost"), 1);
}

TEST(NcuReportDamageTest, CountsMetricsWhoseNameIsNotThere) {
  WireWriter result, header;
  result.bytes(6, "k").bytes(13, WireWriter().varint(1, 9999).bytes(2, WireWriter().fixed64(3, 1).text()).text());
  header.varint(2, 1).varint(5, result.text().size() + 4);
  const auto profile = import_text(ReportWriter()
                                       .launch(sample_launch())
                                       .raw(u32(static_cast<std::uint32_t>(header.text().size())) + header.text() +
                                            u32(static_cast<std::uint32_t>(result.text().size())) + result.text())
                                       .text());
  ASSERT_TRUE(profile);
  ASSERT_NE(find_issue(*profile, "metrics-without-name"), nullptr);
}

TEST(NcuReportDamageTest, SurvivesRandomBytesBehindTheMagic) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes("NVR\0\2\0\0\0\x08\x07", 10);
    for (int j = 0; j < 200; ++j) bytes.push_back(static_cast<char>(random()));
    const auto profile = import_text(bytes);
    if (!profile) {
      EXPECT_EQ(profile.error().code, ErrorCode::kBadInput);
    }
  }
}

}  // namespace
}  // namespace ridge::ncu
