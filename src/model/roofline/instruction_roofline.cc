#include "ridgepoint/model/roofline.h"

namespace ridge {
namespace {

constexpr double kSectorBytes = 32;
/// A shared-memory wavefront moves 128 bytes, four transactions' worth.
constexpr double kTransactionsPerWavefront = 4;

Value<double> transactions(const Value<Bytes>& bytes) {
  return transform(bytes, [](Bytes x) { return x.count() / kSectorBytes; });
}

Value<double> transaction_rate(const Value<BytesPerSecond>& bandwidth) {
  return transform(bandwidth, [](BytesPerSecond x) { return x.count() / kSectorBytes; });
}

}  // namespace

InstructionRoofline instruction_roofline(const KernelMeasure& kernel, const Machine& machine, RoofBasis basis) {
  const Conditions& conditions = kernel.conditions;
  const Value<double>& instructions = kernel.work.instructions.warp_instructions;
  const Value<double> seconds = transform(kernel.duration, [](Seconds t) { return t.count(); });
  InstructionRoofline result;
  result.instructions_per_s = instructions / seconds;
  const Value<double> schedulers =
      machine.sm_count > 0 ? Value<double>(machine.sm_count * double(machine.schedulers_per_sm), machine.provenance)
                           : Value<double>::missing("the machine's number of SMs is not known");
  result.peak_instructions_per_s = combine(schedulers, roof_clock(machine, conditions, basis),
                                           [](double count, Hertz clock) { return count * clock.count(); });
  const Value<double> shared = kernel.work.access.shared_wavefronts * kTransactionsPerWavefront;
  const Value<double> l1 = transactions(kernel.work.bytes.l1);
  result.intensity_l1 = instructions / (shared ? l1 + shared : l1);
  result.intensity_l2 = instructions / transactions(kernel.work.bytes.l2);
  result.intensity_dram = instructions / transactions(kernel.work.bytes.dram);
  result.l1_per_s = transaction_rate(memory_roof(machine, Level::kL1, conditions, basis));
  result.l2_per_s = transaction_rate(memory_roof(machine, Level::kL2, conditions, basis));
  result.dram_per_s = transaction_rate(memory_roof(machine, Level::kDram, conditions, basis));
  return result;
}

}  // namespace ridge
