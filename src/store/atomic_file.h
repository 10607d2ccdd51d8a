// A file that appears complete or not at all: written under a temporary name in the same folder, synced to disk, then
// renamed over its final name. A device or a pipe (/dev/null, a fifo) cannot be replaced and is written in place.
#pragma once

#include <string>
#include <string_view>

#include "ridgepoint/base/result.h"

namespace ridge::store {

/// Replaces the file at `path` (through a symbolic link, its target) with `bytes`; an existing file keeps its
/// permissions. On an error nothing of it remains and an existing file is as it was.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view bytes);

}  // namespace ridge::store
