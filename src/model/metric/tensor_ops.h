// Tensor-core work from sm__ops_path_tensor_* counters, whose names say data type, instruction path, accumulator and
// sparsity and differ by compute capability. They count operations: no factor, no operations-per-instruction constant.
#pragma once

#include <vector>

#include "model/metric/counters.h"
#include "ridgepoint/model/work.h"

namespace ridge {

struct TensorWork {
  bool counted = false;            ///< at least one such counter was recorded
  std::vector<ComputeWork> parts;  ///< non-zero ones
};

/// An aggregate over every path ("src_fp16") is used only for what the counters by path leave unexplained.
[[nodiscard]] TensorWork tensor_work(const Counters& counters, const LaunchFacts& facts);

/// What the tensor pipe's own activity or, failing that, the kernel's name says. Never turned into FLOP: an instruction
/// does 512 to 524,288 operations, depending on its shape.
[[nodiscard]] bool tensor_cores_were_used(const Counters& counters, const LaunchFacts& facts);

}  // namespace ridge
