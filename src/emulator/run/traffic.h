// Leads what a kernel accesses through the memory system, and keeps what each instruction cost there.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/exec/listener.h"
#include "emulator/memory/hierarchy.h"

namespace ridge::emulator {

/// Of one instruction: what its accesses became.
struct SiteTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0, excess_sectors = 0;  ///< global and local; beyond what the bytes of the lanes need
  std::uint64_t wavefronts = 0, conflicts = 0;
  SiteTraffic& operator+=(const SiteTraffic& other);
};

/// Requests of local memory, which L1 counts apart from global ones.
struct LocalTraffic {
  std::uint64_t load_requests = 0, load_sectors = 0, store_requests = 0, store_sectors = 0;
  LocalTraffic& operator+=(const LocalTraffic& other);
};

/// One worker's listener; the SMs it hears of are that worker's alone.
class Traffic final : public Listener {
 public:
  Traffic(MemoryHierarchy& memory, std::size_t sites) : memory_(memory), sites_(sites), patterns_(sites) {}

  void access(const Where& where, const Access& access) override;
  void bulk(const Where& where, const BulkAccess& bulk) override;

  [[nodiscard]] const std::vector<SiteTraffic>& sites() const { return sites_; }
  [[nodiscard]] const LocalTraffic& local() const { return local_; }
  [[nodiscard]] std::uint64_t multicast_bytes() const { return multicast_bytes_; }

 private:
  void shared(SmMemory& sm, const Access& access);
  void local(const Where& where, SmMemory& sm, const Access& access);
  void note(const Access& access, const RequestCost& cost);

  /// The last access to shared memory of an instruction. What one costs depends on where its lanes are from one
  /// another, not on where they all are, and a loop mostly repeats that.
  struct Pattern {
    alignas(64) std::uint32_t offsets[kLanes];  // NOLINT(modernize-avoid-c-arrays)
    Mask mask = 0;
    SharedCost cost;
    AccessKind kind = AccessKind::kLoad;
  };
  [[nodiscard]] SharedCost cost_of(const Access& access);

  MemoryHierarchy& memory_;
  std::vector<SiteTraffic> sites_;
  std::vector<Pattern> patterns_;
  LocalTraffic local_;
  std::uint64_t multicast_bytes_ = 0;
};

}  // namespace ridge::emulator
