#include "analysis/kernel_report.h"

#include <algorithm>

#include "analysis/evidence.h"
#include "analysis/occupancy_report.h"

namespace ridge {
namespace {

void fill_work(const Profile& profile, const Launch& launch, ReportLaunch& out) {
  const LaunchEvidence evidence = evidence_of(profile, launch);
  const SampledNumbers numbers = sampled_numbers(evidence);
  out.counters = evidence.origin;
  if (launch.sampled && *launch.sampled < profile.sampled.size()) out.sampled = launch.sampled;
  const char* reason = "this launch has no counters";
  out.flops = evidence.counters == nullptr ? Value<Flops>::missing(reason) : evidence.counters->work.flops;
  out.dram = evidence.counters == nullptr && !numbers.dram ? Value<Bytes>::missing(reason) : numbers.dram;
}

void fill_identity(const Profile& profile, const LaunchIndices& launches, ReportKernel& out) {
  const Launch& first = profile.launches[launches.front()];
  const Kernel& kernel = profile.kernels[first.kernel];
  const Device& device = profile.devices[first.device];
  out.name = kernel.short_name, out.full_name = kernel.full_name;
  out.source = device.source, out.device = device.index, out.device_name = device.name;
  out.configuration = profile.configurations[first.configuration];
}

void fill_sums(const Aggregate& sum, ReportKernel& out) {
  out.duration = sum.duration;
  out.duration_min = sum.duration_min, out.duration_median = sum.duration_median, out.duration_max = sum.duration_max;
  out.measured_launches = sum.measured, out.measured_duration = sum.measured_duration;
  out.work = sum.work, out.execution = sum.execution, out.conditions = sum.conditions;
  out.evidence = sum.evidence;
  const Value<Seconds>& time = sum.measured_duration;
  out.flops_per_s = sum.work.flops / time;
  out.dram_per_s = sum.work.bytes.dram / time;
  out.l2_per_s = sum.work.bytes.l2 / time;
  out.l1_per_s = sum.work.bytes.l1 / time;
  out.shared_per_s = sum.work.bytes.shared / time;
}

void fill_roof(const Placement& placement, const GroupPlace& where, ReportKernel& out) {
  out.intensity_dram = placement.intensity_dram, out.intensity_l2 = placement.intensity_l2;
  out.intensity_l1 = placement.intensity_l1, out.intensity_shared = placement.intensity_shared;
  out.roof.peak = placement.peak;
  out.roof.attainable = placement.attainable;
  out.roof.ridge = placement.ridge;
  // Without a measured clock the roofs are the stated ones, and the report must not claim otherwise.
  const bool at_clock = where.basis != RoofBasis::kMeasuredClock || out.conditions.sm_clock.has_value();
  out.roof.basis = at_clock ? where.basis : RoofBasis::kDatasheet;
}

/// What of the run holds on the machine that the roofs are of: of another GPU nothing but the work.
struct Run {
  Conditions conditions;
  Execution execution;
  Value<Seconds> duration;
};

Run run_of(const Aggregate& sum, const GroupPlace& where) {
  if (where.recorded_here) return {sum.conditions, sum.execution, sum.measured_duration};
  return {{}, {}, Value<Seconds>::missing("the time is of another GPU than the roofs")};
}

void fill_verdict(const Aggregate& sum, const Run& run, const Placement& placement, const GroupPlace& where,
                  ReportKernel& out) {
  VerdictInput input;
  input.times = out.roof.times;
  input.duration = run.duration;
  input.launches = std::max<double>(sum.measured, 1);
  input.blocks = out.configuration.blocks().value_or(0);
  input.work = &sum.work;
  input.machine = where.machine;
  input.placement = placement;
  input.execution = run.execution;
  const VerdictResult result = judge(input);
  out.verdict = result.verdict, out.verdict_reason = result.reason;
  out.level = result.level, out.pipe = result.pipe;
  out.side = result.side, out.confidence = result.confidence;
  out.roof.resource = result.resource, out.roof.fraction = result.fraction;
}

/// What the recording's own peaks and the vendor's shares allow without a machine; what needs one says so.
void without_machine(ReportKernel& out) {
  const char* reason = "the machine is not known";
  if (!out.roof.attainable) out.roof.attainable = Value<FlopsPerSecond>::missing(reason);
  if (!out.roof.peak) out.roof.peak = Value<FlopsPerSecond>::missing(reason);
  if (!out.roof.ridge) out.roof.ridge = Value<FlopsPerByte>::missing(reason);
  if (!out.roof.times.empty()) return;
  out.roof.fraction = Value<double>::missing(reason);
  out.verdict_reason = Message("verdict.unknown-no-machine");
}

/// From this share of samples shared with neighbours on, a verdict that leans on them is doubtful, then a guess.
constexpr double kDoubtfulSamples = 0.1;
constexpr double kGuessedSamples = 0.3;

/// A live recording that has no evidence of a kernel says which kind was not had.
void without_evidence(const Recording& recording, const Profile& profile, const LaunchIndices& launches,
                      ReportKernel& out) {
  if (out.verdict_reason.id != "verdict.unknown-no-counters") return;
  const bool any_samples = std::any_of(launches.begin(), launches.end(), [&](std::uint32_t launch) {
    return profile.launches[launch].sampled.has_value();
  });
  if (recording.tier == Tier::kTiming) {
    out.verdict_reason = Message("verdict.unknown-times-only");
  } else if (any_samples) {
    out.verdict_reason = Message("verdict.unknown-samples-shared");
  } else {
    out.verdict_reason = Message("verdict.unknown-not-measured");
  }
}

void lower_confidence(const KernelEvidence& evidence, ReportKernel& out) {
  if (evidence.uneven && out.confidence == "high") out.confidence = "medium";
  if (!evidence.uncertainty || *evidence.uncertainty < kDoubtfulSamples) return;
  if (*evidence.uncertainty >= kGuessedSamples) {
    out.confidence = "low";
  } else if (out.confidence == "high") {
    out.confidence = "medium";
  }
}

/// Two honest parts: what the binding resource needs at its ceiling, and the rest, which nothing here explains further.
void fill_gap(ReportKernel& out) {
  if (out.roof.times.empty() || !out.duration || !out.roof.fraction) return;
  const ResourceTime& binding = out.roof.times.front();
  const Seconds explained = *out.duration * std::min(*out.roof.fraction, 1.0);
  out.gap.push_back({"binding-resource", explained, binding.resource});
  const Seconds rest = *out.duration - explained;
  if (rest > Seconds(0)) out.gap.push_back({"unattributed", rest, ""});
}

}  // namespace

std::vector<ReportLaunch> report_launches(const Profile& profile, const LaunchIndices& launches) {
  std::vector<ReportLaunch> result;
  result.reserve(launches.size());
  for (const std::uint32_t index : launches) {
    const Launch& launch = profile.launches[index];
    ReportLaunch entry;
    entry.launch = index;
    entry.source_id = launch.source_id, entry.process_id = launch.process_id, entry.stream = launch.stream;
    entry.start = launch.start, entry.duration = launch.duration;
    fill_work(profile, launch, entry);
    result.push_back(entry);
  }
  return result;
}

ReportKernel report_kernel(const Profile& profile, const LaunchIndices& launches, const Aggregate& sum,
                           const GroupPlace& where) {
  ReportKernel out;
  out.machine = where.machine_index;
  fill_identity(profile, launches, out);
  fill_sums(sum, out);
  const Machine nothing;
  const Machine& machine = where.machine == nullptr ? nothing : *where.machine;
  out.occupancy = report_occupancy(sum.execution, out.configuration, machine);
  const Run run = run_of(sum, where);
  out.roof.times = least_times({sum.work, run.execution, run.conditions, run.duration}, machine, where.basis);
  const Placement placement = place(sum.work, machine, run.conditions, where.basis);
  fill_roof(placement, where, out);
  fill_verdict(sum, run, placement, where, out);
  if (where.machine == nullptr) without_machine(out);
  if (where.recording != nullptr) without_evidence(*where.recording, profile, launches, out);
  lower_confidence(sum.evidence, out);
  fill_gap(out);
  return out;
}

}  // namespace ridge
