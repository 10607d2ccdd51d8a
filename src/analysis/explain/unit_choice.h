// Which unit a workload's arithmetic is held against when the user does not say.
#pragma once

#include <string>

#include "analysis/explain/explanation.h"

namespace ridge {

struct UnitChoice {
  ComputeKey key;
  std::string message;  ///< "explain.unit.*": why
};

/// fp64, fp32 and int32 run on ordinary cores. Smaller types run on tensor units where the arithmetic is a matrix
/// product (or a free formula, of which nothing is known), else on cores; a core without arithmetic of the type
/// converts and computes in fp32. Tensor units accumulate in fp32 unless the ceiling is named otherwise.
[[nodiscard]] UnitChoice choose_unit(const PaperWork& work, const Machine& machine, const ExplainOptions& options);

}  // namespace ridge
