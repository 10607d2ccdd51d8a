// What the process finds around it: environment and terminal. The only file of the program that asks.
#pragma once

#include <map>
#include <string>

namespace ridge::cli {

[[nodiscard]] std::map<std::string, std::string, std::less<>> environment();
/// Columns of the terminal on standard output, else COLUMNS, else 100.
[[nodiscard]] int terminal_width(const std::map<std::string, std::string, std::less<>>& environment);
[[nodiscard]] bool output_is_terminal();
/// The same of standard error.
[[nodiscard]] int error_width(const std::map<std::string, std::string, std::less<>>& environment);
[[nodiscard]] bool error_is_terminal();
/// The folder of the program's own file; empty if the system does not tell.
[[nodiscard]] std::string program_folder();

}  // namespace ridge::cli
