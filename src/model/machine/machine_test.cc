#include "ridgepoint/model/machine.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

Machine two_paths() {
  Machine machine;
  machine.sm_count = 132;
  const Hertz clock(1.83e9);
  machine.ceilings = {
      {core(DataType::kFp32), 256, Hertz(1.98e9), Provenance::kDatasheet},
      {tensor(DataType::kBf16, TensorPath::kMmaSync), 2730.7, clock, Provenance::kDatasheet},
      {tensor(DataType::kBf16, TensorPath::kWgmma), 4096, clock, Provenance::kDatasheet},
      {tensor(DataType::kBf16, TensorPath::kWgmma, Sparsity::kSparse), 8192, clock, Provenance::kDatasheet}};
  return machine;
}

TEST(MachineTest, PeakIsCountTimesOperationsTimesClock) {
  const Machine machine = two_paths();
  EXPECT_NEAR(peak(machine, machine.ceilings[0]).count(), 66.9e12, 0.01e12);
  EXPECT_NEAR(peak(machine, machine.ceilings[2]).count(), 989.4e12, 0.1e12);
  EXPECT_NEAR(peak_at(machine, machine.ceilings[2], Hertz(1.967e9)).count(), 1063.5e12, 0.1e12);
}

TEST(MachineTest, UnknownPathMeetsTheFastestDensePath) {
  const Machine machine = two_paths();
  EXPECT_EQ(find_ceiling(machine, tensor(DataType::kBf16, TensorPath::kAny)), &machine.ceilings[2]);
}

TEST(MachineTest, PathsAreNotMixed) {
  const Machine machine = two_paths();
  EXPECT_EQ(find_ceiling(machine, tensor(DataType::kBf16, TensorPath::kMmaSync)), &machine.ceilings[1]);
  EXPECT_EQ(find_ceiling(machine, tensor(DataType::kBf16, TensorPath::kTcgen05)), nullptr);
  EXPECT_EQ(find_ceiling(machine, tensor(DataType::kFp8, TensorPath::kWgmma)), nullptr);
}

TEST(MachineTest, AccumulatorFallsBackToAnEntryThatDoesNotTellThemApart) {
  const Machine machine = two_paths();
  EXPECT_EQ(find_ceiling(machine, tensor(DataType::kBf16, TensorPath::kWgmma, Sparsity::kDense, Accumulator::kFp32)),
            &machine.ceilings[2]);
}

TEST(MachineTest, RidgePointIsPeakOverBandwidthOrMissing) {
  Machine machine = two_paths();
  EXPECT_FALSE(ridge_point(machine, core(DataType::kFp32)).has_value()) << "no DRAM yet";
  MemoryLevel dram;
  dram.bandwidth = Value<BytesPerSecond>(BytesPerSecond(3352e9), Provenance::kDatasheet);
  machine.levels.push_back(dram);
  EXPECT_NEAR(ridge_point(machine, core(DataType::kFp32))->count(), 19.96, 0.01);
  EXPECT_FALSE(ridge_point(machine, core(DataType::kFp64)).has_value());
  EXPECT_FALSE(ridge_point(machine, core(DataType::kFp32), Level::kL2).has_value());
}

}  // namespace
}  // namespace ridge
