#include "collectors/session/sampling.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace ridge::collectors::session {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(10);
constexpr auto kBetweenAttempts = std::chrono::milliseconds(100);
constexpr int kAttempts = 20;
constexpr Seconds kInterval{20e-6};
constexpr Seconds kWidest{1e-3};
constexpr std::size_t kMostWaiting = 2'000'000;  // samples that the session did not fetch
constexpr Nanoseconds kForever = std::numeric_limits<Nanoseconds>::max();

}  // namespace

SamplingThread::SamplingThread(std::unique_ptr<Sampler> sampler, std::optional<Seconds> interval,
                               std::function<void()> wake)
    : sampler_(std::move(sampler)),
      interval_(std::max(interval.value_or(kInterval), sampler_->shortest_interval())),
      wake_(std::move(wake)) {
  news_.interval = interval_;
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& problem) {
    failed_ = true;
    news_.error = internal_error(std::string("no thread can be started: ") + problem.what(), "sampling",
                                 "allow this user more processes (ulimit -u)");
  }
}

SamplingThread::~SamplingThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SamplingThread::want(bool on) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = on;
  }
  changed_.notify_all();
}

SamplingThread::State SamplingThread::state() const {
  const std::lock_guard lock(mutex_);
  return state_locked();
}

SamplingThread::State SamplingThread::state_locked() const {
  if (failed_) return State::kFailed;
  if (turning_ || wanted_ != on_) return State::kChanging;
  return on_ ? State::kOn : State::kOff;
}

SamplingThread::News SamplingThread::take() {
  const std::lock_guard lock(mutex_);
  News news = std::exchange(news_, {});
  news_.until = news.until;
  news_.interval = news.interval;
  news_.widened_from = news.widened_from;
  news.state = state_locked();
  if (failed_ || (!wanted_ && !on_ && !turning_)) news.until = kForever;
  return news;
}

void SamplingThread::work() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (failed_ || (!on_ && !wanted_)) {
      changed_.wait(lock, [&] { return ending_ || (!failed_ && wanted_); });
    } else if (on_ && wanted_) {
      if (changed_.wait_for(lock, kBetween, [&] { return ending_ || !wanted_; })) continue;
      lock.unlock();
      const bool good = collect();
      lock.lock();
      if (good) continue;
      on_ = false;
      lock.unlock();
      wake_();
      lock.lock();
    } else {
      const bool wanted = wanted_;
      turning_ = true;
      lock.unlock();
      const bool good = turn(wanted);
      lock.lock();
      on_ = wanted && good;
      turning_ = false;
      lock.unlock();
      wake_();
      lock.lock();
    }
  }
  const bool on = on_;
  lock.unlock();
  if (on) sampler_->stop();
}

/// False: it is off, and will stay so.
bool SamplingThread::turn(bool on) {
  if (on) {
    last_end_ = 0;
    return start();
  }
  sampler_->stop();
  if (Result<Sampler::Batch> rest = sampler_->collect()) add(rest->samples);
  return true;
}

/// False: it failed, or is not wanted any more.
bool SamplingThread::start() {
  for (int attempt = 1;; ++attempt) {
    const Result<void> started = sampler_->start(interval_);
    if (started) return true;
    if (!sampler_->busy() || attempt == kAttempts) return fail_with(started.error());
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kBetweenAttempts, [&] { return ending_ || !wanted_; })) return false;
  }
}

bool SamplingThread::collect() {
  Result<Sampler::Batch> batch = sampler_->collect();
  if (!batch) {
    sampler_->stop();
    return fail_with(batch.error());
  }
  add(batch->samples);
  return !batch->behind || widen();
}

bool SamplingThread::widen() {
  const Seconds before = interval_;
  interval_ = std::max(before, std::min(std::max(before * 1.5, sampler_->needed_interval()), kWidest));
  if (interval_ == before) return true;
  sampler_->stop();
  if (Result<Sampler::Batch> rest = sampler_->collect()) add(rest->samples);
  {
    const std::lock_guard lock(mutex_);
    if (news_.widened_from.count() == 0) news_.widened_from = before;
    news_.interval = interval_;
  }
  return start();
}

void SamplingThread::add(const std::vector<DeviceSample>& samples) {
  if (samples.empty()) return;
  const auto slack = static_cast<Nanoseconds>(interval_.count() * 1e9);
  const std::lock_guard lock(mutex_);
  for (const DeviceSample& sample : samples) {
    if (last_end_ != 0 && sample.start > last_end_ + slack) {
      ++news_.gaps;
      news_.lost += sample.start - last_end_;
    }
    last_end_ = std::max(last_end_, sample.end);
  }
  news_.until = std::max(news_.until, last_end_);
  if (!news_.samples.empty() && news_.samples.size() + samples.size() > kMostWaiting) {
    ++news_.gaps;
    news_.lost += news_.samples.back().end - news_.samples.front().start;
    news_.samples.clear();
  }
  news_.samples.insert(news_.samples.end(), samples.begin(), samples.end());
}

bool SamplingThread::fail_with(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    news_.error = error;
  }
  wake_();
  return false;
}

}  // namespace ridge::collectors::session
