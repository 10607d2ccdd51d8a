// Which of several kinds of evidence each number of a launch is taken from, and how they add up.
#include "analysis/evidence.h"

#include <gtest/gtest.h>

#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

using test::as_representative;
using test::measured;
using test::ProfileBuilder;

/// 1 GFLOP, 100 MB read and 50 MB written, L2 300 MB, occupancy 0.5.
Measurement counted() {
  Measurement m = test::idle_measurement();
  test::add_fp32(m, 0.5e9);
  m.work.bytes.dram_read = measured<Bytes>(100e6);
  m.work.bytes.dram_write = measured<Bytes>(50e6);
  m.work.bytes.dram = measured<Bytes>(150e6);
  m.work.bytes.l2 = measured<Bytes>(300e6);
  m.work.instructions.warp_instructions = measured<double>(1e7);
  m.execution.achieved_occupancy = measured<double>(0.5);
  return m;
}

LaunchEvidence last_evidence(ProfileBuilder& builder) {
  return evidence_of(builder.profile(), builder.profile().launches.back());
}

TEST(EvidenceTest, OwnCountersComeBeforeSamples) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("k"), 1e-3, counted());
  SampledWork& samples = builder.samples(1, 2);
  samples.l2 = 3, samples.warp_instructions = 4, samples.occupancy = 0.9F;
  const LaunchEvidence evidence = last_evidence(builder);
  EXPECT_EQ(evidence.origin, CounterOrigin::kOwn);
  const SampledNumbers numbers = sampled_numbers(evidence);
  EXPECT_FALSE(numbers.any);
  EXPECT_EQ(numbers.dram->count(), 150e6);
  EXPECT_EQ(numbers.l2->count(), 300e6);
  EXPECT_EQ(*execution_field(evidence, &Execution::achieved_occupancy), 0.5);
}

TEST(EvidenceTest, TrafficIsFromSamplesBeforeARepresentativeAndInstructionsAreNot) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("k"), 1e-3, as_representative(counted()));
  SampledWork& samples = builder.samples(70e6, 30e6);
  samples.warp_instructions = 4, samples.occupancy = 0.9F;
  const LaunchEvidence evidence = last_evidence(builder);
  EXPECT_EQ(evidence.origin, CounterOrigin::kRepresentative);
  const SampledNumbers numbers = sampled_numbers(evidence);
  EXPECT_TRUE(numbers.any);
  EXPECT_DOUBLE_EQ(numbers.dram->count(), 100e6);
  EXPECT_DOUBLE_EQ(numbers.dram_read->count(), 70e6);
  EXPECT_EQ(numbers.dram.provenance(), Provenance::kSampled);
  EXPECT_EQ(numbers.l2->count(), 300e6) << "the samples have no L2";
  EXPECT_EQ(*numbers.warp_instructions, 1e7);
  EXPECT_EQ(*execution_field(evidence, &Execution::achieved_occupancy), 0.5);
}

TEST(EvidenceTest, WithoutCountersSamplesFillWhatTheyHave) {
  ProfileBuilder builder;
  builder.live(Tier::kSampling);
  builder.launch(builder.kernel("k"), 1e-3);
  SampledWork& samples = builder.samples(70e6, 30e6);
  samples.warp_instructions = 4, samples.occupancy = 0.25F, samples.tensor_active = 0.75F;
  const LaunchEvidence evidence = last_evidence(builder);
  EXPECT_EQ(evidence.origin, CounterOrigin::kNone);
  EXPECT_EQ(*sampled_numbers(evidence).warp_instructions, 4);
  EXPECT_FALSE(sampled_numbers(evidence).l2);
  EXPECT_EQ(*execution_field(evidence, &Execution::achieved_occupancy), 0.25);
  EXPECT_EQ(*execution_field(evidence, &Execution::tensor_active), 0.75);
  EXPECT_FALSE(execution_field(evidence, &Execution::sm_active));
  EXPECT_FALSE(execution_field(evidence, &Execution::issue_active));
}

TEST(EvidenceTest, OneDirectionAloneIsNoTotal) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("k"), 1e-3, as_representative(counted()));
  builder.samples(70e6, 0).dram_write.reset();
  const SampledNumbers numbers = sampled_numbers(last_evidence(builder));
  EXPECT_EQ(numbers.dram->count(), 150e6);
  EXPECT_EQ(numbers.dram_read->count(), 100e6);
}

TEST(EvidenceTest, SamplesThatAreMostlyOfNeighboursAreNotUsed) {
  ProfileBuilder builder;
  builder.launch(builder.kernel("k"), 1e-3, as_representative(counted()));
  builder.samples(70e6, 30e6, 0.51);
  EXPECT_EQ(sampled_numbers(last_evidence(builder)).dram->count(), 150e6);
  builder.profile().sampled[0].uncertainty = 0.5F;
  EXPECT_DOUBLE_EQ(sampled_numbers(last_evidence(builder)).dram->count(), 100e6);
}

TEST(EvidenceTest, AValueThatAnotherLaunchLentIsNotTheLaunchesOwn) {
  ProfileBuilder builder;
  Measurement m = counted();
  m.work.bytes.dram = {Bytes(150e6), Provenance::kSampled};  // as represent() completes a measurement
  builder.launch(builder.kernel("k"), 1e-3, m);
  builder.samples(70e6, 30e6);
  const LaunchEvidence evidence = last_evidence(builder);
  EXPECT_EQ(evidence.origin, CounterOrigin::kOwn);
  EXPECT_DOUBLE_EQ(sampled_numbers(evidence).dram->count(), 100e6);
}

TEST(EvidenceTest, OneReplayTimesManyLaunches) {
  ProfileBuilder builder;
  builder.live(Tier::kCounters);
  const std::uint32_t kernel = builder.kernel("k");
  builder.launch(kernel, 1e-3, counted());
  builder.launch(kernel, 2e-3, as_representative(counted()));
  const std::optional<std::uint32_t> shared = builder.profile().launches.back().measurement;
  for (int i = 0; i < 3; ++i) builder.launch(kernel, 2e-3).measurement = shared;
  const Report report = analyse(builder.profile());
  const ReportKernel& group = report.kernels.at(0);
  EXPECT_EQ(group.work.flops->count(), 5e9);
  EXPECT_EQ(group.work.flops.provenance(), Provenance::kSampled);
  EXPECT_EQ(group.work.compute.at(0).amount->count(), 5e9);
  EXPECT_EQ(group.work.bytes.dram->count(), 750e6);
  EXPECT_DOUBLE_EQ(group.flops_per_s->count(), 5e9 / 9e-3);
  EXPECT_EQ(group.evidence.measured, 1u);
  EXPECT_EQ(group.evidence.represented, 4u);
  EXPECT_EQ(group.evidence.sampled, 0u);
  EXPECT_FALSE(group.evidence.uncertainty);
  EXPECT_EQ(group.launches[0].counters, CounterOrigin::kOwn);
  EXPECT_EQ(group.launches[4].counters, CounterOrigin::kRepresentative);
  EXPECT_EQ(group.launches[4].flops->count(), 1e9);
}

TEST(EvidenceTest, ThreeSourcesAddUp) {
  ProfileBuilder builder;
  builder.live(Tier::kCounters);
  const std::uint32_t kernel = builder.kernel("k");
  builder.launch(kernel, 1e-3, counted());
  builder.launch(kernel, 1e-3, as_representative(counted()));
  builder.samples(70e6, 30e6, 0.2);
  builder.launch(kernel, 3e-3, as_representative(counted()));
  builder.samples(60e6, 30e6, 0.1);
  builder.launch(kernel, 1e-3, as_representative(counted()));
  builder.samples(1, 1, 0.9);  // not used
  const Report report = analyse(builder.profile());
  const ReportKernel& group = report.kernels.at(0);
  EXPECT_DOUBLE_EQ(group.work.bytes.dram->count(), 150e6 + 100e6 + 90e6 + 150e6);
  EXPECT_DOUBLE_EQ(group.work.bytes.dram_write->count(), 50e6 + 30e6 + 30e6 + 50e6);
  EXPECT_EQ(group.work.flops->count(), 4e9);
  EXPECT_DOUBLE_EQ(group.dram_per_s->count(), 490e6 / 6e-3);
  EXPECT_EQ(group.evidence.sampled, 2u);
  EXPECT_NEAR(*group.evidence.uncertainty, (0.2 * 1e-3 + 0.1 * 3e-3) / 4e-3, 1e-7);
  EXPECT_EQ(report.recordings.at(0).uncertain, 1u);
  EXPECT_NEAR(*report.recordings[0].uncertainty, (0.2 * 1e-3 + 0.1 * 3e-3 + 0.9 * 1e-3) / 5e-3, 1e-7);
  EXPECT_DOUBLE_EQ(group.launches[2].dram->count(), 90e6);
  EXPECT_EQ(report.sampled.size(), 3u);
}

TEST(EvidenceTest, OfSampledLaunchesTheUncertainOnesAreLeftOutWithTheirTime) {
  ProfileBuilder builder;
  builder.live(Tier::kSampling);
  const std::uint32_t kernel = builder.kernel("k");
  for (int i = 0; i < 3; ++i) {
    builder.launch(kernel, 1e-3);
    builder.samples(600e6, 400e6);
  }
  builder.launch(kernel, 5e-6);
  builder.samples(1e9, 1e9, 0.95);
  const Report report = analyse(builder.profile());
  const ReportKernel& group = report.kernels.at(0);
  EXPECT_DOUBLE_EQ(group.work.bytes.dram->count(), 3e9);
  EXPECT_EQ(group.measured_launches, 3u);
  EXPECT_DOUBLE_EQ(group.dram_per_s->count(), 1e12);
  EXPECT_FALSE(group.work.flops);
  EXPECT_EQ(group.work.flops.reason().text(), "periodic samples do not count it");
  EXPECT_DOUBLE_EQ(*group.roof.fraction, 0.5) << "1 TB/s of 2 TB/s";
  EXPECT_EQ(group.confidence, "low");
  for (const Issue& issue : report.issues) {
    EXPECT_NE(issue.message.id, "launches-without-counters") << "the recording's coverage says it";
    EXPECT_NE(issue.message.id, "no-flops") << "its remedy is another tool's";
  }
}

TEST(EvidenceTest, MuchSharingLowersTheConfidence) {
  const auto confidence = [](double uncertainty) {
    ProfileBuilder builder;
    builder.live(Tier::kCounters);
    Measurement m = as_representative(counted());
    m.work.bytes.dram = {Bytes(1e9), Provenance::kSampled};
    builder.launch(builder.kernel("k"), 1e-3, m);
    builder.samples(1.2e9, 0.4e9, uncertainty);
    return analyse(builder.profile()).kernels.at(0).confidence;
  };
  EXPECT_EQ(confidence(0.01), "high");
  EXPECT_EQ(confidence(0.2), "medium");
  EXPECT_EQ(confidence(0.4), "low");
}

}  // namespace
}  // namespace ridge
