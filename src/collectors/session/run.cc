#include "collectors/session/run.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "collectors/session/recording.h"

namespace ridge::collectors::session {
namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr Nanoseconds kTick = 50 * kMillisecond;
constexpr Nanoseconds kSettleEvery = 100 * kMillisecond;
constexpr Nanoseconds kRecordsTake = 2000 * kMillisecond;  // from the end of a launch to its record, at most as a rule
constexpr Nanoseconds kSamplesTake = 10'000 * kMillisecond;  // likewise of samples; then launches go on without them
constexpr Nanoseconds kFlushEvery = 500 * kMillisecond;
constexpr std::size_t kFlushLaunches = 4096;
constexpr Nanoseconds kLeaseGrace = 200 * kMillisecond;  // for the agent to ask for the counters first
constexpr Nanoseconds kChildrenTake = 2000 * kMillisecond;
constexpr int kRounds = 64;  // of reading without looking at anything else

Nanoseconds wall_clock() {
  timespec now = {};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<Nanoseconds>(now.tv_sec) * 1'000'000'000 + static_cast<Nanoseconds>(now.tv_nsec);
}

bool complete_view(const Options& options) {
  return options.from_start && options.delay.count() == 0 && options.duration.count() == 0 &&
         options.kernel_filter.empty() && options.skip == 0 && options.count == 0 && options.range.empty() &&
         options.devices.empty();
}

/// An id is a name, not an amount: 25558, not 25,558. One that never said Hello has none.
Argument process_text(std::uint32_t process) {
  return text("process", process == 0 ? "?" : std::to_string(process));
}

Nanoseconds nanoseconds(Seconds time) {
  return static_cast<Nanoseconds>(std::max(0.0, time.count()) * 1e9);
}

}  // namespace

Run::Run(Backend& backend, const Options& options, const Sink& sink, Observer& observer, Profile first)
    : backend_(backend),
      options_(options),
      sink_(sink),
      observer_(observer),
      start_(wall_clock()),
      first_(std::move(first)),
      recording_(first_.recordings.front()),
      assembler_(backend, {start_, complete_view(options)}),
      notices_(observer, assembler_),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      devices_(backend, options, assembler_, notices_, observer,
               {wants_counters(), wants_sampling(), [this] { (void)eventfd_write(wake_.get(), 1); }, wall_clock}) {}

Run::~Run() = default;

bool Run::wants_counters() const {
  return options_.tier == TierWish::kAuto || options_.tier == TierWish::kCounters;
}

bool Run::wants_sampling() const {
  return options_.tier == TierWish::kAuto || options_.tier == TierWish::kSampling;
}

Result<Outcome> Run::go() {
  RIDGE_TRY(check_program(options_.command, options_.environment));
  RIDGE_TRY(sink_(first_));
  Result<Signals> signals = Signals::take();
  if (!signals) return fail(signals.error());
  signals_.emplace(*std::move(signals));
  const Environment environment = prepare();
  Result<Program> program = Program::start(options_.command, environment, signals_->before());
  if (!program) return fail(program.error());
  loop(*program);
  const int status = *program->ended();
  return Outcome{status, sink_failed_};
}

Environment Run::prepare() {
  if (const auto foreign = foreign_injection(options_.environment)) {
    notices_.tell(
        make_issue(Severity::kError, "attached", {text("variable", foreign->first), text("value", foreign->second)}));
    return options_.environment;
  }
  if (access(options_.agent.c_str(), R_OK) != 0) {
    notices_.tell(make_issue(Severity::kError, "agent-missing",
                             {text("path", options_.agent), text("reason", "the file cannot be read")}));
    return options_.environment;
  }
  Result<Server> server = Server::create(options_.environment);
  if (!server) {
    notices_.tell(make_issue(Severity::kError, "timing-unavailable", {text("reason", to_string(server.error()))}));
    return options_.environment;
  }
  server_.emplace(*std::move(server));
  Injection injection{options_.agent, server_->path(), "", options_.trace_api || !options_.range.empty()};
  if (Result<std::string> cupti = backend_.find_cupti(options_.cupti)) {
    injection.cupti = *cupti;
    cupti_ = *cupti;
    set_fact(recording_, "cupti", *cupti);
  } else {
    // The program may bring one that the agent finds: told when it does not.
    no_cupti_ = make_issue(Severity::kError, "cupti-missing",
                           {text("reason", cupti.error().what), text("searched", cupti.error().where)});
  }
  set_fact(recording_, "agent", options_.agent);
  injected_ = true;
  return with_injection(options_.environment, injection);
}

void Run::loop(Program& program) {
  std::optional<Nanoseconds> ended;
  for (;;) {
    const bool children = server_ && server_->connections() > 0;
    const Nanoseconds now = wall_clock();
    if (ended && (!children || interrupted_ || now > *ended + kChildrenTake)) break;
    wait(program, ended ? kTick / 5 : kTick);
    pass_on(program);
    for (int round = 0; server_ && round < kRounds && server_->serve(*this); ++round) {
      if (assembler_.ready() >= kFlushLaunches) flush(wall_clock(), true);
    }
    advance(wall_clock());
    if (!ended && program.ended()) {
      ended = wall_clock();
      interrupted_ = false;  // from now on it ends the waiting for children
    }
  }
  run_on_ = server_ ? server_->connections() : 0;
  conclude(program, *ended);
}

void Run::wait(const Program& program, Nanoseconds at_most) {
  std::vector<pollfd> waiting = {{signals_->descriptor(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
  // Once it has ended its descriptor is always readable.
  if (program.running()) waiting.push_back({program.descriptor(), POLLIN, 0});
  if (server_) server_->add_descriptors(waiting);
  (void)poll(waiting.data(), waiting.size(), static_cast<int>(at_most / kMillisecond));
  eventfd_t ignored = 0;
  (void)eventfd_read(wake_.get(), &ignored);
}

void Run::pass_on(const Program& program) {
  for (const Signals::Received& received : signals_->read()) {
    if (received.signal == SIGCONT) {
      if (std::exchange(stopped_here_, false)) program.send(SIGCONT);
      continue;
    }
    if (!received.by_terminal) program.send(received.signal);
    if (received.signal == SIGTSTP) {
      stopped_here_ = !received.by_terminal;
      (void)raise(SIGSTOP);
    } else if (received.signal == SIGINT || received.signal == SIGTERM) {
      interrupted_ = true;
    }
  }
}

void Run::advance(Nanoseconds now) {
  devices_.advance();
  lend(now);
  release_waiting();
  if (now > settled_ + kSettleEvery) {
    settled_ = now;
    const Nanoseconds records = now - kRecordsTake;
    const Nanoseconds until = std::max(std::min(records, devices_.sampled_until()), now - kSamplesTake);
    assembler_.settle(now, until);
    devices_.settle(records);
  }
  for (const Assembler::Request& request : assembler_.take_requests()) {
    if (server_) server_->send(request.process, request.what);
  }
  flush(now, false);
}

void Run::lend(Nanoseconds now) {
  const bool may_sample = wants_sampling() && !sink_failed_ && sampling_from_ != 0 && now >= sampling_from_;
  devices_.want_sampling(may_sample && desk_.sampler_may_run());
  while (const auto program = desk_.grant(devices_.samplers_are_off())) {
    server_->send(*program, wire::Lease{true});
    // From now on the sampler has the counters whenever the programs do not.
    sampling_from_ = now;
  }
}

void Run::release_waiting() {
  for (auto& [id, peer] : peers_) {
    if (!peer.waits || (samples_first() && !devices_.samplers_are_settled())) continue;
    peer.waits = false;
    server_->send(id, wire::Ready{});
  }
}

void Run::flush(Nanoseconds now, bool all) {
  const bool due = all || assembler_.ready() >= kFlushLaunches || now > flushed_ + kFlushEvery;
  if (!due) return;
  flushed_ = now;
  if (!assembler_.empty()) give(assembler_.take());
}

void Run::give(const Profile& piece) {
  if (sink_failed_) return;
  const Result<void> done = sink_(piece);
  if (done) return;
  sink_failed_ = true;
  observer_.notice(make_issue(Severity::kError, "sink-failed", {text("reason", to_string(done.error()))}));
  devices_.want_sampling(false);
  for (const auto& [id, peer] : peers_) server_->send(id, wire::Stop{});
}

void Run::on_message(ConnectionId from, wire::Message&& message) {
  Peer& peer = peers_[from];
  if (!peer.greeted && !std::holds_alternative<wire::Hello>(message)) {
    server_->drop(from);
    on_end(from, End::kDamaged);
    return;
  }
  if (sink_failed_) return;
  assembler_.on_message(from, message, wall_clock());
  std::visit(
      [&](const auto& content) {
        if constexpr (requires { handle(from, content); }) handle(from, content);
      },
      message);
}

void Run::on_end(ConnectionId from, End end) {
  const Peer peer = peers_[from];
  peers_.erase(from);
  desk_.give_back(from);
  assembler_.on_end(from);
  if (end == End::kDamaged) {
    notices_.tell(make_issue(Severity::kDataLoss, "stream-damaged", {process_text(peer.process)}));
  } else if (peer.greeted && !peer.goodbye) {
    died_[peer.process] = peer.program;
  }
}

void Run::handle(ConnectionId from, const wire::Hello& hello) {
  if (hello.protocol != wire::kProtocol) {
    notices_.tell(
        make_issue(Severity::kError, "agent-other-build",
                   {process_text(hello.process), count("protocol", hello.protocol), count("wanted", wire::kProtocol)}));
    server_->drop(from);
    peers_.erase(from);
    return;
  }
  Peer& peer = peers_[from];
  peer.greeted = true;
  peer.process = hello.process;
  peer.program = hello.program;
  greeted_ = true;
  died_.erase(hello.process);  // it only became another program (exec)
  set_fact(recording_, fmt::format("process {}", hello.process), hello.program);
  if (hello.cupti_version != 0) set_fact(recording_, "cupti-version", std::to_string(hello.cupti_version));
  if (hello.driver_version != 0) {
    set_fact(recording_, "cuda-driver",
             fmt::format("{}.{}", hello.driver_version / 1000, hello.driver_version % 1000 / 10));
  }
  server_->send(from, settings());
}

wire::Settings Run::settings() const {
  wire::Settings settings;
  settings.api = options_.trace_api;
  settings.counters = wants_counters();
  settings.wait_for_sampler = wants_sampling();
  settings.from_start = options_.from_start;
  settings.delay = nanoseconds(options_.delay);
  settings.duration = nanoseconds(options_.duration);
  settings.kernel_filter = options_.kernel_filter;
  settings.skip = options_.skip;
  settings.count = options_.count;
  settings.range = options_.range;
  settings.devices = options_.devices;
  settings.samples_per_shape = options_.samples_per_shape;
  if (options_.budget) settings.budget = nanoseconds(*options_.budget);
  return settings;
}

void Run::handle(ConnectionId from, const wire::DeviceFound& found) {
  device_seen_ = true;
  const auto device = assembler_.device_of(from, found.device);
  if (!device) return;
  for (const wire::CounterSetup& setup : devices_.found(*device, found)) server_->send(from, setup);
}

void Run::handle(ConnectionId from, const wire::ContextMade&) {
  if (options_.tier == TierWish::kTiming) return;
  peers_[from].waits = true;
  if (sampling_from_ == 0) sampling_from_ = wall_clock() + (samples_first() ? 0 : kLeaseGrace);
  lend(wall_clock());
  release_waiting();
}

void Run::handle(ConnectionId from, const wire::LeaseWanted& wanted) {
  if (!wanted.wanted) {
    desk_.give_back(from);
  } else if (wants_counters()) {
    desk_.ask(from);
  } else {
    server_->send(from, wire::Lease{false});
  }
  lend(wall_clock());
}

void Run::handle(ConnectionId from, const wire::Goodbye&) {
  peers_[from].goodbye = true;
}

void Run::handle(ConnectionId, const wire::RangeMeasured&) {
  for (const Assembler::Answer& answer : assembler_.take_answers()) server_->send(answer.process, answer.values);
}

void Run::handle(ConnectionId from, const wire::Problem& problem) {
  const std::string reason = problem.text;
  switch (problem.stage) {
    case wire::Stage::kLoad:
      notices_.tell(no_cupti_.value_or(
          make_issue(Severity::kError, "cupti-missing", {text("reason", reason), text("searched", cupti_)})));
      return;
    case wire::Stage::kSubscribe:
      notices_.tell(make_issue(Severity::kNotice, "callbacks-unavailable", {text("reason", reason)}));
      return;
    case wire::Stage::kCounters:
      notices_.tell(not_to_be_had(reason, "", "counters-unavailable"));
      return;
    case wire::Stage::kRange:
      if (failures_.kernels.empty()) {
        failures_.kernel = assembler_.short_name(from, problem.kernel);
        failures_.reason = reason;
      }
      failures_.kernels.emplace(from, problem.kernel);
      return;
    case wire::Stage::kActivity:
    case wire::Stage::kConnection:
    case wire::Stage::kMeasuredRange:
      break;
  }
  const char* stage = problem.stage == wire::Stage::kActivity        ? "activity"
                      : problem.stage == wire::Stage::kMeasuredRange ? "measured-range"
                                                                     : "connection";
  notices_.tell(make_issue(Severity::kNotice, "problem",
                           {text("stage", stage), number("code", problem.code, Unit::kNone), text("reason", reason)}));
}

void Run::conclude(Program& program, Nanoseconds ended) {
  devices_.finish(recording_);
  recording_.exit_status = Value<double>(*program.ended(), Provenance::kReported);
  recording_.wall = Value<Seconds>(Seconds(static_cast<double>(ended - start_) * 1e-9), Provenance::kMeasured);
  conclude_processes();
  if (program.killed_by() != 0) {
    notices_.tell(make_issue(Severity::kNotice, "program-killed", {text("signal", signal_name(program.killed_by()))}));
  }
  assembler_.finish(recording_);
  recording_.tier = assembler_.measured() > 0  ? Tier::kCounters
                    : assembler_.sampled() > 0 ? Tier::kSampling
                                               : Tier::kTiming;
  if (injected_ && !greeted_) {
    if (no_cupti_) notices_.tell(*no_cupti_);
    notices_.tell(make_issue(Severity::kError, "agent-not-loaded"));
  } else if (device_seen_ && assembler_.launches() == 0) {
    notices_.tell(make_issue(Severity::kError, "no-kernels"));
  }
  recording_.finished = true;
  Profile last = assembler_.take();
  last.recordings.push_back(recording_);
  give(last);
}

void Run::conclude_processes() {
  for (const auto& [process, program] : died_) {
    notices_.tell(make_issue(Severity::kDataLoss, "process-died", {process_text(process), text("program", program)}));
  }
  if (run_on_ > 0) {
    notices_.tell(make_issue(Severity::kDataLoss, "processes-run-on",
                             {count("processes", static_cast<double>(run_on_)),
                              number("seconds", static_cast<double>(kChildrenTake) * 1e-9, Unit::kSeconds)}));
  }
  if (failures_.kernels.empty()) return;
  notices_.tell(make_issue(Severity::kNotice, "replay-failed",
                           {count("kernels", static_cast<double>(failures_.kernels.size())),
                            text("kernel", failures_.kernel), text("reason", failures_.reason)}));
}

Result<Outcome> run_with(Backend& backend, const Options& options, const Sink& sink, Observer& observer) {
  Run run(backend, options, sink, observer, first_piece(options, static_cast<double>(std::time(nullptr))));
  return run.go();
}

}  // namespace ridge::collectors::session
