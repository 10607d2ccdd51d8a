// Which launches are recorded at all: by device, moment, NVTX range, and position among those that match.
//
// Whether a kernel's name matches is known from KernelFacts. Positions (--skip, --count) and ranges belong to the
// launching call, so they are decided there and remembered by its correlation id until the activity record comes; a
// launch that no call was seen for (a graph's node, or another subscriber has the callbacks) is counted when its record
// comes, and is outside of every range unless its graph was launched inside. Not thread-safe: the owner locks. Pure.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

class Filter {
 public:
  Filter(const wire::Settings& settings, wire::Nanoseconds hello);

  /// Whether launch callbacks are needed for it.
  [[nodiscard]] bool needs_launches() const { return by_range_ || by_position_; }
  [[nodiscard]] bool by_range() const { return by_range_; }
  /// Nothing more will be recorded: the count is reached or the duration over.
  [[nodiscard]] bool over(wire::Nanoseconds now) const;
  /// --delay, --duration and cudaProfilerStart/Stop.
  [[nodiscard]] bool window_open(wire::Nanoseconds now) const;
  void capture(bool on) { capturing_ = on; }
  [[nodiscard]] bool device_wanted(std::uint32_t device) const;

  /// At the call that launches a kernel of a wanted name. True: it is recorded.
  bool at_launch(std::uint32_t correlation, std::uint32_t device, bool in_range, wire::Nanoseconds now);
  void at_graph_launch(std::uint32_t correlation, bool in_range);
  /// At the record of a kernel of a wanted name; start 0: not known.
  bool at_record(std::uint32_t correlation, std::uint32_t device, bool from_graph, wire::Nanoseconds start);

 private:
  bool take_position();

  const wire::Settings settings_;
  const wire::Nanoseconds opens_, closes_;  ///< closes 0: never
  const bool by_range_, by_position_;
  bool capturing_;
  std::uint64_t matched_ = 0;
  std::unordered_map<std::uint32_t, bool> launches_;  // decided at the call; by correlation
  std::unordered_map<std::uint32_t, bool> graphs_;    // likewise: a graph has many records
};

}  // namespace ridge::collectors::agent
