// PTX text to a Module.
//
// Accepts the language of PTX ISA 6.0 to 9.0 as compilers write it: what an instruction may be is not looked at here.
// The first thing that is wrong ends the parse with an error that says line and column. Texts nested deeper than
// kMaxDepth scopes or constant expressions are errors, never a crash; so are initial values whose inner braces leave
// out more than kMostPadding elements, which a few letters could otherwise make fill the memory.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/ptx/module.h"
#include "ridgepoint/base/result.h"

namespace ridge::ptx {

inline constexpr int kMaxDepth = 100;
inline constexpr std::uint64_t kMostPadding = 1 << 16;

[[nodiscard]] Result<Module> parse(std::string text);

}  // namespace ridge::ptx
