// The members of every stored struct, listed once: the encoder, the decoder and the tests' generator and comparison all
// walk these lists. store_fields_test counts the members of each struct, so a new one cannot be forgotten.
//
// Two kinds. fields(archive, x) hands members to the archive in a fixed order; changing a list raises the schema
// version. visit_values(f, x) hands each Value with its name; those are stored by name, so adding one is free.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "ridgepoint/model/profile.h"

namespace ridge::store {

/// X is T or const T.
template <class X, class T>
concept Either = std::same_as<std::remove_const_t<X>, T>;

template <class F, Either<Work> X>
void visit_values(F&& f, X& x) {
  visit_fields(f, x);
}

template <class F, Either<Configuration> X>
void visit_values(F&& f, X& x) {
  f("registers_per_thread", x.registers_per_thread);
  f("shared_static", x.shared_static);
  f("shared_dynamic", x.shared_dynamic);
  f("shared_driver", x.shared_driver);
  f("shared_carveout", x.shared_carveout);
  f("barriers_per_block", x.barriers_per_block);
}

template <class F, Either<Conditions> X>
void visit_values(F&& f, X& x) {
  f("sm_clock", x.sm_clock);
  f("l2_clock", x.l2_clock);
  f("dram_clock", x.dram_clock);
  f("dram_peak", x.dram_peak);
  f("l2_peak", x.l2_peak);
  f("l2_slices", x.l2_slices);
  f("fp32_fma_per_clock", x.fp32_fma_per_clock);
  f("fp64_fma_per_clock", x.fp64_fma_per_clock);
}

template <class F, Either<Execution> X>
void visit_values(F&& f, X& x) {
  f("achieved_occupancy", x.achieved_occupancy);
  f("theoretical_occupancy", x.theoretical_occupancy);
  f("limit_registers", x.limit_registers);
  f("limit_shared", x.limit_shared);
  f("limit_warps", x.limit_warps);
  f("limit_blocks", x.limit_blocks);
  f("limit_barriers", x.limit_barriers);
  f("waves_per_sm", x.waves_per_sm);
  f("threads_per_instruction", x.threads_per_instruction);
  f("issue_active", x.issue_active);
  f("sm_active", x.sm_active);
  f("l1_hit_rate", x.l1_hit_rate);
  f("l2_hit_rate", x.l2_hit_rate);
  f("tensor_active", x.tensor_active);
  f("compute_throughput", x.compute_throughput);
  f("memory_throughput", x.memory_throughput);
  f("dram_throughput", x.dram_throughput);
  f("l1_throughput", x.l1_throughput);
}

template <class F, Either<DeviceAttributes> X>
void visit_values(F&& f, X& x) {
  f("sm_count", x.sm_count);
  f("compute_capability_major", x.compute_capability_major);
  f("compute_capability_minor", x.compute_capability_minor);
  f("max_sm_clock", x.max_sm_clock);
  f("max_dram_clock", x.max_dram_clock);
  f("dram_bus_width_bits", x.dram_bus_width_bits);
  f("l2_capacity", x.l2_capacity);
  f("dram_capacity", x.dram_capacity);
  f("fp32_fma_per_clock", x.fp32_fma_per_clock);
  f("fp64_fma_per_clock", x.fp64_fma_per_clock);
  f("fp16_fma_per_clock", x.fp16_fma_per_clock);
  f("dram_bytes_per_clock", x.dram_bytes_per_clock);
  f("max_warps_per_sm", x.max_warps_per_sm);
  f("max_blocks_per_sm", x.max_blocks_per_sm);
  f("registers_per_sm", x.registers_per_sm);
  f("shared_per_sm", x.shared_per_sm);
  f("shared_per_block", x.shared_per_block);
  f("shared_reserved_per_block", x.shared_reserved_per_block);
}

template <class F, Either<Recording> X>
void visit_values(F&& f, X& x) {
  f("exit_status", x.exit_status);
  f("wall", x.wall);
  f("counter_time", x.counter_time);
  f("seen", x.seen);
  f("recorded", x.recorded);
  f("measured", x.measured);
  f("represented", x.represented);
  f("sampled", x.sampled);
  f("records_dropped", x.records_dropped);
  f("gpu_unexplained", x.gpu_unexplained);
  f("sampling_interval_s", x.sampling_interval_s);
}

/// Structs whose Values are stored by name.
template <class T>
concept HasNamedValues = requires(T& x) {
  visit_values([](std::string_view, const auto&) {}, x);
};

template <class A, Either<Work> X>
void fields(A& archive, X& x) {
  archive(x.compute);
}
template <class A, Either<Configuration> X>
void fields(A& archive, X& x) {
  archive(x.grid, x.block, x.cluster);
}
template <class A, Either<Conditions> X>
void fields(A&, X&) {}
template <class A, Either<Execution> X>
void fields(A& archive, X& x) {
  archive(x.stalls);
}
template <class A, Either<DeviceAttributes> X>
void fields(A&, X&) {}

template <class A, Either<Dim3> X>
void fields(A& archive, X& x) {
  archive(x.x, x.y, x.z);
}
template <class A, Either<ComputeKey> X>
void fields(A& archive, X& x) {
  archive(x.type, x.unit, x.path, x.sparsity, x.accumulator);
}
template <class A, Either<ComputeWork> X>
void fields(A& archive, X& x) {
  archive(x.key, x.amount);
}
template <class A, Either<StallReason> X>
void fields(A& archive, X& x) {
  archive(x.name, x.warps_per_issue);
}
template <class A, Either<RawMetric> X>
void fields(A& archive, X& x) {
  archive(x.metric, x.value);
}
template <class A, Either<MetricName> X>
void fields(A& archive, X& x) {
  archive(x.name, x.unit);
}
template <class A, Either<HotLine> X>
void fields(A& archive, X& x) {
  archive(x.location, x.text, x.samples, x.instructions, x.excess_sectors);
}
template <class A, Either<Measurement> X>
void fields(A& archive, X& x) {
  archive(x.work, x.execution, x.conditions, x.raw, x.hot_lines);
}
template <class A, Either<Kernel> X>
void fields(A& archive, X& x) {
  archive(x.short_name, x.full_name, x.mangled_name);
}
template <class A, Either<Source> X>
void fields(A& archive, X& x) {
  archive(x.kind, x.path, x.taken, x.tool_version);
}
template <class A, Either<Device> X>
void fields(A& archive, X& x) {
  archive(x.source, x.index, x.name, x.chip, x.attributes, x.machine, x.other_machine);
}
template <class A, Either<Argument> X>
void fields(A& archive, X& x) {
  archive(x.name, x.value, x.unit);
}
template <class A, Either<Message> X>
void fields(A& archive, X& x) {
  archive(x.id, x.arguments);
}
template <class A, Either<Issue> X>
void fields(A& archive, X& x) {
  archive(x.severity, x.message);
}
template <class A, Either<Launch> X>
void fields(A& archive, X& x) {
  archive(x.kernel, x.configuration, x.device, x.measurement, x.sampled, x.source_id, x.process_id, x.context, x.stream,
          x.start, x.duration);
}
template <class A, Either<SampledWork> X>
void fields(A& archive, X& x) {
  archive(x.dram_read, x.dram_write, x.l2, x.warp_instructions, x.sm_active, x.occupancy, x.tensor_active,
          x.uncertainty);
}
template <class A, Either<Reading> X>
void fields(A& archive, X& x) {
  archive(x.device, x.time, x.sm_clock, x.memory_clock, x.watts, x.celsius, x.throttle_reasons);
}
template <class A, Either<std::pair<std::string, std::string>> X>
void fields(A& archive, X& x) {
  archive(x.first, x.second);
}
template <class A, Either<Recording> X>
void fields(A& archive, X& x) {
  archive(x.source, x.command, x.host, x.tier, x.finished, x.facts);
}
template <class A, Either<Span> X>
void fields(A& archive, X& x) {
  archive(x.kind, x.name, x.start, x.duration, x.process_id, x.thread_id, x.stream, x.device, x.bytes);
}

template <class A, Either<Ceiling> X>
void fields(A& archive, X& x) {
  archive(x.key, x.ops_per_clock_per_sm, x.clock, x.provenance, x.stated);
}
template <class A, Either<MemoryLevel> X>
void fields(A& archive, X& x) {
  archive(x.level, x.bandwidth, x.read_bandwidth, x.write_bandwidth, x.bytes_per_clock, x.capacity, x.line_bytes,
          x.sector_bytes, x.stated);
}
template <class A, Either<DramBus> X>
void fields(A& archive, X& x) {
  archive(x.width_bits, x.data_rate_bits_per_s, x.kind);
}
template <class A, Either<OccupancyLimits> X>
void fields(A& archive, X& x) {
  archive(x.warp_size, x.max_warps_per_sm, x.max_blocks_per_sm, x.max_threads_per_block, x.registers_per_sm,
          x.max_registers_per_block, x.max_registers_per_thread, x.register_allocation_unit,
          x.warp_allocation_granularity, x.shared_bytes_per_sm, x.shared_bytes_per_block, x.shared_reserved_per_block,
          x.shared_allocation_unit, x.max_barriers_per_sm, x.shared_carveouts);
}
template <class A, Either<Machine> X>
void fields(A& archive, X& x) {
  archive(x.id, x.name, x.vendor, x.architecture, x.chip, x.compute_capability, x.sm_count, x.cores_per_sm,
          x.schedulers_per_sm, x.base_clock, x.boost_clock, x.ceilings, x.levels, x.bus, x.occupancy, x.sources,
          x.device_names, x.provenance, x.note, x.aliases);
}
template <class A, Either<Profile> X>
void fields(A& archive, X& x) {
  archive(x.sources, x.devices, x.kernels, x.configurations, x.metrics, x.measurements, x.launches, x.sampled, x.spans,
          x.readings, x.recordings, x.issues);
}

}  // namespace ridge::store
