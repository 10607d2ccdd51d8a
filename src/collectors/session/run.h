// One run: the loop that listens to the programs, passes signals on, lends counters and hands out pieces. See session.h
// and docs/design/live-profile.md. All of it on the caller's thread but samplers and gauges.
#pragma once

#include <map>
#include <set>

#include "collectors/session/devices.h"
#include "collectors/session/lease.h"
#include "collectors/session/server.h"
#include "collectors/session/signals.h"

namespace ridge::collectors::session {

class Run : public Listener {
 public:
  Run(Backend& backend, const Options& options, const Sink& sink, Observer& observer, Profile first);
  ~Run() override;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] Result<Outcome> go();

  void on_message(ConnectionId from, wire::Message&& message) override;
  void on_end(ConnectionId from, End end) override;

 private:
  struct Peer {
    bool greeted = false, goodbye = false;
    std::uint32_t process = 0;
    std::string program;
    bool waits = false;  ///< for Ready
  };
  struct ReplayFailures {
    std::set<std::pair<ConnectionId, wire::TextId>> kernels;
    std::string kernel, reason;
  };

  /// The program's environment: with the agent in it, unless something forbids it (told then).
  [[nodiscard]] Environment prepare();
  void loop(Program& program);
  void wait(const Program& program, Nanoseconds at_most);
  void pass_on(const Program& program);
  void advance(Nanoseconds now);
  void lend(Nanoseconds now);
  void release_waiting();
  void flush(Nanoseconds now, bool all);
  void give(const Profile& piece);
  void conclude(Program& program, Nanoseconds ended);
  void conclude_processes();

  void handle(ConnectionId from, const wire::Hello& hello);
  void handle(ConnectionId from, const wire::DeviceFound& found);
  void handle(ConnectionId from, const wire::ContextMade& made);
  void handle(ConnectionId from, const wire::Problem& problem);
  void handle(ConnectionId from, const wire::LeaseWanted& wanted);
  void handle(ConnectionId from, const wire::Goodbye& goodbye);
  void handle(ConnectionId from, const wire::RangeMeasured& range);

  [[nodiscard]] wire::Settings settings() const;
  [[nodiscard]] bool wants_counters() const;
  [[nodiscard]] bool wants_sampling() const;
  /// The sampler is to run before the first launch.
  [[nodiscard]] bool samples_first() const { return wants_sampling() && !devices_.have_counters(); }

  Backend& backend_;
  const Options& options_;
  const Sink& sink_;
  Observer& observer_;
  const Nanoseconds start_;
  Profile first_;
  Recording recording_;
  Assembler assembler_;
  Notices notices_;
  Descriptor wake_;
  Devices devices_;
  std::optional<Server> server_;
  std::optional<Signals> signals_;
  LeaseDesk desk_;

  std::map<ConnectionId, Peer> peers_;
  std::map<std::uint32_t, std::string> died_;  ///< processes that ended without a word, and their programs
  ReplayFailures failures_;
  std::string cupti_;              ///< the library that the agent is told to open
  std::optional<Issue> no_cupti_;  ///< none was found to tell it
  bool injected_ = false, stopped_here_ = false, interrupted_ = false, sink_failed_ = false;
  bool device_seen_ = false, greeted_ = false;
  Nanoseconds sampling_from_ = 0;  ///< 0: not before something says so
  Nanoseconds settled_ = 0, flushed_ = 0;
  std::size_t run_on_ = 0;
};

}  // namespace ridge::collectors::session
