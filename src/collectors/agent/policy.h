// What is recorded and what is measured, for all threads: the filter, the selection and the lease under one lock.
//
// Sends requests for the lease and the counters' progress itself. Giving the lease back is the caller's: the profiler
// has to be disabled first.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "collectors/agent/filter.h"
#include "collectors/agent/lease.h"
#include "collectors/agent/selection.h"

namespace ridge::collectors::agent {

class Policy {
 public:
  Policy(const wire::Settings& settings, wire::Nanoseconds hello, Outbox& outbox);

  struct Verdict {
    bool recorded = false;
    bool give_back = false;                ///< the lease, before anything else
    std::optional<std::uint32_t> measure;  ///< with this recipe, now; measured() or abandoned() follows
  };
  Verdict at_launch(Selection::Launch launch, std::uint32_t correlation, bool in_range);
  void at_graph_launch(std::uint32_t correlation, bool in_range);
  /// True: the record is to be sent. `launch.recorded` is set here.
  bool at_record(Selection::Launch launch, std::uint32_t correlation, wire::Nanoseconds start, wire::Nanoseconds end);
  void measured(const LaunchKey& key, std::uint32_t recipe, bool well, wire::Nanoseconds cost);

  void abandoned(const LaunchKey& key);

  void add_recipe(const wire::CounterSetup& setup);
  void decide(const wire::Decide& decision);
  void capture(bool on);
  /// The first context is there and set up: asks for the lease.
  void begin();
  /// After begin(): waits for the collector's answer, within bounds. True: the lease is held.
  [[nodiscard]] bool wait_until_held();
  /// The collector's answer. False: the lease is not wanted, give it back.
  bool lease_answered(bool granted);
  /// The counters were let go of: tells the collector.
  void lease_returned();
  [[nodiscard]] bool lease_held();
  /// A measured range of the program begins: waits for the lease, within bounds, and keeps it. True: it is held.
  [[nodiscard]] bool begin_range();
  void end_range();
  /// Counters are not to be had in this process any more.
  void give_up();
  /// Nothing more is recorded or measured.
  void stop();

  [[nodiscard]] bool window_open();
  [[nodiscard]] bool lease_idle();
  [[nodiscard]] bool launch_callbacks_needed();
  [[nodiscard]] bool device_wanted(std::uint32_t device);
  [[nodiscard]] bool ranges_needed() const { return by_range_; }
  /// Sends the counters' progress if it changed and the last was sent a while ago; `last`: in any case.
  void report(bool last);

 private:
  void wait_for_lease(std::unique_lock<std::mutex>& lock);

  Outbox& outbox_;
  const bool counters_, by_range_;
  std::mutex mutex_;
  std::condition_variable answered_;
  Filter filter_;
  Selection selection_;
  LeasePlan lease_;
  wire::CounterProgress reported_;
  std::uint64_t next_report_ = 0;
  bool stopped_ = false;
  bool may_wait_ = true;  ///< a launch may wait for the lease: once
  bool in_wait_ = false;  ///< and does so now
  bool range_may_wait_ = true;
};

}  // namespace ridge::collectors::agent
