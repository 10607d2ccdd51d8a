// The facts of this machine: files of the system, the driver, its management library and CUPTI opened, and the counters
// of each GPU tried for a moment. Takes some tenths of a second a GPU; leaves nothing changed.
#pragma once

#include <string>

#include "collectors/doctor/host.h"
#include "model/doctor/facts.h"

namespace ridge::collectors::doctor {

struct Question {
  Environment environment;
  std::string agent;         ///< path of libridge_agent.so
  std::string cupti;         ///< chosen by the user; empty: found
  bool try_counters = true;  ///< false: leave the GPUs' counters alone
};

[[nodiscard]] ridge::doctor::Facts gather(const Question& question);

}  // namespace ridge::collectors::doctor
