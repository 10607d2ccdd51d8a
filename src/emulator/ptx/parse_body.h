// The body of a function: declarations, labels, instructions, inner scopes.
#pragma once

#include "emulator/ptx/module.h"
#include "emulator/ptx/token_stream.h"

namespace ridge::ptx {

/// From its opening to its closing brace.
[[nodiscard]] Result<Scope> parse_body(TokenStream& tokens);
/// `"text", "text"` after .pragma, without what ends it.
[[nodiscard]] Result<Pragma> parse_pragma_texts(TokenStream& tokens);

}  // namespace ridge::ptx
