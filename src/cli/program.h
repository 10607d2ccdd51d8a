// The program from its words to its exit status, with the surroundings given: main() and the tests call this.
#pragma once

#include <string>
#include <vector>

#include "cli/help.h"

namespace ridge::cli {

/// `words` excludes the program's name. Prints results to context.out and at most one line of error to context.err.
[[nodiscard]] int run_program(const Commands& commands, const std::vector<std::string>& words, Context& context);

/// "ridge: what (where): remedy", on one line whatever bytes the error carries.
[[nodiscard]] std::string error_line(const Error& error);

}  // namespace ridge::cli
