// Machines for people (list, one in full, several side by side) and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/machines/document.h"
#include "ridgepoint/model/machine.h"

namespace ridge::render {

inline constexpr std::string_view kMachinesSchema = "ridge.machines/1";

[[nodiscard]] Document machines_list(const std::vector<Machine>& machines, Language language);
[[nodiscard]] Document machine_page(const Machine& machine, Language language);
/// Factors against the first.
[[nodiscard]] Document machines_comparison(const std::vector<Machine>& machines, Language language);

/// Schema "ridge.machines/1" (docs/reference/machines.md): every machine in full, SI base units.
[[nodiscard]] std::string machines_json(const std::vector<Machine>& machines);
/// One row a machine, SI base units.
[[nodiscard]] std::string machines_list_csv(const std::vector<Machine>& machines);
/// One row a ceiling or level of each machine: machine, kind, name, value, unit, operations or bytes per clock, clock,
/// stated, provenance.
[[nodiscard]] std::string machines_csv(const std::vector<Machine>& machines);

}  // namespace ridge::render
