#include <fmt/format.h>

#include "render/explain/explain.h"
#include "render/explain/view.h"
#include "render/html/style.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

std::string element(std::string_view tag, std::string_view text, std::string_view css_class = "") {
  const std::string attribute = css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<{}{}>{}</{}>\n", tag, attribute, escape_html(text), tag);
}

std::string table(const Table& rows) {
  return "<div class=\"card scroll\">" + html_table(rows) + "</div>\n";
}

std::string list(const ExplanationView& view, const std::vector<Message>& messages) {
  if (messages.empty()) return "";
  std::string out = "<ul>\n";
  for (const Message& message : messages) out += element("li", view.message(message));
  return out + "</ul>\n";
}

std::string machine(const ExplanationView& view, const MachinePlacement& at) {
  std::string out = element("h2", view.machine_title(at)) + element("p", view.unit_line(at));
  if (!at.note.empty()) out += element("p", view.note(at));
  out += table(view.step_table(at.steps)) + list(view, at.notes);
  out += element("p", view.verdict_line(at), "headline");
  for (const MeasuredPlacement& placed : at.measured) {
    out += element("h3", view.measured_title(placed));
    out += table(view.step_table(placed.steps)) + list(view, placed.findings);
  }
  return out;
}

}  // namespace

std::string explain_html(const Explanation& explanation, Language language) {
  const ExplanationView view(explanation, language);
  std::string body = element("h1", view.title()) + element("p", view.parameters());
  body += element("h2", view.text("explain.label.work")) + table(view.step_table(explanation.steps));
  if (explanation.machines.size() == 1) {
    body += machine(view, explanation.machines[0]);
  } else if (!explanation.machines.empty()) {
    body += element("h2", view.machines_title()) + table(view.machines(true));
  }
  for (const SpeedUp& speedup : explanation.speedups) body += element("p", view.speedup_line(speedup), "headline");
  std::vector<Message> notes = explanation.notes;
  notes.emplace_back("explain.paper");
  body += element("h2", view.text("explain.label.notes")) + list(view, notes);
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n{}<style>{}</style>\n</head>\n"
      "<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      language == Language::kChinese ? "zh-CN" : "en", element("title", view.title()), html_style(), body);
}

}  // namespace ridge::render
