// Peaks of a machine at a basis: see RoofBasis.
#include <string>

#include "ridgepoint/model/roofline.h"

namespace ridge {
namespace {

/// Ceilings known only as a peak carry a clock of 1 Hz and cannot be scaled to another.
bool has_clock(const Ceiling& ceiling) {
  return ceiling.clock.count() > 1;
}

/// Peak sustained FMA per clock of the whole chip, as the run's own counters state it (so also of a slice of a GPU).
Value<double> recorded_fma_per_clock(const Conditions& conditions, const ComputeKey& key) {
  if (key == core(DataType::kFp32)) return conditions.fp32_fma_per_clock;
  if (key == core(DataType::kFp64)) return conditions.fp64_fma_per_clock;
  return {};
}

bool is_declared(const Ceiling* ceiling) {
  return ceiling != nullptr && ceiling->provenance == Provenance::kDeclared;
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

Value<Hertz> roof_clock(const Machine& machine, const Conditions& conditions, RoofBasis basis) {
  if (basis == RoofBasis::kMeasuredClock && conditions.sm_clock) return conditions.sm_clock;
  const Ceiling* fp32 = find_ceiling(machine, core(DataType::kFp32));
  if (fp32 != nullptr && has_clock(*fp32)) return Value<Hertz>(fp32->clock, fp32->provenance);
  if (machine.boost_clock.count() > 0) return Value<Hertz>(machine.boost_clock, machine.provenance);
  return Value<Hertz>::missing("the machine's SM clock is not known");
}

Value<FlopsPerSecond> compute_roof(const Machine& machine, const ComputeKey& key, const Conditions& conditions,
                                   RoofBasis basis) {
  const bool measured = basis == RoofBasis::kMeasuredClock;
  const Ceiling* ceiling = basis == RoofBasis::kDatasheet ? stated_ceiling(machine, key) : find_ceiling(machine, key);
  const Value<double> fma = recorded_fma_per_clock(conditions, key);
  if (measured && fma && conditions.sm_clock && !is_declared(ceiling)) {
    return combine(fma, conditions.sm_clock,
                   [](double per_clock, Hertz clock) { return FlopsPerSecond(2 * per_clock * clock.count()); });
  }
  if (ceiling == nullptr) {
    return Value<FlopsPerSecond>::missing("the machine has no ceiling for " + name(key));
  }
  const Hertz clock = measured && conditions.sm_clock && has_clock(*ceiling) ? *conditions.sm_clock : ceiling->clock;
  return Value<FlopsPerSecond>(peak_at(machine, *ceiling, clock), ceiling->provenance);
}

Value<BytesPerSecond> memory_roof(const Machine& machine, Level level, const Conditions& conditions, RoofBasis basis) {
  const bool measured = basis == RoofBasis::kMeasuredClock;
  const MemoryLevel* entry = find_level(machine, level);
  const bool declared = entry != nullptr && entry->bandwidth && entry->bandwidth.provenance() == Provenance::kDeclared;
  const Value<BytesPerSecond> recorded = recorded_peak(level, conditions);
  if (measured && recorded && !declared) return recorded;
  const std::string missing = "the machine's bandwidth of " + std::string(name(level)) + " is not known";
  if (entry == nullptr) return Value<BytesPerSecond>::missing(missing);
  const bool per_sm = level == Level::kL1 || level == Level::kShared;
  const Value<Hertz>& l2_clock = conditions.l2_clock;
  if (measured && !declared && entry->bytes_per_clock && (per_sm || (level == Level::kL2 && l2_clock))) {
    return per_clock_rate(entry->bytes_per_clock, per_sm ? machine.sm_count : 1,
                          per_sm ? roof_clock(machine, conditions, basis) : l2_clock);
  }
  if (entry->bandwidth) return entry->bandwidth;
  const Value<BytesPerSecond> rate =
      per_clock_rate(entry->bytes_per_clock, per_sm ? machine.sm_count : 1, roof_clock(machine, conditions, basis));
  return rate ? rate : Value<BytesPerSecond>::missing(missing);
}

}  // namespace ridge
