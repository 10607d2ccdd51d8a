#include "model/workload/workload.h"

#include <gtest/gtest.h>

#include <set>

#include "model/expression/expression.h"
#include "model/workload/functions.h"

namespace ridge {
namespace {

Result<PaperWork> bound(std::string_view id, const GivenParameters& given, DataType type = DataType::kFp32) {
  const WorkloadInfo* info = find_workload(id);
  if (info == nullptr) return fail(internal_error("no such workload", std::string(id), ""));
  return bind_workload(*info, given, type);
}

std::string error_of(std::string_view id, const GivenParameters& given) {
  const auto work = bound(id, given);
  return work ? "no error" : to_string(work.error());
}

struct Expected {
  std::string_view id;
  GivenParameters given;
  double flops, read, write;
};
std::ostream& operator<<(std::ostream& out, const Expected& expected) {
  return out << expected.id;
}

class WorkloadTest : public testing::TestWithParam<Expected> {};

TEST_P(WorkloadTest, CountsFlopAndBytesOfTheFormula) {
  const Expected& expected = GetParam();
  const auto work = bound(expected.id, expected.given);
  ASSERT_TRUE(work) << to_string(work.error());
  EXPECT_DOUBLE_EQ(work->flops.value, expected.flops);
  EXPECT_DOUBLE_EQ(work->read.value, expected.read);
  EXPECT_DOUBLE_EQ(work->write.value, expected.write);
}

// The expected numbers are worked out by hand from the sizes, in fp32 (4 bytes an element).
INSTANTIATE_TEST_SUITE_P(
    ByHand, WorkloadTest,
    testing::Values(
        Expected{"vector_add", {{"n", "1e8"}}, 1e8, 8e8, 4e8}, Expected{"saxpy", {{"n", "1e8"}}, 2e8, 8e8, 4e8},
        Expected{"dot", {{"n", "1000"}}, 2000, 8000, 4}, Expected{"reduction", {{"n", "1000"}}, 999, 4000, 4},
        Expected{"elementwise", {{"n", "10"}, {"flops", "8"}}, 80, 40, 40},
        Expected{"elementwise", {{"n", "10"}, {"f", "sin"}}, 10, 40, 40},
        Expected{"elementwise", {{"n", "10"}, {"f", "gelu"}, {"inputs", "2"}}, 50, 80, 40},
        Expected{"gemm", {{"n", "4096"}}, 137438953472.0, 134217728.0, 67108864.0},
        Expected{"gemm", {{"n", "4"}, {"m", "2"}, {"k", "3"}}, 48, (6 + 12) * 4, 32},
        Expected{"gemm", {{"n", "64"}, {"variant", "naive"}}, 524288, 2 * 262144 * 4, 0},
        Expected{"gemm", {{"n", "64"}, {"variant", "tiled"}}, 524288, 2 * 262144 * 4 / 32.0, 0},
        Expected{"gemm", {{"n", "64"}, {"variant", "tiled"}, {"T", "64"}, {"count_c", "yes"}}, 524288, 32768, 16384},
        Expected{"gemm", {{"n", "10"}, {"batch", "3"}}, 6000, 2400, 1200},
        Expected{"gemm", {{"n", "10"}, {"beta", "yes"}}, 2200, 1200, 400},
        Expected{"gemv", {{"n", "10"}, {"m", "5"}}, 100, 240, 20}, Expected{"transpose", {{"n", "8"}}, 0, 256, 256},
        Expected{"transpose", {{"n", "8"}, {"variant", "strided"}}, 0, 256, 64 * 32},
        Expected{"conv2d", {{"c", "3"}, {"h", "5"}, {"k", "2"}}, 2.0 * 2 * 9 * 27, (75 + 54) * 4, 18 * 4},
        Expected{"conv2d",
                 {{"c", "4"}, {"h", "4"}, {"k", "4"}, {"pad", "1"}, {"groups", "4"}},
                 2.0 * 4 * 16 * 9,
                 (64 + 36) * 4,
                 64 * 4},
        Expected{"conv2d",
                 {{"c", "1"}, {"h", "4"}, {"k", "1"}, {"r", "2"}, {"stride", "2"}, {"variant", "im2col"}},
                 32,
                 (16 + 4 + 16) * 4,
                 (4 + 16) * 4},
        Expected{"attention", {{"heads", "2"}, {"seq", "8"}, {"d", "4"}}, 4.0 * 2 * 64 * 4, 3 * 64 * 4, 64 * 4},
        Expected{"attention",
                 {{"heads", "2"}, {"seq", "8"}, {"d", "4"}, {"causal", "yes"}, {"kv_heads", "1"}},
                 2.0 * 2 * 64 * 4,
                 (64 + 64) * 4,
                 64 * 4},
        Expected{"attention",
                 {{"heads", "2"}, {"seq", "8"}, {"d", "4"}, {"variant", "unfused"}},
                 4.0 * 2 * 64 * 4,
                 3 * 256 + 2 * 512,
                 256 + 2 * 512},
        Expected{"softmax", {{"rows", "2"}, {"cols", "8"}}, 80, 64, 64},
        Expected{"softmax", {{"rows", "2"}, {"cols", "8"}, {"variant", "three_pass"}}, 80, 192, 64},
        Expected{"layernorm", {{"rows", "2"}, {"cols", "8"}}, 128, 128, 64},
        Expected{"stencil", {{"n", "10"}}, 13000, 4000, 4000},
        Expected{"stencil", {{"n", "10"}, {"dims", "2"}, {"variant", "no_reuse"}}, 900, 2000, 400},
        Expected{"spmv", {{"rows", "4"}, {"nnz", "8"}}, 16, 8 * 8 + 20 + 16, 16},
        Expected{"spmv", {{"rows", "4"}, {"nnz", "8"}, {"variant", "no_reuse"}}, 16, 8 * 8 + 20 + 32, 16},
        Expected{"fft", {{"n", "1024"}}, 51200, 8192, 8192}));

TEST(WorkloadTest, EveryFormulaOfEveryWorkloadParsesAndNamesOnlyWhatExists) {
  for (const WorkloadInfo& info : workloads()) {
    std::set<std::string, std::less<>> known{"e"};
    for (const WorkloadParameter& parameter : info.parameters) known.emplace(parameter.name);
    for (const WorkloadDefinition& definition : info.definitions) known.emplace(definition.name);
    std::vector<std::string_view> formulas{info.flops, info.working_set};
    if (!info.instructions.empty()) formulas.push_back(info.instructions);
    for (const WorkloadDefinition& definition : info.definitions) formulas.push_back(definition.formula);
    for (const WorkloadRequirement& requirement : info.requirements) formulas.push_back(requirement.not_negative);
    ASSERT_FALSE(info.variants.empty()) << info.id;
    for (const WorkloadVariant& variant : info.variants) {
      formulas.push_back(variant.read);
      formulas.push_back(variant.write);
    }
    for (const std::string_view formula : formulas) {
      const auto expression = Expression::parse(formula);
      ASSERT_TRUE(expression) << info.id << ": " << to_string(expression.error());
      for (const std::string& name : expression->names()) EXPECT_EQ(known.count(name), 1u) << info.id << " " << name;
    }
  }
}

TEST(WorkloadTest, IdsAndAliasesAreUniqueAndFoundInAnySpelling) {
  std::set<std::string_view> seen;
  for (const WorkloadInfo& info : workloads()) {
    EXPECT_TRUE(seen.insert(info.id).second) << info.id;
    for (const std::string_view alias : info.aliases) EXPECT_TRUE(seen.insert(alias).second) << alias;
  }
  EXPECT_EQ(find_workload("Vector-Add"), find_workload("vector_add"));
  EXPECT_EQ(find_workload("matmul"), find_workload("gemm"));
  EXPECT_EQ(find_workload("vector"), nullptr);
}

TEST(WorkloadTest, FirstVariantNeverMovesMoreThanAnother) {
  const std::vector<std::pair<std::string_view, GivenParameters>> sizes{
      {"gemm", {{"n", "1000"}}},
      {"transpose", {{"n", "100"}}},
      {"conv2d", {{"c", "3"}, {"h", "32"}, {"k", "8"}}},
      {"attention", {{"heads", "4"}, {"seq", "512"}, {"d", "64"}}},
      {"softmax", {{"rows", "10"}, {"cols", "100"}}},
      {"layernorm", {{"rows", "10"}, {"cols", "100"}}},
      {"stencil", {{"n", "50"}}},
      {"spmv", {{"rows", "100"}, {"nnz", "1000"}}}};
  for (const auto& [id, given] : sizes) {
    for (const WorkloadVariant& variant : find_workload(id)->variants) {
      GivenParameters with = given;
      with.emplace_back("variant", std::string(variant.name));
      const auto work = bound(id, with);
      ASSERT_TRUE(work) << to_string(work.error());
      EXPECT_LE(work->best_bytes(), work->bytes()) << id << " " << variant.name;
      ASSERT_EQ(work->working_set.size(), 1u);
      EXPECT_LE(work->working_set[0].value, work->bytes() * 1.0000001) << id << " " << variant.name;
    }
  }
}

TEST(WorkloadTest, OperandsCarryWhatStoodForEachName) {
  const auto work = bound("vector_add", {{"n", "2^10"}}, DataType::kFp64);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->read.formula, "2*n*e");
  ASSERT_EQ(work->read.operands.size(), 2u);
  EXPECT_EQ(std::get<double>(work->read.operands[0].value), 1024);
  EXPECT_EQ(std::get<double>(work->read.operands[1].value), 8);
  EXPECT_EQ(work->read.operands[1].unit, Unit::kBytes);
}

TEST(WorkloadTest, ShowsOnlyTheTermsThatCount) {
  const auto plain = bound("gemm", {{"n", "4"}});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->flops.formula, "2*m*n*k");
  EXPECT_EQ(plain->read.formula, "(m*k + k*n)*e");
  EXPECT_EQ(plain->write.formula, "m*n*out_bytes");
  const auto scaled = bound("gemm", {{"n", "4"}, {"batch", "2"}, {"beta", "yes"}});
  ASSERT_TRUE(scaled);
  EXPECT_EQ(scaled->flops.formula, "2*m*n*k*batch + 2*m*n*batch");
  const auto naive = bound("gemm", {{"n", "4"}, {"variant", "naive"}});
  ASSERT_TRUE(naive);
  EXPECT_EQ(naive->write.formula, "0");
  EXPECT_EQ(naive->write.value, 0);
  const auto grouped = bound("conv2d", {{"c", "4"}, {"h", "4"}, {"k", "4"}});
  ASSERT_TRUE(grouped);
  EXPECT_EQ(grouped->flops.formula, "2*n*k*p*q*c*r*s");
}

TEST(WorkloadTest, TheShownFormulaWithItsOperandsGivesTheValue) {
  const GivenParameters sizes{{"n", "6"}, {"batch", "3"}, {"beta", "yes"}, {"variant", "tiled"}, {"count_c", "yes"}};
  const auto work = bound("gemm", sizes);
  ASSERT_TRUE(work);
  for (const Computation* made : {&work->flops, &work->read, &work->write, &work->best_read}) {
    Variables variables;
    for (const Argument& operand : made->operands) variables[operand.name] = std::get<double>(operand.value);
    const auto expression = Expression::parse(made->formula);
    ASSERT_TRUE(expression) << made->formula;
    const auto value = expression->evaluate(variables);
    ASSERT_TRUE(value) << to_string(value.error());
    EXPECT_EQ(*value, made->value) << made->formula;
  }
}

TEST(WorkloadTest, SinCountsOneByOperationsAndWhatCountersSeeByInstructions) {
  const auto written = bound("elementwise", {{"n", "100"}, {"f", "sin"}});
  const auto executed = bound("elementwise", {{"n", "100"}, {"f", "sin"}, {"count", "instructions"}});
  ASSERT_TRUE(written && executed);
  EXPECT_EQ(written->flops.value, 100);
  EXPECT_NEAR(executed->flops.value, 100 * (2 + 2 * 7.8), 1e-9);
  ASSERT_EQ(executed->instructions.size(), 1u);
  EXPECT_NEAR(executed->instructions[0].value, 980, 1e-9);
  EXPECT_EQ(written->bytes(), 800) << "8 bytes an element: read and write; 12 would be one array too many";
}

TEST(WorkloadErrorTest, NamesTheMissingParameter) {
  EXPECT_EQ(error_of("gemm", {}), "gemm needs n (gemm): add n=NUMBER");
  EXPECT_EQ(error_of("attention", {{"d", "64"}}),
            "attention needs heads, seq (attention): add heads=NUMBER seq=NUMBER");
  EXPECT_NE(error_of("elementwise", {{"n", "4"}}).find("f=sin or flops=8"), std::string::npos);
}

TEST(WorkloadErrorTest, SuggestsTheNearMiss) {
  EXPECT_EQ(error_of("gemm", {{"n", "4"}, {"bacth", "2"}}),
            "gemm has no parameter 'bacth' (bacth=2): did you mean batch?");
  EXPECT_NE(error_of("vector_add", {{"size", "4"}}).find("its parameters are n"), std::string::npos);
  EXPECT_NE(error_of("elementwise", {{"n", "4"}, {"f", "sinn"}}).find("did you mean sin?"), std::string::npos);
}

class WorkloadValueErrorTest : public testing::TestWithParam<std::string> {};
TEST_P(WorkloadValueErrorTest, IsAUsageErrorThatNamesTheParameter) {
  const auto work = bound("vector_add", {{"n", GetParam()}});
  ASSERT_FALSE(work) << GetParam();
  EXPECT_EQ(work.error().code, ErrorCode::kUsage);
  EXPECT_NE(to_string(work.error()).find("parameter n"), std::string::npos) << to_string(work.error());
}
INSTANTIATE_TEST_SUITE_P(Bad, WorkloadValueErrorTest,
                         testing::Values("0", "-1", "1.5", "abc", "", "1e16", "1e999", "nan", "inf", "1/0", "4KB",
                                         "2n"));

TEST(WorkloadErrorTest, RefusesWhatContradictsOrHasNoEffect) {
  EXPECT_NE(error_of("gemm", {{"n", "4"}, {"n", "5"}}).find("given twice"), std::string::npos);
  EXPECT_NE(error_of("gemm", {{"n", "4"}, {"T", "16"}}).find("no effect with variant=ideal"), std::string::npos);
  EXPECT_NE(error_of("gemm", {{"n", "4"}, {"variant", "fast"}}).find("ideal, tiled, naive"), std::string::npos);
  EXPECT_NE(error_of("gemm", {{"n", "4"}, {"count_c", "maybe"}}).find("no, yes"), std::string::npos);
  EXPECT_NE(error_of("conv2d", {{"c", "3"}, {"h", "2"}, {"k", "1"}}).find("p = floor"), std::string::npos);
  EXPECT_NE(error_of("conv2d", {{"c", "3"}, {"h", "9"}, {"k", "1"}, {"groups", "2"}}).find("divide"),
            std::string::npos);
  EXPECT_NE(error_of("attention", {{"heads", "4"}, {"kv_heads", "3"}, {"seq", "8"}, {"d", "8"}}).find("divide"),
            std::string::npos);
  EXPECT_NE(error_of("spmv", {{"rows", "2"}, {"nnz", "5"}}).find("rows x cols"), std::string::npos);
  EXPECT_NE(error_of("elementwise", {{"n", "4"}, {"f", "sin"}, {"flops", "2"}}).find("either"), std::string::npos);
  EXPECT_NE(error_of("elementwise", {{"n", "4"}, {"flops", "2"}, {"count", "operations"}}).find("no effect"),
            std::string::npos);
}

TEST(FreeFormulaTest, ComputesWorkFromTheCommandLine) {
  const auto work = bind_formulas({"2*n^3", "3*n^2*4", "", ""}, {{"n", "4096"}}, DataType::kFp32);
  ASSERT_TRUE(work) << to_string(work.error());
  EXPECT_EQ(work->flops.value, 137438953472.0);
  EXPECT_EQ(work->bytes(), 201326592.0);
  EXPECT_FALSE(work->split);
}

TEST(FreeFormulaTest, ReadAndWriteApartUseTheElementSize) {
  const auto work = bind_formulas({"n", "", "2*n*e", "n*e"}, {{"n", "10"}}, DataType::kFp64);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->read.value, 160);
  EXPECT_EQ(work->write.value, 80);
  EXPECT_TRUE(work->split);
}

TEST(FreeFormulaTest, ExplainsWhatIsWrong) {
  const auto message = [](const FreeFormulas& formulas, const GivenParameters& given) {
    const auto work = bind_formulas(formulas, given, DataType::kFp32);
    return work ? "no error" : to_string(work.error());
  };
  EXPECT_NE(message({"2*n", "", "", ""}, {{"n", "1"}}).find("--bytes"), std::string::npos);
  EXPECT_NE(message({"", "4*n", "", ""}, {{"n", "1"}}).find("--flops"), std::string::npos);
  EXPECT_NE(message({"n", "n", "n", ""}, {{"n", "1"}}).find("twice"), std::string::npos);
  EXPECT_NE(message({"2*n", "4*n", "", ""}, {}).find("add n=NUMBER"), std::string::npos);
  EXPECT_NE(message({"2*n", "4*n", "", ""}, {{"n", "1"}, {"m", "1"}}).find("no formula uses 'm'"), std::string::npos);
  EXPECT_NE(message({"2*n", "4*n", "", ""}, {{"n", "0"}}).find("not above 0"), std::string::npos);
  EXPECT_NE(message({"2*n", "4*n", "", ""}, {{"n", "x"}}).find("not a number"), std::string::npos);
  EXPECT_NE(message({"2*n", "n-n", "", ""}, {{"n", "1"}}).find("move no bytes"), std::string::npos);
  EXPECT_NE(message({"0-n", "n", "", ""}, {{"n", "1"}}).find("negative amount"), std::string::npos);
  EXPECT_NE(message({"2*", "n", "", ""}, {{"n", "1"}}).find("--flops, formula"), std::string::npos);
  EXPECT_NE(message({"n*e", "n", "", ""}, {{"n", "1"}, {"e", "2"}}).find("--precision"), std::string::npos);
}

TEST(ElementaryFunctionTest, NamesAreUniqueAndCostsAreNotNegative) {
  std::set<std::string_view> seen;
  for (const ElementaryFunction& function : elementary_functions()) {
    EXPECT_TRUE(seen.insert(function.name).second);
    EXPECT_FALSE(function.written.empty());
    for (const InstructionCount& cost : {function.fp32, function.fp64}) EXPECT_GE(cost.flops(), cost.arithmetic());
  }
  EXPECT_EQ(find_function("sinh"), nullptr);
}

}  // namespace
}  // namespace ridge
