#include "collectors/session/sampling.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ridge::collectors::session
