// Whether a launch happens inside an NVTX range, or one of ridgepoint/range.h, of the wanted name.
//
// Push and pop belong to a thread, start and end to the process. Only for --range: ranges as such are recorded from
// CUPTI's markers. Names given as wide text are compared where they are ASCII.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "collectors/cupti/abi_callbacks.h"

namespace ridge::collectors::agent {

class RangeWatch {
 public:
  explicit RangeWatch(std::string name) : name_(std::move(name)) {}
  /// A callback of the NVTX domain.
  void on_call(std::uint32_t callback, const cupti::abi::NvtxData& data);
  /// A range of the program's own interface (marks.h), beside those of NVTX.
  void enter(const char* name);
  void leave();
  /// Of the calling thread.
  [[nodiscard]] bool inside() const;

 private:
  [[nodiscard]] bool matches(const char* text) const { return text != nullptr && name_ == text; }
  bool matches(const cupti::abi::NvtxEventAttributes* event);
  void start(bool matching, const void* id);
  void end(std::uint64_t id);

  const std::string name_;
  std::mutex mutex_;
  std::set<const void*> registered_;  // handles of the name; under mutex_, as is the next
  std::set<std::uint64_t> started_;
  std::atomic<std::size_t> open_ = 0;  // started_.size()
};

}  // namespace ridge::collectors::agent
