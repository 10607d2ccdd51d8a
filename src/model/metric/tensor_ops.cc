#include "model/metric/tensor_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace ridge {
namespace {

constexpr std::string_view kPrefix = "sm__ops_path_tensor_";

/// One counter after the prefix, without "_sparsity_off|on". A row whose name does not say the instruction (op_...) is
/// reached through `path` on the capabilities given.
struct Row {
  std::string_view name;
  DataType type;
  TensorPath path;
  Accumulator accumulator;
  int from, to;    ///< compute capability x 10, inclusive
  bool aggregate;  ///< over every path and sparsity
};

constexpr auto kMma = TensorPath::kMmaSync;
constexpr auto kWgmma = TensorPath::kWgmma;
constexpr auto kTc5 = TensorPath::kTcgen05;
constexpr auto kAcc16 = Accumulator::kFp16;
constexpr auto kAcc32 = Accumulator::kFp32;
constexpr auto kAnyAcc = Accumulator::kAny;

// A type that mixes narrow formats (fp4_fp6_fp8) runs at its widest member's rate and is booked there.
constexpr std::array kRows{
    // Turing
    Row{"src_fp16_bf16_tf32_dst_fp32", DataType::kFp16, kMma, kAcc32, 75, 75, false},
    Row{"src_fp16_dst_fp16", DataType::kFp16, kMma, kAcc16, 75, 89, false},
    Row{"src_int8", DataType::kInt8, kMma, kAnyAcc, 75, 89, false},
    Row{"src_int4", DataType::kInt4, kMma, kAnyAcc, 75, 89, false},
    Row{"src_int1", DataType::kInt1, kMma, kAnyAcc, 75, 89, false},
    // Ampere, Ada
    Row{"src_bf16_dst_fp32", DataType::kBf16, kMma, kAcc32, 80, 89, false},
    Row{"src_fp16_dst_fp32", DataType::kFp16, kMma, kAcc32, 80, 89, false},
    Row{"src_tf32_dst_fp32", DataType::kTf32, kMma, kAcc32, 80, 89, false},
    Row{"src_fp64", DataType::kFp64, kMma, kAnyAcc, 80, 129, false},
    Row{"src_fp8", DataType::kFp8, kMma, kAnyAcc, 89, 89, false},
    // by instruction: Hopper and later
    Row{"op_hmma_src_bf16_dst_fp32", DataType::kBf16, kMma, kAcc32, 90, 129, false},
    Row{"op_hmma_src_fp16_dst_fp16", DataType::kFp16, kMma, kAcc16, 90, 129, false},
    Row{"op_hmma_src_fp16_dst_fp32", DataType::kFp16, kMma, kAcc32, 90, 129, false},
    Row{"op_hmma_src_tf32_dst_fp32", DataType::kTf32, kMma, kAcc32, 90, 129, false},
    Row{"op_imma_src_int8", DataType::kInt8, kMma, kAnyAcc, 90, 129, false},
    Row{"op_imma_src_int4", DataType::kInt4, kMma, kAnyAcc, 90, 129, false},
    Row{"op_bmma_src_int1", DataType::kInt1, kMma, kAnyAcc, 90, 129, false},
    Row{"op_hgmma_src_bf16_dst_fp32", DataType::kBf16, kWgmma, kAcc32, 90, 90, false},
    Row{"op_hgmma_src_fp16", DataType::kFp16, kWgmma, kAnyAcc, 90, 90, false},
    Row{"op_hgmma_src_tf32_dst_fp32", DataType::kTf32, kWgmma, kAcc32, 90, 90, false},
    Row{"op_igmma_src_int8", DataType::kInt8, kWgmma, kAnyAcc, 90, 90, false},
    Row{"op_bgmma_src_int1", DataType::kInt1, kWgmma, kAnyAcc, 90, 90, false},
    Row{"src_fp8", DataType::kFp8, kWgmma, kAnyAcc, 90, 90, false},
    // data-centre Blackwell
    Row{"op_utchmma_src_bf16_dst_fp32", DataType::kBf16, kTc5, kAcc32, 100, 119, false},
    Row{"op_utchmma_src_fp16_dst_fp16", DataType::kFp16, kTc5, kAcc16, 100, 119, false},
    Row{"op_utchmma_src_fp16_dst_fp32", DataType::kFp16, kTc5, kAcc32, 100, 119, false},
    Row{"op_utchmma_src_tf32_dst_fp32", DataType::kTf32, kTc5, kAcc32, 100, 119, false},
    Row{"op_utcimma_src_int8", DataType::kInt8, kTc5, kAnyAcc, 100, 119, false},
    Row{"op_utcomma_src_fp4_dst_fp32", DataType::kFp4, kTc5, kAcc32, 100, 119, false},
    Row{"op_utcqmma_src_fp4_fp6_fp8_dst_fp16", DataType::kFp8, kTc5, kAcc16, 100, 119, false},
    Row{"op_utcqmma_src_fp4_fp6_fp8_dst_fp32", DataType::kFp8, kTc5, kAcc32, 100, 119, false},
    Row{"op_utcqmma_src_fp8_dst_fp16", DataType::kFp8, kTc5, kAcc16, 100, 119, false},
    Row{"op_utcqmma_src_fp8_dst_fp32", DataType::kFp8, kTc5, kAcc32, 100, 119, false},
    Row{"op_utcqmma_src_fp4_fp6_dst_fp16", DataType::kFp6, kTc5, kAcc16, 100, 119, false},
    Row{"op_utcqmma_src_fp4_fp6_dst_fp32", DataType::kFp6, kTc5, kAcc32, 100, 119, false},
    // GeForce Blackwell and GB10
    Row{"src_fp4_dst_fp32", DataType::kFp4, kMma, kAcc32, 120, 129, false},
    Row{"src_fp4_fp6_dst_fp16", DataType::kFp6, kMma, kAcc16, 120, 129, false},
    Row{"src_fp4_fp6_dst_fp32", DataType::kFp6, kMma, kAcc32, 120, 129, false},
    Row{"src_fp8_dst_fp16", DataType::kFp8, kMma, kAcc16, 120, 129, false},
    Row{"src_fp8_dst_fp32", DataType::kFp8, kMma, kAcc32, 120, 129, false},
    // over every path; their recorded peak is the sparse rate, so they never serve as a roof
    Row{"src_bf16_dst_fp32", DataType::kBf16, TensorPath::kAny, kAcc32, 90, 129, true},
    Row{"src_fp16", DataType::kFp16, TensorPath::kAny, kAnyAcc, 90, 129, true},
    Row{"src_fp16_dst_fp16", DataType::kFp16, TensorPath::kAny, kAcc16, 100, 129, true},
    Row{"src_fp16_dst_fp32", DataType::kFp16, TensorPath::kAny, kAcc32, 100, 129, true},
    Row{"src_tf32_dst_fp32", DataType::kTf32, TensorPath::kAny, kAcc32, 90, 129, true},
    Row{"src_int8", DataType::kInt8, TensorPath::kAny, kAnyAcc, 90, 129, true},
    Row{"src_int1", DataType::kInt1, TensorPath::kAny, kAnyAcc, 90, 129, true},
    Row{"src_fp4_dst_fp32", DataType::kFp4, TensorPath::kAny, kAcc32, 100, 119, true},
    Row{"src_fp4_fp6_fp8_dst_fp16", DataType::kFp8, TensorPath::kAny, kAcc16, 100, 119, true},
    Row{"src_fp4_fp6_fp8_dst_fp32", DataType::kFp8, TensorPath::kAny, kAcc32, 100, 119, true},
};

/// Every row fits a capability that is not known (0).
bool fits(const Row& row, int capability) {
  return capability == 0 || (row.from <= capability && capability <= row.to);
}

/// A name that means the same counter as an earlier row (several generations share spellings).
bool read_before(std::size_t index, int capability) {
  return std::any_of(kRows.begin(), kRows.begin() + static_cast<std::ptrdiff_t>(index), [&](const Row& row) {
    return row.name == kRows[index].name && !row.aggregate && fits(row, capability);
  });
}

bool has_aggregate(std::string_view name, int capability) {
  return std::any_of(kRows.begin(), kRows.end(),
                     [&](const Row& row) { return row.name == name && row.aggregate && fits(row, capability); });
}

/// An aggregate that exceeds its parts by less than this share is explained by them; the recording rounds.
constexpr double kUnexplainedShare = 1e-3;

class Collector {
 public:
  explicit Collector(const Counters& counters) : counters_(counters) {}

  /// Dense and sparse apart; the bare name only where they are not told apart and it is no aggregate.
  void add_row(const Row& row, bool bare_name_is_aggregate) {
    const bool dense = add(row, "_sparsity_off", Sparsity::kDense);
    const bool sparse = add(row, "_sparsity_on", Sparsity::kSparse);
    if (!dense && !sparse && !bare_name_is_aggregate) add(row, "", Sparsity::kDense);
  }

  /// Books what the aggregate counts beyond the parts of its type, as dense work on an unknown path.
  void add_aggregate(const Row& row) {
    const Value<double> total = read(row, "");
    if (!total) return;
    work_.counted = true;
    double explained = 0;
    for (const ComputeWork& part : work_.parts) {
      if (part.key.type == row.type &&
          (row.accumulator == kAnyAcc || part.key.accumulator == row.accumulator || part.key.accumulator == kAnyAcc)) {
        explained += part.amount->count();
      }
    }
    const double rest = *total - explained;
    if (rest > kUnexplainedShare * *total) book(row, Sparsity::kDense, Value<double>(rest, total.provenance()));
  }

  [[nodiscard]] TensorWork take() { return std::move(work_); }

 private:
  [[nodiscard]] Value<double> read(const Row& row, std::string_view suffix) {
    name_.assign(kPrefix).append(row.name).append(suffix);
    return counters_.count(name_, "sm");
  }

  bool add(const Row& row, std::string_view suffix, Sparsity sparsity) {
    const Value<double> amount = read(row, suffix);
    if (!amount) return false;
    work_.counted = true;
    if (*amount > 0) book(row, sparsity, amount);
    return true;
  }

  void book(const Row& row, Sparsity sparsity, const Value<double>& amount) {
    const ComputeKey key = tensor(row.type, row.path, sparsity, row.accumulator);
    work_.parts.push_back({key, transform(amount, [](double x) { return Flops(x); })});
  }

  const Counters& counters_;
  TensorWork work_;
  std::string name_;
};

/// Names that libraries give kernels which use tensor cores.
constexpr std::array kTensorNames{std::string_view("tensorop"), std::string_view("hmma"),   std::string_view("imma"),
                                  std::string_view("wgmma"),    std::string_view("hgmma"),  std::string_view("s1688"),
                                  std::string_view("s16816"),   std::string_view("xmma"),   std::string_view("s884"),
                                  std::string_view("utcmma"),   std::string_view("utchmma")};

/// Parts of the same names that say the ordinary cores do the work.
constexpr std::array kCoreNames{std::string_view("ffma"), std::string_view("simt")};

bool name_suggests_tensor(std::string_view kernel) {
  const auto is_part = [&](std::string_view part) { return kernel.find(part) != std::string_view::npos; };
  return std::any_of(kTensorNames.begin(), kTensorNames.end(), is_part) &&
         std::none_of(kCoreNames.begin(), kCoreNames.end(), is_part);
}

/// Shares of the tensor pipe's peak above which it did matrix work. HFMA2 runs on that pipe up to Hopper: counters that
/// include it show 0.02 % for one such instruction per thread of a long kernel, and 2.3 % was recorded of a short one.
constexpr double kStrictActivity = 0.001;
constexpr double kLooseActivity = 0.05;

/// Activity of matrix instructions alone; missing where only counters that include HFMA2 were collected.
Value<double> matrix_activity(const Counters& counters) {
  const Value<double> most = counters.share(
      {"sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed"});
  if (!most) return most;
  const Value<double> fp64 = counters.share({"sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                             "sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_active"});
  return fp64 ? most + fp64 : most;
}

/// Activity of the tensor pipe, whatever ran on it.
Value<double> pipe_activity(const Counters& counters) {
  return counters.share({"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
                         "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
                         "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active",
                         "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
                         "sm__pipe_tensor_op_hmma_cycles_active_v2.avg.pct_of_peak_sustained_active",
                         "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active",
                         "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active"});
}

}  // namespace

TensorWork tensor_work(const Counters& counters, const LaunchFacts& facts) {
  const int capability = facts.capability_major * 10 + facts.capability_minor;
  Collector collector(counters);
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (!kRows[i].aggregate && fits(kRows[i], capability) && !read_before(i, capability)) {
      collector.add_row(kRows[i], has_aggregate(kRows[i].name, capability));
    }
  }
  for (const Row& row : kRows) {
    if (row.aggregate && fits(row, capability)) collector.add_aggregate(row);
  }
  return collector.take();
}

bool tensor_cores_were_used(const Counters& counters, const LaunchFacts& facts) {
  const Value<double> matrix = matrix_activity(counters);
  if (matrix) return *matrix > kStrictActivity;
  const bool named = name_suggests_tensor(facts.kernel_name);
  const Value<double> pipe = pipe_activity(counters);
  if (pipe) return *pipe > (named ? kStrictActivity : kLooseActivity);
  const Value<double> executed =
      counters.first({"sm__inst_executed_pipe_tensor.sum", "smsp__inst_executed_pipe_tensor.sum",
                      "sm__inst_executed_pipe_tensor_op_gmma.sum", "sm__inst_executed_pipe_tensor_op_hmma.sum"});
  if (!executed) return named;
  const Value<double> all = counters.first({"smsp__inst_executed.sum", "sm__inst_executed.sum"});
  return *executed > (named || !all ? 0 : kLooseActivity * *all);
}

}  // namespace ridge
