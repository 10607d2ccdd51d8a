// The roofline as characters: log-log axes, roofs in dots, ridges marked, kernels as their letters.
#pragma once

#include "render/terminal/page.h"
#include "render/view/plot.h"

namespace ridge::render {

/// Draws the chart with its axes, the roofs' legend, the kernels' legend and the list of kernels that have no place on
/// it with the reason.
void draw_roofline(Page& page, const Report& report, const Plot& plot);

}  // namespace ridge::render
