// Initial values: `= 5`, `= {{1, 2}, {generic(x)+8, 0xFF(y)}}`.
//
// They are laid out as C does: an inner brace fills one row (of the largest kind that may begin there), and what it
// leaves out is zero. Too many values are an error. The elements of .v2 and .v4 are a last dimension.
#pragma once

#include "emulator/ptx/module.h"
#include "emulator/ptx/token_stream.h"

namespace ridge::ptx {

/// After the `=`; the variable's dimensions are known by then.
[[nodiscard]] Result<bool> parse_initial(TokenStream& tokens, Variable& variable);

}  // namespace ridge::ptx
