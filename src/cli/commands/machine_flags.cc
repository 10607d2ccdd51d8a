#include "cli/commands/machine_flags.h"

#include <charconv>

namespace ridge::cli {

Result<Database> known_machines(const Context& context) {
  const auto paths = context.environment.find("RIDGE_MACHINES");
  return Database::with_paths(paths == context.environment.end() ? std::string_view() : paths->second);
}

Result<int> parse_count(std::string_view text, std::string_view option, int least, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
  return fail(usage_error(
      "'" + std::string(text) + "' is not a whole number from " + std::to_string(least) + " to " + std::to_string(most),
      std::string(option), "correct the number"));
}

std::string render_document(const render::Document& document, const OutputOptions& options) {
  const render::Language language = render::parse_language(options.language);
  if (options.format == "md") return render::document_markdown(document);
  if (options.format == "html") return render::document_html(document, language);
  render::TextOptions text;
  text.width = options.width;
  text.color = options.colour;
  text.unicode = options.unicode;
  text.language = language;
  return render::document_text(document, text);
}

}  // namespace ridge::cli
