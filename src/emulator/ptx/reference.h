// The table of instructions as a page of the documentation: docs/reference/ptx.md.
#pragma once

#include <string>

namespace ridge::ptx {

[[nodiscard]] std::string opcode_reference();

}  // namespace ridge::ptx
