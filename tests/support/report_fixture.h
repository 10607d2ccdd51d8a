// Reports made by hand for the renderers' tests: their figures follow an H200 run of the teaching kernels, but no
// analysis took part.
#pragma once

#include <string>
#include <vector>

#include "ridgepoint/analysis/report.h"

namespace ridge::test {

/// Seven kernels on one H200: memory-bound, compute-bound, latency-bound and overhead-bound ones, one without FLOP, one
/// with tensor work, findings, a comparison, issues of every severity.
[[nodiscard]] Report lab_report();
/// lab_report() as if recorded live: a recording with every value, samples of a launch, representatives.
[[nodiscard]] Report live_report();
/// No sources, machines or kernels at all.
[[nodiscard]] Report empty_report();
/// One kernel of which only the name is known.
[[nodiscard]] Report unknown_report();
/// lab_report() from two files: the second run is 1.25 times as fast.
[[nodiscard]] Report two_file_report();
/// Every text a file can supply replaced by `text`.
[[nodiscard]] Report report_with_text(const std::string& text);
/// lab_report() with `kernels` kernels.
[[nodiscard]] Report large_report(std::size_t kernels);

/// Markup, formulas, control characters, bidirectional overrides, invalid UTF-8.
[[nodiscard]] const std::vector<std::string>& hostile_texts();

}  // namespace ridge::test
