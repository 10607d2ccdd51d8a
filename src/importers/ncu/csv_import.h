// The CSV pages of Nsight Compute, as files or captured output: raw, details and source, several in one file, with
// other text before, between and after. See docs/reference/formats/ncu.md.
#pragma once

#include <string>

#include "base/bytes.h"
#include "importers/importer.h"

namespace ridge::ncu {

/// A header of one of the pages is among these bytes.
[[nodiscard]] bool is_csv_page(std::string_view first_bytes);
[[nodiscard]] Result<Profile> import_csv(ByteReader& reader, const std::string& path, const ImportOptions& options);

}  // namespace ridge::ncu
