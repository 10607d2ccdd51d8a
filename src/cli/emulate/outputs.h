// What becomes of the buffers of an emulated launch: saved, and compared with what was expected.
#pragma once

#include "cli/command.h"
#include "emulator/run/run.h"

namespace ridge::cli {

[[nodiscard]] bool keeps_results(const emulator::Job& job);  ///< some buffer is saved or compared
/// What would fail when they are saved, found before the run: no such folder, one file for two buffers.
[[nodiscard]] Result<void> check_outputs(const emulator::Job& job);
/// Saves every file first, then compares, a line on standard error each; false if a comparison failed.
[[nodiscard]] Result<bool> keep_results(const emulator::Job& job, const emulator::RunResult& result, Context& context);

}  // namespace ridge::cli
