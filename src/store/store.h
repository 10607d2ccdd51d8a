// The .ridge file: a Profile in a SQLite database with a versioned schema. Writing and reading back loses nothing:
// every Value keeps its bits, its provenance or its reason.
//
// A file written here appears complete or not at all; one that grows while a program runs is written by writer.h and
// can be read at any moment. Where such a file was not finished, an Issue ("store-unfinished") says how much there is.
// A file that is foreign, damaged or from a newer version is one Error; values that a newer program of the same schema
// added become an Issue ("store-unknown-value"). Not here: queries without reading the whole profile.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge::store {

/// True if a file that begins with these bytes (100 are enough) is a .ridge file of any version.
[[nodiscard]] bool is_ridge_file(std::string_view head);

[[nodiscard]] Result<void> write_profile(const std::string& path, const Profile& profile);
[[nodiscard]] Result<Profile> read_profile(const std::string& path);

/// The same as the content of a file in memory. `where` names the bytes in errors.
[[nodiscard]] Result<std::string> profile_to_bytes(const Profile& profile);
/// All the rest of `reader`: a .ridge file that was packed. Its header says how many bytes may follow, and how many fit
/// into memory is bounded; more are an error before they are read.
[[nodiscard]] Result<Profile> profile_from_reader(ByteReader& reader, const std::string& where);
[[nodiscard]] Result<Profile> profile_from_bytes(std::string_view bytes, const std::string& where);

}  // namespace ridge::store
