#include "emulator/job/draft.h"

#include <gtest/gtest.h>

namespace ridge::emulator {
namespace {

using Kind = ArgumentDraft::Kind;

ArgumentDraft parsed(std::string_view text) {
  const auto draft = parse_argument(text, "--arg 1");
  EXPECT_TRUE(draft.has_value()) << text << ": " << to_string(draft.error());
  return draft.value_or(ArgumentDraft());
}

std::string problem(std::string_view text) {
  const auto draft = parse_argument(text, "--arg 1");
  return draft ? "none" : to_string(draft.error());
}

TEST(ArgumentDraftTest, TellsItsKindsApart) {
  EXPECT_EQ(parsed("2.5").kind, Kind::kScalar);
  EXPECT_EQ(parsed("n*n").text, "n*n");
  EXPECT_EQ(parsed("null").text, "0");
  EXPECT_EQ(parsed("f32 = 2.5").type, "f32");
  EXPECT_EQ(parsed("hex:00 ff").text, "00ff");
  EXPECT_EQ(parsed("hex:00 ff").kind, Kind::kBytes);
  EXPECT_EQ(parsed("@2").kind, Kind::kSame);
  EXPECT_EQ(parsed("f32:n").kind, Kind::kBuffer);
  const ArgumentDraft structure = parsed("{f32=2.5, u8:n:max(1,2), u32=n}");
  EXPECT_EQ(structure.kind, Kind::kStructure);
  ASSERT_EQ(structure.fields.size(), 3U);
  EXPECT_EQ(structure.fields[1].buffer.initial, "max(1,2)");
  EXPECT_EQ(structure.fields[2].where, "--arg 1, field 3");
}

TEST(ArgumentDraftTest, BuffersHaveContentsAndOptions) {
  const BufferDraft whole = parsed("f16:n*n:random(-1,1):seed=7:save=c.npy:expect=r.npy:tolerance=1e-3").buffer;
  EXPECT_EQ(whole.type, "f16");
  EXPECT_EQ(whole.count, "n*n");
  EXPECT_EQ(whole.initial, "random(-1,1)");
  EXPECT_EQ(whole.seed, "7");
  EXPECT_EQ(whole.save, "c.npy");
  EXPECT_EQ(whole.expect, "r.npy");
  EXPECT_EQ(whole.tolerance, "1e-3");
  EXPECT_EQ(parsed("f32:n:save=c.npy").buffer.initial, "");
  EXPECT_EQ(parsed("a.npy:save=b.npy").buffer.initial, "a.npy");
  EXPECT_EQ(parsed("f32::a.npy").buffer.count, "");
}

TEST(ArgumentDraftTest, ErrorsSayWhatToWrite) {
  EXPECT_EQ(problem(""), "an argument is empty (--arg 1): write a number, or a buffer such as f32:n:random");
  EXPECT_EQ(problem("f32:"), "'f32:' does not say how many elements (--arg 1): write e.g. f32:1048576");
  EXPECT_EQ(problem("f32:4:0:keep=x"),
            "a buffer has no option 'keep' (--arg 1): write save=FILE.npy, expect=FILE.npy, tolerance=X or seed=N");
  EXPECT_EQ(problem("f32:4:save=x:save=y"), "'save' is said twice (--arg 1): say it once");
  EXPECT_EQ(problem("f32:4:save="), "'save=' has no value (--arg 1): write one after the =");
  EXPECT_EQ(problem("f32:4:0:1"),
            "'1' is one part too many (--arg 1): write TYPE:ELEMENTS:CONTENTS and then options "
            "such as save=FILE.npy");
  EXPECT_EQ(problem("{1, f32=2}"),
            "the field '1' has no type (--arg 1, field 1): write it as TYPE=VALUE, e.g. {f32=2.5, u32=n}");
  EXPECT_EQ(problem("{{f32=1}}"),
            "a structure in a structure (--arg 1): write the fields of the inner one in its place");
  EXPECT_EQ(problem("hex:0"),
            "the bytes are not whole (--arg 1): write two hexadecimal digits a byte, e.g. hex:00ff10");
  EXPECT_NE(problem("float:4").find("is no type of elements (--arg 1): write one of f16, bf16"), std::string::npos);
  EXPECT_NE(problem("x=4").find("'x' is no type of a number"), std::string::npos);
}

TEST(JobTomlTest, SaysWhatTheCommandLineSays) {
  const auto job = parse_job(
      "kernel = 'saxpy'\ngrid = ['n/256', 2]\nblock = 256\ndynamic_shared = '48KiB'\n"
      "arguments = ['f32:n:random', 2.5, {buffer = 'f32', count = 'n', save = 'y.npy', tolerance = 1e-5}, "
      "{value = 'n', type = 'u32'}]\n[set]\nn = 1024\n",
      "jobs/a.toml");
  ASSERT_TRUE(job.has_value()) << to_string(job.error());
  EXPECT_EQ(job->kernel->text, "saxpy");
  EXPECT_EQ(job->grid->text, "n/256,2");
  EXPECT_EQ(job->grid->where, "jobs/a.toml:2");
  EXPECT_EQ(job->block->text, "256");
  ASSERT_EQ(job->arguments.size(), 4U);
  EXPECT_EQ(job->arguments[0].folder, "jobs");
  EXPECT_EQ(job->arguments[1].text, "2.5");
  EXPECT_EQ(job->arguments[2].buffer.save, "y.npy");
  EXPECT_EQ(job->arguments[2].buffer.tolerance, "1e-05");
  EXPECT_EQ(job->arguments[3].type, "u32");
  ASSERT_EQ(job->names.size(), 1U);
  EXPECT_EQ(job->names[0].first, "n");
}

TEST(JobTomlTest, ErrorsNameTheLine) {
  const auto problem_of = [](const std::string& text) {
    const auto job = parse_job(text, "a.toml");
    return job ? std::string("none") : to_string(job.error());
  };
  EXPECT_EQ(problem_of("kernel = 'x'\ngird = 4\n"),
            "unknown key gird (a.toml:2): remove it or write one of arguments, block, cluster, dynamic_shared, grid, "
            "kernel, set");
  EXPECT_EQ(problem_of("\narguments = [1,\n  'f32:']\n"),
            "'f32:' does not say how many elements (a.toml:3): write e.g. f32:1048576");
  EXPECT_EQ(problem_of("arguments = [{buffer = 'f32', cuont = 4}]"),
            "unknown key arguments.cuont (a.toml:1): remove it or write one of buffer, count, expect, initial, save, "
            "seed, tolerance");
  EXPECT_EQ(problem_of("block = true"),
            "block is not a number or a text in quotes (a.toml:1): write a number or a text in quotes");
  EXPECT_NE(problem_of("block = ").find("not valid TOML"), std::string::npos);
}

TEST(JobDraftTest, TheLineGoesOverTheFile) {
  JobDraft file, line;
  file.grid = Text{"1", "a.toml:1"};
  file.block = Text{"2", "a.toml:2"};
  file.names = {{"n", {"1", "a.toml:3"}}, {"m", {"2", "a.toml:4"}}};
  file.arguments.resize(2);
  line.grid = Text{"3", "--grid"};
  line.names = {{"n", {"5", "--set"}}, {"k", {"6", "--set"}}};
  const JobDraft job = overridden(file, line);
  EXPECT_EQ(job.grid->text, "3");
  EXPECT_EQ(job.block->text, "2");
  ASSERT_EQ(job.names.size(), 3U);
  EXPECT_EQ(job.names[0].second.text, "5");
  EXPECT_EQ(job.names[2].first, "k");
  EXPECT_EQ(job.arguments.size(), 2U);
  line.arguments.resize(1);
  EXPECT_EQ(overridden(file, line).arguments.size(), 1U);
}

}  // namespace
}  // namespace ridge::emulator
