// One operand of an instruction.
#pragma once

#include "emulator/ptx/module.h"
#include "emulator/ptx/token_stream.h"

namespace ridge::ptx {

/// `in_call`: a parenthesis begins a list of arguments, not a constant expression.
[[nodiscard]] Result<Operand> parse_operand(TokenStream& tokens, bool in_call);

}  // namespace ridge::ptx
