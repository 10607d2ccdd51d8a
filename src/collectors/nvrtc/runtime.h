// CUDA C++ to PTX by NVRTC: device code only, in this process.
#pragma once

#include "collectors/nvrtc/calls.h"
#include "collectors/nvrtc/source.h"

namespace ridge::collectors::nvrtc {

/// Headers are looked for beside the file and in the toolkits' include folders. An architecture that this NVRTC does
/// not know is replaced by the nearest that it knows, an older one if there is any.
[[nodiscard]] Outcome compile_with_nvrtc(const Calls& calls, const Source& source,
                                         const std::vector<std::string>& toolkits);

}  // namespace ridge::collectors::nvrtc
