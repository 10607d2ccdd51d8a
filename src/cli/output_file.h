// The name after -o, what it must not be, and writing a result there.
#pragma once

#include <string>

#include "cli/command.h"

namespace ridge::cli {

/// Replaces %p (process id), %h (host name), %r (rank of an MPI, Slurm or torch job; 0 outside one) and %%.
[[nodiscard]] Result<std::string> expand_output_path(const std::string& path, const Context& context);

/// An error if the result would be written over a file that the command reads: one of its positional arguments, or the
/// machine's after --on. Asked before the work begins; links and other names of the same file are seen through.
[[nodiscard]] Result<void> keep_inputs(const Arguments& arguments, const Context& context);

}  // namespace ridge::cli
