#include "collectors/agent/policy.h"

#include <chrono>

#include "collectors/agent/clock.h"

namespace ridge::collectors::agent {
namespace {

constexpr std::chrono::milliseconds kLongestWait{1000};
// Longer than a sampler takes to stop, and to start before that.
constexpr std::chrono::milliseconds kLongestWaitOfARange{500};
constexpr std::uint64_t kBetweenReports = 100'000'000;

bool same(const wire::CounterProgress& a, const wire::CounterProgress& b) {
  return a.seen == b.seen && a.measured == b.measured && a.failed == b.failed && a.collectives == b.collectives &&
         a.cooperative == b.cooperative && a.over_budget == b.over_budget && a.in_graphs == b.in_graphs &&
         a.filtered == b.filtered && a.spent == b.spent;
}

}  // namespace

Policy::Policy(const wire::Settings& settings, wire::Nanoseconds hello, Outbox& outbox)
    : outbox_(outbox),
      counters_(settings.counters),
      by_range_(!settings.range.empty()),
      filter_(settings, hello),
      selection_(settings, steady_now()),
      lease_(settings.counters, settings.wait_for_sampler) {}

// The launch is held until the collector answers, for a second at most, so that the first launch of a program can be
// measured; a collector that does not answer is not waited for again.
void Policy::wait_for_lease(std::unique_lock<std::mutex>& lock) {
  if (!lease_.waiting() || !may_wait_) return;
  may_wait_ = false;
  in_wait_ = true;
  answered_.wait_for(lock, kLongestWait, [this] { return !lease_.waiting() || stopped_; });
  in_wait_ = false;
}

Policy::Verdict Policy::at_launch(Selection::Launch launch, std::uint32_t correlation, bool in_range) {
  Verdict verdict;
  std::unique_lock lock(mutex_);
  const std::uint64_t real = real_now();
  if (stopped_) return verdict;
  verdict.recorded = launch.kernel->wanted && filter_.at_launch(correlation, launch.device, in_range, real);
  if (!counters_) return verdict;
  const bool open = filter_.window_open(real);
  launch.recorded = verdict.recorded;
  std::optional<std::uint32_t> recipe;
  if (open || !launch.kernel->wanted) recipe = selection_.wanted(launch);
  if (recipe) wait_for_lease(lock);
  if (!lease_.held()) return verdict;
  const std::uint64_t now = steady_now();
  const bool affordable = !recipe || selection_.affordable(launch.key, now);
  verdict.give_back = lease_.at_launch(recipe.has_value(), selection_.budget_spent(now), now);
  if (recipe && affordable && !verdict.give_back) {
    verdict.measure = recipe;
    selection_.begin(launch.key);
  }
  return verdict;
}

void Policy::at_graph_launch(std::uint32_t correlation, bool in_range) {
  const std::lock_guard lock(mutex_);
  filter_.at_graph_launch(correlation, in_range);
}

bool Policy::at_record(Selection::Launch launch, std::uint32_t correlation, wire::Nanoseconds start,
                       wire::Nanoseconds end) {
  const std::lock_guard lock(mutex_);
  launch.recorded =
      launch.kernel->wanted && !stopped_ && filter_.at_record(correlation, launch.device, launch.in_graph, start);
  if (!counters_ || stopped_) return launch.recorded;
  const bool pending = selection_.pending(launch);
  const std::uint64_t now = steady_now();
  if (lease_.at_record(pending, end > start ? end - start : 0, selection_.budget_spent(now), now)) {
    outbox_.send(wire::LeaseWanted{true}, Weight::kNeeded);
  }
  return launch.recorded;
}

void Policy::measured(const LaunchKey& key, std::uint32_t recipe, bool well, wire::Nanoseconds cost) {
  const std::lock_guard lock(mutex_);
  selection_.measured(key, recipe, well, cost);
}

void Policy::abandoned(const LaunchKey& key) {
  const std::lock_guard lock(mutex_);
  selection_.abandoned(key);
}

void Policy::add_recipe(const wire::CounterSetup& setup) {
  const std::lock_guard lock(mutex_);
  selection_.add_recipe(setup);
}

void Policy::decide(const wire::Decide& decision) {
  const std::lock_guard lock(mutex_);
  selection_.decide(decision);
}

void Policy::capture(bool on) {
  const std::lock_guard lock(mutex_);
  filter_.capture(on);
}

void Policy::begin() {
  const std::lock_guard lock(mutex_);
  if (!stopped_ && lease_.begin(steady_now())) outbox_.send(wire::LeaseWanted{true}, Weight::kNeeded);
}

bool Policy::wait_until_held() {
  std::unique_lock lock(mutex_);
  if (lease_.waiting() && !stopped_) wait_for_lease(lock);
  return lease_.held();
}

bool Policy::lease_answered(bool granted) {
  const std::lock_guard lock(mutex_);
  const bool fine = lease_.answered(granted, steady_now());
  answered_.notify_all();
  return fine;
}

// In one step: who asks again does so after the collector was told.
void Policy::lease_returned() {
  const std::lock_guard lock(mutex_);
  lease_.returned(steady_now());
  outbox_.send(wire::LeaseWanted{false}, Weight::kNeeded);
}

bool Policy::lease_held() {
  const std::lock_guard lock(mutex_);
  return lease_.held();
}

// Not again after a wait in vain: a program that measures each of its steps would be held up at each.
bool Policy::begin_range() {
  std::unique_lock lock(mutex_);
  if (!counters_ || stopped_ || lease_.finished()) return false;
  if (lease_.begin(steady_now())) outbox_.send(wire::LeaseWanted{true}, Weight::kNeeded);
  if (lease_.waiting() && range_may_wait_) {
    answered_.wait_for(lock, kLongestWaitOfARange, [this] { return !lease_.waiting() || stopped_; });
    range_may_wait_ = !lease_.waiting();
  }
  if (!lease_.held() || stopped_ || lease_.finished()) return false;
  range_may_wait_ = true;
  lease_.range(true, steady_now());
  return true;
}

void Policy::end_range() {
  const std::lock_guard lock(mutex_);
  lease_.range(false, steady_now());
}

void Policy::give_up() {
  const std::lock_guard lock(mutex_);
  selection_.give_up();
  lease_.finish();
}

void Policy::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  lease_.finish();
  answered_.notify_all();
}

bool Policy::window_open() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = real_now();
  return !stopped_ && filter_.window_open(now) && !filter_.over(now);
}

bool Policy::lease_idle() {
  const std::lock_guard lock(mutex_);
  return lease_.idle(steady_now());
}

bool Policy::launch_callbacks_needed() {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  const bool filtering = filter_.needs_launches() && !filter_.over(real_now());
  // Before the first lease too: the first launch waits for it.
  const bool counting =
      counters_ && !lease_.finished() && (lease_.held() || (lease_.waiting() && (may_wait_ || in_wait_)));
  return filtering || counting;
}

bool Policy::device_wanted(std::uint32_t device) {
  const std::lock_guard lock(mutex_);
  return filter_.device_wanted(device);
}

void Policy::report(bool last) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t now = steady_now();
  if (!counters_ || (!last && now < next_report_)) return;
  next_report_ = now + kBetweenReports;
  const auto progress = selection_.progress();
  if (same(progress, reported_)) return;
  if (outbox_.send(progress, Weight::kNeeded)) reported_ = progress;
}

}  // namespace ridge::collectors::agent
