#include "render/json/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/report_fixture.h"

namespace ridge::render {
namespace {

using Json = nlohmann::json;

Json parsed(const Report& report, bool detail = false) {
  return Json::parse(render_json(report, {detail}));
}

std::string type_of(const Json& value) {
  return value.is_number() ? "number" : value.type_name();
}

/// "kernels[].bytes.dram" -> "number": every key path with the types of its values but null, which stands for a missing
/// value anywhere; arrays and maps of free names count once.
using KeyTypes = std::map<std::string, std::set<std::string>>;

void collect(const Json& value, const std::string& path, KeyTypes& keys) {
  static const std::set<std::string> kFreeNames = {"kernels[].provenance", "kernels[].execution.stalls"};
  const bool free = kFreeNames.count(path) > 0 || path.ends_with(".missing") ||
                    (path.ends_with(".evidence") && path != "kernels[].evidence") || path == "missing";
  if (value.is_object() && !free) {
    for (const auto& [key, each] : value.items()) {
      const bool named = path == "machines[].ceilings" || path == "machines[].levels";
      collect(each, path.empty() ? key : path + "." + (named ? "*" : key), keys);
    }
  } else if (value.is_array()) {
    keys[path + "[]"].insert("array");
    for (const Json& each : value) {
      if (each.is_structured()) {
        collect(each, path + "[]", keys);
      } else {
        keys[path + "[]"].insert("array of " + type_of(each));
      }
    }
  } else {
    auto& types = keys[path + (free ? "{}" : "")];
    if (!value.is_null()) types.insert(type_of(value));
  }
}

/// "path:type", several types with a bar between them, none for what is null in all of the fixture.
std::set<std::string> lines_of(const KeyTypes& keys) {
  std::set<std::string> lines;
  for (const auto& [path, types] : keys) {
    std::string line = path + ":";
    for (const std::string& type : types) line += (line.ends_with(':') ? "" : "|") + type;
    lines.insert(line);
  }
  return lines;
}

std::string golden_path() {
  return std::string(RIDGE_SOURCE_DIR) + "/docs/reference/json-keys.txt";
}

TEST(JsonReportTest, HasExactlyTheKeysOfItsSchema) {
  KeyTypes types;
  collect(parsed(test::lab_report(), true), "", types);
  collect(parsed(test::live_report(), true), "", types);
  const std::set<std::string> keys = lines_of(types);
  if (std::getenv("RIDGE_WRITE_REFERENCE") != nullptr) {
    std::ofstream out(golden_path());
    out << "# Key paths of ridge.report/1 with the type of the value, which may also be null; [] is every element, * "
           "any\n"
           "# name, {} a map with free keys.\n"
           "# Adding keys is free; taking one away or changing it raises the number of the schema.\n";
    for (const std::string& key : keys) out << key << "\n";
  }
  std::ifstream file(golden_path());
  std::set<std::string> golden;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') golden.insert(line);
  }
  ASSERT_FALSE(golden.empty()) << golden_path();
  for (const std::string& key : keys) EXPECT_TRUE(golden.count(key)) << "not in the golden key set: " << key;
  for (const std::string& key : golden) EXPECT_TRUE(keys.count(key)) << "gone from the report: " << key;
}

TEST(JsonReportTest, AMissingValueIsNullWithItsReason) {
  const Json kernel = parsed(test::lab_report())["kernels"][5];
  EXPECT_TRUE(kernel["bytes"]["shared"].is_null());
  EXPECT_EQ(kernel["missing"]["bytes.shared"], "the report has no shared-memory wavefronts");
  EXPECT_FALSE(kernel["provenance"].contains("bytes.shared"));
  EXPECT_EQ(kernel["provenance"]["bytes.dram"], "measured");
}

TEST(JsonReportTest, EveryNullNumberHasAReasonUnderMissing) {
  const Json report = parsed(test::unknown_report());
  ASSERT_EQ(report["kernels"].size(), 1u);
  for (const Json& kernel : report["kernels"]) {
    for (const char* group : {"bytes", "intensity", "bytes_per_s", "execution", "conditions"}) {
      for (const auto& [key, value] : kernel[group].items()) {
        if (!value.is_null()) continue;
        EXPECT_TRUE(kernel["missing"].contains(std::string(group) + "." + key)) << group << key;
      }
    }
    EXPECT_TRUE(kernel["duration_s"].is_null());
    EXPECT_EQ(kernel["missing"]["duration_s"], "not collected");
  }
}

TEST(JsonReportTest, ProvenanceOfFlopsIsUnderTheContractsName) {
  const Json kernel = parsed(test::lab_report())["kernels"][3];
  EXPECT_EQ(kernel["provenance"]["flops"], "counted");
  EXPECT_EQ(kernel["provenance"]["flops.total"], "counted");
}

TEST(JsonReportTest, NumbersAreInFullPrecision) {
  Report report = test::lab_report();
  const double odd = 0.1 + 0.2;
  report.kernels[0].duration = Value<Seconds>(Seconds(odd), Provenance::kMeasured);
  EXPECT_EQ(parsed(report)["kernels"][0]["duration_s"].get<double>(), odd);
}

TEST(JsonReportTest, NotFiniteNumbersAreMissing) {
  Report report = test::lab_report();
  report.kernels[0].duration = Value<Seconds>(Seconds(std::nan("")), Provenance::kMeasured);
  report.kernels[0].flops_per_s =
      Value<FlopsPerSecond>(FlopsPerSecond(std::numeric_limits<double>::infinity()), Provenance::kMeasured);
  const Json kernel = parsed(report)["kernels"][0];
  EXPECT_TRUE(kernel["duration_s"].is_null());
  EXPECT_EQ(kernel["missing"]["flops_per_s"], "not a finite number");
}

TEST(JsonReportTest, WorkOfTensorPathsIsUnderItsShortName) {
  const Json flops = parsed(test::lab_report())["kernels"][5]["flops"];
  EXPECT_DOUBLE_EQ(flops["tensor_bf16"].get<double>(), 178e9);
  EXPECT_DOUBLE_EQ(flops["fp32"].get<double>(), 2e9);
  EXPECT_DOUBLE_EQ(flops["total"].get<double>(), 180e9);
}

TEST(JsonReportTest, LaunchesAndSpansComeOnlyWithDetail) {
  const Json brief = parsed(test::lab_report());
  EXPECT_FALSE(brief.contains("launches") || brief.contains("spans") || brief.contains("ranges"));
  const Json full = parsed(test::lab_report(), true);
  EXPECT_EQ(full["launches"].size(), 49u);
  EXPECT_EQ(full["ranges"].size(), 1u);
  EXPECT_EQ(full["spans"].size(), 0u);
}

TEST(JsonReportTest, NamesComeBackAsTheyWere) {
  for (const std::string& text : test::hostile_texts()) {
    const Json report = parsed(test::report_with_text(text), true);
    const std::string name = report["kernels"][0]["name"].get<std::string>();
    if (text.find('\xFF') == std::string::npos) {
      EXPECT_EQ(name, text);
    } else {
      EXPECT_EQ(name, "\\xFF\\xFE bad \\xC3( \\xED\\xA0\\x80");
    }
  }
}

TEST(JsonReportTest, AnEmptyReportIsValid) {
  const Json report = parsed(test::empty_report(), true);
  EXPECT_EQ(report["schema"], "ridge.report/1");
  EXPECT_EQ(report["kernels"].size(), 0u);
  EXPECT_TRUE(report["summary"]["kernel_time_s"].is_null());
}

TEST(JsonReportTest, PiecesAreNoLargerThanOneKernel) {
  const Report report = test::large_report(300);
  std::size_t largest = 0, total = 0;
  write_json(report, {}, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    total += piece.size();
  });
  EXPECT_LT(largest, 100000u);
  EXPECT_GT(total, 300u * 1000u);
}

}  // namespace
}  // namespace ridge::render
