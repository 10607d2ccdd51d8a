#include "collectors/nvrtc/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace ridge::collectors::nvrtc {
namespace {

class Program {
 public:
  Program(const Calls& calls, ProgramHandle handle) : calls_(calls), handle_(handle) {}
  ~Program() { (void)calls_.destroy(&handle_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] ProgramHandle handle() const { return handle_; }

  [[nodiscard]] std::string log() const { return text(calls_.log_size, calls_.log); }
  [[nodiscard]] std::string ptx() const { return text(calls_.ptx_size, calls_.ptx); }

 private:
  /// Sizes include the terminating zero.
  [[nodiscard]] std::string text(Status (*size)(ProgramHandle, std::size_t*),
                                 Status (*get)(ProgramHandle, char*)) const {
    std::size_t bytes = 0;
    if (size(handle_, &bytes) != kSuccess || bytes <= 1) return {};
    std::string result(bytes, '\0');
    if (get(handle_, result.data()) != kSuccess) return {};
    result.resize(bytes - 1);
    return result;
  }

  const Calls& calls_;
  ProgramHandle handle_;
};

/// The greatest known that is not above `wanted`, else the least; `wanted` itself if none is known.
int nearest_architecture(const Calls& calls, int wanted) {
  int count = 0;
  if (calls.architecture_count(&count) != kSuccess || count <= 0) return wanted;
  std::vector<int> known(static_cast<std::size_t>(count));
  if (calls.architectures(known.data()) != kSuccess) return wanted;
  std::sort(known.begin(), known.end());
  const auto above = std::upper_bound(known.begin(), known.end(), wanted);
  return above == known.begin() ? known.front() : *(above - 1);
}

std::vector<std::string> options_of(const Calls& calls, const Source& source,
                                    const std::vector<std::string>& toolkits) {
  std::vector<std::string> options = {"-lineinfo", "-I" + folder_of(source.path)};
  for (const std::string& toolkit : toolkits) {
    std::error_code ignored;
    const std::string folder = toolkit + "/include";
    if (!std::filesystem::exists(folder + "/cuda_fp16.h", ignored)) continue;
    options.push_back("-I" + folder);
    options.push_back("-I" + folder + "/cccl");  // where CUDA 13 keeps <cuda/std/...>
    break;
  }
  const std::string number = architecture_number(source.capability);
  int wanted = 0;
  (void)std::from_chars(number.data(), number.data() + number.size(), wanted);
  if (wanted > 0 && !names_architecture(source.options)) {
    options.push_back(fmt::format("--gpu-architecture=compute_{}", nearest_architecture(calls, wanted)));
  }
  options.insert(options.end(), source.options.begin(), source.options.end());
  return options;
}

std::string compiler_name(const Calls& calls) {
  int major = 0, minor = 0;
  if (calls.version(&major, &minor) != kSuccess) return "NVRTC";
  return fmt::format("NVRTC {}.{}", major, minor);
}

bool is_template(const std::string& kernel) {
  return kernel.find('<') != std::string::npos;
}

tl::unexpected<Failure> failed(const Calls& calls, const Source& source, Status status, std::string log) {
  if (status == kCompilation || status == kNotAName) {
    return tl::unexpected<Failure>(
        {bad_input("the code does not compile", source.path, "correct what the compiler says above"), std::move(log)});
  }
  const char* reason = calls.error(status);
  return tl::unexpected<Failure>(
      {bad_input(fmt::format("{} refuses: {}", compiler_name(calls), reason == nullptr ? "no reason given" : reason),
                 source.path, "see the options given with --compile-option, or compile to PTX yourself: nvcc -ptx"),
       std::move(log)});
}

}  // namespace

Outcome compile_with_nvrtc(const Calls& calls, const Source& source, const std::vector<std::string>& toolkits) {
  ProgramHandle handle = nullptr;
  Status status = calls.create(&handle, source.text.c_str(), source.path.c_str(), 0, nullptr, nullptr);
  if (status != kSuccess) return failed(calls, source, status, "");
  const Program program(calls, handle);
  const bool instantiates = is_template(source.kernel);
  if (instantiates) {
    status = calls.add_name(handle, source.kernel.c_str());
    if (status != kSuccess) return failed(calls, source, status, "");
  }
  const std::vector<std::string> options = options_of(calls, source, toolkits);
  std::vector<const char*> pointers;
  pointers.reserve(options.size());
  for (const std::string& option : options) pointers.push_back(option.c_str());
  status = calls.compile(handle, static_cast<int>(pointers.size()), pointers.data());
  if (status != kSuccess) return failed(calls, source, status, program.log());
  Compiled compiled{program.ptx(), compiler_name(calls), "", program.log()};
  if (instantiates) {
    const char* name = nullptr;
    status = calls.lowered_name(handle, source.kernel.c_str(), &name);
    if (status != kSuccess || name == nullptr) return failed(calls, source, status, program.log());
    compiled.kernel = name;
  }
  return compiled;
}

}  // namespace ridge::collectors::nvrtc
