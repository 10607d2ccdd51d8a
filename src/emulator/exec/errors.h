// Errors of a program that cannot be executed, at their line.
#pragma once

#include <string>

#include "emulator/ptx/token.h"
#include "ridgepoint/base/error.h"

namespace ridge::emulator {

/// Legal, but not emulated: not available. (What PTX does not allow is bad input: ptx::error_at.)
[[nodiscard]] inline Error unsupported_at(const ptx::Position& at, std::string what, std::string remedy) {
  return not_available(std::move(what), "line " + std::to_string(at.line) + ", column " + std::to_string(at.column),
                       std::move(remedy));
}

}  // namespace ridge::emulator
