// The words of `ridge lab` in both languages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/text/messages.h"

namespace ridge::render {

[[nodiscard]] std::span<const CatalogueEntry> lab_entries();

/// The text of "lab.<id>" with {0}, {1}, ... replaced by `values`.
[[nodiscard]] std::string lab_text(std::string_view id, Language language, const std::vector<std::string>& values = {});

}  // namespace ridge::render
