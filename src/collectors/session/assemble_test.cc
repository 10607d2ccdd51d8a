#include "collectors/session/assemble.h"

#include <gtest/gtest.h>

#include "collectors/session/test_backend.h"

namespace ridge::collectors::session {
namespace {

constexpr Nanoseconds kStart = 1'000'000'000'000;
constexpr char kSymbol[] = "_ZN2ns4gemmIfEEvPT_";
constexpr char kCounters[] = "gpu__time_duration.sum=2000;dram__bytes_read.sum=640;";

/// An assembler that has met process 4242 with one kernel, one shape and one device.
class AssemblerTest : public ::testing::Test {
 protected:
  AssemblerTest() : assembler_(backend_, {kStart, true}) { introduce(1, 4242); }

  void introduce(ProcessKey key, std::uint32_t process, std::uint8_t uuid = 1) {
    wire::Hello hello;
    hello.process = process;
    send(hello, key);
    send(test_device(0, uuid), key);
    send(wire::Text{1, kSymbol}, key);
    wire::Shape shape;
    shape.id = 7;
    shape.grid = {10, 2, 1};
    shape.block = {128, 1, 1};
    shape.registers = 40;
    shape.shared_dynamic = 2048;
    send(shape, key);
  }
  void send(const wire::Message& message, ProcessKey key = 1) { assembler_.on_message(key, message, kStart); }
  static wire::Launch launch(std::uint32_t correlation, Nanoseconds start = 0, Nanoseconds end = 0) {
    wire::Launch result;
    result.kernel = 1;
    result.shape = 7;
    result.stream = 3;
    result.correlation = correlation;
    if (end > 0) {
      result.start = kStart + start;
      result.end = kStart + end;
    }
    return result;
  }
  static wire::CounterImage image(std::uint32_t correlation, const std::string& bytes = kCounters) {
    wire::CounterImage result;
    result.kernel = 1;
    result.grid = {10, 2, 1};
    result.block = {128, 1, 1};
    result.shared_dynamic = 2048;
    result.correlation = correlation;
    result.began = kStart + 5000;
    result.ended = kStart + 9000;
    result.image = bytes;
    return result;
  }
  Profile finish() {
    assembler_.finish(recording_);
    return assembler_.take();
  }

  TestBackend backend_;
  Assembler assembler_;
  Recording recording_;
};

TEST_F(AssemblerTest, ALaunchIsResolvedThroughTheTables) {
  send(wire::Launches{{launch(5, 100, 350)}});
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.launches.size(), 1U);
  const Launch& got = piece.launches[0];
  EXPECT_NEAR(got.start->count(), 100e-9, 1e-15);
  EXPECT_NEAR(got.duration->count(), 250e-9, 1e-15);
  EXPECT_EQ(got.process_id, 4242U);
  EXPECT_EQ(got.source_id, 5U);
  EXPECT_EQ(got.stream, 3U);
  ASSERT_EQ(piece.kernels.size(), 1U);
  EXPECT_EQ(piece.kernels[0].short_name, "ns::gemm");
  EXPECT_EQ(piece.kernels[0].mangled_name, kSymbol);
  ASSERT_EQ(piece.configurations.size(), 1U);
  EXPECT_EQ(piece.configurations[0].grid, (Dim3{10, 2, 1}));
  EXPECT_FALSE(piece.configurations[0].cluster);
  EXPECT_EQ(*piece.configurations[0].registers_per_thread, 40);
  EXPECT_EQ(piece.configurations[0].shared_driver->count(), 1024);
  ASSERT_EQ(piece.devices.size(), 1U);
  EXPECT_EQ(*piece.devices[0].attributes.sm_count, 132);
  EXPECT_EQ(*piece.devices[0].attributes.max_warps_per_sm, 64);
  EXPECT_EQ(piece.devices[0].attributes.max_sm_clock->count(), 1.98e9);
  EXPECT_FALSE(piece.devices[0].attributes.l2_capacity) << "the driver did not state it";
}

TEST_F(AssemblerTest, TablesAreHandedOutOnce) {
  send(wire::Launches{{launch(1, 100, 200)}});
  EXPECT_EQ(assembler_.take().kernels.size(), 1U);
  send(wire::Launches{{launch(2, 200, 300)}});
  const Profile second = assembler_.take();
  EXPECT_TRUE(second.kernels.empty());
  EXPECT_TRUE(second.devices.empty());
  EXPECT_EQ(second.launches[0].kernel, 0U);
}

TEST_F(AssemblerTest, CountersAfterTheRecordAndBeforeItGiveTheSame) {
  send(wire::Launches{{launch(1)}});
  EXPECT_EQ(assembler_.ready(), 0U) << "its counters are to come";
  send(image(1));
  send(image(2));
  send(wire::Launches{{launch(2)}});
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.launches.size(), 2U);
  ASSERT_EQ(piece.measurements.size(), 2U);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(piece.launches[i].measurement, i);
    EXPECT_NEAR(piece.launches[i].duration->count(), 2e-6, 1e-12) << "the counter's";
    EXPECT_NEAR(piece.launches[i].start->count(), 5e-6, 1e-12);
    EXPECT_EQ(piece.measurements[i].work.bytes.dram_read->count(), 640);
  }
  ASSERT_EQ(piece.metrics.size(), 2U);
  EXPECT_EQ(piece.measurements[0].raw.size(), 2U);
}

wire::RangeMeasured measured_range(std::uint32_t id, const std::string& image) {
  wire::RangeMeasured range;
  range.id = id;
  range.name = 9;
  range.thread = 77;
  range.start = kStart + 1000;
  range.end = kStart + 3'001'000;
  range.kernels_known = true;
  range.launches = 3;
  range.kernel_nanoseconds = 2'000'000;
  range.image = image;
  return range;
}

TEST_F(AssemblerTest, ARangeWithCountersIsASpanAndAnAnswer) {
  send(wire::Text{9, "step"});
  send(measured_range(5, "dram__bytes_read.sum=640;dram__bytes_write.sum=60;sm__inst_executed.sum=1000;"));
  const auto answers = assembler_.take_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].process, 1U);
  EXPECT_EQ(answers[0].values.id, 5U);
  EXPECT_EQ(answers[0].values.have, 7U);
  EXPECT_EQ(answers[0].values.dram_read, 640U);
  EXPECT_EQ(answers[0].values.dram_write, 60U);
  EXPECT_EQ(answers[0].values.warp_instructions, 1000U);
  EXPECT_TRUE(assembler_.take_answers().empty());
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.spans.size(), 1U);
  EXPECT_EQ(piece.spans[0].kind, SpanKind::kRange);
  EXPECT_EQ(piece.spans[0].name, "step");
  EXPECT_EQ(piece.spans[0].thread_id, 77U);
  EXPECT_NEAR(piece.spans[0].duration.count(), 3e-3, 1e-12);
  EXPECT_EQ(piece.spans[0].bytes->count(), 700);
}

TEST_F(AssemblerTest, ARangeWhoseCountersCannotBeReadIsAnsweredAllTheSame) {
  send(measured_range(6, "no image"));
  const auto answers = assembler_.take_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].values.id, 6U);
  EXPECT_EQ(answers[0].values.have, 0U);
  const Profile piece = assembler_.take();
  EXPECT_EQ(piece.spans[0].bytes.reason().text(), "the range's counters could not be evaluated");
  send(measured_range(7, ""));
  EXPECT_TRUE(assembler_.take_answers().empty()) << "nobody waits";
  EXPECT_EQ(assembler_.take().spans[0].bytes.reason().text(), "the range has no counters");
}

TEST_F(AssemblerTest, ARangeWhoseCountersCannotBeReadIsTold) {
  send(wire::Text{9, "step"});
  send(measured_range(6, "no image"));
  const Profile piece = finish();
  const Issue* issue = find_issue(piece.issues, "profile-evaluation-failed");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(number_of(*issue, "launches"), 1);
  EXPECT_EQ(text_of(*issue, "kernel"), "step");
  EXPECT_EQ(text_of(*issue, "reason"), "this is no image");
}

TEST_F(AssemblerTest, ARangeOfADeviceThatWasNeverSentIsCountedAndAnswered) {
  wire::RangeMeasured range = measured_range(6, kCounters);
  range.device = 99;
  send(range);
  EXPECT_EQ(assembler_.take_answers().at(0).values.have, 0U);
  EXPECT_EQ(number_of(*find_issue(finish().issues, "profile-references-unknown"), "items"), 1);
}

TEST_F(AssemblerTest, CountersOfOtherNamesAreNotARangesFigures) {
  send(measured_range(5,
                      "dram__bytes_read.sum=640;dram__bytes_read.sum.per_second=9;dram__bytes.sum=700;"
                      "sm__inst_executed_pipe_tensor.sum=3;"));
  const auto answers = assembler_.take_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].values.have, std::uint32_t{wire::RangeValues::kDramRead});
  EXPECT_EQ(answers[0].values.dram_read, 640U);
  EXPECT_EQ(assembler_.take().spans[0].bytes.reason().text(), "the range's DRAM traffic was not counted");
}

TEST_F(AssemblerTest, ChipsThatNameTheCountersOtherwiseHaveTheFiguresToo) {
  send(measured_range(5, "dram__bytes_op_read.sum=640;dram__bytes_op_write.sum=60;smsp__inst_executed.sum=1000;"));
  const auto answers = assembler_.take_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].values.have, 7U);
  EXPECT_EQ(answers[0].values.dram_write, 60U);
}

TEST_F(AssemblerTest, WhateverEndsBeforeItBeginsIsARecordWithoutATime) {
  wire::RangeMeasured range = measured_range(5, "");
  std::swap(range.start, range.end);
  send(range);
  send(wire::Launches{{launch(1, 300, 200)}});
  const Profile piece = finish();
  EXPECT_TRUE(piece.spans.empty());
  const Issue* issue = find_issue(piece.issues, "profile-times-wrong");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(number_of(*issue, "records"), 2);
}

TEST_F(AssemblerTest, RangesOfANameAreOneFact) {
  send(wire::Text{9, "step"});
  send(wire::Text{10, "forward"});
  for (std::uint32_t id = 1; id <= 2; ++id) {
    send(measured_range(id, "dram__bytes_read.sum=640;dram__bytes_write.sum=60;"));
  }
  wire::Event event;
  event.kind = wire::EventKind::kRange;
  event.name = 10;
  event.start = kStart;
  event.end = kStart + 1'000'000;
  send(wire::Events{{event}});
  (void)finish();
  using Fact = std::pair<std::string, std::string>;
  ASSERT_EQ(recording_.facts.size(), 2U);
  EXPECT_EQ(recording_.facts[0], Fact("range step",
                                      "2 times, 0.006000 s; kernels 0.004000 s in 6 launches; "
                                      "DRAM 1280 bytes read, 120 written"));
  EXPECT_EQ(recording_.facts[1], Fact("range forward", "1 time, 0.001000 s"));
}

TEST_F(AssemblerTest, AFigureThatOneRangeLacksIsNotSummedUp) {
  send(wire::Text{9, "step"});
  send(measured_range(1, "dram__bytes_read.sum=640;dram__bytes_write.sum=60;"));
  send(measured_range(2, ""));
  (void)finish();
  EXPECT_EQ(recording_.facts.at(0).second, "2 times, 0.006000 s; kernels 0.004000 s in 6 launches");
}

TEST_F(AssemblerTest, MeasurementsAreNumberedOverAllPieces) {
  send(image(1));
  send(wire::Launches{{launch(1)}});
  (void)assembler_.take();
  send(image(2));
  send(wire::Launches{{launch(2)}});
  EXPECT_EQ(assembler_.take().launches[0].measurement, 1U);
}

TEST_F(AssemblerTest, TheSameCorrelationInTwoProcessesIsTwoLaunches) {
  introduce(2, 5555);
  send(image(1), 2);
  send(wire::Launches{{launch(1)}}, 1);
  EXPECT_EQ(assembler_.ready(), 0U);
  send(wire::Launches{{launch(1)}}, 2);
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.launches.size(), 1U);
  EXPECT_EQ(piece.launches[0].process_id, 5555U);
}

TEST_F(AssemblerTest, OneGpuInTwoProcessesIsOneDevice) {
  introduce(2, 5555);
  introduce(3, 6666, 9);
  EXPECT_EQ(assembler_.take().devices.size(), 2U);
  EXPECT_EQ(assembler_.device_of(2, 0), 0U);
  EXPECT_EQ(assembler_.device_of(3, 0), 1U);
}

TEST_F(AssemblerTest, CountersWithoutARecordAreALaunchWithAnIssue) {
  send(image(1));
  const Profile piece = finish();
  ASSERT_EQ(piece.launches.size(), 1U);
  EXPECT_TRUE(piece.launches[0].measurement);
  EXPECT_FALSE(piece.configurations[0].registers_per_thread);
  const Issue* issue = find_issue(piece.issues, "profile-counters-unmatched");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(number_of(*issue, "launches"), 1);
}

TEST_F(AssemblerTest, ARecordWhoseCountersNeverComeWaitsABoundedTime) {
  send(wire::Launches{{launch(1)}});
  assembler_.settle(kStart + 1'000'000'000, 0);
  EXPECT_EQ(assembler_.ready(), 0U);
  assembler_.settle(kStart + 10'000'000'000, 0);
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.launches.size(), 1U);
  EXPECT_FALSE(piece.launches[0].duration);
  EXPECT_FALSE(piece.launches[0].measurement);
}

TEST_F(AssemblerTest, ADamagedImageIsAnIssueAndTheLaunchStays) {
  send(image(1, "rubbish"));
  send(wire::Launches{{launch(1)}});
  const Profile piece = finish();
  ASSERT_EQ(piece.launches.size(), 1U);
  const Issue* issue = find_issue(piece.issues, "profile-evaluation-failed");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(std::get<std::string>(issue->message.arguments[1].value), "ns::gemm");
}

TEST_F(AssemblerTest, TensorCountersAreAskedForWhereTheTensorPipeWorked) {
  send(image(1, "gpu__time_duration.sum=2000;sm__inst_executed_pipe_tensor.sum=0;"));
  EXPECT_TRUE(assembler_.take_requests().empty());
  send(wire::Launches{{launch(1)}});
  EXPECT_TRUE(assembler_.take_requests().empty());
  send(image(2, "gpu__time_duration.sum=2000;sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active=31;"));
  send(wire::Launches{{launch(2)}});
  const auto requests = assembler_.take_requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].what.recipe, 1U);
  EXPECT_EQ(requests[0].what.grid[0], 10U);
}

TEST_F(AssemblerTest, GraphNodesWithoutTimesDoNotWaitForCounters) {
  wire::Launch node = launch(1);
  node.graph_node = 12;
  send(wire::Launches{{node}});
  EXPECT_EQ(assembler_.ready(), 1U);
}

TEST_F(AssemblerTest, WhatWasNeverSentIsCountedAndNotGuessed) {
  wire::Launch strange = launch(1, 100, 200);
  strange.kernel = 99;
  wire::Launch shapeless = launch(2, 100, 200);
  shapeless.shape = 99;
  wire::Launch nowhere = launch(3, 100, 200);
  nowhere.device = 99;
  send(wire::Launches{{strange, shapeless, nowhere}});
  const Profile piece = finish();
  EXPECT_TRUE(piece.launches.empty());
  EXPECT_EQ(number_of(*find_issue(piece.issues, "profile-references-unknown"), "items"), 3);
}

TEST_F(AssemblerTest, AnEndBeforeTheStartIsNoDuration) {
  send(wire::Launches{{launch(1, 300, 200)}});
  const Profile piece = finish();
  EXPECT_TRUE(piece.launches[0].start);
  EXPECT_FALSE(piece.launches[0].duration);
  EXPECT_NE(find_issue(piece.issues, "profile-times-wrong"), nullptr);
}

TEST_F(AssemblerTest, LaunchesWaitForTheirSamples) {
  assembler_.expect_samples(0);
  send(wire::Launches{{launch(1, 0, 1000)}});
  EXPECT_EQ(assembler_.ready(), 0U);
  DeviceSample sample;
  sample.start = kStart;
  sample.end = kStart + 1000;
  sample.dram_read = 500;
  assembler_.add_samples(0, {sample});
  assembler_.settle(kStart + 2000, kStart + 2000);
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.launches.size(), 1U);
  ASSERT_EQ(piece.sampled.size(), 1U);
  EXPECT_EQ(piece.launches[0].sampled, 0U);
  EXPECT_FLOAT_EQ(*piece.sampled[0].dram_read, 500);
}

TEST_F(AssemblerTest, ShortLaunchesAreNamedWithTheirUncertainty) {
  send(wire::Launches{{launch(1, 0, 400)}});
  (void)assembler_.take();
  assembler_.expect_samples(0);
  send(wire::Launches{{launch(2, 0, 400), launch(3, 500, 900)}});
  DeviceSample sample;
  sample.start = kStart;
  sample.end = kStart + 1000;
  sample.dram_read = 500;
  assembler_.add_samples(0, {sample});
  recording_.sampling_interval_s = Value<double>(1e-6, Provenance::kReported);
  const Profile piece = finish();
  const Issue* issue = find_issue(piece.issues, "profile-short-launches");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(number_of(*issue, "launches"), 2);
  EXPECT_EQ(number_of(*issue, "uncertainty"), 1);
  EXPECT_EQ(number_of(*issue, "interval"), 1e-6);
  EXPECT_EQ(*recording_.sampled, 2);
  EXPECT_EQ(*recording_.recorded, 3);
}

TEST_F(AssemblerTest, CopiesAndEventsBecomeSpans) {
  wire::Copy copy;
  copy.from = wire::MemoryKind::kPinned;
  copy.to = wire::MemoryKind::kDevice;
  copy.bytes = 4096;
  copy.start = kStart + 10;
  copy.end = kStart + 30;
  send(wire::Copies{{copy}});
  send(wire::Text{2, "step"});
  wire::Event range;
  range.kind = wire::EventKind::kRange;
  range.name = 2;
  range.thread = 11;
  range.start = kStart + 5;
  range.end = kStart + 50;
  send(wire::Events{{range}});
  const Profile piece = assembler_.take();
  ASSERT_EQ(piece.spans.size(), 2U);
  EXPECT_EQ(piece.spans[0].kind, SpanKind::kCopy);
  EXPECT_EQ(piece.spans[0].name, "copy pinned to device");
  EXPECT_EQ(piece.spans[0].bytes->count(), 4096);
  EXPECT_EQ(piece.spans[1].name, "step");
  EXPECT_EQ(piece.spans[1].thread_id, 11U);
  EXPECT_NEAR(piece.spans[1].duration.count(), 45e-9, 1e-15);
  EXPECT_FALSE(piece.spans[1].bytes);
}

TEST_F(AssemblerTest, TheRecordingCountsWhatStandsForWhat) {
  send(image(1));
  send(wire::Launches{{launch(1), launch(2, 100, 200), launch(3, 200, 300)}});
  wire::Shape other;
  other.id = 8;
  other.grid = {1, 1, 1};
  other.block = {32, 1, 1};
  send(other);
  wire::Launch alone = launch(4, 300, 400);
  alone.shape = 8;
  send(wire::Launches{{alone}});
  wire::CounterProgress progress;
  progress.seen = 2;
  progress.measured = 1;
  progress.over_budget = 1;
  progress.spent = 40'000'000;
  send(progress);
  send(wire::Goodbye{6});
  const Profile piece = finish();
  EXPECT_EQ(*recording_.seen, 6);
  EXPECT_EQ(*recording_.recorded, 4);
  EXPECT_EQ(*recording_.measured, 1);
  EXPECT_EQ(*recording_.represented, 2);
  EXPECT_NEAR(recording_.counter_time->count(), 0.04, 1e-12);
  EXPECT_NE(find_issue(piece.issues, "profile-over-budget"), nullptr);
  const Issue* issue = find_issue(piece.issues, "profile-launches-unrecorded");
  ASSERT_NE(issue, nullptr);
  EXPECT_EQ(number_of(*issue, "seen"), 6);
}

TEST_F(AssemblerTest, WhatNobodyCountedIsMissing) {
  (void)finish();
  EXPECT_FALSE(recording_.seen);
  EXPECT_FALSE(recording_.counter_time);
  EXPECT_FALSE(recording_.gpu_unexplained);
  EXPECT_EQ(*recording_.recorded, 0);
}

TEST_F(AssemblerTest, LossesAreIssuesWithTheirNumbers) {
  send(wire::Dropped{wire::Loss::kActivityRecords, 100});
  send(wire::Dropped{wire::Loss::kActivityRecords, 11});
  send(wire::Dropped{wire::Loss::kMessages, 2});
  const Profile piece = finish();
  EXPECT_EQ(*recording_.records_dropped, 111);
  EXPECT_EQ(number_of(*find_issue(piece.issues, "profile-records-dropped"), "records"), 111);
  EXPECT_EQ(number_of(*find_issue(piece.issues, "profile-messages-dropped"), "messages"), 2);
}

}  // namespace
}  // namespace ridge::collectors::session
