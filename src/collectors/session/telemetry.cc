#include "collectors/session/telemetry.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace ridge::collectors::session {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr unsigned kProcessesEvery = 10;  // readings
constexpr std::size_t kMostWaiting = 100'000;
constexpr Nanoseconds kSlice = 50'000'000;
constexpr Nanoseconds kBusy = kSlice / 4;
constexpr std::size_t kSlicesKept = 100'000;

}  // namespace

TelemetryThread::TelemetryThread(std::function<Nanoseconds()> now) : now_(std::move(now)) {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& problem) {
    // No more threads are allowed here (a limit of processes): there are no readings then.
    problem_ = std::string("no thread can be started: ") + problem.what();
  }
}

TelemetryThread::~TelemetryThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TelemetryThread::add(std::uint32_t device, std::unique_ptr<Gauge> gauge) {
  {
    const std::lock_guard lock(mutex_);
    gauges_.emplace_back(device, std::move(gauge));
  }
  changed_.notify_all();
}

std::vector<TelemetryThread::Item> TelemetryThread::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(items_, {});
}

void TelemetryThread::work() {
  std::unique_lock lock(mutex_);
  for (unsigned round = 0; !ending_; ++round) {
    changed_.wait(lock, [&] { return ending_ || !gauges_.empty(); });
    const auto gauges = gauges_;
    lock.unlock();
    std::vector<Item> items;
    for (const auto& [device, gauge] : gauges) {
      Item item;
      item.device = device;
      item.time = now_();
      item.reading = gauge->read();
      if (item.reading.throttle_reasons) {
        item.slowing = gauge->slowing(static_cast<std::uint64_t>(*item.reading.throttle_reasons));
      }
      if (round % kProcessesEvery == 0) item.processes = gauge->processes().value_or(std::vector<std::uint64_t>());
      items.push_back(std::move(item));
    }
    lock.lock();
    if (items_.size() < kMostWaiting) items_.insert(items_.end(), items.begin(), items.end());
    changed_.wait_for(lock, kBetween, [&] { return ending_; });
  }
}

void ClockWatch::add_kernel(Nanoseconds start, Nanoseconds end) {
  const std::uint64_t last = end / kSlice;
  // A kernel of hours is one of its last hours.
  std::uint64_t slice = std::max(start / kSlice, last > kSlicesKept ? last - kSlicesKept : 0);
  for (; slice <= last; ++slice) {
    const Nanoseconds from = std::max(start, slice * kSlice);
    const Nanoseconds to = std::min(end, (slice + 1) * kSlice);
    if (from < to) busy_[slice] += to - from;
  }
}

void ClockWatch::add_reading(Nanoseconds time, const Value<Hertz>& sm_clock, const std::vector<std::string>& slowing) {
  pending_.push_back({time, sm_clock, slowing});
}

void ClockWatch::settle(Nanoseconds until) {
  for (; !pending_.empty() && pending_.front().time < until; pending_.pop_front()) {
    const Pending& reading = pending_.front();
    const auto slice = busy_.find(reading.time / kSlice);
    if (slice == busy_.end() || slice->second < kBusy) continue;
    ++summary_.readings;
    if (!reading.slowing.empty()) ++summary_.slowed;
    summary_.reasons.insert(reading.slowing.begin(), reading.slowing.end());
    if (!reading.clock) continue;
    if (summary_.low.count() == 0 || *reading.clock < summary_.low) summary_.low = *reading.clock;
    summary_.high = std::max(summary_.high, *reading.clock);
  }
  busy_.erase(busy_.begin(), busy_.lower_bound(until / kSlice));
}

}  // namespace ridge::collectors::session
