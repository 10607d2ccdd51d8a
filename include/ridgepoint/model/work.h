// Work: what a kernel did, independent of how long it took. FLOP by precision and unit, instructions by class, bytes,
// requests, sectors and wavefronts by level.
//
// Definitions, with the NVIDIA counter each is taken from where one exists:
//
// - FLOP of cores: add + mul + 2 x fma thread instructions, predicated on
// (smsp__sass_thread_inst_executed_op_*_pred_on)
// - FLOP of tensor units: operations as the unit counts them (sm__ops_path_tensor_*)
// - bytes.dram: DRAM read + write (dram__bytes_read, dram__bytes_write)
// - bytes.l2: every byte through the L2 tag stage (lts__t_bytes, or lts__t_sectors x 32)
// - bytes.l1: global and local memory through the L1 tag stage (l1tex__t_bytes, or its sectors x 32)
// - bytes.shared: shared-memory wavefronts x 128 (l1tex__data_pipe_lsu_wavefronts_mem_shared)
//
// Counts are plain doubles. Aggregating launches adds every field.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/compute.h"

namespace ridge {

struct ComputeWork {
  ComputeKey key;
  Value<Flops> amount;
};

/// Thread instructions by opcode class (predicated-on threads), and the totals by warp and thread.
struct InstructionWork {
  Value<double> warp_instructions;
  Value<double> thread_instructions;
  Value<double> fp64_add, fp64_mul, fp64_fma;
  Value<double> fp32_add, fp32_mul, fp32_fma;
  Value<double> fp16_add, fp16_mul, fp16_fma;  ///< packed: one thread instruction works on two halves
  Value<double> integer;
  Value<double> special_function;  ///< warp instructions on the XU / MUFU pipe
  Value<double> load_store;        ///< warp instructions on the LSU pipe
  Value<double> branch;
  Value<double> alu;  ///< warp instructions on the ALU pipe (integer, logic, comparisons, conversions)
};

struct TrafficWork {
  Value<Bytes> dram, dram_read, dram_write;
  Value<Bytes> l2;
  Value<Bytes> l2_read;   ///< L2 to SM
  Value<Bytes> l2_write;  ///< SM to L2
  Value<Bytes> l1;
  Value<Bytes> shared;
  Value<Bytes> host_link, host_link_read, host_link_write;  ///< read: towards this GPU
  Value<Bytes> peer_link, peer_link_read, peer_link_write;
  Value<Bytes> bulk_read;   ///< L2 to shared memory by bulk copies (TMA), not part of l1
  Value<Bytes> bulk_write;  ///< shared memory to L2 by bulk copies and reductions (TMA)
};

struct AccessWork {
  Value<double> global_load_requests, global_load_sectors;
  Value<double> global_store_requests, global_store_sectors;
  Value<double> local_load_sectors, local_store_sectors;
  Value<double> excess_sectors;  ///< global sectors beyond what the accessed bytes need
  Value<double> l1_wavefronts;   ///< every wavefront of the L1 data stage, shared memory included
  Value<double> shared_wavefronts;
  Value<double> shared_wavefronts_excess;  ///< beyond one conflict-free pass per instruction
  Value<double> shared_bank_conflicts;
  Value<double> shared_load_instructions, shared_load_wavefronts;  ///< warp instructions, and what they became
  Value<double> shared_store_instructions, shared_store_wavefronts;
  Value<double> l2_requests;  ///< tag look-ups of L2; each takes a slot of one slice, however few bytes it moves
};

struct Work {
  Value<Flops> flops;                ///< floating-point total over every part of `compute`
  std::vector<ComputeWork> compute;  ///< only parts that are known and non-zero, or missing with a reason
  InstructionWork instructions;
  TrafficWork bytes;
  AccessWork access;
};

/// Calls f(path, works.field...) for every scalar field, in a fixed order; paths are "bytes.dram_read",
/// "instructions.fp32_fma", "access.excess_sectors", "flops". One work or several in lock step (const or not): the
/// store, the aggregation and the JSON writer use it.
template <class F, class... W>
constexpr void visit_fields(F&& f, W&... works);

/// Field by field sum; a field missing on either side is missing in the sum. Compute parts are matched by key; one that
/// stands on one side only is kept as it is: the other side did none of it.
Work& operator+=(Work& sum, const Work& work);

template <class F, class... W>
constexpr void visit_fields(F&& f, W&... works) {
  f("flops", works.flops...);
  f("instructions.warp", works.instructions.warp_instructions...);
  f("instructions.thread", works.instructions.thread_instructions...);
  f("instructions.fp64_add", works.instructions.fp64_add...);
  f("instructions.fp64_mul", works.instructions.fp64_mul...);
  f("instructions.fp64_fma", works.instructions.fp64_fma...);
  f("instructions.fp32_add", works.instructions.fp32_add...);
  f("instructions.fp32_mul", works.instructions.fp32_mul...);
  f("instructions.fp32_fma", works.instructions.fp32_fma...);
  f("instructions.fp16_add", works.instructions.fp16_add...);
  f("instructions.fp16_mul", works.instructions.fp16_mul...);
  f("instructions.fp16_fma", works.instructions.fp16_fma...);
  f("instructions.integer", works.instructions.integer...);
  f("instructions.special_function", works.instructions.special_function...);
  f("instructions.load_store", works.instructions.load_store...);
  f("instructions.branch", works.instructions.branch...);
  f("instructions.alu", works.instructions.alu...);
  f("bytes.dram", works.bytes.dram...);
  f("bytes.dram_read", works.bytes.dram_read...);
  f("bytes.dram_write", works.bytes.dram_write...);
  f("bytes.l2", works.bytes.l2...);
  f("bytes.l2_read", works.bytes.l2_read...);
  f("bytes.l2_write", works.bytes.l2_write...);
  f("bytes.l1", works.bytes.l1...);
  f("bytes.shared", works.bytes.shared...);
  f("bytes.host_link", works.bytes.host_link...);
  f("bytes.host_link_read", works.bytes.host_link_read...);
  f("bytes.host_link_write", works.bytes.host_link_write...);
  f("bytes.peer_link", works.bytes.peer_link...);
  f("bytes.peer_link_read", works.bytes.peer_link_read...);
  f("bytes.peer_link_write", works.bytes.peer_link_write...);
  f("bytes.bulk_read", works.bytes.bulk_read...);
  f("bytes.bulk_write", works.bytes.bulk_write...);
  f("access.global_load_requests", works.access.global_load_requests...);
  f("access.global_load_sectors", works.access.global_load_sectors...);
  f("access.global_store_requests", works.access.global_store_requests...);
  f("access.global_store_sectors", works.access.global_store_sectors...);
  f("access.local_load_sectors", works.access.local_load_sectors...);
  f("access.local_store_sectors", works.access.local_store_sectors...);
  f("access.excess_sectors", works.access.excess_sectors...);
  f("access.l1_wavefronts", works.access.l1_wavefronts...);
  f("access.shared_wavefronts", works.access.shared_wavefronts...);
  f("access.shared_wavefronts_excess", works.access.shared_wavefronts_excess...);
  f("access.shared_bank_conflicts", works.access.shared_bank_conflicts...);
  f("access.shared_load_instructions", works.access.shared_load_instructions...);
  f("access.shared_load_wavefronts", works.access.shared_load_wavefronts...);
  f("access.shared_store_instructions", works.access.shared_store_instructions...);
  f("access.shared_store_wavefronts", works.access.shared_store_wavefronts...);
  f("access.l2_requests", works.access.l2_requests...);
}

/// How many scalar fields a Work has.
inline constexpr std::size_t kWorkFields = [] {
  std::size_t fields = 0;
  visit_fields([&fields](std::string_view) { ++fields; });
  return fields;
}();

}  // namespace ridge
