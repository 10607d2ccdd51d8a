// PTX text to a Module.
//
// Accepts the language of PTX ISA 6.0 to 9.x as compilers write it: what an instruction may be is not looked at here.
// The first thing that is wrong ends the parse with an error that says line and column. Texts nested deeper than
// kMaxDepth scopes or constant expressions are errors, never a crash.
#pragma once

#include <string>

#include "emulator/ptx/module.h"
#include "ridgepoint/base/result.h"

namespace ridge::ptx {

inline constexpr int kMaxDepth = 100;

[[nodiscard]] Result<Module> parse(std::string text);

}  // namespace ridge::ptx
