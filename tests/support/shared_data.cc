#include "support/shared_data.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace ridge::testing {

std::optional<std::string> shared_data(const std::string& name) {
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
