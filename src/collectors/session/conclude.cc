// What a run amounts to: counts of the recording, and issues about what is missing. Part of Assembler.
#include <fmt/format.h>

#include <algorithm>

#include "collectors/session/assemble.h"
#include "collectors/session/issues.h"

namespace ridge::collectors::session {
namespace {

constexpr double kShortLaunches = 0.2;      // mean uncertainty from which on a kernel is named
constexpr double kUnexplainedShare = 0.02;  // of the sampled busy time
constexpr std::size_t kThreadsListed = 64;

Value<double> counted(std::uint64_t n) {
  return Value<double>(static_cast<double>(n), Provenance::kMeasured);
}

}  // namespace

void Assembler::finish(Recording& recording) {
  while (!processes_.empty()) on_end(processes_.begin()->first);
  for (PerDevice& device : devices_) {
    if (device.attribution) put_out(device.attribution->finish());
  }
  add_counts(recording);
  add_losses();
  add_attribution_issues(recording);
  add_short_launches(recording);
  add_plan_issues(recording);
  add_thread_times(recording);
  ranges_.tell(recording);
}

void Assembler::add_counts(Recording& recording) const {
  std::uint64_t represented = 0;
  for (const auto& [key, shape] : shapes_) {
    if (shape.measured > 0) represented += shape.launches - std::min(shape.launches, shape.measured);
  }
  if (!seen_known_) {
    recording.seen = Value<double>::missing("launches were not counted at their calls");
  } else if (seen_ < recorded_) {
    recording.seen = Value<double>::missing("graphs launched kernels that no call names");
  } else {
    recording.seen = counted(seen_);
  }
  recording.recorded = counted(recorded_);
  recording.measured = counted(measured_);
  recording.represented = counted(represented);
  recording.sampled = counted(sampled_);
  recording.records_dropped = counted(losses_.records);
  if (progress_.spent > 0) {
    recording.counter_time =
        Value<Seconds>(Seconds(static_cast<double>(progress_.spent) * 1e-9), Provenance::kMeasured);
  }
}

void Assembler::add_losses() {
  const auto lost = [&](Severity severity, const char* id, const char* what, std::uint64_t n) {
    if (n > 0) add_issue(make_issue(severity, id, {count(what, static_cast<double>(n))}));
  };
  lost(Severity::kDataLoss, "records-dropped", "records", losses_.records);
  lost(Severity::kDataLoss, "messages-dropped", "messages", losses_.messages);
  lost(Severity::kNotice, "records-unknown", "records", losses_.unknown);
  lost(Severity::kDataLoss, "references-unknown", "items", losses_.references);
  lost(Severity::kNotice, "times-wrong", "records", losses_.times);
  lost(Severity::kNotice, "counters-unmatched", "launches", losses_.unmatched);
  if (losses_.evaluations > 0) {
    add_issue(make_issue(Severity::kNotice, "evaluation-failed",
                         {count("launches", static_cast<double>(losses_.evaluations)),
                          text("kernel", losses_.evaluation_of), text("reason", losses_.evaluation_reason)}));
  }
  if (seen_known_ && setup_.complete && seen_ > recorded_) {
    add_issue(
        make_issue(Severity::kDataLoss, "launches-unrecorded",
                   {count("seen", static_cast<double>(seen_)), count("recorded", static_cast<double>(recorded_))}));
  }
}

void Assembler::add_attribution_issues(Recording& recording) {
  std::uint64_t late = 0;
  bool any = false;
  Seconds unexplained;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (!devices_[i].attribution) continue;
    const Attribution& attribution = *devices_[i].attribution;
    late += attribution.late();
    any |= attribution.busy().count() > 0;
    unexplained += attribution.unexplained();
    const double share =
        attribution.busy().count() > 0 ? attribution.unexplained().count() / attribution.busy().count() : 0;
    if (!setup_.complete || share < kUnexplainedShare) continue;
    add_issue(make_issue(
        Severity::kNotice, "gpu-unexplained",
        {number("seconds", attribution.unexplained().count(), Unit::kSeconds), number("share", share, Unit::kRatio),
         text("device", tables_.found(static_cast<std::uint32_t>(i)).name)}));
  }
  if (late > 0) {
    add_issue(make_issue(Severity::kNotice, "samples-late", {count("launches", static_cast<double>(late))}));
  }
  if (!setup_.complete) {
    recording.gpu_unexplained = Value<Seconds>::missing("launches were left out by a filter");
  } else if (any) {
    recording.gpu_unexplained = Value<Seconds>(unexplained, Provenance::kSampled);
  } else {
    recording.gpu_unexplained = Value<Seconds>::missing("no samples that tell when the device worked");
  }
}

void Assembler::add_short_launches(const Recording& recording) {
  std::uint64_t kernels = 0;
  std::uint64_t launches = 0;
  double worst = 0;
  std::size_t worst_kernel = 0;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (kernels_[i].weight <= 0) continue;
    const double mean = kernels_[i].uncertainty / kernels_[i].weight;
    if (mean <= kShortLaunches) continue;
    ++kernels;
    launches += kernels_[i].sampled;
    if (mean > worst) {
      worst = mean;
      worst_kernel = i;
    }
  }
  if (kernels == 0) return;
  std::vector<Argument> arguments = {count("kernels", static_cast<double>(kernels)),
                                     count("launches", static_cast<double>(launches)),
                                     text("kernel", tables_.kernel_name(static_cast<std::uint32_t>(worst_kernel))),
                                     number("uncertainty", worst, Unit::kRatio)};
  arguments.push_back(number("interval", recording.sampling_interval_s.value_or(0), Unit::kSeconds));
  add_issue(make_issue(Severity::kNotice, "short-launches", std::move(arguments)));
}

void Assembler::add_plan_issues(Recording& recording) {
  const auto skipped = [&](Severity severity, const char* id, std::uint32_t kernels) {
    if (kernels > 0) add_issue(make_issue(severity, id, {count("kernels", kernels)}));
  };
  skipped(Severity::kInfo, "collectives-skipped", progress_.collectives);
  skipped(Severity::kInfo, "cooperative-skipped", progress_.cooperative);
  skipped(Severity::kInfo, "graph-kernels-no-counters", progress_.in_graphs);
  if (progress_.over_budget > 0) {
    add_issue(make_issue(Severity::kNotice, "over-budget",
                         {count("kernels", progress_.over_budget),
                          number("spent", static_cast<double>(progress_.spent) * 1e-9, Unit::kSeconds)}));
  }
  if (progress_.seen == 0) return;
  recording.facts.emplace_back(
      "counter-plan", fmt::format("{} of {} kernel configurations measured, {} failed, {} filtered", progress_.measured,
                                  progress_.seen, progress_.failed, progress_.filtered));
}

void Assembler::add_thread_times(Recording& recording) const {
  std::vector<std::pair<Nanoseconds, std::pair<std::uint64_t, std::uint32_t>>> busiest;
  for (const auto& [thread, time] : on_cpu_) busiest.emplace_back(time, thread);
  std::sort(busiest.rbegin(), busiest.rend());
  if (busiest.size() > kThreadsListed) busiest.resize(kThreadsListed);
  for (const auto& [time, thread] : busiest) {
    recording.facts.emplace_back(fmt::format("on-cpu of thread {} of process {}", thread.second, thread.first),
                                 fmt::format("{:.6f} s", static_cast<double>(time) * 1e-9));
  }
}

}  // namespace ridge::collectors::session
