#include "render/machines/machines.h"

#include <gtest/gtest.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "render/machines/labels.h"
#include "render/machines/occupancy.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

Value<BytesPerSecond> rate(double value) {
  return Value<BytesPerSecond>(BytesPerSecond(value), Provenance::kDatasheet);
}

Machine toy(const std::string& id, double ops) {
  Machine machine;
  machine.id = id;
  machine.name = "Toy <" + id + "> | GPU";
  machine.architecture = "Hopper";
  machine.compute_capability = "9.0";
  machine.sm_count = 100;
  machine.cores_per_sm = 128;
  machine.boost_clock = Hertz(2e9);
  Ceiling fp32;
  fp32.key = core(DataType::kFp32);
  fp32.ops_per_clock_per_sm = ops;
  fp32.clock = Hertz(2e9);
  fp32.stated = FlopsPerSecond(51e12);
  machine.ceilings.push_back(fp32);
  fp32.key = tensor(DataType::kInt8, TensorPath::kMmaSync);
  fp32.stated = FlopsPerSecond(0);
  machine.ceilings.push_back(fp32);
  MemoryLevel dram;
  dram.bandwidth = rate(2e12);
  dram.capacity = Value<Bytes>(Bytes(24.0 * 1024 * 1024 * 1024), Provenance::kDatasheet);
  machine.levels.push_back(dram);
  MemoryLevel l2;
  l2.level = Level::kL2;
  l2.bandwidth = Value<BytesPerSecond>::missing("nobody says");
  machine.levels.push_back(l2);
  machine.occupancy.max_warps_per_sm = 64;
  machine.occupancy.max_blocks_per_sm = 32;
  machine.occupancy.registers_per_sm = machine.occupancy.max_registers_per_block = 65536;
  machine.occupancy.shared_bytes_per_sm = machine.occupancy.shared_bytes_per_block = 102400;
  machine.sources = {"a datasheet"};
  return machine;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MachinesViewTest, ListHasOneRowAMachineWithPeaksAndRidge) {
  const Document document = machines_list({toy("a", 256), toy("b", 128)}, Language::kEnglish);
  ASSERT_EQ(document.sections.size(), 1u);
  const Table& table = document.sections[0].table;
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].size(), table.columns.size());
  EXPECT_EQ(table.rows[0][4], "51.2 TFLOP/s");
  EXPECT_EQ(table.rows[0][3], "\u2013") << "no fp64 ceiling";
  EXPECT_EQ(table.rows[0][7], "25.6 FLOP/B");
  EXPECT_EQ(table.rows[1][7], "12.8 FLOP/B");
}

TEST(MachinesViewTest, PageShowsClockRateStatedFigureAndMissingBandwidth) {
  const std::string text = document_text(machine_page(toy("a", 256), Language::kEnglish), {});
  for (const char* part :
       {"fp32_core", "256", "2 GHz", "51.2 TFLOP/s", "51 TFLOP/s", "datasheet", "int8_tensor_mma_dense", "51.2 TOP/s",
        "24 GiB", "L2: no bandwidth (nobody says)", "a datasheet", "100 KiB"}) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
}

TEST(MachinesViewTest, ACeilingKnownOnlyAsAPeakShowsNoClock) {
  Machine machine = toy("custom", 1);
  machine.ceilings = {machine.ceilings[0]};
  machine.ceilings[0].clock = std::nullopt;
  machine.ceilings[0].stated = FlopsPerSecond(30e12);
  const std::string text = document_text(machine_page(machine, Language::kEnglish), {});
  EXPECT_TRUE(contains(text, "30 TFLOP/s"));
  EXPECT_FALSE(contains(text, " Hz"));
  const auto json = nlohmann::json::parse(machines_json({machine}));
  EXPECT_TRUE(json["machines"][0]["ceilings"]["fp32_core"]["clock_hz"].is_null());
}

TEST(MachinesViewTest, ComparisonGivesFactorsAgainstTheFirst) {
  const Document document = machines_comparison({toy("a", 128), toy("b", 256)}, Language::kEnglish);
  const std::string text = document_text(document, {});
  EXPECT_TRUE(contains(text, "51.2 TFLOP/s (2.00x)")) << text;
  for (const auto& row : document.sections[0].table.rows) EXPECT_NE(row[0], "fp64_core") << "a row that nobody has";
}

TEST(MachinesViewTest, JsonHoldsBaseUnitsAndReasons) {
  const auto json = nlohmann::json::parse(machines_json({toy("a", 256)}));
  EXPECT_EQ(json["schema"], "ridge.machines/1");
  const auto& machine = json["machines"][0];
  EXPECT_DOUBLE_EQ(machine["ceilings"]["fp32_core"]["value"], 51.2e12);
  EXPECT_DOUBLE_EQ(machine["ceilings"]["fp32_core"]["clock_hz"], 2e9);
  EXPECT_DOUBLE_EQ(machine["levels"]["dram"]["bytes_per_s"], 2e12);
  EXPECT_TRUE(machine["levels"]["l2"]["bytes_per_s"].is_null());
  EXPECT_EQ(machine["levels"]["l2"]["missing"]["bytes_per_s"], "nobody says");
  EXPECT_DOUBLE_EQ(machine["ridge_fp32"], 25.6);
  EXPECT_EQ(machine["occupancy"]["max_warps_per_sm"], 64);
}

TEST(MachinesViewTest, CsvHoldsBaseUnits) {
  const std::string list = machines_list_csv({toy("a", 256)});
  EXPECT_TRUE(contains(list, "51200000000000")) << list;
  const std::string all = machines_csv({toy("a", 256)});
  EXPECT_TRUE(contains(all, "a,ceiling,fp32_core,51200000000000,FLOP/s,256,2000000000,51000000000000,,datasheet"))
      << all;
  EXPECT_TRUE(contains(all, "a,level,l2,,B/s")) << all;
}

TEST(MachinesViewTest, NamesAreEscapedForEachFormat) {
  const Document document = machine_page(toy("a", 256), Language::kEnglish);
  EXPECT_FALSE(contains(document_html(document, Language::kEnglish), "Toy <a>"));
  EXPECT_TRUE(contains(document_html(document, Language::kEnglish), "Toy &lt;a&gt;"));
  EXPECT_FALSE(contains(document_markdown(document), "<a> | GPU"));
  Machine evil = toy("a", 256);
  evil.name = "\x1b[31mred";
  EXPECT_FALSE(contains(document_text(machine_page(evil, Language::kEnglish), {}), "\x1b"));
  evil.name = "\xff";
  EXPECT_TRUE(nlohmann::json::accept(machines_json({evil})));
}

TEST(MachinesViewTest, TextKeepsToTheWidth) {
  for (const int width : {40, 60, 80, 120}) {
    TextOptions options;
    options.width = width;
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      options.language = language;
      const std::string text = document_text(machines_list({toy("a", 256)}, language), options) +
                               document_text(machine_page(toy("a", 256), language), options);
      std::size_t begin = 0;
      for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        EXPECT_LE(display_width(text.substr(begin, end - begin)), width) << text.substr(begin, end - begin);
        begin = end + 1;
      }
    }
  }
}

TEST(MachinesViewTest, EveryLabelExistsOnceInBothLanguages) {
  std::set<std::string_view> ids;
  for (const CatalogueEntry& entry : machine_entries()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_FALSE(entry.english.empty()) << entry.id;
    EXPECT_FALSE(entry.chinese.empty()) << entry.id;
    EXPECT_EQ(template_arguments(entry.english).size(), template_arguments(entry.chinese).size()) << entry.id;
  }
}

/// No text may contain the id of a label that does not exist.
void expect_no_bare_ids(const std::string& text) {
  for (const std::string prefix : {"machines.", "occupancy.", "limiter."}) {
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
      const std::size_t next = at + prefix.size();  // a letter right behind the dot: an id, not the end of a sentence
      EXPECT_FALSE(next < text.size() && std::islower(static_cast<unsigned char>(text[next])) != 0) << text;
    }
  }
}

TEST(MachinesViewTest, EveryLabelThatIsUsedExists) {
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    expect_no_bare_ids(document_text(machines_list({toy("a", 256)}, language), {}));
    expect_no_bare_ids(document_text(machine_page(toy("a", 256), language), {}));
    expect_no_bare_ids(document_text(machines_comparison({toy("a", 256), toy("b", 256)}, language), {}));
  }
}

struct OccupancyFixture {
  Machine machine = toy("a", 256);
  Occupancy at;
  OccupancyFixture(int threads, int registers, double shared) {
    OccupancyRequest request;
    request.threads_per_block = threads;
    request.registers_per_thread = registers;
    request.shared_static = Bytes(shared);
    request.barriers_per_block = 1;
    at = *occupancy(machine.occupancy, request);
  }
  [[nodiscard]] OccupancyView view() const {
    return {machine, at, better_block_sizes(machine.occupancy, at),
            occupancy_by_block_size(machine.occupancy, at.request)};
  }
};

TEST(OccupancyViewTest, SaysLimiterAndWhatWouldHelp) {
  const OccupancyFixture fixture(256, 40, 8192);
  const std::string text = document_text(occupancy_page(fixture.view(), Language::kEnglish), {});
  EXPECT_TRUE(contains(text, "6 blocks per SM, 48 of 64 warps: 75.0 % occupancy, limited by registers.")) << text;
  EXPECT_TRUE(contains(text, "registers per thread at most 32 (now 40)")) << text;
  EXPECT_TRUE(contains(text, "That gives 100.0 % occupancy.")) << text;
  EXPECT_TRUE(contains(text, "> 256")) << text;
  expect_no_bare_ids(text);
  expect_no_bare_ids(document_text(occupancy_page(fixture.view(), Language::kChinese), {}));
}

TEST(OccupancyViewTest, SaysThatALaunchFails) {
  const OccupancyFixture fixture(1024, 128, 0);
  const std::string text = document_text(occupancy_page(fixture.view(), Language::kEnglish), {});
  EXPECT_TRUE(contains(text, "does not fit")) << text;
}

TEST(OccupancyViewTest, SaysThatAFullSmHasNothingToGain) {
  const OccupancyFixture fixture(256, 32, 0);
  const std::string text = document_text(occupancy_page(fixture.view(), Language::kEnglish), {});
  EXPECT_TRUE(contains(text, "nothing to gain")) << text;
}

TEST(OccupancyViewTest, JsonNamesLimitersAndEveryLimit) {
  const OccupancyFixture fixture(256, 40, 8192);
  const auto json = nlohmann::json::parse(occupancy_json(fixture.view()));
  EXPECT_EQ(json["schema"], "ridge.occupancy/1");
  EXPECT_EQ(json["limiters"], nlohmann::json::array({"registers"}));
  EXPECT_EQ(json["limits"]["registers"], 6);
  EXPECT_EQ(json["limits"]["shared"], 12);
  EXPECT_TRUE(json["limits"]["barriers"].is_null()) << "the machine states no barrier limit";
  EXPECT_DOUBLE_EQ(json["occupancy"], 0.75);
  EXPECT_EQ(json["changes"][0]["at_most"], 32);
  EXPECT_GE(json["by_block_size"].size(), 10u);
}

TEST(OccupancyViewTest, CsvHasOneRowABlockSize) {
  const OccupancyFixture fixture(250, 40, 8192);
  const std::string csv = occupancy_csv(fixture.view());
  EXPECT_TRUE(contains(csv, "a,250,40,8192,6,48,0.75,registers")) << csv;
}

}  // namespace
}  // namespace ridge::render
