// Recordings that do not belong to the repository. Tests that want them skip where they are absent.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace ridge::testing {

/// The path of `name` under $RIDGE_SHARED_DATA, or ../shared/data beside the source tree; nullopt if it is not there.
inline std::optional<std::string> shared_data(const std::string& name) {
  const char* const folder = std::getenv("RIDGE_SHARED_DATA");
  const std::filesystem::path path =
      (folder != nullptr ? std::filesystem::path(folder)
                         : std::filesystem::path(RIDGE_SOURCE_DIR) / ".." / "shared" / "data") /
      name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  return path.string();
}

}  // namespace ridge::testing
