#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_codes.h"

namespace ridge::cli {

namespace {

constexpr int kWidestText = 100;  ///< longer lines are hard to read

/// Wraps one paragraph; lines after the first begin with `indent` blanks, the first is taken to stand there already.
std::string wrap(std::string_view paragraph, int indent, int width) {
  const auto room = static_cast<std::size_t>(std::max(20, std::min(width, kWidestText) - indent));
  std::string result;
  std::size_t used = 0;
  while (!paragraph.empty()) {
    const std::size_t blank = std::min(paragraph.find(' '), paragraph.size());
    const std::string_view word = paragraph.substr(0, blank);
    paragraph.remove_prefix(std::min(blank + 1, paragraph.size()));
    if (used > 0 && used + 1 + word.size() > room) {
      result += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      used = 0;
    }
    if (used > 0) result += ' ';
    result += word;
    used += word.size() + (used > 0 ? 1 : 0);
  }
  return result;
}

/// Wraps each line of `text` for itself, so blank lines and lists survive.
std::string wrap_lines(std::string_view text, int width) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += wrap(text.substr(0, end), 0, width) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// "  name        text wrapped in its own column".
std::string entry(std::string_view name, std::string_view text, int column, int width) {
  std::string line = fmt::format("  {:<{}}", name, column - 2);
  if (static_cast<int>(name.size()) + 4 > column) {
    line = fmt::format("  {}\n{}", name, std::string(static_cast<std::size_t>(column), ' '));
  }
  return line + wrap(text, column, width) + '\n';
}

std::string flag_label(const Flag& flag) {
  std::string label = flag.short_name.empty() ? flag.name : flag.short_name + ", " + flag.name;
  if (!flag.value_name.empty()) label += ' ' + flag.value_name;
  return label;
}

std::string flag_text(const Flag& flag) {
  std::string text = flag.help;
  if (!flag.choices.empty()) text += fmt::format(" One of {}.", fmt::join(flag.choices, ", "));
  if (!flag.default_value.empty()) text += fmt::format(" Default {}.", flag.default_value);
  if (flag.repeatable) text += " May be given several times.";
  return text;
}

std::string usage_line(const CommandSpec& spec) {
  std::string line = "ridge " + spec.name;
  if (!all_flags(spec).empty()) line += " [FLAGS]";
  if (spec.runs_program) line += " --";
  for (const Positional& positional : spec.positionals) {
    const bool many = positional.max < 0 || positional.max > 1;
    const std::string name = positional.name + (many ? "..." : "");
    line += positional.min == 0 ? " [" + name + "]" : " " + name;
  }
  return line;
}

constexpr int kFlagColumn = 26;

std::string flag_section(std::string_view title, const std::vector<Flag>& flags, int width, bool with_help) {
  std::string text = fmt::format("\n{}:\n", title);
  for (const Flag& flag : flags) text += entry(flag_label(flag), flag_text(flag), kFlagColumn, width);
  if (with_help) text += entry("-h, --help", "Show this help.", kFlagColumn, width);
  return text;
}

std::string exit_code_section(int width) {
  std::string text = "\nExit status:\n";
  for (const ExitCode& code : exit_codes()) text += entry(fmt::format("{}", code.status), code.meaning, 6, width);
  return text;
}

std::string command_manual(const CommandSpec& spec) {
  std::string text =
      fmt::format("\n## ridge {}\n\n{}\n\n    {}\n\n{}\n", spec.name, spec.summary, usage_line(spec), spec.description);
  if (!spec.positionals.empty()) text += "\n| argument | meaning |\n|---|---|\n";
  for (const Positional& positional : spec.positionals) {
    text += fmt::format("| `{}` | {} |\n", positional.name, positional.help);
  }
  if (!spec.flags.empty()) text += "\n| flag | meaning |\n|---|---|\n";
  for (const Flag& flag : spec.flags) text += fmt::format("| `{}` | {} |\n", flag_label(flag), flag_text(flag));
  text += spec.common_output_flags ? "\nThe common output flags apply.\n" : "";
  if (!spec.examples.empty()) text += "\nExamples:\n\n";
  for (const auto& [line, meaning] : spec.examples) text += fmt::format("- `{}` - {}\n", line, meaning);
  return text;
}

}  // namespace

std::string program_help(const Commands& commands, int width) {
  std::string text =
      "ridge: how far GPU code is from what the hardware can do\n\nUsage: ridge COMMAND [FLAGS] "
      "[ARGUMENTS]\n\nCommands:\n";
  for (const auto& command : commands) {
    const CommandSpec& spec = command->spec();
    if (!spec.hidden) text += entry(spec.name, spec.summary, 16, width);
  }
  text +=
      "\n" + wrap("'ridge COMMAND --help' explains a command, 'ridge --version' names this version.", 0, width) + "\n";
  return text + exit_code_section(width);
}

std::string command_help(const CommandSpec& spec, int width) {
  std::string text = fmt::format("ridge {}: {}\n\nUsage: {}\n\n{}", spec.name, spec.summary, usage_line(spec),
                                 wrap_lines(spec.description, width));
  if (!spec.positionals.empty()) text += "\nArguments:\n";
  for (const Positional& positional : spec.positionals) {
    text += entry(positional.name, positional.help, kFlagColumn, width);
  }
  text += flag_section("Flags", spec.flags, width, true);
  if (spec.common_output_flags) text += flag_section("Output flags", common_flags(), width, false);
  if (!spec.examples.empty()) text += "\nExamples:\n";
  for (const auto& [line, meaning] : spec.examples) {
    text += "  " + line + "\n      " + wrap(meaning, 6, width) + "\n";
  }
  return text + exit_code_section(width);
}

std::string manual(const Commands& commands) {
  std::string text =
      "# The command line\n\nThis page is generated by `ridge manual`; each command's `--help` says the same.\n\n"
      "Results go to standard output, everything else to standard error. An error is one line: what, where, what to "
      "do.\n\n## Exit status\n\n| status | meaning |\n|---|---|\n";
  for (const ExitCode& code : exit_codes()) text += fmt::format("| {} | {} |\n", code.status, code.meaning);
  text += "\n## Common output flags\n\n| flag | meaning |\n|---|---|\n";
  for (const Flag& flag : common_flags()) text += fmt::format("| `{}` | {} |\n", flag_label(flag), flag_text(flag));
  for (const auto& command : commands) {
    if (!command->spec().hidden) text += command_manual(command->spec());
  }
  return text;
}

}  // namespace ridge::cli
