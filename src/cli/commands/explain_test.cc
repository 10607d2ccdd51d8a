// The command as a person types it, on the machines of the database: every row of the golden table of paper figures,
// and every way to get the line wrong.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands/commands.h"
#include "cli/program.h"

namespace ridge::cli {
namespace {

struct Outcome {
  int status = 0;
  std::string out, err;
};

Outcome run(std::vector<std::string> words) {
  Commands list;
  list.push_back(make_explain_command());
  words.insert(words.begin(), "explain");
  std::ostringstream out;
  std::ostringstream err;
  Context context = {out, err};
  const int status = run_program(list, words, context);
  return {status, out.str(), err.str()};
}

nlohmann::json json_of(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "json"});
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? nlohmann::json::parse(outcome.out) : nlohmann::json();
}

const std::vector<std::string> kQuoted{"--peak", "fp32=82.6TFLOP/s", "--bandwidth", "dram=1008GB/s"};
const std::vector<std::string> kRound{"--peak", "fp32=30TFLOP/s", "--bandwidth", "dram=900GB/s"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(ExplainGoldenTest, L40SPeakIs91Point6TFlops) {
  const auto json = json_of({"vector_add", "n=1e8", "--on", "l40s"});
  EXPECT_NEAR(json["machines"][0]["peak_flops_per_s"], 91.6e12, 0.05e12);
}

TEST(ExplainGoldenTest, RidgesOfL40SH100AndRtx5090) {
  const auto json = json_of({"saxpy", "n=1", "--on", "l40s", "--on", "h100-sxm", "--on", "rtx5090"});
  EXPECT_NEAR(json["machines"][0]["ridge"], 106, 0.5);
  EXPECT_NEAR(json["machines"][1]["ridge"], 20, 0.5);
  EXPECT_NEAR(json["machines"][2]["ridge"], 58, 0.5);
}

TEST(ExplainGoldenTest, RidgeOfL40SFp16TensorDense) {
  const auto json = json_of({"gemm", "n=64", "--precision", "fp16", "--on", "l40s"});
  EXPECT_NEAR(json["machines"][0]["ridge"], 419, 0.5);
  EXPECT_NE(json["machines"][0]["ceiling"].get<std::string>().find("_dense"), std::string::npos);
}

TEST(ExplainGoldenTest, FiguresQuotedForA4090DAreAcceptedAsOverrides) {
  const auto json = json_of(with({"saxpy", "n=1"}, kQuoted));
  EXPECT_DOUBLE_EQ(json["machines"][0]["peak_flops_per_s"], 82.6e12);
  EXPECT_NEAR(json["machines"][0]["ridge"], 82, 0.1);
  const auto real = json_of({"saxpy", "n=1", "--on", "rtx4090d"});
  EXPECT_NEAR(real["machines"][0]["peak_flops_per_s"], 73.5e12, 0.05e12) << "the database has the real chip";
}

TEST(ExplainGoldenTest, VectorAddOnL40S) {
  const auto json = json_of({"vector_add", "n=1e8", "--on", "l40s"});
  const auto& at = json["machines"][0];
  EXPECT_EQ(json["work"]["flops"], 1e8);
  EXPECT_EQ(json["work"]["bytes"], 1.2e9);
  EXPECT_DOUBLE_EQ(json["work"]["intensity"], 1.0 / 12);
  EXPECT_NEAR(at["compute_time_s"], 1.1e-6, 0.05e-6);
  EXPECT_NEAR(at["data_time_s"], 1.39e-3, 0.005e-3);
  EXPECT_NEAR(at["attainable_flops_per_s"], 72e9, 0.1e9);
  EXPECT_EQ(at["verdict"], "memory-bound");
  EXPECT_NEAR(at["ratio"], 1270, 5);
}

TEST(ExplainGoldenTest, SaxpyAndDotOnL40S) {
  const auto saxpy = json_of({"saxpy", "n=1e8", "--on", "l40s"});
  EXPECT_NEAR(saxpy["work"]["intensity"], 1.0 / 6, 1e-9);
  EXPECT_NEAR(saxpy["machines"][0]["attainable_flops_per_s"], 144e9, 0.1e9);
  const auto dot = json_of({"dot", "n=1e8", "--on", "l40s"});
  EXPECT_NEAR(dot["work"]["intensity"], 1.0 / 4, 1e-6);
  EXPECT_NEAR(dot["machines"][0]["attainable_flops_per_s"], 216e9, 0.1e9);
}

TEST(ExplainGoldenTest, IdealGemm4096OnL40S) {
  const auto json = json_of({"gemm", "n=4096", "--on", "l40s"});
  const auto& at = json["machines"][0];
  EXPECT_EQ(json["work"]["flops"], 137438953472.0);
  EXPECT_EQ(json["work"]["bytes"], 201326592.0);
  EXPECT_NEAR(json["work"]["intensity"], 683, 0.5);
  EXPECT_NEAR(at["compute_time_s"], 1.5e-3, 0.01e-3);
  EXPECT_NEAR(at["data_time_s"], 0.23e-3, 0.005e-3);
  EXPECT_EQ(at["verdict"], "compute-bound");
}

TEST(ExplainGoldenTest, IdealGemm256IsMemoryBoundOnL40SAndComputeBoundOnH100) {
  const auto json = json_of({"gemm", "n=256", "--on", "l40s", "--on", "h100-sxm"});
  EXPECT_NEAR(json["work"]["intensity"], 43, 0.5);
  EXPECT_EQ(json["machines"][0]["verdict"], "memory-bound");
  EXPECT_EQ(json["machines"][1]["verdict"], "compute-bound");
}

TEST(ExplainGoldenTest, NaiveAndTiledGemmIntensityDoesNotDependOnTheSize) {
  for (const double n : {256.0, 1024.0, 4096.0}) {
    const std::string size = "n=" + std::to_string(static_cast<int>(n));
    const auto naive = json_of({"gemm", size, "variant=naive", "--on", "l40s"});
    EXPECT_EQ(naive["work"]["flops"], 2 * n * n * n);
    EXPECT_EQ(naive["work"]["bytes"], 8 * n * n * n);
    EXPECT_DOUBLE_EQ(naive["work"]["intensity"], 0.25);
    const auto tiled = json_of({"gemm", size, "variant=tiled", "T=32", "--on", "l40s"});
    EXPECT_DOUBLE_EQ(tiled["work"]["intensity"], 8.0);
  }
}

TEST(ExplainGoldenTest, PlacementOfNaiveAndTiledSideBySide) {
  const auto json = json_of(
      with({"gemm", "n=1024", "variant=naive", "--measured", "4500GFLOP/s", "--measured", "5763GFLOP/s"}, kQuoted));
  EXPECT_NEAR(json["machines"][0]["measured"][0]["of_peak"], 0.054, 0.0005);
  EXPECT_NEAR(json["machines"][0]["measured"][1]["of_peak"], 0.070, 0.0005);
  EXPECT_NEAR(json["speedups"][0]["factor"], 1.28, 0.005);
}

TEST(ExplainGoldenTest, SinMoves8BytesAnElementAndIsMemoryBoundOnEveryGpuByEitherCount) {
  for (const char* count : {"count=operations", "count=instructions"}) {
    const auto json = json_of({"elementwise", "f=sin", "n=1e8", count, "--on", "all"});
    EXPECT_EQ(json["work"]["bytes"], 8e8);
    EXPECT_GE(json["machines"].size(), 25u);
    for (const auto& at : json["machines"]) EXPECT_EQ(at["verdict"], "memory-bound") << at["id"] << count;
  }
}

TEST(ExplainGoldenTest, VectorAddAt900GBAnd30TFlops) {
  const auto json = json_of(with({"vector_add", "n=1e8"}, kRound));
  EXPECT_NEAR(json["machines"][0]["attainable_flops_per_s"], 75e9, 1e3);
  EXPECT_EQ(json["machines"][0]["verdict"], "memory-bound");
}

TEST(ExplainGoldenTest, GemmWithoutCHasAQuarterOfNAsIntensity) {
  const auto json = json_of(with({"gemm", "n=1024", "count_c=no"}, kRound));
  EXPECT_DOUBLE_EQ(json["work"]["intensity"], 256);
  EXPECT_EQ(json["machines"][0]["verdict"], "compute-bound");
}

TEST(ExplainGoldenTest, OneFlopPerByteAttains900GFlops) {
  const auto json = json_of(with({"elementwise", "n=1e8", "flops=8"}, kRound));
  EXPECT_DOUBLE_EQ(json["work"]["intensity"], 1);
  EXPECT_NEAR(json["machines"][0]["attainable_flops_per_s"], 900e9, 1e3);
  EXPECT_EQ(json["machines"][0]["verdict"], "memory-bound");
}

TEST(ExplainGoldenTest, StopwatchAboveTheMemoryRoofDisprovesTheAssumptionOfNoReuse) {
  const auto json = json_of(with({"gemm", "n=1024", "variant=naive", "--measured", "4500GFLOP/s"}, kQuoted));
  EXPECT_NEAR(json["machines"][0]["attainable_flops_per_s"], 252e9, 1e6);
  const auto& measured = json["machines"][0]["measured"][0];
  EXPECT_NEAR(measured["least_intensity"], 4.46, 0.005);
  EXPECT_NEAR(measured["of_peak"], 0.054, 0.0005);
  EXPECT_EQ(measured["findings"][0]["id"], "explain.above.memory");
  EXPECT_EQ(measured["findings"][1]["id"], "explain.cause.reuse");
}

TEST(ExplainGoldenTest, ATimeAndTheSpeedItMeansArePlacedAlike) {
  const auto time = json_of(with({"gemm", "n=1024", "variant=naive", "--measured", "0.477ms"}, kQuoted));
  EXPECT_NEAR(time["machines"][0]["measured"][0]["flops_per_s"], 4.502e12, 0.001e12);
  const auto rate = json_of(with({"vector_add", "n=1e8", "--measured", "450GB/s"}, kRound));
  EXPECT_NEAR(rate["machines"][0]["measured"][0]["of_attainable"], 0.5, 1e-9);
}

TEST(ExplainGoldenTest, FreeFormulasOfTheSameProblemGiveTheSameAnswer) {
  const auto free = json_of({"--flops", "2*n^3", "--bytes", "3*n^2*4", "n=4096", "--on", "l40s"});
  const auto known = json_of({"gemm", "n=4096", "--on", "l40s"});
  EXPECT_EQ(free["work"]["intensity"], known["work"]["intensity"]);
  EXPECT_EQ(free["machines"][0]["attainable_flops_per_s"], known["machines"][0]["attainable_flops_per_s"]);
}

TEST(ExplainCommandTest, WithoutAMachineAllAreShown) {
  const auto json = json_of({"--flops", "2*n^3", "--bytes", "3*n^2*4", "n=4096"});
  EXPECT_GE(json["machines"].size(), 25u);
}

TEST(ExplainCommandTest, ACeilingNamedAloneGivesTheTypeOfTheElements) {
  const auto bytes = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"gemm", "n=4096", "--on", "h200-sxm", "--unit", "bf16_tensor_wgmma_sparse"};
    words.insert(words.end(), more.begin(), more.end());
    return json_of(words);
  };
  const auto alone = bytes({});
  EXPECT_EQ(alone["work"]["precision"], "bf16");
  EXPECT_EQ(alone.dump().find("converted on the way"), std::string::npos);
  const auto mixed = bytes({"--precision", "fp32"});
  EXPECT_EQ(mixed["work"]["precision"], "fp32");
  EXPECT_NE(mixed.dump().find("converted on the way"), std::string::npos) << mixed.dump();
}

TEST(ExplainCommandTest, TermsAreExplainedInBothLanguages) {
  const Outcome english = run({"arithmetic", "intensity"});
  EXPECT_EQ(english.status, 0);
  EXPECT_NE(english.out.find("FLOP per byte moved"), std::string::npos) << english.out;
  const Outcome chinese = run({"arithmetic-intensity", "--lang", "zh"});
  EXPECT_NE(chinese.out.find("算术强度"), std::string::npos);
}

struct Wrong {
  std::vector<std::string> words;
  std::string_view expected;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
  for (const std::string& word : wrong.words) out << word << ' ';
  return out;
}
class ExplainUsageTest : public testing::TestWithParam<Wrong> {};

TEST_P(ExplainUsageTest, IsOneLineOnStderrWithStatus2) {
  const Outcome outcome = run(GetParam().words);
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(GetParam().expected), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, ExplainUsageTest,
    testing::Values(Wrong{{}, "nothing to explain"}, Wrong{{"n=4"}, "nothing to explain"},
                    Wrong{{"gem", "n=4"}, "did you mean gemm?"}, Wrong{{"ocupancy"}, "did you mean occupancy?"},
                    Wrong{{"qwertyuiop"}, "workloads are vector_add"}, Wrong{{"gemm"}, "gemm needs n"},
                    Wrong{{"gemm", "n=0"}, "outside 1"}, Wrong{{"gemm", "n=-4"}, "outside 1"},
                    Wrong{{"gemm", "n=x"}, "not a number"}, Wrong{{"gemm", "n=4", "bacth=2"}, "did you mean batch?"},
                    Wrong{{"gemm", "n=4", "--on", "l40x"}, "l40"},
                    Wrong{{"gemm", "n=4", "--precision", "fp33"}, "did you mean fp32?"},
                    Wrong{{"gemm", "n=4", "--unit", "warp"}, "unknown unit"},
                    Wrong{{"gemm", "n=4", "--on", "v100-sxm2", "--precision", "fp8"}, "has no ceiling"},
                    Wrong{{"gemm", "n=4", "--peak", "fp32=1TFLOP/s"}, "--bandwidth"},
                    Wrong{{"gemm", "n=4", "--bandwidth", "dram=1GB/s"}, "--peak"},
                    Wrong{{"gemm", "n=4", "--on", "all", "--peak", "fp32=1TFLOP/s"}, "--on"},
                    Wrong{{"gemm", "n=4", "--measured", "5"}, "neither a time nor a rate"},
                    Wrong{{"gemm", "n=4", "--measured", "0ms"}, "not above 0"},
                    Wrong{{"gemm", "n=4", "--measured", "5furlongs"}, "--measured"},
                    Wrong{{"transpose", "n=4", "--measured", "5GFLOP/s"}, "no arithmetic"},
                    Wrong{{"gemm", "n=4", "--flops", "n"}, "cannot both"}, Wrong{{"--flops", "2*n", "n=4"}, "--bytes"},
                    Wrong{{"--flops", "2n", "--bytes", "n", "n=4"}, "'*'"},
                    Wrong{{"roofline", "n=4"}, "has no parameters"}, Wrong{{"roofline", "--on", "l40s"}, "is a term"}));

}  // namespace
}  // namespace ridge::cli
