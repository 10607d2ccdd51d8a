// The run that this process takes part in: the script, the directory with what processes share, and the clock.
//
// The directory is RIDGE_FAKE_GPU; it holds `script`, `work` (worklog.h), a lock for each device's counters, and
// a file for each process that has a context. Without
// it there is no GPU. A faulty script is told once on standard error, as there is no caller that could be told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/fake/script.h"

namespace ridge::collectors::fake {

struct World {
  Script script;
  std::string directory;
};

/// nullptr: there is no fake GPU here. Lives for ever, as other threads may use it while the process ends.
[[nodiscard]] const World* world();

/// Nanoseconds since the Unix epoch.
[[nodiscard]] std::uint64_t now();
void sleep_until(std::uint64_t moment);

/// This process has a context on the device, which NVML tells in every process.
void announce_context(const World& world, std::size_t device);
/// Those that have announced one and still run.
[[nodiscard]] std::vector<std::uint32_t> processes_on(const World& world, std::size_t device);

/// Holds the counters of one device, alone among all processes of the run. The sampler and the replay each take one.
class CounterLock {
 public:
  CounterLock() = default;
  ~CounterLock() { release(); }
  CounterLock(const CounterLock&) = delete;
  CounterLock& operator=(const CounterLock&) = delete;
  /// False: another holds them. True at once if this object does.
  [[nodiscard]] bool take(const World& world, std::size_t device);
  void release();
  [[nodiscard]] bool held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

}  // namespace ridge::collectors::fake
