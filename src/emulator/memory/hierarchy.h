// The memory system of one GPU: an L1 in each SM, one L2, and what DRAM moves. Rules and their evidence: hierarchy.md.
//
// Threads: an SmMemory belongs to one worker at a time. What L1 cannot answer, and all stores and atomics, are queued
// there by slice of L2. drain(slice) takes that slice's part of every SM's queue, in proportion (SMs run at the same
// time) and always in the same order; different slices may be drained by different threads at once, while no SM adds to
// its queue. So results depend on when the queues are drained, and on nothing else: not on the number of workers.
// Counts are exact for a given order of requests; the order is the caller's.
// Not modelled: time (latency, bandwidth, requests in flight), merging of requests of several SMs on their way to L2,
// compression, eviction priorities, local memory kept in L1, and system memory.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/memory/coalescer.h"
#include "emulator/memory/sectored_cache.h"
#include "emulator/memory/shared_banks.h"
#include "ridgepoint/base/result.h"
#include "ridgepoint/model/machine.h"

namespace ridge::emulator {

struct MemoryGeometry {
  std::uint32_t sms = 0;
  std::uint64_t l1_bytes = 0;       ///< of one SM, without what is set aside as shared memory
  std::uint64_t l2_bytes = 0;       ///< of the chip
  std::uint32_t l2_partitions = 1;  ///< 1 or 2: with two, each keeps a copy of what its SMs read from the other
  std::uint32_t slices = 8;         ///< parts of L2 that may be drained in parallel; not those of the hardware
};

/// Not available where the machine states no SMs, no L1 or no L2. `shared_bytes_per_sm`: the carve-out.
[[nodiscard]] Result<MemoryGeometry> geometry_of(const Machine& machine, double shared_bytes_per_sm);

/// One kind of request as the tag stage of L1 counts it.
struct RequestCounts {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t hits = 0;  ///< sectors that L1 had

  friend bool operator==(const RequestCounts&, const RequestCounts&) = default;
};

struct SharedCounts {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;

  friend bool operator==(const SharedCounts&, const SharedCounts&) = default;
};

/// In the profiler's names: l1tex__t_requests and t_sectors_pipe_lsu_mem_global_op_*, l1tex__data_pipe_lsu_wavefronts,
/// l1tex__m_xbar2l1tex_read_bytes, l1tex__m_l1tex2xbar_write_bytes, lts__t_sectors, dram__bytes_read and _write.
struct MemoryCounts {
  RequestCounts loads, stores, atomics, reductions, async_copies;
  std::uint64_t global_wavefronts = 0;
  SharedCounts shared_loads, shared_stores, shared_atomics;
  SharedCounts shared_copies, shared_operands;  ///< asynchronous copies; operands of wgmma

  /// Of all five.
  [[nodiscard]] SharedCounts shared() const;
  std::uint64_t l2_to_l1_bytes = 0, l1_to_l2_bytes = 0;
  std::uint64_t bulk_read_bytes = 0;    ///< of l2_to_l1_bytes, by tensor memory access and bulk copies
  std::uint64_t l2_sectors = 0;         ///< looked up in L2, those between its partitions included
  std::uint64_t l2_fabric_sectors = 0;  ///< of them
  std::uint64_t l2_read_sectors = 0, l2_read_hits = 0, l2_write_sectors = 0, l2_atomic_sectors = 0;  ///< asked by L1
  std::uint64_t partial_store_sectors = 0;  ///< of stores: sectors that a request wrote only in part
  std::uint64_t hottest_atomic_line = 0;    ///< sectors of atomics and reductions on the line that had most of them
  std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;
  std::uint64_t l2_dirty_bytes = 0;  ///< written and still in L2: no DRAM traffic of this kernel

  MemoryCounts& operator+=(const MemoryCounts& other);
  friend bool operator==(const MemoryCounts&, const MemoryCounts&) = default;
};

/// What one warp instruction cost.
struct RequestCost {
  std::uint32_t lines = 0, sectors = 0, wavefronts = 0;
};

/// A line on its way from an SM to L2.
struct L2Request {
  enum class Kind : std::uint8_t { kRead, kWrite, kAtomic };
  std::uint64_t line = 0;
  std::uint32_t words = 0;  ///< written whole
  std::uint8_t sectors = 0;
  Kind kind = Kind::kRead;
  std::uint16_t repeats = 0;  ///< sectors that an atomic goes over again
};

class SmMemory {
 public:
  SmMemory(std::uint64_t l1_bytes, std::uint32_t slices);

  RequestCost global(const WarpAccess& access);
  SharedCost shared(const WarpAccess& access);
  /// The same where the caller knows the cost.
  void shared(AccessKind kind, const SharedCost& cost);
  /// A bulk copy or tensor memory access: a range, past L1. `kind`: load, store or reduction.
  void bulk(AccessKind kind, std::uint64_t address, std::uint64_t bytes);

  [[nodiscard]] const MemoryCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<L2Request>& queue(std::uint32_t slice) const { return queues_[slice]; }
  void clear_queue(std::uint32_t slice) { queues_[slice].clear(); }
  /// Lines waiting in all queues.
  [[nodiscard]] std::size_t queued() const;

 private:
  void load(const WarpAccess& access, const Coalesced& request, RequestCounts& counts);
  void store(const Coalesced& request);
  void update(const Coalesced& request, bool returns);
  void send(const L2Request& request);
  SharedCounts& shared_counts(AccessKind kind);

  ReadCache l1_;
  MemoryCounts counts_;
  std::vector<std::vector<L2Request>> queues_;
};

/// A part of L2: some of the sets of each partition.
class L2Slice {
 public:
  L2Slice(std::uint64_t bytes, std::uint32_t partitions);

  /// `partition`: that of the SM which asks.
  void process(const L2Request& request, std::uint32_t partition);
  /// Brings what `request` will look at into the caches of the processor that emulates.
  void prefetch(const L2Request& request, std::uint32_t partition) const;
  [[nodiscard]] MemoryCounts counts() const;

 private:
  void read(const L2Request& request, std::uint32_t partition);
  void write(const L2Request& request, std::uint32_t partition);
  void atomic(const L2Request& request, std::uint32_t partition);
  /// Sectors that `home` must have: from DRAM where it has not.
  void bring_home(std::uint64_t line, std::uint8_t sectors, std::uint32_t home, std::uint64_t hash);
  void drop_copies(const L2Request& request, std::uint32_t home, std::uint64_t hash);
  void count_passage(std::uint32_t sectors, bool far);
  void evict(Victim victim);

  std::unordered_map<std::uint64_t, std::uint64_t> atomics_;  ///< sectors by line
  std::vector<WriteCache> partitions_;
  MemoryCounts counts_;
};

class MemoryHierarchy {
 public:
  explicit MemoryHierarchy(const MemoryGeometry& geometry);

  [[nodiscard]] std::uint32_t sms() const { return static_cast<std::uint32_t>(sms_.size()); }
  [[nodiscard]] std::uint32_t slices() const { return static_cast<std::uint32_t>(slices_.size()); }
  [[nodiscard]] SmMemory& sm(std::uint32_t index) { return sms_[index]; }
  /// Takes one slice's requests of all SMs.
  void drain(std::uint32_t slice);
  void drain_all();
  /// Of all SMs and slices, of what has been drained.
  [[nodiscard]] MemoryCounts counts() const;
  [[nodiscard]] const MemoryGeometry& geometry() const { return geometry_; }

 private:
  MemoryGeometry geometry_;
  std::vector<SmMemory> sms_;
  std::vector<L2Slice> slices_;
};

}  // namespace ridge::emulator
