#include "collectors/session/telemetry.h"

#include <gtest/gtest.h>

#include <pthread.h>

#include "collectors/session/devices.h"
#include "collectors/session/lease.h"
#include "collectors/session/test_backend.h"

namespace ridge::collectors::session {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

Value<Hertz> clock_of(double hertz) {
  return Value<Hertz>(Hertz(hertz), Provenance::kSampled);
}

TEST(ClockWatchTest, OnlyReadingsWhileKernelsRanCount) {
  ClockWatch watch;
  watch.add_reading(20 * kMs, clock_of(1.9e9), {});
  watch.add_reading(120 * kMs, clock_of(1.7e9), {"power-cap"});
  watch.add_reading(220 * kMs, clock_of(0.3e9), {});  // idle
  watch.add_kernel(0, 150 * kMs);
  watch.settle(1000 * kMs);
  const ClockWatch::Summary& summary = watch.summary();
  EXPECT_EQ(summary.readings, 2U);
  EXPECT_EQ(summary.low.count(), 1.7e9);
  EXPECT_EQ(summary.high.count(), 1.9e9);
  EXPECT_EQ(summary.slowed, 1U);
  EXPECT_EQ(summary.reasons, (std::set<std::string>{"power-cap"}));
}

TEST(ClockWatchTest, AReadingWaitsForTheKernelsOfItsTime) {
  ClockWatch watch;
  watch.add_reading(20 * kMs, clock_of(1.9e9), {});
  watch.settle(10 * kMs);
  watch.add_kernel(0, 50 * kMs);
  watch.settle(100 * kMs);
  EXPECT_EQ(watch.summary().readings, 1U);
}

/// While it lives no thread can be started: their stacks would be larger than the address space.
class NoThreads {
 public:
  NoThreads() {
    EXPECT_EQ(pthread_getattr_default_np(&before_), 0);
    pthread_attr_t huge;
    EXPECT_EQ(pthread_attr_init(&huge), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 56), 0);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
    EXPECT_EQ(pthread_attr_destroy(&huge), 0);
  }
  ~NoThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    EXPECT_EQ(pthread_attr_destroy(&before_), 0);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

class Silent : public Observer {
 public:
  void plan(std::size_t, Seconds, Seconds) override {}
  void notice(const Issue& issue) override { issues.push_back(issue); }
  std::vector<Issue> issues;
};

TEST(DevicesTest, AThreadOfReadingsThatCannotBeStartedIsTold) {
  TestBackend backend;
  const Options options;
  Assembler assembler(backend, {1'000'000'000, true});
  Silent observer;
  Notices notices(observer, assembler);
  Devices devices(backend, options, assembler, notices, observer, {false, false, [] {}, test_now});
  assembler.on_message(1, wire::Hello{}, 0);
  assembler.on_message(1, test_device(), 0);
  {
    const NoThreads none;
    (void)devices.found(0, test_device());
  }
  const Issue* issue = find_issue(observer.issues, "profile-telemetry-missing");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(text_of(*issue, "device"), "NVIDIA Test");
  EXPECT_TRUE(text_of(*issue, "reason").starts_with("no thread can be started")) << text_of(*issue, "reason");
}

TEST(LeaseDeskTest, ProgramsComeFirstAndInOrder) {
  LeaseDesk desk;
  EXPECT_TRUE(desk.sampler_may_run());
  desk.ask(1);
  desk.ask(2);
  EXPECT_FALSE(desk.sampler_may_run());
  EXPECT_FALSE(desk.grant(false)) << "the sampler still has them";
  EXPECT_EQ(desk.grant(true), 1U);
  EXPECT_FALSE(desk.grant(true));
  desk.give_back(1);
  EXPECT_FALSE(desk.sampler_may_run());
  EXPECT_EQ(desk.grant(true), 2U);
  desk.give_back(2);
  EXPECT_TRUE(desk.sampler_may_run());
}

TEST(LeaseDeskTest, OneThatGoesWhileItWaitsIsForgotten) {
  LeaseDesk desk;
  desk.ask(1);
  desk.give_back(1);
  EXPECT_TRUE(desk.sampler_may_run());
  EXPECT_FALSE(desk.grant(true));
}

TEST(LeaseDeskTest, TheHolderThatAsksAgainIsAnsweredAgain) {
  LeaseDesk desk;
  desk.ask(1);
  EXPECT_EQ(desk.grant(true), 1U);
  desk.ask(1);
  EXPECT_EQ(desk.grant(true), 1U);
  EXPECT_FALSE(desk.grant(true));
}

}  // namespace
}  // namespace ridge::collectors::session
