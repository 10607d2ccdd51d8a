// Files as a ByteSource. Errors name the path, the system's reason and what to do.
// Not here: writing (store/atomic_file.h writes files that appear complete or not at all).
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"

namespace ridge {

/// Opens a file (or pipe) for reading from the start. Directories are refused.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);

/// The whole file; refuses more than `limit` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

}  // namespace ridge
