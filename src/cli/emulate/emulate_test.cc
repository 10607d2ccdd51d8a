// `ridge emulate` over a run that is played: what is asked of the emulator, and what becomes of its answer. One test
// runs the emulator itself, so that the played answer is one that it gives.
#include "cli/emulate/emulate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/parser.h"
#include "emulator/job/npy.h"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// y[i] = a * y[i], for i < n
constexpr const char* kScale = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 p, .param .f32 a, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.f32 %f1, [a];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f2, [%rd3];
    mul.rn.f32 %f3, %f1, %f2;
    st.global.f32 [%rd3], %f3;
DONE:
    ret;
}
)";

/// What the command asked for; a request's references do not outlive the call.
struct Asked {
  emulator::RunOptions options;
  Dim3 grid, block;
  std::string machine, path, kernel;
  bool progress = false;
};

class EmulateTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("ridge-emulate-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    write("scale.ptx", kScale);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  /// The words behind `ridge emulate scale.ptx`.
  Result<int> run(std::vector<std::string> words, const RunJob& job) {
    out_.str("");
    err_.str("");
    CommandSpec spec;
    spec.name = "emulate";
    spec.flags = emulate_flags();
    spec.positionals = {{"FILE", "PTX.", 1, 1}};
    words.insert(words.begin(), path("scale.ptx"));
    const auto arguments = parse(spec, words);
    if (!arguments) return fail(arguments.error());
    return emulate_kernel(*arguments, context_, job);
  }

  Result<int> play(const std::vector<std::string>& words) {
    return run(words, [this](const emulator::RunRequest& request) -> Result<emulator::RunResult> {
      asked_ = {request.options,
                request.job.grid,
                request.job.block,
                request.machine.id,
                request.path,
                request.job.kernel,
                static_cast<bool>(request.progress)};
      if (error_) return fail(*error_);
      return answer_;
    });
  }

  static std::vector<std::string> launch(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"--on", "h200-sxm", "--grid", "ceil(n/64)", "--block", "64", "--set", "n=100"};
    for (const char* each : {"f32:n:2", "3", "n"}) words.insert(words.end(), {"--arg", each});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// The same with another buffer.
  static std::vector<std::string> with_buffer(const std::string& buffer) {
    auto words = launch();
    words.at(9) = buffer;
    return words;
  }
  static std::vector<std::byte> floats(std::size_t count, float value) {
    std::vector<std::byte> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(&bytes[4 * i], &value, 4);
    return bytes;
  }

  fs::path folder_;
  std::ostringstream out_, err_;
  Context context_{out_, err_};
  emulator::RunResult answer_;
  std::optional<Error> error_;
  std::optional<Asked> asked_;
};

TEST_F(EmulateTest, TheLineBecomesALaunchOnTheMachine) {
  const auto status = play(launch());
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_EQ(*status, 0);
  ASSERT_TRUE(asked_);
  EXPECT_EQ(asked_->grid.x, 2U);
  EXPECT_EQ(asked_->block.x, 64U);
  EXPECT_EQ(asked_->machine, "h200-sxm");
  EXPECT_EQ(asked_->kernel, "scale");
  EXPECT_EQ(asked_->path, path("scale.ptx"));
  EXPECT_EQ(asked_->options.extent, emulator::Extent::kAuto);
  EXPECT_EQ(asked_->options.budget.count(), 10);
  EXPECT_EQ(asked_->options.workers, 0U);
  EXPECT_TRUE(asked_->options.checks);
  EXPECT_FALSE(asked_->options.skip_unsupported);
}

TEST_F(EmulateTest, FlagsReachTheEmulator) {
  ASSERT_TRUE(play(launch({"--sample", "--budget", "2s", "--workers", "3", "--no-checks", "--skip-unsupported"})));
  EXPECT_EQ(asked_->options.extent, emulator::Extent::kSample);
  EXPECT_EQ(asked_->options.budget.count(), 2);
  EXPECT_EQ(asked_->options.workers, 3U);
  EXPECT_FALSE(asked_->options.checks);
  EXPECT_TRUE(asked_->options.skip_unsupported);
  ASSERT_TRUE(play(launch({"--whole"})));
  EXPECT_EQ(asked_->options.extent, emulator::Extent::kWhole);
}

TEST_F(EmulateTest, ResultsThatAreKeptNeedTheWholeGrid) {
  answer_.buffers = {floats(100, 6)};
  ASSERT_TRUE(play(with_buffer("f32:n:2:expect=6")));
  EXPECT_EQ(asked_->options.extent, emulator::Extent::kWhole);
  auto words = with_buffer("f32:n:2:expect=6");
  words.emplace_back("--sample");
  const auto status = play(words);
  ASSERT_FALSE(status);
  EXPECT_EQ(to_string(status.error()),
            "a sample has no results to save or to compare (--sample): leave it out, or save and expect nothing");
}

TEST_F(EmulateTest, ProgressIsForTerminals) {
  ASSERT_TRUE(play(launch()));
  EXPECT_FALSE(asked_->progress);
  context_.err_is_terminal = true;
  ASSERT_TRUE(play(launch()));
  EXPECT_TRUE(asked_->progress);
}

TEST_F(EmulateTest, MistakesOfTheLineStartNothing) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "the machine is missing (--on)"},
      {{"--on", "h200-sxm"}, "the grid is missing (--grid)"},
      {launch({"--whole", "--sample"}), "the whole grid and a sample of it"},
      {launch({"--workers", "0"}), "'0' is not a number of threads from 1 to 1024 (--workers)"},
      {launch({"--workers", "3x"}), "'3x' is not a number of threads"},
      {launch({"--budget", "0s"}), "'0s' is not a time that can be used (--budget)"},
      {launch({"--arg", "1"}), "has 3 parameters and 4 arguments are given"},
      {launch({"--kernel", "scal"}), "did you mean scale?"},
      {launch({"--compile-option=-O3"}), "PTX is not compiled (--compile-option)"},
      {launch({"--save", path("no/such/folder.ridge")}), "folder"},
      {with_buffer("f32:n:2:save=" + path("no/such/y.npy")), "create the folder first"},
  };
  for (const auto& [words, text] : cases) {
    const auto status = play(words);
    ASSERT_FALSE(status) << text;
    EXPECT_NE(to_string(status.error()).find(text), std::string::npos) << to_string(status.error());
    EXPECT_EQ(status.error().code, ErrorCode::kUsage) << text;
    EXPECT_FALSE(asked_) << text;
  }
}

TEST_F(EmulateTest, MachinesOfOthersAreRefused) {
  auto words = launch();
  words.at(1) = "mi300x";
  const auto status = play(words);
  ASSERT_FALSE(status);
  EXPECT_EQ(to_string(status.error()), "mi300x does not run PTX (--on): name an NVIDIA GPU (`ridge machines list`)");
}

TEST_F(EmulateTest, AnErrorInTheCodeNamesTheFile) {
  error_ = not_available("'tex' is not emulated", "line 9, column 5", "leave it out");
  const auto status = play(launch());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, path("scale.ptx") + ", line 9, column 5");
  EXPECT_EQ(status.error().remedy, "leave it out; --skip-unsupported goes on over single instructions");
}

TEST_F(EmulateTest, AnErrorElsewhereStaysAsItIs) {
  error_ = not_available("no memory for 16 bytes of 'argument 1'", "", "emulate a smaller size");
  const auto status = play(launch());
  ASSERT_FALSE(status);
  EXPECT_EQ(to_string(status.error()), "no memory for 16 bytes of 'argument 1': emulate a smaller size");
}

TEST_F(EmulateTest, WhatTheKernelPrintedGoesToStandardError) {
  answer_.printed = "n is 3";
  ASSERT_TRUE(play(launch()));
  EXPECT_EQ(err_.str(), "n is 3\n");
  EXPECT_EQ(out_.str().find("n is 3"), std::string::npos);
}

TEST_F(EmulateTest, FindingsAreStatusOneAndToldOnce) {
  answer_.findings = {{"a race", false}, {"out of bounds", true}};
  const auto read = play(launch());
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, 1);
  EXPECT_EQ(err_.str(), "");  // the report, which is read there, has them as issues
  ASSERT_TRUE(play(launch({"-o", "-"})));
  EXPECT_EQ(err_.str(), "");
  const auto json = play(launch({"--format", "json"}));
  ASSERT_TRUE(json);
  EXPECT_EQ(*json, 1);
  EXPECT_EQ(err_.str(), "ridge: a race\nridge: out of bounds; the kernel stopped there\n");
  ASSERT_TRUE(play(launch({"-o", path("report.txt")})));
  EXPECT_EQ(err_.str(), "ridge: a race\nridge: out of bounds; the kernel stopped there\n");
}

TEST_F(EmulateTest, AResultThatIsNotAsExpectedIsStatusOne) {
  answer_.buffers = {floats(100, 6)};
  const auto right = play(with_buffer("f32:n:2:expect=6"));
  ASSERT_TRUE(right);
  EXPECT_EQ(*right, 0);
  EXPECT_NE(err_.str().find("all 100 elements are as expected"), std::string::npos) << err_.str();
  const auto wrong = play(with_buffer("f32:n:2:expect=7"));
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, 1);
  EXPECT_NE(err_.str().find("100 of 100 elements differ, the first at 0: 6 instead of 7"), std::string::npos)
      << err_.str();
}

TEST_F(EmulateTest, ResultsAreSavedAsTheKernelLeftThem) {
  answer_.buffers = {floats(100, 6)};
  ASSERT_TRUE(play(with_buffer("f32:n:2:save=" + path("y.npy"))));
  std::ifstream file(path("y.npy"), std::ios::binary);
  const auto array = emulator::parse_npy({std::istreambuf_iterator<char>(file), {}}, "y.npy");
  ASSERT_TRUE(array) << to_string(array.error());
  EXPECT_EQ(array->shape, std::vector<std::uint64_t>{100});
  const auto expected = floats(100, 6);
  EXPECT_TRUE(std::equal(array->data().begin(), array->data().end(), expected.begin(), expected.end()));
}

TEST_F(EmulateTest, WithoutAnEndThereAreNoResults) {
  answer_.findings = {{"out of bounds", true}};
  const auto status = play(with_buffer("f32:n:2:save=" + path("y.npy")));
  ASSERT_FALSE(status);
  EXPECT_NE(to_string(status.error()).find("neither saved nor compared"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("y.npy")));
}

TEST_F(EmulateTest, ATemplateIsAJobThatRuns) {
  ASSERT_TRUE(play({"--template", "-o", path("job.toml")}));
  EXPECT_FALSE(asked_);
  const auto status = play({"--on", "l40s", "--job", path("job.toml"), "--set", "n=1000"});
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_EQ(asked_->grid.x, 4U);  // of 256 threads each
  EXPECT_EQ(asked_->machine, "l40s");
}

TEST_F(EmulateTest, TheEmulatorCountsTheKernelAndItsReportIsKept) {
  auto words = with_buffer("f32:n:2:expect=6");
  words.insert(words.end(), {"--format", "json", "--save", path("run.ridge"), "--workers", "1"});
  const auto status = run(words, emulator::run);
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_EQ(*status, 0) << err_.str();
  const auto report = nlohmann::json::parse(out_.str());
  const auto& kernel = report.at("kernels").at(0);
  EXPECT_EQ(kernel.at("name"), "scale");
  EXPECT_EQ(kernel.at("flops").at("fp32"), 100);
  EXPECT_EQ(kernel.at("provenance").at("flops.fp32"), "counted");
  EXPECT_EQ(kernel.at("provenance").at("duration_s"), "modelled");
  EXPECT_EQ(kernel.at("provenance").at("bytes.dram_read"), "modelled");
  EXPECT_EQ(report.at("machines").at(0).at("id"), "h200-sxm");
  EXPECT_TRUE(fs::exists(path("run.ridge")));
}

}  // namespace
}  // namespace ridge::cli
