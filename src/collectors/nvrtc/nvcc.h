// CUDA C++ to PTX by nvcc, in a child process: whole programs too. Its host compiler must be there as well; if it is
// not, nvcc says so.
#pragma once

#include <optional>

#include "collectors/nvrtc/source.h"

namespace ridge::collectors::nvrtc {

/// The first in PATH, else in a toolkit; none if there is none.
[[nodiscard]] std::optional<std::string> find_nvcc(const Environment& environment,
                                                   const std::vector<std::string>& toolkits);

/// Everything that is written on the way stands in a folder of its own in TMPDIR, which is gone in the end.
[[nodiscard]] Outcome compile_with_nvcc(const std::string& nvcc, const Source& source, const Environment& environment);

}  // namespace ridge::collectors::nvrtc
