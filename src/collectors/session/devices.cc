#include "collectors/session/devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "collectors/process_name.h"

namespace ridge::collectors::session {
namespace {

constexpr Nanoseconds kForever = std::numeric_limits<Nanoseconds>::max();
constexpr Seconds kPass{0.013};      // of replaying a short launch, seen on an H200
constexpr Seconds kLeastBudget{10};  // of counters, where none is given
constexpr double kClockChange = 0.03;
constexpr Seconds kLate{0.05};
constexpr auto kStopTime = std::chrono::seconds(2);

/// "python (812), 4711, 3 more": one whose name is not shown to us by its number alone.
std::string listed(const std::map<std::uint64_t, std::string>& processes) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> names;
  for (const auto& [id, name] : processes) {
    if (names.size() == kMost) {
      names.push_back(fmt::format("{} more", processes.size() - kMost));
      break;
    }
    names.push_back(name.empty() ? std::to_string(id) : fmt::format("{} ({})", name, id));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string joined(const std::set<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
  return result;
}

}  // namespace

Devices::Devices(Backend& backend, const Options& options, Assembler& assembler, Notices& notices, Observer& observer,
                 Setup setup)
    : backend_(backend),
      options_(options),
      assembler_(assembler),
      notices_(notices),
      observer_(observer),
      setup_(std::move(setup)),
      until_(kForever) {
  assembler_.on_launch_times([this](std::uint32_t device, Nanoseconds start, Nanoseconds end) {
    if (device < devices_.size()) devices_[device].clock.add_kernel(start, end);
  });
}

std::vector<wire::CounterSetup> Devices::found(std::uint32_t device, const wire::DeviceFound& as) {
  if (devices_.size() <= device) devices_.resize(device + 1);
  if (!devices_[device].prepared) prepare(device, as);
  std::vector<wire::CounterSetup> setups = devices_[device].setups;
  for (wire::CounterSetup& setup : setups) setup.device = as.device;
  return setups;
}

bool Devices::have_counters() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const Device& device) { return !device.setups.empty(); });
}

void Devices::prepare(std::uint32_t index, const wire::DeviceFound& as) {
  Device& device = devices_[index];
  device.prepared = true;
  device.name = as.name;
  for (std::uint32_t other = 0; other < index; ++other) {
    if (devices_[other].name == as.name) device.name = as.name + " #" + std::to_string(index);
  }
  if (setup_.counters) prepare_counters(device, as);
  if (setup_.sampling) prepare_sampling(index, device, as);
  prepare_gauge(index, device, as);
}

void Devices::prepare_counters(Device& device, const wire::DeviceFound& as) {
  Result<CounterPlan> plan = backend_.plan(as, options_);
  if (!plan) {
    notices_.tell(not_to_be_had(plan.error().what, device.name, "counters-unavailable"));
    return;
  }
  device.setups = std::move(plan->setups);
  const auto left_out = [&](Severity severity, const char* id, const std::vector<std::string>& quantities) {
    if (quantities.empty()) return;
    notices_.tell(
        make_issue(severity, id,
                   {count("count", static_cast<double>(quantities.size())),
                    text("quantities", fmt::format("{}", fmt::join(quantities, ", "))), text("device", device.name)}));
  };
  left_out(Severity::kInfo, "counters-no-pass", plan->no_pass);
  left_out(Severity::kNotice, "counters-not-on-chip", plan->not_on_chip);
  if (!plan->wrong_names.empty()) {
    notices_.tell(make_issue(
        Severity::kError, "metrics-unknown",
        {count("count", static_cast<double>(plan->wrong_names.size())),
         text("reason", fmt::format("{}", fmt::join(plan->wrong_names, "; "))), text("device", device.name)}));
  }
  if (planned_ || device.setups.empty()) return;
  planned_ = true;
  const std::size_t passes = device.setups.front().passes;
  observer_.plan(passes, kPass * static_cast<double>(passes), options_.budget.value_or(kLeastBudget));
}

void Devices::prepare_sampling(std::uint32_t index, Device& device, const wire::DeviceFound& as) {
  Result<std::unique_ptr<Sampler>> sampler = backend_.sampler(as, options_);
  if (!sampler) {
    notices_.tell(not_to_be_had(sampler.error().what, device.name, "sampling-unavailable"));
    return;
  }
  device.sampling = std::make_unique<SamplingThread>(*std::move(sampler), options_.sampling_interval, setup_.wake);
  device.sampling->want(sampling_wanted_);
  if (sampling_wanted_) assembler_.expect_samples(index);
}

void Devices::prepare_gauge(std::uint32_t index, const Device& device, const wire::DeviceFound& as) {
  Result<std::unique_ptr<Gauge>> gauge = backend_.gauge(as);
  if (!gauge) {
    notices_.tell(make_issue(Severity::kInfo, "telemetry-missing",
                             {text("device", device.name), text("reason", gauge.error().what)}));
    return;
  }
  if ((*gauge)->is_divided()) notices_.tell(make_issue(Severity::kNotice, "mig", {text("device", device.name)}));
  if (telemetry_ == nullptr) telemetry_ = std::make_unique<TelemetryThread>(setup_.now);
  if (!telemetry_->problem().empty()) {
    notices_.tell(make_issue(Severity::kInfo, "telemetry-missing",
                             {text("device", device.name), text("reason", telemetry_->problem())}));
    return;
  }
  telemetry_->add(index, *std::move(gauge));
}

void Devices::want_sampling(bool on) {
  if (sampling_wanted_ == on) return;
  sampling_wanted_ = on;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].sampling == nullptr) continue;
    if (on) assembler_.expect_samples(static_cast<std::uint32_t>(i));
    devices_[i].sampling->want(on);
  }
}

bool Devices::samplers_are_off() const {
  return std::all_of(devices_.begin(), devices_.end(), [](const Device& device) {
    if (device.sampling == nullptr) return true;
    const SamplingThread::State state = device.sampling->state();
    return state == SamplingThread::State::kOff || state == SamplingThread::State::kFailed;
  });
}

bool Devices::samplers_are_settled() const {
  return std::all_of(devices_.begin(), devices_.end(), [](const Device& device) {
    return device.sampling == nullptr || device.sampling->state() != SamplingThread::State::kChanging;
  });
}

void Devices::advance() {
  until_ = kForever;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].sampling != nullptr) take_samples(static_cast<std::uint32_t>(i), devices_[i]);
  }
  take_readings();
}

void Devices::take_samples(std::uint32_t index, Device& device) {
  const SamplingThread::News news = device.sampling->take();
  if (!news.samples.empty()) {
    if (device.first_sample == 0) device.first_sample = news.samples.front().start;
    assembler_.add_samples(index, news.samples);
  }
  device.gaps += news.gaps;
  device.lost += news.lost;
  device.interval = news.interval;
  if (news.widened_from.count() > 0 && device.widened_from.count() == 0) {
    device.widened_from = news.widened_from;
    notices_.tell(make_issue(Severity::kNotice, "sampling-widened",
                             {text("device", device.name), number("from", news.widened_from.count(), Unit::kSeconds),
                              number("to", news.interval.count(), Unit::kSeconds)}));
  }
  if (news.error) notices_.tell(not_to_be_had(news.error->what, device.name, "sampling-unavailable"));
  until_ = std::min(until_, news.until);
}

void Devices::take_readings() {
  if (telemetry_ == nullptr) return;
  for (const TelemetryThread::Item& item : telemetry_->take()) {
    Reading reading;
    reading.sm_clock = item.reading.sm_clock;
    reading.memory_clock = item.reading.memory_clock;
    reading.watts = item.reading.watts;
    reading.celsius = item.reading.celsius;
    reading.throttle_reasons = item.reading.throttle_reasons;
    assembler_.add_reading(item.device, item.time, reading);
    devices_[item.device].clock.add_reading(item.time, item.reading.sm_clock, item.slowing);
    for (const std::uint64_t process : item.processes) {
      // Asked for now, as it may be gone at the end.
      const auto [known, is_new] = strangers_[item.device].try_emplace(process);
      if (is_new) known->second = process_name(process);
    }
  }
}

void Devices::settle(Nanoseconds until) {
  for (Device& device : devices_) device.clock.settle(until);
}

void Devices::finish(Recording& recording) {
  want_sampling(false);
  const auto deadline = std::chrono::steady_clock::now() + kStopTime;
  while (!samplers_are_off() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  advance();
  settle(kForever);
  telemetry_.reset();
  recording.sampling_interval_s = Value<double>::missing("the device was not sampled");
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    Device& device = devices_[i];
    device.sampling.reset();
    if (device.first_sample != 0) {
      const double widest = std::max(device.interval.count(), recording.sampling_interval_s.value_or(0));
      recording.sampling_interval_s = Value<double>(widest, Provenance::kReported);
    }
    conclude_processes(static_cast<std::uint32_t>(i));
    conclude(device);
  }
}

void Devices::conclude_processes(std::uint32_t index) {
  std::map<std::uint64_t, std::string> others = strangers_[index];
  bool sees_ours = false;
  for (const std::uint64_t own : assembler_.processes()) sees_ours |= others.erase(own) > 0;
  // In a container the library may tell ids of the host: then nothing says which of them are ours.
  if (!sees_ours || others.empty()) return;
  notices_.tell(make_issue(Severity::kNotice, "other-processes",
                           {text("device", devices_[index].name),
                            count("processes", static_cast<double>(others.size())), text("names", listed(others))}));
}

void Devices::conclude(const Device& device) {
  const auto seconds = [](Nanoseconds ns) { return static_cast<double>(ns) * 1e-9; };
  if (device.gaps > 0) {
    notices_.tell(make_issue(Severity::kDataLoss, "sampling-gap",
                             {text("device", device.name), count("gaps", static_cast<double>(device.gaps)),
                              number("seconds", seconds(device.lost), Unit::kSeconds)}));
  }
  const Nanoseconds first = assembler_.first_launch();
  const bool was_first = setup_.sampling && !have_counters();
  if (was_first && first != 0 && device.first_sample > first + static_cast<Nanoseconds>(kLate.count() * 1e9)) {
    notices_.tell(make_issue(Severity::kNotice, "sampler-late",
                             {number("seconds", seconds(device.first_sample - first), Unit::kSeconds)}));
  }
  const ClockWatch::Summary& clock = device.clock.summary();
  if (clock.low.count() > 0 && clock.high.count() > clock.low.count() * (1 + kClockChange)) {
    notices_.tell(make_issue(Severity::kNotice, "clock-changed",
                             {text("device", device.name), number("low", clock.low.count(), Unit::kHertz),
                              number("high", clock.high.count(), Unit::kHertz)}));
  }
  if (clock.slowed > 0) {
    const double share = static_cast<double>(clock.slowed) / static_cast<double>(clock.readings);
    notices_.tell(make_issue(
        Severity::kNotice, "throttled",
        {text("device", device.name), text("reasons", joined(clock.reasons)), number("share", share, Unit::kRatio)}));
  }
}

}  // namespace ridge::collectors::session
