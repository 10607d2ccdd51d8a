#include "collectors/session/spawn.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>

#include <fstream>

#include "collectors/session/signals.h"

namespace ridge::collectors::session {
namespace {

sigset_t no_signals() {
  sigset_t mask;
  (void)sigemptyset(&mask);
  return mask;
}

Environment with_path() {
  return {{"PATH", "/usr/bin:/bin"}};
}

int wait_for(Program& program) {
  for (;;) {
    if (const auto status = program.ended()) return *status;
    pollfd waiting = {program.descriptor(), POLLIN, 0};
    (void)poll(&waiting, 1, program.descriptor() < 0 ? 5 : 1000);
  }
}

int run(const std::vector<std::string>& command, const Environment& environment = with_path()) {
  auto program = Program::start(command, environment, no_signals());
  EXPECT_TRUE(program) << to_string(program.error());
  return program ? wait_for(*program) : -1;
}

class Folder {
 public:
  Folder() : path_(::testing::TempDir() + "ridge_spawn_test") { (void)mkdir(path_.c_str(), 0700); }
  std::string file(const std::string& name, const std::string& content, mode_t mode) {
    const std::string path = path_ + "/" + name;
    std::ofstream(path) << content;
    (void)chmod(path.c_str(), mode);
    return path;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(ProgramTest, ItsStatusIsKept) {
  EXPECT_EQ(run({"true"}), 0);
  EXPECT_EQ(run({"sh", "-c", "exit 7"}), 7);
}

TEST(ProgramTest, DeathByASignalIsItsNumberAnd128) {
  EXPECT_EQ(run({"sh", "-c", "kill -9 $$"}), 128 + 9);
}

TEST(ProgramTest, GetsArgumentsAsTheyAre) {
  EXPECT_EQ(run({"sh", "-c", "test \"$1\" = 'a  b' && test \"$2\" = '' && test $# = 2", "sh", "a  b", ""}), 0);
}

TEST(ProgramTest, GetsExactlyTheEnvironmentItIsGiven) {
  EXPECT_EQ(run({"/bin/sh", "-c", "test \"$ONE\" = 'x=y' && test -z \"$HOME\""}, {{"ONE", "x=y"}}), 0);
}

TEST(ProgramTest, AMissingInterpreterIsNotAMissingProgram) {
  Folder folder;
  const auto program =
      Program::start({folder.file("lost", "#!/no/such/interpreter\n", 0755)}, with_path(), no_signals());
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().what, "what this program needs to start is not there");
}

TEST(ProgramTest, AFolderIsNamedSoHoweverItIsWritten) {
  for (const char* folder : {".", "..", "/tmp/"}) {
    const auto checked = check_program({folder}, with_path());
    ASSERT_FALSE(checked) << folder;
    EXPECT_EQ(checked.error().what, "this is a folder, not a program") << folder;
  }
}

TEST(ProgramTest, ASignalIsPassedOn) {
  auto program = Program::start({"sleep", "100"}, with_path(), no_signals());
  ASSERT_TRUE(program);
  program->send(SIGTERM);
  EXPECT_EQ(wait_for(*program), 128 + SIGTERM);
}

TEST(ProgramTest, StartsWithTheSignalMaskItIsGiven) {
  const auto signals = Signals::take();
  ASSERT_TRUE(signals);
  // Had the program ridge's own mask, the signal would wait and sh reach its end.
  auto program = Program::start({"sh", "-c", "kill -TERM $$; exit 3"}, with_path(), signals->before());
  ASSERT_TRUE(program);
  EXPECT_EQ(wait_for(*program), 128 + SIGTERM);
}

TEST(ProgramTest, AScriptWithoutAFirstLineRunsInTheShell) {
  Folder folder;
  EXPECT_EQ(run({folder.file("script", "exit $1\n", 0700), "5"}), 5);
}

TEST(ProgramTest, OneThatIsNotThereIsBadInput) {
  const auto program = Program::start({"no-such-program-4711"}, with_path(), no_signals());
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(program.error().where, "no-such-program-4711");
  EXPECT_NE(program.error().what.find("PATH"), std::string::npos);
}

TEST(ProgramTest, AFolderAndAPlainFileAreToldApart) {
  Folder folder;
  const auto directory = Program::start({folder.path()}, with_path(), no_signals());
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().what.find("folder"), std::string::npos);
  const auto plain = Program::start({folder.file("plain", "text", 0600)}, with_path(), no_signals());
  ASSERT_FALSE(plain);
  EXPECT_NE(plain.error().remedy.find("chmod"), std::string::npos);
}

TEST(ProgramTest, NoProgramIsAUsageError) {
  const auto program = Program::start({}, with_path(), no_signals());
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::kUsage);
}

TEST(InjectionTest, AddsWhatTheAgentNeeds) {
  const Environment all = with_injection({{"A", "1"}}, {"/l/agent.so", "/t/s", "/c/libcupti.so", true});
  const Environment expected = {{"A", "1"},
                                {"CUDA_INJECTION64_PATH", "/l/agent.so"},
                                {"NVTX_INJECTION64_PATH", "/l/agent.so"},
                                {"RIDGE_CUPTI", "/c/libcupti.so"},
                                {"RIDGE_SOCKET", "/t/s"}};
  EXPECT_EQ(all, expected);
}

TEST(CheckProgramTest, SaysWhatTheStartWouldSay) {
  const Environment environment = {{"PATH", "/nowhere:/bin:/usr/bin"}};
  sigset_t mask;
  sigemptyset(&mask);
  for (const char* program : {"no-such-program-anywhere", "./no-such-program", "/tmp", "/etc/passwd", ""}) {
    const auto checked = check_program({program}, environment);
    const auto started = Program::start({program}, environment, mask);
    ASSERT_FALSE(checked) << program;
    ASSERT_FALSE(started) << program;
    EXPECT_EQ(to_string(checked.error()), to_string(started.error()));
  }
  EXPECT_TRUE(check_program({"true"}, environment));
  EXPECT_TRUE(check_program({"/bin/sh", "-c"}, environment));
  EXPECT_FALSE(check_program({"true"}, {{"PATH", "/nowhere"}}));
}

TEST(InjectionTest, SomebodysNvtxLibraryStays) {
  const Environment all = with_injection({{"NVTX_INJECTION64_PATH", "/theirs.so"}}, {"/l/agent.so", "/t/s", "", true});
  EXPECT_EQ(all.at("NVTX_INJECTION64_PATH"), "/theirs.so");
}

TEST(InjectionTest, AnotherToolsInjectionIsSeen) {
  EXPECT_FALSE(foreign_injection({}));
  EXPECT_FALSE(foreign_injection({{"CUDA_INJECTION64_PATH", ""}}));
  EXPECT_EQ(foreign_injection({{"CUDA_INJECTION64_PATH", "/n.so"}})->second, "/n.so");
}

TEST(SignalsTest, OneFromAProcessIsReadAndDoesNothingElse) {
  auto signals = Signals::take();
  ASSERT_TRUE(signals);
  ASSERT_EQ(pthread_kill(pthread_self(), SIGUSR1), 0);
  const auto received = signals->read();
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0].signal, SIGUSR1);
  EXPECT_FALSE(received[0].by_terminal);
  EXPECT_TRUE(signals->read().empty());
}

TEST(SignalsTest, TheMaskIsGivenBackAndWhatCameIsGone) {
  sigset_t before;
  (void)pthread_sigmask(SIG_SETMASK, nullptr, &before);
  {
    const auto signals = Signals::take();
    ASSERT_TRUE(signals);
    ASSERT_EQ(pthread_kill(pthread_self(), SIGUSR2), 0);
  }
  sigset_t after;
  (void)pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&before, SIGUSR2), sigismember(&after, SIGUSR2));
}

TEST(SignalsTest, IgnoredOnesStayIgnored) {
  const auto previous = signal(SIGHUP, SIG_IGN);
  auto signals = Signals::take();
  ASSERT_TRUE(signals);
  ASSERT_EQ(pthread_kill(pthread_self(), SIGHUP), 0);
  EXPECT_TRUE(signals->read().empty());
  (void)signal(SIGHUP, previous);
}

}  // namespace
}  // namespace ridge::collectors::session
