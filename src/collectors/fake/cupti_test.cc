// Replay and sampling: the order of calls, what they exclude, and that the counters are the script's.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "collectors/fake/test_api.h"
#include "collectors/fake/test_script.h"

namespace ridge::collectors::fake {
namespace {

constexpr const char* kScript =
    "replay-cost 0us\nsampler-delay 1ms\n"
    "kernel k\n duration 50us\n count dram__bytes_read.sum 1000000\nend\n";

std::vector<std::uint8_t> config(std::vector<const char*> metrics, abi::ProfilerType type) {
  auto host = abi::params<abi::HostInitializeParams>();
  host.profilerType = type;
  host.pChipName = "GH100";
  EXPECT_EQ(cuptiProfilerHostInitialize(&host), abi::kSuccess);
  auto add = abi::params<abi::HostConfigAddMetricsParams>();
  add.pHostObject = host.pHostObject;
  add.ppMetricNames = metrics.data();
  add.numMetrics = metrics.size();
  EXPECT_EQ(cuptiProfilerHostConfigAddMetrics(&add), abi::kSuccess);
  auto size = abi::params<abi::HostGetConfigImageSizeParams>();
  size.pHostObject = host.pHostObject;
  EXPECT_EQ(cuptiProfilerHostGetConfigImageSize(&size), abi::kSuccess);
  std::vector<std::uint8_t> image(size.configImageSize);
  auto get = abi::params<abi::HostGetConfigImageParams>();
  get.pHostObject = host.pHostObject;
  get.configImageSize = image.size();
  get.pConfigImage = image.data();
  EXPECT_EQ(cuptiProfilerHostGetConfigImage(&get), abi::kSuccess);
  return image;
}

double evaluate(const std::vector<std::uint8_t>& image, const char* metric, std::size_t at = 0) {
  double value = -1;
  auto params = abi::params<abi::HostEvaluateToGpuValuesParams>();
  params.pCounterDataImage = image.data();
  params.counterDataImageSize = image.size();
  params.rangeIndex = at;
  params.ppMetricNames = &metric;
  params.numMetrics = 1;
  params.pMetricValues = &value;
  EXPECT_EQ(cuptiProfilerHostEvaluateToGpuValues(&params), abi::kSuccess);
  return value;
}

void initialise() {
  auto params = abi::params<abi::ProfilerInitializeParams>();
  EXPECT_EQ(cuptiProfilerInitialize(&params), abi::kSuccess);
}

/// A range profiler on the context, with an image for the metrics.
class Replay {
 public:
  Replay(abi::Context context, std::vector<const char*> metrics)
      : metrics_(std::move(metrics)), config_(config(metrics_, abi::kTypeRangeProfiler)) {
    auto enable = abi::params<abi::RangeEnableParams>();
    enable.ctx = context;
    EXPECT_EQ(cuptiRangeProfilerEnable(&enable), abi::kSuccess);
    object_ = enable.pRangeProfilerObject;
    auto size = abi::params<abi::RangeGetCounterDataSizeParams>();
    size.pRangeProfilerObject = object_;
    size.pMetricNames = metrics_.data();
    size.numMetrics = metrics_.size();
    size.maxNumOfRanges = size.maxNumRangeTreeNodes = 1;
    EXPECT_EQ(cuptiRangeProfilerGetCounterDataSize(&size), abi::kSuccess);
    image.resize(size.counterDataSize);
    clear();
  }
  void clear() {
    auto params = abi::params<abi::RangeCounterDataImageInitializeParams>();
    params.pRangeProfilerObject = object_;
    params.counterDataSize = image.size();
    params.pCounterData = image.data();
    EXPECT_EQ(cuptiRangeProfilerCounterDataImageInitialize(&params), abi::kSuccess);
  }
  abi::Result set_config(bool user = false) {
    auto params = abi::params<abi::RangeSetConfigParams>();
    params.pRangeProfilerObject = object_;
    params.configSize = config_.size();
    params.pConfig = config_.data();
    params.counterDataImageSize = image.size();
    params.pCounterDataImage = image.data();
    params.range = user ? abi::kUserRange : abi::kAutoRange;
    params.replayMode = user ? abi::kUserReplay : abi::kKernelReplay;
    params.maxRangesPerPass = params.numNestingLevels = params.minNestingLevel = 1;
    return cuptiRangeProfilerSetConfig(&params);
  }
  abi::Result start() { return with<abi::RangeStartParams>(cuptiRangeProfilerStart); }
  abi::Result disable() { return with<abi::RangeDisableParams>(cuptiRangeProfilerDisable); }
  abi::Result push() {
    auto params = abi::params<abi::RangePushParams>();
    params.pRangeProfilerObject = object_;
    params.pRangeName = "range";
    return cuptiRangeProfilerPushRange(&params);
  }
  abi::Result pop() { return with<abi::RangePopParams>(cuptiRangeProfilerPopRange); }
  abi::Result stop() {
    auto params = abi::params<abi::RangeStopParams>();
    params.pRangeProfilerObject = object_;
    const abi::Result result = cuptiRangeProfilerStop(&params);
    complete = params.isAllPassSubmitted == 1;
    return result;
  }
  abi::Result decode() {
    auto params = abi::params<abi::RangeDecodeDataParams>();
    params.pRangeProfilerObject = object_;
    const abi::Result result = cuptiRangeProfilerDecodeData(&params);
    dropped = params.numOfRangeDropped;
    return result;
  }
  std::vector<std::uint8_t> image;
  bool complete = false;
  std::size_t dropped = 0;

 private:
  template <class P>
  abi::Result with(abi::Result (&call)(P*)) {
    auto params = abi::params<P>();
    params.pRangeProfilerObject = object_;
    return call(&params);
  }
  std::vector<const char*> metrics_;
  std::vector<std::uint8_t> config_;
  abi::RangeProfilerObject* object_ = nullptr;
};

class Sampling {
 public:
  explicit Sampling(std::vector<const char*> metrics, std::uint32_t capacity = 1000)
      : metrics_(std::move(metrics)), config_(config(metrics_, abi::kTypePmSampling)) {
    auto enable = abi::params<abi::PmEnableParams>();
    EXPECT_EQ(cuptiPmSamplingEnable(&enable), abi::kSuccess);
    object_ = enable.pPmSamplingObject;
    auto size = abi::params<abi::PmGetCounterDataSizeParams>();
    size.pPmSamplingObject = object_;
    size.pMetricNames = metrics_.data();
    size.numMetrics = metrics_.size();
    size.maxSamples = capacity;
    EXPECT_EQ(cuptiPmSamplingGetCounterDataSize(&size), abi::kSuccess);
    image.resize(size.counterDataSize);
  }
  abi::Result set_config(std::size_t buffer = 1U << 20U) {
    auto params = abi::params<abi::PmSetConfigParams>();
    params.pPmSamplingObject = object_;
    params.configSize = config_.size();
    params.pConfig = config_.data();
    params.hardwareBufferSize = buffer;
    params.samplingInterval = 20'000;
    params.triggerMode = abi::kTriggerTimeInterval;
    return cuptiPmSamplingSetConfig(&params);
  }
  abi::Result start() { return with<abi::PmStartParams>(cuptiPmSamplingStart); }
  abi::Result stop() { return with<abi::PmStopParams>(cuptiPmSamplingStop); }
  abi::Result disable() { return with<abi::PmDisableParams>(cuptiPmSamplingDisable); }
  abi::Result decode() {
    auto clear = abi::params<abi::PmCounterDataImageInitializeParams>();
    clear.pPmSamplingObject = object_;
    clear.counterDataSize = image.size();
    clear.pCounterData = image.data();
    EXPECT_EQ(cuptiPmSamplingCounterDataImageInitialize(&clear), abi::kSuccess);
    auto params = abi::params<abi::PmDecodeDataParams>();
    params.pPmSamplingObject = object_;
    params.pCounterDataImage = image.data();
    params.counterDataImageSize = image.size();
    const abi::Result result = cuptiPmSamplingDecodeData(&params);
    overflow = params.overflow != 0;
    why = params.decodeStopReason;
    auto info = abi::params<abi::PmGetCounterDataInfoParams>();
    info.pCounterDataImage = image.data();
    info.counterDataImageSize = image.size();
    EXPECT_EQ(cuptiPmSamplingGetCounterDataInfo(&info), abi::kSuccess);
    samples = info.numCompletedSamples;
    return result;
  }
  std::vector<std::uint8_t> image;
  std::size_t samples = 0;
  bool overflow = false;
  abi::DecodeStopReason why = abi::kDecodeStopOther;

 private:
  template <class P>
  abi::Result with(abi::Result (&call)(P*)) {
    auto params = abi::params<P>();
    params.pPmSamplingObject = object_;
    return call(&params);
  }
  std::vector<const char*> metrics_;
  std::vector<std::uint8_t> config_;
  abi::PmSamplingObject* object_ = nullptr;
};

const std::vector<const char*> kMetrics = {"gpu__time_duration.sum", "dram__bytes_read.sum",
                                           "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};

TEST(FakeReplayTest, ALaunchBetweenStartAndStopIsCounted) {
  on_gpu(kScript, [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    initialise();
    Replay replay(context, kMetrics);
    ASSERT_EQ(replay.set_config(), abi::kSuccess);
    ASSERT_EQ(replay.start(), abi::kSuccess);
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(replay.stop(), abi::kSuccess);
    EXPECT_TRUE(replay.complete);
    EXPECT_EQ(replay.decode(), abi::kSuccess);
    EXPECT_NEAR(evaluate(replay.image, "dram__bytes_read.sum"), 1e6, 1e-3);
    EXPECT_NEAR(evaluate(replay.image, "dram__bytes_read.sum.per_second"), 2e10, 1);
    EXPECT_NEAR(evaluate(replay.image, "gpu__time_duration.sum"), 50'000, 1e-3);
    EXPECT_TRUE(std::isnan(evaluate(replay.image, "lts__t_bytes.sum")));
  });
}

TEST(FakeReplayTest, CallsWantTheirOrder) {
  on_gpu(kScript, [] {
    abi::Context context = nullptr;
    ASSERT_NE(start_gpu("k", context), nullptr);
    auto early = abi::params<abi::RangeEnableParams>();
    early.ctx = context;
    EXPECT_EQ(cuptiRangeProfilerEnable(&early), abi::kErrorNotInitialized);
    initialise();
    Replay replay(context, kMetrics);
    EXPECT_EQ(replay.start(), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.stop(), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.decode(), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.set_config(), abi::kSuccess);
    EXPECT_EQ(replay.start(), abi::kSuccess);
    EXPECT_EQ(replay.start(), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.set_config(), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.decode(), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.stop(), abi::kSuccess);
    EXPECT_EQ(cuptiRangeProfilerEnable(&early), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.disable(), abi::kSuccess);
    EXPECT_EQ(replay.disable(), abi::kErrorInvalidParameter);
    early.structSize = 8;
    EXPECT_EQ(cuptiRangeProfilerEnable(&early), abi::kErrorInvalidParameter);
  });
}

TEST(FakeReplayTest, WhatDoesNotFitTheImageIsDropped) {
  on_gpu(kScript, [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    initialise();
    Replay replay(context, kMetrics);
    ASSERT_EQ(replay.set_config(), abi::kSuccess);
    ASSERT_EQ(replay.start(), abi::kSuccess);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(replay.stop(), abi::kSuccess);
    EXPECT_EQ(replay.decode(), abi::kSuccess);
    EXPECT_EQ(replay.dropped, 2U);
  });
}

TEST(FakeReplayTest, AFailingPassLosesItsLaunchAndNoOther) {
  on_gpu(std::string(kScript) + "kernel good\nend\nfault pass k 2\n", [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    initialise();
    Replay replay(context, kMetrics);
    ASSERT_EQ(replay.set_config(), abi::kSuccess);
    ASSERT_EQ(replay.start(), abi::kSuccess);
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(replay.stop(), abi::kSuccess);
    EXPECT_FALSE(replay.complete);
    EXPECT_EQ(replay.decode(), abi::kErrorUnknown);
    ASSERT_EQ(replay.start(), abi::kSuccess);
    EXPECT_EQ(launch_once(start_gpu("good", context)), 0);
    EXPECT_EQ(replay.stop(), abi::kSuccess);
    EXPECT_EQ(replay.decode(), abi::kSuccess);
    EXPECT_GT(evaluate(replay.image, "gpu__time_duration.sum"), 0);
  });
}

TEST(FakeReplayTest, ARangeOfTheUserCountsItsLaunchesAndReplaysNothing) {
  on_gpu(kScript, [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    initialise();
    Replay ranges(context, {"dram__bytes_read.sum", "sm__inst_executed.sum"});
    ASSERT_EQ(ranges.set_config(true), abi::kSuccess);
    EXPECT_EQ(ranges.push(), abi::kErrorInvalidOperation) << "not started";
    ASSERT_EQ(ranges.start(), abi::kSuccess);
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(ranges.push(), abi::kSuccess);
    EXPECT_EQ(ranges.push(), abi::kErrorInvalidOperation) << "they do not nest";
    for (int i = 0; i < 3; ++i) EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(ranges.stop(), abi::kErrorInvalidOperation) << "still open";
    EXPECT_EQ(ranges.pop(), abi::kSuccess);
    EXPECT_EQ(ranges.pop(), abi::kErrorInvalidOperation);
    EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(ranges.stop(), abi::kSuccess);
    EXPECT_TRUE(ranges.complete);
    EXPECT_EQ(ranges.decode(), abi::kSuccess);
    EXPECT_NEAR(evaluate(ranges.image, "dram__bytes_read.sum"), 3e6, 1e-3);
  });
}

TEST(FakeReplayTest, AProfilerKeepsTheKindOfRangesItStartedWith) {
  on_gpu(kScript, [] {
    abi::Context context = nullptr;
    ASSERT_NE(start_gpu("k", context), nullptr);
    initialise();
    Replay replay(context, kMetrics);
    ASSERT_EQ(replay.set_config(), abi::kSuccess);
    ASSERT_EQ(replay.start(), abi::kSuccess);
    EXPECT_EQ(replay.push(), abi::kErrorInvalidOperation);
    ASSERT_EQ(replay.stop(), abi::kSuccess);
    EXPECT_EQ(replay.set_config(true), abi::kErrorInvalidOperation);
    EXPECT_EQ(replay.disable(), abi::kSuccess);
  });
}

TEST(FakeReplayTest, WithoutPermissionNothingIsEnabled) {
  on_gpu("kernel k\nend\nfault permission\n", [] {
    abi::Context context = nullptr;
    ASSERT_NE(start_gpu("k", context), nullptr);
    initialise();
    auto range = abi::params<abi::RangeEnableParams>();
    range.ctx = context;
    EXPECT_EQ(cuptiRangeProfilerEnable(&range), abi::kErrorInsufficientPrivileges);
    auto sampling = abi::params<abi::PmEnableParams>();
    EXPECT_EQ(cuptiPmSamplingEnable(&sampling), abi::kErrorInsufficientPrivileges);
  });
}

TEST(FakeSamplingTest, SamplesHoldTheWorkThatWasLaunched) {
  on_gpu(kScript, [] {
    abi::Context context = nullptr;
    void* const function = start_gpu("k", context);
    initialise();
    Sampling sampling({"dram__bytes_read.sum"});
    ASSERT_EQ(sampling.set_config(), abi::kSuccess);
    ASSERT_EQ(sampling.start(), abi::kSuccess);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(launch_once(function), 0);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    usleep(100);  // the sample in which the last kernel ends has to end too
    EXPECT_EQ(sampling.stop(), abi::kSuccess);
    double sum = 0;
    do {
      ASSERT_EQ(sampling.decode(), abi::kSuccess);
      for (std::size_t i = 0; i < sampling.samples; ++i) sum += evaluate(sampling.image, "dram__bytes_read.sum", i);
    } while (sampling.why == abi::kDecodeStopImageFull);
    EXPECT_EQ(sampling.why, abi::kDecodeStopEndOfRecords);
    EXPECT_NEAR(sum, 7e6, 1);
  });
}

TEST(FakeSamplingTest, AFullImageKeepsTheRestForTheNextDecode) {
  on_gpu(kScript, [] {
    ASSERT_EQ(cuInit(0), 0);
    initialise();
    Sampling sampling({"dram__bytes_read.sum"}, 10);
    ASSERT_EQ(sampling.set_config(), abi::kSuccess);
    ASSERT_EQ(sampling.start(), abi::kSuccess);
    usleep(1000);
    EXPECT_EQ(sampling.stop(), abi::kSuccess);
    ASSERT_EQ(sampling.decode(), abi::kSuccess);
    EXPECT_EQ(sampling.why, abi::kDecodeStopImageFull);
    EXPECT_EQ(sampling.samples, 10U);
    auto info = abi::params<abi::PmCounterDataGetSampleInfoParams>();
    info.pCounterDataImage = sampling.image.data();
    info.counterDataImageSize = sampling.image.size();
    info.sampleIndex = 9;
    ASSERT_EQ(cuptiPmSamplingCounterDataGetSampleInfo(&info), abi::kSuccess);
    const std::uint64_t end = info.endTimestamp;
    EXPECT_EQ(end - info.startTimestamp, 20'000U);
    ASSERT_EQ(sampling.decode(), abi::kSuccess);
    info.sampleIndex = 0;
    ASSERT_EQ(cuptiPmSamplingCounterDataGetSampleInfo(&info), abi::kSuccess);
    EXPECT_EQ(info.startTimestamp, end);
  });
}

TEST(FakeSamplingTest, AFullBufferOverflowsUntilSamplingStartsAnew) {
  on_gpu(kScript, [] {
    ASSERT_EQ(cuInit(0), 0);
    initialise();
    Sampling sampling({"dram__bytes_read.sum"});
    ASSERT_EQ(sampling.set_config(5120), abi::kSuccess);
    ASSERT_EQ(sampling.start(), abi::kSuccess);
    usleep(1000);
    EXPECT_EQ(sampling.stop(), abi::kSuccess);
    EXPECT_EQ(sampling.decode(), abi::kErrorOutOfMemory);
    EXPECT_TRUE(sampling.overflow);
    EXPECT_EQ(sampling.decode(), abi::kErrorOutOfMemory);
    // With room for seconds, as the machine that runs the test may be slow.
    EXPECT_EQ(sampling.set_config(1U << 28U), abi::kSuccess);
    EXPECT_EQ(sampling.start(), abi::kSuccess);
    EXPECT_EQ(sampling.decode(), abi::kSuccess);
  });
}

TEST(FakeSamplingTest, CallsWantTheirOrderAndOnePass) {
  on_gpu(kScript, [] {
    auto enable = abi::params<abi::PmEnableParams>();
    EXPECT_EQ(cuptiPmSamplingEnable(&enable), abi::kErrorNotInitialized);
    ASSERT_EQ(cuInit(0), 0);
    initialise();
    Sampling sampling({"sm__inst_executed_pipe_alu.sum", "sm__inst_executed_pipe_fma.sum", "sm__issue_active.sum",
                       "sm__inst_executed_pipe_lsu.sum", "sm__inst_executed_pipe_xu.sum", "sm__warps_active.sum",
                       "sm__inst_executed_pipe_tex.sum", "sm__ctas_active.sum", "sm__inst_executed.sum"});
    EXPECT_EQ(sampling.start(), abi::kErrorInvalidOperation);
    EXPECT_EQ(sampling.decode(), abi::kErrorInvalidOperation);
    EXPECT_EQ(sampling.set_config(), abi::kErrorNotSupported);
    EXPECT_EQ(cuptiPmSamplingEnable(&enable), abi::kErrorInvalidOperation);
    EXPECT_EQ(sampling.disable(), abi::kSuccess);
    enable.deviceIndex = 1;
    EXPECT_EQ(cuptiPmSamplingEnable(&enable), abi::kErrorInvalidDevice);
  });
}

TEST(FakeExclusionTest, ReplayAndSamplingExcludeEachOtherAcrossProcesses) {
  const ScriptFolder folder(kScript);
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready) + pipe(done), 0);
  const pid_t sampler = fork();
  if (sampler == 0) {
    setenv("RIDGE_FAKE_GPU", folder.path().c_str(), 1);
    (void)cuInit(0);
    initialise();
    Sampling sampling({"dram__bytes_read.sum"});
    const bool first = sampling.set_config() == abi::kSuccess && sampling.start() == abi::kSuccess;
    char byte = first ? 'y' : 'n';
    (void)!write(ready[1], &byte, 1);
    (void)!read(done[0], &byte, 1);
    const bool given_back = sampling.stop() == abi::kSuccess && sampling.disable() == abi::kSuccess;
    byte = given_back ? 'y' : 'n';
    (void)!write(ready[1], &byte, 1);
    (void)!read(done[0], &byte, 1);
    Sampling second({"dram__bytes_read.sum"});
    byte = second.set_config() == abi::kErrorHardwareBusy ? 'y' : 'n';
    (void)!write(ready[1], &byte, 1);
    _exit(0);
  }
  on_gpu(folder, [&] {
    char byte = 0;
    abi::Context context = nullptr;
    ASSERT_NE(start_gpu("k", context), nullptr);
    initialise();
    Replay replay(context, kMetrics);
    ASSERT_EQ(replay.set_config(), abi::kSuccess);
    ASSERT_TRUE(read(ready[0], &byte, 1) == 1 && byte == 'y');
    EXPECT_EQ(replay.start(), abi::kErrorHardwareBusy);
    ASSERT_EQ(write(done[1], &byte, 1), 1);
    ASSERT_TRUE(read(ready[0], &byte, 1) == 1 && byte == 'y');
    EXPECT_EQ(replay.start(), abi::kSuccess);
    EXPECT_EQ(replay.stop(), abi::kSuccess);
    ASSERT_EQ(write(done[1], &byte, 1), 1);
    // Held until Disable or the end of the process: until the other one has asked.
    ASSERT_TRUE(read(ready[0], &byte, 1) == 1 && byte == 'y') << "the sampler was not kept out";
  });
  int status = 1;
  ASSERT_EQ(waitpid(sampler, &status, 0), sampler);
  EXPECT_EQ(status, 0);
}

TEST(FakeHostTest, NamesThatDoNotExistAndUnknownChipsAreRefused) {
  on_gpu("", [] {
    auto host = abi::params<abi::HostInitializeParams>();
    host.pChipName = "GX999";
    EXPECT_EQ(cuptiProfilerHostInitialize(&host), abi::kErrorInvalidChipName);
    host.pChipName = "GH100";
    ASSERT_EQ(cuptiProfilerHostInitialize(&host), abi::kSuccess);
    const char* names[] = {"dram__bytes_read.sum", "nothing.sum"};
    auto add = abi::params<abi::HostConfigAddMetricsParams>();
    add.pHostObject = host.pHostObject;
    add.ppMetricNames = names;
    add.numMetrics = 2;
    EXPECT_EQ(cuptiProfilerHostConfigAddMetrics(&add), abi::kErrorInvalidParameter);
    auto size = abi::params<abi::HostGetConfigImageSizeParams>();
    size.pHostObject = host.pHostObject;
    EXPECT_EQ(cuptiProfilerHostGetConfigImageSize(&size), abi::kErrorUnknown);
  });
}

TEST(FakeHostTest, DamagedImagesAreRefused) {
  on_gpu("", [] {
    std::vector<std::uint8_t> image = config({"dram__bytes_read.sum"}, abi::kTypeRangeProfiler);
    auto passes = abi::params<abi::HostGetNumOfPassesParams>();
    passes.configImageSize = image.size();
    passes.pConfigImage = image.data();
    EXPECT_EQ(cuptiProfilerHostGetNumOfPasses(&passes), abi::kSuccess);
    EXPECT_EQ(passes.numOfPasses, 1U);
    image[0] = 'x';
    EXPECT_EQ(cuptiProfilerHostGetNumOfPasses(&passes), abi::kErrorInvalidParameter);
    auto info = abi::params<abi::RangeGetCounterDataInfoParams>();
    info.pCounterDataImage = image.data();
    info.counterDataImageSize = image.size();
    EXPECT_EQ(cuptiRangeProfilerGetCounterDataInfo(&info), abi::kErrorInvalidParameter);
  });
}

}  // namespace
}  // namespace ridge::collectors::fake
