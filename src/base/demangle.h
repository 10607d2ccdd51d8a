// A kernel's mangled name as people read it. Header and standard library only: the agent links nothing else.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace ridge {

/// "_Z4gemmIfEvPKf" -> "void gemm<float>(float const*)"; what is not mangled stays as it is.
[[nodiscard]] inline std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : symbol;
}

}  // namespace ridge
