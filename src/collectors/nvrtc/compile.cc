#include "collectors/nvrtc/compile.h"

#include "collectors/nvrtc/nvcc.h"
#include "collectors/nvrtc/runtime.h"

namespace ridge::collectors::nvrtc {
namespace {

Error no_compiler(const Source& source) {
  return not_available("there is no compiler here for CUDA C++, neither NVRTC nor nvcc", source.path,
                       "install NVRTC (libnvrtc) of CUDA 12 or 13, put nvcc in PATH, or give PTX: nvcc -ptx");
}

/// What NVRTC cannot do, rather than what is wrong with the code.
Error needs_nvcc(const Source& source) {
  return not_available("the file has host code, which NVRTC does not compile, and there is no nvcc", source.path,
                       "put nvcc in PATH, or give the kernels a file of their own");
}

}  // namespace

Compilers find_compilers(const Environment& environment) {
  std::vector<std::string> toolkits = toolkit_folders(environment);
  auto calls = load_calls(toolkits);
  std::string nvcc = find_nvcc(environment, toolkits).value_or("");
  return {std::move(calls), std::move(nvcc), std::move(toolkits)};
}

Outcome compile(const Source& source, const Compilers& compilers, const Environment& environment) {
  const bool has_nvcc = !compilers.nvcc.empty();
  const bool whole_program = has_host_code(source.text);
  if (!compilers.calls && !has_nvcc) return tl::unexpected<Failure>({no_compiler(source), ""});
  if (compilers.calls && !(whole_program && has_nvcc)) {
    Outcome outcome = compile_with_nvrtc(*compilers.calls, source, compilers.toolkits);
    if (outcome) return outcome;
    if (!has_nvcc) {
      if (whole_program) outcome.error().error = needs_nvcc(source);
      return outcome;
    }
  }
  return compile_with_nvcc(compilers.nvcc, source, environment);
}

}  // namespace ridge::collectors::nvrtc
