// What a process of this machine is called.
#pragma once

#include <cstdint>
#include <string>

namespace ridge::collectors {

/// The kernel keeps 15 characters. Empty: there is no such process, or it is not shown to us. `root` stands before
/// /proc.
[[nodiscard]] std::string process_name(std::uint64_t id, const std::string& root = "");

}  // namespace ridge::collectors
