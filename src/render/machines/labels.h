// The words of `ridge machines` and `ridge occupancy` in both languages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/text/messages.h"

namespace ridge::render {

[[nodiscard]] std::span<const CatalogueEntry> machine_entries();

/// The text of "machines.<id>"; its message arguments in braces are filled by filled().
[[nodiscard]] std::string machine_label(std::string_view id, Language language);

/// The label with `{0}`, `{1}`, ... replaced.
[[nodiscard]] std::string filled(std::string_view id, Language language, const std::vector<std::string>& values);

}  // namespace ridge::render
