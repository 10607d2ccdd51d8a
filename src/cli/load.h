// From the files on the command line to one Profile with its machines: recognised by content, read, merged, matched
// against the machine database, overridden by --on, --peak and --bandwidth. What `report` and `export` share.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "ridgepoint/machines/database.h"
#include "ridgepoint/model/profile.h"

namespace ridge::cli {

/// --decimal, --on, --peak, --bandwidth.
[[nodiscard]] const std::vector<Flag>& input_flags();

/// The machines of the program and of the folders named by RIDGE_MACHINES.
[[nodiscard]] Result<Database> machine_database(const Context& context);

/// MACHINE as `where` (a flag or a command) gives it. A name that stands for one of several variants ("h100") is told
/// of on standard error, with the others.
[[nodiscard]] Result<Machine> named_machine(const std::string& name, std::string_view where, const Database& database,
                                            const Context& context);

/// A plain .ridge file, with what its representatives say filled in.
[[nodiscard]] Result<Profile> read_recording(const std::string& path);
/// Reads every file and merges them in order; an error if none has a kernel. Machines are not resolved.
[[nodiscard]] Result<Profile> read_profiles(const std::vector<std::string>& paths, const Arguments& arguments);
/// Gives every device its machine.
[[nodiscard]] Result<void> place_on_machines(Profile& profile, const Arguments& arguments, const Context& context);

/// Tells of data loss on standard error, a line each; 3 if there was any, else 0.
[[nodiscard]] int report_data_loss(const std::vector<Issue>& issues, Context& context);

}  // namespace ridge::cli
