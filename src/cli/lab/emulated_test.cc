// The lab on a GPU that is emulated: every kernel's results, and what the command shows and says.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/lab/bench.h"
#include "cli/lab/measure.h"
#include "cli/lab/plan.h"
#include "cli/lab/view.h"
#include "cli/load.h"
#include "cli/program.h"
#include "cli/registry.h"
#include "collectors/cuda/cuda_device.h"
#include "lab/declare/registry.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

/// Small, but with whole rows for the kernels that always work on 8192 values.
const char* small_sizes(const lab::KernelDeclaration& kernel) {
  const std::string_view ladder = kernel.ladder;
  if (ladder == "gemm") return kernel.id == "gemm_async" ? "n=256" : "n=128";
  if (ladder == "gemm_tensor") return "n=256 k=256";
  if (ladder == "transpose") return "n=128";
  if (ladder == "stencil") return "width=128 height=32";
  if (ladder == "softmax" || ladder == "layernorm") return "rows=2 columns=8192";
  if (ladder == "shared_banks") return "blocks=3 stride=5";
  if (ladder == "divergence") return "n=1024 steps=9";
  return "n=4096";
}

std::unique_ptr<emulator::EmulatedDevice> h200(emulator::KernelOptions options = {}) {
  options.workers = 1;  // tests run side by side
  auto opened = emulator::EmulatedDevice::open(*find_machine("h200-sxm"), std::move(options));
  return opened ? *std::move(opened) : nullptr;
}

lab::RunOptions options_on(const emulator::EmulatedDevice& device) {
  lab::RunOptions options;
  options.seed = 42;
  return emulated(options, device);
}

class EveryEmulatedKernelTest : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryEmulatedKernelTest, ComputesRightAndCountsTheDeclaredFlops) {
  const auto device = h200();
  ASSERT_TRUE(device);
  lab::Runner runner(*device, nullptr, lab::embedded_images(), options_on(*device));
  const lab::KernelDeclaration& declaration = *lab::find_kernel(GetParam());
  const auto sizes = lab::parse_sizes(small_sizes(declaration));
  const auto kernel = lab::bind_kernel(declaration, *sizes, device->identity().sm_count);
  ASSERT_TRUE(kernel) << to_string(kernel.error());
  const auto run = runner.run(*kernel);
  ASSERT_TRUE(run) << to_string(run.error());
  EXPECT_TRUE(run->check.passed) << run->check.fault;
  EXPECT_GT(run->check.compared, 0U);
  EXPECT_FALSE(run->timed());
  ASSERT_TRUE(run->predicted());
  const Work& work = run->prediction->measurement.work;
  ASSERT_TRUE(work.flops);
  EXPECT_EQ(work.flops->count(), kernel->work.flops->count());
  EXPECT_EQ(work.flops.provenance(), Provenance::kCounted);
  ASSERT_TRUE(run->prediction->duration);
  EXPECT_EQ(run->prediction->duration.provenance(), Provenance::kModelled);
  EXPECT_EQ(findings_of(*device), std::vector<std::string>());
}

std::vector<std::string_view> all_ids() {
  std::vector<std::string_view> ids;
  for (const lab::KernelDeclaration& kernel : lab::kernels()) ids.push_back(kernel.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Lab, EveryEmulatedKernelTest, testing::ValuesIn(all_ids()),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(EmulatedLabTest, TheSameKernelCountsTheSameOnEveryRun) {
  const auto counted = [] {
    const auto device = h200();
    lab::Runner runner(*device, nullptr, lab::embedded_images(), options_on(*device));
    return runner.run(*lab::bind_kernel(*lab::find_kernel("gemm_tiled"), {{"n", 128}}, 132))->prediction.value();
  };
  const lab::Prediction one = counted(), two = counted();
  EXPECT_EQ(one.duration, two.duration);
  EXPECT_EQ(one.measurement.work.bytes.dram, two.measurement.work.bytes.dram);
  EXPECT_EQ(one.measurement.work.access.l1_wavefronts, two.measurement.work.access.l1_wavefronts);
}

TEST(EmulatedLabTest, ResultsOfASampleAreNotCheckedAndThatIsNoFailure) {
  emulator::KernelOptions sampled;
  sampled.extent = emulator::Extent::kSample;
  const auto device = h200(sampled);
  const lab::RunOptions options = options_on(*device);
  // 8192 blocks of 256 threads; a wave is 132 SMs x 8
  const auto plan = plan_lab({"vector_add", "n=2097152"}, LabHost::kEmulator);
  ASSERT_TRUE(plan) << to_string(plan.error());
  const auto measurement = measure(*plan, {*device, nullptr, nullptr, lab::embedded_images(), options, {}});
  ASSERT_TRUE(measurement) << to_string(measurement.error());
  EXPECT_TRUE(measurement->all_right());
  const LabPage page = emulated_page(*measurement, device->machine(), options, "", render::Language::kEnglish);
  const render::LabStep& step = page.view.groups.at(0).steps.at(0);
  EXPECT_FALSE(step.check.done);
  EXPECT_LT(step.emulated_fraction, 0.9);
  EXPECT_NEAR(step.flops->count(), 2097152, 1);
  EXPECT_NE(step.flops.provenance(), Provenance::kCounted);
  const std::string text = render::lab_page("text", page.view, page.report, {});
  EXPECT_NE(text.find("Results are not checked: sampled:"), std::string::npos) << text;
  EXPECT_EQ(text.find("WRONG"), std::string::npos);
}

TEST(EmulatedLabTest, SizesAreSmallerUnlessTheyAreGiven) {
  const auto plan = plan_lab({"gemm"}, LabHost::kEmulator);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1U);
  EXPECT_EQ((*plan)[0].sizes, "n=1024");
  EXPECT_EQ(plan_lab({"gemm", "n=4096"}, LabHost::kEmulator)->at(0).sizes, "n=4096");
}

struct Answer {
  int status = 0;
  std::string out, err;
};
Answer answer(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  Context context{out, err};
  const int status = run_program(commands(), words, context);
  return {status, out.str(), err.str()};
}

TEST(EmulatedLabCommandTest, ShowsPredictedTimesAndNeverCallsThemMeasured) {
  const Answer shown = answer({"lab", "gemm_naive", "gemm_tiled", "n=64", "--emulate", "--seed", "3"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("The lab on an emulated NVIDIA H200 SXM"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("predicted"), std::string::npos);
  EXPECT_NE(shown.out.find("Predicted: "), std::string::npos) << "the story of tiling";
  for (const char* word : {"easured", "driver"}) EXPECT_EQ(shown.out.find(word), std::string::npos) << shown.out;
  EXPECT_TRUE(shown.err.empty()) << shown.err;
}

TEST(EmulatedLabCommandTest, EveryFormatSaysWhereNumbersComeFrom) {
  const std::vector<std::string> words{"lab", "vector_add", "n=4096", "--emulate", "--seed", "3", "--format"};
  const auto as = [&](const char* format) {
    std::vector<std::string> all = words;
    all.emplace_back(format);
    const Answer made = answer(all);
    EXPECT_EQ(made.status, 0) << made.err;
    return made.out;
  };
  const auto json = nlohmann::json::parse(as("json"));
  EXPECT_EQ(json["mode"], "emulated");
  EXPECT_FALSE(json.contains("driver"));
  const auto& step = json["ladders"][0]["steps"][0];
  EXPECT_TRUE(step["check"]["passed"].get<bool>());
  EXPECT_GT(step["predicted_time_s"].get<double>(), 0);
  EXPECT_FALSE(step.contains("time_s"));
  EXPECT_EQ(step["provenance"]["predicted_time_s"], "modelled");
  EXPECT_EQ(step["provenance"]["dram_bytes"], "modelled");
  EXPECT_EQ(step["emulated_fraction"], 1.0);
  EXPECT_NE(as("csv").find("time_provenance"), std::string::npos);
  EXPECT_NE(as("csv").find(",modelled"), std::string::npos);
  EXPECT_NE(as("html").find("<svg"), std::string::npos);
  EXPECT_NE(as("md").find("predicted"), std::string::npos);
}

TEST(EmulatedLabCommandTest, IsKeptAsARecordingThatSaysItWasEmulated) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "emulated_lab.ridge";
  ASSERT_EQ(answer({"lab", "stream", "n=4096", "--emulate", "--save", path.string()}).status, 0);
  const auto profile = read_recording(path.string());
  ASSERT_TRUE(profile) << to_string(profile.error());
  ASSERT_EQ(profile->launches.size(), 2U);
  EXPECT_EQ(profile->sources.at(0).tool_version, "emulated");
  EXPECT_EQ(profile->launches[0].duration.provenance(), Provenance::kModelled);
  EXPECT_EQ(profile->measurements.at(0).work.instructions.fp32_add.provenance(), Provenance::kCounted);
  EXPECT_TRUE(profile->measurements[0].work.access.global_load_sectors);
  const Answer report = answer({"report", path.string()});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.out.find("vector_add"), std::string::npos);
  EXPECT_NE(report.out.find("modelled"), std::string::npos) << report.out;
  EXPECT_EQ(report.out.find("measured: "), std::string::npos) << report.out;
  std::filesystem::remove(path);
}

TEST(EmulatedLabCommandTest, OtherMachinesAreEmulatedAsFarAsTheyRunTheKernels) {
  const Answer ada = answer({"lab", "gemm_tensor", "n=256", "k=256", "--emulate", "--on", "l40s"});
  EXPECT_EQ(ada.status, 0) << ada.err;
  EXPECT_NE(ada.out.find("emulated NVIDIA L40S"), std::string::npos) << ada.out;
  EXPECT_NE(ada.out.find("needs compute capability 9.0 exactly"), std::string::npos);
  EXPECT_EQ(answer({"lab", "vector_add", "n=4096", "--emulate", "--on", "t4"}).status, 4);
  const Answer foreign = answer({"lab", "vector_add", "n=4096", "--emulate", "--on", "mi300x"});
  EXPECT_EQ(foreign.status, 4);
  EXPECT_NE(foreign.err.find("is not known to run PTX"), std::string::npos) << foreign.err;
}

TEST(EmulatedLabCommandTest, WhatIsAboutAGpuIsRefused) {
  for (const char* flag : {"--once", "--device=0"}) {
    const Answer refused = answer({"lab", "vector_add", "n=4096", "--emulate", flag});
    EXPECT_EQ(refused.status, 2) << flag;
    EXPECT_TRUE(refused.out.empty());
  }
}

TEST(EmulatedLabCommandTest, WithoutAGpuItEmulatesAndSaysSo) {
  if (collectors::cuda::open_device(0)) GTEST_SKIP() << "there is a GPU here";
  const Answer shown = answer({"lab", "vector_add", "n=4096"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.err.find(": emulating NVIDIA H200 SXM instead; --on MACHINE shows the paper model\n"),
            std::string::npos)
      << shown.err;
  EXPECT_EQ(std::count(shown.err.begin(), shown.err.end(), '\n'), 1);
  EXPECT_NE(shown.out.find("The lab on an emulated"), std::string::npos);
  const Answer asked = answer({"lab", "vector_add", "n=4096", "--device", "0"});
  EXPECT_EQ(asked.status, 4) << "a GPU that is asked for is not made up";
  EXPECT_TRUE(asked.out.empty());
  const Answer unknown = answer({"lab", "vector_ad"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err.find("emulating"), std::string::npos) << "nothing is looked for before the words are right";
}

TEST(EmulatedLabCommandTest, CheckOnlyTakesResultsAlone) {
  const Answer shown = answer({"lab", "transpose", "n=64", "--emulate", "--check-only"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("right"), std::string::npos);
  EXPECT_EQ(shown.out.find("not checked"), std::string::npos);
  EXPECT_EQ(shown.out.find(" us "), std::string::npos) << shown.out;
}

}  // namespace
}  // namespace ridge::cli
