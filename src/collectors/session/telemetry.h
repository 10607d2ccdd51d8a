// Clocks, power and temperature of the devices while the program runs, read on a thread of its own every 100 ms; once a
// second also who else computes there.
//
// ClockWatch says what the readings mean: only those count that were taken while kernels ran, since an idle GPU lowers
// its clocks. Pure.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "collectors/session/backend.h"

namespace ridge::collectors::session {

class TelemetryThread {
 public:
  struct Item {
    std::uint32_t device = 0;
    Nanoseconds time = 0;
    device::Reading reading;
    std::vector<std::uint64_t> processes;  ///< empty: not asked this time, or not told
    std::vector<std::string> slowing;      ///< names of the reasons
  };
  explicit TelemetryThread(std::function<Nanoseconds()> now);
  ~TelemetryThread();
  TelemetryThread(const TelemetryThread&) = delete;
  TelemetryThread& operator=(const TelemetryThread&) = delete;

  /// Why there is no thread, and so no readings; empty: there is one.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  void add(std::uint32_t device, std::unique_ptr<Gauge> gauge);
  [[nodiscard]] std::vector<Item> take();

 private:
  void work();

  std::function<Nanoseconds()> now_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::uint32_t, std::shared_ptr<Gauge>>> gauges_;  // under mutex_, as are the next two
  std::vector<Item> items_;
  bool ending_ = false;
  std::string problem_;  // not changed once it is made
  std::thread thread_;
};

/// Of one device.
class ClockWatch {
 public:
  void add_kernel(Nanoseconds start, Nanoseconds end);
  void add_reading(Nanoseconds time, const Value<Hertz>& sm_clock, const std::vector<std::string>& slowing);
  /// Records of kernels up to that time are thought complete.
  void settle(Nanoseconds until);

  struct Summary {
    std::uint64_t readings = 0;  ///< while kernels ran
    Hertz low, high;
    std::uint64_t slowed = 0;
    std::set<std::string> reasons;
  };
  /// Of what is settled.
  [[nodiscard]] const Summary& summary() const { return summary_; }

 private:
  struct Pending {
    Nanoseconds time = 0;
    Value<Hertz> clock;
    std::vector<std::string> slowing;
  };
  std::map<std::uint64_t, Nanoseconds> busy_;  ///< time that kernels ran, by slice of 50 ms
  std::deque<Pending> pending_;
  Summary summary_;
};

}  // namespace ridge::collectors::session
