#include "cli/parser.h"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

CommandSpec spec_of_test() {
  CommandSpec spec;
  spec.name = "try";
  spec.flags = {
      {"--roof", "", "BASIS", "", "measured", {"measured", "datasheet"}, false},
      {"--detail", "", "", "", "", {}, false},
      {"--peak", "", "NAME=VALUE", "", "", {}, true},
  };
  spec.positionals = {{"FIRST", "", 1, 1}, {"REST", "", 0, -1}};
  return spec;
}

Result<Arguments> parsed(const std::vector<std::string>& words) {
  return parse(spec_of_test(), words);
}

std::string refusal(const std::vector<std::string>& words) {
  const Result<Arguments> result = parsed(words);
  EXPECT_FALSE(result);
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  return result.error().what + "|" + result.error().remedy;
}

TEST(ParserTest, TakesFlagsBetweenPositionals) {
  const Result<Arguments> result = parsed({"a", "--roof", "datasheet", "b", "--detail", "c"});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->positionals(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(result->value("--roof"), "datasheet");
  EXPECT_TRUE(result->has("--detail"));
}

TEST(ParserTest, TakesValuesInEveryUsualSpelling) {
  EXPECT_EQ(parsed({"a", "--roof=datasheet"})->value("--roof"), "datasheet");
  EXPECT_EQ(parsed({"a", "-o", "f"})->value("--output"), "f");
  EXPECT_EQ(parsed({"a", "-of"})->value("--output"), "f");
  EXPECT_EQ(parsed({"a", "--output", "f"})->value("--output"), "f");
}

TEST(ParserTest, TakesAValueThatLooksLikeAFlagOrAList) {
  EXPECT_EQ(parsed({"a", "-o", "-"})->value("--output"), "-");
  EXPECT_EQ(parsed({"a", "--output=--detail"})->value("--output"), "--detail");
  EXPECT_EQ(parsed({"a", "--peak", "[x,y]"})->values("--peak"), std::vector<std::string>{"[x,y]"});
  EXPECT_EQ(parsed({"[a,b]"})->positionals(), std::vector<std::string>{"[a,b]"});
}

TEST(ParserTest, TakesAnEmptyValue) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"a", "--peak=", "b"}, {"a", "--peak", "", "b"}}) {
    const Result<Arguments> result = parsed(words);
    ASSERT_TRUE(result) << to_string(result.error());
    EXPECT_EQ(result->values("--peak"), std::vector<std::string>{""});
    EXPECT_EQ(result->positionals(), (std::vector<std::string>{"a", "b"}));
  }
}

TEST(ParserTest, GivesDefaultsThatAreNotGiven) {
  const Result<Arguments> result = parsed({"a"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->value("--roof"), "measured");
  EXPECT_FALSE(result->has("--roof"));
  EXPECT_EQ(result->value("--peak"), "");
  EXPECT_TRUE(result->values("--peak").empty());
}

TEST(ParserTest, CollectsRepeatedValuesInOrder) {
  const Result<Arguments> result = parsed({"--peak", "fp32=1TFLOP/s", "a", "--peak=fp64=2TFLOP/s"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->values("--peak"), (std::vector<std::string>{"fp32=1TFLOP/s", "fp64=2TFLOP/s"}));
}

TEST(ParserTest, TakesEverythingAfterDoubleDashAsPositional) {
  const Result<Arguments> result = parsed({"a", "--", "--detail", "-x", "--"});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->positionals(), (std::vector<std::string>{"a", "--detail", "-x", "--"}));
  EXPECT_FALSE(result->has("--detail"));
}

TEST(ParserTest, TakesALoneDashAndAnEmptyWordAsPositionals) {
  EXPECT_EQ(parsed({"-", ""})->positionals(), (std::vector<std::string>{"-", ""}));
}

TEST(ParserTest, SuggestsTheNearestFlag) {
  EXPECT_EQ(refusal({"a", "--rof", "datasheet"}), "unknown flag '--rof'|did you mean --roof?");
  EXPECT_EQ(refusal({"a", "--detial=1"}), "unknown flag '--detial'|did you mean --detail?");
  EXPECT_EQ(refusal({"a", "--zzz"}), "unknown flag '--zzz'|see 'ridge try --help'");
}

TEST(ParserTest, SuggestsTheNearestChoice) {
  EXPECT_EQ(refusal({"a", "--roof", "datashet"}),
            "'datashet' is not a value of --roof|did you mean datasheet? (one of measured, datasheet)");
  EXPECT_EQ(refusal({"a", "--roof="}), "'' is not a value of --roof|choose one of measured, datasheet");
}

TEST(ParserTest, RejectsAFlagWithoutItsValue) {
  EXPECT_EQ(refusal({"a", "--roof"}), "the value of '--roof' is missing|see 'ridge try --help'");
}

TEST(ParserTest, RejectsASwitchWithAValue) {
  EXPECT_EQ(refusal({"a", "--detail=2"}), "--detail takes no value|give --detail alone");
}

TEST(ParserTest, RejectsASecondValueOfAFlagGivenOnce) {
  EXPECT_EQ(refusal({"a", "--roof", "measured", "--roof", "measured"}), "--roof is given more than once|give it once");
}

TEST(ParserTest, RejectsTooFewPositionals) {
  EXPECT_EQ(refusal({}), "no FIRST given|see 'ridge try --help'");
}

TEST(ParserTest, RejectsTooManyPositionals) {
  CommandSpec spec = spec_of_test();
  spec.positionals = {{"FIRST", "", 1, 1}};
  const Result<Arguments> result = parse(spec, {"a", "b", "c"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "unexpected argument 'b'");
}

TEST(ParserTest, RejectsOutputFlagsWhereTheCommandHasNone) {
  CommandSpec spec = spec_of_test();
  spec.common_output_flags = false;
  ASSERT_FALSE(parse(spec, {"a", "--format", "json"}));
}

TEST(ParserTest, FindsHelpOnlyBeforeDoubleDash) {
  EXPECT_TRUE(asks_for_help(spec_of_test(), {"a", "-h"}));
  EXPECT_TRUE(asks_for_help(spec_of_test(), {"--help"}));
  EXPECT_FALSE(asks_for_help(spec_of_test(), {"--", "--help"}));
}

/// A command that runs a program: `try [FLAGS] [--] CMD...`.
CommandSpec spec_of_runner() {
  CommandSpec spec = spec_of_test();
  spec.positionals = {{"CMD", "", 1, -1}};
  spec.runs_program = true;
  return spec;
}

TEST(ParserTest, LeavesEveryWordOfAProgramToIt) {
  using Words = std::vector<std::string>;
  const auto program = [](const Words& words) {
    const Result<Arguments> result = parse(spec_of_runner(), words);
    return result ? result->positionals() : Words{to_string(result.error())};
  };
  const Words wanted = {"./run", "--detail", "-o", "x", "--", "-h", "--nonsense=1"};
  EXPECT_EQ(program({"./run", "--detail", "-o", "x", "--", "-h", "--nonsense=1"}), wanted);
  EXPECT_EQ(program({"--", "./run", "--detail", "-o", "x", "--", "-h", "--nonsense=1"}), wanted);
  EXPECT_EQ(program({"--roof", "datasheet", "-o", "f", "./run", "--detail", "-o", "x", "--", "-h", "--nonsense=1"}),
            wanted);
  EXPECT_EQ(program({"-of", "--roof=measured", "./run"}), Words{"./run"});
  EXPECT_EQ(program({"--", "--strange"}), Words{"--strange"});
  EXPECT_EQ(program({"-"}), Words{"-"});
  const Result<Arguments> result = parse(spec_of_runner(), {"--roof", "datasheet", "./run", "--detail"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->value("--roof"), "datasheet");
  EXPECT_FALSE(result->has("--detail"));
}

TEST(ParserTest, AProgramThatIsNotNamedIsMissing) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"--"}, {"--detail"}, {"--roof", "datasheet"}}) {
    const Result<Arguments> result = parse(spec_of_runner(), words);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().what, "no CMD given");
  }
  EXPECT_EQ(parse(spec_of_runner(), {"--roof"}).error().what, "the value of '--roof' is missing");
  EXPECT_EQ(parse(spec_of_runner(), {"--detial", "./run"}).error().what, "unknown flag '--detial'");
}

TEST(ParserTest, HelpOfAProgramIsTheProgramsOwn) {
  EXPECT_TRUE(asks_for_help(spec_of_runner(), {"--roof", "datasheet", "--help", "./run"}));
  EXPECT_FALSE(asks_for_help(spec_of_runner(), {"--roof", "datasheet", "./run", "--help"}));
  EXPECT_FALSE(asks_for_help(spec_of_runner(), {"--", "./run", "--help"}));
}

}  // namespace
}  // namespace ridge::cli
