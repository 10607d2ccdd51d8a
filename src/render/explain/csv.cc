#include <fmt/format.h>

#include "render/explain/explain.h"
#include "render/explain/view.h"

namespace ridge::render {
namespace {

std::string_view base_unit(Unit unit) {
  switch (unit) {
    case Unit::kBytes:
      return "B";
    case Unit::kFlops:
      return "FLOP";
    case Unit::kSeconds:
      return "s";
    case Unit::kHertz:
      return "Hz";
    case Unit::kBytesPerSecond:
      return "B/s";
    case Unit::kFlopsPerSecond:
      return "FLOP/s";
    case Unit::kFlopsPerByte:
      return "FLOP/B";
    default:
      return "1";
  }
}

void add_steps(Table& table, const ExplanationView& view, const std::string& machine,
               const std::vector<ExplainStep>& steps) {
  for (const ExplainStep& step : steps) {
    const StepText text = view.step(step);
    table.rows.push_back({machine, step.id, text.formula, text.numbers,
                          step.value ? fmt::format("{:.17g}", *step.value) : std::string(),
                          std::string(base_unit(step.unit))});
  }
}

}  // namespace

std::string explain_csv(const Explanation& explanation) {
  const ExplanationView view(explanation, Language::kEnglish);
  Table table;
  table.columns = {{"machine"}, {"step"}, {"formula"}, {"numbers"}, {"value", Align::kRight}, {"unit"}};
  add_steps(table, view, "", explanation.steps);
  for (const MachinePlacement& at : explanation.machines) {
    add_steps(table, view, at.id, at.steps);
    table.rows.push_back({at.id, "verdict", "", "", std::string(name(at.verdict)), ""});
    for (const MeasuredPlacement& placed : at.measured) {
      add_steps(table, view, fmt::format("{} @ {}", at.id, placed.text), placed.steps);
    }
  }
  return csv_table(table);
}

}  // namespace ridge::render
