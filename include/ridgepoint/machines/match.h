// Which machine a recording was made on: the driver's device name against the database, decided by exact names and the
// device's own attributes, never by a substring ("A10" is not "A100"); else a machine derived from the attributes.
//
// Not modelled: vGPU profiles, and clocks that an administrator locked.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ridgepoint/machines/database.h"
#include "ridgepoint/model/issue.h"
#include "ridgepoint/model/profile.h"

namespace ridge {

/// A machine, unless nothing is known, and what to tell the user about the choice. Issue ids: "machine-chosen" (info),
/// "machine-slice", "machine-derived" (notice), "machine-ambiguous", "machine-unknown", "machine-unnamed" (error).
struct Match {
  std::optional<Machine> machine;
  std::vector<Issue> issues;
};

[[nodiscard]] Match match_device(std::string_view name, const DeviceAttributes& attributes, const Database& database);

/// A machine from attributes alone, provenance kReported, its note saying from what; nullopt if they give neither a
/// compute peak nor a bandwidth. `database` only lends limits of the same compute capability.
[[nodiscard]] std::optional<Machine> derive_machine(std::string_view name, const DeviceAttributes& attributes,
                                                    const Database& database);

/// Gives every device `machine`, as a person chose it. Where the recording says that the device is another GPU, the
/// device is marked (Device::other_machine) and the issue "machine-other" (notice) says what its roofs then mean. A
/// device that the database does not know is taken for `machine` unless its attributes contradict.
void choose_machine(Profile& profile, const Machine& machine, const Database& database);

/// Fills Device::machine of every device that has none and adds the issues, each text once.
void resolve_machines(Profile& profile, const Database& database);

}  // namespace ridge
