// Declarations against the vendor's counters of every kernel, as tests/device/record_truth writes them.
#include <gtest/gtest.h>

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

TEST_F(LabTruthTest, EveryKernelAndSizeIsRecorded) {
  std::size_t wanted = 0;
  for (const KernelDeclaration& kernel : kernels()) wanted += kernel.truth.size();
  EXPECT_EQ(rows_.size(), wanted);
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
    const auto sum = [&](const char* what, const char* tail, double value) {
      const std::string ld = std::string("l1tex__t_") + tail + "_pipe_lsu_mem_global_op_ld.sum";
      const std::string copies = std::string("l1tex__t_") + tail + "_pipe_lsu_mem_global_op_ldgsts_cache_access.sum";
      auto measured = counted(row, {ld.c_str(), copies.c_str()});
      if (!measured) measured = counted(row, {ld.c_str()});
      expect_ratio(what, measured, value, least, 1, 0);
    };
    sum("load requests", "requests", *declared.global_load_requests);
    sum("load sectors", "sectors", *declared.global_load_sectors);
    expect_ratio("store requests", counted(row, {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}),
                 *declared.global_store_requests, 1, 1, 0);
    expect_ratio("store sectors", counted(row, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}),
                 *declared.global_store_sectors, 1, 1, 0);
  });
}

/// Arbitration adds a few per cent of wavefronts that no access pattern explains; up to 10 % were recorded.
constexpr double kArbitration = 1.15;

TEST_F(LabTruthTest, SharedMemoryIsWithinItsTolerance) {
  each([](const Row& row, const BoundKernel& kernel) {
    const AccessWork& declared = kernel.work.access;
    auto loads = counted(row, {"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_ldsm.sum"});
    if (!loads) loads = counted(row, {"smsp__sass_inst_executed_op_shared_ld.sum"});
    expect_ratio("shared loads", loads, *declared.shared_load_instructions, 1, 1, 0);
    expect_ratio("shared stores", counted(row, {"smsp__sass_inst_executed_op_shared_st.sum"}),
                 *declared.shared_store_instructions, 1, 1, 0);
    const double small = 64 * *counted(row, {"sms"});
    expect_ratio("shared load wavefronts", counted(row, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}),
                 *declared.shared_load_wavefronts, 1, kArbitration, small);
    expect_ratio("shared store wavefronts", counted(row, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}),
                 *declared.shared_store_wavefronts, 1, kArbitration, small);
  });
}

TEST_F(LabTruthTest, BytesAreWithinTheirTolerances) {
  each([](const Row& row, const BoundKernel& kernel) {
    const TrafficWork& declared = kernel.work.bytes;
    // At best each block's repetitions hit in L1; blocks of one SM can also share, and rows can be lost between passes.
    expect_ratio("L2 reads", counted(row, {"l1tex__m_xbar2l1tex_read_bytes.sum"}), declared.l2_read->count(), 0.5, 3.2,
                 1e5);
    expect_ratio("L2 writes", counted(row, {"l1tex__m_l1tex2xbar_write_bytes.sum"}), declared.l2_write->count(), 0.97,
                 1.1, 1e5);
    // What is written may stay in L2; L2 fetches 64 bytes where 32 were asked for.
    expect_ratio("DRAM reads", counted(row, {"dram__bytes_read.sum"}), declared.dram_read->count(), 0.98, 1.1, 4e6);
    constexpr double kL2 = 63e6;
    expect_ratio("DRAM writes", counted(row, {"dram__bytes_write.sum"}), declared.dram_write->count(), 1, 1.1, kL2);
  });
}

}  // namespace
}  // namespace ridge::lab
