#include "cli/program.h"

#include <gtest/gtest.h>

#include <new>
#include <sstream>
#include <stdexcept>

#include "cli/registry.h"

namespace ridge::cli {
namespace {

/// A command that does what it is told.
class Scripted final : public Command {
 public:
  using Body = Result<int> (*)(Context&);
  explicit Scripted(Body body) : body_(body) {
    spec_.name = "go";
    spec_.summary = "Go.";
    spec_.description = "Goes.";
  }
  [[nodiscard]] const CommandSpec& spec() const override { return spec_; }
  [[nodiscard]] Result<int> run(const Arguments&, Context& context) const override { return body_(context); }

 private:
  CommandSpec spec_;
  Body body_;
};

struct Outcome {
  int status;
  std::string out, err;
};

Outcome run(const Commands& list, const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream err;
  Context context = {out, err};
  const int status = run_program(list, words, context);
  return {status, out.str(), err.str()};
}

Outcome run_body(Scripted::Body body) {
  Commands list;
  list.push_back(std::make_unique<Scripted>(body));
  return run(list, {"go"});
}

TEST(ProgramTest, PassesOnTheStatusOfACommand) {
  EXPECT_EQ(run_body([](Context&) -> Result<int> { return 1; }).status, 1);
}

TEST(ProgramTest, MapsEveryErrorToItsStatusAndOneLine) {
  const Outcome outcome = run_body([](Context&) -> Result<int> {
    return fail({ErrorCode::kNotComparable, "two\nlines", "a\x1b[2J", "stop"});
  });
  EXPECT_EQ(outcome.status, 6);
  EXPECT_EQ(outcome.err, "ridge: two\\x0Alines (a\\x1B[2J): stop\n");
  EXPECT_EQ(outcome.out, "");
}

TEST(ProgramTest, ReportsRunningOutOfMemoryInOneLine) {
  const Outcome outcome = run_body([](Context&) -> Result<int> { throw std::bad_alloc(); });
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.err, "ridge: out of memory: give the program more memory or a smaller input\n");
}

TEST(ProgramTest, ReportsAnyOtherExceptionInOneLine) {
  const Outcome outcome = run_body([](Context&) -> Result<int> { throw std::out_of_range("index\n7"); });
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.err,
            "ridge: unexpected failure: index\\x0A7: please report it with the command line and the input\n");
}

TEST(ProgramTest, FailsWhenStandardOutputFails) {
  std::ostringstream err;
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  Context context = {out, err};
  EXPECT_EQ(run_program(commands(), {"--help"}, context), 5);
  EXPECT_EQ(err.str(),
            "ridge: cannot write the result: output failed (standard output): free space there or use -o FILE\n");
}

TEST(ProgramTest, ShowsTheSameHelpInBothWays) {
  const Outcome flag = run(commands(), {"help", "--help"});
  EXPECT_EQ(flag.status, 0);
  EXPECT_EQ(flag.out, run(commands(), {"help", "help"}).out);
}

TEST(ProgramTest, GivesHelpEvenWhenTheRestIsWrong) {
  EXPECT_EQ(run(commands(), {"help", "--nonsense", "--help"}).status, 0);
}

}  // namespace
}  // namespace ridge::cli
