#include "model/metric/catalogue.h"

#include <algorithm>
#include <array>

namespace ridge {
namespace {

constexpr auto kMore = Polarity::kMoreIsBetter;
constexpr auto kLess = Polarity::kLessIsBetter;
constexpr auto kPlain = Polarity::kNeutral;
constexpr auto kAdd = Combine::kSum;
constexpr auto kMean = Combine::kTimeWeighted;

constexpr std::array kMetrics{
    // clang-format off
    MetricInfo{"flops", "FLOP", "Floating-point operations of every unit and precision; a fused multiply-add is two. See docs/design/flop-counting.md.", Unit::kFlops, kPlain, kAdd, "the fp64, fp32 and fp16 instructions below, and sm__ops_path_tensor_*"},
    MetricInfo{"instructions.warp", "warp instructions", "Instructions executed by warps.", Unit::kCount, kLess, kAdd, "smsp__inst_executed.sum | sm__inst_executed.sum | inst_executed | share of peak of sm__inst_executed"},
    MetricInfo{"instructions.thread", "thread instructions", "Instructions executed by threads that were active.", Unit::kCount, kLess, kAdd, "smsp__thread_inst_executed.sum | warp instructions x smsp__thread_inst_executed_per_inst_executed.ratio"},
    MetricInfo{"instructions.fp64_add", "DADD", "Double-precision additions, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"},
    MetricInfo{"instructions.fp64_mul", "DMUL", "Double-precision multiplications, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
    MetricInfo{"instructions.fp64_fma", "DFMA", "Double-precision fused multiply-adds, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"},
    MetricInfo{"instructions.fp32_add", "FADD", "Single-precision additions, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"},
    MetricInfo{"instructions.fp32_mul", "FMUL", "Single-precision multiplications, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
    MetricInfo{"instructions.fp32_fma", "FFMA", "Single-precision fused multiply-adds, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    MetricInfo{"instructions.fp16_add", "HADD2", "Half-precision additions of a packed pair (fp16 or bf16), predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"},
    MetricInfo{"instructions.fp16_mul", "HMUL2", "Half-precision multiplications of a packed pair, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"},
    MetricInfo{"instructions.fp16_fma", "HFMA2", "Half-precision fused multiply-adds of a packed pair, predicated on; the compiler also loads constants with them.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"},
    MetricInfo{"instructions.integer", "integer instructions", "Integer instructions of threads, predicated on.", Unit::kCount, kPlain, kAdd, "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"},
    MetricInfo{"instructions.special_function", "special functions", "Warp instructions of the special-function (XU) pipe: sin, exp, rsqrt, conversions.", Unit::kCount, kPlain, kAdd, "sm__inst_executed_pipe_xu.sum | its share of peak (16 lanes per SM)"},
    MetricInfo{"instructions.load_store", "load/store instructions", "Warp instructions of the load/store pipe.", Unit::kCount, kPlain, kAdd, "sm__inst_executed_pipe_lsu.sum | its share of peak, where the pipe's rate is known"},
    MetricInfo{"instructions.branch", "branches", "Warp branch instructions.", Unit::kCount, kPlain, kAdd, "smsp__inst_executed_op_branch.sum"},
    MetricInfo{"instructions.alu", "ALU instructions", "Warp instructions of the ALU pipe: integer, logic, comparisons, conversions.", Unit::kCount, kPlain, kAdd, "sm__inst_executed_pipe_alu.sum | its share of peak, where the pipe's rate is known"},
    MetricInfo{"bytes.dram", "DRAM bytes", "Bytes read from and written to DRAM. What stays dirty in L2 at the end of a kernel is not written yet.", Unit::kBytes, kLess, kAdd, "read + write | dram__bytes.sum | dram__sectors.sum x 32 | dram__bytes.sum.per_second x time"},
    MetricInfo{"bytes.dram_read", "DRAM bytes read", "Bytes read from DRAM.", Unit::kBytes, kLess, kAdd, "dram__bytes_read.sum | dram__bytes_op_read.sum | dram__sectors_read.sum x 32 | dram__sectors_op_read.sum x 32"},
    MetricInfo{"bytes.dram_write", "DRAM bytes written", "Bytes written to DRAM.", Unit::kBytes, kLess, kAdd, "dram__bytes_write.sum | dram__bytes_op_write.sum | dram__sectors_write.sum x 32 | dram__sectors_op_write.sum x 32"},
    MetricInfo{"bytes.l2", "L2 bytes", "Every byte through L2's tag stage, whoever asked: SMs, the other L2 partition, copy engines.", Unit::kBytes, kLess, kAdd, "lts__t_bytes.sum | lts__t_sectors.sum x 32 | its share of peak"},
    MetricInfo{"bytes.l2_read", "bytes from L2 to the SMs", "Bytes that L2 sent to L1.", Unit::kBytes, kLess, kAdd, "l1tex__m_xbar2l1tex_read_bytes.sum | lts__t_sectors_srcunit_tex_op_read.sum x 32 | lts__lts2xbar_cycles_active.sum x 32"},
    MetricInfo{"bytes.l2_write", "bytes from the SMs to L2", "Bytes that L1 sent to L2.", Unit::kBytes, kLess, kAdd, "l1tex__m_l1tex2xbar_write_bytes.sum | lts__t_sectors_srcunit_tex_op_write.sum x 32"},
    MetricInfo{"bytes.l1", "L1 bytes", "Global and local memory through L1's tag stage. Bulk copies (TMA) bypass it.", Unit::kBytes, kLess, kAdd, "l1tex__t_bytes.sum | l1tex__t_sectors.sum x 32 | sectors of global and local loads, stores, atomics and reductions, textures and surfaces x 32"},
    MetricInfo{"bytes.shared", "shared-memory bytes", "Wavefronts of shared-memory instructions x 128, so conflicts count. Where only the data stage's total was collected it includes shuffles and one wavefront per warp.", Unit::kBytes, kLess, kAdd, "memory_l1_wavefronts_shared x 128, at most the next | l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld + st + atom.sum x 128 (without wgmma) | l1tex__data_pipe_lsu_wavefronts_mem_shared.sum x 128"},
    MetricInfo{"bytes.host_link", "host-link bytes", "Bytes of the host's memory that L2 read or wrote.", Unit::kBytes, kLess, kAdd, "lts__t_sectors_aperture_sysmem_op_read|write.sum x 32 | lts__t_sectors_srcunit_tex_aperture_sysmem_* x 32"},
    MetricInfo{"bytes.host_link_read", "host-link bytes read", "Bytes of the host's memory that L2 read.", Unit::kBytes, kLess, kAdd, "lts__t_sectors_aperture_sysmem_op_read.sum x 32 | lts__t_sectors_srcunit_tex_aperture_sysmem_op_read_lookup_miss|atom.sum x 32"},
    MetricInfo{"bytes.host_link_write", "host-link bytes written", "Bytes of the host's memory that L2 wrote.", Unit::kBytes, kLess, kAdd, "lts__t_sectors_aperture_sysmem_op_write.sum x 32 | lts__t_sectors_srcunit_tex_aperture_sysmem_op_write|red.sum x 32"},
    MetricInfo{"bytes.peer_link", "peer-link bytes", "Bytes of another GPU's memory that L2 read or wrote.", Unit::kBytes, kLess, kAdd, "lts__t_sectors_aperture_peer_op_read|write.sum x 32 | lts__t_sectors_srcunit_tex_aperture_peer_* x 32"},
    MetricInfo{"bytes.peer_link_read", "peer-link bytes read", "Bytes of another GPU's memory that L2 read.", Unit::kBytes, kLess, kAdd, "lts__t_sectors_aperture_peer_op_read.sum x 32 | lts__t_sectors_srcunit_tex_aperture_peer_op_read_lookup_miss|atom.sum x 32"},
    MetricInfo{"bytes.peer_link_write", "peer-link bytes written", "Bytes of another GPU's memory that L2 wrote.", Unit::kBytes, kLess, kAdd, "lts__t_sectors_aperture_peer_op_write.sum x 32 | lts__t_sectors_srcunit_tex_aperture_peer_op_write|red.sum x 32"},
    MetricInfo{"bytes.bulk_read", "bulk-copy bytes read", "Bytes that bulk copies (TMA) brought into shared memory.", Unit::kBytes, kPlain, kAdd, "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum"},
    MetricInfo{"bytes.bulk_write", "bulk-copy bytes written", "Bytes that bulk copies and reductions (TMA) took out of shared memory.", Unit::kBytes, kPlain, kAdd, "l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum + ..._tma_red.sum"},
    MetricInfo{"access.global_load_requests", "global load requests", "Warp-wide loads of global memory.", Unit::kCount, kPlain, kAdd, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    MetricInfo{"access.global_load_sectors", "global load sectors", "32-byte sectors that global loads touched.", Unit::kCount, kLess, kAdd, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    MetricInfo{"access.global_store_requests", "global store requests", "Warp-wide stores to global memory.", Unit::kCount, kPlain, kAdd, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    MetricInfo{"access.global_store_sectors", "global store sectors", "32-byte sectors that global stores touched.", Unit::kCount, kLess, kAdd, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    MetricInfo{"access.local_load_sectors", "local load sectors", "32-byte sectors of local memory (spills, indexed arrays) loaded.", Unit::kCount, kLess, kAdd, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
    MetricInfo{"access.local_store_sectors", "local store sectors", "32-byte sectors of local memory stored.", Unit::kCount, kLess, kAdd, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
    MetricInfo{"access.excess_sectors", "excess sectors", "Global sectors beyond what the accessed bytes need.", Unit::kCount, kLess, kAdd, "derived__memory_l2_theoretical_sectors_global_excessive"},
    MetricInfo{"access.l1_wavefronts", "L1 wavefronts", "Passes of the L1 data stage, for global, local and shared memory.", Unit::kCount, kLess, kAdd, "l1tex__data_pipe_lsu_wavefronts.sum | its share of peak (one per cycle and SM)"},
    MetricInfo{"access.shared_wavefronts", "shared-memory wavefronts", "Passes of the L1 data stage for shared memory.", Unit::kCount, kLess, kAdd, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"},
    MetricInfo{"access.shared_wavefronts_excess", "excess shared wavefronts", "Shared-memory wavefronts beyond one conflict-free pass per instruction.", Unit::kCount, kLess, kAdd, "derived__memory_l1_wavefronts_shared_excessive"},
    MetricInfo{"access.shared_bank_conflicts", "bank conflicts", "Bank conflicts as the hardware counts them, arbitration with other traffic included.", Unit::kCount, kLess, kAdd, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
    MetricInfo{"access.shared_load_instructions", "shared load instructions", "Warp-wide loads of shared memory.", Unit::kCount, kPlain, kAdd, "smsp__sass_inst_executed_op_shared_ld.sum"},
    MetricInfo{"access.shared_load_wavefronts", "shared load wavefronts", "Wavefronts those loads became.", Unit::kCount, kLess, kAdd, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    MetricInfo{"access.shared_store_instructions", "shared store instructions", "Warp-wide stores to shared memory.", Unit::kCount, kPlain, kAdd, "smsp__sass_inst_executed_op_shared_st.sum"},
    MetricInfo{"access.shared_store_wavefronts", "shared store wavefronts", "Wavefronts those stores became.", Unit::kCount, kLess, kAdd, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    MetricInfo{"access.l2_requests", "L2 requests", "Look-ups in L2's tags; a slice does one per cycle, however few bytes it moves.", Unit::kCount, kLess, kAdd, "lts__t_requests.sum | lts__t_tag_requests.sum | its share of peak"},
    MetricInfo{"execution.achieved_occupancy", "achieved occupancy", "Warps on an active SM, as a share of what it can hold.", Unit::kRatio, kPlain, kMean, "sm__warps_active.avg.pct_of_peak_sustained_active"},
    MetricInfo{"execution.theoretical_occupancy", "theoretical occupancy", "What the launch's registers, shared memory and block size allow of it.", Unit::kRatio, kPlain, kMean, "sm__maximum_warps_per_active_cycle_pct"},
    MetricInfo{"execution.limit_registers", "blocks by registers", "Blocks per SM that registers allow.", Unit::kCount, kPlain, kMean, "launch__occupancy_limit_registers"},
    MetricInfo{"execution.limit_shared", "blocks by shared memory", "Blocks per SM that shared memory allows.", Unit::kCount, kPlain, kMean, "launch__occupancy_limit_shared_mem"},
    MetricInfo{"execution.limit_warps", "blocks by warps", "Blocks per SM that warp slots allow.", Unit::kCount, kPlain, kMean, "launch__occupancy_limit_warps"},
    MetricInfo{"execution.limit_blocks", "blocks by block slots", "Blocks per SM that block slots allow.", Unit::kCount, kPlain, kMean, "launch__occupancy_limit_blocks"},
    MetricInfo{"execution.limit_barriers", "blocks by barriers", "Blocks per SM that barriers allow.", Unit::kCount, kPlain, kMean, "launch__occupancy_limit_barriers"},
    MetricInfo{"execution.waves_per_sm", "waves", "Times the grid fills every SM.", Unit::kNone, kPlain, kMean, "launch__waves_per_multiprocessor"},
    MetricInfo{"execution.threads_per_instruction", "threads per instruction", "Active threads of an executed warp instruction.", Unit::kNone, kMore, kMean, "smsp__thread_inst_executed_per_inst_executed.ratio"},
    MetricInfo{"execution.issue_active", "issue slots used", "Share of issue slots used while the SM was active.", Unit::kRatio, kMore, kMean, "smsp__issue_active.avg.pct_of_peak_sustained_active | smsp__issue_active.avg.per_cycle_active"},
    MetricInfo{"execution.sm_active", "SM active", "Share of the elapsed time an average SM had work.", Unit::kRatio, kMore, kMean, "sm__cycles_active.avg / sm__cycles_elapsed.avg"},
    MetricInfo{"execution.l1_hit_rate", "L1 hit rate", "Sectors found in L1.", Unit::kRatio, kMore, kMean, "l1tex__t_sector_hit_rate.pct"},
    MetricInfo{"execution.l2_hit_rate", "L2 hit rate", "Sectors found in L2.", Unit::kRatio, kMore, kMean, "lts__t_sector_hit_rate.pct | lts__average_t_sector_hit_rate.pct"},
    MetricInfo{"execution.tensor_active", "tensor pipe active", "Share of cycles the tensor pipe was busy; never turned into FLOP.", Unit::kRatio, kMore, kMean, "sm__pipe_tensor_type_*_cycles_active | sm__pipe_tensor_cycles_active | sm__inst_executed_pipe_tensor"},
    MetricInfo{"execution.compute_throughput", "vendor's SM throughput", "The profiler's own speed-of-light figure of the SM.", Unit::kRatio, kMore, kMean, "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    MetricInfo{"execution.memory_throughput", "vendor's memory throughput", "The profiler's own speed-of-light figure of memory.", Unit::kRatio, kMore, kMean, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    MetricInfo{"execution.dram_throughput", "vendor's DRAM throughput", "The same of DRAM alone; stands in where DRAM bytes were not collected.", Unit::kRatio, kMore, kMean, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    MetricInfo{"execution.l1_throughput", "vendor's L1 throughput", "The same of L1; stands in where wavefronts were not collected.", Unit::kRatio, kMore, kMean, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    MetricInfo{"execution.stalls", "stall reasons", "Warps held by each reason, per instruction issued.", Unit::kNone, kLess, kMean, "smsp__average_warps_issue_stalled_*_per_issue_active.ratio"},
    MetricInfo{"conditions.sm_clock", "SM clock", "Cycles per second of the SMs during the launch.", Unit::kHertz, kPlain, kMean, "smsp__cycles_elapsed.avg.per_second | sm | l1tex | gpc"},
    MetricInfo{"conditions.l2_clock", "L2 clock", "Cycles per second of L2.", Unit::kHertz, kPlain, kMean, "lts__cycles_elapsed.avg.per_second"},
    MetricInfo{"conditions.dram_clock", "DRAM clock", "Cycles per second of DRAM.", Unit::kHertz, kPlain, kMean, "dram__cycles_elapsed.avg.per_second"},
    MetricInfo{"conditions.dram_peak", "DRAM peak", "Bytes per second DRAM can move at that clock.", Unit::kBytesPerSecond, kPlain, kMean, "dram__bytes.sum.peak_sustained x dram__cycles_elapsed.avg.per_second"},
    MetricInfo{"conditions.l2_peak", "L2 peak", "Bytes per second L2's tag stage can pass at that clock.", Unit::kBytesPerSecond, kPlain, kMean, "lts__t_sectors.sum.peak_sustained x 32 x lts__cycles_elapsed.avg.per_second"},
    MetricInfo{"conditions.l2_slices", "L2 slices", "Slices of L2; each looks up one request per cycle.", Unit::kCount, kPlain, kMean, "lts__cycles_elapsed.sum / lts__cycles_elapsed.avg"},
    MetricInfo{"conditions.fp32_fma_per_clock", "FFMA per clock", "Single-precision fused multiply-adds of the whole chip per clock at peak.", Unit::kCount, kPlain, kMean, "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained"},
    MetricInfo{"conditions.fp64_fma_per_clock", "DFMA per clock", "Double-precision fused multiply-adds of the whole chip per clock at peak.", Unit::kCount, kPlain, kMean, "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained"},
    // clang-format on
};

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::kBytes:
      return "byte";
    case Unit::kFlops:
      return "FLOP";
    case Unit::kHertz:
      return "Hz";
    case Unit::kBytesPerSecond:
      return "byte/s";
    case Unit::kRatio:
      return "0..1";
    case Unit::kCount:
      return "count";
    default:
      return "";
  }
}

constexpr std::string_view kIntroduction =
    "# Metrics\n\n"
    "<!-- Written from src/model/metric/catalogue.cc; change it there. -->\n\n"
    "Every quantity a report is made from, by its path. `sum`: the launches of a group add up. `mean`: they are "
    "averaged,\nweighted by their duration. Counters are tried in the order given; a count may also be recorded as a "
    "rate per cycle\n(`.sum.per_cycle_elapsed`, times the elapsed cycles) or per second (`.sum.per_second`, times the "
    "duration). A quantity\nwhose counters were not collected is missing with a reason, never 0.\n\n"
    "| path | name | unit | launches | better | meaning | counters |\n"
    "|---|---|---|---|---|---|---|\n";

/// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string_view better(Polarity polarity) {
  if (polarity == Polarity::kNeutral) return "";
  return polarity == Polarity::kMoreIsBetter ? "more" : "less";
}

}  // namespace

std::string_view name(Polarity polarity) {
  switch (polarity) {
    case Polarity::kNeutral:
      return "neutral";
    case Polarity::kMoreIsBetter:
      return "more is better";
    case Polarity::kLessIsBetter:
      return "less is better";
  }
  return "neutral";
}

std::string_view name(Combine combine) {
  return combine == Combine::kSum ? "sum" : "time-weighted mean";
}

std::span<const MetricInfo> metric_catalogue() {
  return kMetrics;
}

const MetricInfo* find_metric(std::string_view id) {
  const auto at = std::find_if(kMetrics.begin(), kMetrics.end(), [&](const MetricInfo& info) { return info.id == id; });
  return at == kMetrics.end() ? nullptr : &*at;
}

std::string metric_reference() {
  std::string page(kIntroduction);
  for (const MetricInfo& info : kMetrics) {
    page.append("| `").append(info.id).append("` | ").append(info.name).append(" | ").append(unit_name(info.unit));
    page.append(" | ")
        .append(info.combine == Combine::kSum ? "sum" : "mean")
        .append(" | ")
        .append(better(info.polarity));
    page.append(" | ").append(cell(info.description)).append(" | ").append(cell(info.counters)).append(" |\n");
  }
  return page;
}

}  // namespace ridge
