// Peaks of a machine at a basis: see RoofBasis.
#include <algorithm>
#include <string>

#include "ridgepoint/model/roofline.h"

namespace ridge {
namespace {

/// Peak sustained FMA per clock of the whole chip, as the run's own counters state it (so also of a slice of a GPU).
Value<double> recorded_fma_per_clock(const Conditions& conditions, const ComputeKey& key) {
  if (key == core(DataType::kFp32)) return conditions.fp32_fma_per_clock;
  if (key == core(DataType::kFp64)) return conditions.fp64_fma_per_clock;
  return {};
}

/// A figure that a person gave, or a bare peak: it holds whatever the run's clock is.
bool is_fixed(const Ceiling& ceiling) {
  return ceiling.provenance == Provenance::kDeclared || !ceiling.clock;
}

/// The ceiling of `key` for a basis that excludes measured ones.
const Ceiling* stated_ceiling(const Machine& machine, const ComputeKey& key) {
  const Ceiling* found = find_ceiling(machine, key);
  if (found == nullptr || found->provenance != Provenance::kMeasured) return found;
  for (const Ceiling& entry : machine.ceilings) {
    if (entry.key == found->key && entry.provenance != Provenance::kMeasured) return &entry;
  }
  return nullptr;
}

Value<BytesPerSecond> per_clock_rate(const Value<double>& bytes_per_clock, double instances,
                                     const Value<Hertz>& clock) {
  return combine(bytes_per_clock, clock,
                 [instances](double bytes, Hertz hz) { return BytesPerSecond(bytes * instances * hz.count()); });
}

Value<BytesPerSecond> recorded_peak(Level level, const Conditions& conditions) {
  if (level == Level::kDram) return conditions.dram_peak;
  if (level == Level::kL2) return conditions.l2_peak;
  return {};
}

}  // namespace

std::string_view name(RoofBasis basis) {
  switch (basis) {
    case RoofBasis::kMeasuredClock:
      return "measured clock";
    case RoofBasis::kCeilings:
      return "ceilings";
    case RoofBasis::kDatasheet:
      return "datasheet";
  }
  return "datasheet";
}

bool has_measured_ceilings(const Machine& machine) {
  return std::any_of(machine.ceilings.begin(), machine.ceilings.end(),
                     [](const Ceiling& entry) { return entry.provenance == Provenance::kMeasured; }) ||
         std::any_of(machine.levels.begin(), machine.levels.end(), [](const MemoryLevel& entry) {
           return entry.bandwidth && entry.bandwidth.provenance() == Provenance::kMeasured;
         });
}

RoofBasis basis_for(const Machine& machine, bool recorded_here, RoofBasis wanted) {
  const bool possible = wanted == RoofBasis::kMeasuredClock ? recorded_here : has_measured_ceilings(machine);
  return possible ? wanted : RoofBasis::kDatasheet;
}

Value<Hertz> roof_clock(const Machine& machine, const Conditions& conditions, RoofBasis basis) {
  if (basis == RoofBasis::kMeasuredClock && conditions.sm_clock) return conditions.sm_clock;
  const Ceiling* fp32 = find_ceiling(machine, core(DataType::kFp32));
  if (fp32 != nullptr && fp32->clock) return Value<Hertz>(*fp32->clock, fp32->provenance);
  if (machine.boost_clock.count() > 0) return Value<Hertz>(machine.boost_clock, machine.provenance);
  return Value<Hertz>::missing("the machine's SM clock is not known");
}

namespace {

/// The ceiling that holds for `key`, and whether the run's own clock replaces the ceiling's.
struct ChosenCeiling {
  const Ceiling* ceiling = nullptr;
  bool at_run_clock = false;
};

ChosenCeiling choose_ceiling(const Machine& machine, const ComputeKey& key, const Conditions& conditions,
                             RoofBasis basis) {
  ChosenCeiling chosen;
  chosen.ceiling = basis == RoofBasis::kDatasheet ? stated_ceiling(machine, key) : find_ceiling(machine, key);
  const bool fixed = chosen.ceiling != nullptr && is_fixed(*chosen.ceiling);
  chosen.at_run_clock = basis == RoofBasis::kMeasuredClock && conditions.sm_clock && !fixed;
  return chosen;
}

}  // namespace

Value<FlopsPerSecond> compute_roof(const Machine& machine, const ComputeKey& key, const Conditions& conditions,
                                   RoofBasis basis) {
  const auto [ceiling, at_run_clock] = choose_ceiling(machine, key, conditions, basis);
  const Value<double> fma = recorded_fma_per_clock(conditions, key);
  if (at_run_clock && fma) {
    return combine(fma, conditions.sm_clock,
                   [](double per_clock, Hertz clock) { return FlopsPerSecond(2 * per_clock * clock.count()); });
  }
  if (ceiling == nullptr) {
    return Value<FlopsPerSecond>::missing("the machine has no ceiling for " + name(key));
  }
  return Value<FlopsPerSecond>(
      at_run_clock ? peak_at(machine, *ceiling, *conditions.sm_clock) : peak(machine, *ceiling), ceiling->provenance);
}

Value<Hertz> compute_roof_clock(const Machine& machine, const ComputeKey& key, const Conditions& conditions,
                                RoofBasis basis) {
  const auto [ceiling, at_run_clock] = choose_ceiling(machine, key, conditions, basis);
  if (at_run_clock) return conditions.sm_clock;
  if (ceiling == nullptr || !ceiling->clock) return Value<Hertz>::missing("only the peak is known");
  return Value<Hertz>(*ceiling->clock, ceiling->provenance);
}

namespace {

/// Bytes per clock x clock: of all SMs at theirs, of L2 at its own, which only a run tells.
Value<BytesPerSecond> clocked_rate(const Machine& machine, const MemoryLevel& entry, const Conditions& conditions,
                                   RoofBasis basis) {
  if (entry.level != Level::kL1 && entry.level != Level::kShared) {
    const bool known = entry.level == Level::kL2 && basis == RoofBasis::kMeasuredClock;
    return per_clock_rate(entry.bytes_per_clock, 1, known ? conditions.l2_clock : Value<Hertz>());
  }
  if (machine.sm_count <= 0) return Value<BytesPerSecond>::missing("the machine's number of SMs is not known");
  return per_clock_rate(entry.bytes_per_clock, machine.sm_count, roof_clock(machine, conditions, basis));
}

}  // namespace

Value<BytesPerSecond> memory_roof(const Machine& machine, Level level, const Conditions& conditions, RoofBasis basis) {
  const bool measured = basis == RoofBasis::kMeasuredClock;
  const MemoryLevel* entry = find_level(machine, level);
  if (entry != nullptr && entry->bandwidth && entry->bandwidth.provenance() == Provenance::kDeclared) {
    return entry->bandwidth;
  }
  const Value<BytesPerSecond> recorded = recorded_peak(level, conditions);
  if (measured && recorded) return recorded;
  if (entry != nullptr) {
    const Value<BytesPerSecond> rate = clocked_rate(machine, *entry, conditions, basis);
    if (rate && (measured || !entry->bandwidth)) return rate;
    if (entry->bandwidth) return entry->bandwidth;
  }
  return Value<BytesPerSecond>::missing("the machine's bandwidth of " + std::string(name(level)) + " is not known");
}

Value<BytesPerSecond> one_way_roof(const Machine& machine, Level level, Direction direction,
                                   const Conditions& conditions, RoofBasis basis) {
  const MemoryLevel* entry = find_level(machine, level);
  if (entry == nullptr) return Value<BytesPerSecond>::missing("the machine has no such memory level");
  const Value<BytesPerSecond>& one_way = direction == Direction::kRead ? entry->read_bandwidth : entry->write_bandwidth;
  if (!one_way || !entry->bandwidth) return one_way;
  // A clock moves a direction as it moves both together.
  return combine(one_way, memory_roof(machine, level, conditions, basis) / entry->bandwidth,
                 [](BytesPerSecond rate, double scale) { return rate * scale; });
}

}  // namespace ridge
