// A file of an older schema says what the recording that it was made from says now.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/decompress.h"
#include "base/files.h"
#include "importers/importer.h"
#include "store/store.h"
#include "support/random_profile.h"

namespace ridge {
namespace {

const std::string kData = std::string(RIDGE_SOURCE_DIR) + "/tests/data/";

Result<Profile> read_packed(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> file = open_file(path);
  if (!file) return fail(file.error());
  ByteReader reader(decoded(std::move(*file), path));
  return store::profile_from_reader(reader, path);
}

/// What does not depend on the day it was read: where the file lay, and a machine that the program added.
Profile timeless(Profile profile) {
  for (Source& source : profile.sources) source.path.clear();
  for (Device& device : profile.devices) device.machine.reset();
  profile.issues.clear();
  return profile;
}

TEST(StoredTest, ReadsVersion1AsTheRecordingItWasMadeFrom) {
  const Result<Profile> stored = read_packed(kData + "store/version_1.ridge.gz");
  ASSERT_TRUE(stored) << to_string(stored.error());
  const Result<Profile> recorded = import_file(kData + "h200/tour_basic.ncu-rep.gz");
  ASSERT_TRUE(recorded) << to_string(recorded.error());
  ASSERT_FALSE(stored->launches.empty());
  EXPECT_EQ(test::describe(timeless(*stored)), test::describe(timeless(*recorded)));
}

TEST(StoredTest, RewritesVersion1WithoutLoss) {
  const Result<Profile> stored = read_packed(kData + "store/version_1.ridge.gz");
  ASSERT_TRUE(stored) << to_string(stored.error());
  const Result<std::string> bytes = store::profile_to_bytes(*stored);
  ASSERT_TRUE(bytes);
  const Result<Profile> again = store::profile_from_bytes(*bytes, "test");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(test::describe(*again), test::describe(*stored));
}

}  // namespace
}  // namespace ridge
