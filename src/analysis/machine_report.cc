#include "analysis/machine_report.h"

#include <type_traits>
#include <utility>

namespace ridge {
namespace {

ReportMachine entry_of(const Device& device, RoofBasis basis) {
  ReportMachine entry;
  entry.basis = basis_for(device.machine.value_or(Machine()), !device.other_machine, basis);
  if (device.machine) {
    entry.machine = *device.machine;
  } else {
    entry.machine.id = "unknown";
    entry.machine.name = device.name;
    entry.machine.sm_count = static_cast<int>(device.attributes.sm_count.value_or(0));
    entry.machine.provenance = Provenance::kReported;
  }
  return entry;
}

bool same_machine(const Machine& a, const Machine& b) {
  return a.id == b.id && a.sm_count == b.sm_count;
}

/// Mean over kernels of a condition, weighted by their time.
template <class T>
Value<T> weighted(const std::vector<const ReportKernel*>& kernels, Value<T> Conditions::*field) {
  double sum = 0, weights = 0;
  Value<T> result;
  for (const ReportKernel* kernel : kernels) {
    const Value<T>& value = kernel->conditions.*field;
    if (!value) continue;
    const double weight = kernel->measured_duration ? kernel->measured_duration->count() : 0;
    if (weight <= 0) {
      if (!result) result = value;
      continue;
    }
    if constexpr (std::is_same_v<T, double>) {
      sum += weight * *value;
    } else {
      sum += weight * value->count();
    }
    weights += weight;
    result = Value<T>(T(sum / weights), value.provenance());
  }
  return result;
}

Conditions typical_conditions(const std::vector<const ReportKernel*>& kernels) {
  Conditions conditions;
  conditions.sm_clock = weighted(kernels, &Conditions::sm_clock);
  conditions.l2_clock = weighted(kernels, &Conditions::l2_clock);
  conditions.dram_clock = weighted(kernels, &Conditions::dram_clock);
  conditions.dram_peak = weighted(kernels, &Conditions::dram_peak);
  conditions.l2_peak = weighted(kernels, &Conditions::l2_peak);
  conditions.fp32_fma_per_clock = weighted(kernels, &Conditions::fp32_fma_per_clock);
  conditions.fp64_fma_per_clock = weighted(kernels, &Conditions::fp64_fma_per_clock);
  return conditions;
}

}  // namespace

ReportMachines report_machines(const Profile& profile, RoofBasis basis) {
  ReportMachines result;
  std::vector<const Device*> first_devices;
  for (const Device& device : profile.devices) {
    ReportMachine entry = entry_of(device, basis);
    std::uint32_t index = 0;
    while (index < first_devices.size() && !(first_devices[index]->name == device.name &&
                                             same_machine(result.machines[index].machine, entry.machine))) {
      ++index;
    }
    if (index == first_devices.size()) {
      first_devices.push_back(&device);
      result.machines.push_back(std::move(entry));
    }
    result.of_device.push_back(index);
  }
  return result;
}

void add_basis_issues(const ReportMachines& machines, RoofBasis wanted, std::vector<Issue>& issues) {
  if (wanted != RoofBasis::kCeilings) return;
  for (const ReportMachine& entry : machines.machines) {
    if (entry.basis == wanted) continue;
    issues.push_back(
        {Severity::kNotice, Message("no-measured-ceilings", {{"machine", entry.machine.name, Unit::kNone}})});
  }
}

void draw_roofs(ReportMachine& out, const std::vector<const ReportKernel*>& kernels) {
  const Machine& machine = out.machine;
  const Conditions conditions = typical_conditions(kernels);
  out.sm_clock = roof_clock(machine, conditions, out.basis);
  if (out.basis == RoofBasis::kMeasuredClock && !conditions.sm_clock) out.basis = RoofBasis::kDatasheet;
  for (const Ceiling& ceiling : machine.ceilings) {
    const Value<FlopsPerSecond> peak = compute_roof(machine, ceiling.key, conditions, out.basis);
    if (!peak) continue;
    out.compute_roofs.push_back({ceiling.key, peak, compute_roof_clock(machine, ceiling.key, conditions, out.basis)});
  }
  for (const Level level : {Level::kDram, Level::kL2, Level::kL1, Level::kShared, Level::kHostLink, Level::kPeerLink}) {
    const Value<BytesPerSecond> rate = memory_roof(machine, level, conditions, out.basis);
    if (rate) out.memory_roofs.push_back({level, rate});
  }
}

}  // namespace ridge
