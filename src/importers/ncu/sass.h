// Opcodes of SASS listings, as far as counting work needs them.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::ncu {

/// "FFMA" of "@!P0  FFMA.FTZ R1, R2, R3, R4"; empty when the line is no instruction.
[[nodiscard]] std::string_view sass_opcode(std::string_view line);

/// The name by which the vendor's opcode counters call it ("ffma" of FFMA and FFMA32I), or empty.
/// smsp__sass_thread_inst_executed_op_<name>_pred_on counts exactly these (HFMA2 includes constant loads).
[[nodiscard]] std::string_view counter_of_opcode(std::string_view opcode);

/// "HFMA2 R5, -RZ, RZ, 0, 0": the compiler's way to load a constant, which multiplies zero by zero and is no work.
[[nodiscard]] bool loads_constant(std::string_view line);

/// A matrix instruction of any kind, whose operations depend on its shape.
[[nodiscard]] bool is_matrix_opcode(std::string_view opcode);

/// An opcode that every kernel's listing has: tells SASS from other source views.
[[nodiscard]] bool ends_kernel(std::string_view opcode);

}  // namespace ridge::ncu
