// `ridge profile` from its arguments to the report, over any way to run a program: the session of this machine, or what
// a test plays.
#pragma once

#include <functional>

#include "cli/command.h"
#include "collectors/session/session.h"

namespace ridge::cli {

/// collectors::session::run, or what stands in for it.
using RunProgram = std::function<Result<collectors::session::Outcome>(
    const collectors::session::Options&, const collectors::session::Sink&, collectors::session::Observer&)>;

/// The exit status as --exit-status wants it. An error means that the program was not started (or, if the file failed
/// at the start, nothing was recorded of it); what fails later is told on standard error.
[[nodiscard]] Result<int> profile_program(const Arguments& arguments, Context& context, const RunProgram& run);

}  // namespace ridge::cli
