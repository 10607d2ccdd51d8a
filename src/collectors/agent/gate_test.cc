#include "collectors/agent/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ridge::collectors::agent {
namespace {

using Wait = LaunchGate::Wait;
constexpr Wait kLong{20000};

TEST(AgentGate, NothingRunsBesideAMeasuredLaunch) {
  LaunchGate gate;
  std::atomic<int> ordinary = 0, wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 500; ++n) {
        const auto ticket = gate.pass(kLong);
        ++ordinary;
        --ordinary;
        gate.passed(ticket);
      }
    });
  }
  for (int n = 0; n < 100; ++n) {
    if (!gate.close(kLong)) continue;
    if (ordinary != 0) ++wrong;
    gate.open();
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(AgentGate, AMeasurementGivesUpOnALaunchThatDoesNotEnd) {
  LaunchGate gate;
  const auto ticket = gate.pass(kLong);
  EXPECT_FALSE(gate.close(Wait(1)));
  gate.passed(ticket);
  EXPECT_TRUE(gate.close(Wait(1)));
}

TEST(AgentGate, ALaunchGoesOnWhenTheMeasurementDoesNotEnd) {
  LaunchGate gate;
  ASSERT_TRUE(gate.close(Wait(1)));
  gate.pass(Wait(1));
  EXPECT_FALSE(gate.close(Wait(1))) << "one measurement at a time";
}

TEST(AgentGate, LaunchesWhoseEndWasNotSeenAreForgottenAtARestart) {
  LaunchGate gate;
  const auto lost = gate.pass(kLong);
  gate.restart();
  EXPECT_TRUE(gate.close(Wait(1)));
  gate.open();
  const auto fresh = gate.pass(kLong);
  gate.passed(lost);
  EXPECT_FALSE(gate.close(Wait(1))) << "the old ticket does not count for the new launch";
  gate.passed(fresh);
  EXPECT_TRUE(gate.close(Wait(1)));
}

}  // namespace
}  // namespace ridge::collectors::agent
