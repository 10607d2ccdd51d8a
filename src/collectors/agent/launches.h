// The calls that launch work: decides at each what is to be done, and measures those that are chosen.
//
// Only while callbacks of launches are on (Policy::launch_callbacks_needed). A launch in a stream that is being
// captured does not run: it is no launch. While any stream is captured nothing is measured, as the profiler's own calls
// could spoil the capture. Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "collectors/agent/counters.h"
#include "collectors/agent/gate.h"
#include "collectors/agent/policy.h"
#include "collectors/agent/range_counters.h"
#include "collectors/agent/ranges.h"
#include "collectors/agent/tally.h"

namespace ridge::collectors::agent {

class LaunchWatch {
 public:
  /// stage, code, text, kernel
  using OnProblem = std::function<void(wire::Stage, std::int32_t, const std::string&, wire::TextId)>;
  struct Parts {
    const Cupti& cupti;
    const Driver& driver;
    KernelBook& kernels;
    Policy& policy;
    RangeWatch& ranges;
    RangeTally& tally;
    Outbox& outbox;
  };
  LaunchWatch(const Parts& parts, bool counters, OnProblem problem);

  /// A callback of the driver's domain, of launches and of captures.
  void on_call(std::uint32_t callback, const abi::CallbackData& data);
  void add_recipe(const wire::CounterSetup& setup) { counters_.add_recipe(setup); }
  void add_range_recipe(const wire::CounterSetup& setup) { range_counters_.add_recipe(setup); }
  void context_made(std::uint32_t context, std::uint32_t device);
  /// Initialises the profiler, with a context there and before the first launch.
  void prepare();
  void context_ends(abi::Context context);
  /// The context is new and the lease held: what the profiler's first start takes is spent before the first launch.
  void warm_up(abi::Context context, std::uint32_t device);
  /// Disables the profiler and gives the lease back, if it is held or was granted unwanted.
  void give_back();
  /// Launch callbacks are on from here: those that began before were not seen.
  void restart();
  /// Runs `change` while no launch is between its beginning and its end. False: one was, and `change` did not run.
  bool between_launches(const std::function<void()>& change);
  [[nodiscard]] std::uint64_t launches() const { return launches_.load(); }
  [[nodiscard]] bool capturing() const { return captures_.load() != 0; }
  /// Measured ranges of the program, with figures or not: while one is open no launch is run again.
  void range_opened() { ++open_ranges_; }
  void range_closed() { --open_ranges_; }
  /// The one with figures begins: its counters are taken if they can be had. The context is current on this thread and
  /// of the device.
  void range_begins(abi::Context context, std::uint32_t device);
  struct Range {
    std::string image;           ///< of its counters; empty: there is none
    bool counted = false;        ///< the profiler ran
    std::uint64_t launches = 0;  ///< on its device, while it did; refused ones not
    bool graphs = false;         ///< of graphs, whose kernels are not in `launches`
  };
  [[nodiscard]] Range range_ends();

 private:
  struct Call;
  void enter(std::uint32_t callback, const abi::CallbackData& data);
  void leave(const abi::CallbackData& data);
  bool describe(std::uint32_t callback, const abi::CallbackData& data, Call& call);
  void measure(const abi::CallbackData& data, const Call& call, std::uint32_t recipe);
  void abandon_measuring();
  void finish_measuring(const abi::CallbackData& data);
  void failed(const Counters::Failure& failure, wire::TextId kernel);
  [[nodiscard]] bool captured(abi::Stream stream) const;
  [[nodiscard]] std::uint32_t device_of(std::uint32_t context);
  [[nodiscard]] bool count_range(abi::Context context, std::uint32_t device);
  void range_failed(const Counters::Failure& failure);

  const Parts parts_;
  const bool counting_;
  const OnProblem problem_;
  Counters counters_;
  RangeCounters range_counters_;
  LaunchGate gate_;
  std::atomic<bool> range_counted_ = false, range_gave_up_ = false;
  std::atomic<std::uint64_t> launches_ = 0, graphs_ = 0, epoch_ = 1;
  std::uint64_t graphs_before_ = 0;  // before the open range with counters; the next two are its as well
  std::atomic<std::uint64_t> range_launches_ = 0;
  std::atomic<std::uint32_t> range_device_ = 0;
  std::atomic<int> open_ranges_ = 0;
  std::atomic<int> captures_ = 0;
  std::atomic<std::uint32_t> busy_ = 0, range_busy_ = 0;  // refusals in a row
  wire::CounterImage measured_;                           // while the gate is closed
  std::mutex contexts_mutex_;
  std::vector<std::uint32_t> devices_;  // by context id; under contexts_mutex_
};

}  // namespace ridge::collectors::agent
