#include "importers/ncu/launch_facts.h"

#include <array>
#include <initializer_list>

namespace ridge::ncu {
namespace {

Value<double> first(const CounterReader& counters, std::initializer_list<std::string_view> names) {
  Value<double> result;
  for (const std::string_view name : names) {
    const Value<double> value = counters.get(name);
    if (value) return value;
    if (result.reason() == Reason()) result = value;
  }
  return result;
}

/// The device said so; it was not measured.
template <class T>
Value<T> reported(const Value<double>& value, double factor) {
  return value ? Value<T>(T(*value * factor), Provenance::kReported) : Value<T>::missing(value.reason());
}

template <class T>
Value<T> attribute(const CounterReader& counters, std::initializer_list<std::string_view> names, double factor = 1) {
  return reported<T>(first(counters, names), factor);
}

constexpr double kKilo = 1000;

/// Chip ids as the Linux kernel's nouveau driver numbers them; the profiler states the same number.
struct Chip {
  int id;
  std::string_view name;
};
constexpr Chip kChips[] = {
    {0x130, "GP100"}, {0x132, "GP102"}, {0x134, "GP104"}, {0x136, "GP106"}, {0x137, "GP107"}, {0x138, "GP108"},
    {0x140, "GV100"}, {0x162, "TU102"}, {0x164, "TU104"}, {0x166, "TU106"}, {0x167, "TU117"}, {0x168, "TU116"},
    {0x170, "GA100"}, {0x172, "GA102"}, {0x173, "GA103"}, {0x174, "GA104"}, {0x176, "GA106"}, {0x177, "GA107"},
    {0x17b, "GA10B"}, {0x180, "GH100"}, {0x192, "AD102"}, {0x193, "AD103"}, {0x194, "AD104"}, {0x196, "AD106"},
    {0x197, "AD107"}, {0x1a0, "GB100"}, {0x1a2, "GB102"}, {0x1b2, "GB202"}, {0x1b3, "GB203"}, {0x1b5, "GB205"},
    {0x1b6, "GB206"}, {0x1b7, "GB207"},
};

/// A dimension as stated, from three metrics, or from one total when only that was printed; absent if none is there.
std::optional<Dim3> dimension(const CounterReader& counters, const std::optional<Dim3>& stated, std::string_view what) {
  if (stated) return stated;
  const auto axis = [&](std::string_view name) {
    return counters.get(std::string("launch__").append(what).append("_dim_").append(name));
  };
  const auto is_extent = [](const Value<double>& x) { return x && *x >= 1 && *x <= 4294967295.0; };
  const auto extent = [](const Value<double>& x) { return static_cast<std::uint32_t>(*x); };
  const Value<double> x = axis("x"), y = axis("y"), z = axis("z");
  if (is_extent(x) && is_extent(y) && is_extent(z)) return Dim3{extent(x), extent(y), extent(z)};
  const Value<double> size = counters.get(std::string("launch__").append(what).append("_size"));
  if (!is_extent(size)) return std::nullopt;
  return Dim3{extent(size), 1, 1};
}

}  // namespace

Value<Seconds> duration_of(const CounterReader& counters) {
  Value<double> seconds = first(counters, {"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max",
                                           "gpu__time_duration.min", "gpu__time_duration"});
  if (!seconds) {
    // How the Berkeley lists define time; every unit of one clock domain gives the same.
    for (const std::string_view unit : {"sm", "smsp", "gpc"}) {
      const std::string cycles = std::string(unit) + "__cycles_elapsed.avg";
      const Value<double> time = counters.get(cycles) / counters.get(cycles + ".per_second");
      if (time) {
        seconds = time;
        break;
      }
    }
  }
  if (!seconds && seconds.reason() == Reason()) return Value<Seconds>::missing("no gpu__time_duration in the report");
  if (seconds && !(*seconds > 0)) return Value<Seconds>::missing("the report says 0 s");
  return transform(seconds, [](double s) { return Seconds(s); });
}

Configuration configuration_of(const CounterReader& counters, const std::optional<Dim3>& grid,
                               const std::optional<Dim3>& block) {
  Configuration result;
  result.grid = dimension(counters, grid, "grid");
  result.block = dimension(counters, block, "block");
  const std::optional<Dim3> cluster = dimension(counters, std::nullopt, "cluster");
  if (cluster && cluster->count() > 1) result.cluster = cluster;
  result.registers_per_thread = attribute<double>(counters, {"launch__registers_per_thread"});
  result.shared_static = attribute<Bytes>(counters, {"launch__shared_mem_per_block_static"});
  result.shared_dynamic = attribute<Bytes>(counters, {"launch__shared_mem_per_block_dynamic"});
  result.shared_driver = attribute<Bytes>(counters, {"launch__shared_mem_per_block_driver"});
  result.shared_carveout = attribute<Bytes>(counters, {"launch__shared_mem_config_size"});
  result.barriers_per_block = attribute<double>(counters, {"launch__barrier_count"});
  return result;
}

DeviceAttributes attributes_of(const CounterReader& counters) {
  const auto number = [&](std::initializer_list<std::string_view> names) { return attribute<double>(counters, names); };
  const auto bytes = [&](std::initializer_list<std::string_view> names) { return attribute<Bytes>(counters, names); };
  const auto kilohertz = [&](std::initializer_list<std::string_view> names) {
    return attribute<Hertz>(counters, names, kKilo);
  };
  DeviceAttributes a;
  a.sm_count = number({"device__attribute_multiprocessor_count", "launch__sm_count"});
  a.compute_capability_major = number({"device__attribute_compute_capability_major"});
  a.compute_capability_minor = number({"device__attribute_compute_capability_minor"});
  a.max_sm_clock = kilohertz({"device__attribute_max_gpu_frequency_khz", "device__attribute_clock_rate"});
  a.max_dram_clock = kilohertz({"device__attribute_max_mem_frequency_khz", "device__attribute_memory_clock_rate"});
  a.dram_bus_width_bits = number({"device__attribute_fb_bus_width", "device__attribute_global_memory_bus_width"});
  a.l2_capacity = bytes({"device__attribute_l2_cache_size"});
  a.dram_capacity = bytes({"device__attribute_total_memory"});
  a.fp32_fma_per_clock = number({"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained"});
  a.fp64_fma_per_clock = number({"sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained"});
  a.fp16_fma_per_clock = number({"sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained"});
  a.dram_bytes_per_clock = number({"dram__bytes.sum.peak_sustained"});
  a.max_warps_per_sm = number({"device__attribute_max_warps_per_multiprocessor"});
  a.max_blocks_per_sm =
      number({"device__attribute_limits_max_cta_per_sm", "device__attribute_max_blocks_per_multiprocessor"});
  a.registers_per_sm = number({"device__attribute_max_registers_per_multiprocessor"});
  a.shared_per_sm = bytes({"device__attribute_max_shared_memory_per_multiprocessor"});
  a.shared_per_block =
      bytes({"device__attribute_max_shared_memory_per_block_optin", "device__attribute_max_shared_memory_per_block"});
  a.shared_reserved_per_block = bytes({"device__attribute_reserved_shared_memory_per_block"});
  return a;
}

std::string_view chip_name(int chip_id) {
  for (const Chip& chip : kChips) {
    if (chip.id == chip_id) return chip.name;
  }
  return {};
}

}  // namespace ridge::ncu
