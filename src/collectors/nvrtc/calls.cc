#include "collectors/nvrtc/calls.h"

#include "collectors/library.h"

namespace ridge::collectors::nvrtc {
namespace {

constexpr const char* kRemedy = "install NVRTC of CUDA 12 or 13, or name its folder in LD_LIBRARY_PATH";

/// The loader's own places first: somebody may have set them on purpose.
std::vector<std::string> candidates(const std::vector<std::string>& toolkits) {
  std::vector<std::string> paths;
  const std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
  for (const std::string& name : names) paths.push_back(name);
  for (const std::string& toolkit : toolkits) {
    for (const char* folder : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/"}) {
      for (const std::string& name : names) paths.push_back(toolkit + folder + name);
    }
  }
  return paths;
}

Result<Library> open_any(const std::vector<std::string>& toolkits) {
  Result<Library> library = fail(not_available("NVRTC cannot be opened", "libnvrtc.so", kRemedy));
  for (const std::string& path : candidates(toolkits)) {
    library = Library::open({path.c_str()}, kRemedy);
    if (library) break;
  }
  return library;
}

}  // namespace

Result<Calls> load_calls(const std::vector<std::string>& toolkits) {
  // A Library is never unloaded, so the calls stay good without it.
  const auto library = open_any(toolkits);
  if (!library) return fail(library.error());
  Calls calls;
  const bool complete =
      library->find("nvrtcVersion", calls.version) && library->find("nvrtcGetErrorString", calls.error) &&
      library->find("nvrtcGetNumSupportedArchs", calls.architecture_count) &&
      library->find("nvrtcGetSupportedArchs", calls.architectures) &&
      library->find("nvrtcCreateProgram", calls.create) && library->find("nvrtcDestroyProgram", calls.destroy) &&
      library->find("nvrtcCompileProgram", calls.compile) && library->find("nvrtcGetPTXSize", calls.ptx_size) &&
      library->find("nvrtcGetPTX", calls.ptx) && library->find("nvrtcGetProgramLogSize", calls.log_size) &&
      library->find("nvrtcGetProgramLog", calls.log) && library->find("nvrtcAddNameExpression", calls.add_name) &&
      library->find("nvrtcGetLoweredName", calls.lowered_name);
  if (!complete) return fail(not_available("this NVRTC lacks a call that is needed", library->name(), kRemedy));
  return calls;
}

}  // namespace ridge::collectors::nvrtc
