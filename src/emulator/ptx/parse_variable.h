// Declarations of variables, registers and parameters.
#pragma once

#include <vector>

#include "emulator/ptx/module.h"
#include "emulator/ptx/token_stream.h"

namespace ridge::ptx {

/// Whether the token is a state space that begins a declaration: ".reg", ".global", ...
[[nodiscard]] bool begins_variable(const Token& token);
/// ".reg .b32 %r<10>, %x;" with its semicolon: one Variable a name.
[[nodiscard]] Result<std::vector<Variable>> parse_variables(TokenStream& tokens, std::vector<std::string_view> linkage);
/// "(.param .u64 a, .param .align 8 .b8 b[16])": parameters or results of a function.
[[nodiscard]] Result<std::vector<Variable>> parse_parameters(TokenStream& tokens);

}  // namespace ridge::ptx
