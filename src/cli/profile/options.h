// What `ridge profile` may be told: its flags, and the run that they ask for.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "collectors/session/session.h"

namespace ridge::cli {

[[nodiscard]] std::vector<Flag> profile_flags();

/// The run, every value checked; what it needs of the surroundings (agent, environment) included.
[[nodiscard]] Result<collectors::session::Options> session_options(const Arguments& arguments, const Context& context);

/// RIDGE_AGENT, else the library in `lib` beside the program's folder; it need not be there.
[[nodiscard]] std::string agent_path(const Context& context);

}  // namespace ridge::cli
