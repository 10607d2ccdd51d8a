#include "lab/run/runner.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "lab/declare/registry.h"
#include "lab/run/profile.h"
#include "support/fake_device.h"

namespace ridge::lab {
namespace {

using test::FakeDevice;

/// Small enough for loops on the host.
const char* small_sizes(const KernelDeclaration& kernel) {
  const std::string_view ladder = kernel.ladder;
  if (ladder == "gemm") return "n=256";
  if (ladder == "gemm_tensor") return "n=256 k=256";
  if (ladder == "transpose") return "n=128";
  if (ladder == "stencil") return "width=128 height=32";
  if (ladder == "softmax" || ladder == "layernorm") return "rows=3 columns=512";
  if (ladder == "shared_banks") return "blocks=3 stride=5";
  if (ladder == "divergence") return "n=1024 steps=9";
  return "n=4096";
}

BoundKernel small(std::string_view id) {
  const KernelDeclaration& kernel = *find_kernel(id);
  return *bind_kernel(kernel, *parse_sizes(small_sizes(kernel)), 4);
}

RunOptions options() {
  RunOptions chosen;
  chosen.seed = 42;
  chosen.repetitions = 5;
  return chosen;
}

RunOptions check_only() {
  RunOptions chosen = options();
  chosen.check_only = true;
  return chosen;
}

class EveryKernelTest : public testing::TestWithParam<std::string_view> {
 protected:
  FakeDevice gpu_;
};

TEST_P(EveryKernelTest, RightResultsAreAccepted) {
  Runner runner(gpu_, nullptr, embedded_images(), check_only());
  const auto run = runner.run(small(GetParam()));
  ASSERT_TRUE(run) << to_string(run.error());
  EXPECT_TRUE(run->check.passed) << run->check.fault;
  EXPECT_EQ(run->check.compared, run->check.elements);
  EXPECT_FALSE(run->timed());
}

/// The first buffer argument that holds a result.
std::size_t result_argument(const KernelDeclaration& kernel) {
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    for (const Buffer& buffer : kernel.buffers) {
      if (buffer.name == kernel.arguments[i].name && is_result(buffer.role)) return i;
    }
  }
  return 0;
}

std::byte* result_bytes(const device::LaunchRequest& request, const KernelDeclaration& kernel) {
  device::Address address = 0;
  std::memcpy(&address, request.parameters[result_argument(kernel)].bytes.data(), sizeof address);
  return std::bit_cast<std::byte*>(address);
}

TEST_P(EveryKernelTest, OneWrongElementIsFound) {
  const KernelDeclaration& kernel = *find_kernel(GetParam());
  const auto right = gpu_.kernels.at(std::string(kernel.entry));
  gpu_.kernels[std::string(kernel.entry)] = [&](const device::LaunchRequest& request) {
    right(request);
    result_bytes(request, kernel)[1] ^= std::byte{0xFF};
    result_bytes(request, kernel)[element_size(kernel.buffers.back().type) - 1] ^= std::byte{0x3C};
  };
  Runner runner(gpu_, nullptr, embedded_images(), options());
  const auto run = runner.run(small(GetParam()));
  ASSERT_TRUE(run) << to_string(run.error());
  EXPECT_FALSE(run->check.passed);
  EXPECT_NE(run->check.fault.find("element 0 is"), std::string::npos) << run->check.fault;
  EXPECT_FALSE(run->timed()) << "a wrong kernel must not be timed";
}

TEST_P(EveryKernelTest, AKernelThatDoesNothingIsFound) {
  gpu_.kernels[std::string(find_kernel(GetParam())->entry)] = [](const device::LaunchRequest&) {};
  Runner runner(gpu_, nullptr, embedded_images(), check_only());
  const auto run = runner.run(small(GetParam()));
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->check.passed);
}

std::vector<std::string_view> all_ids() {
  std::vector<std::string_view> ids;
  for (const KernelDeclaration& kernel : kernels()) ids.push_back(kernel.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Lab, EveryKernelTest, testing::ValuesIn(all_ids()),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(LabRunnerTest, UnwrittenElementsAreCounted) {
  FakeDevice gpu;
  const auto right = gpu.kernels.at("vector_add");
  gpu.kernels["vector_add"] = [&](const device::LaunchRequest& request) {
    right(request);
    std::memset(result_bytes(request, *find_kernel("vector_add")) + 400, 0xFF, 12);
  };
  Runner runner(gpu, nullptr, embedded_images(), check_only());
  const auto run = runner.run(small("vector_add"));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->check.fault, "3 of 4096 elements of 'c' were not written, the first is 100");
}

TEST(LabRunnerTest, LargeProblemsAreSampledButEveryElementMustBeWritten) {
  FakeDevice gpu;
  Runner runner(gpu, nullptr, embedded_images(), check_only());
  // 262,144 results of 1,024 steps each are more than a check takes.
  const BoundKernel kernel = *bind_kernel(*find_kernel("gemm_naive"), {{"n", 512}}, 4);
  const auto run = runner.run(kernel);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->check.passed) << run->check.fault;
  EXPECT_LT(run->check.compared, run->check.elements / 3);
  EXPECT_GE(run->check.compared, 2048U);
}

TEST(LabRunnerTest, AnotherSeedGivesOtherInputs) {
  const BoundKernel kernel = small("vector_add");
  const Problem one(kernel, 1), same(kernel, 1), two(kernel, 2);
  int equal = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(one.at(0, i), same.at(0, i));
    equal += one.at(0, i) == two.at(0, i) ? 1 : 0;
    EXPECT_GE(one.at(0, i), -1);
    EXPECT_LT(one.at(0, i), 1);
  }
  EXPECT_LT(equal, 10);
  EXPECT_NE(one.at(0, 7), one.at(1, 7)) << "buffers differ";
}

TEST(LabRunnerTest, TimesAreMediansOfSamples) {
  FakeDevice gpu;
  gpu.durations["vector_add"] = Seconds(3e-6);
  Runner runner(gpu, nullptr, embedded_images(), options());
  const auto run = runner.run(small("vector_add"));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->timing.samples.size(), 5U);
  EXPECT_NEAR(run->timing.median.count(), 3e-6, 1e-12);
  EXPECT_GE(run->timing.launches_per_sample, 67) << "a sample must be long against an event";
  EXPECT_FALSE(run->timing.reading.sm_clock);
  EXPECT_EQ(run->timing.reading.sm_clock.reason().text(), "NVML is not there to tell the clock");
}

TEST(LabRunnerTest, TheSpreadOfSamplesIsKept) {
  FakeDevice gpu;
  gpu.slower_each_launch = 1.001;
  Runner runner(gpu, nullptr, embedded_images(), options());
  const auto run = runner.run(small("vector_add"));
  ASSERT_TRUE(run);
  EXPECT_LT(run->timing.least, run->timing.median);
  EXPECT_LT(run->timing.median, run->timing.most);
}

TEST(LabRunnerTest, SmallBuffersAreCopiedUntilL2IsOutrun) {
  FakeDevice gpu;  // L2 of 1 MiB
  std::set<device::Address> inputs;
  gpu.kernels["vector_add"] = [&, right = gpu.kernels.at("vector_add")](const device::LaunchRequest& request) {
    device::Address a = 0;
    std::memcpy(&a, request.parameters[0].bytes.data(), sizeof a);
    inputs.insert(a);
    right(request);
  };
  Runner runner(gpu, nullptr, embedded_images(), options());
  const auto run = runner.run(small("vector_add"));  // 48 KiB
  ASSERT_TRUE(run);
  EXPECT_EQ(run->timing.copies, 64);
  EXPECT_EQ(inputs.size(), 64U);
  EXPECT_FALSE(run->timing.l2_resident);
  gpu.who.attributes.l2_capacity = Value<Bytes>(Bytes(1 << 26), Provenance::kReported);
  const auto resident = runner.run(small("vector_add"));
  ASSERT_TRUE(resident);
  EXPECT_TRUE(resident->timing.l2_resident);
}

TEST(LabRunnerTest, EverythingIsGivenBack) {
  FakeDevice gpu;
  {
    Runner runner(gpu, nullptr, embedded_images(), options());
    ASSERT_TRUE(runner.run(small("vector_add")));
    ASSERT_TRUE(runner.run(small("saxpy")));
    EXPECT_EQ(gpu.loaded.size(), 1U) << "a module is loaded once";
  }
  EXPECT_EQ(gpu.used, 0U);
  EXPECT_EQ(gpu.events, 0);
}

TEST(LabRunnerTest, NoRoomForTheBuffersIsNotAvailable) {
  FakeDevice gpu;
  gpu.capacity = 40000;
  Runner runner(gpu, nullptr, embedded_images(), options());
  const auto run = runner.run(small("vector_add"));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kNotAvailable);
  EXPECT_EQ(gpu.used, 0U);
}

TEST(LabRunnerTest, FewerCopiesDoWhereMemoryIsShort) {
  FakeDevice gpu;
  gpu.capacity = 200000;
  Runner runner(gpu, nullptr, embedded_images(), options());
  const auto run = runner.run(small("vector_add"));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->timing.copies, 3);
}

TEST(LabRunnerTest, AFaultInAKernelIsAnError) {
  FakeDevice gpu;
  gpu.fail_at_launch = 0;
  Runner runner(gpu, nullptr, embedded_images(), options());
  const auto run = runner.run(small("vector_add"));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kInternal);
  gpu.fail_at_launch = 3;
  FakeDevice later;
  later.fail_at_launch = 9;
  Runner second(later, nullptr, embedded_images(), options());
  EXPECT_FALSE(second.run(small("vector_add"))) << "while timing";
}

TEST(LabRunnerTest, WgmmaNeedsExactlyItsArchitecture) {
  FakeDevice gpu;
  for (const int capability : {80, 100, 120}) {
    gpu.who.capability = capability;
    Runner runner(gpu, nullptr, embedded_images(), check_only());
    const auto run = runner.run(small("gemm_wgmma_bf16"));
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::kNotAvailable);
    EXPECT_EQ(run.error().what, "gemm_wgmma_bf16 needs compute capability 9.0 exactly");
    EXPECT_TRUE(runner.run(small("gemm_mma_bf16")));
  }
  gpu.who.capability = 75;
  Runner runner(gpu, nullptr, embedded_images(), check_only());
  EXPECT_FALSE(runner.run(small("vector_add")));
}

TEST(LabRunnerTest, TooLittleSharedMemoryIsNotAvailable) {
  FakeDevice gpu;
  gpu.who.attributes.shared_per_block = Value<Bytes>(Bytes(65536), Provenance::kReported);
  Runner runner(gpu, nullptr, embedded_images(), check_only());
  const auto run = runner.run(small("gemm_async"));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().what, "gemm_async needs 99328 bytes of shared memory a block");
}

TEST(LabRunnerTest, PtxIsUsedWhereNoBinaryFits) {
  constexpr std::array kPtx{EmbeddedFile{"stream.ptx", "// text"}};
  constexpr std::array kBinary{EmbeddedFile{"stream.fatbin", "\x50\xed"}};
  FakeDevice gpu;
  Runner first(gpu, nullptr, {kPtx, kBinary}, check_only());
  EXPECT_FALSE(first.run(small("vector_add"))->from_ptx);
  EXPECT_EQ(gpu.loaded.back(), "stream.fatbin");
  gpu.refuse_binaries = true;
  Runner second(gpu, nullptr, {kPtx, kBinary}, check_only());
  EXPECT_TRUE(second.run(small("vector_add"))->from_ptx);
  EXPECT_EQ(gpu.loaded.back(), "stream.ptx");
  Runner none(gpu, nullptr, {}, check_only());
  ASSERT_FALSE(none.run(small("vector_add")));
}

class FakeBlas final : public device::Blas {
 public:
  explicit FakeBlas(FakeDevice& gpu) : gpu_(gpu) {}
  [[nodiscard]] std::string version() const override { return "13.0.2"; }
  Result<void> multiply_fp32(device::Address a, device::Address b, device::Address c, std::int32_t n) override {
    using device::Parameter;
    gpu_.kernels.at("gemm_naive")(
        {{}, {}, {}, 0, {Parameter::of(a), Parameter::of(b), Parameter::of(c), Parameter::of(n)}});
    return {};
  }
  Result<void> multiply_bf16(device::Address, device::Address, device::Address, std::int32_t, std::int32_t,
                             std::int32_t) override {
    return fail(not_available("cuBLAS failed with status 15", "libcublas.so.13", "leave it out"));
  }

 private:
  FakeDevice& gpu_;
};

TEST(LabRunnerTest, TheVendorsProductIsCheckedLikeOurs) {
  FakeDevice gpu;
  FakeBlas blas(gpu);
  Runner runner(gpu, nullptr, embedded_images(), check_only());
  const auto run = runner.run_vendor(small("gemm_async"), blas);
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->vendor);
  EXPECT_EQ(run->name, "cuBLAS 13.0.2 fp32 n=256");
  EXPECT_TRUE(run->check.passed) << run->check.fault;
  EXPECT_FALSE(runner.run_vendor(small("gemm_mma_bf16"), blas));
}

class FakeTelemetry final : public device::Telemetry {
 public:
  device::Reading read() override {
    device::Reading reading;
    reading.sm_clock = Value<Hertz>(Hertz(1.5e9 + 1e7 * calls_++), Provenance::kSampled);
    reading.watts = Value<double>(640, Provenance::kReported);
    return reading;
  }

 private:
  int calls_ = 0;
};

TEST(LabProfileTest, RunsBecomeLaunchesWithDeclaredWork) {
  FakeDevice gpu;
  FakeTelemetry telemetry;
  Runner runner(gpu, &telemetry, embedded_images(), options());
  std::vector<lab::Run> runs;
  for (const char* id : {"gemm_naive", "gemm_tiled"}) {
    runs.push_back(*runner.run(*bind_kernel(*find_kernel(id), {{"n", 32}}, 4)));
  }
  const Profile profile = make_profile(gpu.who, runs, "2030-01-02T03:04:05Z");
  ASSERT_EQ(profile.kernels.size(), 2U);
  EXPECT_EQ(profile.kernels[1].full_name, "gemm_tiled n=32");
  EXPECT_EQ(profile.launches.size(), 10U);
  EXPECT_EQ(profile.launches[7].kernel, 1U);
  EXPECT_NEAR(profile.launches[0].duration->count(), 1e-4, 1e-9);
  const Measurement& measurement = *measurement_of(profile, profile.launches[9]);
  EXPECT_EQ(measurement.work.flops->count(), 65536);
  EXPECT_EQ(measurement.work.instructions.warp_instructions.reason().text(), "the lab declares no such count");
  EXPECT_EQ(measurement.conditions.sm_clock.provenance(), Provenance::kSampled);
  EXPECT_EQ(profile.devices.front().name, "NVIDIA H200");
  EXPECT_EQ(profile.configurations[0].block->y, 32U);
  EXPECT_EQ(*profile.configurations[0].registers_per_thread, 40);
}

/// As of a device that emulates: 7 us for every launch, `fraction` of its blocks.
RunOptions predicted(double fraction) {
  RunOptions chosen = options();
  chosen.prediction = [fraction] {
    Prediction prediction;
    prediction.measurement.work.flops = {Flops(5), Provenance::kCounted};
    prediction.configuration.grid = Dim3{3, 1, 1};
    prediction.duration = {Seconds(7e-6), Provenance::kModelled};
    prediction.fraction = fraction;
    return prediction;
  };
  return chosen;
}

TEST(LabRunnerTest, WhatIsPredictedIsLaunchedOnceAndCheckedButNotTimed) {
  FakeDevice gpu;
  Runner runner(gpu, nullptr, embedded_images(), predicted(1));
  const auto run = runner.run(small("saxpy"));
  ASSERT_TRUE(run);
  EXPECT_EQ(gpu.launched.size(), 1U);
  EXPECT_TRUE(run->check.passed);
  EXPECT_FALSE(run->timed());
  EXPECT_TRUE(run->predicted());
  const Profile profile = make_profile(gpu.who, {*run}, "");
  ASSERT_EQ(profile.launches.size(), 1U);
  EXPECT_EQ(profile.launches[0].duration, (Value<Seconds>(Seconds(7e-6), Provenance::kModelled)));
  EXPECT_EQ(measurement_of(profile, profile.launches[0])->work.flops->count(), 5) << "not what is declared";
  EXPECT_EQ(profile.configurations.at(0).grid->x, 3U);
  EXPECT_EQ(profile.sources.at(0).tool_version, "emulated");
}

TEST(LabRunnerTest, ASampleIsNotCheckedAndAWrongKernelPredictsNothing) {
  FakeDevice gpu;
  gpu.kernels["saxpy"] = [](const device::LaunchRequest&) {};
  const auto sampled = Runner(gpu, nullptr, embedded_images(), predicted(0.25)).run(small("saxpy"));
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->check.not_done, "sampled: 25 % of the blocks were run");
  EXPECT_FALSE(sampled->wrong());
  EXPECT_TRUE(sampled->predicted());
  const auto whole = Runner(gpu, nullptr, embedded_images(), predicted(1)).run(small("saxpy"));
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->wrong());
  EXPECT_FALSE(whole->predicted());
  EXPECT_TRUE(make_profile(gpu.who, {*whole}, "").launches.empty());
}

TEST(LabProfileTest, UntimedRunsAreLeftOut) {
  FakeDevice gpu;
  Runner runner(gpu, nullptr, embedded_images(), check_only());
  const Profile profile = make_profile(gpu.who, {*runner.run(small("saxpy"))}, "");
  EXPECT_TRUE(profile.launches.empty());
}

}  // namespace
}  // namespace ridge::lab
