// CPU time of the program's threads, from /proc: nothing is installed in them.
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

#include "collectors/agent/outbox.h"

namespace ridge::collectors::agent {

class ThreadTimes {
 public:
  /// `own`: threads of the agent, which are not the program's.
  ThreadTimes(Outbox& outbox, std::vector<pid_t> own) : outbox_(outbox), own_(std::move(own)) {}
  /// Sends what each thread used since the last time. Not thread-safe.
  void sample();

 private:
  struct Last {
    wire::Nanoseconds at = 0, on_cpu = 0;
  };
  Outbox& outbox_;
  const std::vector<pid_t> own_;
  std::map<pid_t, Last> threads_;
};

}  // namespace ridge::collectors::agent
