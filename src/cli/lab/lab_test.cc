#include <gtest/gtest.h>

#include <sstream>

#include "cli/lab/measure.h"
#include "cli/lab/plan.h"
#include "cli/lab/view.h"
#include "cli/program.h"
#include "cli/registry.h"
#include "collectors/cuda/cuda_device.h"
#include "support/fake_device.h"

namespace ridge::cli {
namespace {

using test::FakeDevice;

TEST(LabPlanTest, ALadderIsOneTableASize) {
  const auto plan = plan_lab({"gemm"});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 2U);
  EXPECT_EQ((*plan)[0].sizes, "n=1024");
  EXPECT_EQ((*plan)[1].sizes, "n=4096");
  EXPECT_EQ((*plan)[0].steps.size(), 5U);
  EXPECT_EQ((*plan)[0].steps[1].label, "gemm_tiled");
}

TEST(LabPlanTest, GivenSizesReplaceThoseOfTheLadder) {
  const auto plan = plan_lab({"gemm", "n=512,2048,512"});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 2U);
  EXPECT_EQ((*plan)[0].sizes, "n=512");
  EXPECT_EQ((*plan)[1].sizes, "n=2048");
}

TEST(LabPlanTest, ASizeThatTeachesIsARowOfOneTable) {
  const auto plan = plan_lab({"divergence", "n=4096"});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1U);
  EXPECT_EQ((*plan)[0].steps.size(), 6U);
  EXPECT_EQ((*plan)[0].steps[2].label, "divergence n=4096 paths=4");
}

TEST(LabPlanTest, SizesGoToTheKernelsThatHaveThem) {
  const auto plan = plan_lab({"access", "stride=8"});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1U);
  EXPECT_EQ((*plan)[0].steps.size(), 2U);
}

TEST(LabPlanTest, RefusesWhatTheLabDoesNotHave) {
  const auto refused = [](const std::vector<std::string>& words) {
    const auto plan = plan_lab(words);
    return plan ? "accepted" : to_string(plan.error());
  };
  EXPECT_EQ(refused({"gem"}), "the lab has no 'gem' (ridge lab): did you mean gemm?");
  EXPECT_EQ(refused({"gemm", "width=4"}),
            "none of these kernels has a size 'width' (width): 'ridge lab list' shows the sizes");
  EXPECT_EQ(refused({"gemm", "n=1000"}),
            "n = 1000 is not a size of gemm_naive (n): give a whole number from 32 to 46080 that 32 divides");
  EXPECT_EQ(refused({"gemm", "n=4", "n=5"}),
            "the size 'n' is given twice (n=5): write NAME=VALUE once; several values are NAME=VALUE,VALUE");
  EXPECT_NE(refused({"gemm", "n=many"}), "accepted");
  EXPECT_NE(refused({"gemm", "=5"}), "accepted");
  EXPECT_NE(refused({"n=1024"}), "accepted");
}

TEST(LabPlanTest, TruthIsEveryRecordedSizeInTheOrderOfTheRegistry) {
  const auto plan = plan_truth({"all"});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->front().kernel->id, "vector_add");
  EXPECT_EQ(plan->back().kernel->id, "gemm_wgmma_bf16");
  EXPECT_GT(plan->size(), 33U);
}

/// Runs words on a fake GPU.
Result<LabMeasurement> measured(FakeDevice& gpu, const std::vector<std::string>& words, bool check_only = false) {
  lab::RunOptions options;
  options.seed = 3;
  options.repetitions = 3;
  options.check_only = check_only;
  return measure(*plan_lab(words), {gpu, nullptr, nullptr, lab::embedded_images(), options, {}});
}

TEST(LabMeasureTest, KernelsThatCannotRunHereAreSkippedWithTheReason) {
  FakeDevice gpu;
  gpu.who.capability = 80;
  const auto measurement = measured(gpu, {"gemm_tensor", "n=256"}, true);
  ASSERT_TRUE(measurement) << to_string(measurement.error());
  const auto& steps = measurement->groups[0].steps;
  EXPECT_TRUE(steps[0].run);
  EXPECT_FALSE(steps[1].run);
  EXPECT_NE(steps[1].skipped.find("needs compute capability 9.0 exactly"), std::string::npos);
  EXPECT_TRUE(measurement->all_right());
}

TEST(LabMeasureTest, NothingThatCanRunIsAnError) {
  FakeDevice gpu;
  gpu.who.capability = 80;
  const auto measurement = measured(gpu, {"gemm_wgmma_bf16", "n=256"});
  ASSERT_FALSE(measurement);
  EXPECT_EQ(measurement.error().code, ErrorCode::kNotAvailable);
}

TEST(LabMeasureTest, WrongResultsAreKeptAndSaid) {
  FakeDevice gpu;
  gpu.kernels["gemm_tiled"] = [](const device::LaunchRequest&) {};
  const auto measurement = measured(gpu, {"gemm_naive", "gemm_tiled", "n=64"});
  ASSERT_TRUE(measurement);
  EXPECT_FALSE(measurement->all_right());
  const LabPage page = measured_page(*measurement, gpu.who, {}, Database::built_in(), "", render::Language::kEnglish);
  const std::string text = render::lab_page("text", page.view, page.report, {});
  EXPECT_NE(text.find("WRONG"), std::string::npos);
  EXPECT_NE(text.find("were not written"), std::string::npos);
}

TEST(LabMeasureTest, OnceLaunchesEachStepOnceInOrder) {
  FakeDevice gpu;
  const auto plan = plan_truth({"stream", "n=4096"});
  const auto list = launch_once(*plan, {gpu, nullptr, nullptr, lab::embedded_images(), {}, {}});
  ASSERT_TRUE(list);
  EXPECT_EQ(*list, "index,kernel,sizes,sms\n0,vector_add,n=4096,4\n1,saxpy,n=4096,4\n");
  EXPECT_EQ(gpu.launched, (std::vector<std::string>{"vector_add", "saxpy"}));
}

/// The fp32 ladder with times of 40 and 28 us, on a problem small enough for loops on the host.
LabPage ladder_page(FakeDevice& gpu) {
  gpu.durations["gemm_naive"] = Seconds(40e-6);
  gpu.durations["gemm_tiled"] = Seconds(28e-6);
  const auto measurement = measured(gpu, {"gemm_naive", "gemm_tiled", "n=64"});
  return measured_page(*measurement, gpu.who, {}, Database::built_in(), "", render::Language::kEnglish);
}

TEST(LabViewTest, StepsHaveTimesSpeedsAndWhatLimitsThem) {
  FakeDevice gpu;
  const LabPage page = ladder_page(gpu);
  EXPECT_EQ(page.view.machine_id, "h200-sxm");
  ASSERT_EQ(page.view.groups.size(), 1U);
  const auto& steps = page.view.groups[0].steps;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_NEAR(steps[0].speed->count(), 524288 / 40e-6, 1e6);
  EXPECT_NEAR(*steps[1].speedup, 40.0 / 28, 1e-6);
  EXPECT_FALSE(steps[0].times.empty());
  EXPECT_EQ(steps[0].next.substr(0, 9), "load each");
  EXPECT_TRUE(steps[1].next.empty());
  EXPECT_FALSE(steps[0].of_vendor);
}

TEST(LabViewTest, TellsWhyTilingGainsLittle) {
  FakeDevice gpu;
  const LabPage page = ladder_page(gpu);
  ASSERT_EQ(page.view.groups[0].stories.size(), 1U);
  const auto& story = page.view.groups[0].stories[0];
  EXPECT_EQ(story.slower_load_requests / story.faster_load_requests, 32);
  EXPECT_NEAR(story.slower_wavefronts / story.faster_wavefronts, 1.23, 0.01);
  EXPECT_FALSE(story.dram_outgrown) << "64 x 64 fits into L2";
  const std::string text = render::lab_page("text", page.view, page.report, {});
  EXPECT_NE(text.find("Why gemm_tiled is hardly faster than gemm_naive"), std::string::npos);
  EXPECT_NE(text.find("fit into L2"), std::string::npos);
}

TEST(LabViewTest, OnPaperTheOutgrownL2IsModelled) {
  const auto machine = find_machine("h200-sxm");
  const auto page = paper_page(*plan_lab({"gemm_naive", "gemm_tiled", "n=4096"}), *machine, render::Language::kEnglish);
  ASSERT_TRUE(page) << to_string(page.error());
  const auto& story = page->view.groups[0].stories.at(0);
  ASSERT_TRUE(story.dram_outgrown);
  EXPECT_NEAR(story.dram_outgrown->count(), 8.66e9, 0.01e9);
  EXPECT_LT(*story.dram_time, *story.l1_time) << "even so DRAM does not bind";
  EXPECT_FALSE(story.slower_time);
}

TEST(LabViewTest, PaperStepsAreBoundByTheirLargestLeastTime) {
  const auto machine = find_machine("h200-sxm");
  const auto page = paper_page(*plan_lab({"all"}), *machine, render::Language::kChinese);
  ASSERT_TRUE(page) << to_string(page.error());
  for (const auto& group : page->view.groups) {
    for (const auto& step : group.steps) {
      ASSERT_TRUE(step.time) << step.label;
      EXPECT_EQ(step.resource, step.times.front().resource);
      EXPECT_FALSE(step.fraction);
    }
  }
  const auto& naive = page->view.groups.at(11).steps.at(0);
  EXPECT_EQ(naive.id, "gemm_naive");
  EXPECT_EQ(naive.resource, "l1");
}

TEST(LabViewTest, OnPaperAKernelNeedsAMachineThatHasItsUnits) {
  const auto skipped = [](const char* id) {
    const auto machine = find_machine(id);
    const auto page = paper_page(*plan_lab({"gemm_tensor"}), *machine, render::Language::kEnglish);
    std::vector<std::string> reasons;
    for (const auto& step : page->view.groups.at(0).steps) {
      EXPECT_EQ(step.skipped.empty(), step.time.has_value()) << step.label;
      reasons.push_back(step.skipped);
    }
    return reasons;
  };
  EXPECT_EQ(skipped("h200-sxm"), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(skipped("l40s"), (std::vector<std::string>{"", "gemm_wgmma_bf16 needs compute capability 9.0 exactly"}));
  EXPECT_EQ(skipped("t4").at(0), "gemm_mma_bf16 needs compute capability 8.0");
  EXPECT_NE(skipped("mi300x").at(1).find("for which AMD Instinct MI300X"), std::string::npos);
}

TEST(LabViewTest, EveryFormatIsMadeInBothLanguages) {
  FakeDevice gpu;
  const auto measurement = measured(gpu, {"stream", "n=4096"});
  for (const auto language : {render::Language::kEnglish, render::Language::kChinese}) {
    const LabPage page = measured_page(*measurement, gpu.who, {}, Database::built_in(), "", language);
    render::TextOptions options;
    options.language = language;
    for (const char* format : {"text", "md", "html"}) {
      const std::string made = render::lab_page(format, page.view, page.report, options);
      EXPECT_NE(made.find("vector_add"), std::string::npos) << format;
      EXPECT_EQ(made.find("lab."), std::string::npos) << "a label without text";
    }
  }
  const LabPage page = measured_page(*measurement, gpu.who, {}, Database::built_in(), "", render::Language::kEnglish);
  EXPECT_NE(render::lab_json(page.view).find("\"schema\": \"ridge.lab/1\""), std::string::npos);
  EXPECT_EQ(render::lab_csv(page.view).substr(0, 16), "ladder,id,sizes,");
  EXPECT_NE(render::lab_page("html", page.view, page.report, {}).find("<svg"), std::string::npos);
}

TEST(LabCommandTest, WithoutAGpuOneThatIsAskedForIsAnErrorThatNamesThePaperModel) {
  if (collectors::cuda::open_device(0)) GTEST_SKIP() << "there is a GPU here";
  std::ostringstream out, err;
  Context context{out, err};
  EXPECT_EQ(run_program(commands(), {"lab", "gemm", "--device", "0"}, context), 4);
  EXPECT_NE(err.str().find("name a machine with --on for the paper model"), std::string::npos) << err.str();
  EXPECT_TRUE(out.str().empty());
}

TEST(LabListTest, NamesEveryKernelWithItsSizes) {
  const auto entries = lab_entries(render::Language::kEnglish);
  EXPECT_EQ(entries.size(), 33U);
  EXPECT_EQ(entries.front().parameters, "n=100000000 (x256)");
  EXPECT_EQ(entries.back().needs, "sm_90a");
}

}  // namespace
}  // namespace ridge::cli
