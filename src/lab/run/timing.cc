#include "lab/run/timing.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ridge::lab {
namespace {

constexpr Seconds kWarmUp{0.03};  ///< clocks rise within milliseconds
constexpr Seconds kSample{2e-4};  ///< an event costs about a microsecond
constexpr Seconds kLongest{5.0};  ///< of all samples together
constexpr int kFewestSamples = 3;
constexpr int kMostLaunches = 2000;

class EventPair {
 public:
  explicit EventPair(device::Device& device) : device_(device) {}
  ~EventPair() {
    if (begin_) device_.destroy(*begin_);
    if (end_) device_.destroy(*end_);
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;

  Result<void> create() {
    const auto begin = device_.create_event();
    if (!begin) return fail(begin.error());
    begin_ = *begin;
    const auto end = device_.create_event();
    if (!end) return fail(end.error());
    end_ = *end;
    return {};
  }
  Result<void> begin() { return device_.record(*begin_); }
  Result<void> end() { return device_.record(*end_); }
  Result<Seconds> elapsed() { return device_.elapsed(*begin_, *end_); }

 private:
  device::Device& device_;
  std::optional<device::Event> begin_, end_;
};

int launches_in(Seconds span, Seconds one) {
  if (one <= Seconds(0)) return kMostLaunches;
  return static_cast<int>(std::clamp(std::ceil(span / one), 1.0, double(kMostLaunches)));
}

/// Launches on the sets in turn.
class Turns {
 public:
  Turns(int copies, const std::function<Result<void>(std::size_t)>& launch)
      : copies_(static_cast<std::size_t>(copies)), launch_(launch) {}
  Result<void> go(int times) {
    for (int i = 0; i < times; ++i) RIDGE_TRY(launch_(next_++ % copies_));
    return {};
  }

 private:
  std::size_t copies_, next_ = 0;
  const std::function<Result<void>(std::size_t)>& launch_;
};

Result<Seconds> timed(EventPair& events, Turns& turns, int launches) {
  RIDGE_TRY(events.begin());
  RIDGE_TRY(turns.go(launches));
  RIDGE_TRY(events.end());
  return events.elapsed();
}

template <class T>
T middle_of(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

/// Reads clocks while the GPU works on what has been launched.
class ClockWatch {
 public:
  explicit ClockWatch(device::Telemetry* telemetry) : telemetry_(telemetry) {}
  void look() {
    if (telemetry_ == nullptr) return;
    last_ = telemetry_->read();
    if (last_.sm_clock) clocks_.push_back(*last_.sm_clock);
  }
  [[nodiscard]] device::Reading result() const {
    device::Reading reading = last_;
    if (telemetry_ == nullptr) reading.sm_clock = Value<Hertz>::missing("NVML is not there to tell the clock");
    if (!clocks_.empty()) reading.sm_clock = Value<Hertz>(middle_of(clocks_), Provenance::kSampled);
    return reading;
  }

 private:
  device::Telemetry* telemetry_;
  device::Reading last_;
  std::vector<Hertz> clocks_;
};

}  // namespace

Result<Timing> take_time(device::Device& device, device::Telemetry* telemetry, int copies, int repetitions,
                         const std::function<Result<void>(std::size_t)>& launch) {
  EventPair events(device);
  RIDGE_TRY(events.create());
  Turns turns(copies, launch);
  RIDGE_TRY(timed(events, turns, 1).map([](Seconds) {}));  // modules are loaded lazily
  const auto first = timed(events, turns, 1);
  if (!first) return fail(first.error());
  const auto warm = timed(events, turns, launches_in(kWarmUp, *first));
  if (!warm) return fail(warm.error());
  const Seconds one = *warm / launches_in(kWarmUp, *first);

  Timing timing;
  timing.copies = copies;
  timing.launches_per_sample = launches_in(kSample, one);
  const int affordable = launches_in(kLongest, one * double(timing.launches_per_sample));
  ClockWatch watch(telemetry);
  for (int i = 0; i < std::max(std::min(repetitions, affordable), std::min(repetitions, kFewestSamples)); ++i) {
    RIDGE_TRY(events.begin());
    RIDGE_TRY(turns.go(timing.launches_per_sample));
    RIDGE_TRY(events.end());
    watch.look();
    const auto sample = events.elapsed();
    if (!sample) return fail(sample.error());
    timing.samples.push_back(*sample / double(timing.launches_per_sample));
  }
  timing.median = middle_of(timing.samples);
  timing.least = *std::min_element(timing.samples.begin(), timing.samples.end());
  timing.most = *std::max_element(timing.samples.begin(), timing.samples.end());
  timing.reading = watch.result();
  return timing;
}

}  // namespace ridge::lab
