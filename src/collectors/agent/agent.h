// The agent as a whole: one object in a process, made when the driver loads the library and never destroyed.
//
// Everything that the program, CUPTI or the collector calls comes in here and is guarded: whatever fails, the program
// runs on. Not here: the environment and the driver's entry point (entry.cc).
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

#include "collectors/agent/activity.h"
#include "collectors/agent/connection.h"
#include "collectors/agent/launches.h"
#include "collectors/agent/measured.h"
#include "collectors/agent/subscription.h"
#include "collectors/agent/threads.h"

namespace ridge::collectors::agent {

class Agent {
 public:
  /// Takes a connected socket; `cupti` is the path of the library to open, empty: by name.
  Agent(int socket, const std::string& cupti);

  /// Greets the collector, waits for its settings and starts; returns when the program may go on.
  void start();
  /// The program ends: what CUPTI holds is delivered, the collector told. At most about two seconds.
  void finish();
  /// Ranges of the program (ridgepoint/range.h); any thread, at any time.
  void push_range(const char* name);
  void pop_range();
  /// Both wait for the GPU, where this thread uses one.
  void begin_range(const char* name);
  void end_range(RangeFigures& figures);
  /// In a forked child.
  void abandon() { connection_.abandon(); }

 private:
  /// What exists once the settings are known.
  struct Run {
    Run(Agent& agent, const wire::Settings& settings, wire::Nanoseconds hello);
    wire::Settings settings;
    Policy policy;
    Books books;
    RangeWatch ranges;
    RangeTally tally;
    ActivityStream activity;
    LaunchWatch launches;
    Marks marks;
    MeasuredRanges measured;
    ThreadTimes threads;
    [[nodiscard]] bool recording() { return settings.timing && policy.window_open(); }
  };

  void on_message(const wire::Message& message);
  void on_run_message(Run& run, const wire::Message& message);
  void on_tick();
  static void record(Run& run);
  void wait_for_gpu();
  void switch_callbacks(Run& run);
  static void on_callback(void* self, std::uint32_t domain, std::uint32_t callback, const void* data);
  void on_resource(Run& run, std::uint32_t callback, const abi::ResourceData& data);
  void on_driver(Run& run, std::uint32_t callback, const abi::CallbackData& data);
  void context_made(Run& run, abi::Context context);
  void wait_until_ready(Run& run, std::uint32_t answers);
  bool wait_for_settings();
  void problem(wire::Stage stage, std::int32_t code, const std::string& text, wire::TextId kernel = 0);
  void greet();

  const Cupti cupti_;
  const Driver driver_;
  Connection connection_;
  Subscription subscription_;
  wire::Nanoseconds hello_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<wire::Settings> settings_;  // under mutex_, as are the next three
  std::uint32_t contexts_told_ = 0, contexts_ready_ = 0;
  std::set<std::pair<std::int32_t, std::string>> problems_;
  std::size_t problems_sent_ = 0;

  std::unique_ptr<Run> owned_run_;
  std::atomic<Run*> run_ = nullptr;
  std::mutex switch_mutex_;  // one change of the launch callbacks at a time
  std::atomic<std::uint64_t> next_sample_ = 0;
};

}  // namespace ridge::collectors::agent
