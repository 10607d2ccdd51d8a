// When the agent asks the collector for the device's counters, and when it gives them back.
//
// With a sampler on the other side it has them first, keeps them while new work comes, and wants them again once
// launches that are still to be measured took two per cent of the GPU's time. Without one it keeps them. Measured
// ranges of the program keep it as well: whoever asks for figures gets them before the sampler. Not thread-safe: the
// owner locks. Pure: moments are given, in nanoseconds of any steady clock.
#pragma once

#include <cstdint>

namespace ridge::collectors::agent {

class LeasePlan {
 public:
  /// `shared`: there is a sampler that wants the counters too.
  LeasePlan(bool counters, bool shared) : shared_(shared), finished_(!counters) {}

  [[nodiscard]] bool held() const { return held_; }
  /// Asked for and not answered.
  [[nodiscard]] bool waiting() const { return asked_ && !held_; }

  /// The first context is ready. True: ask now.
  bool begin(std::uint64_t now);
  /// The collector's answer. False: it is not wanted any more, give it back.
  bool answered(bool granted, std::uint64_t now);
  /// A launch came while held; `fresh`: it is to be measured. True: give the lease back now.
  bool at_launch(bool fresh, bool budget_spent, std::uint64_t now);
  /// A kernel ran while not held. True: ask now.
  bool at_record(bool pending, std::uint64_t duration, bool budget_spent, std::uint64_t now);
  /// Nothing happened for a while. True: give the lease back now.
  [[nodiscard]] bool idle(std::uint64_t now) const;
  /// A measured range of the program is open or was a moment ago: the lease is kept meanwhile, if it is held.
  void range(bool open, std::uint64_t now);
  /// It was given back, or lost.
  void returned(std::uint64_t now);
  /// Counters are not to be had any more.
  void finish() { finished_ = true; }
  [[nodiscard]] bool finished() const { return finished_; }

 private:
  bool ask(std::uint64_t now);
  [[nodiscard]] bool in_range(std::uint64_t now) const;

  const bool shared_;
  bool finished_;
  bool held_ = false, asked_ = false, range_open_ = false;
  std::uint64_t range_ended_ = 0;
  std::uint64_t last_launch_ = 0, launching_since_fresh_ = 0;           // while held
  std::uint64_t returned_at_ = 0, kernel_time_ = 0, pending_time_ = 0;  // while not held
};

}  // namespace ridge::collectors::agent
