// The report as GitHub-flavoured Markdown: for an issue, a pull request or a wiki. Everything from a file is escaped.
// Not drawn: the roofline; the places of the kernels are in the table.
#pragma once

#include <string>

#include "render/text/messages.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct MarkdownOptions {
  Language language = Language::kEnglish;
  bool detail = false;                ///< details of every kernel
  std::string all_with = "--detail";  ///< what a person is told to give, or to run, to see what is left out
};

[[nodiscard]] std::string render_markdown(const Report& report, const MarkdownOptions& options = {});

}  // namespace ridge::render
