#include "collectors/agent/range_counters.h"

#include <gtest/gtest.h>

namespace ridge::collectors::agent {
namespace {

// CUPTI, as far as a range needs it: notes each call, and fails the one that the test names.
struct Library {
  std::vector<std::string> calls;
  std::string fails;
  bool one_pass = true;
  abi::RangeSetConfigParams config{};
};
Library* library = nullptr;
int profiler = 0;

abi::Result note(const char* call) {
  library->calls.emplace_back(call);
  return library->fails == call ? abi::kErrorUnknown : abi::kSuccess;
}
abi::Result enable(abi::RangeEnableParams* params) {
  params->pRangeProfilerObject = static_cast<abi::RangeProfilerObject*>(static_cast<void*>(&profiler));
  return note("enable");
}
abi::Result disable(abi::RangeDisableParams*) {
  return note("disable");
}
abi::Result size(abi::RangeGetCounterDataSizeParams* params) {
  params->counterDataSize = 3;
  return note("size");
}
abi::Result initialise(abi::RangeCounterDataImageInitializeParams* params) {
  for (std::size_t i = 0; i < params->counterDataSize; ++i) params->pCounterData[i] = 'x';
  return note("initialise");
}
abi::Result set_config(abi::RangeSetConfigParams* params) {
  library->config = *params;
  return note("config");
}
abi::Result start(abi::RangeStartParams*) {
  return note("start");
}
abi::Result push(abi::RangePushParams*) {
  return note("push");
}
abi::Result pop(abi::RangePopParams*) {
  return note("pop");
}
abi::Result stop(abi::RangeStopParams* params) {
  params->isAllPassSubmitted = library->one_pass ? 1 : 0;
  return note("stop");
}
abi::Result decode(abi::RangeDecodeDataParams*) {
  library->config.pCounterDataImage[0] = 'y';
  return note("decode");
}

using Calls = std::vector<std::string>;

class AgentRangeCounters : public ::testing::Test {
 protected:
  AgentRangeCounters() {
    library = &library_;
    cupti_.range_enable = &enable;
    cupti_.range_disable = &disable;
    cupti_.range_get_counter_data_size = &size;
    cupti_.range_counter_data_image_initialize = &initialise;
    cupti_.range_set_config = &set_config;
    cupti_.range_start = &start;
    cupti_.range_push = &push;
    cupti_.range_pop = &pop;
    cupti_.range_stop = &stop;
    cupti_.range_decode_data = &decode;
    wire::CounterSetup setup;
    setup.recipe = wire::kRangeRecipe;
    setup.device = 1;
    setup.metrics = {"dram__bytes_read.sum"};
    setup.config_image = "plan";
    counters_.add_recipe(setup);
  }
  static abi::Context context(int& place) { return static_cast<abi::Context>(static_cast<void*>(&place)); }
  /// Those since the last time.
  Calls calls() { return std::exchange(library_.calls, {}); }

  Library library_;
  Cupti cupti_;
  Driver driver_;
  RangeCounters counters_{cupti_, driver_};
  int first_ = 0, second_ = 0;
  std::string image_;
};

TEST_F(AgentRangeCounters, ARangeIsOneSessionOfItsOwnKind) {
  EXPECT_FALSE(counters_.begin(context(first_), 1));
  EXPECT_EQ(calls(), (Calls{"enable", "size", "initialise", "config", "start", "push"}));
  EXPECT_EQ(library_.config.range, abi::kUserRange);
  EXPECT_EQ(library_.config.replayMode, abi::kUserReplay);
  EXPECT_FALSE(counters_.end(image_));
  EXPECT_EQ(calls(), (Calls{"pop", "stop", "decode"}));
  EXPECT_EQ(image_, "yxx");
}

TEST_F(AgentRangeCounters, TheNextRangeKeepsTheSessionAndBeginsWithAnEmptyImage) {
  (void)counters_.begin(context(first_), 1);
  (void)counters_.end(image_);
  (void)calls();
  EXPECT_FALSE(counters_.begin(context(first_), 1));
  EXPECT_EQ(calls(), (Calls{"config", "start", "push"}));
  EXPECT_EQ(library_.config.pCounterDataImage[0], 'x');
  EXPECT_FALSE(counters_.end(image_));
}

TEST_F(AgentRangeCounters, AnotherContextGetsItsSession) {
  (void)counters_.begin(context(first_), 1);
  (void)counters_.end(image_);
  (void)calls();
  EXPECT_FALSE(counters_.begin(context(second_), 1));
  EXPECT_EQ(calls(), (Calls{"disable", "enable", "config", "start", "push"}));
  counters_.forget(context(first_));
  EXPECT_TRUE(calls().empty());
  counters_.forget(context(second_));
  EXPECT_EQ(calls(), (Calls{"disable"}));
  EXPECT_TRUE(counters_.end(image_)) << "it ended with its context";
}

TEST_F(AgentRangeCounters, WhatFailsIsToldAndTheSessionGivenUp) {
  for (const char* call : {"enable", "size", "initialise", "config", "start", "push"}) {
    RangeCounters counters(cupti_, driver_);
    wire::CounterSetup setup;
    setup.metrics = {"dram__bytes_read.sum"};
    counters.add_recipe(setup);
    library_.fails = call;
    EXPECT_TRUE(counters.begin(context(first_), 0)) << call;
    const bool enabled = std::string(call) != "enable";
    EXPECT_EQ(calls().back(), enabled ? "disable" : "enable") << call;
    library_.fails.clear();
    EXPECT_FALSE(counters.begin(context(first_), 0)) << call;
    EXPECT_FALSE(counters.end(image_)) << call;
    (void)calls();
  }
}

TEST_F(AgentRangeCounters, ARangeThatCannotBeReadHasNoImage) {
  for (const char* call : {"pop", "stop", "decode"}) {
    (void)counters_.begin(context(first_), 1);
    library_.fails = call;
    image_.clear();
    EXPECT_TRUE(counters_.end(image_)) << call;
    EXPECT_TRUE(image_.empty()) << call;
    EXPECT_EQ(calls().back(), "disable") << call;
    library_.fails.clear();
  }
  (void)counters_.begin(context(first_), 1);
  library_.one_pass = false;
  EXPECT_TRUE(counters_.end(image_));
  EXPECT_TRUE(image_.empty());
}

TEST_F(AgentRangeCounters, ARangeThatWasNotEndedDoesNotSpoilTheNext) {
  (void)counters_.begin(context(first_), 1);
  (void)calls();
  EXPECT_FALSE(counters_.begin(context(first_), 1));
  EXPECT_EQ(calls(), (Calls{"disable", "enable", "config", "start", "push"}));
  counters_.disable();
  EXPECT_TRUE(counters_.end(image_));
}

TEST_F(AgentRangeCounters, ADeviceWithoutARecipeHasNone) {
  EXPECT_FALSE(counters_.has(0));
  EXPECT_TRUE(counters_.has(1));
  EXPECT_TRUE(counters_.begin(context(first_), 0));
  EXPECT_TRUE(calls().empty());
}

}  // namespace
}  // namespace ridge::collectors::agent
