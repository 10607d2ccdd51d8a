// For tests of the session: vendor's libraries that do what the test says. Counters in images are text,
// "name=value;...".
#pragma once

#include <atomic>
#include <charconv>
#include <condition_variable>
#include <ctime>
#include <mutex>

#include "collectors/session/backend.h"

namespace ridge::collectors::session {

inline Nanoseconds test_now() {
  timespec now = {};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<Nanoseconds>(now.tv_sec) * 1'000'000'000 + static_cast<Nanoseconds>(now.tv_nsec);
}

/// Whether the sampler runs, for a thread that wants to wait for it.
class Switch {
 public:
  void set(bool on) {
    {
      const std::lock_guard lock(mutex_);
      on_ = on;
    }
    changed_.notify_all();
  }
  void wait_for(bool on) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return on_ == on; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool on_ = false;
};

/// 1000 bytes read in each sample, from the moment it was started.
class TestSampler : public Sampler {
 public:
  explicit TestSampler(Switch& running, std::optional<Error> error) : running_(running), error_(std::move(error)) {}
  [[nodiscard]] Result<void> start(Seconds interval) override {
    if (error_) return fail(*error_);
    interval_ = static_cast<Nanoseconds>(interval.count() * 1e9);
    next_ = test_now();
    running_.set(true);
    return {};
  }
  [[nodiscard]] bool busy() const override { return false; }
  [[nodiscard]] Result<Batch> collect() override {
    Batch batch;
    for (const Nanoseconds now = test_now(); next_ + interval_ <= now; next_ += interval_) {
      DeviceSample sample;
      sample.start = next_;
      sample.end = next_ + interval_;
      sample.dram_read = 1000;
      sample.dram_write = 0;
      sample.sm_active = 1;
      batch.samples.push_back(sample);
    }
    return batch;
  }
  void stop() override { running_.set(false); }
  [[nodiscard]] Seconds shortest_interval() const override { return Seconds(1e-3); }
  [[nodiscard]] Seconds needed_interval() const override { return Seconds(0); }

 private:
  Switch& running_;
  std::optional<Error> error_;
  Nanoseconds interval_ = 0, next_ = 0;
};

class TestGauge : public Gauge {
 public:
  explicit TestGauge(bool divided) : divided_(divided) {}
  [[nodiscard]] bool is_divided() override { return divided_; }
  [[nodiscard]] device::Reading read() override {
    device::Reading reading;
    reading.sm_clock = Value<Hertz>(Hertz(1.5e9), Provenance::kSampled);
    reading.throttle_reasons = Value<double>(4, Provenance::kReported);
    return reading;
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> processes() override {
    return std::vector<std::uint64_t>{4242, 77777777};
  }
  [[nodiscard]] std::vector<std::string> slowing(std::uint64_t reasons) const override {
    return reasons == 4 ? std::vector<std::string>{"power-cap"} : std::vector<std::string>{};
  }

 private:
  bool divided_;
};

class TestBackend : public Backend {
 public:
  std::optional<Error> no_cupti, no_plan, no_sampling;
  std::vector<std::string> no_pass, not_on_chip, wrong_names;
  Switch sampling;
  bool divided = false;
  int evaluated = 0;

  [[nodiscard]] Result<std::string> find_cupti(const std::string&) override {
    if (no_cupti) return fail(*no_cupti);
    return std::string("/test/libcupti.so");
  }
  [[nodiscard]] Result<CounterPlan> plan(const wire::DeviceFound&, const Options&) override {
    if (no_plan) return fail(*no_plan);
    wire::CounterSetup base;
    base.passes = 2;
    base.config_image = "plan";
    wire::CounterSetup tensor = base;
    tensor.recipe = 1;
    tensor.name_hint = "gemm";
    return CounterPlan{{base, tensor}, no_pass, not_on_chip, wrong_names};
  }
  [[nodiscard]] Result<std::vector<Counter>> evaluate(const wire::DeviceFound&,
                                                      const wire::CounterImage& image) override {
    ++evaluated;
    std::vector<Counter> counters;
    std::string_view rest = image.image;
    while (!rest.empty()) {
      const std::size_t sign = rest.find('=');
      const std::size_t end = rest.find(';');
      if (sign == std::string_view::npos || end == std::string_view::npos) {
        return fail(bad_input("this is no image", "", "make another"));
      }
      Counter counter{std::string(rest.substr(0, sign)), 0};
      (void)std::from_chars(rest.data() + sign + 1, rest.data() + end, counter.value);
      counters.push_back(std::move(counter));
      rest.remove_prefix(end + 1);
    }
    return counters;
  }
  [[nodiscard]] Result<std::unique_ptr<Sampler>> sampler(const wire::DeviceFound&, const Options&) override {
    return std::make_unique<TestSampler>(sampling, no_sampling);
  }
  [[nodiscard]] Result<std::unique_ptr<Gauge>> gauge(const wire::DeviceFound&) override {
    return std::make_unique<TestGauge>(divided);
  }
};

inline wire::DeviceFound test_device(std::uint32_t number = 0, std::uint8_t uuid = 1) {
  wire::DeviceFound device;
  device.device = number;
  device.name = "NVIDIA Test";
  device.chip = "GH100";
  device.uuid[0] = uuid;
  device.capability = 90;
  device.attributes = {{16, 132}, {13, 1'980'000}, {39, 2048}, {111, 1024}};
  device.memory = 1'000'000'000;
  return device;
}

inline const Issue* find_issue(const std::vector<Issue>& issues, std::string_view id) {
  for (const Issue& issue : issues) {
    if (issue.message.id == id) return &issue;
  }
  return nullptr;
}

inline std::string text_of(const Issue& issue, std::string_view argument) {
  for (const Argument& each : issue.message.arguments) {
    if (each.name == argument) return std::get<std::string>(each.value);
  }
  return "none";
}

inline double number_of(const Issue& issue, std::string_view argument) {
  for (const Argument& each : issue.message.arguments) {
    if (each.name == argument) return std::get<double>(each.value);
  }
  return -1;
}

}  // namespace ridge::collectors::session
