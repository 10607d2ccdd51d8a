#include "render/explain/explain.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "render/explain/texts.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

Machine test_machine(std::string name) {
  Machine machine;
  machine.id = "test";
  machine.name = std::move(name);
  machine.sm_count = 132;
  machine.ceilings.push_back({core(DataType::kFp32), 256, Hertz(1.98e9), Provenance::kDatasheet, {}});
  machine.ceilings.push_back(
      {tensor(DataType::kInt8, TensorPath::kMmaSync), 4096, Hertz(1.83e9), Provenance::kDatasheet, {}});
  MemoryLevel dram;
  dram.level = Level::kDram;
  dram.bandwidth = {BytesPerSecond(3.352e12), Provenance::kDatasheet};
  MemoryLevel l2;
  l2.level = Level::kL2;
  l2.capacity = {Bytes(50 * 1048576.0), Provenance::kDatasheet};
  machine.levels = {dram, l2};
  return machine;
}

Stopwatch stopwatch(std::string text, double seconds) {
  Stopwatch made;
  made.text = std::move(text);
  made.time = Seconds(seconds);
  return made;
}

Explanation explanation(std::string_view id, const GivenParameters& given,
                        const std::vector<Stopwatch>& stopwatches = {}, DataType type = DataType::kFp32,
                        std::size_t machines = 1) {
  const auto work = bind_workload(*find_workload(id), given, type);
  EXPECT_TRUE(work) << to_string(work.error());
  ExplainOptions options;
  options.stopwatches = stopwatches;
  const auto made = explain(*work, std::vector<Machine>(machines, test_machine("Test GPU")), options);
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

/// Smallest sizes of every workload, each variant once.
std::vector<Explanation> all_explanations() {
  const std::vector<std::pair<std::string_view, GivenParameters>> sizes{
      {"vector_add", {{"n", "1e8"}}},
      {"saxpy", {{"n", "1e8"}}},
      {"dot", {{"n", "1e8"}}},
      {"reduction", {{"n", "1e8"}}},
      {"elementwise", {{"n", "1e8"}, {"f", "gelu"}}},
      {"elementwise", {{"n", "1e8"}, {"f", "sin"}, {"count", "instructions"}}},
      {"gemm", {{"n", "4096"}, {"batch", "4"}, {"beta", "yes"}, {"count_c", "yes"}}},
      {"gemv", {{"n", "4096"}}},
      {"transpose", {{"n", "8192"}}},
      {"conv2d", {{"n", "32"}, {"c", "64"}, {"h", "224"}, {"k", "128"}, {"pad", "1"}}},
      {"attention", {{"batch", "8"}, {"heads", "32"}, {"seq", "4096"}, {"d", "128"}, {"causal", "yes"}}},
      {"softmax", {{"rows", "4096"}, {"cols", "4096"}}},
      {"layernorm", {{"rows", "4096"}, {"cols", "4096"}}},
      {"stencil", {{"n", "512"}}},
      {"spmv", {{"rows", "1e6"}, {"nnz", "1e8"}}},
      {"fft", {{"n", "2^20"}, {"batch", "8"}}}};
  std::vector<Explanation> all;
  for (const auto& [id, given] : sizes) {
    for (const WorkloadVariant& variant : find_workload(id)->variants) {
      GivenParameters with = given;
      if (!variant.name.empty()) with.emplace_back("variant", std::string(variant.name));
      all.push_back(explanation(id, with, {stopwatch("1us", 1e-6), stopwatch("10ms", 1e-2)}));
    }
  }
  return all;
}

TEST(ExplainTextsTest, EveryIdHasBothLanguagesWithTheSameArguments) {
  std::set<std::string_view> seen;
  for (const CatalogueEntry& entry : explain_entries()) {
    EXPECT_TRUE(seen.insert(entry.id).second) << entry.id;
    EXPECT_FALSE(entry.english.empty()) << entry.id;
    EXPECT_FALSE(entry.chinese.empty()) << entry.id;
    auto english = template_arguments(entry.english);
    auto chinese = template_arguments(entry.chinese);
    EXPECT_EQ(std::set(english.begin(), english.end()), std::set(chinese.begin(), chinese.end())) << entry.id;
  }
}

/// What stands in quotes in `text`, begins with "explain." and is written as an id.
std::vector<std::string> quoted_ids(const std::string& text) {
  constexpr std::string_view kBegin = "\"explain.";
  std::vector<std::string> ids;
  for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.", at + 1);
    const bool is_id = end != std::string::npos && text[end] == '"' && text[end - 1] != '.';
    if (is_id) ids.push_back(text.substr(at + 1, end - at - 1));
  }
  return ids;
}

/// The sources are searched, so that an id cannot be used anywhere without its sentence.
TEST(ExplainTextsTest, EveryIdUsedInTheSourcesExists) {
  const std::filesystem::path root = std::filesystem::path(RIDGE_SOURCE_DIR) / "src";
  std::size_t found = 0;
  for (const char* folder : {"model/workload", "analysis/explain", "render/explain", "render/glossary"}) {
    for (const auto& file : std::filesystem::directory_iterator(root / folder)) {
      if (file.path().extension() != ".cc" || file.path().filename() == "texts.cc") continue;
      std::stringstream buffer;
      buffer << std::ifstream(file.path()).rdbuf();
      for (const std::string& id : quoted_ids(buffer.str())) {
        EXPECT_NE(find_entry(id), nullptr) << file.path() << ": " << id;
        ++found;
      }
    }
  }
  EXPECT_GT(found, 60u) << "the search itself must work";
}

TEST(ExplainTextTest, NoLineIsWiderThanTheTerminalInEitherLanguage) {
  for (const Explanation& made : all_explanations()) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      TextOptions options;
      options.width = 80;
      options.language = language;
      std::istringstream lines(explain_text(made, options));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
    }
  }
}

TEST(ExplainTextTest, LeavesNoPlaceholderUnfilled) {
  for (const Explanation& made : all_explanations()) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      const std::string text = explain_markdown(made, language);
      EXPECT_EQ(text.find('{'), std::string::npos) << text;
      EXPECT_EQ(text.find("explain."), std::string::npos) << text;
    }
  }
}

TEST(ExplainTextTest, ShowsFormulaNumbersAndResultOfEachStep) {
  const std::string text = explain_text(explanation("vector_add", {{"n", "1e8"}}), {});
  EXPECT_NE(text.find("2 * n * e = 2 * 100,000,000 * 4 B = 800,000,000 B (800 MB)"), std::string::npos) << text;
  EXPECT_NE(text.find("0.08333 FLOP/B (1/12)"), std::string::npos) << text;
  EXPECT_NE(text.find("memory-bound"), std::string::npos);
}

TEST(ExplainTextTest, SpeaksChineseThroughout) {
  TextOptions options;
  options.language = Language::kChinese;
  const std::string text = explain_text(explanation("gemm", {{"n", "1024"}, {"variant", "naive"}}), options);
  EXPECT_NE(text.find("访存受限"), std::string::npos);
  EXPECT_EQ(text.find("memory-bound"), std::string::npos);
  EXPECT_EQ(text.find("Verdict"), std::string::npos);
}

TEST(ExplainTextTest, IntegerTypesDoOperationsAndNotFlop) {
  const std::string text = explain_text(explanation("gemm", {{"n", "1024"}}, {}, DataType::kInt8), {});
  EXPECT_EQ(text.find("FLOP"), std::string::npos) << text;
  EXPECT_NE(text.find("TOP/s"), std::string::npos) << text;
}

TEST(ExplainTextTest, SeveralMachinesMakeOneRowEach) {
  const Explanation made = explanation("vector_add", {{"n", "1e8"}}, {}, DataType::kFp32, 3);
  const std::string text = explain_text(made, {});
  std::size_t rows = 0;
  for (std::size_t at = text.find("\ntest "); at != std::string::npos; at = text.find("\ntest ", at + 1)) ++rows;
  EXPECT_EQ(rows, 3u) << text;
}

TEST(ExplainOutputTest, NamesFromOutsideAreEscaped) {
  const auto work = bind_workload(*find_workload("vector_add"), {{"n", "10"}}, DataType::kFp32);
  ASSERT_TRUE(work);
  ExplainOptions options;
  options.stopwatches = {stopwatch("<b>1s\x1b[31m", 1)};
  const auto made = explain(*work, {test_machine("<script>alert(1)</script> | `x`\x1b[2J")}, options);
  ASSERT_TRUE(made);
  EXPECT_EQ(explain_text(*made, {}).find('\x1b'), std::string::npos);
  const std::string html = explain_html(*made, Language::kEnglish);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  const std::string markdown = explain_markdown(*made, Language::kEnglish);
  EXPECT_EQ(markdown.find("<script>"), std::string::npos) << markdown;
}

TEST(ExplainOutputTest, JsonHoldsBaseUnitsAndReasonsForWhatIsMissing) {
  const auto json =
      nlohmann::json::parse(explain_json(explanation("transpose", {{"n", "1024"}}, {stopwatch("1ms", 1e-3)})));
  EXPECT_EQ(json["schema"], "ridge.explain/1");
  EXPECT_EQ(json["work"]["bytes"], 8388608.0);
  const auto& machine = json["machines"][0];
  EXPECT_TRUE(machine["ratio"].is_null());
  EXPECT_FALSE(machine["missing"]["ratio"].get<std::string>().empty());
  EXPECT_EQ(machine["verdict"], "memory-bound");
  EXPECT_DOUBLE_EQ(machine["measured"][0]["time_s"], 1e-3);
}

TEST(ExplainOutputTest, AColumnOfSharesSaysOfWhat) {
  const Explanation made = explanation("vector_add", {{"n", "1e8"}}, {stopwatch("5ms", 5e-3)}, DataType::kFp32, 2);
  EXPECT_NE(explain_markdown(made, Language::kEnglish).find("5ms of roof"), std::string::npos);
  EXPECT_NE(explain_markdown(made, Language::kChinese).find("5ms 占上限"), std::string::npos);
}

TEST(ExplainOutputTest, JsonAndCsvAgree) {
  const Explanation made = explanation("gemm", {{"n", "4096"}});
  const auto json = nlohmann::json::parse(explain_json(made));
  const std::string csv = explain_csv(made);
  for (const auto& step : json["machines"][0]["steps"]) {
    const std::string row = "test," + step["id"].get<std::string>() + ",";
    const std::size_t at = csv.find(row);
    ASSERT_NE(at, std::string::npos) << row << csv;
    std::ostringstream value;
    value.precision(17);
    value << step["value"].get<double>();
    EXPECT_NE(csv.find(value.str(), at), std::string::npos) << row << value.str();
  }
}

TEST(ExplainOutputTest, HtmlIsAWholePageWithoutOutsideReferences) {
  const std::string html = explain_html(explanation("gemm", {{"n", "64"}}), Language::kChinese);
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_NE(html.find("lang=\"zh-CN\""), std::string::npos);
  EXPECT_EQ(html.find("http:"), std::string::npos);
  EXPECT_EQ(html.find("https:"), std::string::npos);
  EXPECT_TRUE(html.ends_with("</html>\n"));
}

TEST(ExplainCatalogueTest, ListsEveryWorkloadInEveryFormat) {
  for (const char* format : {"text", "md", "html", "csv", "json"}) {
    const std::string text = explain_catalogue(format, {});
    for (const WorkloadInfo& info : workloads()) EXPECT_NE(text.find(info.id), std::string::npos) << format << info.id;
  }
}

}  // namespace
}  // namespace ridge::render
