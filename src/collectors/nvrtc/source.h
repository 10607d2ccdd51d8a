// CUDA C++ to be made into PTX, what came of it, and where compilers are found. Shared by both ways: NVRTC (runtime.h)
// and nvcc (nvcc.h); compile.h chooses.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ridgepoint/base/result.h"

namespace ridge::collectors::nvrtc {

using Environment = std::map<std::string, std::string, std::less<>>;

struct Source {
  std::string text;
  std::string path;
  std::string capability;            ///< "9.0": compiled for compute_90; empty: as the compiler likes
  std::string kernel;                ///< "gemm<32>": a template to be instantiated; anything else is left alone
  std::vector<std::string> options;  ///< as the user gives them to the compiler
};

struct Compiled {
  std::string ptx;
  std::string compiler;  ///< "NVRTC 13.0", "/usr/local/cuda/bin/nvcc"
  std::string kernel;    ///< the name in the PTX of the template that was instantiated; empty: none was
  std::string log;       ///< warnings
};

/// Why there is no PTX. `log` is the compiler's own text, of many lines; empty if no compiler ran.
struct Failure {
  Error error;
  std::string log;
};
using Outcome = tl::expected<Compiled, Failure>;

/// True of PTX: its first directive is .version. False of CUDA C++ and of everything else.
[[nodiscard]] bool is_ptx(std::string_view text);
/// A main function or a kernel launch: more than NVRTC compiles.
[[nodiscard]] bool has_host_code(std::string_view text);

/// Folders where a CUDA toolkit may be: those of CUDA_HOME and CUDA_PATH, then the usual ones that are there.
[[nodiscard]] std::vector<std::string> toolkit_folders(const Environment& environment);
/// "9.0" -> "90"; empty if it is none.
[[nodiscard]] std::string architecture_number(std::string_view capability);
/// An option that says which architecture is meant.
[[nodiscard]] bool names_architecture(const std::vector<std::string>& options);
/// The folder of a file, for what it includes; "." if its path has none.
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace ridge::collectors::nvrtc
