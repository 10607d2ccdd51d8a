#include "importers/ncu/details_names.h"

#include <algorithm>
#include <cctype>

namespace ridge::ncu {
namespace {

struct Detail {
  std::string_view name;
  std::string_view unit;  ///< base unit that tells two metrics of one name apart; empty: any
  std::string_view metric;
};

// Recorded from the pages and the report of one run (2025.3), where each of these agreed on twelve launches; the older
// spellings are those of 2019 to 2021.
constexpr Detail kDetails[] = {
    {"DRAM Frequency", "", "dram__cycles_elapsed.avg.per_second"},
    {"SM Frequency", "", "gpc__cycles_elapsed.avg.per_second"},
    {"Elapsed Cycles", "", "gpc__cycles_elapsed.max"},
    {"Duration", "", "gpu__time_duration.sum"},
    {"Memory Throughput", "%", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory Throughput", "byte/s", "dram__bytes.sum.per_second"},
    {"Memory [%]", "", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory %", "", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"DRAM Throughput", "%", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL DRAM", "", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL FB", "", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", "%", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"SOL L1/TEX Cache", "", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"SOL TEX", "", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", "%", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL L2 Cache", "", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL L2", "", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) [%]", "", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SM [%]", "", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SM %", "", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SOL SM", "", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SM Active Cycles", "", "sm__cycles_active.avg"},
    {"Executed Ipc Active", "", "sm__inst_executed.avg.per_cycle_active"},
    {"Executed Ipc Elapsed", "", "sm__inst_executed.avg.per_cycle_elapsed"},
    {"Issued Ipc Active", "", "sm__inst_issued.avg.per_cycle_active"},
    {"Mem Busy", "%", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Max Bandwidth", "%", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Hit Rate", "", "l1tex__t_sector_hit_rate.pct"},
    {"L1 Hit Rate", "", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "", "lts__t_sector_hit_rate.pct"},
    {"Mem Pipes Busy", "%", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L2 Compression Input Sectors", "", "lrc__ilc_input_sectors.sum"},
    {"L2 Persisting Size", "", "launch__persisting_l2_cache_size"},
    {"One or More Eligible", "%", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    {"No Eligible", "%", "smsp__issue_inst0.avg.pct_of_peak_sustained_active"},
    {"Issued Warp Per Scheduler", "", "smsp__issue_active.avg.per_cycle_active"},
    {"Active Warps Per Scheduler", "", "smsp__warps_active.avg.per_cycle_active"},
    {"Eligible Warps Per Scheduler", "", "smsp__warps_eligible.avg.per_cycle_active"},
    {"Warp Cycles Per Issued Instruction", "", "smsp__average_warp_latency_per_inst_issued.ratio"},
    {"Warp Cycles Per Executed Instruction", "", "smsp__average_warps_active_per_inst_executed.ratio"},
    {"Avg. Active Threads Per Warp", "", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Avg. Not Predicated Off Threads Per Warp", "", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
    {"Avg. Executed Instructions Per Scheduler", "", "smsp__inst_executed.avg"},
    {"Executed Instructions", "", "smsp__inst_executed.sum"},
    {"Avg. Issued Instructions Per Scheduler", "", "smsp__inst_issued.avg"},
    {"Issued Instructions", "", "smsp__inst_issued.sum"},
    {"Block Size", "", "launch__block_size"},
    {"Grid Size", "", "launch__grid_size"},
    {"Cluster Size", "", "launch__cluster_size"},
    {"Registers Per Thread", "", "launch__registers_per_thread"},
    {"Shared Memory Configuration Size", "", "launch__shared_mem_config_size"},
    {"Driver Shared Memory Per Block", "", "launch__shared_mem_per_block_driver"},
    {"Dynamic Shared Memory Per Block", "", "launch__shared_mem_per_block_dynamic"},
    {"Static Shared Memory Per Block", "", "launch__shared_mem_per_block_static"},
    {"# SMs", "", "launch__sm_count"},
    {"# TPCs", "", "launch__tpc_count"},
    {"Stack Size", "", "launch__stack_size"},
    {"Threads", "", "launch__thread_count"},
    {"Waves Per SM", "", "launch__waves_per_multiprocessor"},
    {"Max Active Clusters", "", "launch__cluster_max_active"},
    {"Max Cluster Size", "", "launch__cluster_max_potential_size"},
    {"Block Limit Barriers", "", "launch__occupancy_limit_barriers"},
    {"Block Limit SM", "", "launch__occupancy_limit_blocks"},
    {"Block Limit Registers", "", "launch__occupancy_limit_registers"},
    {"Block Limit Shared Mem", "", "launch__occupancy_limit_shared_mem"},
    {"Block Limit Warps", "", "launch__occupancy_limit_warps"},
    {"Theoretical Active Warps per SM", "", "sm__maximum_warps_avg_per_active_cycle"},
    {"Theoretical Occupancy", "", "sm__maximum_warps_per_active_cycle_pct"},
    {"Achieved Occupancy", "", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"Achieved Active Warps Per SM", "", "sm__warps_active.avg.per_cycle_active"},
    {"Average DRAM Active Cycles", "", "dram__cycles_active.avg"},
    {"Total DRAM Elapsed Cycles", "", "dram__cycles_elapsed.sum"},
    {"Average L1 Active Cycles", "", "l1tex__cycles_active.avg"},
    {"Total L1 Elapsed Cycles", "", "l1tex__cycles_elapsed.sum"},
    {"Average L2 Active Cycles", "", "lts__cycles_active.avg"},
    {"Total L2 Elapsed Cycles", "", "lts__cycles_elapsed.sum"},
    {"Average SM Active Cycles", "", "sm__cycles_active.avg"},
    {"Total SM Elapsed Cycles", "", "sm__cycles_elapsed.sum"},
    {"Average SMSP Active Cycles", "", "smsp__cycles_active.avg"},
    {"Total SMSP Elapsed Cycles", "", "smsp__cycles_elapsed.sum"},
    {"Branch Instructions", "", "smsp__inst_executed_op_branch.sum"},
    {"Branch Efficiency", "", "smsp__sass_average_branch_targets_threads_uniform.pct"},
    {"Avg. Divergent Branches", "", "smsp__sass_branch_targets_threads_divergent.avg"},
};

/// Some options print "Label (vendor__name.sum)": the word around the double underscore.
std::string_view vendor_name(std::string_view text) {
  const std::size_t mark = text.find("__");
  if (mark == std::string_view::npos) return {};
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':';
  };
  std::size_t begin = mark, end = mark;
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  while (end < text.size() && is_part(text[end])) ++end;
  return text.substr(begin, end - begin);
}

}  // namespace

std::string metric_of_detail(std::string_view section, std::string_view name, std::string_view base_unit) {
  if (const std::string_view vendor = vendor_name(name); !vendor.empty()) return std::string(vendor);
  for (const Detail& detail : kDetails) {
    if (detail.name == name && (detail.unit.empty() || detail.unit == base_unit)) return std::string(detail.metric);
  }
  return section.empty() ? std::string(name) : std::string(section).append(": ").append(name);
}

}  // namespace ridge::ncu
