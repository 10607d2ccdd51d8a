// The command that would record what a report lacks, made from the command that recorded it.
#pragma once

#include <string>
#include <string_view>

namespace ridge::ncu {

/// `recorded` is the profiler's command line as the report holds it ("/opt/.../ncu -o a ./app -n 5"): the same program
/// with the roofline set and a new output name. Without it, `program` (a process name) stands in; without that,
/// PROGRAM.
[[nodiscard]] std::string roofline_command(std::string_view recorded, std::string_view program);

}  // namespace ridge::ncu
