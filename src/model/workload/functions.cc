#include "model/workload/functions.h"

namespace ridge {

const std::vector<ElementaryFunction>& elementary_functions() {
  // name, formula, operations, fp32 {add, mul, fma, special}, fp64 {...}
  static const std::vector<ElementaryFunction> table{
      {"copy", "x", 0, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {"add", "x + c", 1, {1, 0, 0, 0}, {1, 0, 0, 0}},
      {"sin", "sin(x)", 1, {0, 2, 7.8, 1}, {0, 2, 10.8, 2}},
      {"cos", "cos(x)", 1, {0, 2, 8.4, 1}, {0, 2, 11.4, 2}},
      {"tan", "tan(x)", 1, {0, 3, 9, 2}, {0.4, 3, 20.9, 3}},
      {"exp", "exp(x)", 1, {1, 1, 4, 1}, {1, 0, 14, 0}},
      {"log", "log(x)", 1, {1, 1, 11, 0}, {8, 4, 16, 1}},
      {"sqrt", "sqrt(x)", 1, {0, 2, 2, 1}, {0, 3, 5, 1}},
      {"rsqrt", "1 / sqrt(x)", 1, {0, 0, 0, 1}, {0, 2, 3, 1}},
      {"div", "1 / x", 1, {1, 0, 2, 1}, {0, 0, 5, 1}},
      {"tanh", "tanh(x)", 1, {1, 2, 5.2, 2}, {2.5, 1, 15.4, 6}},
      {"erf", "erf(x)", 1, {0.8, 1, 7, 1}, {3, 1, 37, 5}},
      {"pow", "x^c", 1, {11, 9, 19, 3}, {33, 7, 41, 1}},
      {"relu", "max(x, 0)", 1, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {"sigmoid", "1 / (1 + exp(-x))", 3, {2, 0, 7, 2}, {3, 0, 19, 1}},
      {"silu", "x / (1 + exp(-x))", 3, {1, 0, 10, 3}, {3, 1, 21, 1}},
      {"gelu", "0.5 * x * (1 + erf(x / sqrt(2)))", 5, {1.7, 4, 7, 1}, {4, 4, 37, 5}},
      {"gelu_tanh", "0.5 * x * (1 + tanh(a * (x + b * x^3)))", 9, {2, 7, 6.2, 2}, {3.4, 6, 16.2, 6}},
  };
  return table;
}

const ElementaryFunction* find_function(std::string_view name) {
  for (const ElementaryFunction& function : elementary_functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

const InstructionCount& instructions_for(const ElementaryFunction& function, DataType type) {
  return type == DataType::kFp64 ? function.fp64 : function.fp32;
}

}  // namespace ridge
