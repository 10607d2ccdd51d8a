// The roofline as an inline SVG whose colours come from the page's style sheet.
#pragma once

#include <string>

#include "render/text/messages.h"
#include "render/view/plot.h"

namespace ridge::render {

/// With <title> and <desc>; every point has a tooltip. `number` makes the ids on the page unique.
[[nodiscard]] std::string roofline_svg(const Report& report, const Plot& plot, std::size_t number, Language language);

/// Paragraphs for under it: which kernels are off the scale, which are not on it and why.
[[nodiscard]] std::string roofline_notes(const Report& report, const Plot& plot, Language language);

}  // namespace ridge::render
