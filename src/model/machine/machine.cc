#include "ridgepoint/model/machine.h"

namespace ridge {

std::string_view name(Level level) {
  switch (level) {
    case Level::kRegisters:
      return "registers";
    case Level::kShared:
      return "shared";
    case Level::kL1:
      return "l1";
    case Level::kL2:
      return "l2";
    case Level::kDram:
      return "dram";
    case Level::kHostLink:
      return "host_link";
    case Level::kPeerLink:
      return "peer_link";
  }
  return "dram";
}

FlopsPerSecond peak_at(const Machine& machine, const Ceiling& ceiling, Hertz clock) {
  if (!ceiling.clock) return ceiling.stated;
  return FlopsPerSecond(machine.sm_count * ceiling.ops_per_clock_per_sm * clock.count());
}

FlopsPerSecond peak(const Machine& machine, const Ceiling& ceiling) {
  return peak_at(machine, ceiling, ceiling.clock.value_or(Hertz(0)));
}

namespace {

/// True if `entry` can stand for `key`: same type, unit and sparsity, and no part that contradicts.
bool answers(const ComputeKey& entry, const ComputeKey& key) {
  if (entry.type != key.type || entry.unit != key.unit || entry.sparsity != key.sparsity) return false;
  if (key.path != TensorPath::kAny && entry.path != TensorPath::kAny && entry.path != key.path) return false;
  return key.accumulator == Accumulator::kAny || entry.accumulator == Accumulator::kAny ||
         entry.accumulator == key.accumulator;
}

}  // namespace

const Ceiling* find_ceiling(const Machine& machine, const ComputeKey& key) {
  const Ceiling* best = nullptr;
  for (const Ceiling& entry : machine.ceilings) {
    if (entry.key == key) return &entry;
    if (!answers(entry.key, key)) continue;
    if (best == nullptr || peak(machine, entry) > peak(machine, *best)) best = &entry;
  }
  return best;
}

const MemoryLevel* find_level(const Machine& machine, Level level) {
  for (const MemoryLevel& entry : machine.levels) {
    if (entry.level == level) return &entry;
  }
  return nullptr;
}

Value<FlopsPerByte> ridge_point(const Machine& machine, const ComputeKey& key, Level level) {
  const Ceiling* ceiling = find_ceiling(machine, key);
  if (ceiling == nullptr) return Value<FlopsPerByte>::missing("the machine has no such unit");
  const MemoryLevel* memory = find_level(machine, level);
  if (memory == nullptr) return Value<FlopsPerByte>::missing("the machine states no such memory level");
  return Value<FlopsPerSecond>(peak(machine, *ceiling), ceiling->provenance) / memory->bandwidth;
}

}  // namespace ridge
