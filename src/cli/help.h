// Help texts and the manual, both from the same CommandSpec.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace ridge::cli {

using Commands = std::vector<std::unique_ptr<Command>>;

/// `ridge --help`: every command in one line, exit codes.
[[nodiscard]] std::string program_help(const Commands& commands, int width);
/// `ridge NAME --help`.
[[nodiscard]] std::string command_help(const CommandSpec& spec, int width);
/// Every command as Markdown: docs/reference/cli.md.
[[nodiscard]] std::string manual(const Commands& commands);

}  // namespace ridge::cli
