// Profiles made by chance, for tests that something holds for every Profile: every member of every stored struct gets a
// value, including the awkward ones (NaN, negative zero, empty and non-UTF-8 texts, missing values with odd reasons).
// Indices always point into their tables, as every producer guarantees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ridgepoint/model/profile.h"

namespace ridge::test {

/// The same seed gives the same profile.
[[nodiscard]] Profile random_profile(std::uint64_t seed);

/// Every leaf of a profile as one line: numbers as their bits, values with provenance or reason. Two profiles are the
/// same if and only if their lines are. Independent of the store's own encoding.
[[nodiscard]] std::vector<std::string> describe(const Profile& profile);

}  // namespace ridge::test
