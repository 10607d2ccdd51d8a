// A file that appears complete or not at all: written without a name (or under a temporary one) in the same folder,
// synced to disk, then put in its final place; whatever ends the program, an old file stays as it was. A device or a
// pipe (/dev/null, a fifo) cannot be replaced and is written in place, and so are the streams of the program itself
// (/dev/stdout, /dev/stderr, /dev/fd/N), even if a file is behind them.
#pragma once

#include <string>
#include <string_view>

#include "ridgepoint/base/result.h"

namespace ridge::store {

/// Replaces the file at `path` (through a symbolic link, its target) with `bytes`; an existing file keeps its
/// permissions. On an error nothing of it remains and an existing file is as it was. A link that leads nowhere is an
/// error.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view bytes);

/// The usual errors of write_file, found before there is anything to write: no folder for the file, one that may not be
/// written, a folder of that name. For who writes at the end of long work.
[[nodiscard]] Result<void> check_file(const std::string& path);

}  // namespace ridge::store
