// A function's registers as values, and its instructions as readers and writers of them: what liveness looks at.
//
// Values that take no machine register are left out, and their readers read what they were made of instead. A predicate
// has registers of its own kind.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/exec/liveness.h"
#include "emulator/exec/symbols.h"
#include "ridgepoint/base/result.h"

namespace ridge::emulator {

struct CallSite {
  std::uint32_t item = 0;
  std::string_view callee;  ///< empty: through a register
};

struct ValueGraph {
  std::vector<LiveItem> items;
  std::vector<std::uint32_t> words;  ///< of each value
  std::vector<std::uint32_t> given;  ///< parameters that are registers
  std::vector<CallSite> calls;
};

/// The graph of a body that was laid out. Bad input: instructions or targets that PTX does not allow.
[[nodiscard]] Result<ValueGraph> value_graph(const Body& body);

}  // namespace ridge::emulator
