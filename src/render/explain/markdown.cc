#include <fmt/format.h>

#include "render/explain/explain.h"
#include "render/explain/view.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

void add_list(std::string& out, const ExplanationView& view, const std::vector<Message>& messages) {
  for (const Message& message : messages) out += fmt::format("- {}\n", escape_markdown(view.message(message)));
  if (!messages.empty()) out += '\n';
}

void add_machine(std::string& out, const ExplanationView& view, const MachinePlacement& at) {
  out += fmt::format("## {}\n\n{}\n\n", escape_markdown(view.machine_title(at)), escape_markdown(view.unit_line(at)));
  if (!at.note.empty()) out += escape_markdown(view.note(at)) + "\n\n";
  out += markdown_table(view.step_table(at.steps)) + "\n";
  add_list(out, view, at.notes);
  out += fmt::format("**{}**\n\n", escape_markdown(view.verdict_line(at)));
  for (const MeasuredPlacement& placed : at.measured) {
    out += fmt::format("### {}\n\n", escape_markdown(view.measured_title(placed)));
    out += markdown_table(view.step_table(placed.steps)) + "\n";
    add_list(out, view, placed.findings);
  }
}

}  // namespace

std::string explain_markdown(const Explanation& explanation, Language language) {
  const ExplanationView view(explanation, language);
  std::string out = fmt::format("# {}\n\n{}\n\n## {}\n\n", escape_markdown(view.title()),
                                escape_markdown(view.parameters()), view.text("explain.label.work"));
  out += markdown_table(view.step_table(explanation.steps)) + "\n";
  if (explanation.machines.size() == 1) {
    add_machine(out, view, explanation.machines[0]);
  } else if (!explanation.machines.empty()) {
    out += fmt::format("## {}\n\n{}\n", view.machines_title(), markdown_table(view.machines(true)));
  }
  for (const SpeedUp& speedup : explanation.speedups) out += escape_markdown(view.speedup_line(speedup)) + "\n\n";
  out += fmt::format("## {}\n\n", view.text("explain.label.notes"));
  std::vector<Message> notes = explanation.notes;
  notes.emplace_back("explain.paper");
  add_list(out, view, notes);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace ridge::render
