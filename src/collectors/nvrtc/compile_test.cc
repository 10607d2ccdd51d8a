// Which compiler is asked, and what is made of its answers. NVRTC is played by functions of this file, nvcc by a
// script; where the real NVRTC can be loaded, one test asks it.
#include "collectors/nvrtc/compile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "collectors/nvrtc/nvcc.h"

namespace ridge::collectors::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPtx = ".version 8.0\n";
constexpr const char* kLog = "a.cu(1): error: what is this\n";

struct Played {
  Status answer = kSuccess;
  std::vector<std::string> options;
  std::string expression;
  int programs = 0;
};
Played played;

void put(const char* text, char* to) {
  std::memcpy(to, text, std::strlen(text) + 1);
}

Calls played_calls() {
  played = {};
  Calls calls;
  calls.version = [](int* major, int* minor) { return *major = 13, *minor = 0, kSuccess; };
  calls.error = [](Status) { return "NVRTC_ERROR_INVALID_OPTION"; };
  calls.architecture_count = [](int* count) { return *count = 3, kSuccess; };
  calls.architectures = [](int* known) { return known[0] = 75, known[1] = 80, known[2] = 90, kSuccess; };
  calls.create = [](ProgramHandle* handle, const char*, const char*, int, const char* const*, const char* const*) {
    ++played.programs;
    return *handle = nullptr, kSuccess;
  };
  calls.destroy = [](ProgramHandle*) { return --played.programs, kSuccess; };
  calls.compile = [](ProgramHandle, int count, const char* const* options) {
    played.options.assign(options, options + count);
    return played.answer;
  };
  calls.ptx_size = [](ProgramHandle, std::size_t* size) { return *size = std::strlen(kPtx) + 1, kSuccess; };
  calls.ptx = [](ProgramHandle, char* to) { return put(kPtx, to), kSuccess; };
  calls.log_size = [](ProgramHandle, std::size_t* size) { return *size = std::strlen(kLog) + 1, kSuccess; };
  calls.log = [](ProgramHandle, char* to) { return put(kLog, to), kSuccess; };
  calls.add_name = [](ProgramHandle, const char* name) { return played.expression = name, kSuccess; };
  calls.lowered_name = [](ProgramHandle, const char*, const char** name) { return *name = "_Z1fILi4EEvv", kSuccess; };
  return calls;
}

Error no_nvrtc() {
  return not_available("no NVRTC", "", "install it");
}

class CompileTest : public ::testing::Test {
 protected:
  CompileTest() : folder_(fs::temp_directory_path() / ("ridge_nvrtc_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "tmp");
    environment_ = {{"PATH", folder_.string() + ":/usr/bin:/bin"}, {"TMPDIR", (folder_ / "tmp").string()}};
    source_.path = (folder_ / "a.cu").string();
    source_.capability = "9.0";
    write("a.cu", "__global__ void f() {}\n");
  }
  ~CompileTest() override { fs::remove_all(folder_); }
  CompileTest(const CompileTest&) = delete;
  CompileTest& operator=(const CompileTest&) = delete;

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  /// A script in PATH.
  std::string nvcc(const std::string& body) {
    write("nvcc", "#!/bin/sh\n" + body);
    fs::permissions(folder_ / "nvcc", fs::perms::owner_all);
    return (folder_ / "nvcc").string();
  }

  fs::path folder_;
  Environment environment_;
  Source source_;
};

bool has(const std::vector<std::string>& options, const std::string& option) {
  return std::find(options.begin(), options.end(), option) != options.end();
}

TEST(CudaSourceTest, PtxIsToldFromCudaByItsFirstDirective) {
  EXPECT_TRUE(is_ptx("// by nvcc\n/* 13.0 */\n\n.version 8.0\n"));
  EXPECT_TRUE(is_ptx("\xEF\xBB\xBF.version 8.0"));
  EXPECT_FALSE(is_ptx("__global__ void f() {} // .version"));
  EXPECT_FALSE(is_ptx("/* .version 8.0"));
  EXPECT_FALSE(is_ptx(""));
}

TEST(CudaSourceTest, HostCodeIsAMainOrALaunch) {
  EXPECT_TRUE(has_host_code("int main (int argc) {}"));
  EXPECT_TRUE(has_host_code("void go() { f<<<1, 2>>>(); }"));
  EXPECT_FALSE(has_host_code("__global__ void remain(int main_loop) { domain(3); }"));
}

TEST(CudaSourceTest, ArchitecturesAreNumbers) {
  EXPECT_EQ(architecture_number("9.0"), "90");
  EXPECT_EQ(architecture_number("12.0"), "120");
  EXPECT_EQ(architecture_number("gfx942"), "");
  EXPECT_TRUE(names_architecture({"--use_fast_math", "-arch=sm_90a"}));
  EXPECT_FALSE(names_architecture({"--use_fast_math"}));
}

TEST_F(CompileTest, DeviceCodeGoesToNvrtcWithLinesAndTheMachinesArchitecture) {
  source_.options = {"--use_fast_math"};
  const auto outcome = compile(source_, {played_calls(), "", {}}, environment_);
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error().error);
  EXPECT_EQ(outcome->ptx, kPtx);
  EXPECT_EQ(outcome->compiler, "NVRTC 13.0");
  EXPECT_TRUE(has(played.options, "-lineinfo"));
  EXPECT_TRUE(has(played.options, "--gpu-architecture=compute_90"));
  EXPECT_TRUE(has(played.options, "-I" + folder_.string()));
  EXPECT_EQ(played.options.back(), "--use_fast_math");
  EXPECT_EQ(played.programs, 0);
}

TEST_F(CompileTest, AnArchitectureThatNvrtcLacksBecomesTheNearest) {
  for (const auto& [wanted, given] : {std::pair("8.9", "80"), std::pair("12.0", "90"), std::pair("6.0", "75")}) {
    source_.capability = wanted;
    (void)compile(source_, {played_calls(), "", {}}, environment_);
    EXPECT_TRUE(has(played.options, std::string("--gpu-architecture=compute_") + given)) << wanted;
  }
  source_.options = {"--gpu-architecture=compute_90a"};
  (void)compile(source_, {played_calls(), "", {}}, environment_);
  EXPECT_FALSE(has(played.options, "--gpu-architecture=compute_75"));
}

TEST_F(CompileTest, ATemplateIsInstantiatedByItsName) {
  source_.kernel = "f<4>";
  const auto outcome = compile(source_, {played_calls(), "", {}}, environment_);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(played.expression, "f<4>");
  EXPECT_EQ(outcome->kernel, "_Z1fILi4EEvv");
}

TEST_F(CompileTest, ErrorsInTheCodeAreBadInputWithTheCompilersText) {
  const Calls calls = played_calls();
  played.answer = kCompilation;
  const auto outcome = compile(source_, {calls, "", {}}, environment_);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kBadInput);
  EXPECT_EQ(outcome.error().log, kLog);
  EXPECT_EQ(played.programs, 0);
}

TEST_F(CompileTest, WholeProgramsGoToNvcc) {
  source_.text = "int main() {}";
  const std::string script = nvcc(
      "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; echo \"$1\" >> \"$TMPDIR/../../words\"; shift; done\n"
      "echo warning: odd >&2; echo .version 8.1 > \"$out\"\n");
  const auto outcome = compile(source_, {played_calls(), script, {}}, environment_);
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error().error) << outcome.error().log;
  EXPECT_EQ(outcome->ptx, ".version 8.1\n");
  EXPECT_EQ(outcome->compiler, script);
  EXPECT_EQ(outcome->log, "warning: odd\n");
  EXPECT_TRUE(played.options.empty());
  std::ifstream file(folder_ / "words");
  const std::vector<std::string> words(std::istream_iterator<std::string>(file), {});
  EXPECT_TRUE(has(words, "-ptx"));
  EXPECT_TRUE(has(words, "-lineinfo"));
  EXPECT_TRUE(has(words, "-arch=sm_90"));
  EXPECT_EQ(words.back(), source_.path);
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
}

TEST_F(CompileTest, WhatNvrtcDoesNotCompileNvccMayCompile) {
  const std::string script = nvcc("while [ \"$1\" != -o ]; do shift; done; echo .version 8.1 > \"$2\"\n");
  const Calls calls = played_calls();
  played.answer = kCompilation;
  const auto outcome = compile(source_, {calls, script, {}}, environment_);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->compiler, script);
}

TEST_F(CompileTest, NvccsErrorsAreShownAndNothingIsLeft) {
  const std::string script = nvcc("echo 'a.cu(1): error: no'; touch \"$TMPDIR/rest\"; exit 2\n");
  const auto outcome = compile(source_, {fail(no_nvrtc()), script, {}}, environment_);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kBadInput);
  EXPECT_EQ(outcome.error().log, "a.cu(1): error: no\n");
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
}

TEST_F(CompileTest, AnNvccThatIsKilledIsNoFaultOfTheCode) {
  const auto outcome = compile(source_, {fail(no_nvrtc()), nvcc("kill -9 $$\n"), {}}, environment_);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kInternal);
  EXPECT_EQ(outcome.error().error.what, "nvcc was ended by signal 9");
}

TEST_F(CompileTest, WithoutACompilerItSaysWhatToInstall) {
  const auto outcome = compile(source_, {fail(no_nvrtc()), "", {}}, environment_);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kNotAvailable);
  EXPECT_EQ(outcome.error().error.what, "there is no compiler here for CUDA C++, neither NVRTC nor nvcc");
}

TEST_F(CompileTest, AWholeProgramWithoutNvccSaysThatItIsNeeded) {
  source_.text = "int main() {}";
  const Calls calls = played_calls();
  played.answer = kCompilation;
  const auto outcome = compile(source_, {calls, "", {}}, environment_);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::kNotAvailable);
}

TEST_F(CompileTest, NvccIsLookedForInPathFirst) {
  const std::string script = nvcc("exit 0\n");
  fs::create_directories(folder_ / "kit" / "bin");
  EXPECT_EQ(find_nvcc(environment_, {(folder_ / "kit").string()}), script);
  fs::rename(folder_ / "nvcc", folder_ / "kit" / "bin" / "nvcc");
  EXPECT_EQ(find_nvcc(environment_, {(folder_ / "kit").string()}), (folder_ / "kit" / "bin" / "nvcc").string());
  fs::permissions(folder_ / "kit" / "bin" / "nvcc", fs::perms::owner_read);
  environment_["PATH"] = "";
  EXPECT_FALSE(find_nvcc(environment_, {(folder_ / "kit").string()}).has_value());
  EXPECT_FALSE(find_nvcc(environment_, {}).has_value());
}

TEST_F(CompileTest, TheRealNvrtcMakesPtxWithLines) {
  const auto calls = load_calls(toolkit_folders({}));
  if (!calls) GTEST_SKIP() << to_string(calls.error());
  source_.text = "template <int N> __global__ void scale(float* x) { x[threadIdx.x] *= N; }\n";
  source_.kernel = "scale<4>";
  const auto outcome = compile(source_, {*calls, "", toolkit_folders({})}, environment_);
  ASSERT_TRUE(outcome.has_value()) << to_string(outcome.error().error) << outcome.error().log;
  EXPECT_TRUE(is_ptx(outcome->ptx)) << outcome->ptx;
  EXPECT_NE(outcome->ptx.find(".entry " + outcome->kernel), std::string::npos) << outcome->ptx;
  EXPECT_NE(outcome->ptx.find(".loc"), std::string::npos);
  source_.text = "__global__ void broken() { nonsense; }\n";
  source_.kernel.clear();
  const auto broken = compile(source_, {*calls, "", {}}, environment_);
  ASSERT_FALSE(broken.has_value());
  EXPECT_NE(broken.error().log.find("nonsense"), std::string::npos);
}

}  // namespace
}  // namespace ridge::collectors::nvrtc
