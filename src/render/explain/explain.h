// An explanation in every output form. Text, Markdown and HTML exist in both languages; CSV and JSON are for programs
// and English.
#pragma once

#include <string>
#include <string_view>

#include "analysis/explain/explanation.h"
#include "render/terminal/text.h"

namespace ridge::render {

inline constexpr std::string_view kExplainSchema = "ridge.explain/1";

/// One machine: every step. Several: the steps of the work and one row a machine.
[[nodiscard]] std::string explain_text(const Explanation& explanation, const TextOptions& options);
[[nodiscard]] std::string explain_markdown(const Explanation& explanation, Language language);
/// A page of its own, without scripts or outside references.
[[nodiscard]] std::string explain_html(const Explanation& explanation, Language language);
/// One row a step: machine, step, formula, numbers, value, unit. Work steps have an empty machine; a measured step's
/// machine is followed by " @ " and the stopwatch result. Values in SI base units.
[[nodiscard]] std::string explain_csv(const Explanation& explanation);
/// Schema "ridge.explain/1", described in docs/reference/explain-json.md. SI base units; a missing number is null and
/// its key stands with the reason under "missing" of its object.
[[nodiscard]] std::string explain_json(const Explanation& explanation);

/// What can be explained: workloads with their parameters, elementary functions, terms. `format` as of --format.
[[nodiscard]] std::string explain_catalogue(std::string_view format, const TextOptions& options);

}  // namespace ridge::render
