// Pressure of small kernels by hand; of the lab's kernels against what launches reported
// (tests/data/h200/lab_truth.csv).
#include "emulator/exec/registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/exec/decode.h"
#include "emulator/ptx/parser.h"
#include "ridgepoint/model/occupancy.h"

namespace ridge::emulator {
namespace {

std::shared_ptr<const ptx::Module> module_of(const std::string& text) {
  auto module = ptx::parse(text);
  EXPECT_TRUE(module.has_value()) << to_string(module.error());
  return std::make_shared<const ptx::Module>(std::move(*module));
}

RegisterEstimate estimate(const std::string& text, std::string_view entry = "") {
  const auto program = decode(module_of(text), entry);
  EXPECT_TRUE(program.has_value()) << to_string(program.error());
  const auto found = estimate_registers(*program);
  EXPECT_TRUE(found.has_value()) << to_string(found.error());
  return *found;
}

const std::string kHead = ".version 9.0\n.target sm_90a\n.address_size 64\n";
const std::string kDeclarations =
    "{ .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<90>; .reg .f32 %f<90>; .reg .b64 %rd<8>;\n";

std::string kernel(const std::string& body, const std::string& directives = "") {
  return kHead + ".visible .entry k(.param .u64 p)" + directives + "\n" + kDeclarations + body + "ret; }\n";
}

// A load of `count` words that are all needed at the last.
std::string loads(int count) {
  std::string body = "ld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < count; ++i) {
    body += "ld.global.f32 %f" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  }
  for (int i = 1; i < count; ++i) body += "add.f32 %f0, %f0, %f" + std::to_string(i) + ";\n";
  return body + "st.global.f32 [%rd1], %f0;\n";
}

TEST(RegisterPressure, CountsWordsThatAreAliveAtOnce) {
  EXPECT_EQ(estimate(kernel(loads(1))).live, 1);
  EXPECT_EQ(estimate(kernel(loads(7))).live, 7);
  EXPECT_EQ(estimate(kernel(loads(80))).live, 80);
}

TEST(RegisterPressure, CountsTwoWordsOf64BitsOneOf16AndNoneOfPredicates) {
  const std::string body =
      "ld.param.u64 %rd1, [p];\n"
      "ld.global.b64 %rd2, [%rd1];\n"
      "ld.global.b16 %h1, [%rd1+8];\n"
      "ld.global.b32 %r1, [%rd1+12];\n"
      "setp.eq.u32 %p1, %r1, 0;\n"  // four words are alive before it, three behind
      "@%p1 st.global.b16 [%rd1], %h1;\n"
      "st.global.b64 [%rd1], %rd2;\n";
  EXPECT_EQ(estimate(kernel(body)).live, 4);
}

TEST(RegisterPressure, LeavesOutWhatConstantMemoryImmediatesAndUniformRegistersHold) {
  const std::string body =
      "ld.param.u64 %rd1, [p];\n"
      "cvta.to.global.u64 %rd2, %rd1;\n"
      "mov.u32 %r1, %ctaid.x;\n"
      "mov.u32 %r2, %ntid.x;\n"
      "mul.lo.s32 %r3, %r1, %r2;\n"
      "mov.u32 %r4, %tid.x;\n"  // the one register
      "mov.u32 %r5, 7;\n"
      "mul.wide.u32 %rd3, %r4, 4;\n"  // made at its use
      "add.s64 %rd4, %rd2, %rd3;\n"
      "st.global.u32 [%rd4], %r5;\n"
      "st.global.u32 [%rd2], %r3;\n";
  EXPECT_EQ(estimate(kernel(body)).live, 1);
}

TEST(RegisterPressure, KeepsWhatALoopNeedsAgain) {
  const std::string body =
      "ld.param.u64 %rd1, [p];\n"
      "ld.global.f32 %f1, [%rd1];\n"
      "ld.global.f32 %f2, [%rd1+4];\n"
      "ld.global.u32 %r1, [%rd1+8];\n"
      "again:\n"
      "ld.global.f32 %f3, [%rd1+12];\n"
      "fma.rn.f32 %f1, %f2, %f3, %f1;\n"  // with %f2, which only the next round needs, and the counter
      "add.s32 %r1, %r1, -1;\n"
      "setp.ne.s32 %p1, %r1, 0;\n"
      "@%p1 bra again;\n"
      "st.global.f32 [%rd1], %f1;\n";
  EXPECT_EQ(estimate(kernel(body)).live, 4);
}

TEST(RegisterPressure, KeepsWhatAGuardedWriteMayLeave) {
  const std::string body =
      "ld.param.u64 %rd1, [p];\n"
      "ld.global.u32 %r1, [%rd1];\n"
      "ld.global.u32 %r2, [%rd1+4];\n"
      "setp.eq.u32 %p1, %r2, 0;\n"
      "@GUARD ld.global.u32 %r1, [%rd1+8];\n"
      "st.global.u32 [%rd1], %r1;\n";
  std::string guarded = body, always = body;
  guarded.replace(guarded.find("@GUARD"), 6, "@%p1");
  always.replace(always.find("@GUARD"), 6, "");
  EXPECT_EQ(estimate(kernel(guarded)).live, 2);
  EXPECT_EQ(estimate(kernel(always)).live, 1);
}

TEST(RegisterPressure, DoesNotCountWhatNothingHasWrittenYet) {
  // On the way that writes %f1 it is read; before, it is nothing.
  const std::string body =
      "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mov.u32 %r2, %laneid;\n"
      "ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], %r2;\n";
  EXPECT_EQ(estimate(kernel(body)).live, 1);
}

TEST(RegisterPressure, FollowsEveryWayOfABranchTable) {
  const std::string body =
      "ld.param.u64 %rd1, [p];\n"
      "ld.global.u32 %r1, [%rd1];\n"
      "ld.global.u32 %r2, [%rd1+4];\n"
      "ld.global.u32 %r3, [%rd1+8];\n"
      "ways: .branchtargets first, second;\n"
      "brx.idx %r1, ways;\n"
      "first: st.global.u32 [%rd1], %r2;\n"
      "ret;\n"
      "second: st.global.u32 [%rd1], %r3;\n";
  EXPECT_EQ(estimate(kernel(body)).live, 3);
}

TEST(RegisterPressure, AddsWhatCalleesNeed) {
  const std::string text = kHead +
                           ".func (.reg .f32 %out) sum(.reg .u64 %at)\n{ .reg .f32 %g<4>;\n"
                           "ld.global.f32 %g0, [%at]; ld.global.f32 %g1, [%at+4]; ld.global.f32 %g2, [%at+8];\n"
                           "add.f32 %g0, %g0, %g1; add.f32 %out, %g0, %g2; ret; }\n"
                           ".visible .entry k(.param .u64 p)\n" +
                           kDeclarations +
                           "ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];\n"
                           "call (%f3), sum, (%rd1);\n"
                           "add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; st.global.f32 [%rd1], %f1; ret; }\n";
  // Behind the call %f1 to %f3; in it at the fullest two words and an address, which is not the caller's to fold.
  EXPECT_EQ(estimate(text).live, 3 + 4);
}

TEST(RegisterPressure, HasRoomForTheSubroutineOfADivision) {
  const std::string plain = kernel(loads(20));
  std::string divided = plain;
  divided.replace(divided.find("add.f32 %f0"), 11, "div.rn.f32 %f0");
  EXPECT_EQ(estimate(divided).live, estimate(plain).live + 14);
}

TEST(RegisterEstimates, NeverFallBelowWhatALaunchReports) {
  EXPECT_EQ(estimate(kernel("")).registers, 16);
}

TEST(RegisterEstimates, StayWithinWhatDirectivesAllow) {
  const int free = estimate(kernel(loads(80))).registers;
  EXPECT_GT(free, 80);
  EXPECT_EQ(estimate(kernel(loads(80), ".maxnreg 40")).registers, 40);
  EXPECT_EQ(estimate(kernel(loads(80), ".maxntid 1024, 1, 1")).registers, 64);
  EXPECT_EQ(estimate(kernel(loads(80), ".maxntid 16, 16, 1 .minnctapersm 5")).registers, 48);
  EXPECT_EQ(estimate(kernel(loads(80), ".reqntid 128")).registers, free);
}

TEST(RegisterEstimates, AreAllThatIsAllowedWhereWarpsGiveRegistersToEachOther) {
  const std::string body = "setmaxnreg.dec.sync.aligned.u32 40;\n" + loads(3);
  EXPECT_EQ(estimate(kernel(body, ".maxntid 384, 1, 1")).registers, 168);
  EXPECT_EQ(estimate(kernel(body, ".maxnreg 120")).registers, 120);
}

// ---- the lab

struct Reported {
  std::string kernel;
  int registers = 0;
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

std::map<std::string, int> reported() {
  std::ifstream file(RIDGE_SOURCE_DIR "/tests/data/h200/lab_truth.csv");
  std::string line;
  std::getline(file, line);
  const auto names = split(line);
  const auto column = std::find(names.begin(), names.end(), "launch__registers_per_thread") - names.begin();
  std::map<std::string, int> found;
  while (std::getline(file, line)) {
    const auto fields = split(line);
    const std::string& field = fields[static_cast<std::size_t>(column)];
    int& value = found[fields[0]];
    EXPECT_EQ(std::from_chars(field.data(), field.data() + field.size(), value).ec, std::errc()) << line;
  }
  return found;
}

int blocks(int threads, int registers) {
  OccupancyLimits limits;
  limits.max_warps_per_sm = 64;
  limits.max_blocks_per_sm = 32;
  limits.registers_per_sm = limits.max_registers_per_block = 65536;
  OccupancyRequest request;
  request.threads_per_block = threads;
  request.registers_per_thread = registers;
  const auto found = occupancy(limits, request);
  EXPECT_TRUE(found.has_value()) << to_string(found.error());
  return found->blocks_per_sm;
}

// As .maxntid says; 256 where it does not.
int threads_of(const ptx::Function& entry) {
  int threads = 256;
  for (const ptx::FunctionDirective& each : entry.directives) {
    if (each.name != "maxntid") continue;
    threads = 1;
    for (const std::uint64_t value : each.values) threads *= static_cast<int>(value);
  }
  return threads;
}

TEST(RegisterEstimates, GiveTheBlocksPerSmOfTheLabsKernels) {
  const auto truth = reported();
  int kernels = 0, right = 0;
  std::string wrong;
  for (const auto& file : std::filesystem::directory_iterator(RIDGE_SOURCE_DIR "/src/lab/ptx")) {
    if (file.path().extension() != ".ptx") continue;
    std::stringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const auto module = module_of(text.str());
    for (const ptx::Function* entry : entries(*module)) {
      const auto known = truth.find(std::string(entry->name));
      if (known == truth.end()) continue;
      Program program;
      program.module = module;
      program.functions.emplace_back().source = entry;
      const auto found = estimate_registers(program);
      ASSERT_TRUE(found.has_value()) << entry->name << ": " << to_string(found.error());
      const int threads = threads_of(*entry);
      ++kernels;
      const bool same = blocks(threads, found->registers) == blocks(threads, known->second);
      if (same) ++right;
      if (!same) wrong += known->first + " ";
      EXPECT_LE(std::abs(found->registers - known->second), std::max(16, known->second / 4)) << known->first;
    }
  }
  EXPECT_EQ(kernels, 33);
  EXPECT_GE(right, 32) << wrong;
}

}  // namespace
}  // namespace ridge::emulator
