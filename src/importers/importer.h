// Reading what other tools wrote: one entry point, a format recognised by its content and never by the file's name.
//
// Every importer ends in a Profile or an Error; damage that does not stop it becomes issues of the profile. The list of
// importers is written by hand in importer.cc. Known formats that are not read are recognised too, so that the error
// says what the file is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

/// How numbers in a text page are punctuated: kPoint "1,234.5", kComma "1.234,5".
enum class DecimalOption : unsigned char { kAuto, kPoint, kComma };

struct ImportOptions {
  DecimalOption decimal = DecimalOption::kAuto;
  std::size_t hot_lines = 32;  ///< instructions kept per launch: by samples, and as many again by excess sectors
};

/// Bytes of a file, after decompression, that sniff() wants to see.
inline constexpr std::size_t kSniffBytes = std::size_t{64} << 10;

/// "ncu-rep", "ncu-csv", or the name of a format that is recognised but not read. nullopt: not recognised, though a
/// text may still hold a table further on.
[[nodiscard]] std::optional<std::string_view> sniff(std::string_view first_bytes);

/// Reads a file, unpacking gzip and zstd.
[[nodiscard]] Result<Profile> import_file(const std::string& path, const ImportOptions& options = {});

/// The same from bytes that are already unpacked; `name` stands for the path in messages and in the profile.
[[nodiscard]] Result<Profile> import_bytes(ByteReader& reader, const std::string& name, const ImportOptions& options);

/// Reads several files, one profile each, in order; the first that cannot be read is the error. join_files() brings
/// together what belongs together.
[[nodiscard]] Result<std::vector<Profile>> import_files(std::span<const std::string> paths,
                                                        const ImportOptions& options = {});

}  // namespace ridge
