// Every command of the program, in the order in which help shows them.
#pragma once

#include "cli/help.h"

namespace ridge::cli {

[[nodiscard]] const Commands& commands();
/// nullptr if there is none of that name.
[[nodiscard]] const Command* find_command(const Commands& commands, std::string_view name);
/// The usage error for a name that no command has, with the nearest one that exists.
[[nodiscard]] Error unknown_command(const Commands& commands, const std::string& name);

}  // namespace ridge::cli
