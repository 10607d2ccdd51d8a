// Issue rates of the pipes that have no ceiling in the machine database, in warp instructions per cycle and SM.
#pragma once

#include <string>
#include <string_view>

#include "ridgepoint/base/value.h"
#include "ridgepoint/model/compute.h"

namespace ridge {

/// Missing for a capability whose rate is not known. The 9.0 row was checked on recordings (whole instructions per
/// warp); the others turn a share of peak into a count and back, so a wrong rate there spoils the count, not the share.
/// Sources: the vendor's architecture whitepapers (lanes per SM / 32), and CUDA C++ Programming Guide, "Arithmetic
/// Instructions".
[[nodiscard]] Value<double> special_function_rate(std::string_view compute_capability);
[[nodiscard]] Value<double> load_store_rate(std::string_view compute_capability);
[[nodiscard]] Value<double> alu_rate(std::string_view compute_capability);

/// "fp32", "tensor_bf16_wgmma", "tensor_fp8_sparse".
[[nodiscard]] std::string resource_name(const ComputeKey& key);

}  // namespace ridge
