#include "analysis/explain/unit_choice.h"

namespace ridge {
namespace {

bool is_wide(DataType type) {
  return type == DataType::kFp64 || type == DataType::kFp32 || type == DataType::kInt32;
}

/// Matrix libraries accumulate 16-bit and smaller floats in fp32; fp64 and integers have one accumulator.
ComputeKey tensor_key(DataType type) {
  const bool small = is_floating_point(type) && type != DataType::kFp64;
  return tensor(type, TensorPath::kAny, Sparsity::kDense, small ? Accumulator::kFp32 : Accumulator::kAny);
}

}  // namespace

UnitChoice choose_unit(const PaperWork& work, const Machine& machine, const ExplainOptions& options) {
  if (options.ceiling) return {*options.ceiling, "explain.unit.named"};
  if (options.unit == ComputeUnit::kCore) return {core(work.type), "explain.unit.asked"};
  if (options.unit == ComputeUnit::kTensor) return {tensor_key(work.type), "explain.unit.asked"};
  if (is_wide(work.type)) return {core(work.type), "explain.unit.core"};
  if (work.matrix) return {tensor_key(work.type), "explain.unit.matrix"};
  if (work.workload == "formula") return {tensor_key(work.type), "explain.unit.formula"};
  if (find_ceiling(machine, core(work.type)) != nullptr) return {core(work.type), "explain.unit.vector"};
  return {core(DataType::kFp32), "explain.unit.converted"};
}

}  // namespace ridge
