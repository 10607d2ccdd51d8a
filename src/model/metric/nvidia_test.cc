#include "model/metric/nvidia.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ridgepoint/model/work.h"

namespace ridge {
namespace {

class MapReader : public CounterReader {
 public:
  MapReader(std::initializer_list<std::pair<const std::string, double>> values) : values_(values) {}
  [[nodiscard]] Value<double> get(std::string_view name) const override {
    if (nan_.count(std::string(name)) != 0) return Value<double>::missing("not a number");
    const auto at = values_.find(std::string(name));
    return at == values_.end() ? Value<double>() : Value<double>(at->second, Provenance::kMeasured);
  }
  MapReader& set(const std::string& name, double value) {
    values_[name] = value;
    return *this;
  }
  MapReader& set_nan(const std::string& name) {
    nan_[name] = true;
    return *this;
  }

 private:
  std::map<std::string, double> values_;
  std::map<std::string, bool> nan_;
};

LaunchFacts hopper(double grid, double block, std::string_view name = "kernel") {
  LaunchFacts facts;
  facts.capability_major = 9;
  facts.configuration.grid = Dim3{static_cast<std::uint32_t>(grid), 1, 1};
  facts.configuration.block = Dim3{static_cast<std::uint32_t>(block), 1, 1};
  facts.duration = Value<Seconds>(Seconds(0.01), Provenance::kMeasured);
  facts.kernel_name = name;
  return facts;
}

constexpr char kOp[] = "smsp__sass_thread_inst_executed_op_";

/// Every core opcode counter at zero.
MapReader no_flops() {
  MapReader reader{};
  for (const char type : {'d', 'f', 'h'}) {
    for (const std::string op : {"add", "mul", "fma"}) reader.set(kOp + (type + op) + "_pred_on.sum", 0);
  }
  return reader;
}

Value<Flops> part(const Work& work, const ComputeKey& key) {
  for (const ComputeWork& entry : work.compute) {
    if (entry.key == key) return entry.amount;
  }
  return Value<Flops>::missing("no such part");
}

TEST(NvidiaMetricsTest, FlopsAreAddPlusMulPlusTwiceFma) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 150665905)
      .set("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 143010575)
      .set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 428604161);
  const Measurement m = measurement_from_nvidia(reader, hopper(1000, 256));
  ASSERT_TRUE(m.work.flops);
  EXPECT_EQ(m.work.flops->count(), 1150884802);
  EXPECT_EQ(m.work.flops.provenance(), Provenance::kMeasured);
  EXPECT_EQ(m.work.compute.size(), 1u);
}

TEST(NvidiaMetricsTest, FlopsComeFromRatesPerCycleAndElapsedCycles) {
  // A recorded launch of a 4096 x 4096 x 4096 product: 1512.944 FFMA per cycle.
  MapReader reader{
      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", 0},
      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", 0},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 68719476736.0 / 45420985.25},
      {"smsp__cycles_elapsed.avg", 45420985.25}};
  const Measurement m = measurement_from_nvidia(reader, hopper(16384, 1024));
  ASSERT_TRUE(m.work.flops);
  EXPECT_EQ(m.work.flops->count(), 137438953472.0);
}

TEST(NvidiaMetricsTest, FlopsComeFromRatesClockAndTimeWithoutTheCycles) {
  MapReader reader{{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", 50},
                   {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", 0},
                   {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 100},
                   {"smsp__cycles_elapsed.avg.per_second", 2e9}};
  const Measurement m = measurement_from_nvidia(reader, hopper(16384, 1024));
  ASSERT_TRUE(m.work.flops);
  EXPECT_NEAR(m.work.flops->count(), 250 * 2e9 * 0.01, 1);
}

TEST(NvidiaMetricsTest, PackedHalvesCountTwoAndFour) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 10)
      .set("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 20)
      .set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 30);
  const Measurement m = measurement_from_nvidia(reader, hopper(1, 1));
  EXPECT_EQ(part(m.work, core(DataType::kFp16)).value_or(Flops(0)).count(), 2 * 10 + 2 * 20 + 4 * 30);
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 180);
}

TEST(NvidiaMetricsTest, PackedSinglesOfBlackwellCountTwoAndFour) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1)
      .set("smsp__sass_thread_inst_executed_op_fadd2_pred_on.sum", 10)
      .set("smsp__sass_thread_inst_executed_op_fmul2_pred_on.sum", 20)
      .set("smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum", 30);
  LaunchFacts facts = hopper(1, 1);
  facts.capability_major = 10;
  const Measurement m = measurement_from_nvidia(reader, facts);
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 1 + 20 + 40 + 120);
}

TEST(NvidiaMetricsTest, ConstantLoadsByHfma2AreNotArithmetic) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 4096.0 * 16777216)
      .set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 16777216);
  const Measurement m = measurement_from_nvidia(reader, hopper(16384, 1024, "gemm_naive(const float *, float *, int)"));
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 137438953472.0);
  const Value<Flops> half = part(m.work, core(DataType::kFp16));
  EXPECT_FALSE(half);
  EXPECT_NE(half.reason().text().find("HFMA2"), std::string::npos);
}

TEST(NvidiaMetricsTest, ConstantsReloadedInALoopAreNotArithmeticEither) {
  // As recorded of a random-number kernel: 9 HFMA2 beside 207 other floating-point instructions per thread.
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 207.0 * 1024 * 256)
      .set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 9.0 * 1024 * 256);
  const Measurement m = measurement_from_nvidia(reader, hopper(1024, 256, "distribution<c10::BFloat16>"));
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 207.0 * 1024 * 256);
}

TEST(NvidiaMetricsTest, ManyHfma2PerThreadAreArithmetic) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 64.0 * 1024 * 256);
  const Measurement m = measurement_from_nvidia(reader, hopper(1024, 256));
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 4 * 64.0 * 1024 * 256);
}

TEST(NvidiaMetricsTest, OneHfma2PerThreadOfAKernelOnHalvesIsArithmetic) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 1024.0 * 256);
  const Measurement m = measurement_from_nvidia(reader, hopper(1024, 256, "axpy(__half2, const __half2 *, __half2 *)"));
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 4 * 1024.0 * 256);
}

TEST(NvidiaMetricsTest, AFewHfma2AndNothingElseLeaveFlopsUnknown) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 1024.0 * 256);
  const Measurement m = measurement_from_nvidia(reader, hopper(1024, 256, "copy(const int *, int *)"));
  EXPECT_FALSE(m.work.flops);
}

TEST(NvidiaMetricsTest, NoCounterAtAllLeavesEverythingMissing) {
  const Measurement m = measurement_from_nvidia(MapReader{}, hopper(1, 1));
  EXPECT_FALSE(m.work.flops);
  EXPECT_EQ(m.work.flops.reason().text(), "no floating-point counter was collected");
  std::size_t present = 0;
  visit_fields([&](std::string_view, const auto& value) { present += value ? 1 : 0; }, m.work);
  EXPECT_EQ(present, 0u);
  EXPECT_FALSE(m.execution.achieved_occupancy);
  EXPECT_FALSE(m.conditions.sm_clock);
}

TEST(NvidiaMetricsTest, CollectedZeroIsZeroNotMissing) {
  const Measurement m = measurement_from_nvidia(no_flops(), hopper(1, 1));
  ASSERT_TRUE(m.work.flops);
  EXPECT_EQ(m.work.flops->count(), 0);
  EXPECT_TRUE(m.work.compute.empty());
}

TEST(NvidiaMetricsTest, OneOfThreeOpcodesIsNotEnough) {
  const MapReader reader{{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 100}};
  const Measurement m = measurement_from_nvidia(reader, hopper(1, 1));
  EXPECT_FALSE(m.work.flops);
  EXPECT_FALSE(part(m.work, core(DataType::kFp32)));
}

TEST(NvidiaMetricsTest, TensorPipeActivityWithoutOperationCountersLeavesFlopsUnknown) {
  MapReader reader = no_flops();
  reader.set("sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active", 47)
      .set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1000)
      .set("sm__inst_executed_pipe_tensor.sum", 123456);
  const Measurement m = measurement_from_nvidia(reader, hopper(10, 128));
  EXPECT_FALSE(m.work.flops);
  EXPECT_NE(m.work.flops.reason().text().find("tensor cores used"), std::string::npos);
}

TEST(NvidiaMetricsTest, ATensorKernelsNameIsEnoughWhenNothingWasCollected) {
  for (const char* name : {"ampere_bf16_s16816gemm_bf16_128x64", "cutlass_tensorop_sgemm", "turing_fp16_s1688gemm",
                           "sm90_xmma_gemm_f16f16", "nvjet_wgmma"}) {
    const Measurement m = measurement_from_nvidia(MapReader{}, hopper(10, 128, name));
    EXPECT_NE(m.work.flops.reason().text().find("tensor cores used"), std::string::npos) << name;
  }
}

TEST(NvidiaMetricsTest, AnIdleTensorPipeOverrulesTheName) {
  MapReader reader = no_flops();
  reader.set("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", 0)
      .set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1000);
  const Measurement m = measurement_from_nvidia(reader, hopper(10, 128, "xmma_helper"));
  EXPECT_EQ(m.work.flops.value_or(Flops(0)).count(), 2000);
}

TEST(NvidiaMetricsTest, Hfma2OnTheTensorPipeIsNoTensorWork) {
  MapReader reader = no_flops();
  reader.set("sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed", 0.0195)
      .set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1000);
  EXPECT_TRUE(measurement_from_nvidia(reader, hopper(10, 128)).work.flops);
}

TEST(NvidiaMetricsTest, TheCounterOfMatrixInstructionsAloneDecides) {
  // A recorded softmax: HFMA2 keeps the tensor pipe 2.3 % busy, matrix instructions not at all.
  MapReader reader = no_flops();
  const std::string matrix =
      "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed";
  reader.set("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 30).set(matrix, 0);
  EXPECT_TRUE(measurement_from_nvidia(reader, hopper(10, 128)).work.flops);
  reader.set("sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed", 90);
  EXPECT_FALSE(measurement_from_nvidia(reader, hopper(10, 128)).work.flops);
}

TEST(NvidiaMetricsTest, ANameThatSaysCoresIsNoTensorKernel) {
  MapReader reader = no_flops();
  reader.set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1000);
  EXPECT_TRUE(measurement_from_nvidia(reader, hopper(10, 128, "sm80_xmma_gemm_f32f32_ffma_aligna4")).work.flops);
  EXPECT_FALSE(measurement_from_nvidia(reader, hopper(10, 128, "sm90_xmma_gemm_tf32f32_warpgroup")).work.flops);
}

TEST(NvidiaMetricsTest, TensorOperationsKeepPathSparsityAndAccumulator) {
  MapReader reader = no_flops();
  reader.set("sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum", 1e12)
      .set("sm__ops_path_tensor_op_hmma_src_fp16_dst_fp16_sparsity_on.sum", 2e9)
      .set("sm__ops_path_tensor_op_imma_src_int8_sparsity_off.sum", 5e9)
      .set("sm__ops_path_tensor_src_fp8_sparsity_off.sum", 3e9)
      .set("sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1e12)  // the aggregate of the first
      .set("sm__ops_path_tensor_src_fp16.sum", 2e9)
      .set("sm__ops_path_tensor_src_int8.sum", 5e9);
  const Work work = measurement_from_nvidia(reader, hopper(132, 384)).work;
  const auto at = [&](const ComputeKey& key) { return part(work, key).value_or(Flops(-1)).count(); };
  EXPECT_EQ(at(tensor(DataType::kBf16, TensorPath::kWgmma, Sparsity::kDense, Accumulator::kFp32)), 1e12);
  EXPECT_EQ(at(tensor(DataType::kFp16, TensorPath::kMmaSync, Sparsity::kSparse, Accumulator::kFp16)), 2e9);
  EXPECT_EQ(at(tensor(DataType::kInt8, TensorPath::kMmaSync)), 5e9);
  EXPECT_EQ(at(tensor(DataType::kFp8, TensorPath::kWgmma)), 3e9);
  EXPECT_EQ(work.compute.size(), 4u);
  EXPECT_EQ(work.flops.value_or(Flops(0)).count(), 1e12 + 2e9 + 3e9);  // integer operations are no FLOP
}

TEST(NvidiaMetricsTest, AnAggregateAloneIsWorkOnAnUnknownPath) {
  MapReader reader = no_flops();
  reader.set("sm__ops_path_tensor_src_fp16.sum.per_cycle_elapsed", 1000).set("sm__cycles_elapsed.avg", 1e6);
  const Work work = measurement_from_nvidia(reader, hopper(132, 384)).work;
  EXPECT_EQ(part(work, tensor(DataType::kFp16, TensorPath::kAny)).value_or(Flops(0)).count(), 1e9);
}

TEST(NvidiaMetricsTest, OnAmpereTheSameNameIsTheOnlyPath) {
  LaunchFacts facts = hopper(108, 256);
  facts.capability_major = 8;
  MapReader reader{{"sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum", 7e9},
                   {"sm__ops_path_tensor_src_fp64.sum", 2e9}};
  const Work work = measurement_from_nvidia(reader, facts).work;
  EXPECT_EQ(part(work, tensor(DataType::kFp16, TensorPath::kMmaSync, Sparsity::kDense, Accumulator::kFp32))
                .value_or(Flops(0))
                .count(),
            7e9);
  EXPECT_EQ(work.flops.value_or(Flops(0)).count(), 9e9);
}

TEST(NvidiaMetricsTest, Fp8OperationsOfBlackwellAreTakenAsTheyAre) {
  LaunchFacts facts = hopper(148, 256);
  facts.capability_major = 10;
  facts.capability_minor = 3;
  const MapReader reader{{"sm__ops_path_tensor_op_utcqmma_src_fp8_dst_fp32.sum", 137438953472.0}};
  const Work work = measurement_from_nvidia(reader, facts).work;
  EXPECT_EQ(work.flops.value_or(Flops(0)).count(), 137438953472.0);
  EXPECT_EQ(work.compute.at(0).key.path, TensorPath::kTcgen05);
}

TEST(NvidiaMetricsTest, DramBytesUnderEverySpelling) {
  const auto dram = [](const MapReader& reader) {
    return measurement_from_nvidia(reader, hopper(1, 1)).work.bytes.dram.value_or(Bytes(-1)).count();
  };
  EXPECT_EQ(dram({{"dram__bytes_read.sum", 100}, {"dram__bytes_write.sum", 20}}), 120);
  EXPECT_EQ(dram({{"dram__bytes_op_read.sum", 134221568}, {"dram__bytes_op_write.sum", 43631104}}), 177852672);
  EXPECT_EQ(dram({{"dram__sectors_read.sum", 10}, {"dram__sectors_write.sum", 2}}), 384);
  EXPECT_EQ(dram({{"dram__bytes.sum", 55}}), 55);
  EXPECT_EQ(dram({{"dram__bytes_read.sum", 40}, {"dram__bytes.sum", 55}}), 55);
  EXPECT_EQ(dram({{"dram__bytes.sum.per_second", 3e12}}), 3e10);
  EXPECT_EQ(dram({{"dram__bytes_read.sum.per_second", 1e12}, {"dram__bytes_write.sum.per_second", 2e12}}), 3e10);
}

TEST(NvidiaMetricsTest, ReadAndWriteBeatTheRoundedRate) {
  const MapReader reader{{"dram__bytes_read.sum", 800025000},
                         {"dram__bytes_write.sum", 388409344},
                         {"dram__bytes.sum.per_second", 3.4e12}};
  EXPECT_EQ(measurement_from_nvidia(reader, hopper(1, 1)).work.bytes.dram->count(), 800025000.0 + 388409344.0);
}

TEST(NvidiaMetricsTest, ACounterThatWasNoNumberKeepsItsReason) {
  MapReader reader{{"dram__bytes_write.sum", 20}};
  reader.set_nan("dram__bytes_read.sum");
  const Work work = measurement_from_nvidia(reader, hopper(1, 1)).work;
  EXPECT_FALSE(work.bytes.dram);
  EXPECT_EQ(work.bytes.dram.reason().text(), "not a number");
}

TEST(NvidiaMetricsTest, L1BytesAreSectorsOfGlobalAndLocalMemory) {
  const MapReader reader{{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 167772160},
                         {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 131072},
                         {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 10}};
  EXPECT_EQ(measurement_from_nvidia(reader, hopper(1, 1)).work.bytes.l1->count(), (167772160.0 + 131072 + 10) * 32);
  const MapReader loads{{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 167772160}};
  EXPECT_FALSE(measurement_from_nvidia(loads, hopper(1, 1)).work.bytes.l1);
}

TEST(NvidiaMetricsTest, L1WavefrontsFollowFromTheirShareOfPeak) {
  const MapReader reader{{"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", 25},
                         {"l1tex__cycles_elapsed.sum", 1000}};
  EXPECT_EQ(*measurement_from_nvidia(reader, hopper(1, 1)).work.access.l1_wavefronts, 250);
}

TEST(NvidiaMetricsTest, SharedBytesAreWavefrontsTimes128) {
  const MapReader reader{{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1000}};
  EXPECT_EQ(measurement_from_nvidia(reader, hopper(1, 1)).work.bytes.shared->count(), 128000);
}

constexpr char kShared[] = "l1tex__data_pipe_lsu_wavefronts_mem_shared";

double shared_wavefronts(const MapReader& reader, const LaunchFacts& facts) {
  return measurement_from_nvidia(reader, facts).work.access.shared_wavefronts.value_or(-1);
}

TEST(NvidiaMetricsTest, OneWavefrontForEveryWarpIsNoSharedMemory) {
  // vector_add, 1e8 elements, on an H200: 3,125,000 warps and no shared-memory instruction.
  MapReader reader{{kShared + std::string(".sum"), 3125000}};
  for (const char* operation : {"_op_ld.sum", "_op_st.sum", "_op_atom.sum"}) {
    reader.set(kShared + std::string(operation), 0);
  }
  LaunchFacts facts = hopper(390625, 256);
  EXPECT_EQ(shared_wavefronts(reader, facts), 3125000) << "nothing says that no shared memory is used";
  facts.configuration.shared_static = facts.configuration.shared_dynamic =
      Value<Bytes>(Bytes(0), Provenance::kReported);
  EXPECT_EQ(shared_wavefronts(reader, facts), 0);
  EXPECT_EQ(shared_wavefronts(reader.set("memory_l1_wavefronts_shared", 0), hopper(390625, 256)), 0);
}

TEST(NvidiaMetricsTest, ShufflesAndWarpsAreNoSharedMemoryBeforeWgmma) {
  MapReader reader{{kShared + std::string(".sum"), 231288}};
  reader.set(kShared + std::string("_op_ld.sum"), 26403).set(kShared + std::string("_op_st.sum"), 22332);
  reader.set(kShared + std::string("_op_atom.sum"), 10);
  LaunchFacts facts = hopper(1056, 256);
  facts.capability_major = 8;
  EXPECT_EQ(shared_wavefronts(reader, facts), 26403 + 22332 + 10);
}

TEST(NvidiaMetricsTest, SharedMemoryThatWgmmaReadsIsCounted) {
  // nvjet_sm90 of cuBLAS on an H200: loads and stores are 7 % of it.
  MapReader reader{{kShared + std::string(".sum"), 25938242}, {"memory_l1_wavefronts_shared", 25723450}};
  reader.set(kShared + std::string("_op_ld.sum"), 1092837).set(kShared + std::string("_op_st.sum"), 645921);
  reader.set(kShared + std::string("_op_atom.sum"), 0);
  EXPECT_EQ(shared_wavefronts(reader, hopper(132, 384)), 25723450);
}

TEST(NvidiaMetricsTest, AsynchronousCopiesThatBypassTheDataStageAreNotItsWavefronts) {
  // An fp64 product of cuBLAS on an H200 with 12,779,520 wavefronts of LDGSTS.
  const MapReader reader{{kShared + std::string(".sum"), 25693073}, {"memory_l1_wavefronts_shared", 38027264}};
  EXPECT_EQ(shared_wavefronts(reader, hopper(512, 128)), 25693073);
}

TEST(NvidiaMetricsTest, LinksAreCountedByDirection) {
  const MapReader reader{{"lts__t_sectors_srcunit_tex_aperture_sysmem_op_read_lookup_miss.sum", 100},
                         {"lts__t_sectors_srcunit_tex_aperture_sysmem_op_write.sum", 7},
                         {"lts__t_sectors_srcunit_tex_aperture_sysmem_op_atom.sum", 1},
                         {"lts__t_sectors_srcunit_tex_aperture_sysmem_op_red.sum", 2}};
  const TrafficWork bytes = measurement_from_nvidia(reader, hopper(1, 1)).work.bytes;
  EXPECT_EQ(bytes.host_link_read->count(), 101 * 32);
  EXPECT_EQ(bytes.host_link_write->count(), 9 * 32);
  EXPECT_EQ(bytes.host_link->count(), 110 * 32);
  EXPECT_FALSE(bytes.peer_link_read);
}

TEST(NvidiaMetricsTest, ClocksAndPeaksAreThoseOfTheLaunch) {
  const MapReader reader{{"smsp__cycles_elapsed.avg.per_second", 1.967e9},
                         {"dram__cycles_elapsed.avg.per_second", 3.2e9},
                         {"dram__bytes.sum.peak_sustained", 1504},
                         {"lts__cycles_elapsed.sum", 9400},
                         {"lts__cycles_elapsed.avg", 100},
                         {"lts__cycles_elapsed.avg.per_second", 1.7e9},
                         {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 16896}};
  const Conditions c = measurement_from_nvidia(reader, hopper(1, 1)).conditions;
  EXPECT_DOUBLE_EQ(c.sm_clock->count(), 1.967e9);
  EXPECT_DOUBLE_EQ(c.dram_peak->count(), 1504 * 3.2e9);
  EXPECT_DOUBLE_EQ(*c.l2_slices, 94);
  EXPECT_DOUBLE_EQ(c.l2_peak->count(), 94 * 3 * 32 * 1.7e9);
  EXPECT_DOUBLE_EQ(*c.fp32_fma_per_clock, 16896);
}

TEST(NvidiaMetricsTest, SharesBecomeFractionsOfOne) {
  const MapReader reader{{"sm__warps_active.avg.pct_of_peak_sustained_active", 83.82},
                         {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 43.2},
                         {"sm__cycles_active.avg", 90},
                         {"sm__cycles_elapsed.avg", 100}};
  const Execution e = measurement_from_nvidia(reader, hopper(1, 1)).execution;
  EXPECT_DOUBLE_EQ(*e.achieved_occupancy, 0.8382);
  EXPECT_DOUBLE_EQ(*e.sm_active, 0.9);
  ASSERT_EQ(e.stalls.size(), 1u);
  EXPECT_EQ(e.stalls[0].name, "long_scoreboard");
}

}  // namespace
}  // namespace ridge
