#include "collectors/agent/threads.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collectors/agent/clock.h"
#include "collectors/agent/keeps_all.h"

namespace ridge::collectors::agent {
namespace {

void use_cpu(std::uint64_t nanoseconds) {
  const std::uint64_t until = read_clock(CLOCK_THREAD_CPUTIME_ID) + nanoseconds;
  while (read_clock(CLOCK_THREAD_CPUTIME_ID) < until) {
  }
}

TEST(AgentThreads, WhatAThreadUsedBetweenTwoSamplesIsSent) {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  KeepsAll outbox;
  ThreadTimes times(outbox, {});
  times.sample();
  EXPECT_TRUE(outbox.messages.empty());
  use_cpu(3'000'000);
  times.sample();
  std::uint64_t used = 0;
  for (const auto& time : outbox.all<wire::ThreadTime>()) {
    EXPECT_LT(time.from, time.to);
    if (time.thread == static_cast<std::uint32_t>(self)) used += time.on_cpu;
  }
  if (outbox.messages.empty()) GTEST_SKIP() << "this kernel does not account threads";
  EXPECT_GE(used, 2'000'000U);
}

TEST(AgentThreads, OwnThreadsAreLeftOut) {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  KeepsAll outbox;
  ThreadTimes times(outbox, {self});
  times.sample();
  use_cpu(1'000'000);
  times.sample();
  for (const auto& time : outbox.all<wire::ThreadTime>()) EXPECT_NE(time.thread, static_cast<std::uint32_t>(self));
}

}  // namespace
}  // namespace ridge::collectors::agent
