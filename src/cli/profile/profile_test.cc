// `ridge profile` over a run that is played: where its recording, its report and its status go, and what it refuses
// before anything starts.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/parser.h"
#include "cli/profile/options.h"
#include "cli/profile/run.h"
#include "cli/registry.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

namespace session = collectors::session;
namespace fs = std::filesystem;

/// One kernel, launched twice on a device that the machine database knows.
Profile recorded_piece() {
  Profile piece;
  Device device;
  device.name = "NVIDIA H200";
  piece.devices.push_back(device);
  piece.kernels.push_back({"saxpy", "saxpy(float*)", ""});
  piece.configurations.push_back({});
  for (const double start : {0.0, 1e-3}) {
    Launch launch;
    launch.start = Value<Seconds>(Seconds(start), Provenance::kMeasured);
    launch.duration = Value<Seconds>(Seconds(1e-4), Provenance::kMeasured);
    piece.launches.push_back(launch);
  }
  Recording recording;
  recording.command = "./run";
  recording.finished = true;
  piece.recordings.push_back(recording);
  return piece;
}

class ProfileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("ridge-profile-test-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "tmp");
    context_.environment = {{"TMPDIR", (folder_ / "tmp").string()}, {"RIDGE_AGENT", "/nowhere/agent.so"}};
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Result<Arguments> arguments(const std::vector<std::string>& words) {
    return parse(find_command(commands(), "profile")->spec(), words);
  }
  Result<int> profile(const std::vector<std::string>& words) {
    const Result<Arguments> given = arguments(words);
    if (!given) return fail(given.error());
    return profile_program(*given, context_, [this](const auto& options, const auto& sink, auto& observer) {
      return play(options, sink, observer);
    });
  }
  std::string refusal(const std::vector<std::string>& words) {
    const Result<int> result = profile(words);
    EXPECT_EQ(runs_, 0) << "the program was started";
    return result ? "none" : to_string(result.error());
  }

  Result<session::Outcome> play(const session::Options& options, const session::Sink& sink,
                                session::Observer& observer) {
    ++runs_;
    options_ = options;
    // As the session does: a piece before the start, and one at the end.
    Profile first;
    first.sources.push_back({"ridge", "", "2030-01-02T03:04:05Z", "1"});
    if (const Result<void> begun = sink(first); !begun) return fail(begun.error());
    if (cannot_start_) return fail(*cannot_start_);
    session::Outcome outcome;
    outcome.exit_status = exit_status_;
    observer.plan(2, Seconds(0.04), Seconds(10));
    for (const Profile& piece : pieces_) {
      if (!sink(piece)) outcome.sink_failed = true;
    }
    outcome.sink_failed = outcome.sink_failed || disk_is_full_;
    return outcome;
  }

  fs::path folder_;
  std::ostringstream out_, err_;
  Context context_ = {out_, err_};
  std::vector<Profile> pieces_ = {recorded_piece()};
  std::optional<Error> cannot_start_;
  session::Options options_;
  int exit_status_ = 0, runs_ = 0;
  bool disk_is_full_ = false;
};

TEST_F(ProfileTest, TheReportGoesToStandardErrorAndNothingElseStays) {
  const Result<int> status = profile({"--", "./run"});
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_EQ(*status, 0);
  EXPECT_EQ(out_.str(), "");
  EXPECT_NE(err_.str().find("saxpy"), std::string::npos) << err_.str();
  EXPECT_NE(err_.str().find("-o FILE.ridge"), std::string::npos) << err_.str();
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
}

TEST_F(ProfileTest, ThePlanIsToldBeforeItCosts) {
  ASSERT_TRUE(profile({"./run"}));
  EXPECT_NE(err_.str().find("ridge: counters: 2 passes for each kernel and shape, about 40 ms each, at most 10 s; "
                            "--budget changes it.\n"),
            std::string::npos)
      << err_.str();
}

TEST_F(ProfileTest, TheRecordingIsKeptWhereItIsWanted) {
  ASSERT_TRUE(profile({"-o", path("run-%r.ridge"), "--report", path("report.json"), "--format", "json", "./run"}));
  const Result<Profile> kept = store::read_profile(path("run-0.ridge"));
  ASSERT_TRUE(kept) << to_string(kept.error());
  EXPECT_EQ(kept->launches.size(), 2U);
  EXPECT_TRUE(kept->issues.empty());
  EXPECT_NE(content(path("report.json")).find("ridge.report/1"), std::string::npos);
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(err_.str().find("saxpy"), std::string::npos) << err_.str();
}

TEST_F(ProfileTest, ADashSendsTheReportToStandardOutput) {
  ASSERT_TRUE(profile({"--report", "-", "--format", "csv", "./run"}));
  EXPECT_NE(out_.str().find("saxpy"), std::string::npos);
  EXPECT_EQ(err_.str().find("saxpy"), std::string::npos) << err_.str();
}

TEST_F(ProfileTest, TheStatusIsTheProgramsUnlessRidgesIsWanted) {
  exit_status_ = 139;
  EXPECT_EQ(profile({"./run"}).value_or(-1), 139);
  EXPECT_EQ(profile({"--exit-status", "ridge", "./run"}).value_or(-1), 0);
}

TEST_F(ProfileTest, WithoutKernelsItSaysSoAndTheStatusStaysTheProgramsOwn) {
  Profile empty = recorded_piece();
  empty.launches.clear();
  pieces_ = {empty};
  exit_status_ = 7;
  EXPECT_EQ(profile({"./run"}).value_or(-1), 7);
  EXPECT_NE(err_.str().find("ridge: no GPU kernels were recorded (./run): "), std::string::npos) << err_.str();
  EXPECT_EQ(profile({"--exit-status", "ridge", "./run"}).value_or(-1), 3);
}

TEST_F(ProfileTest, AFullDiskLeavesARecordingThatIsCutShortAndAReport) {
  disk_is_full_ = true;
  EXPECT_EQ(profile({"-o", path("run.ridge"), "--exit-status", "ridge", "./run"}).value_or(-1), 5);
  EXPECT_NE(err_.str().find("saxpy"), std::string::npos) << err_.str();
  const Result<Profile> kept = store::read_profile(path("run.ridge"));
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->issues.size(), 1U);
  EXPECT_EQ(kept->issues.front().message.id, "store-unfinished");
}

TEST_F(ProfileTest, AProgramThatCannotBeStartedLeavesAnOldRecordingAlone) {
  ASSERT_TRUE(profile({"-o", path("run.ridge"), "./run"}));
  const std::string before = content(path("run.ridge"));
  cannot_start_ = bad_input("there is no such program", "./nothing", "check its path");
  const Result<int> status = profile({"-o", path("run.ridge"), "./nothing"});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, "./nothing");
  EXPECT_EQ(content(path("run.ridge")), before);
  ASSERT_FALSE(profile({"-o", path("new.ridge"), "./nothing"}));
  EXPECT_FALSE(fs::exists(path("new.ridge")));
}

TEST_F(ProfileTest, OnlyARecordingIsReplaced) {
  std::ofstream(path("thesis.txt")) << "years of work";
  EXPECT_EQ(refusal({"-o", path("thesis.txt"), "./run"}),
            "the output file exists and is not a .ridge file (" + path("thesis.txt") + "): name another file");
  EXPECT_EQ(content(path("thesis.txt")), "years of work");
}

TEST_F(ProfileTest, OptionsReachTheRun) {
  ASSERT_TRUE(profile({"--tier",
                       "counters",
                       "--kernel",
                       "gemm|relu",
                       "--skip",
                       "3",
                       "--count",
                       "9",
                       "--range",
                       "step",
                       "--device",
                       "1",
                       "--device",
                       "0",
                       "--delay",
                       "200ms",
                       "--duration",
                       "5s",
                       "--trace",
                       "api",
                       "--detail",
                       "memory",
                       "--detail",
                       "stalls",
                       "--metrics",
                       "a.sum,b.avg",
                       "--metrics",
                       "b.avg",
                       "--budget",
                       "20s",
                       "--launches-per-shape",
                       "4",
                       "--profile-from-start",
                       "off",
                       "python",
                       "train.py",
                       "--tier",
                       "x"}));
  EXPECT_EQ(options_.command, (std::vector<std::string>{"python", "train.py", "--tier", "x"}));
  EXPECT_EQ(options_.tier, session::TierWish::kCounters);
  EXPECT_EQ(options_.kernel_filter, "gemm|relu");
  EXPECT_EQ(options_.skip, 3U);
  EXPECT_EQ(options_.count, 9U);
  EXPECT_EQ(options_.range, "step");
  EXPECT_EQ(options_.devices, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_DOUBLE_EQ(options_.delay.count(), 0.2);
  EXPECT_DOUBLE_EQ(options_.duration.count(), 5);
  EXPECT_TRUE(options_.trace_api);
  EXPECT_FALSE(options_.from_start);
  EXPECT_EQ(options_.recipes, (std::vector<std::string>{"roofline", "memory", "stalls"}));
  EXPECT_EQ(options_.metrics, (std::vector<std::string>{"a.sum", "b.avg"}));
  ASSERT_TRUE(options_.budget);
  EXPECT_DOUBLE_EQ(options_.budget->count(), 20);
  EXPECT_EQ(options_.samples_per_shape, 4U);
  EXPECT_EQ(options_.agent, "/nowhere/agent.so");
  EXPECT_FALSE(options_.sampling_interval);
}

TEST_F(ProfileTest, WhatCannotBeUsedIsRefusedBeforeTheStart) {
  EXPECT_NE(refusal({"--kernel", "(", "./run"}).find("is not a regular expression"), std::string::npos);
  EXPECT_NE(refusal({"--delay", "soon", "./run"}).find("--delay"), std::string::npos);
  EXPECT_NE(refusal({"--delay", "-1s", "./run"}).find("--delay"), std::string::npos);
  EXPECT_NE(refusal({"--budget", "0s", "./run"}).find("above 0"), std::string::npos);
  EXPECT_NE(refusal({"--count", "0", "./run"}).find("--count"), std::string::npos);
  EXPECT_NE(refusal({"--metrics", "a,,b", "./run"}).find("--metrics"), std::string::npos);
  EXPECT_NE(refusal({"--on", "no-such-gpu", "./run"}).find("no-such-gpu"), std::string::npos);
  EXPECT_NE(refusal({"--peak", "fp32=much", "./run"}).find("much"), std::string::npos);
  EXPECT_NE(refusal({"--cupti", path("none.so"), "./run"}).find("there is no such library"), std::string::npos);
  EXPECT_NE(refusal({"--tier", "timing", "--detail", "memory", "./run"}).find("leave one"), std::string::npos);
  EXPECT_NE(refusal({"--tier", "counters", "--interval", "20us", "./run"}).find("leave one"), std::string::npos);
  EXPECT_NE(refusal({"-o", "-", "./run"}).find("standard output"), std::string::npos);
  EXPECT_NE(refusal({"-o", path("a"), "--report", path("a"), "./run"}).find("over the recording"), std::string::npos);
  EXPECT_NE(refusal({"-o", "%z", "./run"}).find("%z"), std::string::npos);
  context_.environment["TMPDIR"] = path("not-there");
  EXPECT_NE(refusal({"./run"}).find("TMPDIR"), std::string::npos);
}

TEST_F(ProfileTest, RecipesOfAFileCanBeAskedFor) {
  std::ofstream(path("mine.toml")) << "[atomics]\ntitle = \"t\"\nwant = [\"a: b.sum\"]\n";
  ASSERT_TRUE(profile({"--recipes", path("mine.toml"), "--detail", "atomics", "--detail", "memory", "./run"}));
  EXPECT_EQ(options_.recipes, (std::vector<std::string>{"roofline", "atomics", "memory"}));
  EXPECT_EQ(options_.recipe_file, path("mine.toml"));
}

TEST_F(ProfileTest, RecipesThatCannotBeUsedAreRefusedBeforeTheStart) {
  std::ofstream(path("mine.toml")) << "[atomics]\ntitle = \"t\"\nwant = [\"a: b.sum\"]\n";
  std::ofstream(path("bad.toml")) << "[atomics]\ntitle = \"t\"\nwant = [\"a b\"]\n";
  EXPECT_EQ(refusal({"--detail", "memori", "./run"}), "there is no recipe \"memori\" (--detail): did you mean memory?");
  EXPECT_NE(refusal({"--detail", "tensor", "./run"}).find("used without being asked for (--detail)"),
            std::string::npos);
  EXPECT_EQ(refusal({"--recipes", path("mine.toml"), "./run"}),
            "no recipe of the file is asked for (" + path("mine.toml") + "): ask for one, e.g. with --detail atomics");
  EXPECT_NE(refusal({"--recipes", path("bad.toml"), "--detail", "atomics", "./run"}).find("bad.toml:3)"),
            std::string::npos);
  EXPECT_NE(refusal({"--recipes", path("none.toml"), "./run"}).find("none.toml"), std::string::npos);
  EXPECT_NE(refusal({"--tier", "timing", "--recipes", path("mine.toml"), "./run"}).find("leave one"),
            std::string::npos);
}

/// More kernels than a report shows without detail.
Profile many_kernels() {
  Profile piece = recorded_piece();
  for (std::uint32_t i = 1; i < 40; ++i) {
    piece.kernels.push_back({"kernel" + std::to_string(i), "kernel" + std::to_string(i) + "()", ""});
    piece.launches.push_back(piece.launches.front());
    piece.launches.back().kernel = i;
  }
  return piece;
}

TEST_F(ProfileTest, WhatTheReportLeavesOutIsToldWithTheCommandThatShowsIt) {
  pieces_ = {many_kernels()};
  ASSERT_TRUE(profile({"./run"}));
  EXPECT_NE(err_.str().find("and 16 more kernels; run again with -o FILE, then ridge report FILE --detail shows them"),
            std::string::npos)
      << err_.str();
  err_.str("");
  ASSERT_TRUE(profile({"-o", path("my run.ridge"), "--width", "300", "./run"}));
  EXPECT_NE(err_.str().find("ridge report '" + path("my run.ridge") + "' --detail shows them"), std::string::npos)
      << err_.str();
}

TEST_F(ProfileTest, AFolderThatIsNotThereIsToldBeforeTheStart) {
  EXPECT_NE(refusal({"-o", path("no/such/folder.ridge"), "./run"}).find("no/such"), std::string::npos);
}

}  // namespace
}  // namespace ridge::cli
