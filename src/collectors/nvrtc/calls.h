// The calls of NVIDIA's run-time compiler that are used: our own declarations, from its user guide. CUDA 11.2 and
// later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::collectors::nvrtc {

using Status = int;
using ProgramHandle = struct OpaqueNvrtcProgram*;

inline constexpr Status kSuccess = 0, kCompilation = 6, kNotAName = 10;

struct Calls {
  Status (*version)(int*, int*) = nullptr;
  const char* (*error)(Status) = nullptr;
  Status (*architecture_count)(int*) = nullptr;
  Status (*architectures)(int*) = nullptr;
  Status (*create)(ProgramHandle*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  Status (*destroy)(ProgramHandle*) = nullptr;
  Status (*compile)(ProgramHandle, int, const char* const*) = nullptr;
  Status (*ptx_size)(ProgramHandle, std::size_t*) = nullptr;
  Status (*ptx)(ProgramHandle, char*) = nullptr;
  Status (*log_size)(ProgramHandle, std::size_t*) = nullptr;
  Status (*log)(ProgramHandle, char*) = nullptr;
  Status (*add_name)(ProgramHandle, const char*) = nullptr;
  Status (*lowered_name)(ProgramHandle, const char*, const char**) = nullptr;
};

/// Opens libnvrtc of CUDA 13, 12 or 11 where the loader looks, then in `toolkits` (folders such as /usr/local/cuda).
[[nodiscard]] Result<Calls> load_calls(const std::vector<std::string>& toolkits);

}  // namespace ridge::collectors::nvrtc
