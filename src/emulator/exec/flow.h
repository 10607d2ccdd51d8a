// Where lanes that part at a branch meet again.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::emulator {

inline constexpr std::uint32_t kNowhere = UINT32_MAX;

/// One instruction as control flow sees it.
struct FlowItem {
  std::vector<std::uint32_t> targets;  ///< of a branch, by index
  bool falls_through = true;
  bool ends = false;  ///< some or all lanes end here
};

/// Items that are entered at the first only and left at the last only.
struct FlowBlock {
  std::uint32_t first = 0, last = 0;  ///< both inclusive
  std::vector<std::uint32_t> next;    ///< blocks, each once
};
/// In the order of the items; block 0 is where lanes begin.
[[nodiscard]] std::vector<FlowBlock> flow_blocks(const std::vector<FlowItem>& items);

/// For each item with more than one way on: the first item that all of them come to (the immediate post-dominator), or
/// kNowhere. Ways that end are left out: lanes that end are waited for by nobody.
[[nodiscard]] std::vector<std::uint32_t> meeting_points(const std::vector<FlowItem>& items);

}  // namespace ridge::emulator
