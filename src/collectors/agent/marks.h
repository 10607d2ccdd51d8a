// Ranges that the program marks through ridgepoint/range.h: recorded like those of NVTX, and known to --range.
//
// Push and pop belong to a thread; what is popped without having been pushed here is nothing. Any thread.
#pragma once

#include <functional>
#include <mutex>

#include "collectors/agent/kernels.h"
#include "collectors/agent/ranges.h"

namespace ridge::collectors::agent {

class Marks {
 public:
  /// `recording`: whether ranges are recorded at this moment.
  Marks(TextBook& texts, RangeWatch& watch, Outbox& outbox, std::function<bool()> recording)
      : texts_(texts), watch_(watch), outbox_(outbox), recording_(std::move(recording)) {}

  void push(const char* name);
  /// `recorded` false: somebody else tells of the range.
  void pop(bool recorded = true);
  /// Sends what is waiting.
  void flush();

 private:
  TextBook& texts_;
  RangeWatch& watch_;
  Outbox& outbox_;
  const std::function<bool()> recording_;
  std::mutex mutex_;
  wire::Events events_;  // under mutex_
};

/// The calling thread's number, as records have it.
[[nodiscard]] std::uint32_t this_thread();

}  // namespace ridge::collectors::agent
