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

/// The sum of counters. The recording has all of them for every kernel: one that is not there is a failure.
double counted(const Row& row, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) {
    const auto at = row.find(name);
    double value = 0;
    const bool read =
        at != row.end() && !at->second.empty() &&
        std::from_chars(at->second.data(), at->second.data() + at->second.size(), value).ec == std::errc();
    if (!read) ADD_FAILURE() << name << " was not recorded";
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
      const auto bound = bind_kernel(*kernel, *sizes, static_cast<int>(counted(row, {"sms"})));
      ASSERT_TRUE(bound) << to_string(bound.error());
      SCOPED_TRACE(row.at("kernel") + " " + row.at("sizes"));
      compare(row, *bound);
    }
  }

  /// `least` to `most`: the band in which measured / declared must lie; `ignored`: bytes or counts that may be there
  /// besides.
  static void expect_ratio(const char* what, double measured, double declared, double least, double most,
                           double ignored) {
    EXPECT_GE(measured, least * declared - ignored) << what << " declared " << declared;
    EXPECT_LE(measured, most * declared + ignored) << what << " declared " << declared;
  }

  std::vector<Row> rows_;
};

TEST_F(LabTruthTest, EveryKernelAndSizeIsRecorded) {
  for (const KernelDeclaration& kernel : kernels()) {
    const auto recorded =
        std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.at("kernel") == kernel.id; });
    EXPECT_EQ(static_cast<std::size_t>(recorded), kernel.truth.size()) << kernel.id;
  }
}

TEST_F(LabTruthTest, FloatingPointInstructionsAreExact) {
  each([](const Row& row, const BoundKernel& kernel) {
    const auto op = [&](const char* name) {
      return counted(row, {(std::string("smsp__sass_thread_inst_executed_op_") + name + "_pred_on.sum").c_str()});
    };
    const InstructionWork& declared = kernel.work.instructions;
    EXPECT_EQ(op("fadd"), *declared.fp32_add);
    EXPECT_EQ(op("fmul"), *declared.fp32_mul);
    EXPECT_EQ(op("ffma"), *declared.fp32_fma);
    const auto expected = evaluate(kernel.declaration->work.tensor, kernel.variables);
    ASSERT_TRUE(expected);
    EXPECT_EQ(counted(row, {"sm__ops_path_tensor_src_bf16_dst_fp32.sum"}), *expected);
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

/// The declared reads are the least: each byte once through every level that cannot keep it. What must lie between that
/// and the other end is where caches lose data in between, and the other end is what the level above asked for.
struct Band {
  double least = 0, most = 0;
};

/// At most what the loads ask of L1, where L1 is expected to keep a row between passes. L1 of an SM can also serve
/// blocks from what others fetched, and then fewer bytes come than a block alone needs.
Band l2_read_band(const BoundKernel& kernel) {
  const double declared = kernel.work.bytes.l2_read->count();
  const double asked = 32 * *kernel.work.access.global_load_sectors;
  const bool kept_by_l1 = kernel.declaration->id == "softmax_passes";
  return {0.9 * declared, kept_by_l1 ? asked : 1.02 * declared};
}

/// At most what L1 asks of L2, where the operands come near what L2 (60 MiB) holds; and sectors that are written in
/// part may be read first.
Band dram_read_band(const BoundKernel& kernel) {
  const TrafficWork& bytes = kernel.work.bytes;
  const double declared = bytes.dram_read->count(), asked = bytes.l2_read->count();
  constexpr double kKept = 50 << 20, kOther = 1e5;               // kOther: instructions and arguments
  const bool at_once = kernel.declaration->ladder == "stencil";  // neighbouring rows, which L2 still holds
  const bool reused = !at_once && (asked > declared || kernel.declaration->id == "softmax_passes");
  const double passes = 32 * *kernel.work.access.global_load_sectors;
  double most = 1.03 * declared;
  if (reused && declared > kKept) most = std::max(asked, passes);
  const bool partial_writes =
      *kernel.work.access.excess_sectors > 0 && bytes.l2_write->count() > bytes.dram_write->count();
  if (partial_writes) most += bytes.dram_write->count();
  return {declared - kOther, most + kOther};
}

TEST_F(LabTruthTest, BytesAreWithinTheirTolerances) {
  each([](const Row& row, const BoundKernel& kernel) {
    const TrafficWork& declared = kernel.work.bytes;
    const auto expect_in = [](const char* what, double measured, Band band) {
      EXPECT_GE(measured, band.least) << what;
      EXPECT_LE(measured, band.most) << what;
    };
    expect_in("L2 reads", counted(row, {"l1tex__m_xbar2l1tex_read_bytes.sum"}), l2_read_band(kernel));
    expect_ratio("bulk reads", counted(row, {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"}),
                 declared.bulk_read->count(), 1, 1, 0);
    // L1 joins some half-written sectors.
    expect_ratio("L2 writes", counted(row, {"l1tex__m_l1tex2xbar_write_bytes.sum"}), declared.l2_write->count(), 0.96,
                 1.02, 0);
    expect_in("DRAM reads", counted(row, {"dram__bytes_read.sum"}), dram_read_band(kernel));
    // What was written may stay in L2, and what the program before wrote may leave it.
    constexpr double kL2 = 63e6, kLeftBehind = 4e6;
    expect_in("DRAM writes", counted(row, {"dram__bytes_write.sum"}),
              {declared.dram_write->count() - kL2, 1.03 * declared.dram_write->count() + kLeftBehind});
  });
}

TEST_F(LabTruthTest, TheModelOfOutgrownOperandsBoundsWhatWasRead) {
  int compared = 0;
  each([&](const Row& row, const BoundKernel& kernel) {
    if (kernel.declaration->dram_read_outgrown.empty() || kernel.variables.at("n") < 4096) return;
    const auto modelled = evaluate(kernel.declaration->dram_read_outgrown, kernel.variables);
    ASSERT_TRUE(modelled);
    const double read = counted(row, {"dram__bytes_read.sum"});
    EXPECT_GT(read, 2 * kernel.work.bytes.dram_read->count()) << "L2 kept the operands";
    EXPECT_LE(read, *modelled);
    ++compared;
  });
  EXPECT_EQ(compared, 2);
}

}  // namespace
}  // namespace ridge::lab
