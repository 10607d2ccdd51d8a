// `ridge emulate` from its arguments to the report, over any way to run a job: the emulator, or what a test plays.
#pragma once

#include <functional>

#include "cli/command.h"
#include "emulator/run/run.h"

namespace ridge::cli {

/// emulator::run, or what stands in for it.
using RunJob = std::function<Result<emulator::RunResult>(const emulator::RunRequest&)>;

[[nodiscard]] std::vector<Flag> emulate_flags();

/// 1 if the kernel did something wrong or a result is not what was expected.
[[nodiscard]] Result<int> emulate_kernel(const Arguments& arguments, Context& context, const RunJob& run);

}  // namespace ridge::cli
