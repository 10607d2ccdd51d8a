// Instructions that are rare: executed one lane after another, by the exact functions of number/. What vectors do, and
// so everything a program spends its time in, is in lanes/; families here come after those.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "emulator/exec/builder.h"
#include "emulator/exec/families.h"
#include "emulator/number/convert.h"
#include "emulator/number/softfloat.h"

namespace ridge::emulator {

/// What modifiers and types say to a function of bits.
struct ScalarOptions {
  number::Mode mode;
  bool satfinite = false, nan = false, xorsign_abs = false, abs = false;
  const number::Format* to = nullptr;  ///< of a floating-point result; also of the operands where they have its type
  const number::Format* from = nullptr;
  number::Integer to_integer = number::kU32, from_integer = number::kU32;
};

using ScalarOperands = std::array<std::uint64_t, 5>;
using ScalarFunction = std::uint64_t (*)(const ScalarOperands&, const ScalarOptions&);

/// A function and what it is given.
struct Scalar {
  ScalarFunction function = nullptr;
  ScalarOptions options;
  std::uint32_t parts = 1;  ///< values in an operand: 2 of a pair, each by itself
};

/// Rounding, ftz and the like from the instruction's modifiers; no formats.
[[nodiscard]] ScalarOptions read_options(const Builder& builder);
/// The format of a floating-point type or of one half of a pair; nullptr for other types.
[[nodiscard]] const number::Format* format_of(Type type);
[[nodiscard]] number::Integer integer_of(Type type);
[[nodiscard]] bool is_pair(Type type);

/// Emits a step that applies the function to operands 1, 2, ... of these types (of vectors to each element) and writes
/// operand 0, of type `to`: a predicate too.
void emit_scalar(Builder& builder, const Scalar& scalar, Type to, std::initializer_list<Type> from);

}  // namespace ridge::emulator
