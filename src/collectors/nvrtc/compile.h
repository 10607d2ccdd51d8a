// A .cu file to PTX, by what is there: NVRTC for device code, nvcc for whole programs and where NVRTC is missing or
// does not get through. No GPU is needed for either.
#pragma once

#include "collectors/nvrtc/calls.h"
#include "collectors/nvrtc/source.h"

namespace ridge::collectors::nvrtc {

/// What this machine has to compile with. `calls` may be an error, and `nvcc` empty.
struct Compilers {
  Result<Calls> calls;
  std::string nvcc;
  std::vector<std::string> toolkits;
};
[[nodiscard]] Compilers find_compilers(const Environment& environment);

[[nodiscard]] Outcome compile(const Source& source, const Compilers& compilers, const Environment& environment);

}  // namespace ridge::collectors::nvrtc
