// The emulator against the vendor's counters of the lab's kernels. Registers are estimated, as they are for anyone
// without a compiler. What is exempt, by how much and why is in kExempt; how the rest compares, in
// docs/design/emulator.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cli/truth_rows.h"

namespace ridge {
namespace {

using emulator::KernelRun;
using testing::emulated;
using testing::truth_rows;
using testing::TruthRow;

// Where the compiler or the hardware does what the emulator does not look at: the emulated value over the recorded one
// is between these bounds instead, so that a change is noticed here as well.
struct Exempt {
  std::string_view kernel, sizes;  ///< sizes empty: all
  std::string_view quantity;
  double least = 1, most = 1;
  std::string_view reason;
};
constexpr std::string_view kVectorised = "ptxas makes one load of 16 bytes of four neighbouring ones of 4";
constexpr std::string_view kArbitration =
    "stores that meet loads on their way take wavefronts that no address explains";
constexpr std::string_view kMerged = "SMs that ask for the same at about the same time are answered by one look-up";
constexpr std::string_view kSubnormal = "ex2 of less than -126, here the padding of rows, takes two mul more";
constexpr std::string_view kDrift =
    "sectors are pushed out half written, and read to be completed, as blocks drift apart";
constexpr std::string_view kTwice = "blocks drift apart so far that B is read twice in a wave";
constexpr std::string_view kPersistent =
    "blocks that walk many tiles drift apart, and find less of what others fetched";
constexpr auto kExempt = std::to_array<Exempt>({
    {"gemm_tiled", "", "shared load instructions", 1.59, 1.61, kVectorised},
    {"gemm_tiled", "", "shared load wavefronts", 1.32, 1.35, kVectorised},
    {"gemm_tiled", "", "shared store wavefronts", 0.84, 1, kArbitration},
    {"transpose_shared", "", "shared store wavefronts", 0.92, 1, kArbitration},
    {"reduce_vector", "", "shared store wavefronts", 0.92, 1, kArbitration},
    {"reduce_shuffle", "", "shared load wavefronts", 0.94, 1, kArbitration},
    {"dot", "", "shared store wavefronts", 0.93, 1, kArbitration},
    {"softmax_passes", "", "shared store wavefronts", 0.89, 1, kArbitration},
    {"gemm_vector", "", "shared store wavefronts", 0.93, 1, kArbitration},
    {"softmax_fused", "rows=2048 columns=4096", "mul", 0.66, 0.67, kSubnormal},
    {"transpose_naive", "", "DRAM read", 0.84, 1, kDrift},
    {"gemm_naive", "n=1024", "L2 sectors", 1, 1.2, kMerged},
    {"gemm_tiled", "n=1024", "L2 sectors", 1, 1.4, kMerged},
    {"gemm_register", "", "L2 sectors", 1, 1.45, kMerged},
    {"gemm_vector", "", "L2 sectors", 1, 1.45, kMerged},
    {"gemm_async", "", "L2 sectors", 1, 1.2, kMerged},
    {"gemm_tiled", "n=4096", "DRAM read", 0.48, 1, kTwice},
    {"gemm_wgmma_bf16", "", "L2 sectors", 0.88, 1, kPersistent},
    {"gemm_wgmma_bf16", "", "DRAM read", 0.8, 1, kPersistent},
});

const Exempt* exemption(const TruthRow& row, std::string_view quantity) {
  const auto found = std::find_if(kExempt.begin(), kExempt.end(), [&](const Exempt& each) {
    return each.kernel == row.kernel && (each.sizes.empty() || each.sizes == row.sizes) && each.quantity == quantity;
  });
  return found == kExempt.end() ? nullptr : &*found;
}

class EmulatedTruthTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const Result<KernelRun>& run = emulated(GetParam());
    ASSERT_TRUE(run) << to_string(run.error());
    run_ = &*run;
    EXPECT_TRUE(run_->faults.empty()) << run_->faults.front();
    EXPECT_TRUE(run_->skipped.empty()) << run_->skipped.front();
  }

  /// `tolerance`: relative, of what was recorded.
  void compare(std::string_view quantity, double value, double recorded, double tolerance) const {
    double least = 1 - tolerance, most = 1 + tolerance;
    const Exempt* exempt = exemption(row_, quantity);
    if (exempt != nullptr) least = exempt->least, most = exempt->most;
    constexpr double kRounding = 1e-9;  // of scaling a sample
    const bool within = value >= recorded * (least - kRounding) && value <= recorded * (most + kRounding);
    EXPECT_TRUE(within) << quantity << ": " << value << " emulated, " << recorded << " recorded"
                        << (recorded != 0 ? " (" + std::to_string(100 * (value / recorded - 1)) + " %)" : "");
  }
  [[nodiscard]] double recorded(const std::string& counter) const { return row_.recorded(counter); }
  [[nodiscard]] const Work& work() const { return run_->measurement.work; }

  const TruthRow& row_ = truth_rows().at(GetParam());
  const KernelRun* run_ = nullptr;
};

TEST_P(EmulatedTruthTest, ArithmeticIsIdentical) {
  const InstructionWork& counted = work().instructions;
  const auto op = [&](const char* name) {
    return recorded(std::string("smsp__sass_thread_inst_executed_op_") + name + "_pred_on.sum");
  };
  compare("add", *counted.fp32_add, op("fadd"), 0);
  compare("mul", *counted.fp32_mul, op("fmul"), 0);
  compare("fma", *counted.fp32_fma, op("ffma"), 0);
  double tensor = 0;
  for (const auto& each : work().compute) {
    if (each.key.unit == ComputeUnit::kTensor) tensor += each.amount->count();
  }
  compare("tensor", tensor, recorded("sm__ops_path_tensor_src_bf16_dst_fp32.sum"), 0);
  compare("XU", *counted.special_function, recorded("smsp__inst_executed_pipe_xu.sum"), 0);
}

TEST_P(EmulatedTruthTest, GlobalRequestsAndSectorsAreIdentical) {
  const AccessWork& access = work().access;
  const auto counter = [&](const char* what, const char* op) {
    return recorded(std::string("l1tex__t_") + what + "_pipe_lsu_mem_global_op_" + op + ".sum");
  };
  // Loads include asynchronous copies.
  compare("load requests", *access.global_load_requests, counter("requests", "ld"), 0);
  compare("load sectors", *access.global_load_sectors, counter("sectors", "ld"), 0);
  compare("store requests", *access.global_store_requests, counter("requests", "st"), 0);
  compare("store sectors", *access.global_store_sectors, counter("sectors", "st"), 0);
  const emulator::MemoryCounts& memory = run_->memory;
  const double scale = run_->sample.scale();
  compare("reductions", scale * static_cast<double>(memory.reductions.requests), counter("requests", "red"), 0);
  // How lanes that meet in a word share sectors is a rule of the model, not of PTX.
  compare("reduction sectors", scale * static_cast<double>(memory.reductions.sectors), counter("sectors", "red"), 0.02);
}

TEST_P(EmulatedTruthTest, SharedMemoryIsWithinFivePercent) {
  const AccessWork& access = work().access;
  const auto counter = [&](const char* op) {
    return recorded(std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_") + op + ".sum");
  };
  constexpr double kTolerance = 0.05;
  compare("shared load instructions", *access.shared_load_instructions,
          recorded("smsp__sass_inst_executed_op_shared_ld.sum") + recorded("smsp__inst_executed_op_ldsm.sum"), 0);
  compare("shared store instructions", *access.shared_store_instructions,
          recorded("smsp__sass_inst_executed_op_shared_st.sum"), 0);
  compare("shared load wavefronts", *access.shared_load_wavefronts, counter("ld"), kTolerance);
  compare("shared store wavefronts", *access.shared_store_wavefronts, counter("st"), kTolerance);
  const auto atomics = static_cast<double>(run_->memory.shared_atomics.wavefronts);
  compare("shared atomic wavefronts", run_->sample.scale() * atomics, counter("atom"), kTolerance);
}

TEST_P(EmulatedTruthTest, TrafficIsWithinTenPercent) {
  constexpr double kTolerance = 0.1, kWorthwhile = 1e6;
  const TrafficWork& bytes = work().bytes;
  compare("L2 sectors", bytes.l2->count() / 32, recorded("lts__t_sectors.sum"), kTolerance);
  compare("L2 to L1", bytes.l2_read->count(), recorded("l1tex__m_xbar2l1tex_read_bytes.sum"), kTolerance);
  compare("L1 to L2", bytes.l2_write->count(), recorded("l1tex__m_l1tex2xbar_write_bytes.sum"), kTolerance);
  const double read = recorded("dram__bytes_read.sum");
  if (read > kWorthwhile) compare("DRAM read", bytes.dram_read->count(), read, kTolerance);
}

// Predicted over measured time.
double time_ratio(std::size_t row) {
  const auto& run = emulated(row);
  if (!run || !run->time.total.has_value()) return std::nan("");
  constexpr double kNanoseconds = 1e9;
  return run->time.total->count() * kNanoseconds / truth_rows()[row].recorded("gpu__time_duration.sum");
}

TEST_P(EmulatedTruthTest, TimeIsNotOffByMoreThanTwo) {
  const double ratio = time_ratio(GetParam());
  EXPECT_GE(ratio, 0.5);
  EXPECT_LE(ratio, 2);
}

TEST(EmulatedTimeTest, IsWithinAQuarterInTheMedian) {
  ASSERT_FALSE(truth_rows().empty());
  std::vector<double> errors;
  for (std::size_t i = 0; i < truth_rows().size(); ++i) {
    const double ratio = time_ratio(i);
    ASSERT_FALSE(std::isnan(ratio)) << truth_rows()[i].name();
    errors.push_back(std::abs(ratio - 1));
  }
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  EXPECT_LE(*middle, 0.25);
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = truth_rows().at(info.param).name();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Lab, EmulatedTruthTest, ::testing::Range(std::size_t{0}, truth_rows().size()), name_of);

}  // namespace
}  // namespace ridge
