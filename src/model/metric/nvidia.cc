#include "model/metric/nvidia.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "model/metric/counters.h"
#include "model/metric/flops.h"
#include "model/metric/traffic.h"
#include "model/roofline/pipes.h"

namespace ridge {
namespace {

constexpr double kSectorBytes = 32;

/// Warp instructions a pipe executed: counted, or from its share of peak where the peak per cycle and SM is known.
Value<double> pipe_instructions(const Counters& counters, const std::string& pipe, const Value<double>& per_cycle) {
  Value<double> counted = counters.count("sm__inst_executed_pipe_" + pipe, "sm");
  if (!counted) counted = either(counted, counters.count("smsp__inst_executed_pipe_" + pipe, "smsp"));
  if (counted || !per_cycle) return counted;
  return either(counters.count_from_share("sm__inst_executed_pipe_" + pipe, "sm", *per_cycle), counted);
}

void count_instructions(const Counters& counters, const LaunchFacts& facts, InstructionWork& work) {
  work.warp_instructions = counters.count("smsp__inst_executed", "smsp");
  for (const std::string_view name : {"sm__inst_executed.sum", "inst_executed"}) {
    if (!work.warp_instructions) work.warp_instructions = either(work.warp_instructions, counters.get(name));
  }
  if (!work.warp_instructions) {
    work.warp_instructions = either(work.warp_instructions, counters.count_from_share("sm__inst_executed", "sm", 4));
  }
  work.thread_instructions = counters.count("smsp__thread_inst_executed", "smsp");
  if (!work.thread_instructions) {
    work.thread_instructions =
        work.warp_instructions * counters.get("smsp__thread_inst_executed_per_inst_executed.ratio");
  }
  const std::string capability = std::to_string(facts.capability_major) + "." + std::to_string(facts.capability_minor);
  work.integer = counters.count("smsp__sass_thread_inst_executed_op_integer_pred_on", "smsp");
  if (!work.integer) {
    work.integer = either(work.integer, counters.count("sm__sass_thread_inst_executed_op_integer_pred_on", "sm"));
  }
  work.special_function = pipe_instructions(counters, "xu", special_function_rate(capability));
  work.load_store = pipe_instructions(counters, "lsu", load_store_rate(capability));
  work.alu = pipe_instructions(counters, "alu", alu_rate(capability));
  work.branch = counters.first({"smsp__inst_executed_op_branch.sum", "sm__inst_executed_op_branch.sum"});
}

constexpr std::array kStalls{std::string_view("barrier"),
                             std::string_view("branch_resolving"),
                             std::string_view("dispatch_stall"),
                             std::string_view("drain"),
                             std::string_view("gmma"),
                             std::string_view("imc_miss"),
                             std::string_view("lg_throttle"),
                             std::string_view("long_scoreboard"),
                             std::string_view("math_pipe_throttle"),
                             std::string_view("membar"),
                             std::string_view("mio_throttle"),
                             std::string_view("misc"),
                             std::string_view("no_instruction"),
                             std::string_view("not_selected"),
                             std::string_view("selected"),
                             std::string_view("short_scoreboard"),
                             std::string_view("sleeping"),
                             std::string_view("tex_throttle"),
                             std::string_view("wait")};

std::vector<StallReason> stall_reasons(const Counters& counters) {
  std::vector<StallReason> stalls;
  for (const std::string_view stall : kStalls) {
    const Value<double> warps =
        counters.get(std::string("smsp__average_warps_issue_stalled_").append(stall).append("_per_issue_active.ratio"));
    if (warps) stalls.push_back({std::string(stall), *warps});
  }
  return stalls;
}

Execution execution_of(const Counters& counters) {
  Execution result;
  result.achieved_occupancy = counters.share({"sm__warps_active.avg.pct_of_peak_sustained_active"});
  result.theoretical_occupancy =
      counters.share({"sm__maximum_warps_per_active_cycle_pct", "sm__maximum_warps_avg_per_active_cycle_pct"});
  result.limit_registers = counters.get("launch__occupancy_limit_registers");
  result.limit_shared = counters.get("launch__occupancy_limit_shared_mem");
  result.limit_warps = counters.get("launch__occupancy_limit_warps");
  result.limit_blocks = counters.get("launch__occupancy_limit_blocks");
  result.limit_barriers = counters.get("launch__occupancy_limit_barriers");
  result.waves_per_sm = counters.get("launch__waves_per_multiprocessor");
  result.threads_per_instruction = counters.get("smsp__thread_inst_executed_per_inst_executed.ratio");
  result.issue_active = counters.get("smsp__issue_active.avg.per_cycle_active");
  const Value<double> issue_share = counters.share({"smsp__issue_active.avg.pct_of_peak_sustained_active"});
  if (issue_share) result.issue_active = issue_share;  // the same with more digits
  result.sm_active = counters.cycles("sm") ? counters.get("sm__cycles_active.avg") / counters.cycles("sm")
                                           : counters.share({"sm__cycles_active.avg.pct_of_peak_sustained_elapsed"});
  result.l1_hit_rate = counters.share({"l1tex__t_sector_hit_rate.pct"});
  result.l2_hit_rate = counters.share({"lts__t_sector_hit_rate.pct", "lts__average_t_sector_hit_rate.pct"});
  result.tensor_active = counters.share(
      {"sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
       "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
       "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
       "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active"});
  result.compute_throughput = counters.share({"sm__throughput.avg.pct_of_peak_sustained_elapsed"});
  result.memory_throughput =
      counters.share({"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
                      "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"});
  result.dram_throughput = counters.share(
      {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram__throughput.avg.pct_of_peak_sustained_elapsed"});
  result.l1_throughput = counters.share({"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"});
  if (!result.l1_throughput) {
    result.l1_throughput = counters.share({"l1tex__throughput.avg.pct_of_peak_sustained_active"}) * result.sm_active;
  }
  result.stalls = stall_reasons(counters);
  return result;
}

Value<Hertz> clock_of(const Counters& counters, std::initializer_list<std::string_view> units) {
  Value<double> clock;
  for (const std::string_view unit : units) {
    if (!clock) clock = either(clock, counters.clock(unit));
  }
  return transform(clock, [](double x) { return Hertz(x); });
}

/// Bytes per second from a peak per cycle of the whole chip and the clock that held.
Value<BytesPerSecond> peak_rate(const Value<double>& bytes_per_cycle, const Value<Hertz>& clock) {
  return combine(bytes_per_cycle, clock, [](double bytes, Hertz hz) { return BytesPerSecond(bytes * hz.count()); });
}

Conditions conditions_of(const Counters& counters, const LaunchFacts& facts) {
  Conditions result;
  result.sm_clock = clock_of(counters, {"smsp", "sm", "l1tex", "gpc"});
  result.l2_clock = clock_of(counters, {"lts"});
  result.dram_clock = clock_of(counters, {"dram"});
  result.dram_peak = peak_rate(counters.get("dram__bytes.sum.peak_sustained"), result.dram_clock);
  const Value<double> all = counters.get("lts__cycles_elapsed.sum"), one = counters.get("lts__cycles_elapsed.avg");
  result.l2_slices = transform(all / one, [](double x) { return std::round(x); });
  Value<double> sectors = counters.get("lts__t_sectors.sum.peak_sustained");
  if (!sectors) sectors = l2_sectors_per_cycle(counters, facts) * result.l2_slices;
  result.l2_peak = peak_rate(sectors * kSectorBytes, result.l2_clock);
  result.fp32_fma_per_clock = counters.first({"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained",
                                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained"});
  result.fp64_fma_per_clock = counters.first({"sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
                                              "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained"});
  return result;
}

}  // namespace

Measurement measurement_from_nvidia(const CounterReader& reader, const LaunchFacts& facts) {
  const Counters counters(reader, facts.duration);
  Measurement result;
  count_flops(counters, facts, result.work);
  count_traffic(counters, facts, result.work);
  count_instructions(counters, facts, result.work.instructions);
  result.execution = execution_of(counters);
  result.conditions = conditions_of(counters, facts);
  return result;
}

}  // namespace ridge
