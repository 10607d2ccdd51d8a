// Our place as CUPTI's subscriber, and which callbacks are on.
//
// Turned on and off while the program runs, because a callback costs each launch some hundred nanoseconds.
#pragma once

#include <mutex>
#include <string>

#include "collectors/agent/cupti.h"

namespace ridge::collectors::agent {

class Subscription {
 public:
  explicit Subscription(const Cupti& cupti) : cupti_(cupti) {}

  /// kErrorMultipleSubscribersNotSupported: another profiler is in the process. Contexts, cudaProfilerStart and Stop
  /// and stream captures are on from here.
  abi::Result start(abi::CallbackFunc* callback, void* user);
  [[nodiscard]] bool active() const { return subscriber_ != nullptr; }
  void launches(bool on);
  [[nodiscard]] bool launches_are(bool on);
  void ranges();

 private:
  const Cupti& cupti_;
  std::mutex mutex_;  // CUPTI wants a subscriber's own calls one at a time
  abi::Subscriber subscriber_ = nullptr;
  bool launches_ = false;
};

}  // namespace ridge::collectors::agent
