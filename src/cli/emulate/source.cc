#include "cli/emulate/source.h"

#include <fmt/format.h>

#include <ostream>

#include "base/files.h"
#include "collectors/nvrtc/compile.h"
#include "emulator/ptx/parser.h"

namespace ridge::cli {
namespace {

namespace nvrtc = collectors::nvrtc;

constexpr std::size_t kMostBytes = std::size_t{256} << 20;

bool is_cuda(std::string_view text, const std::string& path) {
  for (const char* ending : {".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp"}) {
    if (path.ends_with(ending)) return true;
  }
  return text.find("__global__") != std::string_view::npos;
}

/// What people have at hand instead of PTX.
Error foreign(std::string_view text, const std::string& path) {
  if (text.empty()) return bad_input("the file is empty", path, "give PTX or CUDA C++");
  if (text.starts_with("\x7F"
                       "ELF") ||
      text.starts_with(std::string_view("\x50\xED\x55\xBA", 4))) {
    return bad_input("this is compiled code, not PTX", path,
                     "take the PTX out of it with `cuobjdump -ptx`, if it has any");
  }
  return bad_input("this is neither PTX nor CUDA C++", path, "give a file that begins with .version, or a .cu");
}

Result<ptx::Module> parsed(std::string text, const std::string& path) {
  auto module = ptx::parse(std::move(text));
  if (module) return module;
  Error error = module.error();
  error.where = error.where.empty() ? path : fmt::format("{}, {}", path, error.where);
  return fail(std::move(error));
}

Result<KernelSource> compiled(nvrtc::Source source, Context& context) {
  const nvrtc::Compilers compilers = nvrtc::find_compilers(context.environment);
  auto outcome = nvrtc::compile(source, compilers, context.environment);
  const std::string& log = outcome ? outcome->log : outcome.error().log;
  if (!log.empty()) context.err << log << (log.ends_with('\n') ? "" : "\n");
  if (!outcome) return fail(outcome.error().error);
  auto module = parsed(std::move(outcome->ptx), fmt::format("{}, as {} compiled it", source.path, outcome->compiler));
  if (!module) return fail(module.error());
  return KernelSource{*std::move(module), outcome->compiler, outcome->kernel};
}

}  // namespace

Result<KernelSource> read_kernel_source(const std::string& path, const std::string& capability,
                                        const std::string& kernel, const std::vector<std::string>& options,
                                        Context& context) {
  auto text = read_file(path, kMostBytes);
  if (!text) return fail(text.error());
  if (nvrtc::is_ptx(*text) || path.ends_with(".ptx")) {
    if (!options.empty()) {
      return fail(usage_error("PTX is not compiled", "--compile-option", "leave the option out"));
    }
    auto module = parsed(*std::move(text), path);
    if (!module) return fail(module.error());
    return KernelSource{*std::move(module), "", ""};
  }
  if (text->empty() || text->find('\0') != std::string::npos || !is_cuda(*text, path))
    return fail(foreign(*text, path));
  return compiled({*std::move(text), path, capability, kernel, options}, context);
}

}  // namespace ridge::cli
