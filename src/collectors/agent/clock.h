// The two clocks of the agent: the one of the wire and of CUPTI's times, and one that nobody sets back.
#pragma once

#include <time.h>

#include <cstdint>

namespace ridge::collectors::agent {

inline std::uint64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}
/// Since the Unix epoch.
inline std::uint64_t real_now() {
  return read_clock(CLOCK_REALTIME);
}
inline std::uint64_t steady_now() {
  return read_clock(CLOCK_MONOTONIC);
}

}  // namespace ridge::collectors::agent
