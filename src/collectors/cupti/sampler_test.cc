// Sampling with the fake GPU, whose libraries take the place of the vendor's: the program begins anew with them in the
// loader's path, and each test has a process of its own, because a process has one GPU all its life.
#include "collectors/cupti/sampler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "collectors/cuda/driver.h"
#include "collectors/cupti/evaluate.h"

namespace ridge::collectors::cupti {
namespace {

constexpr const char* kKernel =
    "sampler-delay 1ms\n"
    "kernel k\n duration 5ms\n count dram__bytes_read.sum 1000000\n count dram__bytes_write.sum 500000\nend\n";

template <class Body>
void on_gpu(const std::string& script, Body body) {
  std::string folder = (std::filesystem::temp_directory_path() / "ridge-sampling-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/script") << script;
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    setenv("RIDGE_FAKE_GPU", folder.c_str(), 1);
    body();
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(status, 0) << "see the failures above";
}

SharedCalls fake_calls() {
  auto calls = open_calls(RIDGE_FAKE_FOLDER "/libcupti.so.13");
  EXPECT_TRUE(calls) << to_string(calls.error());
  return calls ? *calls : nullptr;
}

Recipe sampling_recipe() {
  return Recipes::built_in().value().find("sampling").value();
}

/// Of device 0 of the fake GPU.
std::string first_address(const cuda::Driver& driver) {
  std::array<char, 32> address{};
  EXPECT_EQ(driver.device_address(address.data(), 32, 0), cuda::kSuccess);
  return address.data();
}

/// The program's side: launches the script's kernel.
class Program {
 public:
  Program() : driver_(cuda::load_driver().value()) {
    cuda::Context context = nullptr;
    cuda::ModuleHandle module = nullptr;
    const bool good = driver_.init(0) == 0 && driver_.retain_context(&context, 0) == 0 &&
                      driver_.set_context(context) == 0 &&
                      driver_.load_module(&module, "fake", 0, nullptr, nullptr) == 0 &&
                      driver_.find_function(&kernel_, module, "k") == 0;
    EXPECT_TRUE(good);
  }
  void launch() const {
    EXPECT_EQ(driver_.launch(kernel_, 10, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr), 0);
    EXPECT_EQ(driver_.synchronise(), 0);
    // A sample that has not ended is never decoded: so that the one with the kernel's end does.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  [[nodiscard]] const cuda::Driver& driver() const { return driver_; }

 private:
  cuda::Driver driver_;
  cuda::FunctionHandle kernel_ = nullptr;
};

std::unique_ptr<Sampler> open_sampler(const Program& program, const SamplerSettings& settings = {}) {
  auto sampler = Sampler::open(fake_calls(), sampling_recipe(), "GH100", first_address(program.driver()), settings);
  EXPECT_TRUE(sampler) << to_string(sampler.error());
  return sampler ? std::move(*sampler) : nullptr;
}

double sum(const std::vector<Sample>& samples, Quantity quantity) {
  double total = 0;
  for (const Sample& sample : samples) total += sample[quantity];
  return total;
}

TEST(SamplerTest, SamplesAddUpToWhatTheKernelsMoved) {
  on_gpu(kKernel, [] {
    const Program program;
    const auto sampler = open_sampler(program);
    ASSERT_NE(sampler, nullptr);
    const Result<void> started = sampler->start(std::chrono::microseconds(100));
    ASSERT_TRUE(started) << to_string(started.error());
    for (int i = 0; i < 4; ++i) program.launch();
    sampler->stop();
    const Sampler::Batch batch = sampler->collect();
    EXPECT_FALSE(batch.error);
    EXPECT_FALSE(batch.behind);
    EXPECT_NEAR(sum(batch.samples, Quantity::kDramRead), 4e6, 4);
    EXPECT_NEAR(sum(batch.samples, Quantity::kDramWrite), 2e6, 4);
    ASSERT_GT(batch.samples.size(), 100u);
    for (std::size_t i = 1; i < batch.samples.size(); ++i) {
      EXPECT_EQ(batch.samples[i].start, batch.samples[i - 1].end);
    }
    EXPECT_EQ(sampler->statistics().samples, batch.samples.size());
    EXPECT_GT(sampler->needed_interval().count(), 0);
  });
}

TEST(SamplerTest, ImagesSmallerThanTheBacklogKeepTheOrder) {
  on_gpu(kKernel, [] {
    const Program program;
    SamplerSettings settings;
    settings.samples_per_image = 7;
    settings.images = 3;
    settings.workers = 3;
    const auto sampler = open_sampler(program, settings);
    ASSERT_NE(sampler, nullptr);
    ASSERT_TRUE(sampler->start(std::chrono::microseconds(50)));
    program.launch();
    sampler->stop();
    const std::vector<Sample> samples = sampler->collect().samples;
    ASSERT_GT(samples.size(), 70u);
    for (std::size_t i = 1; i < samples.size(); ++i) EXPECT_EQ(samples[i].start, samples[i - 1].end);
    EXPECT_NEAR(sum(samples, Quantity::kDramRead), 1e6, 1);
  });
}

TEST(SamplerTest, IdleSamplesHaveSharesOfZeroNotMissingOnes) {
  on_gpu(kKernel, [] {
    const Program program;
    const auto sampler = open_sampler(program);
    ASSERT_NE(sampler, nullptr);
    ASSERT_TRUE(sampler->start(std::chrono::microseconds(100)));
    program.launch();
    sampler->stop();
    const std::vector<Sample> samples = sampler->collect().samples;
    std::size_t idle = 0;
    for (const Sample& sample : samples) {
      if (sample[Quantity::kSmActive] != 0) continue;
      ++idle;
      EXPECT_EQ(sample[Quantity::kOccupancy], 0);
      EXPECT_EQ(sample[Quantity::kDramRead], 0);
    }
    EXPECT_GT(idle, 0u);
    EXPECT_GT(samples.size(), idle);
  });
}

TEST(SamplerTest, CountersAreGivenBackAndTakenAgain) {
  on_gpu(kKernel, [] {
    const Program program;
    const auto sampler = open_sampler(program);
    const auto other = open_sampler(program);
    ASSERT_NE(sampler, nullptr);
    ASSERT_NE(other, nullptr);
    ASSERT_TRUE(sampler->start(std::chrono::microseconds(100)));
    const Result<void> second = other->start(std::chrono::microseconds(100));
    ASSERT_FALSE(second);
    EXPECT_EQ(other->refusal(), Refusal::kBusy);
    sampler->stop();
    EXPECT_TRUE(other->start(std::chrono::microseconds(100)));
    other->stop();
    ASSERT_TRUE(sampler->start(std::chrono::microseconds(200)));
    program.launch();
    sampler->stop();
    EXPECT_NEAR(sum(sampler->collect().samples, Quantity::kDramRead), 1e6, 1);
  });
}

TEST(SamplerTest, AnOverflowIsSaidAndEndsWithTheNextStart) {
  on_gpu(std::string(kKernel) + "fault overflow 3\n", [] {
    const Program program;
    SamplerSettings settings;
    settings.most_pause = settings.least_pause;
    const auto sampler = open_sampler(program, settings);
    ASSERT_NE(sampler, nullptr);
    ASSERT_TRUE(sampler->start(std::chrono::microseconds(20)));
    Sampler::Batch batch;
    for (int i = 0; i < 1000 && !batch.overflow; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      batch = sampler->collect();
    }
    EXPECT_TRUE(batch.overflow);
    EXPECT_TRUE(batch.behind);
    EXPECT_FALSE(batch.error);
    EXPECT_EQ(sampler->statistics().overflows, 1u);
    ASSERT_TRUE(sampler->start(std::chrono::microseconds(40)));
    EXPECT_FALSE(sampler->collect().overflow);
    sampler->stop();
  });
}

struct RefusalCase {
  const char* fault;
  Refusal refusal;
  const char* remedy;  ///< a part of it
};

TEST(SamplerTest, RefusalsAreTypedAndSayWhatToDo) {
  const RefusalCase cases[] = {
      {"fault sampling 35\n", Refusal::kForbidden, "NVreg_RestrictProfilingToAdminUsers=0"},
      {"fault sampling 26\n", Refusal::kBusy, "dcgmi profile --pause"},
      {"fault sampling 43\n", Refusal::kUnsupported, "--tier timing"},
      {"fault sampling 999\n", Refusal::kOther, "ridge doctor"},
      {"fault busy\n", Refusal::kBusy, "end the other profiler"},
  };
  for (const RefusalCase& one : cases) {
    SCOPED_TRACE(one.fault);
    on_gpu(std::string(kKernel) + one.fault, [&] {
      const Program program;
      const auto sampler = open_sampler(program);
      ASSERT_NE(sampler, nullptr);
      const Result<void> started = sampler->start(std::chrono::microseconds(100));
      ASSERT_FALSE(started);
      EXPECT_EQ(sampler->refusal(), one.refusal) << to_string(started.error());
      EXPECT_NE(started.error().remedy.find(one.remedy), std::string::npos) << started.error().remedy;
      EXPECT_TRUE(sampler->collect().samples.empty());
    });
  }
}

TEST(SamplerTest, ADeviceIsFoundByItsAddressHoweverTheDomainIsWritten) {
  on_gpu(kKernel, [] {
    const Program program;
    const std::string address = first_address(program.driver());
    EXPECT_EQ(device_at(address).value_or(99), 0u);
    EXPECT_EQ(device_at("0000" + address).value_or(99), 0u);
    const auto absent = device_at("0000:fe:00.0");
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().what, "the device is not visible to this process");
  });
}

TEST(SamplerTest, ARecipeWithAnUnknownQuantityIsAnError) {
  on_gpu(kKernel, [] {
    const Program program;
    Recipe recipe = sampling_recipe();
    recipe.wants.front().what = "dram_reed";
    const auto sampler = Sampler::open(fake_calls(), recipe, "GH100", first_address(program.driver()));
    ASSERT_FALSE(sampler);
    EXPECT_NE(sampler.error().what.find("dram_reed"), std::string::npos);
  });
}

TEST(SamplerTest, StatisticsAreOneLine) {
  SamplerStatistics statistics;
  statistics.samples = 10;
  statistics.decode = std::chrono::microseconds(400);
  const std::string text = statistics.text();
  EXPECT_NE(text.find("per sample 40.00 us decoding"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace ridge::collectors::cupti

int main(int count, char** arguments) {
  const char* path = std::getenv("LD_LIBRARY_PATH");
  if (path == nullptr || std::string(path).rfind(RIDGE_FAKE_FOLDER, 0) != 0) {
    setenv("LD_LIBRARY_PATH", RIDGE_FAKE_FOLDER, 1);
    execv("/proc/self/exe", arguments);
    return 1;
  }
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
