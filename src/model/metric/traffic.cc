#include "model/metric/traffic.h"

#include <string>

namespace ridge {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kWavefrontBytes = 128;

/// Tag look-ups of sectors one L2 slice does per cycle, where the recording does not state it. Recorded on 9.0.
constexpr double kL2SectorsPerCycle90 = 3;

/// One direction of DRAM under each of its spellings; `op` is "read" or "write".
Value<Bytes> dram_direction(const Counters& counters, const std::string& op) {
  Value<double> bytes = counters.count("dram__bytes_" + op, "dram");
  if (!bytes) bytes = either(bytes, counters.count("dram__bytes_op_" + op, "dram"));
  if (bytes) return to_bytes(bytes, 1);
  Value<double> sectors = counters.count("dram__sectors_" + op, "dram");
  if (!sectors) sectors = either(sectors, counters.count("dram__sectors_op_" + op, "dram"));
  return to_bytes(either(sectors, bytes), kSectorBytes);
}

void count_dram(const Counters& counters, TrafficWork& bytes) {
  bytes.dram_read = dram_direction(counters, "read");
  bytes.dram_write = dram_direction(counters, "write");
  // The sum of the two counts is exact; dram__bytes is often recorded as a rate only.
  bytes.dram = bytes.dram_read + bytes.dram_write;
  if (!bytes.dram) bytes.dram = either(bytes.dram, to_bytes(counters.count("dram__bytes", "dram"), 1));
  if (!bytes.dram) bytes.dram = either(bytes.dram, to_bytes(counters.count("dram__sectors", "dram"), kSectorBytes));
}

Value<double> l2_sectors(const Counters& counters, const LaunchFacts& facts) {
  const Value<double> counted = counters.count("lts__t_sectors", "lts");
  const Value<double> peak = l2_sectors_per_cycle(counters, facts);
  if (counted || !peak) return counted;
  return either(counters.count_from_share("lts__t_sectors", "lts", *peak), counted);
}

void count_l2(const Counters& counters, const LaunchFacts& facts, Work& work) {
  TrafficWork& bytes = work.bytes;
  bytes.l2 = to_bytes(counters.count("lts__t_bytes", "lts"), 1);
  if (!bytes.l2) bytes.l2 = either(bytes.l2, to_bytes(l2_sectors(counters, facts), kSectorBytes));
  bytes.l2_read = to_bytes(counters.count("l1tex__m_xbar2l1tex_read_bytes", "l1tex"), 1);
  for (const std::string_view name : {"lts__t_sectors_srcunit_tex_op_read", "lts__lts2xbar_cycles_active"}) {
    if (!bytes.l2_read) bytes.l2_read = either(bytes.l2_read, to_bytes(counters.count(name, "lts"), kSectorBytes));
  }
  bytes.l2_write = to_bytes(counters.count("l1tex__m_l1tex2xbar_write_bytes", "l1tex"), 1);
  if (!bytes.l2_write) {
    bytes.l2_write =
        either(bytes.l2_write, to_bytes(counters.count("lts__t_sectors_srcunit_tex_op_write", "lts"), kSectorBytes));
  }
  Value<double> requests = counters.count("lts__t_requests", "lts");
  if (!requests) requests = either(requests, counters.count("lts__t_tag_requests", "lts"));
  if (!requests) requests = either(requests, counters.count_from_share("lts__t_tag_requests", "lts", 1));
  work.access.l2_requests = requests;
}

/// Sectors that L2 moves from and to another memory.
struct LinkSectors {
  Value<double> read, write;
};

/// "sysmem" is the host's memory, "peer" another GPU's. Where only those for the SMs were collected, an atomic counts
/// as read, for the value that it returns.
LinkSectors aperture(const Counters& counters, const std::string& name) {
  const std::string all = "lts__t_sectors_aperture_" + name, tex = "lts__t_sectors_srcunit_tex_aperture_" + name;
  const LinkSectors whole{counters.count(all + "_op_read", "lts"), counters.count(all + "_op_write", "lts")};
  if (whole.read && whole.write) return whole;
  return {
      sum_of_present({counters.count(tex + "_op_read_lookup_miss", "lts"), counters.count(tex + "_op_atom", "lts")}),
      sum_of_present({counters.count(tex + "_op_write", "lts"), counters.count(tex + "_op_red", "lts")})};
}

void count_links(const Counters& counters, TrafficWork& bytes) {
  const LinkSectors host = aperture(counters, "sysmem"), peer = aperture(counters, "peer");
  bytes.host_link = to_bytes(sum_of_present({host.read, host.write}), kSectorBytes);
  bytes.host_link_read = to_bytes(host.read, kSectorBytes);
  bytes.host_link_write = to_bytes(host.write, kSectorBytes);
  bytes.peer_link = to_bytes(sum_of_present({peer.read, peer.write}), kSectorBytes);
  bytes.peer_link_read = to_bytes(peer.read, kSectorBytes);
  bytes.peer_link_write = to_bytes(peer.write, kSectorBytes);
}

/// Sectors of the L1 tag stage: global and local memory of the load/store pipe, textures and surfaces. Bulk copies
/// (TMA) and asynchronous copies that bypass L1 never pass it.
Value<double> l1_sectors(const Counters& counters) {
  const auto of = [&](std::string_view tail) {
    return counters.count(std::string("l1tex__t_sectors_pipe_").append(tail), "l1tex");
  };
  const Value<double> needed = of("lsu_mem_global_op_ld") + of("lsu_mem_global_op_st");
  if (!needed) return Value<double>::missing("l1tex__t_bytes and the sector counters it sums were not collected");
  return sum_of_present({needed, of("lsu_mem_global_op_atom"), of("lsu_mem_global_op_red"), of("lsu_mem_local_op_ld"),
                         of("lsu_mem_local_op_st"), of("tex_mem_texture"), of("tex_mem_surface_op_ld"),
                         of("tex_mem_surface_op_st")});
}

void count_l1(const Counters& counters, Work& work) {
  TrafficWork& bytes = work.bytes;
  AccessWork& access = work.access;
  bytes.l1 = to_bytes(counters.count("l1tex__t_bytes", "l1tex"), 1);
  if (!bytes.l1)
    bytes.l1 = to_bytes(either(counters.count("l1tex__t_sectors", "l1tex"), l1_sectors(counters)), kSectorBytes);
  access.l1_wavefronts = counters.count("l1tex__data_pipe_lsu_wavefronts", "l1tex");
  if (!access.l1_wavefronts) {
    // The data stage delivers one wavefront per cycle and SM.
    access.l1_wavefronts =
        either(access.l1_wavefronts, counters.count_from_share("l1tex__data_pipe_lsu_wavefronts", "l1tex", 1));
  }
  const auto global = [&](std::string_view tail) {
    return counters.count(std::string("l1tex__t_").append(tail), "l1tex");
  };
  access.global_load_requests = global("requests_pipe_lsu_mem_global_op_ld");
  access.global_load_sectors = global("sectors_pipe_lsu_mem_global_op_ld");
  access.global_store_requests = global("requests_pipe_lsu_mem_global_op_st");
  access.global_store_sectors = global("sectors_pipe_lsu_mem_global_op_st");
  access.local_load_sectors = global("sectors_pipe_lsu_mem_local_op_ld");
  access.local_store_sectors = global("sectors_pipe_lsu_mem_local_op_st");
  access.excess_sectors = counters.first(
      {"derived__memory_l2_theoretical_sectors_global_excessive", "memory_l2_theoretical_sectors_global_excessive"});
}

bool allocates_no_shared(const Configuration& configuration) {
  const Value<Bytes> both = configuration.shared_static + configuration.shared_dynamic;
  return both && *both == Bytes(0);
}

/// Wavefronts of shared-memory instructions. The counter of the data stage also has shuffles and one wavefront for
/// every warp; the one by instruction (SASS) also has asynchronous copies that bypass the data stage. So the smaller of
/// the two where both were collected. The counters by operation lack what wgmma reads, and serve where there is none.
Value<double> shared_wavefronts(const Counters& counters, const LaunchFacts& facts, const AccessWork& access,
                                const Value<double>& stage, const Value<double>& atomics) {
  const Value<double> by_instruction =
      counters.first({"memory_l1_wavefronts_shared", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum"});
  if (by_instruction) return stage && *stage < *by_instruction ? stage : by_instruction;
  const Value<double> by_operation = access.shared_load_wavefronts + access.shared_store_wavefronts + atomics;
  const bool complete =
      (facts.capability_major > 0 && facts.capability_major < 9) || allocates_no_shared(facts.configuration);
  if (by_operation && complete) return by_operation;
  if (stage) return stage;
  return either(stage, access.shared_load_wavefronts + access.shared_store_wavefronts);
}

void count_shared(const Counters& counters, const LaunchFacts& facts, Work& work) {
  AccessWork& access = work.access;
  const auto wavefronts = [&](std::string_view tail) {
    return counters.count(std::string("l1tex__data_pipe_lsu_wavefronts_mem_shared").append(tail), "l1tex");
  };
  access.shared_load_wavefronts = wavefronts("_op_ld");
  access.shared_store_wavefronts = wavefronts("_op_st");
  access.shared_wavefronts = shared_wavefronts(counters, facts, access, wavefronts(""), wavefronts("_op_atom"));
  work.bytes.shared = to_bytes(access.shared_wavefronts, kWavefrontBytes);
  access.shared_wavefronts_excess =
      counters.first({"derived__memory_l1_wavefronts_shared_excessive", "memory_l1_wavefronts_shared_excessive"});
  access.shared_bank_conflicts = counters.count("l1tex__data_bank_conflicts_pipe_lsu_mem_shared", "l1tex");
  access.shared_load_instructions =
      counters.first({"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld.sum"});
  access.shared_store_instructions =
      counters.first({"smsp__sass_inst_executed_op_shared_st.sum", "smsp__inst_executed_op_shared_st.sum"});
}

}  // namespace

Value<double> l2_sectors_per_cycle(const Counters& counters, const LaunchFacts& facts) {
  const Value<double> peak = counters.first({"lts__t_sectors.avg.peak_sustained", "lts__t_sectors.max.peak_sustained"});
  if (peak || facts.capability_major != 9 || facts.capability_minor != 0) return peak;
  return Value<double>(kL2SectorsPerCycle90, Provenance::kDatasheet);
}

void count_traffic(const Counters& counters, const LaunchFacts& facts, Work& work) {
  count_dram(counters, work.bytes);
  count_l2(counters, facts, work);
  count_l1(counters, work);
  count_shared(counters, facts, work);
  count_links(counters, work.bytes);
  work.bytes.bulk_read = to_bytes(counters.count("l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld", "l1tex"), 1);
  work.bytes.bulk_write =
      to_bytes(sum_of_present({counters.count("l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st", "l1tex"),
                               counters.count("l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_red", "l1tex")}),
               1);
}

}  // namespace ridge
