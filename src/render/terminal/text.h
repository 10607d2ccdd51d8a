// The report as terminal text: who measured what, the verdict in one sentence, what to change first, the kernels as a
// table, a roofline drawn in characters, then each kernel in detail, and last what is wrong with the data.
//
// No line is longer than `width` columns. Nothing from a file reaches the terminal as a control sequence.
#pragma once

#include <string>

#include "render/text/messages.h"
#include "ridgepoint/analysis/report.h"

namespace ridge::render {

struct TextOptions {
  int width = 100;      ///< 40 at least
  bool color = false;   ///< ANSI colours
  bool unicode = true;  ///< false: ASCII only, for terminals whose locale is not UTF-8
  Language language = Language::kEnglish;
  bool detail = false;                ///< every kernel in every section, every resource, every launch count
  std::string all_with = "--detail";  ///< what a person is told to give, or to run, to see what is left out
};

[[nodiscard]] std::string render_text(const Report& report, const TextOptions& options = {});

}  // namespace ridge::render
