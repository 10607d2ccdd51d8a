// Declarations against the vendor's counters of every kernel, as tests/device/record_truth writes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "lab/declare/bind.h"
#include "lab/declare/registry.h"

namespace ridge::lab {
namespace {

using Row = std::map<std::string, std::string>;

std::filesystem::path truth_path() {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/data/h200/lab_truth.csv";
}

/// Cells hold no commas: sizes are separated by blanks.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (line.ends_with(',')) cells.emplace_back();
  return cells;
}

std::vector<Row> read_truth() {
  std::ifstream file(truth_path());
  std::vector<Row> rows;
  std::string line;
  if (!std::getline(file, line)) return rows;
  const std::vector<std::string> titles = split(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    Row row;
    for (std::size_t i = 0; i < titles.size() && i < cells.size(); ++i) row[titles[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The sum of counters; nullopt if one was not recorded.
std::optional<double> counted(const Row& row, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) {
    const auto at = row.find(name);
    if (at == row.end() || at->second.empty()) return std::nullopt;
    double value = 0;
    std::from_chars(at->second.data(), at->second.data() + at->second.size(), value);
    sum += value;
  }
  return sum;
}

class LabTruthTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(truth_path())) GTEST_SKIP() << "no recording yet: tests/device/record_truth makes it";
    rows_ = read_truth();
    ASSERT_FALSE(rows_.empty());
  }

  template <class Compare>
  void each(Compare compare) {
    for (const Row& row : rows_) {
      const KernelDeclaration* kernel = find_kernel(row.at("kernel"));
      ASSERT_NE(kernel, nullptr) << row.at("kernel");
      const auto sizes = parse_sizes(row.at("sizes"));
      ASSERT_TRUE(sizes);
      const auto bound = bind_kernel(*kernel, *sizes, static_cast<int>(*counted(row, {"sms"})));
      ASSERT_TRUE(bound) << to_string(bound.error());
      SCOPED_TRACE(row.at("kernel") + " " + row.at("sizes"));
      compare(row, *bound);
    }
  }

  /// `least` to `most`: the band in which measured / declared must lie; `ignored`: bytes or counts that may be there
  /// besides.
  static void expect_ratio(const char* what, std::optional<double> measured, double declared, double least, double most,
                           double ignored) {
    if (!measured) return;
    EXPECT_GE(*measured, least * declared - ignored) << what << " declared " << declared;
    EXPECT_LE(*measured, most * declared + ignored) << what << " declared " << declared;
  }

  std::vector<Row> rows_;
};

/// Changed since the recording was made; the next one has them, and then this list must be empty again.
constexpr std::string_view kToBeRecorded[] = {"reduce_interleaved", "reduce_sequential", "reduce_shuffle"};

TEST_F(LabTruthTest, EveryKernelAndSizeIsRecorded) {
  for (const KernelDeclaration& kernel : kernels()) {
    const auto recorded =
        std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.at("kernel") == kernel.id; });
    const bool waiting =
        std::find(std::begin(kToBeRecorded), std::end(kToBeRecorded), kernel.id) != std::end(kToBeRecorded);
    EXPECT_EQ(static_cast<std::size_t>(recorded), waiting ? 0 : kernel.truth.size()) << kernel.id;
  }
}

TEST_F(LabTruthTest, FloatingPointInstructionsAreExact) {
  each([](const Row& row, const BoundKernel& kernel) {
    const auto op = [&](const char* name) {
      return counted(row, {(std::string("smsp__sass_thread_inst_executed_op_") + name + "_pred_on.sum").c_str()});
    };
    const InstructionWork& declared = kernel.work.instructions;
    EXPECT_EQ(op("fadd").value_or(*declared.fp32_add), *declared.fp32_add);
    EXPECT_EQ(op("fmul").value_or(*declared.fp32_mul), *declared.fp32_mul);
    EXPECT_EQ(op("ffma").value_or(*declared.fp32_fma), *declared.fp32_fma);
    const auto tensor = counted(row, {"sm__ops_path_tensor_src_bf16_dst_fp32.sum"});
    const auto expected = evaluate(kernel.declaration->work.tensor, kernel.variables);
    EXPECT_EQ(tensor.value_or(*expected), *expected);
  });
}

TEST_F(LabTruthTest, RequestsAndSectorsAreExact) {
  each([](const Row& row, const BoundKernel& kernel) {
    const AccessWork& declared = kernel.work.access;
    // a random gather meets a sector twice now and then
    const double least = kernel.declaration->id == "gathered_read" ? 0.999 : 1;
    expect_ratio("load requests", counted(row, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}),
                 *declared.global_load_requests, 1, 1, 0);
    expect_ratio("load sectors", counted(row, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}),
                 *declared.global_load_sectors, least, 1, 0);
    expect_ratio("store requests", counted(row, {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}),
                 *declared.global_store_requests, 1, 1, 0);
    expect_ratio("store sectors", counted(row, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}),
                 *declared.global_store_sectors, 1, 1, 0);
  });
}

/// Arbitration adds wavefronts that no access pattern explains: 16 % of the tiled product's stores, mostly far less.
constexpr double kArbitration = 1.2;

TEST_F(LabTruthTest, SharedMemoryIsWithinItsTolerance) {
  each([](const Row& row, const BoundKernel& kernel) {
    const AccessWork& declared = kernel.work.access;
    expect_ratio("shared loads",
                 counted(row, {"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_ldsm.sum"}),
                 *declared.shared_load_instructions, 1, 1, 0);
    expect_ratio("shared stores", counted(row, {"smsp__sass_inst_executed_op_shared_st.sum"}),
                 *declared.shared_store_instructions, 1, 1, 0);
    expect_ratio("shared load wavefronts", counted(row, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}),
                 *declared.shared_load_wavefronts, 1, kArbitration, 0);
    expect_ratio("shared store wavefronts", counted(row, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}),
                 *declared.shared_store_wavefronts, 1, kArbitration, 0);
    const auto atomics = evaluate(kernel.declaration->work.shared_atomic_wavefronts, kernel.variables);
    expect_ratio("shared atomic wavefronts", counted(row, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"}),
                 *atomics, 0.99, 1.01, 0);
  });
}

/// Loads that straddle two lines take one wavefront where their banks differ (stencil_rows); data of L1 misses and
/// instructions with no active lane take some that nothing here counts.
TEST_F(LabTruthTest, TheDataStageIsWithinAQuarter) {
  each([](const Row& row, const BoundKernel& kernel) {
    expect_ratio("wavefronts", counted(row, {"l1tex__data_pipe_lsu_wavefronts.sum"}), *kernel.work.access.l1_wavefronts,
                 0.8, 1.25, 0);
  });
}

struct Band {
  double least = 0, most = 0;
};

/// L1 of an SM can serve blocks from what others fetched; softmax loses rows between its passes.
Band l2_read_band(std::string_view id) {
  return id == "softmax_passes" ? Band{1, 3} : Band{0.9, 1.02};
}

/// Once the operands outgrow L2 the declared best case is far off: matrix products, and rows read again.
Band dram_read_band(const BoundKernel& kernel) {
  const std::string_view id = kernel.declaration->id, ladder = kernel.declaration->ladder;
  if (ladder == "gemm_tensor") return {1, 3};
  if (id == "softmax_passes" || id == "transpose_naive") return {1, 1.25};
  if (ladder == "gemm" && kernel.variables.at("n") > 2048) return {1, 65};
  return {1, 1.03};
}

TEST_F(LabTruthTest, BytesAreWithinTheirTolerances) {
  each([](const Row& row, const BoundKernel& kernel) {
    const TrafficWork& declared = kernel.work.bytes;
    const Band l2 = l2_read_band(kernel.declaration->id);
    expect_ratio("L2 reads", counted(row, {"l1tex__m_xbar2l1tex_read_bytes.sum"}), declared.l2_read->count(), l2.least,
                 l2.most, 0);
    expect_ratio("bulk reads", counted(row, {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"}),
                 declared.bulk_read->count(), 1, 1, 0);
    // L1 joins some half-written sectors.
    expect_ratio("L2 writes", counted(row, {"l1tex__m_l1tex2xbar_write_bytes.sum"}), declared.l2_write->count(), 0.96,
                 1.02, 0);
    const Band dram = dram_read_band(kernel);
    constexpr double kOther = 1e5;  // instructions, arguments
    expect_ratio("DRAM reads", counted(row, {"dram__bytes_read.sum"}), declared.dram_read->count(), dram.least,
                 dram.most, kOther);
    // What was written may stay in L2, and what the program before wrote may leave it.
    const auto written = counted(row, {"dram__bytes_write.sum"});
    constexpr double kL2 = 63e6, kLeftBehind = 4e6;
    if (written) {
      EXPECT_GE(*written, declared.dram_write->count() - kL2);
      EXPECT_LE(*written, 1.03 * declared.dram_write->count() + kLeftBehind);
    }
  });
}

TEST_F(LabTruthTest, TheModelOfOutgrownOperandsBoundsWhatWasRead) {
  int compared = 0;
  each([&](const Row& row, const BoundKernel& kernel) {
    if (kernel.declaration->dram_read_outgrown.empty() || kernel.variables.at("n") < 4096) return;
    const auto modelled = evaluate(kernel.declaration->dram_read_outgrown, kernel.variables);
    expect_ratio("DRAM reads", counted(row, {"dram__bytes_read.sum"}), *modelled, 0.45, 1, 0);
    ++compared;
  });
  EXPECT_EQ(compared, 2);
}

}  // namespace
}  // namespace ridge::lab
