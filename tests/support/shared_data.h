// Recordings that do not belong to the repository. Tests that want them skip where they are absent.
#pragma once

#include <optional>
#include <string>

namespace ridge::testing {

/// The path of `name` under $RIDGE_SHARED_DATA, or ../shared/data beside the source tree; nullopt if it is not there.
[[nodiscard]] std::optional<std::string> shared_data(const std::string& name);

}  // namespace ridge::testing
