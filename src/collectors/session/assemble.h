// From the programs' messages and the device's samples to pieces of a Profile.
//
// Messages come in any order that the wire allows: counters before or after the record of their launch, records after
// the samples of their time. What is incomplete waits a bounded time; what is complete goes into the next piece and is
// forgotten. Kept for the whole run: what is distinct (names, configurations, devices), and a few numbers per kernel
// and shape. Not here: sockets, threads, the clock (moments are given), what to tell the programs.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "collectors/session/measure.h"
#include "collectors/session/range_totals.h"

namespace ridge::collectors::session {

using ProcessKey = std::uint64_t;  ///< of a connection: process ids may come again

class Assembler {
 public:
  struct Setup {
    Nanoseconds start = 0;  ///< of the session
    bool complete = true;   ///< no filter leaves out launches
  };
  Assembler(Backend& backend, const Setup& setup) : backend_(backend), setup_(setup) {}

  /// Messages of the conversation (Problem, LeaseWanted, ...) are the session's and do nothing here.
  void on_message(ProcessKey from, const wire::Message& message, Nanoseconds now);
  /// Nothing more comes from it. What it left unfinished is closed as it is.
  void on_end(ProcessKey from);

  /// From now on launches of the device wait for samples. `device` as in the profile.
  void expect_samples(std::uint32_t device);
  void add_samples(std::uint32_t device, const std::vector<DeviceSample>& samples);
  void add_reading(std::uint32_t device, Nanoseconds at, const ridge::Reading& reading);
  void add_issue(Issue issue);

  /// Completes what has waited long enough. `sampled_until`: samples of later times are not decoded yet.
  void settle(Nanoseconds now, Nanoseconds sampled_until);
  /// Completes everything; add what was counted to `recording` and as issues.
  void finish(Recording& recording);

  /// Launches that the next piece would hold.
  [[nodiscard]] std::size_t ready() const { return piece_.launches.size(); }
  [[nodiscard]] bool empty() const;
  /// Everything new since the last call, without source and recording.
  [[nodiscard]] Profile take();

  [[nodiscard]] std::optional<std::uint32_t> device_of(ProcessKey process, std::uint32_t number) const;
  /// Of a kernel that the process named; empty: it did not.
  [[nodiscard]] std::string short_name(ProcessKey process, wire::TextId kernel);
  [[nodiscard]] const wire::DeviceFound& found(std::uint32_t device) const { return tables_.found(device); }
  [[nodiscard]] std::size_t devices() const { return tables_.devices(); }
  /// Ids of the processes that were profiled.
  [[nodiscard]] const std::set<std::uint64_t>& processes() const { return process_ids_; }
  [[nodiscard]] std::uint64_t launches() const { return recorded_; }
  [[nodiscard]] std::uint64_t measured() const { return measured_; }
  [[nodiscard]] std::uint64_t sampled() const { return sampled_; }
  struct Request {
    ProcessKey process = 0;
    wire::Decide what;
  };
  /// Launches to measure again with the tensor counters: their base counters show that the tensor pipe worked.
  [[nodiscard]] std::vector<Request> take_requests() { return std::exchange(requests_, {}); }
  struct Answer {
    ProcessKey process = 0;
    wire::RangeValues values;
  };
  /// To programs that wait for the figures of a range.
  [[nodiscard]] std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }
  /// When the first launch ran; 0: none yet.
  [[nodiscard]] Nanoseconds first_launch() const { return first_launch_; }
  /// Of a device, when kernels ran: for what else was read at that time.
  void on_launch_times(std::function<void(std::uint32_t device, Nanoseconds start, Nanoseconds end)> listener) {
    launch_times_ = std::move(listener);
  }

 private:
  struct Waiting {
    std::optional<wire::Launch> launch;
    std::optional<wire::CounterImage> image;  ///< without its bytes
    std::vector<Counter> counters;
    Nanoseconds last = 0;
  };
  struct Process {
    ProcessKey key = 0;
    std::uint64_t id = 0;
    std::unordered_map<wire::TextId, std::string> texts;
    std::unordered_map<wire::TextId, std::uint32_t> kernels;
    std::unordered_map<std::uint32_t, wire::Shape> shapes;
    std::unordered_map<std::uint64_t, std::uint32_t> configurations;  ///< by shape and device
    std::map<std::uint32_t, std::uint32_t> devices;
    std::map<std::uint32_t, Waiting> waiting;  ///< by correlation: replayed launches
    wire::CounterProgress progress;
  };
  struct PerDevice {
    std::optional<Attribution> attribution;
  };
  struct PerKernel {
    std::uint64_t sampled = 0;
    double weight = 0, uncertainty = 0;  ///< by duration
  };
  struct PerShape {
    std::uint64_t launches = 0, measured = 0;
  };
  struct Losses {
    std::uint64_t records = 0, messages = 0, unknown = 0, references = 0, times = 0, unmatched = 0, evaluations = 0;
    std::string evaluation_of, evaluation_reason;
  };

  void handle(Process& process, const wire::DeviceFound& message);
  void handle(Process& process, const wire::Text& message);
  void handle(Process& process, const wire::Shape& message);
  void handle(Process& process, const wire::Launches& message);
  void handle(Process& process, const wire::Copies& message);
  void handle(Process& process, const wire::Events& message);
  void handle(Process& process, const wire::ThreadTime& message);
  void handle(Process& process, const wire::CounterImage& message);
  void handle(Process& process, const wire::Dropped& message);
  void handle(Process& process, const wire::RangeMeasured& message);

  void add_copy(Process& process, const wire::Copy& copy);
  void add_event(Process& process, const wire::Event& event);
  /// What the counters of a range say; missing: why they say nothing.
  Value<wire::RangeValues> evaluate(Process& process, const wire::RangeMeasured& range);
  void add_range(Process& process, const wire::RangeMeasured& range, const Value<wire::RangeValues>& values);
  void count_evaluation(const std::string& of, const Error& error);
  /// A launch that the tables know; nullopt: it names something that was never sent.
  std::optional<Launch> resolve(Process& process, const wire::Launch& launch);
  /// The same from counters alone, when no record came. Registers are not known then.
  std::optional<Launch> resolve(Process& process, const wire::CounterImage& image);
  std::optional<Launch> resolve(Process& process, std::uint32_t device, wire::TextId kernel, const wire::Shape& shape);
  std::optional<std::uint32_t> kernel(Process& process, wire::TextId id);
  std::uint32_t configuration(Process& process, const wire::Shape& shape, std::uint32_t device);
  void add_launch(Process& process, const wire::Launch& launch);
  void complete(Process& process, Waiting& waiting);
  void measure(Process& process, Waiting& waiting, Launch& launch);
  void complete_waiting(Process& process, Nanoseconds now, bool all);
  void count_in(const Launch& launch);
  void put_out(const Launch& launch);
  void put_out(const std::vector<Attribution::Answer>& answers);
  [[nodiscard]] static std::optional<std::uint32_t> device_of(const Process& process, std::uint32_t number);
  [[nodiscard]] Seconds since_start(Nanoseconds moment) const;
  [[nodiscard]] static const std::string& text_of(const Process& process, wire::TextId id);
  void add_counts(Recording& recording) const;
  void add_losses();
  void add_attribution_issues(Recording& recording);
  void add_short_launches(const Recording& recording);
  void add_plan_issues(Recording& recording);
  void add_thread_times(Recording& recording) const;

  Backend& backend_;
  Setup setup_;
  Nanoseconds now_ = 0;
  Tables tables_;
  std::map<ProcessKey, Process> processes_;
  std::vector<PerDevice> devices_;
  std::vector<PerKernel> kernels_;
  std::map<std::array<std::uint32_t, 3>, PerShape> shapes_;
  std::unordered_map<std::uint64_t, Launch> held_;  ///< until their samples are shared, by ticket
  std::uint64_t last_ticket_ = 0;
  std::set<std::uint64_t> process_ids_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Nanoseconds> on_cpu_;  ///< by process and thread

  Profile piece_;
  std::uint32_t measurements_ = 0, samples_ = 0;  ///< that went into pieces
  std::uint64_t recorded_ = 0, measured_ = 0, sampled_ = 0;
  std::uint64_t seen_ = 0;
  bool seen_known_ = false;
  Nanoseconds first_launch_ = 0;
  std::vector<Request> requests_;
  std::vector<Answer> answers_;
  RangeTotals ranges_;
  std::function<void(std::uint32_t, Nanoseconds, Nanoseconds)> launch_times_;
  wire::CounterProgress progress_;  ///< of processes that ended
  Losses losses_;
};

}  // namespace ridge::collectors::session
