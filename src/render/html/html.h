// The report as one plain HTML page: no script, nothing loaded from anywhere, light and dark by the reader's setting,
// readable on paper and on a telephone. Its content security policy allows inline style and nothing else, so even a
// mistake in escaping could not run anything.
// Not here: zooming, filtering and sorting.
#pragma once

#include <string>

#include "render/text/messages.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct HtmlOptions {
  Language language = Language::kEnglish;
  bool detail = false;                ///< every kernel in the table and in detail
  std::string all_with = "--detail";  ///< what a person is told to give, or to run, to see what is left out
};

[[nodiscard]] std::string render_html(const Report& report, const HtmlOptions& options = {});

}  // namespace ridge::render
