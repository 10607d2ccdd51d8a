// The sentences and terms of `ridge explain`, in both languages: the part "explain.*" of the message catalogue.
#pragma once

#include <span>

#include "render/text/messages.h"

namespace ridge::render {

[[nodiscard]] std::span<const CatalogueEntry> explain_entries();

}  // namespace ridge::render
