// Counts the kernels of one device between two moments, as their records come.
//
// Records come late and in any order: the owner has them delivered before it closes the tally. One range at a time.
// Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string_view>
#include <unordered_set>

#include "collectors/wire/messages.h"

namespace ridge::collectors::agent {

struct KernelTally {
  std::uint64_t launches = 0;
  wire::Nanoseconds time = 0;  ///< sum over the launches
  bool whole = true;           ///< false: a record had no times, or some were lost
};

class RangeTally {
 public:
  void open(std::uint32_t device, wire::Nanoseconds start) {
    const std::lock_guard lock(mutex_);
    open_ = true;
    device_ = device;
    start_ = start;
    end_ = kNotYet;
    tally_ = {};
  }
  /// The launch is run again for counters: never inside a range, and its record, which may come later, has no times.
  void replayed(std::uint32_t correlation) {
    const std::lock_guard lock(mutex_);
    if (replayed_.size() < kReplays) replayed_.insert(correlation);
  }
  void kernel(std::uint32_t device, std::uint32_t correlation, wire::Nanoseconds start, wire::Nanoseconds end) {
    const std::lock_guard lock(mutex_);
    const bool untimed = start == 0 || end < start;
    if (untimed && replayed_.erase(correlation) > 0) return;
    if (!open_ || device != device_) return;
    // Nothing says where a kernel without times belongs.
    if (untimed) {
      tally_.whole = false;
    } else if (const wire::Nanoseconds at = middle(start, end); at >= start_ && at <= end_) {
      ++tally_.launches;
      tally_.time += end - start;
    }
  }
  /// From here on CUPTI runs a kernel of its own at the end of ranges with counters.
  void counted() { counts_ = true; }
  /// That kernel: nothing the program launched. Seen with CUPTI 13.0, one thread on a stream of its own, 80 us long.
  [[nodiscard]] bool is_of_profiler(const char* name, std::uint64_t blocks, std::uint64_t threads) const {
    return counts_ && blocks == 1 && threads == 1 && name != nullptr && std::string_view(name) == "WaitNs";
  }
  void lost() {
    const std::lock_guard lock(mutex_);
    tally_.whole = false;
  }
  /// The range ends here, and records that come from now on may be of later kernels.
  void ends(wire::Nanoseconds moment) {
    const std::lock_guard lock(mutex_);
    end_ = moment;
  }
  [[nodiscard]] std::uint64_t kernels() {
    const std::lock_guard lock(mutex_);
    return tally_.launches;
  }
  KernelTally close() {
    const std::lock_guard lock(mutex_);
    open_ = false;
    return tally_;
  }

 private:
  // The GPU's clock, converted, and the host's differ by a little at both ends; the middle is on the right side.
  static wire::Nanoseconds middle(wire::Nanoseconds start, wire::Nanoseconds end) { return start + (end - start) / 2; }

  static constexpr wire::Nanoseconds kNotYet = std::numeric_limits<wire::Nanoseconds>::max();
  static constexpr std::size_t kReplays = 100'000;

  std::atomic<bool> counts_ = false;
  std::mutex mutex_;
  std::unordered_set<std::uint32_t> replayed_;  // whose records have not come
  bool open_ = false;
  std::uint32_t device_ = 0;
  wire::Nanoseconds start_ = 0, end_ = kNotYet;
  KernelTally tally_;
};

}  // namespace ridge::collectors::agent
