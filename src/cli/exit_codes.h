// What the program's exit status means, in one place: the help, the manual and the error codes agree with this table.
#pragma once

#include <string_view>
#include <vector>

namespace ridge::cli {

struct ExitCode {
  int status;
  std::string_view meaning;
};

[[nodiscard]] const std::vector<ExitCode>& exit_codes();

}  // namespace ridge::cli
