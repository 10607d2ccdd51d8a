#include "render/view/fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ridge::render {
namespace {

template <class T>
Value<double> number(const Value<T>& value) {
  return finite_or_missing(transform(value, [](const T& v) { return v.count(); }));
}
Value<double> number(const Value<double>& value) {
  return finite_or_missing(value);
}

class FieldList {
 public:
  explicit FieldList(bool only_principal) : only_principal_(only_principal) {}

  [[nodiscard]] bool wants(std::string_view path) const { return !only_principal_ || is_principal(path); }
  template <class T>
  void add(std::string_view path, std::string_view column, Unit unit, const Value<T>& value) {
    if (wants(path)) fields_.push_back({std::string(path), std::string(column), unit, number(value)});
  }
  [[nodiscard]] std::vector<Field> take() { return std::move(fields_); }

 private:
  bool only_principal_;
  std::vector<Field> fields_;
};

/// Tensor paths of one data type share a short name; their work adds up.
void add_flops(FieldList& list, const Work& work) {
  list.add("flops.total", "flops", Unit::kFlops, work.flops);
  std::map<std::string, Value<Flops>> parts;
  for (const ComputeWork& part : work.compute) {
    const auto [entry, is_new] = parts.emplace(short_name(part.key), part.amount);
    if (!is_new) entry->second = entry->second + part.amount;
  }
  for (const auto& [name, amount] : parts) list.add("flops." + name, name + "_flops", Unit::kFlops, amount);
}

Unit unit_of(std::string_view work_path) {
  return work_path.starts_with("bytes.") ? Unit::kBytes : Unit::kCount;
}

/// "bytes.dram_read" -> "dram_read_bytes", "access.excess_sectors" -> "excess_sectors".
std::string column_of(std::string_view work_path) {
  const std::size_t dot = work_path.find('.');
  const std::string group(work_path.substr(0, dot));
  const std::string rest(work_path.substr(dot + 1));
  return group == "access" ? rest : rest + "_" + group;
}

void add_times(FieldList& list, const ReportKernel& kernel) {
  list.add("duration_s", "duration_s", Unit::kSeconds, kernel.duration);
  list.add("duration_min_s", "duration_min_s", Unit::kSeconds, kernel.duration_min);
  list.add("duration_median_s", "duration_median_s", Unit::kSeconds, kernel.duration_median);
  list.add("duration_max_s", "duration_max_s", Unit::kSeconds, kernel.duration_max);
  list.add("measured_duration_s", "measured_duration_s", Unit::kSeconds, kernel.measured_duration);
  list.add("share", "share", Unit::kRatio, kernel.share);
}

void add_work(FieldList& list, const ReportKernel& kernel) {
  add_flops(list, kernel.work);
  visit_fields(
      [&](std::string_view path, const auto& value) {
        if (path != "flops" && list.wants(path)) list.add(path, column_of(path), unit_of(path), value);
      },
      kernel.work);
}

void add_rates(FieldList& list, const ReportKernel& kernel) {
  list.add("intensity.dram", "dram_intensity_flop_per_byte", Unit::kFlopsPerByte, kernel.intensity_dram);
  list.add("intensity.l2", "l2_intensity_flop_per_byte", Unit::kFlopsPerByte, kernel.intensity_l2);
  list.add("intensity.l1", "l1_intensity_flop_per_byte", Unit::kFlopsPerByte, kernel.intensity_l1);
  list.add("intensity.shared", "shared_intensity_flop_per_byte", Unit::kFlopsPerByte, kernel.intensity_shared);
  list.add("flops_per_s", "flops_per_s", Unit::kFlopsPerSecond, kernel.flops_per_s);
  list.add("bytes_per_s.dram", "dram_bytes_per_s", Unit::kBytesPerSecond, kernel.dram_per_s);
  list.add("bytes_per_s.l2", "l2_bytes_per_s", Unit::kBytesPerSecond, kernel.l2_per_s);
  list.add("bytes_per_s.l1", "l1_bytes_per_s", Unit::kBytesPerSecond, kernel.l1_per_s);
  list.add("bytes_per_s.shared", "shared_bytes_per_s", Unit::kBytesPerSecond, kernel.shared_per_s);
}

/// Warp instructions against transactions of 32 bytes.
void add_instruction_roofline(FieldList& list, const ReportKernel& kernel) {
  const InstructionRoofline& roofline = kernel.instruction_roofline;
  const auto add = [&](const char* key, const char* column, const Value<double>& value) {
    list.add(std::string("instruction_roofline.") + key, column, Unit::kCount, value);
  };
  add("instructions_per_s", "warp_instructions_per_s", roofline.instructions_per_s);
  add("attainable_instructions_per_s", "attainable_warp_instructions_per_s", kernel.attainable_instructions_per_s);
  add("peak_instructions_per_s", "peak_warp_instructions_per_s", roofline.peak_instructions_per_s);
  add("l1_intensity", "warp_instructions_per_l1_transaction", roofline.intensity_l1);
  add("l2_intensity", "warp_instructions_per_l2_transaction", roofline.intensity_l2);
  add("dram_intensity", "warp_instructions_per_dram_transaction", roofline.intensity_dram);
  add("l1_transactions_per_s", "peak_l1_transactions_per_s", roofline.l1_per_s);
  add("l2_transactions_per_s", "peak_l2_transactions_per_s", roofline.l2_per_s);
  add("dram_transactions_per_s", "peak_dram_transactions_per_s", roofline.dram_per_s);
}

void add_roof(FieldList& list, const ReportKernel& kernel) {
  const RoofPlacement& roof = kernel.roof;
  list.add("roof.fraction", "roof_fraction", Unit::kRatio, roof.fraction);
  list.add("roof.attainable_flops_per_s", "attainable_flops_per_s", Unit::kFlopsPerSecond, roof.attainable);
  list.add("roof.peak_flops_per_s", "peak_flops_per_s", Unit::kFlopsPerSecond, roof.peak);
  list.add("roof.ridge", "ridge_flop_per_byte", Unit::kFlopsPerByte, roof.ridge);
  list.add("occupancy.achieved", "occupancy_achieved", Unit::kRatio, kernel.occupancy.achieved);
  list.add("occupancy.theoretical", "occupancy_theoretical", Unit::kRatio, kernel.occupancy.theoretical);
}

void add_execution(FieldList& list, const ReportKernel& kernel) {
  const Execution& run = kernel.execution;
  list.add("execution.waves_per_sm", "waves_per_sm", Unit::kCount, run.waves_per_sm);
  list.add("execution.threads_per_instruction", "threads_per_instruction", Unit::kCount, run.threads_per_instruction);
  list.add("execution.issue_active", "issue_active", Unit::kRatio, run.issue_active);
  list.add("execution.sm_active", "sm_active", Unit::kRatio, run.sm_active);
  list.add("execution.l1_hit_rate", "l1_hit_rate", Unit::kRatio, run.l1_hit_rate);
  list.add("execution.l2_hit_rate", "l2_hit_rate", Unit::kRatio, run.l2_hit_rate);
  list.add("execution.tensor_active", "tensor_active", Unit::kRatio, run.tensor_active);
  list.add("execution.compute_throughput", "compute_throughput", Unit::kRatio, run.compute_throughput);
  list.add("execution.memory_throughput", "memory_throughput", Unit::kRatio, run.memory_throughput);
}

void add_conditions(FieldList& list, const ReportKernel& kernel) {
  const Conditions& at = kernel.conditions;
  list.add("conditions.sm_clock_hz", "sm_clock_hz", Unit::kHertz, at.sm_clock);
  list.add("conditions.l2_clock_hz", "l2_clock_hz", Unit::kHertz, at.l2_clock);
  list.add("conditions.dram_clock_hz", "dram_clock_hz", Unit::kHertz, at.dram_clock);
  list.add("conditions.dram_peak_bytes_per_s", "dram_peak_bytes_per_s", Unit::kBytesPerSecond, at.dram_peak);
  list.add("conditions.l2_peak_bytes_per_s", "l2_peak_bytes_per_s", Unit::kBytesPerSecond, at.l2_peak);
}

void add_configuration(FieldList& list, const Configuration& configuration) {
  list.add("configuration.registers_per_thread", "registers_per_thread", Unit::kCount,
           configuration.registers_per_thread);
  list.add("configuration.shared_static_bytes", "shared_static_bytes", Unit::kBytes, configuration.shared_static);
  list.add("configuration.shared_dynamic_bytes", "shared_dynamic_bytes", Unit::kBytes, configuration.shared_dynamic);
  list.add("configuration.shared_driver_bytes", "shared_driver_bytes", Unit::kBytes, configuration.shared_driver);
  list.add("configuration.shared_carveout_bytes", "shared_carveout_bytes", Unit::kBytes, configuration.shared_carveout);
  list.add("configuration.barriers_per_block", "barriers_per_block", Unit::kCount, configuration.barriers_per_block);
}

}  // namespace

Value<double> finite_or_missing(const Value<double>& value) {
  return value && !std::isfinite(*value) ? Value<double>::missing("not a finite number") : value;
}

namespace {

std::vector<Field> fields_of(const ReportKernel& kernel, bool only_principal) {
  FieldList list(only_principal);
  add_times(list, kernel);
  add_work(list, kernel);
  add_rates(list, kernel);
  add_roof(list, kernel);
  add_instruction_roofline(list, kernel);
  add_execution(list, kernel);
  add_conditions(list, kernel);
  add_configuration(list, kernel.configuration);
  return list.take();
}

}  // namespace

std::vector<Field> kernel_fields(const ReportKernel& kernel) {
  return fields_of(kernel, false);
}

std::vector<Field> principal_fields(const ReportKernel& kernel) {
  return fields_of(kernel, true);
}

std::vector<Field> launch_fields(const ReportLaunch& launch) {
  FieldList list(false);
  list.add("start_s", "start_s", Unit::kSeconds, launch.start);
  list.add("duration_s", "duration_s", Unit::kSeconds, launch.duration);
  list.add("flops", "flops", Unit::kFlops, launch.flops);
  list.add("bytes.dram", "dram_bytes", Unit::kBytes, launch.dram);
  return list.take();
}

std::vector<Field> sampled_fields(const SampledWork& samples) {
  FieldList list(false);
  const auto add = [&](const char* name, const char* column, Unit unit, const std::optional<float>& value) {
    list.add(std::string("sampled.") + name, column, unit,
             value ? Value<double>(static_cast<double>(*value), Provenance::kSampled)
                   : Value<double>::missing("the samples of this device do not have it"));
  };
  add("dram_read_bytes", "sampled_dram_read_bytes", Unit::kBytes, samples.dram_read);
  add("dram_write_bytes", "sampled_dram_write_bytes", Unit::kBytes, samples.dram_write);
  add("l2_bytes", "sampled_l2_bytes", Unit::kBytes, samples.l2);
  add("warp_instructions", "sampled_warp_instructions", Unit::kCount, samples.warp_instructions);
  add("sm_active", "sampled_sm_active", Unit::kRatio, samples.sm_active);
  add("occupancy", "sampled_occupancy", Unit::kRatio, samples.occupancy);
  add("tensor_active", "sampled_tensor_active", Unit::kRatio, samples.tensor_active);
  add("uncertainty", "sampled_uncertainty", Unit::kRatio, samples.uncertainty);
  return list.take();
}

bool is_principal(std::string_view path) {
  static constexpr std::array<std::string_view, 13> kPaths = {"duration_s",
                                                              "flops.total",
                                                              "bytes.dram",
                                                              "bytes.l2",
                                                              "bytes.l1",
                                                              "bytes.shared",
                                                              "intensity.dram",
                                                              "flops_per_s",
                                                              "bytes_per_s.dram",
                                                              "roof.fraction",
                                                              "roof.attainable_flops_per_s",
                                                              "occupancy.achieved",
                                                              "occupancy.theoretical"};
  return std::find(kPaths.begin(), kPaths.end(), path) != kPaths.end();
}

}  // namespace ridge::render
