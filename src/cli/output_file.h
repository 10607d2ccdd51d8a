// The name after -o, and writing a result there.
#pragma once

#include <string>

#include "cli/command.h"

namespace ridge::cli {

/// Replaces %p (process id), %h (host name), %r (rank of an MPI, Slurm or torch job; 0 outside one) and %%.
[[nodiscard]] Result<std::string> expand_output_path(const std::string& path, const Context& context);

}  // namespace ridge::cli
