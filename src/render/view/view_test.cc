#include "render/view/view.h"

#include <gtest/gtest.h>

#include "support/report_fixture.h"

namespace ridge::render {
namespace {

ReportKernel named(const char* name, const char* full_name, std::uint32_t grid) {
  ReportKernel kernel;
  kernel.name = name;
  kernel.full_name = full_name;
  kernel.configuration.grid = Dim3{grid, 1, 1};
  return kernel;
}

TEST(KernelNamesTest, NamesThatAreAloneStayShort) {
  Report report;
  report.kernels = {named("dot", "dot(int)", 1), named("saxpy", "void saxpy<float>(int)", 1)};
  EXPECT_EQ(kernel_names(report), (std::vector<std::string>{"dot", "saxpy"}));
}

TEST(KernelNamesTest, TemplateArgumentsTellApartWhatTheyCanAndTheGridTheRest) {
  Report report;
  report.kernels = {named("t", "void t<a<0>, 1>(int)", 8),
                    named("t", "void t<1>(int)", 8),
                    named("g", "g(int)", 4),
                    named("g", "g(int)", 16),
                    named("broken", "broken<(", 1),
                    named("broken", "broken<(", 2)};
  EXPECT_EQ(kernel_names(report),
            (std::vector<std::string>{"t<a<0>, 1>", "t<1>", "g [4]", "g [16]", "broken [1]", "broken [2]"}));
}

TEST(KernelNamesTest, TheSameKernelOfSeveralFilesHasTheFilesNumber) {
  const std::vector<std::string> names = kernel_names(test::two_file_report());
  EXPECT_EQ(names[0], "gemm_naive #1");
  EXPECT_EQ(names[7], "gemm_naive #2");
}

TEST(MarkTest, LettersThenNothing) {
  EXPECT_EQ(mark_of(0), "A");
  EXPECT_EQ(mark_of(25), "Z");
  EXPECT_EQ(mark_of(26), "a");
  EXPECT_EQ(mark_of(52), "");
}

TEST(RoofLabelTest, NamesPathsSparsityAndAccumulators) {
  EXPECT_EQ(roof_label("fp32_core", Language::kEnglish), "fp32");
  EXPECT_EQ(roof_label("bf16_tensor_wgmma_dense", Language::kEnglish), "bf16 tensor (wgmma)");
  EXPECT_EQ(roof_label("fp16_tensor_mma_sparse_acc32", Language::kEnglish), "fp16 tensor (mma, sparse, fp32 acc)");
  EXPECT_EQ(roof_label("dram", Language::kEnglish), "DRAM");
}

TEST(BoundCellTest, NamesTheLevelOrThePipe) {
  ReportKernel kernel;
  kernel.verdict = Verdict::kMemoryBound;
  kernel.level = "shared";
  EXPECT_EQ(bound_cell(kernel, Language::kEnglish), "memory shared");
  kernel = {};
  kernel.verdict = Verdict::kComputeBound;
  kernel.pipe = "tensor_bf16_wgmma";
  EXPECT_EQ(bound_cell(kernel, Language::kEnglish), "compute bf16 wgmma");
  kernel.verdict = Verdict::kLatencyBound;
  kernel.pipe = "fp32";
  EXPECT_EQ(bound_cell(kernel, Language::kEnglish), "latency (fp32)");
  kernel.verdict = Verdict::kUnknown;
  EXPECT_EQ(bound_cell(kernel, Language::kEnglish), "unknown");
}

TEST(TopFindingsTest, TheLargestSavingOfAllKernelsIsFirst) {
  const Report report = test::lab_report();
  const auto top = top_findings(report, 5);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].finding, 0u);
  EXPECT_EQ(top_findings(report, 1).size(), 1u);
}

TEST(TopFindingsTest, TheOrderIsTheSummarys) {
  Report report = test::lab_report();
  report.summary.findings = {{"k0", 1}, {"no such kernel", 0}, {"k0", 7}, {"k0", 0}};
  const auto top = top_findings(report, 5);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].finding, 1u);
  EXPECT_EQ(top[1].finding, 0u);
}

TEST(SummaryLineTest, NamesTheKernelAsTheTableDoes) {
  Report report = test::lab_report();
  report.kernels[1].name = "gemm_naive";
  report.kernels[1].configuration.grid = Dim3{256, 256, 1};
  EXPECT_EQ(summary_line(report, Language::kEnglish),
            "41.42 ms in 7 kernels; 96.4 % of it is memory-bound. Start with gemm_naive [128x128]: up to 7.4 ms.");
  EXPECT_TRUE(
      summary_line(report, Language::kChinese).ends_with("先从 gemm_naive [128x128] 入手：最多可节省 7.4 ms。"));
}

TEST(KernelFactsTest, TheInstructionRooflineIsALine) {
  ReportKernel kernel = test::lab_report().kernels[0];
  const auto has_line = [](const ReportKernel& of) {
    for (const Fact& fact : kernel_facts(of, Language::kEnglish)) {
      if (fact.name == "warp instructions") return fact.text;
    }
    return std::string();
  };
  kernel.instruction_roofline = {};
  EXPECT_EQ(has_line(kernel), "");
  kernel.instruction_roofline.instructions_per_s = {400e9, Provenance::kMeasured};
  kernel.instruction_roofline.intensity_l1 = {0.5, Provenance::kMeasured};
  kernel.attainable_instructions_per_s = {500e9, Provenance::kDatasheet};
  EXPECT_EQ(has_line(kernel), "400 G/s (attainable 500 G/s), 0.5 per L1 transaction");
}

TEST(ComparisonTextsTest, NamesBothKernels) {
  const std::vector<ComparisonText> texts = comparison_texts(test::lab_report(), Language::kEnglish);
  EXPECT_TRUE(texts.at(0).text.starts_with("gemm_tiled does the same arithmetic as gemm_naive"));
  EXPECT_NE(texts.at(0).slower.find("gemm_naive"), std::string::npos);
  EXPECT_NE(texts.at(0).faster.find("gemm_tiled"), std::string::npos);
}

TEST(EvidenceLineTest, SaysWhereEachKindOfNumberComesFrom) {
  EXPECT_EQ(evidence_line(test::lab_report(), Language::kEnglish),
            "time, bytes, occupancy measured; FLOP measured/counted");
  EXPECT_EQ(evidence_line(test::unknown_report(), Language::kEnglish), "");
}

TEST(MissingOfTest, GroupsFieldsByTheirReason) {
  const auto groups = missing_of(test::lab_report().kernels[5], Language::kEnglish);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].fields, "shared-memory bytes");
  EXPECT_EQ(groups[0].reason, "the report has no shared-memory wavefronts");
}

TEST(MissingOfTest, NoRoofForAKernelWithoutArithmeticIsNoNews) {
  Report report = test::lab_report();
  report.kernels[2].roof.attainable = Value<FlopsPerSecond>::missing("no floating-point work");
  EXPECT_TRUE(missing_of(report.kernels[2], Language::kEnglish).empty());
}

TEST(IssueTextsTest, WorstFirstAndEqualOnesOnce) {
  Report report = test::lab_report();
  report.issues.push_back(report.issues.front());
  const auto texts = issue_texts(report, Language::kEnglish);
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts.front().severity, Severity::kDataLoss);
  EXPECT_EQ(texts.back().severity, Severity::kInfo);
  EXPECT_EQ(texts.back().times, 2u);
}

TEST(SideBySideTest, ARowForEachFileOfTheKernelsThatSeveralHave) {
  Report report = test::two_file_report();
  EXPECT_EQ(side_by_side(report, Language::kEnglish).rows.size(), 14u);
  report.kernels[0].configuration.grid->x += 1;
  const Table table = side_by_side(report, Language::kEnglish);
  ASSERT_EQ(table.rows.size(), 12u);
  EXPECT_EQ(table.rows[0][3], "–");
  EXPECT_EQ(table.rows[1][3], "0.80x");
  EXPECT_TRUE(side_by_side(test::lab_report(), Language::kEnglish).rows.empty());
  const auto notes = side_by_side_notes(report, Language::kEnglish);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_NE(notes[1].find("gemm_naive"), std::string::npos) << notes[1];
}

TEST(SideBySideTest, TemplateArgumentsWithAndWithoutCastsAreTheSame) {
  Report report;
  report.sources = {{"ncu-rep", "before/lab.ncu-rep", "", ""}, {"ncu-csv-raw", "after/lab.ncu-rep", "", ""}};
  report.kernels = {named("t", "void t<(int)32, (bool)1>(int)", 8), named("t", "void t<32, 1>(int)", 8),
                    named("t", "void t<(int)16, (bool)1>(int)", 8), named("t", "void t<16, 1>(int)", 8)};
  report.kernels[1].source = report.kernels[3].source = 1;
  const Table table = side_by_side(report, Language::kEnglish);
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0][0], "t<32, 1>");
  EXPECT_EQ(table.rows[2][0], "t<16, 1>");
  EXPECT_EQ(table.rows[0][1], "#1 before/lab.ncu-rep");
  EXPECT_EQ(table.rows[1][1], "#2 after/lab.ncu-rep");
}

TEST(WithoutCastsTest, OnlyCastsOfNumbersGo) {
  EXPECT_EQ(without_casts("f<(int)32, (bool)1, (unsigned int)2>"), "f<32, 1, 2>");
  EXPECT_EQ(without_casts("g<(int)-1>(int)"), "g<-1>(int)");
  EXPECT_EQ(without_casts("std::function<void (int)>"), "std::function<void (int)>");
}

}  // namespace
}  // namespace ridge::render
