// The factories of all commands; one file each defines one. registry.cc lists them.
#pragma once

#include <memory>

#include "cli/command.h"

namespace ridge::cli {

[[nodiscard]] std::unique_ptr<Command> make_report_command();
[[nodiscard]] std::unique_ptr<Command> make_profile_command();
[[nodiscard]] std::unique_ptr<Command> make_doctor_command();
[[nodiscard]] std::unique_ptr<Command> make_emulate_command();
[[nodiscard]] std::unique_ptr<Command> make_explain_command();
[[nodiscard]] std::unique_ptr<Command> make_machines_command();
[[nodiscard]] std::unique_ptr<Command> make_occupancy_command();
[[nodiscard]] std::unique_ptr<Command> make_export_command();
[[nodiscard]] std::unique_ptr<Command> make_lab_command();
[[nodiscard]] std::unique_ptr<Command> make_help_command();
/// Hidden: prints docs/reference/cli.md.
[[nodiscard]] std::unique_ptr<Command> make_manual_command();

}  // namespace ridge::cli
