#include "cli/exit_codes.h"

namespace ridge::cli {

const std::vector<ExitCode>& exit_codes() {
  static const std::vector<ExitCode> codes = {
      {0, "done, or the answer is yes"},
      {1, "the answer is no (a gate failed)"},
      {2, "usage: the command line is wrong"},
      {3, "bad input: a file is missing, damaged, foreign or has no kernels"},
      {4, "not available here: no GPU, no permission, not built in"},
      {5, "internal error, or the machine failed (disk full, out of memory)"},
      {6, "not comparable"},
  };
  return codes;
}

}  // namespace ridge::cli
