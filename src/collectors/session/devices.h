// The devices that the program turned out to use: their counter plans, samplers and gauges, as far as the tier wants
// them and they can be had. What cannot is told once and left out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/session/notices.h"
#include "collectors/session/sampling.h"
#include "collectors/session/telemetry.h"

namespace ridge::collectors::session {

class Devices {
 public:
  struct Setup {
    bool counters = false, sampling = false;
    std::function<void()> wake;        ///< the session's loop, from another thread
    std::function<Nanoseconds()> now;  ///< likewise
  };
  Devices(Backend& backend, const Options& options, Assembler& assembler, Notices& notices, Observer& observer,
          Setup setup);

  /// A process found the device (index in the profile). The counter setups that its agent is to get.
  [[nodiscard]] std::vector<wire::CounterSetup> found(std::uint32_t device, const wire::DeviceFound& as);
  /// Some device has a plan of counters.
  [[nodiscard]] bool have_counters() const;

  void want_sampling(bool on);
  /// None runs or is being started.
  [[nodiscard]] bool samplers_are_off() const;
  /// Each is what it was asked to be, or failed.
  [[nodiscard]] bool samplers_are_settled() const;
  /// Up to when what they saw has been taken.
  [[nodiscard]] Nanoseconds sampled_until() const { return until_; }

  /// Moves what the threads have seen to the assembler.
  void advance();
  void settle(Nanoseconds until);
  /// Stops the samplers, takes what is left. Issues about the whole run go to the assembler.
  void finish(Recording& recording);

 private:
  struct Device {
    std::string name;
    bool prepared = false;
    std::vector<wire::CounterSetup> setups;
    std::unique_ptr<SamplingThread> sampling;
    std::uint64_t gaps = 0;
    Nanoseconds lost = 0, first_sample = 0;
    Seconds interval, widened_from;
    ClockWatch clock;
  };
  void prepare(std::uint32_t index, const wire::DeviceFound& as);
  void prepare_counters(Device& device, const wire::DeviceFound& as);
  void prepare_sampling(std::uint32_t index, Device& device, const wire::DeviceFound& as);
  void prepare_gauge(std::uint32_t index, const Device& device, const wire::DeviceFound& as);
  void take_samples(std::uint32_t index, Device& device);
  void take_readings();
  void conclude(const Device& device);
  void conclude_processes(std::uint32_t index);

  Backend& backend_;
  const Options& options_;
  Assembler& assembler_;
  Notices& notices_;
  Observer& observer_;
  Setup setup_;
  std::vector<Device> devices_;
  std::map<std::uint32_t, std::map<std::uint64_t, std::string>>
      strangers_;  ///< processes seen and their names, by device
  Nanoseconds until_;
  bool planned_ = false, sampling_wanted_ = false;
  std::unique_ptr<TelemetryThread> telemetry_;
};

}  // namespace ridge::collectors::session
