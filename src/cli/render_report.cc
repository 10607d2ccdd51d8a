#include "cli/render_report.h"

#include "render/csv/csv.h"
#include "render/html/html.h"
#include "render/json/json.h"
#include "render/markdown/markdown.h"
#include "render/terminal/text.h"

namespace ridge::cli {

namespace {

render::TextOptions text_options(const OutputOptions& options, bool detail, const std::string& all_with) {
  render::TextOptions text;
  text.width = options.width;
  text.color = options.colour;
  text.unicode = options.unicode;
  text.language = render::parse_language(options.language);
  text.detail = detail;
  text.all_with = all_with;
  return text;
}

}  // namespace

bool lists_launches(const OutputOptions& options, bool detail) {
  return detail && options.format != "text" && options.format != "md";
}

std::string render_report(const Report& report, const OutputOptions& options, bool detail,
                          const std::string& all_with) {
  const render::Language language = render::parse_language(options.language);
  if (options.format == "json") return render::render_json(report, {detail});
  if (options.format == "csv") return render::render_csv(report, {detail});
  if (options.format == "html") return render::render_html(report, {language, detail, all_with});
  if (options.format == "md") return render::render_markdown(report, {language, detail, all_with});
  return render::render_text(report, text_options(options, detail, all_with));
}

}  // namespace ridge::cli
