// One function's instructions to steps.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/exec/builder.h"
#include "emulator/exec/control.h"
#include "emulator/exec/flow.h"
#include "emulator/exec/lanes/select.h"

namespace ridge::emulator {

/// Branches whose targets are indices of steps, until no step is added any more.
struct Joints {
  std::vector<BranchFix> branches;
  std::vector<TableFix> tables;
  std::vector<std::pair<std::uint32_t, BranchTable*>> table_details;
};

struct FunctionContext {
  bool skip_unsupported = false;
  const LaneCode& lanes;
  Joints& joints;
};

/// Appends the function's steps to the pool's program and notes where they begin and end in the body's code.
[[nodiscard]] Result<void> decode_function(Pool& pool, Body& body, std::uint32_t index, const FunctionContext& context);

/// Makes pointers of the indices. Steps may not move afterwards.
void resolve(Program& program, Joints& joints);

/// Whether a person who says `wanted` means the kernel of that symbol: the symbol itself, its demangled name, with or
/// without parameters, template arguments and namespaces.
[[nodiscard]] bool names_kernel(std::string_view wanted, std::string_view symbol);

}  // namespace ridge::emulator
