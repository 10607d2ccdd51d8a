// Machine: what one GPU can do at best. Compute ceilings, memory levels, occupancy limits.
//
// A ceiling is stored as operations per clock per SM and the clock it holds at, never as a bare TFLOP/s: datasheets mix
// clocks (an L40S states fp32 at 2.52 GHz and fp16 tensor at 2.49). peak = SMs x operations per clock x clock, and for
// fp32 on ordinary cores operations per clock = cores per SM x 2 (FMA = 2 FLOP).
// Multi-die cards are described per device the program sees (MI250X: one GCD).
// Not modelled here: power limits, the clock a long run settles at, interconnect topology.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridgepoint/base/units.h"
#include "ridgepoint/base/value.h"
#include "ridgepoint/model/compute.h"

namespace ridge {

enum class Level : unsigned char { kRegisters, kShared, kL1, kL2, kDram, kHostLink, kPeerLink };
/// "registers", "shared", "l1", "l2", "dram", "host_link", "peer_link".
[[nodiscard]] std::string_view name(Level level);

enum class Vendor : unsigned char { kNvidia, kAmd };

struct Ceiling {
  ComputeKey key;
  double ops_per_clock_per_sm = 0;  ///< FLOP (or integer operations) per clock per SM or CU; FMA counts 2
  std::optional<Hertz> clock;       ///< the clock `peak` holds at; absent if nothing but the peak is known
  Provenance provenance = Provenance::kDatasheet;
  /// The peak its source prints, within 1 % of peak(), 0 if it prints none. Without a clock it is the peak.
  FlopsPerSecond stated{};

  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

/// One memory level. `bandwidth` is what reads and writes together can reach; read and write apart where they differ.
struct MemoryLevel {
  Level level = Level::kDram;
  Value<BytesPerSecond> bandwidth;
  Value<BytesPerSecond> read_bandwidth;
  Value<BytesPerSecond> write_bandwidth;
  /// Bytes per clock: of the whole chip for L2, of one SM for L1 and shared. Missing for DRAM and links.
  Value<double> bytes_per_clock;
  Value<Bytes> capacity;  ///< of the whole chip for L2 and DRAM, of one SM for registers, shared and L1
  double line_bytes = 0;
  double sector_bytes = 0;
  BytesPerSecond stated{};  ///< the bandwidth its source prints; 0 if it prints none

  friend bool operator==(const MemoryLevel&, const MemoryLevel&) = default;
};

/// How DRAM bandwidth comes about: bus width x data rate / 8.
struct DramBus {
  double width_bits = 0;
  double data_rate_bits_per_s = 0;  ///< per pin
  std::string kind;                 ///< "GDDR6X", "HBM3e", ...

  friend bool operator==(const DramBus&, const DramBus&) = default;
};

/// What decides how many blocks fit on one SM. 0 means no such limit. Sources: CUDA C++ Programming Guide, "Compute
/// Capabilities"; allocation units as the vendor's occupancy calculator and profiler state them.
struct OccupancyLimits {
  int warp_size = 32;
  int max_warps_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 1024;
  int registers_per_sm = 0;
  int max_registers_per_block = 0;
  int max_registers_per_thread = 255;
  int register_allocation_unit = 256;  ///< registers, per warp
  int warp_allocation_granularity = 4;
  double shared_bytes_per_sm = 0;
  double shared_bytes_per_block = 0;  ///< opt-in maximum of one block
  double shared_reserved_per_block = 0;
  double shared_allocation_unit = 0;
  int max_barriers_per_sm = 0;
  std::vector<double> shared_carveouts;  ///< bytes of shared memory an SM can be set to, ascending; empty: not known

  friend bool operator==(const OccupancyLimits&, const OccupancyLimits&) = default;
};

struct Machine {
  std::string id;  ///< "h200-sxm"
  std::string name;
  Vendor vendor = Vendor::kNvidia;
  std::string architecture;        ///< "Hopper"
  std::string chip;                ///< "GH100"; the profiler's chip name where known
  std::string compute_capability;  ///< "9.0", "gfx942"
  int sm_count = 0;                ///< SMs or CUs; 0 if not known
  int cores_per_sm = 0;            ///< fp32 lanes
  int schedulers_per_sm = 4;       ///< each issues one warp instruction per clock
  Hertz base_clock;
  Hertz boost_clock;
  std::vector<Ceiling> ceilings;
  std::vector<MemoryLevel> levels;
  DramBus bus;
  OccupancyLimits occupancy;
  std::vector<std::string> sources;       ///< where the figures come from
  std::vector<std::string> device_names;  ///< exact names drivers report for it
  Provenance provenance = Provenance::kDatasheet;
  std::string note;                  ///< e.g. "derived from the report's device attributes"
  std::vector<std::string> aliases;  ///< other ids it is known by ("h200")

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// sm_count x ops_per_clock_per_sm x clock, or the stated peak of a ceiling without a clock.
[[nodiscard]] FlopsPerSecond peak(const Machine& machine, const Ceiling& ceiling);
/// The same at another clock: what a run at `clock` could reach. A ceiling without a clock stays as it is.
[[nodiscard]] FlopsPerSecond peak_at(const Machine& machine, const Ceiling& ceiling, Hertz clock);

/// The ceiling for `key`. An exact entry wins; a kAny path finds the fastest path, a kAny accumulator the fastest
/// accumulator, and a specific accumulator falls back to an entry that does not tell them apart. nullptr if none.
[[nodiscard]] const Ceiling* find_ceiling(const Machine& machine, const ComputeKey& key);
[[nodiscard]] const MemoryLevel* find_level(const Machine& machine, Level level);

/// Peak / bandwidth: the intensity from which `key` can be kept busy by `level`. Missing without either.
[[nodiscard]] Value<FlopsPerByte> ridge_point(const Machine& machine, const ComputeKey& key,
                                              Level level = Level::kDram);

}  // namespace ridge
