#include "emulator/job/bind.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "emulator/ptx/parser.h"

namespace ridge::emulator {
namespace {

constexpr const char* kModule = R"(
.version 7.4
.target sm_80
.address_size 64
.visible .entry saxpy(
  .param .u64 saxpy_param_0, .param .u64 saxpy_param_1, .param .f32 saxpy_param_2, .param .u32 saxpy_param_3)
.maxntid 256, 1, 1
{
  .reg .b64 %rd<9>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [saxpy_param_0];
  ld.param.u64 %rd2, [saxpy_param_1];
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  add.s64 %rd5, %rd3, 4;
  ld.global.f32 %f1, [%rd5];
  st.global.f32 [%rd4], %f1;
  ret;
}
.visible .entry _Z5countILi4EEv6Nested(
  .param .align 8 .b8 nested[24], .param .b32 flag)
.reqntid 64, 2, 1
{
  ret;
}
)";

const ptx::Module& module() {
  static const ptx::Module parsed = *ptx::parse(kModule);
  return parsed;
}

JobDraft draft_of(const std::vector<std::string>& arguments) {
  JobDraft draft;
  draft.kernel = Text{"saxpy", "--kernel"};
  draft.grid = Text{"ceil(n/256)", "--grid"};
  draft.block = Text{"256", "--block"};
  draft.names = {{"n", {"1000", "--set"}}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto argument = parse_argument(arguments[i], "--arg " + std::to_string(i + 1));
    EXPECT_TRUE(argument.has_value()) << to_string(argument.error());
    if (argument) draft.arguments.push_back(*std::move(argument));
  }
  return draft;
}

std::string problem(const JobDraft& draft) {
  const auto job = bind_job(module(), draft);
  return job ? "none" : to_string(job.error());
}

JobDraft nested(const std::string& argument, const std::string& flag = "1") {
  JobDraft draft = draft_of({argument, flag});
  draft.kernel->text = "count";
  draft.block.reset();
  return draft;
}

TEST(BindTest, ArgumentsTakeTheTypesOfTheKernel) {
  const auto job = bind_job(module(), draft_of({"f32:n:random", "f32:n", "2.5", "-1"}));
  ASSERT_TRUE(job.has_value()) << to_string(job.error());
  EXPECT_EQ(job->kernel, "saxpy");
  EXPECT_EQ(job->grid, (Dim3{4, 1, 1}));
  ASSERT_EQ(job->arguments.size(), 4U);
  ASSERT_EQ(job->buffers.size(), 2U);
  EXPECT_EQ(job->arguments[1].pointers.at(0).buffer, 1U);
  EXPECT_EQ(job->arguments[0].bytes.size(), 8U);
  EXPECT_EQ(value_of(ElementType::kF32, load(ElementType::kF32, job->arguments[2].bytes, 0)), 2.5);
  EXPECT_EQ(load(ElementType::kU32, job->arguments[3].bytes, 0), 0xFFFFFFFFU);
  EXPECT_EQ(job->buffers[0].initial.kind, InitialKind::kRandom);
  EXPECT_EQ(job->buffers[1].initial.kind, InitialKind::kPoison);  // the kernel only writes it
  EXPECT_NE(job->buffers[0].initial.seed, job->buffers[1].initial.seed);
}

TEST(BindTest, OneBufferMayBeTwoArguments) {
  const auto job = bind_job(module(), draft_of({"f32:n:0", "@1", "1", "n"}));
  ASSERT_TRUE(job.has_value()) << to_string(job.error());
  EXPECT_EQ(job->buffers.size(), 1U);
  EXPECT_EQ(job->arguments[1].pointers.at(0).buffer, 0U);
  EXPECT_EQ(problem(draft_of({"f32:n:0", "@2", "1", "n"})),
            "'@2' names no earlier argument that is a buffer (--arg 2): write the number of one, counted from 1");
}

TEST(BindTest, StructuresAreLaidOutAsCDoes) {
  const auto job = bind_job(module(), nested("{u8=7, f64=2, u16=3}"));
  ASSERT_TRUE(job.has_value()) << to_string(job.error());
  EXPECT_EQ(job->kernel, "_Z5countILi4EEv6Nested");
  EXPECT_EQ(job->block, (Dim3{64, 2, 1}));
  const auto& bytes = job->arguments[0].bytes;
  ASSERT_EQ(bytes.size(), 24U);
  EXPECT_EQ(bytes[0], std::byte{7});
  EXPECT_EQ(value_of(ElementType::kF64, load(ElementType::kF64, bytes, 1)), 2);
  EXPECT_EQ(load(ElementType::kU16, bytes, 8), 3U);
  const auto with_pointer = bind_job(module(), nested("{u64=1, f32:4:0, u64=2}"));
  ASSERT_TRUE(with_pointer.has_value()) << to_string(with_pointer.error());
  EXPECT_EQ(with_pointer->arguments[0].pointers.at(0).offset, 8U);
  EXPECT_EQ(problem(nested("{u8=7}")),
            "fields of 1 bytes for parameter 1: structure of 24 bytes, which has 24 bytes (--arg 1): give a type of "
            "that width");
}

TEST(BindTest, ParametersOfBitsAskForAType) {
  EXPECT_EQ(problem(nested("hex:" + std::string(48, 'a'), "f32=2.5")), "none");
  EXPECT_EQ(problem(nested("hex:" + std::string(48, 'a'), "2.5")),
            "2.5 is no number that b32 can hold (--arg 2): say how to write it, e.g. f32=2.5");
}

TEST(BindTest, WrongArgumentsAreErrorsWithTheParameter) {
  EXPECT_EQ(problem(draft_of({})),
            "the kernel 'saxpy' has 4 parameters and 0 arguments are given (--arg): they are 1: pointer to f32, read; "
            "2: pointer to f32, written; 3: f32; 4: u32; --template writes a job to start from");
  EXPECT_EQ(problem(draft_of({"f32:4", "f32:4", "1", "2", "3"})).substr(0, 75),
            "the kernel 'saxpy' has 4 parameters and 5 arguments are given (--arg 5): th");
  EXPECT_EQ(problem(draft_of({"f32:4", "f32:4", "f32:4", "2"})),
            "a buffer for parameter 3: f32 (--arg 3): give a number; only 64-bit parameters are pointers");
  EXPECT_EQ(problem(draft_of({"1024", "f32:4", "1", "2"})),
            "a number for parameter 1: pointer to f32, read (--arg 1): give a buffer, e.g. f32:n:random, or null");
  EXPECT_EQ(problem(draft_of({"null", "f32:4", "1", "2"})), "none");
  EXPECT_EQ(problem(draft_of({"f32:4", "f32:4", "1", "2.5"})),
            "2.5 is no number that u32 can hold (--arg 4): say how to write it, e.g. f32=2.5");
  EXPECT_EQ(problem(draft_of({"f32:4", "f32:4", "f64=1", "2"})),
            "f64 for parameter 3: f32, which has 4 bytes (--arg 3): give a type of that width");
  EXPECT_EQ(problem(draft_of({"f32:0", "f32:4", "1", "2"})),
            "a buffer has no elements (--arg 1): give it 1 or more, or pass null");
  EXPECT_EQ(problem(draft_of({"u8:4:300", "f32:4", "1", "2"})),
            "300 is no number that u8 can hold (--arg 1): write another number, or another type");
  EXPECT_EQ(problem(draft_of({"f32:4:random(1,1)", "f32:4", "1", "2"})),
            "nothing lies from 1 to below 1 (--arg 1): write random(LOW,HIGH) with the lower bound first");
}

TEST(BindTest, ShapesThatCannotBeAreErrors) {
  JobDraft draft = draft_of({"f32:4", "f32:4", "1", "2"});
  draft.block->text = "32x16";
  EXPECT_EQ(problem(draft), "the kernel was compiled for at most 256 threads a block (--block): give a smaller block");
  draft.block.reset();
  EXPECT_EQ(problem(draft),
            "the block size is missing (--block): give its threads, e.g. --block 256 (this kernel was "
            "compiled for at most 256)");
  draft.grid.reset();
  EXPECT_EQ(problem(draft), "the grid is missing (--grid): give its blocks, e.g. --grid 4096 or --grid 64x64");
  draft = draft_of({"f32:4", "f32:4", "1", "2"});
  draft.cluster = Text{"3", "--cluster"};
  EXPECT_EQ(problem(draft),
            "a grid of 4x1x1 is not made of clusters of 3x1x1 (--grid): give a multiple in each direction");
  draft.cluster.reset();
  draft.dynamic_shared = Text{"48KiB", "--dynamic-shared"};
  EXPECT_EQ(bind_job(module(), draft)->dynamic_shared, 49152U);
}

TEST(BindTest, MachinesRefuseWhatTheyCannotRun) {
  JobDraft draft = draft_of({"f32:4", "f32:4", "1", "2"});
  draft.dynamic_shared = Text{"100000", "--dynamic-shared"};
  draft.cluster = Text{"2", "--cluster"};
  const auto job = bind_job(module(), draft);
  ASSERT_TRUE(job.has_value()) << to_string(job.error());
  Machine machine;
  machine.id = "small";
  machine.compute_capability = "9.0";
  machine.occupancy.shared_bytes_per_block = 100000;
  EXPECT_TRUE(check_on(*job, machine).has_value());
  machine.occupancy.shared_bytes_per_block = 99999;
  EXPECT_FALSE(check_on(*job, machine).has_value());
  machine.occupancy.shared_bytes_per_block = 100000;
  machine.compute_capability = "8.9";
  EXPECT_FALSE(check_on(*job, machine).has_value());
}

TEST(BindTest, KernelsAreFoundByTheirNamesInTheSource) {
  for (const char* name : {"saxpy", "_Z5countILi4EEv6Nested", "count", "count<4>"}) {
    EXPECT_TRUE(find_kernel(module(), name).has_value()) << name;
  }
  EXPECT_EQ(to_string(find_kernel(module(), "saxpi").error()),
            "there is no kernel 'saxpi' (--kernel): did you mean saxpy?");
  EXPECT_EQ(to_string(find_kernel(module(), "").error()),
            "there are 2 kernels and none is named (--kernel): name one of saxpy, _Z5countILi4EEv6Nested");
}

TEST(BindTest, ATemplateIsAJob) {
  for (const char* name : {"saxpy", "count"}) {
    const auto text = job_template(**find_kernel(module(), name), "k.ptx");
    ASSERT_TRUE(text.has_value());
    const auto draft = parse_job(*text, "job.toml");
    ASSERT_TRUE(draft.has_value()) << to_string(draft.error());
    EXPECT_EQ(problem(*draft), "none") << *text;
  }
}

class BindFileTest : public ::testing::Test {
 protected:
  BindFileTest() : folder_(std::filesystem::temp_directory_path() / ("ridge_bind_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~BindFileTest() override { std::filesystem::remove_all(folder_); }
  BindFileTest(const BindFileTest&) = delete;
  BindFileTest& operator=(const BindFileTest&) = delete;

  void write(const std::string& name, ElementType type, const std::vector<std::uint64_t>& shape,
             const std::vector<double>& values) {
    std::vector<std::byte> data(values.size() * size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) store(type, data, i, *bits_of(type, Number::of(values[i])));
    std::ofstream(folder_ / name, std::ios::binary) << encode_npy(type, shape, data);
  }

  std::filesystem::path folder_;
};

TEST_F(BindFileTest, AFileGivesTypeLengthAndShape) {
  write("a.npy", ElementType::kF64, {2, 2}, {1, 2, 3, 4});
  JobDraft draft = draft_of({"a.npy", "f32::a.npy", "1", "2"});
  for (auto& argument : draft.arguments) argument.folder = folder_.string();
  const auto job = bind_job(module(), draft);
  ASSERT_TRUE(job.has_value()) << to_string(job.error());
  EXPECT_EQ(job->buffers[0].type, ElementType::kF64);
  EXPECT_EQ(job->buffers[1].type, ElementType::kF32);
  EXPECT_EQ(job->buffers[1].count, 4U);
  EXPECT_EQ(job->buffers[1].shape, (std::vector<std::uint64_t>{2, 2}));
}

TEST_F(BindFileTest, AFileThatDoesNotFitIsAnError) {
  write("a.npy", ElementType::kF64, {3}, {1, 2.5, 1e300});
  const auto problem_of = [&](const std::string& argument) {
    JobDraft draft = draft_of({argument, "f32:4", "1", "2"});
    for (auto& each : draft.arguments) each.folder = folder_.string();
    return problem(draft);
  };
  EXPECT_EQ(problem_of("f32:4:a.npy"),
            "the file has 3 elements and the buffer 4 (--arg 1): leave out the number, or correct it");
  EXPECT_EQ(problem_of("f32::a.npy"),
            "element 2 of the file: 1e+300 is no number that f32 can hold (--arg 1): write another number, or another "
            "type");
  EXPECT_EQ(problem_of("i32::a.npy").substr(0, 26), "element 1 of the file: 2.5");
  EXPECT_EQ(problem_of("b32::a.npy"), "the file holds f64 and the buffer b32 (--arg 1): give both the same width");
  EXPECT_NE(problem_of("b.npy").find("b.npy"), std::string::npos);
  EXPECT_EQ(problem_of("f64:3:0:expect=a.npy:tolerance=-1"),
            "'-1' is no tolerance (--arg 1): write 0 or more, e.g. 1e-5");
}

}  // namespace
}  // namespace ridge::emulator
