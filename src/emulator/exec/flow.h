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

/// For each item with more than one way on: the first item that all of them come to (the immediate post-dominator), or
/// kNowhere. Ways that end are left out: lanes that end are waited for by nobody.
[[nodiscard]] std::vector<std::uint32_t> meeting_points(const std::vector<FlowItem>& items);

}  // namespace ridge::emulator
