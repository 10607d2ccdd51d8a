// From a module to a program: the kernel that is named, and what it calls.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "emulator/exec/program.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct DecodeOptions {
  /// What is not supported becomes a step that does nothing, marked in its Site; without it is an error.
  bool skip_unsupported = false;
  /// The host's instruction set: "portable", "avx2", "avx512"; empty: the widest.
  std::string_view lanes;
};

/// The entry point of that name, mangled or as c++filt would print it up to the parenthesis; the only one if the name
/// is empty. Bad input: none, several, illegal PTX (at its line). Not available: what is not emulated (at its line).
[[nodiscard]] Result<Program> decode(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                                     const DecodeOptions& options = {});

[[nodiscard]] Result<const ptx::Function*> find_entry(const ptx::Module& module, std::string_view name);

}  // namespace ridge::emulator
