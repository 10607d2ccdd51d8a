// A Module as PTX text in one canonical form: what it parses to equals the module. Numbers are decimal, floats
// hexadecimal.
#pragma once

#include <string>

#include "emulator/ptx/module.h"

namespace ridge::ptx {

[[nodiscard]] std::string print(const Module& module);
/// "@!%p1 ld.global.f32 %f1, [%rd1+16];": for messages and listings.
[[nodiscard]] std::string print(const Instruction& instruction);

}  // namespace ridge::ptx
