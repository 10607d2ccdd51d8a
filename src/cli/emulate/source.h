// The file of `ridge emulate`: PTX as it is, or CUDA C++ made into it.
#pragma once

#include <string>

#include "cli/command.h"
#include "emulator/ptx/module.h"

namespace ridge::cli {

struct KernelSource {
  ptx::Module module;
  std::string compiler;  ///< what made the PTX of CUDA C++; empty for PTX
  std::string kernel;    ///< of a template that was instantiated: its name in the PTX
};

/// Told apart by content, and by the name's ending where that does not decide. CUDA C++ is compiled for `capability`
/// ("9.0"), a template called `kernel` ("gemm<32>") instantiated. What the compiler says goes to standard error.
[[nodiscard]] Result<KernelSource> read_kernel_source(const std::string& path, const std::string& capability,
                                                      const std::string& kernel,
                                                      const std::vector<std::string>& options, Context& context);

}  // namespace ridge::cli
