// From a recording to verdicts, held against an independent reading of the raw page of the same run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "importers/importer.h"
#include "reports/raw_page.h"
#include "ridgepoint/analysis/analyse.h"
#include "ridgepoint/machines/match.h"
#include "support/shared_data.h"

namespace ridge {
namespace {

using testing::RawLaunch;
using testing::read_raw_page;
using testing::shared_data;

std::string bundled(const std::string& name) {
  return std::string(RIDGE_SOURCE_DIR) + "/tests/data/h200/" + name;
}

std::optional<Report> report_of(const std::string& path) {
  Result<Profile> profile = import_file(path);
  if (!profile) {
    ADD_FAILURE() << to_string(profile.error());
    return std::nullopt;
  }
  resolve_machines(*profile, Database::built_in());
  return analyse(*profile);
}

const ReportKernel* kernel_of(const Report& report, unsigned id) {
  for (const ReportKernel& kernel : report.kernels) {
    for (const ReportLaunch& launch : kernel.launches) {
      if (launch.source_id == id) return &kernel;
    }
  }
  return nullptr;
}

double per_cycle(const RawLaunch& raw, const std::string& op) {
  return raw.at("smsp__sass_thread_inst_executed_op_" + op + "_pred_on.sum.per_cycle_elapsed");
}

/// Tensor operations per cycle over every path, and their share of the paths' peaks.
struct Tensor {
  double per_cycle = 0, share = 0;
};
Tensor tensor_of(const RawLaunch& raw) {
  Tensor sum;
  const std::string prefix = "sm__ops_path_tensor_", suffix = ".sum.per_cycle_elapsed";
  for (const auto& [name, value] : raw.values) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || value == 0) continue;
    const std::string op = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    const bool by_path = op.starts_with("op_") || op.starts_with("src_fp8") || op == "src_fp64";
    if (!by_path) continue;
    sum.share += value / raw.at(prefix + op + ".sum.peak_sustained");
    if (op.find("int") == std::string::npos) sum.per_cycle += value;
  }
  return sum;
}

/// HFMA2 beside little or no half-precision work are constants being loaded (docs/design/flop-counting.md).
bool counts_halves(const RawLaunch& raw) {
  return raw.kernel.find("half2") != std::string::npos;
}

double flops_of(const RawLaunch& raw) {
  double rate = tensor_of(raw).per_cycle;
  for (const std::string type : {"f", "d"}) {
    rate += per_cycle(raw, type + "add") + per_cycle(raw, type + "mul") + 2 * per_cycle(raw, type + "fma");
  }
  if (counts_halves(raw)) rate += 4 * per_cycle(raw, "hfma");
  return rate * raw.at("smsp__cycles_elapsed.avg.per_second") * raw.at("gpu__time_duration.sum");
}

struct Expected {
  std::string resource;
  double share = 0;
};

/// The fullest resource by the recording's own shares of peak.
Expected fullest(const RawLaunch& raw) {
  const auto share = [&](const std::string& name) { return raw.at(name + ".avg.pct_of_peak_sustained_elapsed") / 100; };
  const double dram = (raw.at("dram__bytes_read.sum") + raw.at("dram__bytes_write.sum")) /
                      raw.at("gpu__time_duration.sum") /
                      (raw.at("dram__bytes.sum.peak_sustained") * raw.at("dram__cycles_elapsed.avg.per_second"));
  const auto lanes = [&](const std::string& type, const std::string& peak) {
    return (per_cycle(raw, type + "add") + per_cycle(raw, type + "mul") + per_cycle(raw, type + "fma")) /
           raw.at("sm__sass_thread_inst_executed_op_" + peak + "_pred_on.sum.peak_sustained");
  };
  const std::vector<Expected> all{
      {"dram", dram},
      {"l1", share("l1tex__data_pipe_lsu_wavefronts")},
      {"l1", share("sm__inst_executed_pipe_lsu")},
      {"l2", share("lts__t_tag_requests")},
      {"l2", share("lts__t_sectors")},
      {"issue", share("sm__inst_executed")},
      {"alu", share("sm__inst_executed_pipe_alu")},
      {"fp32", lanes("f", "ffma")},
      {"fp64", lanes("d", "dfma")},
      {"fp16", counts_halves(raw) ? lanes("h", "hfma") : 0},
      {"tensor", tensor_of(raw).share},
  };
  return *std::max_element(all.begin(), all.end(),
                           [](const Expected& a, const Expected& b) { return a.share < b.share; });
}

/// `of_flops` and `of_bytes` are relative: a page rounds to six places, and gigabytes to the same.
void expect_agreement(const Report& report, const std::vector<RawLaunch>& raw, double of_flops, double of_bytes) {
  ASSERT_EQ(report.kernels.size(), raw.size());
  for (const RawLaunch& launch : raw) {
    SCOPED_TRACE(launch.kernel);
    const ReportKernel* kernel = kernel_of(report, launch.id);
    ASSERT_NE(kernel, nullptr);
    const double flops = flops_of(launch);
    ASSERT_TRUE(kernel->work.flops && kernel->work.bytes.dram && kernel->duration && kernel->roof.fraction);
    EXPECT_NEAR(kernel->work.flops->count(), flops, of_flops * flops + 0.5);
    const double dram = launch.at("dram__bytes_read.sum") + launch.at("dram__bytes_write.sum");
    // The page shows whole columns in gigabytes with six places.
    EXPECT_NEAR(kernel->work.bytes.dram->count(), dram, of_bytes * dram + 1000);
    const double duration = launch.at("gpu__time_duration.sum");
    EXPECT_NEAR(kernel->duration->count(), duration, 1e-5 * duration);
    if (dram > 1e7) {
      EXPECT_NEAR(kernel->intensity_dram->count(), flops / dram, (of_flops + of_bytes) * flops / dram);
    }

    const Expected expected = fullest(launch);
    EXPECT_NEAR(*kernel->roof.fraction, expected.share, 0.005);
    const bool memory = expected.resource == "dram" || expected.resource == "l1" || expected.resource == "l2";
    if (expected.share >= 0.6) {
      EXPECT_EQ(kernel->verdict, memory ? Verdict::kMemoryBound : Verdict::kComputeBound);
      EXPECT_EQ(memory ? kernel->level : kernel->pipe.substr(0, expected.resource.size()), expected.resource);
    } else {
      EXPECT_TRUE(kernel->verdict == Verdict::kLatencyBound || kernel->verdict == Verdict::kOverheadBound);
    }
  }
}

void expect_file_agrees(const std::string& file, const std::string& raw_file, double of_flops, double of_bytes) {
  SCOPED_TRACE(file);
  const auto raw = read_raw_page(raw_file);
  ASSERT_TRUE(raw && !raw->empty());
  const std::optional<Report> report = report_of(file);
  ASSERT_TRUE(report);
  expect_agreement(*report, *raw, of_flops, of_bytes);
}

TEST(RecordedTest, TourReportAgreesWithItsRawPage) {
  expect_file_agrees(bundled("tour.ncu-rep.gz"), bundled("tour_full_raw.csv.gz"), 1e-6, 2e-4);
}
TEST(RecordedTest, TourRawPageAgreesWithItself) {
  expect_file_agrees(bundled("tour_full_raw.csv.gz"), bundled("tour_full_raw.csv.gz"), 1e-6, 1e-9);
}
TEST(RecordedTest, TorchReportAgreesWithItsRawPage) {
  expect_file_agrees(bundled("torch.ncu-rep.gz"), bundled("torch_raw.csv.gz"), 1e-6, 1e-3);
}
TEST(RecordedTest, LabReportAndRawPageAgree) {
  const auto report = shared_data("h200-lab/lab_full.ncu-rep.gz"), raw = shared_data("h200-lab/lab_full_raw.csv.gz");
  if (!report || !raw) GTEST_SKIP() << "the recording is not here";
  expect_file_agrees(*report, *raw, 5e-7, 1e-4);
  expect_file_agrees(*raw, *raw, 5e-6, 1e-9);
}

struct KnownWork {
  const char* kernel;
  double flops;
};

void expect_known_work(const std::string& path, const std::vector<KnownWork>& known, double tolerance) {
  const std::optional<Report> report = report_of(path);
  ASSERT_TRUE(report);
  for (const KnownWork& work : known) {
    SCOPED_TRACE(work.kernel);
    const bool found = std::any_of(report->kernels.begin(), report->kernels.end(), [&](const ReportKernel& kernel) {
      return kernel.full_name.find(work.kernel) != std::string::npos && kernel.work.flops &&
             std::abs(kernel.work.flops->count() - work.flops) <= tolerance * work.flops;
    });
    EXPECT_TRUE(found);
  }
}

const std::vector<KnownWork>& tour_work() {
  static const std::vector<KnownWork> work{
      {"vector_add", 1e8},          {"saxpy", 2e8},
      {"gemm_naive", 2147483648.0}, {"gemm_naive", 137438953472.0},
      {"gemm_tiled", 2147483648.0}, {"gemm_tiled", 137438953472.0},
  };
  return work;
}

TEST(RecordedTest, KnownProblemsHaveTheirFlops) {
  expect_known_work(bundled("tour.ncu-rep.gz"), tour_work(), 5e-7);
  expect_known_work(bundled("tour_roofline.ncu-rep.gz"), tour_work(), 5e-7);
  expect_known_work(bundled("tour_full_raw.csv.gz"), tour_work(), 5e-6);
  expect_known_work(bundled("tour.ncu-rep.gz"), {{"gemm_wmma", 17179869184.0}, {"gemm_double", 2147483648.0}}, 5e-7);
  // The loop's 64 HFMA2 and the one that loads a constant.
  expect_known_work(bundled("tour.ncu-rep.gz"), {{"half_axpy", 65 * 4 * 5e7}}, 5e-7);
  expect_known_work(bundled("torch.ncu-rep.gz"),
                    {{"nvjet_sm90_tst", 137438953472.0}, {"nvjet_sm90_hsh", 137438953472.0}}, 5e-7);
}

TEST(RecordedTest, LabProblemsHaveTheirFlops) {
  const auto report = shared_data("h200-lab/lab_full.ncu-rep.gz"), raw = shared_data("h200-lab/lab_full_raw.csv.gz");
  if (!report || !raw) GTEST_SKIP() << "the recording is not here";
  expect_known_work(*report, tour_work(), 5e-7);
  expect_known_work(*raw, tour_work(), 5e-6);
}

/// Other sets, pages and runs of the same program must not tell another story. A page that holds no counts but only the
/// profiler's shares of peak cannot always tell neighbouring levels apart, so there only the verdict has to agree.
void expect_same_verdicts(const std::string& full, const std::string& other, bool has_counts) {
  SCOPED_TRACE(other);
  const std::optional<Report> a = report_of(full), b = report_of(other);
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->kernels.size(), b->kernels.size());
  for (const ReportKernel& kernel : a->kernels) {
    const ReportKernel* same = kernel_of(*b, static_cast<unsigned>(kernel.launches.front().source_id));
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(same->verdict, kernel.verdict) << kernel.full_name;
    if (has_counts) {
      EXPECT_EQ(same->level, kernel.level) << kernel.full_name;
    }
  }
}

TEST(RecordedTest, EverySetAndPageOfTheLabGivesTheSameVerdicts) {
  const auto full = shared_data("h200-lab/lab_full.ncu-rep.gz");
  if (!full) GTEST_SKIP() << "the recording is not here";
  for (const char* other : {"lab_full_raw.csv.gz", "lab_full_details.csv.gz", "lab_roofline.ncu-rep.gz",
                            "lab_roofline_raw.csv.gz", "lab_basic.ncu-rep.gz"}) {
    expect_same_verdicts(*full, *shared_data(std::string("h200-lab/") + other), true);
  }
}

TEST(RecordedTest, EverySetAndPageOfTheTourGivesTheSameVerdicts) {
  for (const char* other : {"tour_full_raw.csv.gz", "tour_roofline.ncu-rep.gz"}) {
    expect_same_verdicts(bundled("tour.ncu-rep.gz"), bundled(other), true);
  }
  for (const char* other : {"tour_full_details.csv.gz", "tour_basic.ncu-rep.gz", "tour_basic_details.csv.gz"}) {
    expect_same_verdicts(bundled("tour.ncu-rep.gz"), bundled(other), false);
  }
}

const Comparison* comparison_of(const Report& report, std::string_view id) {
  for (const Comparison& comparison : report.comparisons) {
    if (comparison.explanation.id == id) return &comparison;
  }
  return nullptr;
}

TEST(RecordedTest, NaiveAndTiledAreExplainedUnasked) {
  const std::optional<Report> report = report_of(bundled("tour.ncu-rep.gz"));
  ASSERT_TRUE(report);
  const Comparison* pair = comparison_of(*report, "comparison.moved-to-shared-in-l2");
  ASSERT_NE(pair, nullptr);
  for (const Argument& argument : pair->explanation.arguments) {
    if (argument.name == "l1_slower") {
      EXPECT_NEAR(std::get<double>(argument.value), 5.4e9, 0.05e9);
    } else if (argument.name == "l1_faster") {
      EXPECT_NEAR(std::get<double>(argument.value), 0.27e9, 0.005e9);
    } else if (argument.name == "factor") {
      EXPECT_NEAR(std::get<double>(argument.value), 1.4, 0.05);
    } else if (argument.name == "wavefront_factor") {
      EXPECT_NEAR(std::get<double>(argument.value), 1.22, 0.01);
    }
  }
  EXPECT_NE(comparison_of(*report, "comparison.bank-conflicts"), nullptr);
  EXPECT_NE(comparison_of(*report, "comparison.uncoalesced"), nullptr);
}

bool has_finding(const Report& report, std::string_view kernel, std::string_view rule) {
  for (const ReportKernel& entry : report.kernels) {
    if (entry.full_name.find(kernel) == std::string::npos) continue;
    for (const Finding& finding : entry.findings) {
      if (finding.rule == rule) return true;
    }
  }
  return false;
}

TEST(RecordedTest, EachStopOfTheTourShowsWhatItWasMadeToShow) {
  const std::optional<Report> report = report_of(bundled("tour.ncu-rep.gz"));
  ASSERT_TRUE(report);
  EXPECT_TRUE(has_finding(*report, "transpose_naive", "uncoalesced-access"));
  EXPECT_TRUE(has_finding(*report, "transpose_shared<(int)0>", "bank-conflicts"));
  EXPECT_FALSE(has_finding(*report, "transpose_shared<(int)1>", "bank-conflicts"));
  EXPECT_TRUE(has_finding(*report, "gather_strided", "uncoalesced-access"));
  EXPECT_TRUE(has_finding(*report, "gemm_naive", "operand-reuse"));
  EXPECT_TRUE(has_finding(*report, "divergent", "divergence"));
  EXPECT_TRUE(has_finding(*report, "spilled", "local-memory"));
  EXPECT_TRUE(has_finding(*report, "chain", "partial-waves"));
  EXPECT_TRUE(has_finding(*report, "tiny", "short-launches"));
}

TEST(RecordedTest, LibraryGemmsAtTheirRoofHaveNoOccupancyProblem) {
  const std::optional<Report> report = report_of(bundled("torch.ncu-rep.gz"));
  ASSERT_TRUE(report);
  for (const ReportKernel& kernel : report->kernels) {
    if (kernel.full_name.find("nvjet") == std::string::npos) continue;
    EXPECT_GT(*kernel.roof.fraction, 0.8);
    EXPECT_LT(*kernel.occupancy.achieved, 0.2);
    EXPECT_FALSE(has_finding(*report, kernel.full_name, "low-occupancy"));
  }
}

}  // namespace
}  // namespace ridge
