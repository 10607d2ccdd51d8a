#include "collectors/agent/agent.h"

#include <errno.h>
#include <unistd.h>

#include "collectors/agent/clock.h"
#include "collectors/agent/guard.h"

namespace ridge::collectors::agent {
namespace {

constexpr std::chrono::seconds kForSettings{3}, kForReady{3}, kForTheQueue{2};
constexpr std::uint64_t kBetweenSamples = 500'000'000;
constexpr std::size_t kProblemsAtMost = 200;

std::string program_name() {
  return program_invocation_short_name != nullptr ? program_invocation_short_name : "";
}

}  // namespace

Agent::Run::Run(Agent& agent, const wire::Settings& wanted, wire::Nanoseconds hello)
    : settings(wanted),
      policy(wanted, hello, agent.connection_),
      books{TextBook(agent.connection_), KernelBook(books.texts, wanted.kernel_filter), ShapeBook(agent.connection_),
            DeviceBook(agent.cupti_, agent.driver_, agent.connection_, wanted.counters || wanted.wait_for_sampler)},
      ranges(wanted.range),
      activity(agent.cupti_, books, policy, tally, agent.connection_, wanted.api,
               [&agent](abi::Result code, const std::string& call) {
                 agent.problem(wire::Stage::kActivity, code, call + ": " + agent.cupti_.name(code));
               }),
      launches({agent.cupti_, agent.driver_, books.kernels, policy, ranges, tally, agent.connection_}, wanted.counters,
               [&agent](wire::Stage stage, std::int32_t code, const std::string& text, wire::TextId kernel) {
                 agent.problem(stage, code, text, kernel);
               }),
      marks(books.texts, ranges, agent.connection_, [this] { return recording(); }),
      measured(
          {agent.cupti_, agent.driver_, books.texts, marks, launches, tally, agent.connection_},
          [this] { return recording(); }, [this](bool forced) { activity.deliver(forced); }),
      threads(agent.connection_, agent.connection_.threads()) {}

Agent::Agent(int socket, const std::string& cupti)
    : cupti_(Cupti::open(cupti)), driver_(Driver::open()), connection_(socket), subscription_(cupti_) {}

void Agent::problem(wire::Stage stage, std::int32_t code, const std::string& text, wire::TextId kernel) {
  {
    const std::lock_guard lock(mutex_);
    const bool fresh = problems_.emplace(code, text).second;
    // The same trouble at each of a thousand kernels is said for some of them.
    if (!fresh && kernel == 0) return;
    if (++problems_sent_ > kProblemsAtMost) return;
  }
  connection_.send(wire::Problem{stage, code, text, kernel}, Weight::kNeeded);
}

void Agent::greet() {
  wire::Hello hello;
  hello.process = static_cast<std::uint32_t>(getpid());
  hello.parent = static_cast<std::uint32_t>(getppid());
  hello.program = program_name();
  if (cupti_.usable()) hello.cupti = cupti_.path;
  hello.cupti_version = cupti_.version;
  int version = 0;
  if (driver_.get_version != nullptr && driver_.get_version(&version) == 0) {
    hello.driver_version = static_cast<std::uint32_t>(version);
  }
  hello.now = hello_ = real_now();
  connection_.send(hello, Weight::kNeeded);
}

bool Agent::wait_for_settings() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kForSettings, [this] { return settings_ != nullptr || !connection_.open(); }) &&
         settings_ != nullptr;
}

void Agent::start() {
  agent_alive = true;
  connection_.start([this](const wire::Message& message) { guarded([&] { on_message(message); }); },
                    [this] { guarded([&] { on_tick(); }); });
  greet();
  if (!wait_for_settings()) {
    problem(wire::Stage::kConnection, 0, "no settings came: nothing is recorded in this process");
    return;
  }
  if (!cupti_.usable()) {
    problem(wire::Stage::kLoad, 0, cupti_.error);
    return;
  }
  if (!settings_->timing && !settings_->counters) return;
  owned_run_ = std::make_unique<Run>(*this, *settings_, hello_);
  Run& run = *owned_run_;
  if (!run.books.kernels.filter_is_valid()) {
    problem(wire::Stage::kActivity, 0,
            "'" + run.settings.kernel_filter + "' is not a valid expression: no kernel matches");
  }
  const abi::Result subscribed = subscription_.start(&on_callback, this);
  if (subscribed != abi::kSuccess) {
    problem(wire::Stage::kSubscribe, subscribed, cupti_.name(subscribed));
    run.policy.give_up();
  }
  if (!run.activity.start()) return;
  if (run.policy.ranges_needed()) subscription_.ranges();
  run_.store(&run, std::memory_order_release);
  record(run);
  switch_callbacks(run);
  if (run.settings.api) run.threads.sample();
}

void Agent::record(Run& run) {
  run.activity.record(run.recording());
}

void Agent::on_message(const wire::Message& message) {
  if (const auto* settings = std::get_if<wire::Settings>(&message)) {
    const std::lock_guard lock(mutex_);
    if (!settings_) settings_ = std::make_unique<wire::Settings>(*settings);
    changed_.notify_all();
    return;
  }
  if (std::holds_alternative<wire::Ready>(message)) {
    const std::lock_guard lock(mutex_);
    ++contexts_ready_;
    changed_.notify_all();
    return;
  }
  if (std::holds_alternative<wire::Stop>(message)) changed_.notify_all();
  if (Run* const run = run_.load(std::memory_order_acquire)) on_run_message(*run, message);
}

void Agent::on_run_message(Run& run, const wire::Message& message) {
  if (const auto* values = std::get_if<wire::RangeValues>(&message)) {
    run.measured.answered(*values);
  } else if (const auto* setup = std::get_if<wire::CounterSetup>(&message)) {
    if (setup->recipe == wire::kRangeRecipe) {
      run.launches.add_range_recipe(*setup);
      return;
    }
    run.launches.add_recipe(*setup);
    run.policy.add_recipe(*setup);
  } else if (const auto* decision = std::get_if<wire::Decide>(&message)) {
    run.policy.decide(*decision);
  } else if (const auto* lease = std::get_if<wire::Lease>(&message)) {
    if (!run.policy.lease_answered(lease->granted)) run.launches.give_back();
  } else if (std::holds_alternative<wire::Stop>(message)) {
    run.policy.stop();
    run.measured.stop();
  }
}

void Agent::on_tick() {
  Run* const run = run_.load(std::memory_order_acquire);
  if (run == nullptr) return;
  record(*run);
  if (run->policy.lease_idle()) run->launches.give_back();
  switch_callbacks(*run);
  run->policy.report(false);
  run->marks.flush();
  if (!run->settings.api || steady_now() < next_sample_) return;
  next_sample_ = steady_now() + kBetweenSamples;
  run->threads.sample();
}

void Agent::switch_callbacks(Run& run) {
  const std::lock_guard lock(switch_mutex_);
  const bool needed = run.policy.launch_callbacks_needed();
  if (subscription_.launches_are(needed)) return;
  if (needed) {
    // Before they are on: what enters afterwards is of the new round.
    run.launches.restart();
    subscription_.launches(true);
  } else {
    // Not in the middle of a launch, whose end would be missed; the next tick tries again.
    run.launches.between_launches([this] { subscription_.launches(false); });
  }
}

void Agent::on_callback(void* self, std::uint32_t domain, std::uint32_t callback, const void* data) {
  guarded([&] {
    auto& agent = *static_cast<Agent*>(self);
    Run* const run = agent.run_.load(std::memory_order_acquire);
    if (run == nullptr || data == nullptr) return;
    if (domain == abi::kDomainDriver) agent.on_driver(*run, callback, *static_cast<const abi::CallbackData*>(data));
    if (domain == abi::kDomainResource) agent.on_resource(*run, callback, *static_cast<const abi::ResourceData*>(data));
    if (domain == abi::kDomainNvtx) run->ranges.on_call(callback, *static_cast<const abi::NvtxData*>(data));
  });
}

void Agent::on_driver(Run& run, std::uint32_t callback, const abi::CallbackData& data) {
  const bool starts = callback == abi::kCuProfilerStart;
  if (!starts && callback != abi::kCuProfilerStop) {
    run.launches.on_call(callback, data);
    return;
  }
  // Recording begins after the one call and ends before the other.
  if (data.callbackSite != (starts ? abi::kExit : abi::kEnter)) return;
  connection_.send(wire::CaptureSwitch{starts, real_now()}, Weight::kNeeded);
  if (run.settings.from_start) return;
  run.policy.capture(starts);
  record(run);
  switch_callbacks(run);
}

void Agent::on_resource(Run& run, std::uint32_t callback, const abi::ResourceData& data) {
  if (callback == abi::kContextCreated) context_made(run, data.context);
  if (callback != abi::kContextDestroyStarting) return;
  run.launches.context_ends(data.context);
  run.activity.flush(false);
}

void Agent::context_made(Run& run, abi::Context context) {
  std::uint32_t id = 0, device = 0;
  if (cupti_.get_context_id == nullptr || cupti_.get_context_id(context, &id) != abi::kSuccess) return;
  if (cupti_.get_device_id == nullptr || cupti_.get_device_id(context, &device) != abi::kSuccess) return;
  run.launches.context_made(id, device);
  const bool fresh = run.books.devices.device(device);
  std::uint32_t answers = 0;
  {
    const std::lock_guard lock(mutex_);
    if (run.books.devices.context(id, device)) ++contexts_told_;
    answers = contexts_told_;
  }
  if (!fresh) return;
  run.activity.device_ready(device);
  if (!run.settings.counters && !run.settings.wait_for_sampler) return;
  run.launches.prepare();
  wait_until_ready(run, answers);
  run.policy.begin();
  if (run.settings.counters && run.policy.wait_until_held()) run.launches.warm_up(context, device);
  switch_callbacks(run);
}

// One Ready answers each ContextMade; what is to be set up for its device has come before.
void Agent::wait_until_ready(Run& run, std::uint32_t answers) {
  std::unique_lock lock(mutex_);
  const bool ready =
      changed_.wait_for(lock, kForReady, [this, answers] { return contexts_ready_ >= answers || !connection_.open(); });
  lock.unlock();
  if (ready) return;
  const std::string text = run.settings.counters ? "counters were not set up within 3 s" : "no sampler within 3 s";
  problem(wire::Stage::kConnection, 0, text + ": the program goes on without");
}

void Agent::push_range(const char* name) {
  guarded([&] {
    if (Run* const run = run_.load(std::memory_order_acquire)) run->marks.push(name);
  });
}

void Agent::pop_range() {
  guarded([&] {
    if (Run* const run = run_.load(std::memory_order_acquire)) run->marks.pop();
  });
}

void Agent::begin_range(const char* name) {
  // Whatever has become of the agent, the GPU is to be idle now.
  wait_for_gpu();
  guarded([&] {
    Run* const run = run_.load(std::memory_order_acquire);
    if (run == nullptr) return;
    run->measured.begin(name);
    // The range may have the lease now, and its launches are counted by their callbacks.
    switch_callbacks(*run);
  });
}

void Agent::end_range(RangeFigures& figures) {
  wait_for_gpu();
  guarded([&] {
    if (Run* const run = run_.load(std::memory_order_acquire)) run->measured.end(figures);
  });
}

// Not while a stream is captured, which a wait would spoil.
void Agent::wait_for_gpu() {
  const Run* const run = run_.load(std::memory_order_acquire);
  if (driver_.synchronise != nullptr && (run == nullptr || !run->launches.capturing())) driver_.synchronise();
}

void Agent::finish() {
  guarded([&] {
    wire::Goodbye goodbye;
    if (Run* const run = run_.load(std::memory_order_acquire)) {
      run->activity.deliver(true);
      run->marks.flush();
      run->policy.report(true);
      if (run->settings.api) run->threads.sample();
      goodbye.launches_seen = run->launches.launches();
    }
    connection_.send(goodbye, Weight::kNeeded);
    connection_.finish(std::chrono::duration_cast<std::chrono::milliseconds>(kForTheQueue));
    connection_.leave_threads();
  });
  agent_alive = false;
}

}  // namespace ridge::collectors::agent
