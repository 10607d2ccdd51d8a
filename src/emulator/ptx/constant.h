// Constant expressions: what stands for a number in operands and initial values.
//
// Integers are 64 bits, signed unless a part has U, as PTX's constant expressions are; floats are literals with a sign,
// no arithmetic. Division by zero is an error.
#pragma once

#include "emulator/ptx/module.h"
#include "emulator/ptx/token_stream.h"

namespace ridge::ptx {

struct Constant {
  OperandKind kind = OperandKind::kInteger;  ///< kInteger, kFloat32 or kFloat64
  std::uint64_t bits = 0;
  bool is_unsigned = false;
};

/// Whether the current token begins one: a number, a sign, a parenthesis, ! or ~.
[[nodiscard]] bool begins_constant(const TokenStream& tokens);
[[nodiscard]] Result<Constant> parse_constant(TokenStream& tokens);
/// Signs and a number: where an expression would take in what follows, as the 4 of %r1+4.
[[nodiscard]] Result<Constant> parse_signed_number(TokenStream& tokens);

}  // namespace ridge::ptx
