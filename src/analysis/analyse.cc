#include "ridgepoint/analysis/analyse.h"

#include <algorithm>

#include "analysis/compare_pairs.h"
#include "analysis/evidence.h"
#include "analysis/issues.h"
#include "analysis/kernel_report.h"
#include "analysis/machine_report.h"
#include "analysis/recording_report.h"
#include "analysis/rules/rules.h"
#include "analysis/summary.h"

namespace ridge {
namespace {

void set_shares(std::vector<ReportKernel>& kernels) {
  Seconds total{0};
  for (const ReportKernel& kernel : kernels) total += kernel.duration.value_or(Seconds(0));
  for (ReportKernel& kernel : kernels) {
    kernel.share = transform(kernel.duration, [&](Seconds time) { return total > Seconds(0) ? time / total : 0; });
  }
}

/// Largest share first; kernels without a duration last; equal ones in the order of their first launch.
void order_and_number(std::vector<ReportKernel>& kernels) {
  std::stable_sort(kernels.begin(), kernels.end(), [](const ReportKernel& a, const ReportKernel& b) {
    return a.share.value_or(-1) > b.share.value_or(-1);
  });
  for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].id = "k" + std::to_string(i);
}

void draw_all_roofs(Report& report) {
  std::vector<std::vector<const ReportKernel*>> of_machine(report.machines.size());
  for (const ReportKernel& kernel : report.kernels) of_machine[kernel.machine].push_back(&kernel);
  for (std::size_t i = 0; i < report.machines.size(); ++i) draw_roofs(report.machines[i], of_machine[i]);
}

/// Instructions per second that the levels and the schedulers allow a kernel of these intensities.
Value<double> attainable_instructions(const InstructionRoofline& roofline) {
  Value<double> least = roofline.peak_instructions_per_s;
  for (const Value<double>& level :
       {roofline.intensity_l1 * roofline.l1_per_s, roofline.intensity_l2 * roofline.l2_per_s,
        roofline.intensity_dram * roofline.dram_per_s}) {
    if (least && level && *level < *least) least = level;
  }
  return roofline.instructions_per_s ? least : roofline.instructions_per_s;
}

/// Of a run on another GPU the roofs are those of the machine alone.
void fill_instruction_roofline(const GroupPlace& where, const Machine& machine, ReportKernel& kernel) {
  const Conditions conditions = where.recorded_here ? kernel.conditions : Conditions{};
  kernel.instruction_roofline =
      instruction_roofline({kernel.work, kernel.execution, conditions, kernel.measured_duration}, machine, where.basis);
  kernel.attainable_instructions_per_s = attainable_instructions(kernel.instruction_roofline);
}

}  // namespace

Report analyse(const Profile& profile, const AnalysisOptions& options) {
  Report report;
  report.sources = profile.sources;
  report.spans = profile.spans;
  if (options.each_launch) report.sampled = profile.sampled;
  report.issues = profile.issues;
  ReportMachines machines = report_machines(profile, options.basis);
  add_basis_issues(machines, options.basis, report.issues);
  IssueCollector issues(profile);
  LiveReport live = report_recordings(profile);
  const Machine unknown;
  for (const LaunchIndices& launches : group_launches(profile)) {
    const std::uint32_t device = profile.launches[launches.front()].device;
    const std::optional<Machine>& machine = profile.devices[device].machine;
    const std::uint32_t entry = machines.of_device[device];
    const GroupPlace where{machine ? &*machine : nullptr, entry, machines.machines[entry].basis,
                           !profile.devices[device].other_machine,
                           recording_of(profile, profile.launches[launches.front()])};
    std::optional<UnevenWork> uneven;
    if (where.recording != nullptr) uneven = uneven_work(profile, launches, live.running_clocks[device]);
    const bool own_traffic = uneven && !uneven->caches && uneven->quantity == "traffic";
    Aggregate sum =
        aggregate(profile, launches, live.running_clocks[device].median, own_traffic ? Traffic::kOwn : Traffic::kAny);
    sum.evidence.uneven = uneven && !uneven->caches;
    ReportKernel kernel = report_kernel(profile, launches, sum, where);
    if (options.each_launch) {
      kernel.launches = report_launches(profile, launches);
    } else {
      kernel.unlisted_launches = launches.size();
    }
    const Machine& held_against = where.machine == nullptr ? unknown : *where.machine;
    fill_instruction_roofline(where, held_against, kernel);
    kernel.findings = findings_of(kernel, held_against);
    issues.add(kernel, sum, where);
    if (uneven) issues.add_uneven(kernel, *uneven);
    report.kernels.push_back(std::move(kernel));
  }
  set_shares(report.kernels);
  order_and_number(report.kernels);
  report.machines = std::move(machines.machines);
  draw_all_roofs(report);
  report.comparisons = compare_pairs(report.kernels, report.machines);
  report.recordings = std::move(live.recordings);
  report.summary = summarise(report);
  issues.append_to(report.issues);
  return report;
}

}  // namespace ridge
