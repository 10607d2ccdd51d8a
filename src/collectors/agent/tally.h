// Counts the kernels of one device between two moments, as their records come.
//
// Records come late and in any order: the owner has them delivered before it closes the tally. One range at a time.
// Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <vector>

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
    whole_ = true;
    kernels_.clear();
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
      whole_ = false;
    } else if (middle({start, end}) >= start_) {
      kernels_.push_back({start, end});
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
    whole_ = false;
  }
  /// Since open(), those that ended after the range included.
  [[nodiscard]] std::uint64_t kernels() {
    const std::lock_guard lock(mutex_);
    return kernels_.size();
  }
  KernelTally close(wire::Nanoseconds end) {
    const std::lock_guard lock(mutex_);
    open_ = false;
    KernelTally tally;
    tally.whole = whole_;
    for (const Kernel& kernel : kernels_) {
      if (middle(kernel) > end) continue;
      ++tally.launches;
      tally.time += kernel.end - kernel.start;
    }
    kernels_ = {};
    return tally;
  }

 private:
  struct Kernel {
    wire::Nanoseconds start = 0, end = 0;
  };
  // The GPU's clock, converted, and the host's differ by a little at both ends; the middle is on the right side.
  static wire::Nanoseconds middle(const Kernel& kernel) { return kernel.start + (kernel.end - kernel.start) / 2; }

  static constexpr std::size_t kReplays = 100'000;

  std::atomic<bool> counts_ = false;
  std::mutex mutex_;
  std::unordered_set<std::uint32_t> replayed_;  // whose records have not come
  bool open_ = false, whole_ = true;
  std::uint32_t device_ = 0;
  wire::Nanoseconds start_ = 0;
  std::vector<Kernel> kernels_;
};

}  // namespace ridge::collectors::agent
