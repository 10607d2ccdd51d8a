#include "store/writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "store/store.h"
#include "support/random_profile.h"

namespace ridge::store {
namespace {

namespace fs = std::filesystem;
using test::describe;
using test::random_profile;

class StoreWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/writer_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::permissions(folder_, fs::perms(0755));
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms(0755));
    fs::remove_all(folder_);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder_)) result.push_back(entry.path().filename());
    std::sort(result.begin(), result.end());
    return result;
  }

  fs::path folder_;
};

Writer writer_of(const std::string& path, bool replace = false) {
  Result<Writer> writer = Writer::create(path, replace);
  if (!writer) ADD_FAILURE() << to_string(writer.error());
  return std::move(*writer);
}

void append(Writer& writer, const Profile& piece) {
  const Result<void> result = writer.append(piece);
  EXPECT_TRUE(result) << to_string(result.error());
}

Profile read(const std::string& path) {
  Result<Profile> profile = read_profile(path);
  EXPECT_TRUE(profile) << to_string(profile.error());
  return profile ? std::move(*profile) : Profile();
}

void expect_error(const Result<void>& result, const std::string& what) {
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find(what), std::string::npos) << to_string(result.error());
  EXPECT_FALSE(result.error().where.empty());
  EXPECT_FALSE(result.error().remedy.empty());
  EXPECT_EQ(to_string(result.error()).find('\n'), std::string::npos);
}

void expect_refused(const std::string& path, bool replace, const std::string& what) {
  const Result<Writer> writer = Writer::create(path, replace);
  expect_error(writer ? Result<void>() : fail(writer.error()), what);
}

/// One device, one kernel: what the launches of timed() refer to.
Profile head() {
  Profile profile;
  profile.sources.push_back({"live", "", "2026-01-01T00:00:00Z", "0.1"});
  profile.devices.resize(1);
  profile.kernels.push_back({"gemm", "gemm(float*)", "_Z4gemmPf"});
  profile.configurations.resize(1);
  return profile;
}

/// Launches of a run, with and without sampled amounts; `first` counts over all pieces.
Profile timed(std::uint32_t first, std::uint32_t count, bool sampled) {
  Profile profile;
  for (std::uint32_t i = first; i < first + count; ++i) {
    Launch& launch = profile.launches.emplace_back();
    launch.source_id = i + 1;
    launch.process_id = 4711;
    launch.stream = 7 + i % 4;
    launch.start = {Seconds(static_cast<double>(std::int64_t{i} * 357123 + i % 977) * 1e-9), Provenance::kMeasured};
    launch.duration = {Seconds(static_cast<double>(3000 + (i * 7919) % 350000) * 1e-9), Provenance::kMeasured};
    if (!sampled) continue;
    launch.sampled = i;
    const auto noise = static_cast<float>((i * 2654435761U) % 1000003U) / 7.0F;
    profile.sampled.push_back({noise * 31, noise * 17, noise * 57, noise * 3, noise / 150000, noise / 160000,
                               noise / 170000, noise / 200000});
  }
  return profile;
}

bool is_unfinished(const Profile& profile) {
  return std::any_of(profile.issues.begin(), profile.issues.end(),
                     [](const Issue& issue) { return issue.message.id == "store-unfinished"; });
}

/// Appends what a profile holds in pieces: the tables first, then launches and the rest in parts of `size`.
void append_in_parts(Writer& writer, const Profile& profile, std::size_t size) {
  Profile tables = profile;
  tables.launches.clear(), tables.sampled.clear(), tables.spans.clear(), tables.readings.clear();
  tables.recordings.clear();
  append(writer, tables);
  const auto part = [&](const auto& all, std::size_t at, auto& into) {
    for (std::size_t i = at; i < std::min(all.size(), at + size); ++i) into.push_back(all[i]);
  };
  const std::size_t most = std::max({profile.launches.size(), profile.sampled.size(), profile.spans.size(),
                                     profile.readings.size(), profile.recordings.size()});
  Profile samples;
  samples.sampled = profile.sampled;
  append(writer, samples);
  for (std::size_t at = 0; at < most; at += size) {
    Profile piece;
    part(profile.launches, at, piece.launches);
    part(profile.spans, at, piece.spans);
    part(profile.readings, at, piece.readings);
    part(profile.recordings, at, piece.recordings);
    append(writer, piece);
  }
}

TEST_F(StoreWriterTest, LosesNothingOfAnyProfileWrittenInPieces) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Profile profile = random_profile(seed);
    Writer writer = writer_of(path("a.ridge"), true);
    append_in_parts(writer, profile, seed % 10 == 0 ? 700 : 2);
    ASSERT_TRUE(writer.finish());
    ASSERT_EQ(describe(read(path("a.ridge"))), describe(profile)) << "seed " << seed;
  }
}

TEST_F(StoreWriterTest, LeavesOneFileWhenFinished) {
  Writer writer = writer_of(path("a.ridge"));
  append(writer, head());
  append(writer, timed(0, 1000, true));
  EXPECT_EQ(names(), (std::vector<std::string>{"a.ridge", "a.ridge-shm", "a.ridge-wal"}));
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(names(), std::vector<std::string>{"a.ridge"});
  std::ifstream file(path("a.ridge"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(bytes[18], 1) << "a file that needs no log";
  EXPECT_TRUE(profile_from_bytes(bytes, "test"));
  EXPECT_FALSE(is_unfinished(read(path("a.ridge"))));
}

TEST_F(StoreWriterTest, CanBeReadWhileItIsWritten) {
  Writer writer = writer_of(path("a.ridge"));
  append(writer, head());
  append(writer, timed(0, 300, true));
  const Profile first = read(path("a.ridge"));
  EXPECT_EQ(first.launches.size(), 300U);
  EXPECT_TRUE(is_unfinished(first));
  append(writer, timed(300, 300, true));
  EXPECT_EQ(read(path("a.ridge")).launches.size(), 600U);
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(read(path("a.ridge")).launches.size(), 600U);
}

TEST_F(StoreWriterTest, ReplacesARecordingOfTheSameSource) {
  Writer writer = writer_of(path("a.ridge"));
  append(writer, head());
  Profile piece;
  piece.recordings.resize(1);
  piece.recordings[0].command = "./train";
  append(writer, piece);
  piece.recordings[0].finished = true;
  piece.recordings[0].tier = Tier::kCounters;
  piece.recordings[0].facts = {{"cupti", "/usr/lib/libcupti.so"}};
  piece.recordings[0].exit_status = {139, Provenance::kMeasured};
  append(writer, piece);
  ASSERT_TRUE(writer.finish());
  Profile whole = head();
  whole.recordings = piece.recordings;
  EXPECT_EQ(describe(read(path("a.ridge"))), describe(whole));
}

TEST_F(StoreWriterTest, RefusesAPieceThatRefersToNothing) {
  Writer writer = writer_of(path("a.ridge"));
  append(writer, head());
  Profile piece = timed(0, 1, false);
  piece.launches[0].kernel = 1;
  expect_error(writer.append(piece), "a launch of nothing");
  piece.kernels.push_back({"dot", "dot()", ""});
  append(writer, piece);
  ASSERT_TRUE(writer.finish());
  expect_error(writer.append(piece), "finished before");
  EXPECT_EQ(read(path("a.ridge")).launches.size(), 1U);
}

/// Runs `work` in a child process and kills it when it has said "x" on its pipe.
template <class F>
void kill_when_told(F work) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work([&] { return write(ends[1], "x", 1) == 1; });
    _exit(1);  // reached only if nobody kills it
  }
  close(ends[1]);
  char told = 0;
  EXPECT_EQ(::read(ends[0], &told, 1), 1);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

/// A writer that is killed in the middle of appending, after 100 pieces of 50 launches.
void leave_unfinished(const std::string& path) {
  kill_when_told([&](auto tell) {
    Result<Writer> writer = Writer::create(path, false);
    if (!writer || !writer->append(head())) return;
    for (std::uint32_t i = 0;; ++i) {
      if (i == 100 && !tell()) return;
      if (!writer->append(timed(50 * i, 50, true))) return;
    }
  });
}

void expect_whole_pieces(const Profile& profile) {
  EXPECT_GE(profile.launches.size(), 5000U);
  EXPECT_EQ(profile.launches.size() % 50, 0U);
  Profile expected = head();
  const Profile launches = timed(0, static_cast<std::uint32_t>(profile.launches.size()), true);
  expected.launches = launches.launches, expected.sampled = launches.sampled, expected.issues = profile.issues;
  EXPECT_EQ(describe(profile), describe(expected));
  ASSERT_EQ(profile.issues.size(), 1U);
  EXPECT_EQ(profile.issues[0].severity, Severity::kDataLoss);
  EXPECT_EQ(profile.issues[0].message.id, "store-unfinished");
  EXPECT_EQ(std::get<double>(profile.issues[0].message.arguments.at(0).value),
            static_cast<double>(profile.launches.size()));
}

TEST_F(StoreWriterTest, IsReadableAfterItsWriterWasKilled) {
  leave_unfinished(path("a.ridge"));
  EXPECT_TRUE(fs::exists(path("a.ridge-wal")));
  expect_whole_pieces(read(path("a.ridge")));
  expect_whole_pieces(read(path("a.ridge")));  // reading changes nothing
}

/// 0 if somebody without rights to the folder can read the file.
int read_as_nobody(const std::string& folder) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && (setegid(kNobody) != 0 || seteuid(kNobody) != 0)) _exit(2);
    if (std::ofstream(folder + "/b").good()) _exit(3);
    const Result<Profile> profile = read_profile(folder + "/a.ridge");
    _exit(profile && profile->launches.size() >= 5000 && is_unfinished(*profile) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(StoreWriterTest, IsReadableInAFolderThatCannotBeWritten) {
  leave_unfinished(path("a.ridge"));
  for (const bool indexed : {true, false}) {
    if (!indexed) fs::remove(path("a.ridge-shm"));
    const std::vector<std::string> before = names();
    fs::permissions(folder_, fs::perms(0555));
    EXPECT_EQ(read_as_nobody(folder_), 0) << "with an index: " << indexed;
    fs::permissions(folder_, fs::perms(0755));
    EXPECT_EQ(names(), before);
  }
  const std::vector<std::string> before = names();
  expect_whole_pieces(read(path("a.ridge")));
  EXPECT_EQ(names(), before) << "reading leaves no files";
}

TEST_F(StoreWriterTest, IsReadableWithoutItsLog) {
  leave_unfinished(path("a.ridge"));
  fs::remove(path("a.ridge-wal"));
  fs::remove(path("a.ridge-shm"));
  const Profile profile = read(path("a.ridge"));  // as of the last time the log was folded in
  EXPECT_TRUE(is_unfinished(profile));
  EXPECT_EQ(names(), std::vector<std::string>{"a.ridge"});
}

TEST_F(StoreWriterTest, AFreshFileNeedsNoLogAndCanBePacked) {
  { Writer writer = writer_of(path("a.ridge")); }
  std::ifstream file(path("a.ridge"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const Result<Profile> profile = profile_from_bytes(bytes, "test");
  ASSERT_TRUE(profile) << to_string(profile.error());
  EXPECT_TRUE(is_unfinished(*profile));
}

TEST_F(StoreWriterTest, ADamagedLogIsNoMoreThanAShorterOne) {
  leave_unfinished(path("a.ridge"));
  fs::remove(path("a.ridge-shm"));
  const std::uintmax_t size = fs::file_size(path("a.ridge-wal"));
  fs::resize_file(path("a.ridge-wal"), size / 2);
  EXPECT_TRUE(is_unfinished(read(path("a.ridge"))));
  std::ofstream(path("a.ridge-wal"), std::ios::binary) << "no log at all";
  EXPECT_TRUE(is_unfinished(read(path("a.ridge"))));
}

/// In a child whose files may not grow above `limit`: appends until it cannot, and one more small piece. 0 if all went
/// as it should.
int fill_the_disk(const std::string& path, rlim_t limit) {
  std::signal(SIGXFSZ, SIG_IGN);
  Result<Writer> writer = Writer::create(path, false);
  if (!writer || !writer->append(head())) return 2;
  const rlimit bound = {limit, limit};
  if (setrlimit(RLIMIT_FSIZE, &bound) != 0) return 3;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Result<void> result = writer->append(timed(500 * i, 500, true));
    if (result) continue;
    const bool clean = result.error().code == ErrorCode::kInternal && !result.error().remedy.empty() &&
                       result.error().what.starts_with("cannot write the file: ") && result.error().where == path;
    return clean && i > 0 ? 0 : 4;
  }
  return 5;
}

TEST_F(StoreWriterTest, AFullDiskIsAnErrorAndLeavesWhatWasThere) {
  const pid_t child = fork();
  if (child == 0) _exit(fill_the_disk(path("a.ridge"), 1 << 20));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const Profile profile = read(path("a.ridge"));
  EXPECT_GE(profile.launches.size(), 500U);
  EXPECT_EQ(profile.launches.size() % 500, 0U);
  EXPECT_EQ(profile.launches.size(), profile.sampled.size());
  EXPECT_TRUE(is_unfinished(profile));
}

TEST_F(StoreWriterTest, GoesOnAfterAPieceThatDidNotFit) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    Result<Writer> writer = Writer::create(path("a.ridge"), false);
    if (!writer || !writer->append(head())) _exit(2);
    rlimit bound = {};
    getrlimit(RLIMIT_FSIZE, &bound);
    const rlim_t before = bound.rlim_cur;
    bound.rlim_cur = 200000;
    setrlimit(RLIMIT_FSIZE, &bound);
    Profile piece = timed(0, 20000, true);
    piece.spans.resize(1);
    piece.spans[0].name = "a text that is not to stay";
    if (writer->append(piece)) _exit(3);
    bound.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &bound);
    if (!writer->append(timed(0, 700, true)) || !writer->append(timed(700, 700, true))) _exit(4);
    _exit(writer->finish() ? 0 : 5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  Profile expected = head();
  Profile launches = timed(0, 1400, true);
  expected.launches = launches.launches, expected.sampled = launches.sampled;
  EXPECT_EQ(describe(read(path("a.ridge"))), describe(expected));
}

TEST_F(StoreWriterTest, RefusesPathsThatCannotHoldARecording) {
  expect_refused(folder_, true, "Is a directory");
  expect_refused(path("none/a.ridge"), false, "No such file or directory");
  expect_refused(path(std::string(250, 'n')), false, "File name too long");
  expect_refused("/dev/null", true, "a pipe or a device");
  std::ofstream(path("notes.txt")) << "mine";
  expect_refused(path("notes.txt"), true, "is not a .ridge file");
  EXPECT_EQ(fs::file_size(path("notes.txt")), 4U);
  fs::create_symlink("nowhere", path("link"));
  expect_refused(path("link"), true, "No such file");
  const Result<Writer> unnamed = Writer::create("", false);
  ASSERT_FALSE(unnamed);
  EXPECT_EQ(unnamed.error().code, ErrorCode::kUsage);
}

TEST_F(StoreWriterTest, ReplacesOnlyWhenAskedAndWhatIsNotInUse) {
  {
    Writer writer = writer_of(path("a.ridge"));
    append(writer, head());
    ASSERT_TRUE(writer.finish());
  }
  expect_refused(path("a.ridge"), false, "the output file exists");
  leave_unfinished(path("b.ridge"));
  Writer again = writer_of(path("b.ridge"), true);  // the killed writer's log must not come back
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(describe(read(path("b.ridge"))), describe(Profile()));
  std::ofstream(path("empty.ridge"));
  Writer other = writer_of(path("empty.ridge"), true);
  append(other, head());
  const pid_t child = fork();
  if (child == 0) {
    const Result<Writer> second = Writer::create(path("empty.ridge"), true);
    _exit(!second && second.error().what.find("another program") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(StoreWriterTest, LeavesNothingWhereItCouldNotBegin) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit bound = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &bound);
    _exit(Writer::create(path("a.ridge"), false) ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(names().empty());
}

/// Bytes of a finished file of `count` launches, appended in pieces of `size`.
std::uintmax_t file_size(const std::string& path, std::uint32_t count, std::uint32_t size, bool sampled) {
  Writer writer = writer_of(path, true);
  append(writer, head());
  for (std::uint32_t i = 0; i < count; i += size) append(writer, timed(i, std::min(size, count - i), sampled));
  EXPECT_TRUE(writer.finish());
  return fs::file_size(path);
}

TEST_F(StoreWriterTest, TakesAtMost40BytesALaunchAnd110WithSampledAmounts) {
  // Also in pieces of three launches, as a program that launches little makes them.
  for (const std::uint32_t size : {3U, 100U, 1000U}) {
    for (const bool sampled : {false, true}) {
      const std::uintmax_t small = file_size(path("a.ridge"), 1000, size, sampled);
      const std::uintmax_t large = file_size(path("b.ridge"), 4000, size, sampled);
      RecordProperty("bytes_" + std::to_string(size) + (sampled ? "_sampled" : "_timing"),
                     std::to_string(static_cast<double>(large - small) / 3000.0));
      EXPECT_LE(large - small, (sampled ? 110U : 40U) * 3000U) << "pieces of " << size;
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(StoreWriterTest, NeedsNoMoreMemoryForMoreLaunches) {
  const auto peak_of = [&](std::uint32_t launches) {
    std::array<int, 2> ends = {};
    EXPECT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      (void)file_size(path("a.ridge"), launches, 1000, true);
      rusage usage = {};
      getrusage(RUSAGE_SELF, &usage);
      _exit(write(ends[1], &usage.ru_maxrss, sizeof(usage.ru_maxrss)) == sizeof(usage.ru_maxrss) ? 0 : 1);
    }
    long kilobytes = 0;
    EXPECT_EQ(::read(ends[0], &kilobytes, sizeof(kilobytes)), static_cast<ssize_t>(sizeof(kilobytes)));
    waitpid(child, nullptr, 0);
    close(ends[0]), close(ends[1]);
    return kilobytes;
  };
  // 300,000 launches more would be 50 MB if they were kept.
  EXPECT_LT(peak_of(350000) - peak_of(50000), 4000);
}
#endif

}  // namespace
}  // namespace ridge::store
