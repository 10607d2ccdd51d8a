// Lets ordinary launches through together and a measured one alone: what else ran between Start and Stop of the
// profiler would be measured by accident.
//
// Every wait is bounded: who waited too long goes on, because a program that hangs is worse than a wrong counter. A
// kernel that is replayed may itself wait for a launch of another thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ridge::collectors::agent {

class LaunchGate {
 public:
  using Wait = std::chrono::milliseconds;
  /// An ordinary launch begins; the ticket goes to passed(). Waits while the gate is closed.
  std::uint64_t pass(Wait at_most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, at_most, [this] { return !closed_; });
    ++inside_;
    return round_;
  }
  void passed(std::uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    if (ticket != round_ || inside_ == 0) return;
    if (--inside_ == 0) changed_.notify_all();
  }
  /// Keeps new launches out and waits for those inside. False: one did not come out in time, the gate stays open.
  bool close(Wait at_most) {
    std::unique_lock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + at_most;
    if (!changed_.wait_until(lock, until, [this] { return !closed_; })) return false;
    closed_ = true;
    if (changed_.wait_until(lock, until, [this] { return inside_ == 0; })) return true;
    closed_ = false;
    changed_.notify_all();
    return false;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    closed_ = false;
    changed_.notify_all();
  }
  /// Launch callbacks were off for a while: whose end was not seen is not inside any more.
  void restart() {
    const std::lock_guard lock(mutex_);
    ++round_;
    inside_ = 0;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t inside_ = 0, round_ = 1;
  bool closed_ = false;
};

}  // namespace ridge::collectors::agent
