// What files of the system tell about the machine: kernel driver, permission, other tools, container. Opens no library.
#pragma once

#include <map>
#include <string>

#include "model/doctor/facts.h"

namespace ridge::collectors::doctor {

using Environment = std::map<std::string, std::string, std::less<>>;

/// Fills the driver's module and hardware, permission, monitors, profilers, injections and surroundings. `root` stands
/// before /proc, /sys, /dev and the like; empty on a real machine.
void look_at_host(const std::string& root, const Environment& environment, ridge::doctor::Facts& facts);

/// "580.95.05" out of /proc/driver/nvidia/version; empty if it is not in there.
[[nodiscard]] std::string module_version(const std::string& text);

}  // namespace ridge::collectors::doctor
