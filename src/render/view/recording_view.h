// What the reports for people say of a live recording: what ran, how much of it is covered by which evidence, and each
// device's time, clocks and power.
#pragma once

#include <string>
#include <vector>

#include "render/view/view.h"

namespace ridge::render {

/// A few facts a recording; `detail` adds copies by kind, the memory clock, what counters cost, and what the recorder
/// notes of its surroundings; `all_with` is what shows that. Empty for reports of other tools' files.
[[nodiscard]] std::vector<Fact> recording_facts(const Report& report, Language language, bool detail,
                                                const std::string& all_with);

/// Whose counters and samples a kernel's numbers are: "1 replay x 300 launches; ..."; empty where each launch has its
/// own counters or none has any.
[[nodiscard]] std::string evidence_of(const ReportKernel& kernel, Language language);

}  // namespace ridge::render
