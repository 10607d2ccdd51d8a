#include <fmt/format.h>

#include "render/explain/explain.h"
#include "render/explain/view.h"
#include "render/terminal/page.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

constexpr int kIndent = 2;
constexpr int kLabelColumns = 18;
constexpr int kWideTable = 140;

std::string padded(const std::string& label) {
  const int gap = std::max(1, kLabelColumns - display_width(label));
  return label + std::string(static_cast<std::size_t>(gap), ' ');
}

/// On one line if it fits, else formula, numbers and result below one another.
void write_step(Page& page, const StepText& step) {
  std::vector<std::string> parts;
  for (const std::string& part : {step.formula, step.numbers, step.result}) {
    if (!part.empty()) parts.push_back(parts.empty() ? part : "= " + part);
  }
  const std::string line = fmt::format("{}", fmt::join(parts, " "));
  const std::string lead = padded(step.label);
  if (kIndent + display_width(lead) + display_width(line) <= page.width()) {
    page.item(lead, line, kIndent);
    return;
  }
  const std::string blank(static_cast<std::size_t>(display_width(lead)), ' ');
  for (std::size_t i = 0; i < parts.size(); ++i) page.item(i == 0 ? lead : blank, parts[i], kIndent);
}

void write_steps(Page& page, const ExplanationView& view, const std::vector<ExplainStep>& steps) {
  for (const StepText& step : view.steps(steps)) write_step(page, step);
}

void write_messages(Page& page, const ExplanationView& view, const std::vector<Message>& messages) {
  for (const Message& message : messages) page.item("- ", view.message(message), kIndent);
}

void write_machine(Page& page, const ExplanationView& view, const MachinePlacement& at) {
  page.heading(view.machine_title(at));
  page.paragraph(view.unit_line(at), kIndent);
  if (!at.note.empty()) page.paragraph(view.note(at), kIndent);
  write_steps(page, view, at.steps);
  write_messages(page, view, at.notes);
  page.heading(view.text("explain.label.verdict"));
  page.paragraph(view.verdict_line(at), kIndent, ink_of(at.verdict));
  for (const MeasuredPlacement& placed : at.measured) {
    page.heading(view.measured_title(placed));
    write_steps(page, view, placed.steps);
    write_messages(page, view, placed.findings);
  }
}

}  // namespace

std::string explain_text(const Explanation& explanation, const TextOptions& options) {
  const ExplanationView view(explanation, options.language);
  Page page(options);
  page.paragraph(view.title(), 0, Ink::kBold);
  page.paragraph(view.parameters());
  page.heading(view.text("explain.label.work"));
  write_steps(page, view, explanation.steps);
  if (explanation.machines.size() == 1) {
    write_machine(page, view, explanation.machines[0]);
  } else if (!explanation.machines.empty()) {
    page.heading(view.machines_title());
    std::string table = text_table(view.machines(page.width() >= kWideTable), page.width());
    while (table.ends_with('\n')) table.pop_back();
    page.finished_line(table);
  }
  for (const SpeedUp& speedup : explanation.speedups) page.paragraph(view.speedup_line(speedup), kIndent);
  page.heading(view.text("explain.label.notes"));
  write_messages(page, view, explanation.notes);
  page.item("- ", view.text("explain.paper"), kIndent);
  return page.take();
}

}  // namespace ridge::render
