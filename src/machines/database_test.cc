#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ridgepoint/machines/database.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("ridge_database_test_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name) << content;
    return path_ / name;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string toy(const std::string& id, int sms) {
  return "id = \"" + id + "\"\nname = \"Toy\"\nsm_count = " + std::to_string(sms) +
         "\n[ceilings]\nfp32_core = { ops_per_clock_per_sm = 256, clock = \"1 GHz\" }\n";
}

TEST(DatabaseTest, FindsByIdAndAlias) {
  EXPECT_EQ(find_machine("h200-sxm")->id, "h200-sxm");
  EXPECT_EQ(find_machine("h200")->id, "h200-sxm");
  EXPECT_EQ(find_machine("4090d")->id, "rtx4090d");
}

TEST(DatabaseTest, FindsWholeNamesInAnyCase) {
  for (const char* name : {"H200", "H200-SXM", "NVIDIA H200", "nvidia  h200", "NVIDIA H200 SXM"}) {
    const auto machine = find_machine(name);
    ASSERT_TRUE(machine) << name;
    EXPECT_EQ(machine->id, "h200-sxm") << name;
  }
  for (const Machine& machine : Database::built_in().machines()) {
    EXPECT_EQ(find_machine(machine.name)->id, machine.id) << machine.name;
    for (const std::string& name : machine.device_names) EXPECT_EQ(find_machine(name)->id, machine.id) << name;
  }
}

TEST(DatabaseTest, NeverFindsAPartOfAName) {
  for (const char* name : {"", " ", "A1", "NVIDIA", "NVIDIA H", "H10", "A100X", "L400", "NVIDIA L4X", "H200 NVL"}) {
    EXPECT_FALSE(find_machine(name)) << name;
  }
}

TEST(DatabaseTest, SuggestsWhatBeginsAlikeBeforeWhatIsSpeltAlike) {
  const auto remedy = [](const char* name) { return find_machine(name).error().remedy; };
  EXPECT_NE(remedy("b200-sxm").find("did you mean \"b200\"?"), std::string::npos) << remedy("b200-sxm");
  EXPECT_NE(remedy("a100-sxm").find("did you mean \"a100-sxm-40gb\" or \"a100-sxm-80gb\"?"), std::string::npos)
      << remedy("a100-sxm");
}

TEST(DatabaseTest, SuggestsNearMisses) {
  const auto missing = find_machine("h100-sxn");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kUsage);
  EXPECT_NE(missing.error().remedy.find("did you mean \"h100-sxm\""), std::string::npos) << missing.error().remedy;
  EXPECT_NE(find_machine("RTX 4090").error().remedy.find("\"rtx4090\""), std::string::npos);
}

TEST(DatabaseTest, SuggestsNothingForWhatIsNoMachine) {
  const auto missing = find_machine("toaster");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().remedy.find("did you mean"), std::string::npos) << missing.error().remedy;
  EXPECT_FALSE(find_machine("").has_value());
}

TEST(DatabaseTest, ReadsAPathAndNamesItInErrors) {
  const Folder folder;
  EXPECT_EQ(find_machine(folder.write("good.toml", toy("toy", 3)).string())->sm_count, 3);
  const auto bad = find_machine(folder.write("bad.toml", "id = 3\n").string());
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::kBadInput);
  EXPECT_NE(bad.error().where.find("bad.toml:1"), std::string::npos);
  EXPECT_FALSE(find_machine((folder.path() / "absent.toml").string()).has_value());
}

TEST(DatabaseTest, UserFilesReplaceAndAddMachines) {
  const Folder folder;
  folder.write("a.toml", toy("l40s", 7));
  folder.write("b.toml", toy("mine", 5));
  folder.write("notes.txt", "not a machine");
  const auto database = Database::with_paths(folder.path().string());
  ASSERT_TRUE(database.has_value()) << to_string(database.error());
  EXPECT_EQ(find_machine("l40s", *database)->sm_count, 7);
  EXPECT_EQ(find_machine("mine", *database)->sm_count, 5);
  EXPECT_EQ(database->machines().size(), Database::built_in().machines().size() + 1);
  EXPECT_EQ(Database::built_in().find("l40s")->sm_count, 142) << "the built-in database stays";
}

TEST(DatabaseTest, AMissingUserPathIsAnError) {
  const auto database = Database::with_paths("/nonexistent/machines");
  ASSERT_FALSE(database.has_value());
  EXPECT_EQ(database.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(Database::with_paths("").has_value());
}

TEST(DatabaseTest, ListsNvidiaBeforeAmdAndOldArchitecturesFirst) {
  const auto& machines = Database::built_in().machines();
  EXPECT_EQ(machines.front().architecture, "Volta");
  EXPECT_EQ(machines.back().id, "mi300x");
}

}  // namespace
}  // namespace ridge
