// Floating-point work of one launch, from instruction counters of the ordinary cores and operation counters of the
// tensor cores. The rules and their reasons are in docs/design/flop-counting.md.
#pragma once

#include <string_view>

#include "model/metric/counters.h"
#include "ridgepoint/model/work.h"

namespace ridge {

/// Why Work::flops is missing where the tensor cores ran and nothing counted what they did.
inline constexpr std::string_view kTensorUncounted =
    "tensor cores used, and no sm__ops_path_tensor counter was collected";

/// Fills flops, compute and the fp*_add|mul|fma thread instructions.
void count_flops(const Counters& counters, const LaunchFacts& facts, Work& work);

}  // namespace ridge
