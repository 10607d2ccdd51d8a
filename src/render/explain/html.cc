#include <fmt/format.h>

#include "render/explain/explain.h"
#include "render/explain/view.h"
#include "render/text/format.h"

namespace ridge::render {
namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;"
    "background:#fff}table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}"
    "th,td{padding:.3rem .7rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    "td{font-variant-numeric:tabular-nums}.verdict{font-weight:600}"
    "@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#16181c}th,td{border-color:#3a3d44}}";

std::string element(std::string_view tag, std::string_view text, std::string_view css_class = "") {
  const std::string attribute = css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
  return fmt::format("<{}{}>{}</{}>\n", tag, attribute, escape_html(text), tag);
}

std::string list(const ExplanationView& view, const std::vector<Message>& messages) {
  if (messages.empty()) return "";
  std::string out = "<ul>\n";
  for (const Message& message : messages) out += element("li", view.message(message));
  return out + "</ul>\n";
}

std::string machine(const ExplanationView& view, const MachinePlacement& at) {
  std::string out = element("h2", view.machine_title(at)) + element("p", view.unit_line(at));
  if (!at.note.empty()) out += element("p", at.note);
  out += html_table(view.step_table(at.steps)) + list(view, at.notes);
  out += element("p", view.verdict_line(at), "verdict");
  for (const MeasuredPlacement& placed : at.measured) {
    out += element("h3", view.measured_title(placed));
    out += html_table(view.step_table(placed.steps)) + list(view, placed.findings);
  }
  return out;
}

}  // namespace

std::string explain_html(const Explanation& explanation, Language language) {
  const ExplanationView view(explanation, language);
  std::string body = element("h1", view.title()) + element("p", view.parameters());
  body += element("h2", view.text("explain.label.work")) + html_table(view.step_table(explanation.steps));
  if (explanation.machines.size() == 1) {
    body += machine(view, explanation.machines[0]);
  } else if (!explanation.machines.empty()) {
    body += element("h2", view.machines_title()) + html_table(view.machines(true));
  }
  for (const SpeedUp& speedup : explanation.speedups) body += element("p", view.speedup_line(speedup), "verdict");
  std::vector<Message> notes = explanation.notes;
  notes.emplace_back("explain.paper");
  body += element("h2", view.text("explain.label.notes")) + list(view, notes);
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n{}<style>{}</style>\n</head>\n"
      "<body>\n{}</body>\n</html>\n",
      language == Language::kChinese ? "zh-CN" : "en", element("title", view.title()), kStyle, body);
}

}  // namespace ridge::render
