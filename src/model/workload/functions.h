// What one call of an elementary function costs, by both conventions in use.
//
// By operations as they are written a call counts 1 FLOP, and a composed function the operations of its formula: that
// is how textbooks count, and it says what the problem is. By instructions it counts the add, multiply and fused
// multiply-add instructions (FMA = 2 FLOP) that the compiler's code for it executes, the special-function unit's own
// instruction not counted: that is what hardware counters see, and it says what the machine does.
//
// Instruction counts are thread instructions per element, measured with hardware counters (the
// sass_thread_inst_executed add, mul and fma counters, and inst_executed_pipe_xu) on an H200 (compute capability 9.0,
// driver 580) over 2^20 arguments spread over 0.01 to 4.01, code of the CUDA 13.0 compiler at -O3 without fast-math.
// They depend on compiler, chip and arguments (sin needs more for huge ones), and are rounded to 0.1.
#pragma once

#include <string_view>
#include <vector>

#include "ridgepoint/model/compute.h"

namespace ridge {

struct InstructionCount {
  double add = 0, multiply = 0, fused = 0;
  double special = 0;  ///< on the special-function unit (XU), no FLOP
  [[nodiscard]] constexpr double flops() const { return add + multiply + 2 * fused; }
  [[nodiscard]] constexpr double arithmetic() const { return add + multiply + fused; }
};

struct ElementaryFunction {
  std::string_view name;
  std::string_view written;  ///< what is counted: "1 / (1 + exp(-x))"
  double operations = 1;     ///< of `written`, a call of another function counting 1
  InstructionCount fp32, fp64;
};

[[nodiscard]] const std::vector<ElementaryFunction>& elementary_functions();
[[nodiscard]] const ElementaryFunction* find_function(std::string_view name);
/// fp64 counts for fp64; every smaller type is converted and computed as fp32.
[[nodiscard]] const InstructionCount& instructions_for(const ElementaryFunction& function, DataType type);

}  // namespace ridge
