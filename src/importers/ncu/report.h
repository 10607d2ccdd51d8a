// The .ncu-rep container, read as a stream: blocks, each with a header and a payload of sources, results and ranges.
// Layout, and what of it is used: docs/reference/formats/ncu.md.
//
// Every length is held against what is left of its surroundings before anything of that size is touched; section
// definitions, rules, sources and instance values are stepped over. What is damaged or cut costs the launches it
// touches, and an issue says how many; what stands before it is imported.
// Not modelled: range results, source files and cubins (hot lines are code addresses without text), the report's rules.
#pragma once

#include <string>

#include "base/bytes.h"
#include "importers/importer.h"

namespace ridge::ncu {

[[nodiscard]] bool is_report(std::string_view first_bytes);
[[nodiscard]] Result<Profile> import_report(ByteReader& reader, const std::string& path, const ImportOptions& options);

}  // namespace ridge::ncu
