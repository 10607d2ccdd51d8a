// Sums of counts, and the geometry of a machine.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/memory/hierarchy.h"

namespace ridge::emulator {
namespace {

void add(RequestCounts& to, const RequestCounts& from) {
  to.requests += from.requests;
  to.sectors += from.sectors;
  to.hits += from.hits;
}

void add(SharedCounts& to, const SharedCounts& from) {
  to.requests += from.requests;
  to.wavefronts += from.wavefronts;
  to.conflicts += from.conflicts;
}

/// The capacity of a level, nullopt where it is not known.
std::optional<double> capacity_of(const Machine& machine, Level level) {
  const MemoryLevel* found = find_level(machine, level);
  if (found == nullptr || !found->capacity.has_value()) return std::nullopt;
  return found->capacity->count();
}

/// Chips whose L2 is two halves, each near one half of the SMs: GA100, GH100, GB100.
bool has_two_partitions(const Machine& machine) {
  const std::string& capability = machine.compute_capability;
  return capability == "8.0" || capability == "9.0" || capability == "10.0" || capability == "10.3";
}

Error lacking(const Machine& machine, std::string_view what) {
  return not_available(fmt::format("{} states no {}", machine.id, what), "",
                       "choose a machine that does, see ridge machines");
}

}  // namespace

SharedCounts MemoryCounts::shared() const {
  SharedCounts sum;
  for (const SharedCounts& each : {shared_loads, shared_stores, shared_atomics, shared_copies, shared_operands}) {
    add(sum, each);
  }
  return sum;
}

MemoryCounts& MemoryCounts::operator+=(const MemoryCounts& other) {
  add(loads, other.loads);
  add(stores, other.stores);
  add(atomics, other.atomics);
  add(reductions, other.reductions);
  add(async_copies, other.async_copies);
  add(shared_loads, other.shared_loads);
  add(shared_stores, other.shared_stores);
  add(shared_atomics, other.shared_atomics);
  add(shared_copies, other.shared_copies);
  add(shared_operands, other.shared_operands);
  global_wavefronts += other.global_wavefronts;
  l2_to_l1_bytes += other.l2_to_l1_bytes;
  l1_to_l2_bytes += other.l1_to_l2_bytes;
  bulk_read_bytes += other.bulk_read_bytes;
  l2_sectors += other.l2_sectors;
  l2_fabric_sectors += other.l2_fabric_sectors;
  l2_read_sectors += other.l2_read_sectors;
  l2_read_hits += other.l2_read_hits;
  l2_write_sectors += other.l2_write_sectors;
  l2_atomic_sectors += other.l2_atomic_sectors;
  partial_store_sectors += other.partial_store_sectors;
  hottest_atomic_line = std::max(hottest_atomic_line, other.hottest_atomic_line);
  dram_read_bytes += other.dram_read_bytes;
  dram_write_bytes += other.dram_write_bytes;
  l2_dirty_bytes += other.l2_dirty_bytes;
  return *this;
}

Result<MemoryGeometry> geometry_of(const Machine& machine, double shared_bytes_per_sm) {
  const std::optional<double> l1 = capacity_of(machine, Level::kL1), l2 = capacity_of(machine, Level::kL2);
  if (machine.sm_count <= 0) return fail(lacking(machine, "number of SMs"));
  if (!l1) return fail(lacking(machine, "capacity of L1"));
  if (!l2) return fail(lacking(machine, "capacity of L2"));
  const bool unified = machine.vendor == Vendor::kNvidia;
  if (unified && (shared_bytes_per_sm < 0 || shared_bytes_per_sm > *l1)) {
    return fail(usage_error(fmt::format("{} bytes of shared memory do not fit in an SM", shared_bytes_per_sm), "",
                            fmt::format("give at most {}", *l1)));
  }
  MemoryGeometry geometry;
  geometry.sms = static_cast<std::uint32_t>(machine.sm_count);
  geometry.l1_bytes = static_cast<std::uint64_t>(unified ? *l1 - shared_bytes_per_sm : *l1);
  geometry.l2_bytes = static_cast<std::uint64_t>(*l2);
  geometry.l2_partitions = has_two_partitions(machine) ? 2 : 1;
  return geometry;
}

}  // namespace ridge::emulator
