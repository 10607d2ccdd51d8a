// Measured ranges of the program (ridgepoint/range.h): what happened on the GPU between two moments at which it was
// idle, from the activity records and, where the agent may count, from counters that the collector evaluates.
//
// One range at a time has figures: one inside another, or beside one of another thread, has its time alone. end() waits
// for the collector, within bounds. Waiting for the GPU is the caller's. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "collectors/agent/launches.h"
#include "collectors/agent/marks.h"
#include "collectors/agent/tally.h"

namespace ridge::collectors::agent {

/// As the program sees it: RidgeRangeFigures of ridgepoint/range.h. `have` is one bit a figure, in their order.
struct RangeFigures {
  std::uint32_t size, have;
  double seconds, kernel_seconds;
  std::uint64_t launches;
  double dram_read_bytes, dram_write_bytes, warp_instructions;
};

class MeasuredRanges {
 public:
  struct Parts {
    const Cupti& cupti;
    const Driver& driver;
    TextBook& texts;
    Marks& marks;
    LaunchWatch& launches;
    RangeTally& tally;
    Outbox& outbox;
  };
  /// `recording`: whether kernels have records at this moment; `flush` has those of finished ones delivered, forced: of
  /// all, those that still run without their times.
  MeasuredRanges(const Parts& parts, std::function<bool()> recording, std::function<void(bool forced)> flush)
      : parts_(parts), recording_(std::move(recording)), flush_(std::move(flush)) {}

  void begin(const char* name);
  void end(RangeFigures& figures);
  /// The collector's values of a range.
  void answered(const wire::RangeValues& values);
  /// No answers come any more.
  void stop();

 private:
  struct Open {
    wire::TextId name = 0;
    std::uint32_t device = 0;
    bool recording = false;
    wire::Nanoseconds start = 0;
  };
  bool open(const char* name);
  void close(std::uint64_t took, RangeFigures& figures);
  void add_kernels(const LaunchWatch::Range& seen, wire::RangeMeasured& range, RangeFigures& figures);
  [[nodiscard]] bool delivered(const LaunchWatch::Range& seen);
  std::optional<wire::RangeValues> ask(const wire::RangeMeasured& range);

  const Parts parts_;
  const std::function<bool()> recording_;
  const std::function<void(bool forced)> flush_;
  std::atomic<bool> taken_ = false;  // a range with figures is open
  Open open_;                        // its: from begin() to end() of one thread
  std::uint32_t last_id_ = 0;        // likewise
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<wire::RangeValues> values_;  // under mutex_, as is the next
  bool stopped_ = false;
};

}  // namespace ridge::collectors::agent
