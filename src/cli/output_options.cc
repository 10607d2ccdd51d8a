#include <charconv>

#include "cli/command.h"

namespace ridge::cli {

const std::vector<Flag>& common_flags() {
  static const std::vector<Flag> flags = {
      {"--format", "", "FORMAT", "Form of the result.", "text", {"text", "json", "csv", "html", "md"}, false},
      {"--output",
       "-o",
       "FILE",
       "Write the result to FILE instead of standard output; FILE appears only when complete. %p, %h and %r in its "
       "name "
       "are the process id, the host name and the rank in a job of many processes; - is standard output.",
       "",
       {},
       false},
      {"--lang",
       "",
       "LANGUAGE",
       "Language of text, Markdown and HTML; the environment's RIDGE_LANG is the default.",
       "en",
       {"en", "zh"},
       false},
      {"--color",
       "",
       "WHEN",
       "Colour in text: auto colours a terminal unless NO_COLOR is set or TERM is dumb.",
       "auto",
       {"auto", "always", "never"},
       false},
      {"--width", "", "COLUMNS", "Columns of text output, 20 to 1000; the terminal's own by default.", "", {}, false},
  };
  return flags;
}

std::vector<Flag> all_flags(const CommandSpec& spec) {
  std::vector<Flag> flags = spec.flags;
  if (spec.common_output_flags) flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  return flags;
}

namespace {

std::string environment_value(const Context& context, std::string_view name) {
  const auto found = context.environment.find(name);
  return found == context.environment.end() ? std::string() : found->second;
}

/// https://no-color.org: any value that is not empty switches colour off.
bool wants_colour(const Arguments& arguments, const Context& context) {
  const std::string when = arguments.value("--color");
  if (when == "always") return true;
  if (when == "never" || arguments.has("--output")) return false;
  return context.out_is_terminal && environment_value(context, "NO_COLOR").empty() &&
         environment_value(context, "TERM") != "dumb";
}

/// The first of these that is set decides, as in the C library. None set is no statement: today's terminals are UTF-8.
bool locale_is_utf8(const Context& context) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = environment_value(context, name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos ||
           value.find("utf-8") != std::string::npos || value.find("UTF8") != std::string::npos;
  }
  return true;
}

Result<int> parse_width(const std::string& text) {
  constexpr int kNarrowest = 20;
  constexpr int kWidest = 1000;
  int width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error != std::errc() || end != text.data() + text.size() || width < kNarrowest || width > kWidest) {
    return fail(usage_error("'" + text + "' is not a number of columns", "--width", "give a whole number, 20 to 1000"));
  }
  return width;
}

}  // namespace

Result<OutputOptions> output_options(const Arguments& arguments, const Context& context) {
  OutputOptions options;
  options.format = arguments.value("--format");
  options.colour = wants_colour(arguments, context);
  options.unicode = !context.out_is_terminal || arguments.has("--output") || locale_is_utf8(context);
  options.width = context.terminal_width;
  options.language = arguments.value("--lang");
  if (!arguments.has("--lang") && environment_value(context, "RIDGE_LANG") == "zh") options.language = "zh";
  if (arguments.has("--width")) {
    const Result<int> width = parse_width(arguments.value("--width"));
    if (!width) return fail(width.error());
    options.width = *width;
  }
  return options;
}

}  // namespace ridge::cli
