// Who has the devices' counters: the sampler, or one program that replays launches. Both at once is impossible, so the
// session lends them. Pure.
//
// Programs come first and in the order in which they asked; the sampler has the counters while nobody wants them. One
// lease covers all devices. Not here: who may ask at all (the tier), starting and stopping the sampler.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

namespace ridge::collectors::session {

class LeaseDesk {
 public:
  using Id = std::uint64_t;

  void ask(Id program) {
    if (program != holder_ && std::find(queue_.begin(), queue_.end(), program) == queue_.end()) {
      queue_.push_back(program);
    } else if (program == holder_) {
      asked_again_ = true;
    }
  }
  /// It gives the counters back, does not want them any more, or is gone.
  void give_back(Id program) {
    std::erase(queue_, program);
    if (program == holder_) holder_.reset();
  }
  /// The sampler is to stop as soon as this is false.
  [[nodiscard]] bool sampler_may_run() const { return !holder_ && queue_.empty(); }
  /// The program that has the counters from now on, and is to be told.
  [[nodiscard]] std::optional<Id> grant(bool samplers_are_off) {
    if (holder_ && asked_again_) {
      asked_again_ = false;
      return holder_;
    }
    if (holder_ || queue_.empty() || !samplers_are_off) return std::nullopt;
    holder_ = queue_.front();
    asked_again_ = false;
    queue_.pop_front();
    return holder_;
  }
  [[nodiscard]] std::optional<Id> holder() const { return holder_; }

 private:
  std::optional<Id> holder_;
  bool asked_again_ = false;
  std::deque<Id> queue_;
};

}  // namespace ridge::collectors::session
