// The tables behind glossary.h, one file each.
#pragma once

#include <span>

#include "render/glossary/glossary.h"

namespace ridge::render {

[[nodiscard]] std::span<const GlossaryEntry> roofline_terms();
[[nodiscard]] std::span<const GlossaryEntry> machine_terms();
[[nodiscard]] std::span<const GlossaryEntry> evidence_terms();
[[nodiscard]] std::span<const GlossaryEntry> finding_terms();

}  // namespace ridge::render
