#include "store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>

#include "store/schema.h"
#include "store/sqlite.h"
#include "support/random_profile.h"

namespace ridge::store {
namespace {

namespace fs = std::filesystem;
using test::describe;
using test::random_profile;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/store_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  void write_bytes(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  fs::path folder_;
};

std::string bytes_of(const Profile& profile) {
  const Result<std::string> bytes = profile_to_bytes(profile);
  EXPECT_TRUE(bytes) << to_string(bytes.error());
  return bytes.value_or("");
}

TEST_F(StoreTest, LosesNothingOfAnyProfile) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Profile profile = random_profile(seed);
    const Result<Profile> back = profile_from_bytes(bytes_of(profile), "test");
    ASSERT_TRUE(back) << "seed " << seed << ": " << to_string(back.error());
    ASSERT_EQ(describe(*back), describe(profile)) << "seed " << seed;
  }
}

TEST_F(StoreTest, LosesNothingThroughAFile) {
  const Profile profile = random_profile(7);
  ASSERT_TRUE(write_profile(path("a.ridge"), profile));
  const Result<Profile> back = read_profile(path("a.ridge"));
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(describe(*back), describe(profile));
}

TEST_F(StoreTest, KeepsAnEmptyProfile) {
  const Result<Profile> back = profile_from_bytes(bytes_of(Profile()), "test");
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(describe(*back), describe(Profile()));
}

TEST_F(StoreTest, WritesTheSameBytesForTheSameProfile) {
  EXPECT_EQ(bytes_of(random_profile(3)), bytes_of(random_profile(3)));
}

TEST_F(StoreTest, TakesAtMost40BytesForAFurtherLaunchWithTiming) {
  Profile profile;
  profile.sources.resize(1);
  profile.devices.resize(1);
  profile.kernels.resize(3);
  profile.configurations.resize(2);
  const auto grow = [&](std::uint32_t launches) {
    double now = 0.5;
    profile.launches.clear();
    for (std::uint32_t i = 0; i < launches; ++i) {
      const double duration = (3000.0 + (i * 7919) % 350000) * 1e-9;
      Launch& launch = profile.launches.emplace_back();
      launch.kernel = i % 3;
      launch.configuration = i % 2;
      launch.source_id = i + 1;
      launch.process_id = 4711;
      launch.stream = 7 + i % 4;
      launch.start = {Seconds(now), Provenance::kMeasured};
      launch.duration = {Seconds(duration), Provenance::kMeasured};
      now = static_cast<double>(static_cast<std::int64_t>(now * 1e9) + 2000 + std::int64_t{100} * (i % 5)) * 1e-9 +
            duration;
    }
    return bytes_of(profile).size();
  };
  const std::size_t small = grow(10000);
  const std::size_t large = grow(110000);
  EXPECT_LT(large - small, 40U * 100000U);
}

TEST_F(StoreTest, TakesAtMost2KBForAnEmptyKernelWithItsWork) {
  Profile profile;
  profile.sources.resize(1);
  profile.devices.resize(1);
  const auto grow = [&](std::size_t kernels) {
    profile.kernels.resize(kernels);
    profile.configurations.resize(kernels);
    profile.measurements.resize(kernels);
    for (std::size_t i = 0; i < kernels; ++i) {
      profile.kernels[i] = {"kernel" + std::to_string(i), std::string(200, 'n') + std::to_string(i), ""};
      double value = 1.0 / 3.0 + static_cast<double>(i);
      visit_fields(
          [&](std::string_view, auto& v) {
            v = {std::remove_cvref_t<decltype(*v)>(value += 0.1), Provenance::kMeasured};
          },
          profile.measurements[i].work);
    }
    return bytes_of(profile).size();
  };
  const std::size_t small = grow(100);
  const std::size_t large = grow(1100);
  EXPECT_LT(large - small, 2000U * 1000U);
}

TEST_F(StoreTest, RecognisesItsFilesByTheirFirstBytes) {
  const std::string bytes = bytes_of(Profile());
  EXPECT_TRUE(is_ridge_file(bytes.substr(0, 100)));
  EXPECT_FALSE(is_ridge_file(bytes.substr(0, 99)));
  std::string other = bytes;
  other[68] = 'X';
  EXPECT_FALSE(is_ridge_file(other));
  EXPECT_FALSE(is_ridge_file(""));
}

void expect_refused(const Result<Profile>& result, const std::string& what) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
  EXPECT_NE(result.error().what.find(what), std::string::npos) << result.error().what;
  EXPECT_FALSE(result.error().remedy.empty());
  EXPECT_EQ(to_string(result.error()).find('\n'), std::string::npos);
}

TEST_F(StoreTest, RefusesAMissingAnEmptyAndAForeignFile) {
  expect_refused(read_profile(path("none")), "cannot open");
  write_bytes("empty", "");
  expect_refused(read_profile(path("empty")), "not a .ridge file");
  write_bytes("text", std::string(1000, 'x'));
  expect_refused(read_profile(path("text")), "not a .ridge file");
  expect_refused(read_profile(folder_), "directory");
}

TEST_F(StoreTest, RefusesAFileFromANewerVersion) {
  Result<Database> database = Database::from_bytes(bytes_of(random_profile(1)), "");
  ASSERT_TRUE(database);
  std::string bytes = bytes_of(random_profile(1));
  constexpr std::size_t kUserVersionOffset = 60;
  bytes[kUserVersionOffset + 3] = 3;
  expect_refused(profile_from_bytes(bytes, "test"), "newer version (schema 3, this program reads up to 2)");
}

TEST_F(StoreTest, RefusesAFileCutAnywhere) {
  const std::string bytes = bytes_of(random_profile(2));
  for (std::size_t size = 0; size < bytes.size(); size += 509) {
    const Result<Profile> result = profile_from_bytes(bytes.substr(0, size), "test");
    ASSERT_FALSE(result) << "cut at " << size;
    EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
  }
}

TEST_F(StoreTest, RefusesBytesAfterItsEnd) {
  const std::string bytes = bytes_of(random_profile(2));
  expect_refused(profile_from_bytes(bytes + bytes, "test"), "more bytes follow");
  expect_refused(profile_from_bytes(bytes + '\0', "test"), "more bytes follow");
  write_bytes("twice", bytes + bytes);
  expect_refused(read_profile(path("twice")), "more bytes follow");
}

/// The bytes given, then zeros without end. Says how many were asked for.
class Endless final : public ByteSource {
 public:
  Endless(std::string first, std::uint64_t& given) : first_(std::move(first)), given_(given) {}
  Result<std::size_t> read(std::span<char> out) override {
    std::fill(out.begin(), out.end(), '\0');
    if (given_ == 0) std::copy_n(first_.begin(), std::min(out.size(), first_.size()), out.begin());
    given_ += out.size();
    return out.size();
  }

 private:
  std::string first_;
  std::uint64_t& given_;
};

TEST_F(StoreTest, ReadsNoFurtherThanTheHeaderSaysOfAPackedFile) {
  std::string head = bytes_of(Profile()).substr(0, 100);
  std::uint64_t given = 0;
  ByteReader small(std::make_unique<Endless>(head, given));
  expect_refused(profile_from_reader(small, "test"), "more bytes follow");
  EXPECT_LT(given, std::uint64_t{1} << 20);
  head[28] = 0x7f;  // the number of pages
  given = 0;
  ByteReader large(std::make_unique<Endless>(head, given));
  expect_refused(profile_from_reader(large, "test"), "larger than 1024 MiB");
  EXPECT_LT(given, std::uint64_t{1} << 20);
}

TEST_F(StoreTest, ReportsDamageThatThePackedFilesChecksumFinds) {
  /// Fails where a decoder compares its checksum: when everything was delivered.
  class Failing final : public ByteSource {
   public:
    explicit Failing(std::string bytes) : bytes_(std::move(bytes)) {}
    Result<std::size_t> read(std::span<char> out) override {
      if (bytes_.empty()) return fail(bad_input("the gzip data are damaged", "test", "copy it again"));
      const std::size_t n = std::min(out.size(), bytes_.size());
      std::copy_n(bytes_.begin(), n, out.begin());
      bytes_.erase(0, n);
      return n;
    }

   private:
    std::string bytes_;
  };
  ByteReader reader(std::make_unique<Failing>(bytes_of(random_profile(2))));
  expect_refused(profile_from_reader(reader, "test"), "gzip data are damaged");
}

/// Runs SQL on a copy of a stored profile, as somebody with the sqlite3 shell could.
std::string tampered(const std::string& sql) {
  Result<Database> database = Database::create();
  EXPECT_TRUE(database);
  EXPECT_TRUE(database->execute("PRAGMA application_id=" + std::to_string(kApplicationId)));
  EXPECT_TRUE(database->execute("PRAGMA user_version=" + std::to_string(kSchemaVersion)));
  for (const TableSchema& table : tables()) EXPECT_TRUE(database->execute(std::string(table.sql)));
  EXPECT_TRUE(database->execute("INSERT INTO state VALUES(0,1)"));
  const Result<void> result = database->execute(sql);
  EXPECT_TRUE(result) << to_string(result.error());
  return database->to_bytes().value_or("");
}

TEST_F(StoreTest, ReadsTablesWithoutRows) {
  EXPECT_TRUE(profile_from_bytes(tampered("SELECT 1"), "test"));
}

TEST_F(StoreTest, CallsARowThatClaimsFourGigabytesDamagedNotShortOfMemory) {
  const std::string name = "nvlink__count_physical";
  Profile profile;
  for (int i = 0; i < 25; ++i) profile.metrics.push_back({name, ""});
  std::string bytes = bytes_of(profile);
  const std::size_t row = bytes.find(name);
  ASSERT_NE(row, std::string::npos);
  // Before the name stand the length of the row, its id, and a header of four bytes.
  bytes.replace(row - 6, 6, "\xff\xff\xff\xff\xff\x7f");
  expect_refused(profile_from_bytes(bytes, "test"), "more memory than it can need");
}

TEST_F(StoreTest, RefusesATextThatNoRecordingHas) {
  Result<Database> database = Database::from_bytes(tampered("SELECT 1"), "test");
  ASSERT_TRUE(database);
  const std::string length = std::to_string(kLargestValue);
  Result<Statement> statement = Statement::prepare(*database, "SELECT zeroblob(" + length + ")");
  ASSERT_TRUE(statement);
  EXPECT_TRUE(statement->next());
  statement = Statement::prepare(*database, "SELECT zeroblob(" + length + " + 1)");
  ASSERT_TRUE(statement);
  const Result<bool> refused = statement->next();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
  EXPECT_NE(refused.error().what.find("longer than"), std::string::npos);
}

TEST_F(StoreTest, DoesNotWriteATextThatItWouldNotRead) {
  Profile profile;
  profile.kernels.push_back({"k", std::string(kLargestValue, 'k'), ""});
  const Result<std::string> refused = profile_to_bytes(profile);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInternal);
  EXPECT_NE(refused.error().what.find("too long"), std::string::npos);
}

TEST_F(StoreTest, RefusesALongTextThatIsUsedWithoutEnd) {
  // 500 issues, each with an argument whose name and value are one text of a MiB.
  const std::string sql =
      "INSERT INTO text VALUES(0,CAST(zeroblob(1048576) AS TEXT));"
      "INSERT INTO issue WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id+1 FROM n WHERE id<499) "
      "SELECT id,0,'x',x'0100010000' FROM n";
  expect_refused(profile_from_bytes(tampered(sql), "test"), "'issue', row 128");
}

TEST_F(StoreTest, RefusesAViewInPlaceOfATable) {
  expect_refused(
      profile_from_bytes(tampered("DROP TABLE kernel; CREATE VIEW kernel AS WITH RECURSIVE n(id) AS (SELECT 0 "
                                  "UNION ALL SELECT id+1 FROM n) SELECT id, '', '', '' FROM n"),
                         "test"),
      "'kernel'");
}

TEST_F(StoreTest, RefusesGapsInIds) {
  expect_refused(profile_from_bytes(tampered("INSERT INTO text VALUES(1,'x')"), "test"), "'text', row 0");
}

TEST_F(StoreTest, RefusesALaunchThatRefersToNothing) {
  Profile profile = random_profile(1);
  profile.launches.resize(1);
  profile.launches[0].kernel = static_cast<std::uint32_t>(profile.kernels.size());
  expect_refused(profile_from_bytes(bytes_of(profile), "test"), "a launch of nothing");
}

TEST_F(StoreTest, RefusesAChunkThatClaimsMoreLaunchesThanItsBytesHold) {
  expect_refused(profile_from_bytes(tampered("INSERT INTO launch_chunk VALUES(0,4096,x'0000')"), "test"),
                 "'launch_chunk', row 0");
  expect_refused(profile_from_bytes(tampered("INSERT INTO launch_chunk VALUES(0,-1,x'0000')"), "test"),
                 "'launch_chunk', row 0");
}

TEST_F(StoreTest, RefusesAListLongerThanItsBytes) {
  expect_refused(profile_from_bytes(tampered("INSERT INTO issue VALUES(0,0,'x',x'ffffffffffffffff7f')"), "test"),
                 "'issue', row 0");
}

/// "kernel(id INTEGER PRIMARY KEY, short_name TEXT NOT NULL)" has the columns "id, short_name".
std::string columns_of(std::string_view sql) {
  std::string columns;
  std::string_view rest = sql.substr(sql.find('(') + 1);
  while (!rest.empty()) {
    const std::string_view column = rest.substr(0, rest.find(' '));
    columns += (columns.empty() ? "" : ", ") + std::string(column);
    const std::size_t comma = rest.find(", ");
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
  }
  return columns;
}

TEST_F(StoreTest, HasAReferencePageWithEveryTableAndColumn) {
  std::ifstream file(RIDGE_SOURCE_DIR "/docs/reference/store.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const TableSchema& table : tables()) {
    const std::string row = "| `" + std::string(table.name) + "` | " + columns_of(table.sql) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  EXPECT_NE(page.find("**" + std::to_string(kSchemaVersion) + "**"), std::string::npos);
}

TEST_F(StoreTest, RefusesAFileThatDoesNotSayWhetherItIsFinished) {
  expect_refused(profile_from_bytes(tampered("DELETE FROM state"), "test"), "whether it is finished");
  expect_refused(profile_from_bytes(tampered("UPDATE state SET finished=2"), "test"), "'state', row 0");
}

TEST_F(StoreTest, RefusesReadingsAndRecordingsOfNothing) {
  Profile profile;
  profile.readings.resize(1);
  expect_refused(profile_from_bytes(bytes_of(profile), "test"), "a reading of no device");
  profile = Profile();
  profile.recordings.resize(1);
  expect_refused(profile_from_bytes(bytes_of(profile), "test"), "a recording without source");
}

TEST_F(StoreTest, RefusesChunksOfSamplesAndReadingsThatTheirBytesDoNotHold) {
  for (const std::string table : {"sampled_chunk", "reading_chunk"}) {
    for (const std::string values : {"0,4096,x'0000'", "0,-1,x'0000'", "0,1,x''", "0,1,x'00ff0000000000'"}) {
      expect_refused(profile_from_bytes(tampered("INSERT INTO " + table + " VALUES(" + values + ")"), "test"),
                     "'" + table + "', row 0");
    }
  }
}

TEST_F(StoreTest, ReportsValuesOfANewerProgramAsAnIssue) {
  // A configuration of a grid, a block, no cluster, and one named value: name 0, measured, whole number 3.
  const std::string sql =
      "INSERT INTO value_name VALUES(0,'future_value');"
      "INSERT INTO configuration VALUES(0,1,1,1,1,1,1,x'01000806'||x'01010101'||x'01010101'||x'00')";
  const Result<Profile> result = profile_from_bytes(tampered(sql), "test");
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_EQ(result->issues.size(), 1U);
  EXPECT_EQ(result->issues[0].message.id, "store-unknown-value");
  EXPECT_EQ(std::get<std::string>(result->issues[0].message.arguments.at(0).value), "future_value");
}

}  // namespace
}  // namespace ridge::store
