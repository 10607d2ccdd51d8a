// Real recordings: the report and the pages of one run must say the same. Skipped where the recordings are absent.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/decompress.h"
#include "base/files.h"
#include "importers/ncu/csv_scanner.h"
#include "importers/ncu/numbers.h"
#include "importers/ncu/units.h"
#include "support/import_helpers.h"
#include "support/shared_data.h"

namespace ridge::ncu {
namespace {

using testing::find_issue;
using testing::issue_number;
using testing::raw_value;
using testing::shared_data;

#define SKIP_WITHOUT(variable, name)                             \
  const std::optional<std::string> variable = shared_data(name); \
  if (!(variable)) GTEST_SKIP() << (name) << " is not here"

/// The raw page read by other means than the importer: cells and units by column title.
struct PlainTable {
  std::map<std::string, std::size_t> column;
  std::vector<std::string> units;
  std::vector<std::vector<std::string>> rows;
};
PlainTable read_plain(const std::string& path) {
  PlainTable table;
  const std::string text = *read_all(*decoded(*open_file(path), path), std::size_t{1} << 28);
  ByteReader reader(memory_source(text));
  CsvScanner scanner(reader);
  std::vector<CsvField> fields;
  for (std::size_t i = 0; !scanner.at_end() && scanner.record(',', fields) == CsvStatus::kRecord; ++i) {
    std::vector<std::string> row;
    row.reserve(fields.size());
    for (const CsvField& field : fields) row.push_back(unescape(field));
    if (i == 0) {
      for (std::size_t c = 0; c < row.size(); ++c) table.column.emplace(row[c], c);
    } else if (i == 1) {
      table.units = row;
    } else {
      table.rows.push_back(row);
    }
  }
  return table;
}

constexpr double kGemm4096Flops = 137438953472;

TEST(NcuRecordedTest, ReportHoldsTwelveLaunchesWithExactFlops) {
  SKIP_WITHOUT(path, "h200-lab/lab_full.ncu-rep.gz");
  const auto profile = import_file(*path);
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->launches.size(), 12U);
  const double expected[] = {1e8, 2e8, 200269280, 1664420508, 2147483648, 2147483648, kGemm4096Flops, kGemm4096Flops,
                             0,   0,   0,         0};
  for (std::size_t i = 0; i < 12; ++i) {
    const Value<Flops>& flops = measurement_of(*profile, profile->launches[i])->work.flops;
    if (expected[i] == 0) continue;
    ASSERT_TRUE(flops) << i;
    EXPECT_NEAR(flops->count(), expected[i], 5e-7 * expected[i]) << i;
  }
  EXPECT_EQ(profile->devices[0].name, "NVIDIA H200");
  EXPECT_EQ(profile->devices[0].chip, "GH100");
  EXPECT_TRUE(profile->issues.empty());
}

TEST(NcuRecordedTest, EveryCounterOfTheReportIsTheOneOfTheRawPage) {
  SKIP_WITHOUT(report_path, "h200-lab/lab_full.ncu-rep.gz");
  SKIP_WITHOUT(raw_path, "h200-lab/lab_full_raw.csv.gz");
  const auto report = import_file(*report_path);
  ASSERT_TRUE(report);
  const PlainTable raw = read_plain(*raw_path);
  ASSERT_EQ(raw.rows.size(), 12U);
  std::size_t compared = 0;
  for (std::size_t launch = 0; launch < 12; ++launch) {
    for (const RawMetric& metric : measurement_of(*report, report->launches[launch])->raw) {
      const std::string& name = report->metrics[metric.metric].name;
      // The profiler itself scales this one's denominator the wrong way round.
      if (name == "derived__pct_occupancy_per_shared_mem_size") continue;
      const auto column = raw.column.find(name);
      ASSERT_NE(column, raw.column.end()) << name;
      const std::string& cell = raw.rows[launch][column->second];
      const ParsedNumber number = parse_number(cell, DecimalMark::kPoint);
      if (number.kind != NumberKind::kNumber) continue;
      const std::optional<MetricUnit> unit = parse_unit(raw.units[column->second]);
      ASSERT_TRUE(unit) << raw.units[column->second];
      const std::size_t point = cell.find('.');
      const std::size_t decimals = point == std::string::npos ? 0 : cell.size() - point - 1;
      const double half_digit = 0.5000001 * std::pow(10.0, -static_cast<double>(decimals)) * unit->factor;
      EXPECT_NEAR(metric.value, number.value * unit->factor, half_digit + 1e-12 * std::abs(metric.value))
          << name << " of launch " << launch;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20'000U);
}

TEST(NcuRecordedTest, TheRawPageGivesTheWorkOfTheReport) {
  SKIP_WITHOUT(report_path, "h200-lab/lab_full.ncu-rep.gz");
  SKIP_WITHOUT(raw_path, "h200-lab/lab_full_raw.csv.gz");
  const auto report = import_file(*report_path), raw = import_file(*raw_path);
  ASSERT_TRUE(report);
  ASSERT_TRUE(raw);
  ASSERT_EQ(raw->launches.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const Measurement& a = *measurement_of(*report, report->launches[i]);
    const Measurement& b = *measurement_of(*raw, raw->launches[i]);
    EXPECT_NEAR(report->launches[i].duration->count(), raw->launches[i].duration->count(), 1e-9);
    if (a.work.flops) {
      EXPECT_NEAR(a.work.flops->count(), b.work.flops->count(), 5e-6 * a.work.flops->count());
    }
    EXPECT_NEAR(a.work.bytes.dram->count(), b.work.bytes.dram->count(), 5e-4 * a.work.bytes.dram->count());
    EXPECT_EQ(report->configurations[report->launches[i].configuration].grid,
              raw->configurations[raw->launches[i].configuration].grid);
    EXPECT_EQ(report->launches[i].process_id, raw->launches[i].process_id);
    EXPECT_EQ(report->kernels[report->launches[i].kernel].short_name, raw->kernels[raw->launches[i].kernel].short_name);
  }
}

TEST(NcuRecordedTest, TheDetailsPageAgreesWithinItsRounding) {
  SKIP_WITHOUT(report_path, "h200-lab/lab_full.ncu-rep.gz");
  SKIP_WITHOUT(details_path, "h200-lab/lab_full_details.csv.gz");
  const auto report = import_file(*report_path), details = import_file(*details_path);
  ASSERT_TRUE(report);
  ASSERT_TRUE(details) << to_string(details.error());
  ASSERT_EQ(details->launches.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const double exact = report->launches[i].duration->count();
    EXPECT_NEAR(details->launches[i].duration->count(), exact, 1e-3 * exact);
    // Every metric that has a vendor's name is the report's metric of that name.
    for (const RawMetric& metric : measurement_of(*details, details->launches[i])->raw) {
      const std::string& name = details->metrics[metric.metric].name;
      const double recorded = raw_value(*report, i, name);
      if (name.find("__") == std::string::npos) continue;
      ASSERT_FALSE(std::isnan(recorded)) << name;
      // Values are printed with two decimals in a unit that leaves at least one digit before the point.
      EXPECT_NEAR(metric.value, recorded, 0.0051 * std::max(1.0, std::abs(recorded))) << name << " of launch " << i;
    }
    const double dram = measurement_of(*report, report->launches[i])->work.bytes.dram->count();
    EXPECT_NEAR(measurement_of(*details, details->launches[i])->work.bytes.dram->count(), dram, 5e-3 * dram);
  }
  EXPECT_NE(find_issue(*details, "flops-not-collected"), nullptr);
}

TEST(NcuRecordedTest, TheSourcePageCountsTheSameFlops) {
  SKIP_WITHOUT(report_path, "h200-lab/lab_full.ncu-rep.gz");
  SKIP_WITHOUT(source_path, "h200-lab/lab_full_source.csv.gz");
  SKIP_WITHOUT(details_path, "h200-lab/lab_full_details.csv.gz");
  const auto report = import_file(*report_path), source = import_file(*source_path);
  ASSERT_TRUE(source) << to_string(source.error());
  ASSERT_EQ(source->launches.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const Measurement& counted = *measurement_of(*source, source->launches[i]);
    const Measurement& recorded = *measurement_of(*report, report->launches[i]);
    ASSERT_TRUE(counted.work.flops) << i;
    if (recorded.work.flops) {
      EXPECT_DOUBLE_EQ(counted.work.flops->count(), recorded.work.flops->count()) << i;
    }
    ASSERT_FALSE(counted.hot_lines.empty());
    EXPECT_EQ(counted.hot_lines[0].samples, recorded.hot_lines[0].samples);
    EXPECT_EQ(counted.hot_lines[0].location, recorded.hot_lines[0].location);
  }
  const std::vector<std::string> paths = {*details_path, *source_path};
  const auto joined = import_files(paths);
  ASSERT_TRUE(joined);
  ASSERT_EQ(joined->size(), 1U);
  EXPECT_DOUBLE_EQ(measurement_of(joined->front(), joined->front().launches[6])->work.flops->count(), kGemm4096Flops);
}

TEST(NcuRecordedTest, TheDefaultSetNamesTheCommandForTheRest) {
  SKIP_WITHOUT(path, "h200-lab/lab_basic.ncu-rep.gz");
  const auto profile = import_file(*path);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches.size(), 12U);
  const Issue* const issue = find_issue(*profile, "flops-not-collected");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(testing::issue_text(*issue, "command"),
            "ncu --set roofline -o lab_basic_roofline --clock-control none -f ./lab");
  for (const Launch& launch : profile->launches) EXPECT_TRUE(launch.duration);
}

TEST(NcuRecordedTest, OneLaunchOfNaNLeavesTheOthersAlone) {
  SKIP_WITHOUT(path, "public/ncu_a10g_one_launch_all_nan.ncu-rep");
  const auto profile = import_file(*path);
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(profile->launches[i].duration.has_value(), i != 3) << i;
}

TEST(NcuRecordedTest, AnA10GReportGivesTheFractionsOfPeakItsAuthorSaw) {
  SKIP_WITHOUT(path, "public/ncu_a10g_roofline_set.ncu-rep");
  const auto profile = import_file(*path);
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->launches.size(), 4U);
  const double expected[] = {0.1847, 0.2711, 0.3043, 0.3604};
  for (std::size_t i = 0; i < 4; ++i) {
    const double rate =
        measurement_of(*profile, profile->launches[i])->work.flops->count() / profile->launches[i].duration->count();
    const double peak = 2 * raw_value(*profile, i, "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained") *
                        raw_value(*profile, i, "sm__cycles_elapsed.avg.per_second");
    EXPECT_NEAR(rate / peak, expected[i], 0.0005) << i;
  }
}

TEST(NcuRecordedTest, PagesOfOtherVersionsAndGpus) {
  SKIP_WITHOUT(saxpy_path, "public/ncu_rtx5070_saxpy.csv");
  const auto saxpy = import_file(*saxpy_path);
  ASSERT_TRUE(saxpy);
  const double bytes = measurement_of(*saxpy, saxpy->launches[0])->work.bytes.dram->count();
  EXPECT_DOUBLE_EQ(bytes, 177852672);
  EXPECT_NEAR(bytes / saxpy->launches[0].duration->count(), 607.2e9, 0.05e9);

  SKIP_WITHOUT(fp8_path, "public/ncu_sm100_fp8_gemm_details.log");
  const auto fp8 = import_file(*fp8_path);
  ASSERT_TRUE(fp8);
  ASSERT_EQ(fp8->launches.size(), 1U);
  EXPECT_FALSE(measurement_of(*fp8, fp8->launches[0])->work.flops);
  EXPECT_DOUBLE_EQ(fp8->launches[0].duration->count(), 406240e-9);
  EXPECT_EQ(issue_number(*find_issue(*fp8, "rules-skipped"), "rows"), 8);
  EXPECT_NE(find_issue(*fp8, "program-output"), nullptr);

  SKIP_WITHOUT(copy_path, "public/ncu_details_copy_blocked.csv");
  const auto copy = import_file(*copy_path);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->kernels[0].short_name, "copy_blocked");
  EXPECT_EQ(issue_number(*find_issue(*copy, "rules-skipped"), "rows"), 11);
  EXPECT_DOUBLE_EQ(copy->launches[0].duration->count(), 21058944e-9);
}

}  // namespace
}  // namespace ridge::ncu
