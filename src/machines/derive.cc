#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ridgepoint/machines/match.h"

namespace ridge {
namespace {

/// fp32 lanes of one SM. Source: CUDA C++ Programming Guide, throughput of arithmetic instructions.
struct LanesRow {
  int major, minor, fp32_lanes;
};
constexpr std::array kLanes{
    LanesRow{6, 0, 64},   LanesRow{6, 1, 128},  LanesRow{6, 2, 128},  LanesRow{7, 0, 64},
    LanesRow{7, 2, 64},   LanesRow{7, 5, 64},   LanesRow{8, 0, 64},   LanesRow{8, 6, 128},
    LanesRow{8, 7, 128},  LanesRow{8, 9, 128},  LanesRow{9, 0, 128},  LanesRow{10, 0, 128},
    LanesRow{10, 3, 128}, LanesRow{11, 0, 128}, LanesRow{12, 0, 128}, LanesRow{12, 1, 128},
};

int whole(const Value<double>& value) {
  const double number = value.value_or(0);
  return number > 0 && number < 1e9 ? static_cast<int>(number) : 0;
}

/// Builds the machine and remembers, in words, what it was built from.
class Derivation {
 public:
  Derivation(std::string_view name, const DeviceAttributes& attributes, const Database& database)
      : attributes_(attributes) {
    machine_.name = name;
    machine_.id = "derived";
    machine_.provenance = Provenance::kReported;
    machine_.sm_count = whole(attributes.sm_count);
    machine_.boost_clock = attributes.max_sm_clock.value_or(Hertz(0));
    if (attributes.compute_capability_major) {
      major_ = whole(attributes.compute_capability_major);
      minor_ = whole(attributes.compute_capability_minor);
      machine_.compute_capability = fmt::format("{}.{}", major_, minor_);
    }
    borrow_limits(database);
    limits_from_attributes();
  }

  std::optional<Machine> finish() && {
    add_cores();
    add_dram();
    add_l2();
    if (!useful_) return std::nullopt;
    machine_.note = fmt::format("derived from the device's attributes: {}", fmt::join(evidence_, "; "));
    machine_.sources = {"attributes that the device reports"};
    return std::move(machine_);
  }

 private:
  /// Limits and cache lines of a known machine of the same compute capability; nothing that differs between products.
  void borrow_limits(const Database& database) {
    for (const Machine& known : database.machines()) {
      if (known.compute_capability != machine_.compute_capability || machine_.compute_capability.empty()) continue;
      machine_.architecture = known.architecture;
      machine_.schedulers_per_sm = known.schedulers_per_sm;
      machine_.occupancy = known.occupancy;
      add_sm_levels(known);
      return;
    }
  }

  void add_sm_levels(const Machine& known) {
    if (machine_.sm_count == 0 || machine_.boost_clock.count() <= 0) return;
    for (const Level which : {Level::kShared, Level::kL1}) {
      const MemoryLevel* level = find_level(known, which);
      if (level == nullptr || !level->bytes_per_clock) continue;
      MemoryLevel own = *level;
      own.stated = BytesPerSecond(0);
      own.bandwidth = Value<BytesPerSecond>(
          BytesPerSecond(*level->bytes_per_clock * machine_.sm_count * machine_.boost_clock.count()),
          Provenance::kDatasheet);
      machine_.levels.push_back(own);
    }
  }

  void limits_from_attributes() {
    OccupancyLimits& limits = machine_.occupancy;
    const auto take = [](const auto& value, auto& field) {
      if constexpr (requires { value->count(); }) {
        if (value) field = value->count();
      } else {
        if (whole(value) > 0) field = whole(value);
      }
    };
    take(attributes_.max_warps_per_sm, limits.max_warps_per_sm);
    take(attributes_.max_blocks_per_sm, limits.max_blocks_per_sm);
    take(attributes_.registers_per_sm, limits.registers_per_sm);
    take(attributes_.shared_per_sm, limits.shared_bytes_per_sm);
    take(attributes_.shared_per_block, limits.shared_bytes_per_block);
    take(attributes_.shared_reserved_per_block, limits.shared_reserved_per_block);
  }

  [[nodiscard]] int lanes() const {
    for (const LanesRow& row : kLanes) {
      if (row.major == major_ && row.minor == minor_) return row.fp32_lanes;
    }
    return 0;
  }

  void add_ceiling(DataType type, double ops_per_clock_per_sm, Provenance provenance) {
    Ceiling ceiling;
    ceiling.key = core(type);
    ceiling.ops_per_clock_per_sm = ops_per_clock_per_sm;
    ceiling.clock = machine_.boost_clock;
    ceiling.provenance = provenance;
    machine_.ceilings.push_back(ceiling);
    useful_ = true;
  }

  /// FMA per clock of the whole chip, where the device states it; packed halves count two operations a lane.
  void add_stated(DataType type, const Value<double>& fma_per_clock, double flop_per_fma) {
    if (!fma_per_clock || *fma_per_clock <= 0) return;
    add_ceiling(type, *fma_per_clock * flop_per_fma / machine_.sm_count, Provenance::kReported);
    evidence_.push_back(
        fmt::format("{}: {:.6g} FMA per clock of the chip x {}", ridge::name(type), *fma_per_clock, flop_per_fma));
  }

  void add_cores() {
    if (machine_.sm_count == 0 || machine_.boost_clock.count() <= 0) return;
    const double ghz = machine_.boost_clock.count() / 1e9;
    if (attributes_.fp32_fma_per_clock) {
      add_stated(DataType::kFp32, attributes_.fp32_fma_per_clock, 2);
      machine_.cores_per_sm = whole(
          transform(attributes_.fp32_fma_per_clock, [&](double fma) { return std::round(fma / machine_.sm_count); }));
    } else if (lanes() > 0) {
      machine_.cores_per_sm = lanes();
      add_ceiling(DataType::kFp32, 2.0 * lanes(), Provenance::kDatasheet);
      evidence_.push_back(fmt::format("fp32: {} SMs x {} lanes of compute capability {} x 2", machine_.sm_count,
                                      lanes(), machine_.compute_capability));
    }
    add_stated(DataType::kFp64, attributes_.fp64_fma_per_clock, 2);
    add_stated(DataType::kFp16, attributes_.fp16_fma_per_clock, 4);
    if (useful_) evidence_.push_back(fmt::format("SM clock {:.4g} GHz", ghz));
  }

  void add_dram() {
    MemoryLevel dram;
    dram.capacity = attributes_.dram_capacity;
    const double clock = attributes_.max_dram_clock.value_or(Hertz(0)).count();
    if (clock > 0 && attributes_.dram_bytes_per_clock) {
      dram.bandwidth =
          Value<BytesPerSecond>(BytesPerSecond(*attributes_.dram_bytes_per_clock * clock), Provenance::kReported);
      evidence_.push_back(
          fmt::format("DRAM: {:.6g} bytes per clock x {:.4g} GHz", *attributes_.dram_bytes_per_clock, clock / 1e9));
    } else if (clock > 0 && attributes_.dram_bus_width_bits) {
      machine_.bus.width_bits = *attributes_.dram_bus_width_bits;
      machine_.bus.data_rate_bits_per_s = 2 * clock;  // drivers state the clock of a double data rate bus
      dram.bandwidth = Value<BytesPerSecond>(
          BytesPerSecond(machine_.bus.width_bits * machine_.bus.data_rate_bits_per_s / 8), Provenance::kReported);
      evidence_.push_back(fmt::format("DRAM: {} bits x 2 x {:.4g} GHz / 8", machine_.bus.width_bits, clock / 1e9));
    } else {
      dram.bandwidth = Value<BytesPerSecond>::missing("the device's attributes do not give the DRAM bandwidth");
    }
    useful_ = useful_ || dram.bandwidth.has_value();
    if (dram.bandwidth || dram.capacity) machine_.levels.push_back(dram);
  }

  void add_l2() {
    if (!attributes_.l2_capacity) return;
    MemoryLevel l2;
    l2.level = Level::kL2;
    l2.capacity = attributes_.l2_capacity;
    l2.bandwidth = Value<BytesPerSecond>::missing("the device's attributes do not give the L2 bandwidth");
    l2.line_bytes = 128;
    l2.sector_bytes = 32;
    machine_.levels.push_back(l2);
  }

  const DeviceAttributes& attributes_;
  Machine machine_;
  int major_ = 0, minor_ = 0;
  bool useful_ = false;
  std::vector<std::string> evidence_;
};

}  // namespace

std::optional<Machine> derive_machine(std::string_view name, const DeviceAttributes& attributes,
                                      const Database& database) {
  return Derivation(name, attributes, database).finish();
}

}  // namespace ridge
