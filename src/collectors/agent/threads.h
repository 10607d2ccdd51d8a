// CPU time of the program's threads, from /proc: nothing is installed in them.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <vector>

#include "collectors/agent/outbox.h"

namespace ridge::collectors::agent {

class ThreadTimes {
 public:
  /// `own`: threads of the agent, which are not the program's.
  ThreadTimes(Outbox& outbox, std::vector<pid_t> own) : outbox_(outbox), own_(std::move(own)) {}
  /// Sends what each thread used since the last time; the first call only looks. Any thread.
  void sample();

 private:
  Outbox& outbox_;
  const std::vector<pid_t> own_;
  std::mutex mutex_;
  wire::Nanoseconds last_ = 0;                  // of sample(); under mutex_, as is the next
  std::map<pid_t, wire::Nanoseconds> threads_;  // time on a CPU until then
};

}  // namespace ridge::collectors::agent
