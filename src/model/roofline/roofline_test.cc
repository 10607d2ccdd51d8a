#include "ridgepoint/model/roofline.h"

#include <gtest/gtest.h>

#include "model/metric/flops.h"

namespace ridge {
namespace {

template <class T>
Value<T> measured(double value) {
  return Value<T>(T(value), Provenance::kMeasured);
}

/// An H200 as its counters describe it: 132 SMs, 1.967 GHz, DRAM 1504 B x 3.2 GHz.
Machine h200() {
  Machine machine;
  machine.id = "h200";
  machine.compute_capability = "9.0";
  machine.sm_count = 132;
  machine.boost_clock = Hertz(1.98e9);
  const auto ceiling = [&](const ComputeKey& key, double ops, double clock) {
    machine.ceilings.push_back({key, ops, Hertz(clock), Provenance::kDatasheet});
  };
  ceiling(core(DataType::kFp32), 256, 1.98e9);
  ceiling(core(DataType::kFp64), 128, 1.98e9);
  ceiling(core(DataType::kFp16), 512, 1.98e9);
  ceiling(tensor(DataType::kBf16, TensorPath::kWgmma), 4096, 1.83e9);
  ceiling(tensor(DataType::kBf16, TensorPath::kMmaSync), 360448.0 / 132, 1.83e9);
  MemoryLevel dram;
  dram.level = Level::kDram;
  dram.bandwidth = Value<BytesPerSecond>(BytesPerSecond(4.8e12), Provenance::kDatasheet);
  MemoryLevel l1;
  l1.level = Level::kL1;
  l1.bytes_per_clock = Value<double>(128, Provenance::kDatasheet);
  machine.levels = {dram, l1};
  return machine;
}

Conditions at(double sm_clock) {
  Conditions conditions;
  conditions.sm_clock = measured<Hertz>(sm_clock);
  conditions.dram_peak = measured<BytesPerSecond>(1504 * 3.2e9);
  return conditions;
}

double tera(const Value<FlopsPerSecond>& value) {
  return value.value_or(FlopsPerSecond(0)).count() / 1e12;
}

Work vector_add() {
  Work work;
  work.flops = measured<Flops>(1e8);
  work.compute.push_back({core(DataType::kFp32), measured<Flops>(1e8)});
  work.instructions.fp32_add = measured<double>(1e8);
  work.instructions.fp32_mul = work.instructions.fp32_fma = measured<double>(0);
  work.bytes.dram = measured<Bytes>(1.2e9);
  return work;
}

TEST(RooflineTest, RoofsAtTheMeasuredClockAreThoseOfTheChip) {
  const auto roof = [](const ComputeKey& key) {
    return tera(compute_roof(h200(), key, at(1.967e9), RoofBasis::kMeasuredClock));
  };
  EXPECT_NEAR(roof(core(DataType::kFp32)), 66.5, 0.05);
  EXPECT_NEAR(roof(core(DataType::kFp64)), 33.2, 0.05);
  EXPECT_NEAR(roof(core(DataType::kFp16)), 132.9, 0.05);
  EXPECT_NEAR(roof(tensor(DataType::kBf16, TensorPath::kWgmma)), 1063.5, 0.05);
  EXPECT_NEAR(roof(tensor(DataType::kBf16, TensorPath::kMmaSync)), 709.0, 0.05);
}

TEST(RooflineTest, OtherBasesKeepEachCeilingsOwnClock) {
  for (const RoofBasis basis : {RoofBasis::kCeilings, RoofBasis::kDatasheet}) {
    EXPECT_NEAR(tera(compute_roof(h200(), core(DataType::kFp32), at(1.2e9), basis)), 66.9, 0.05);
    EXPECT_NEAR(tera(compute_roof(h200(), tensor(DataType::kBf16, TensorPath::kWgmma), at(1.2e9), basis)), 989.4, 0.1);
    EXPECT_EQ(memory_roof(h200(), Level::kDram, at(1.2e9), basis)->count(), 4.8e12);
  }
}

TEST(RooflineTest, ASliceOfAGpuHasTheRoofItsCountersState) {
  // 42 of an A100's 108 SMs at 1.41 GHz.
  Machine machine = h200();
  machine.sm_count = 108;
  Conditions conditions = at(1.41e9);
  conditions.fp32_fma_per_clock = measured<double>(42 * 64);
  EXPECT_NEAR(tera(compute_roof(machine, core(DataType::kFp32), conditions, RoofBasis::kMeasuredClock)), 7.58, 0.005);
}

TEST(RooflineTest, APeakGivenByThePersonIsNotScaled) {
  Machine machine = h200();
  machine.ceilings[0] = {core(DataType::kFp32), 0, std::nullopt, Provenance::kDeclared, FlopsPerSecond(30e12)};
  Conditions conditions = at(1e9);
  conditions.fp32_fma_per_clock = measured<double>(132 * 128);
  for (const RoofBasis basis : {RoofBasis::kMeasuredClock, RoofBasis::kCeilings, RoofBasis::kDatasheet}) {
    const auto roof = compute_roof(machine, core(DataType::kFp32), conditions, basis);
    EXPECT_EQ(roof.value_or(FlopsPerSecond(0)).count(), 30e12);
    EXPECT_EQ(roof.provenance(), Provenance::kDeclared);
    EXPECT_FALSE(compute_roof_clock(machine, core(DataType::kFp32), conditions, basis));
  }
  machine.levels[0].bandwidth = Value<BytesPerSecond>(BytesPerSecond(9e11), Provenance::kDeclared);
  EXPECT_EQ(memory_roof(machine, Level::kDram, at(1e9), RoofBasis::kMeasuredClock)->count(), 9e11);
}

TEST(RooflineTest, ACeilingOfAPersonsFileKeepsItsOwnClock) {
  Machine machine = h200();
  machine.ceilings[0].provenance = Provenance::kDeclared;
  EXPECT_NEAR(tera(compute_roof(machine, core(DataType::kFp32), at(1e9), RoofBasis::kMeasuredClock)), 66.9, 0.05);
  EXPECT_EQ(compute_roof_clock(machine, core(DataType::kFp32), at(1e9), RoofBasis::kMeasuredClock)->count(), 1.98e9);
  EXPECT_EQ(compute_roof_clock(machine, core(DataType::kFp64), at(1e9), RoofBasis::kMeasuredClock)->count(), 1e9);
}

TEST(RooflineTest, WithoutAnSmCountNothingIsCountedPerSm) {
  Machine machine = h200();
  machine.sm_count = 0;
  machine.ceilings.clear();
  Work work = vector_add();
  work.access.l1_wavefronts = work.instructions.warp_instructions = measured<double>(1e9);
  const Conditions conditions = at(1.967e9);
  const KernelMeasure kernel{work, {}, conditions, measured<Seconds>(345e-6)};
  const auto times = least_times(kernel, machine, RoofBasis::kMeasuredClock);
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].resource, "dram");
  EXPECT_FALSE(memory_roof(machine, Level::kL1, conditions, RoofBasis::kMeasuredClock));
  EXPECT_FALSE(instruction_roofline(kernel, machine, RoofBasis::kMeasuredClock).peak_instructions_per_s);
}

TEST(RooflineTest, ABasisThatDoesNotExistIsTheDatasheets) {
  Machine machine = h200();
  EXPECT_EQ(basis_for(machine, true, RoofBasis::kMeasuredClock), RoofBasis::kMeasuredClock);
  EXPECT_EQ(basis_for(machine, false, RoofBasis::kMeasuredClock), RoofBasis::kDatasheet);
  EXPECT_EQ(basis_for(machine, true, RoofBasis::kCeilings), RoofBasis::kDatasheet);
  machine.ceilings[0].provenance = Provenance::kMeasured;
  EXPECT_EQ(basis_for(machine, true, RoofBasis::kCeilings), RoofBasis::kCeilings);
  EXPECT_EQ(basis_for(machine, true, RoofBasis::kDatasheet), RoofBasis::kDatasheet);
}

TEST(RooflineTest, L2IsNeverHeldAtTheClockOfTheSms) {
  Machine machine = h200();
  MemoryLevel l2;
  l2.level = Level::kL2;
  l2.bytes_per_clock = Value<double>(5120, Provenance::kDatasheet);
  machine.levels.push_back(l2);
  Conditions conditions = at(1.41e9);
  EXPECT_FALSE(memory_roof(machine, Level::kL2, conditions, RoofBasis::kMeasuredClock));
  conditions.l2_clock = measured<Hertz>(1.2e9);
  EXPECT_DOUBLE_EQ(memory_roof(machine, Level::kL2, conditions, RoofBasis::kMeasuredClock)->count(), 5120 * 1.2e9);
  EXPECT_FALSE(memory_roof(machine, Level::kL2, conditions, RoofBasis::kDatasheet));
}

TEST(RooflineTest, OneWayTrafficIsHeldAgainstOneDirection) {
  Machine machine = h200();
  MemoryLevel link;
  link.level = Level::kHostLink;
  const auto rate = [](double value) { return Value<BytesPerSecond>(BytesPerSecond(value), Provenance::kDatasheet); };
  link.bandwidth = rate(126e9), link.read_bandwidth = rate(63e9), link.write_bandwidth = rate(63e9);
  machine.levels.push_back(link);
  Work work;
  work.bytes.host_link = work.bytes.host_link_read = measured<Bytes>(63e6);
  work.bytes.host_link_write = measured<Bytes>(0);
  const Conditions conditions = at(1.967e9);
  const auto seconds = [&] {
    const auto times = least_times({work, {}, conditions, measured<Seconds>(1e-2)}, machine, RoofBasis::kMeasuredClock);
    return find_resource(times, "host_link")->least_time.count();
  };
  EXPECT_DOUBLE_EQ(seconds(), 63e6 / 63e9);
  work.bytes.host_link_write = measured<Bytes>(63e6);
  work.bytes.host_link = measured<Bytes>(126e6);
  EXPECT_DOUBLE_EQ(seconds(), 126e6 / 126e9);
}

TEST(RooflineTest, AMissingCeilingIsMissingWithItsName) {
  const auto roof = compute_roof(h200(), core(DataType::kInt32), at(1e9), RoofBasis::kMeasuredClock);
  ASSERT_FALSE(roof);
  EXPECT_NE(roof.reason().text().find("int32_core"), std::string::npos);
}

struct Golden {
  const char* name;
  double peak, bandwidth, ridge, tolerance;
};
class RidgeTest : public testing::TestWithParam<Golden> {};

TEST_P(RidgeTest, IsPeakOverBandwidth) {
  const Golden& row = GetParam();
  Machine machine;
  machine.sm_count = 1;
  machine.ceilings.push_back({core(DataType::kFp32), 0, std::nullopt, Provenance::kDeclared, FlopsPerSecond(row.peak)});
  MemoryLevel dram;
  dram.bandwidth = Value<BytesPerSecond>(BytesPerSecond(row.bandwidth), Provenance::kDeclared);
  machine.levels.push_back(dram);
  Work work;
  work.flops = measured<Flops>(1);
  work.compute.push_back({core(DataType::kFp32), measured<Flops>(1)});
  work.bytes.dram = measured<Bytes>(1);
  const Placement placement = place(work, machine, {}, RoofBasis::kMeasuredClock);
  EXPECT_NEAR(placement.ridge.value_or(FlopsPerByte(0)).count(), row.ridge, row.tolerance);
}

INSTANTIATE_TEST_SUITE_P(Quoted, RidgeTest,
                         testing::Values(Golden{"L40S", 91.6e12, 864e9, 106, 0.5},
                                         Golden{"H100", 67e12, 3350e9, 20, 0.5},
                                         Golden{"RTX5090", 104.8e12, 1792e9, 58, 0.5},
                                         Golden{"L40S_fp16_tensor", 362e12, 864e9, 419, 0.5},
                                         Golden{"quoted_4090D", 82.6e12, 1008e9, 82, 0.5}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(RooflineTest, KernelLeftOfTheRidgeIsLeftAndAttainsIntensityTimesBandwidth) {
  const Placement placement = place(vector_add(), h200(), at(1.967e9), RoofBasis::kMeasuredClock);
  EXPECT_EQ(placement.side, Side::kLeft);
  EXPECT_NEAR(placement.intensity_dram->count(), 1.0 / 12, 1e-12);
  EXPECT_NEAR(placement.attainable->count(), 1504 * 3.2e9 / 12, 1);
  EXPECT_NEAR(tera(placement.peak), 66.47 / 2, 0.01);
}

TEST(RooflineTest, MixedPrecisionsShareTheTime) {
  Work work;
  work.flops = measured<Flops>(2e9);
  for (const DataType type : {DataType::kFp32, DataType::kFp64}) {
    work.compute.push_back({core(type), measured<Flops>(1e9)});
  }
  work.bytes.dram = measured<Bytes>(1);
  const Placement placement = place(work, h200(), at(2e9), RoofBasis::kMeasuredClock);
  const double fp32 = 132 * 256 * 2e9, fp64 = fp32 / 2;
  EXPECT_NEAR(placement.peak->count(), 2e9 / (1e9 / fp32 + 1e9 / fp64), 1);
  EXPECT_EQ(placement.precision, core(DataType::kFp64));
}

TEST(RooflineTest, MixedTensorPathsNeedTheSumOfTheirTimes) {
  Work work;
  work.flops = measured<Flops>(2e12);
  work.compute.push_back({tensor(DataType::kBf16, TensorPath::kWgmma), measured<Flops>(1e12)});
  work.compute.push_back({tensor(DataType::kBf16, TensorPath::kMmaSync), measured<Flops>(1e12)});
  const Conditions conditions = at(1.83e9);
  const auto times = least_times({work, {}, conditions, measured<Seconds>(4e-3)}, h200(), RoofBasis::kMeasuredClock);
  const ResourceTime* wgmma = find_resource(times, "tensor_bf16_wgmma");
  const ResourceTime* mma = find_resource(times, "tensor_bf16_mma");
  ASSERT_TRUE(wgmma != nullptr && mma != nullptr);
  EXPECT_NEAR(mma->least_time / wgmma->least_time, 1.5, 1e-6);
  EXPECT_EQ(times.front().resource, "tensor");
  EXPECT_NEAR(times.front().least_time.count(), (wgmma->least_time + mma->least_time).count(), 1e-15);
}

TEST(RooflineTest, LeastTimesAreAmountOverRateLargestFirst) {
  Work work = vector_add();
  work.access.l1_wavefronts = measured<double>(14e6);
  work.instructions.warp_instructions = measured<double>(84.4e6);
  const Conditions conditions = at(1.967e9);
  const auto times = least_times({work, {}, conditions, measured<Seconds>(345e-6)}, h200(), RoofBasis::kMeasuredClock);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[0].resource, "dram");
  EXPECT_NEAR(times[0].least_time.count(), 1.2e9 / (1504 * 3.2e9), 1e-12);
  EXPECT_NEAR(times[0].fraction, 1.2e9 / (1504 * 3.2e9) / 345e-6, 1e-12);
  EXPECT_EQ(times[1].resource, "issue");
  EXPECT_NEAR(times[1].least_time.count(), 84.4e6 / (132 * 4 * 1.967e9), 1e-12);
  EXPECT_EQ(times[2].resource, "l1");
  EXPECT_NEAR(times[2].least_time.count(), 14e6 / (132 * 1.967e9), 1e-12);
  EXPECT_EQ(times[3].resource, "fp32");
  EXPECT_NEAR(times[3].least_time.count(), 1e8 / (132 * 128 * 1.967e9), 1e-12);
}

TEST(RooflineTest, SmallRequestsBindL2ByLookups) {
  Work work;
  work.bytes.l2 = measured<Bytes>(111e6 * 32);
  work.access.l2_requests = measured<double>(111e6);
  Conditions conditions = at(1.967e9);
  conditions.l2_peak = measured<BytesPerSecond>(94 * 96 * 1.7e9);
  conditions.l2_slices = measured<double>(94);
  conditions.l2_clock = measured<Hertz>(1.7e9);
  const auto times = least_times({work, {}, conditions, measured<Seconds>(1e-3)}, h200(), RoofBasis::kMeasuredClock);
  ASSERT_EQ(times.front().resource, "l2");
  EXPECT_EQ(times.front().amount_unit, Unit::kCount);
  EXPECT_NEAR(times.front().fraction, 111e6 / (94 * 1.7e9) / 1e-3, 1e-12);
}

TEST(RooflineTest, UncountedWavefrontsAreEstimatedFromRequestsAndSectors) {
  Work work;
  work.access.global_load_requests = measured<double>(67e6);
  work.access.global_load_sectors = measured<double>(168e6);
  const Conditions conditions = at(1.967e9);
  const auto times = least_times({work, {}, conditions, measured<Seconds>(1e-3)}, h200(), RoofBasis::kMeasuredClock);
  const ResourceTime* l1 = find_resource(times, "l1");
  ASSERT_NE(l1, nullptr);
  EXPECT_TRUE(l1->estimated);
  EXPECT_EQ(l1->amount, 67e6);
}

std::vector<ResourceTime> times_of_shares(double dram, double l1, double memory, double sm) {
  Execution execution;
  execution.dram_throughput = measured<double>(dram);
  execution.l1_throughput = measured<double>(l1);
  execution.memory_throughput = measured<double>(memory);
  execution.compute_throughput = measured<double>(sm);
  const Work work;
  const Conditions conditions;
  return least_times({work, execution, conditions, measured<Seconds>(1e-3)}, Machine(), RoofBasis::kMeasuredClock);
}

TEST(RooflineTest, TheVendorsSharesStandInWhereNothingWasCounted) {
  const auto times = times_of_shares(0.70, 0.20, 0.71, 0.25);  // memory is DRAM's again, the SM is idle
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].resource, "dram");
  EXPECT_NEAR(times[0].fraction, 0.7, 1e-12);
  EXPECT_TRUE(times[0].estimated);
}

TEST(RooflineTest, WhatTheVendorsMemoryShareExceedsDramAndL1ByIsL2s) {
  EXPECT_EQ(times_of_shares(0.12, 0.47, 0.765, 0.06).front().resource, "l2");
}

TEST(RooflineTest, TheVendorsSmShareIsNoNewsBesideAnEqualL1Share) {
  EXPECT_EQ(find_resource(times_of_shares(0.01, 0.737, 0.737, 0.745), "sm"), nullptr);
  EXPECT_EQ(times_of_shares(0.01, 0.30, 0.30, 0.85).front().resource, "sm");
  EXPECT_EQ(times_of_shares(0.01, 0.2169, 0.2169, 0.2359).front().resource, "sm") << "8 % more is another unit";
}

VerdictInput input_with(double fraction, const char* resource, const Machine& machine) {
  VerdictInput input;
  ResourceTime time;
  time.resource = resource;
  time.amount = 1, time.rate = 1;
  time.fraction = fraction;
  time.least_time = Seconds(fraction * 1e-3);
  input.times = {time};
  input.duration = measured<Seconds>(1e-3);
  input.blocks = 1e4;
  input.machine = &machine;
  return input;
}

TEST(VerdictTest, TheThresholdBelongsToTheBoundSide) {
  const Machine machine = h200();
  EXPECT_EQ(judge(input_with(kBoundFraction, "dram", machine)).verdict, Verdict::kMemoryBound);
  EXPECT_EQ(judge(input_with(kBoundFraction - 1e-9, "dram", machine)).verdict, Verdict::kLatencyBound);
  EXPECT_EQ(judge(input_with(0.9, "fp32", machine)).verdict, Verdict::kComputeBound);
  EXPECT_EQ(judge(input_with(0.9, "issue", machine)).verdict, Verdict::kComputeBound);
}

TEST(VerdictTest, TheLoadStorePipeCountsAsL1) {
  const Machine machine = h200();
  const VerdictResult result = judge(input_with(0.72, "load_store", machine));
  EXPECT_EQ(result.verdict, Verdict::kMemoryBound);
  EXPECT_EQ(result.level, "l1");
  ASSERT_FALSE(result.reason.arguments.empty());
  EXPECT_EQ(std::get<std::string>(result.reason.arguments[0].value), "load_store") << "the sentence names the resource";
}

TEST(VerdictTest, AUsedResourceWithoutARoofLeavesItOpen) {
  const Machine machine = h200();
  Work work;
  work.bytes.dram = measured<Bytes>(177.9e6);
  VerdictInput input = input_with(0.22, "sm", machine);
  input.work = &work;
  const VerdictResult open = judge(input);
  EXPECT_EQ(open.verdict, Verdict::kUnknown);
  EXPECT_EQ(open.reason.id, "verdict.unknown-no-roof");
  EXPECT_TRUE(open.resource.empty());
  EXPECT_FALSE(open.fraction);
  input.times[0].fraction = 0.7;
  EXPECT_EQ(judge(input).verdict, Verdict::kComputeBound) << "busy enough, whatever DRAM does";
  input = input_with(0.22, "dram", machine);
  input.work = &work;
  EXPECT_EQ(judge(input).verdict, Verdict::kLatencyBound);
  input = input_with(0.22, "sm", machine);
  input.work = &work;
  input.execution.dram_throughput = measured<double>(0);
  EXPECT_EQ(judge(input).verdict, Verdict::kLatencyBound) << "the vendor's share of 0 % is no entry, yet known";
  work.bytes.dram = measured<Bytes>(0);
  input.execution.dram_throughput = Value<double>();
  EXPECT_EQ(judge(input).verdict, Verdict::kLatencyBound) << "no traffic needs no roof";
}

TEST(VerdictTest, UncountedTensorWorkLeavesItOpen) {
  const Machine machine = h200();
  Work work;
  work.flops = Value<Flops>::missing(kTensorUncounted);
  VerdictInput input = input_with(0.24, "sm", machine);
  input.work = &work;
  EXPECT_EQ(judge(input).verdict, Verdict::kUnknown);
  EXPECT_EQ(judge(input).reason.id, "verdict.unknown-no-tensor-work");
}

TEST(VerdictTest, OnPaperWithoutDramTrafficNamesNoIntensity) {
  Machine machine = h200();
  machine.levels.clear();  // so that there is no ridge either
  Work work = vector_add();
  work.bytes.dram = measured<Bytes>(0);
  VerdictInput input = input_with(0, "fp32", machine);
  input.times[0].amount_unit = Unit::kFlops;
  input.duration = Value<Seconds>::missing("no measured time");
  input.placement = place(work, machine, {}, RoofBasis::kDatasheet);
  const VerdictResult result = judge(input);
  EXPECT_EQ(result.verdict, Verdict::kComputeBound);
  EXPECT_EQ(result.reason.id, "verdict.paper-no-dram");
}

TEST(VerdictTest, RightOfTheRidgeWithoutDramTrafficNamesNoIntensity) {
  const Machine machine = h200();
  Work work = vector_add();
  work.bytes.dram = measured<Bytes>(0);
  VerdictInput input = input_with(0.7, "l2", machine);
  input.times[0].amount_unit = Unit::kBytes;
  input.placement = place(work, machine, {}, RoofBasis::kDatasheet);
  EXPECT_EQ(judge(input).side, Side::kRight);
  EXPECT_EQ(judge(input).reason.id, "verdict.memory");
}

TEST(VerdictTest, IntegerWorkIsPlacedByItsOperations) {
  Machine machine = h200();
  machine.ceilings.push_back({core(DataType::kInt32), 128, Hertz(1.98e9), Provenance::kDatasheet});
  Work work;
  work.flops = measured<Flops>(0);
  work.compute.push_back({core(DataType::kInt32), measured<Flops>(1e12)});
  work.bytes.dram = measured<Bytes>(1e9);
  EXPECT_NEAR(place(work, machine, {}, RoofBasis::kDatasheet).side_intensity->count(), 1000, 1e-9);
}

TEST(VerdictTest, AboveTheRoofIsNeverClipped) {
  const Machine machine = h200();
  const VerdictResult result = judge(input_with(1.066, "fp32", machine));
  EXPECT_DOUBLE_EQ(*result.fraction, 1.066);
  EXPECT_EQ(result.verdict, Verdict::kComputeBound);
}

TEST(VerdictTest, SmallAndShortLaunchesAreOverheadOnlyBelowTheThreshold) {
  const Machine machine = h200();
  VerdictInput input = input_with(0.1, "dram", machine);
  input.blocks = 131;
  EXPECT_EQ(judge(input).verdict, Verdict::kOverheadBound);
  input.blocks = 132;
  EXPECT_EQ(judge(input).verdict, Verdict::kLatencyBound);
  input.launches = 1000;  // 1 us each
  EXPECT_EQ(judge(input).verdict, Verdict::kOverheadBound);
  input.times[0].fraction = 0.8;
  EXPECT_EQ(judge(input).verdict, Verdict::kMemoryBound);
}

TEST(VerdictTest, OnPaperTheRidgeDecides) {
  const Machine machine = h200();
  VerdictInput input = input_with(0, "dram", machine);
  input.duration = Value<Seconds>::missing("no measured time");
  input.placement = place(vector_add(), machine, {}, RoofBasis::kDatasheet);
  EXPECT_EQ(judge(input).verdict, Verdict::kMemoryBound);
  EXPECT_EQ(judge(input).level, "dram");
  EXPECT_FALSE(judge(input).fraction);
}

TEST(VerdictTest, NothingKnownIsUnknownNotZero) {
  const VerdictResult result = judge(VerdictInput{});
  EXPECT_EQ(result.verdict, Verdict::kUnknown);
  EXPECT_FALSE(result.fraction);
  EXPECT_EQ(result.confidence, "low");
}

TEST(VerdictTest, ConfidenceFallsWithTheEvidence) {
  const Machine machine = h200();
  Work work = vector_add();
  work.access.l1_wavefronts = work.instructions.warp_instructions = measured<double>(1);
  VerdictInput input = input_with(0.8, "dram", machine);
  input.work = &work;
  EXPECT_EQ(judge(input).confidence, "high");
  input.times[0].fraction = 0.61;
  EXPECT_EQ(judge(input).confidence, "medium");
  input.times[0].fraction = 0.3;
  EXPECT_EQ(judge(input).confidence, "high");
  work.access.l1_wavefronts = work.instructions.warp_instructions = Value<double>();
  EXPECT_EQ(judge(input).confidence, "low");
}

TEST(InstructionRooflineTest, CountsWarpInstructionsAgainstTransactions) {
  Work work;
  work.instructions.warp_instructions = measured<double>(1e6);
  work.bytes.l1 = measured<Bytes>(32e6);
  work.access.shared_wavefronts = measured<double>(0.25e6);
  work.bytes.dram = measured<Bytes>(64e6);
  const Conditions conditions = at(2e9);
  const InstructionRoofline roofline =
      instruction_roofline({work, {}, conditions, measured<Seconds>(1e-3)}, h200(), RoofBasis::kMeasuredClock);
  EXPECT_DOUBLE_EQ(*roofline.instructions_per_s, 1e9);
  EXPECT_DOUBLE_EQ(*roofline.peak_instructions_per_s, 132 * 4 * 2e9);
  EXPECT_DOUBLE_EQ(*roofline.intensity_l1, 1e6 / (1e6 + 1e6));
  EXPECT_DOUBLE_EQ(*roofline.intensity_dram, 0.5);
  EXPECT_DOUBLE_EQ(*roofline.dram_per_s, 1504 * 3.2e9 / 32);
  EXPECT_FALSE(roofline.intensity_l2);
}

}  // namespace
}  // namespace ridge
