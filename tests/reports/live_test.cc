// Live recordings made by hand, as `ridge report` shows them: golden texts in tests/reports/live/.
//
// RIDGE_WRITE_REFERENCE=1 writes the texts; read the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "render/csv/csv.h"
#include "render/html/html.h"
#include "render/json/json.h"
#include "render/markdown/markdown.h"
#include "render/terminal/text.h"
#include "render/text/format.h"
#include "ridgepoint/analysis/analyse.h"
#include "ridgepoint/machines/match.h"
#include "support/live_profiles.h"

namespace ridge {
namespace {

struct Case {
  const char* name;
  Profile (*make)();
};

constexpr Case kCases[] = {
    {"timing_only", test::live_timing_only},     {"counters_only", test::live_counters_only},
    {"three_sources", test::live_three_sources}, {"two_devices", test::live_two_devices},
    {"nothing_known", test::live_nothing_known},
};

Report report_of(const Case& each) {
  Profile profile = each.make();
  resolve_machines(profile, Database::built_in());
  return analyse(profile);
}

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(RIDGE_SOURCE_DIR) + "/tests/reports/live/" + name;
  if (std::getenv("RIDGE_WRITE_REFERENCE") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << actual;
  }
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), actual) << "run the test with RIDGE_WRITE_REFERENCE=1 and read the difference of " << path;
}

render::TextOptions options(int width, render::Language language, bool detail) {
  render::TextOptions result;
  result.width = width;
  result.language = language;
  result.detail = detail;
  return result;
}

class LiveReportTest : public ::testing::TestWithParam<Case> {};

TEST_P(LiveReportTest, ReadsAsItsGoldenText) {
  const Report report = report_of(GetParam());
  const std::string name = GetParam().name;
  expect_golden(name + ".80.txt", render::render_text(report, options(80, render::Language::kEnglish, false)));
  expect_golden(name + ".200.zh.txt", render::render_text(report, options(200, render::Language::kChinese, true)));
}

TEST_P(LiveReportTest, SaysTheSameOfTheRecordingInEveryFormat) {
  const Report report = report_of(GetParam());
  if (report.recordings[0].recording.command.empty()) return;
  const std::string busy = render::format_value(report.recordings[0].devices.at(0).busy_share, Unit::kRatio);
  const std::string markdown = render::render_markdown(report, {});
  const std::string html = render::render_html(report, {});
  for (const std::string& text : {markdown, html}) {
    EXPECT_NE(text.find("./train"), std::string::npos);
    EXPECT_NE(text.find(busy), std::string::npos) << busy;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LiveReportTest, ::testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(LiveReportDetailTest, JsonOfThreeSourcesIsItsGolden) {
  Profile profile = test::live_three_sources();
  // A few launches of each kind are enough to read.
  profile.launches.erase(profile.launches.begin() + 4, profile.launches.end() - 2);
  resolve_machines(profile, Database::built_in());
  std::string json = render::render_json(analyse(profile), {true});
  const std::size_t machines = json.find("\n\"machines\""), summary = json.find("\n\"summary\"");
  json.erase(machines, summary - machines);  // the machine database's, which other tests hold
  const std::size_t tool = json.find("\n\"tool\""), source = json.find("\n\"source\"");
  json.erase(tool, source - tool);  // the version
  expect_golden("three_sources.json", json);
}

TEST(LiveReportDetailTest, CsvHasTheSamplesOfEachLaunch) {
  const std::string csv = render::render_csv(report_of(kCases[2]), {true});
  const std::string head = csv.substr(0, csv.find("\r\n"));
  EXPECT_NE(head.find("counters"), std::string::npos);
  EXPECT_NE(head.find("sampled_dram_read_bytes"), std::string::npos);
  EXPECT_NE(csv.find(",representative,"), std::string::npos);
  const std::string without = render::render_csv(report_of(kCases[0]), {true});
  EXPECT_EQ(without.find("sampled_"), std::string::npos);
}

}  // namespace
}  // namespace ridge
