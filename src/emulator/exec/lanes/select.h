// The families whose handlers are compiled for several instruction sets, and which of them this host takes.
#pragma once

#include <span>
#include <string_view>

#include "emulator/exec/builder.h"

namespace ridge::emulator {

/// One instruction set's handlers.
struct LaneCode {
  std::string_view name;  ///< "portable", "avx2", "avx512"
  std::span<const Select> families;
  /// Runs a warp until its budget is spent.
  void (*run)(Warp& warp) = nullptr;
};

namespace portable {
[[nodiscard]] const LaneCode& lane_code();
}
namespace avx2 {
[[nodiscard]] const LaneCode& lane_code();
}
namespace avx512 {
[[nodiscard]] const LaneCode& lane_code();
}

/// The widest that this host runs, or the one that is named and that it runs.
[[nodiscard]] const LaneCode& lane_code(std::string_view wanted = {});

}  // namespace ridge::emulator
