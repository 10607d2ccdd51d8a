#include "collectors/session/sampling.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "collectors/session/test_backend.h"

namespace ridge::collectors::session {
namespace {

/// Starting it takes until the test lets it go on.
class SlowSampler : public TestSampler {
 public:
  SlowSampler(Switch& running, Switch& starting, Switch& may_start)
      : TestSampler(running, std::nullopt), starting_(starting), may_start_(may_start) {}
  [[nodiscard]] Result<void> start(Seconds interval) override {
    starting_.set(true);
    may_start_.wait_for(true);
    return TestSampler::start(interval);
  }

 private:
  Switch& starting_;
  Switch& may_start_;
};

TEST(SamplingThreadTest, IsNotOffWhileItIsBeingStartedThoughNoLongerWanted) {
  Switch running, starting, may_start;
  SamplingThread sampling(std::make_unique<SlowSampler>(running, starting, may_start), std::nullopt, [] {});
  EXPECT_EQ(sampling.state(), SamplingThread::State::kOff);
  sampling.want(true);
  starting.wait_for(true);
  sampling.want(false);
  // It is about to have the counters: nobody else may have them yet.
  EXPECT_EQ(sampling.state(), SamplingThread::State::kChanging);
  EXPECT_NE(sampling.take().until, std::numeric_limits<Nanoseconds>::max());
  may_start.set(true);
}

/// Cannot keep up at once, and somebody has its counters when it would go on with a wider interval.
class OvertakenSampler : public TestSampler {
 public:
  OvertakenSampler(Switch& running, Switch& refused) : TestSampler(running, std::nullopt), refused_(refused) {}
  [[nodiscard]] Result<void> start(Seconds interval) override {
    if (!started_) {
      started_ = true;
      return TestSampler::start(interval);
    }
    refused_.set(true);
    return fail(bad_input("busy", "", "wait"));
  }
  [[nodiscard]] bool busy() const override { return true; }
  [[nodiscard]] Result<Batch> collect() override {
    Batch batch;
    batch.behind = true;
    return batch;
  }
  [[nodiscard]] Seconds shortest_interval() const override { return Seconds(1e-5); }

 private:
  Switch& refused_;
  bool started_ = false;
};

TEST(SamplingThreadTest, WakesTheSessionWhenItIsOffBecauseItGaveUpWidening) {
  Switch running, refused;
  std::mutex mutex;
  std::condition_variable woken;
  std::size_t wakes = 0;
  SamplingThread sampling(std::make_unique<OvertakenSampler>(running, refused), std::nullopt, [&] {
    {
      const std::lock_guard lock(mutex);
      ++wakes;
    }
    woken.notify_all();
  });
  sampling.want(true);
  refused.wait_for(true);
  sampling.want(false);
  // The first is of its start. It has no more to do afterwards, so that nothing else would wake the session.
  std::unique_lock lock(mutex);
  EXPECT_TRUE(woken.wait_for(lock, std::chrono::seconds(20), [&] { return wakes == 2; }));
  EXPECT_EQ(sampling.state(), SamplingThread::State::kOff);
}

}  // namespace
}  // namespace ridge::collectors::session
