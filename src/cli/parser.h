// From the words after a command's name to Arguments, as its CommandSpec declares them. Everything else is a usage
// error: unknown flags (with the nearest known one), missing and repeated values, values outside the choices, stray
// words.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace ridge::cli {

/// `words` excludes the program's and the command's name. `--flag value`, `--flag=value`, `-o value`, `-ovalue`; after
/// `--` every word is positional.
[[nodiscard]] Result<Arguments> parse(const CommandSpec& spec, const std::vector<std::string>& words);

/// True if --help or -h stands among the command's own words before `--`.
[[nodiscard]] bool asks_for_help(const CommandSpec& spec, const std::vector<std::string>& words);

}  // namespace ridge::cli
