#include "analysis/issues.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/metric/flops.h"

namespace ridge {
namespace {

/// GPUs that share the host's memory have no DRAM counters.
constexpr std::array kIntegrated{std::string_view("5.3"), std::string_view("6.2"),  std::string_view("7.2"),
                                 std::string_view("8.7"), std::string_view("11.0"), std::string_view("12.1")};

bool is_integrated(const Machine& machine) {
  return std::find(kIntegrated.begin(), kIntegrated.end(), machine.compute_capability) != kIntegrated.end();
}

/// A clock this close to the base clock, and this far below the boost clock, was held there.
constexpr double kAtBase = 0.03;
constexpr double kBelowBoost = 0.95;

Argument number(const char* name, double value, Unit unit) {
  return {name, value, unit};
}
Argument text(const char* name, std::string value) {
  return {name, std::move(value), Unit::kNone};
}

}  // namespace

void IssueCollector::count(Tally& tally, const ReportKernel& kernel) const {
  if (tally.kernels == 0) tally.example = kernel.name;
  ++tally.kernels;
}

bool IssueCollector::reported(std::string_view id) const {
  return std::any_of(profile_.issues.begin(), profile_.issues.end(),
                     [&](const Issue& issue) { return issue.message.id == id; });
}

void IssueCollector::add(const ReportKernel& kernel, const Aggregate& sum, const GroupPlace& where) {
  const bool live = where.recording != nullptr;
  if (live) {
    // How many launches have counters or samples is the recording's coverage, not a fault of each kernel.
    if (sum.without_duration > 0) count(live_untimed_, kernel);
  } else {
    add_partial(kernel, sum);
  }
  if (sum.measured > 0) add_missing_work(kernel, sum, live);
  if (where.machine == nullptr) return;
  if (std::any_of(kernel.findings.begin(), kernel.findings.end(),
                  [](const Finding& finding) { return finding.rule == "above-the-roof"; })) {
    count(above_roof_, kernel);
  }
  add_clocks(kernel, *where.machine, live);
  if (sum.measured > 0 && (!live || is_integrated(*where.machine))) add_dram(kernel, *where.machine);
}

void IssueCollector::add_missing_work(const ReportKernel& kernel, const Aggregate& sum, bool live) {
  if (kernel.work.flops) return;
  const bool tensor = kernel.work.flops.reason() == Reason(kTensorUncounted);
  if (live) {
    // A kernel that no counters were taken of at all lacks them for a reason that the recording gave.
    if (tensor) count(live_tensor_unknown_, kernel);
    if (!tensor && sum.evidence.measured + sum.evidence.represented == 0) count(live_no_flops_, kernel);
  } else {
    count(tensor ? tensor_unknown_ : no_flops_, kernel);
  }
}

void IssueCollector::add_partial(const ReportKernel& kernel, const Aggregate& sum) {
  const double launches = static_cast<double>(kernel.runs());
  if (sum.without_counters > 0) {
    single_.push_back(
        {Severity::kNotice, Message("launches-without-counters",
                                    {text("kernel", kernel.name), number("missing", sum.without_counters, Unit::kCount),
                                     number("launches", launches, Unit::kCount)})});
  }
  // An emulated kernel without a time did not run to its end, which an issue says.
  const bool emulated = kernel.source < profile_.sources.size() && profile_.sources[kernel.source].kind == "emulated";
  if (sum.without_duration > 0 && !emulated) {
    single_.push_back(
        {Severity::kNotice, Message("launches-without-duration",
                                    {text("kernel", kernel.name), number("missing", sum.without_duration, Unit::kCount),
                                     number("launches", launches, Unit::kCount)})});
  }
}

/// A profiler that holds the clock at its base makes every kernel slower than it runs in earnest; shares of the roof at
/// the measured clock still hold.
void IssueCollector::add_clocks(const ReportKernel& kernel, const Machine& machine, bool live) {
  const Value<Hertz>& clock = kernel.conditions.sm_clock;
  if (!clock || machine.base_clock <= Hertz(0) || machine.boost_clock <= Hertz(0)) return;
  const bool at_base = std::abs(*clock / machine.base_clock - 1) < kAtBase;
  if (!at_base || *clock / machine.boost_clock > kBelowBoost) return;
  clocks_.try_emplace(
      machine.id,
      Issue{Severity::kInfo, Message(live ? "profile-clock-at-base" : "clock-at-base",
                                     {text("machine", machine.name), number("clock", clock->count(), Unit::kHertz),
                                      number("boost", machine.boost_clock.count(), Unit::kHertz)})});
}

void IssueCollector::add_dram(const ReportKernel& kernel, const Machine& machine) {
  if (!kernel.work.bytes.dram) count(no_dram_[machine.id], kernel);
}

void IssueCollector::add_uneven(const ReportKernel& kernel, const UnevenWork& work) {
  Uneven& worst = work.caches ? uneven_caches_ : uneven_work_;
  ++worst.kernels;
  const double seconds = kernel.duration.value_or(Seconds(0)).count();
  if (seconds <= worst.seconds) return;
  worst.seconds = seconds, worst.kernel = kernel.name, worst.work = work;
}

Issue IssueCollector::issue_of(const Uneven& uneven, Severity severity, const char* id) {
  const UnevenWork& work = uneven.work;
  return {severity, Message(id, {number("kernels", uneven.kernels, Unit::kCount), text("kernel", uneven.kernel),
                                 number("launches", static_cast<double>(work.launches), Unit::kCount),
                                 text("quantity", work.quantity), number("least", work.least, work.unit),
                                 number("most", work.most, work.unit), number("measured", work.measured, work.unit)})};
}

void IssueCollector::append_to(std::vector<Issue>& issues) const {
  const auto add = [&](Severity severity, const char* id, const Tally& tally) {
    if (tally.kernels == 0 || reported(id)) return;
    issues.push_back(
        {severity, Message(id, {number("kernels", tally.kernels, Unit::kCount), text("kernel", tally.example)})});
  };
  if (!reported("flops-not-collected")) add(Severity::kNotice, "no-flops", no_flops_);
  add(Severity::kNotice, "tensor-flops-unknown", tensor_unknown_);
  add(Severity::kNotice, "profile-sampled-without-flops", live_no_flops_);
  add(Severity::kNotice, "profile-tensor-uncounted", live_tensor_unknown_);
  add(Severity::kNotice, "profile-launches-untimed", live_untimed_);
  if (uneven_work_.kernels > 0) issues.push_back(issue_of(uneven_work_, Severity::kNotice, "profile-uneven-work"));
  if (uneven_caches_.kernels > 0) issues.push_back(issue_of(uneven_caches_, Severity::kInfo, "profile-replay-traffic"));
  add(Severity::kNotice, "above-the-roof", above_roof_);
  const auto is_on_integrated = [&](std::string_view machine) {
    return std::any_of(profile_.devices.begin(), profile_.devices.end(), [&](const Device& device) {
      return device.machine && device.machine->id == machine && is_integrated(*device.machine);
    });
  };
  for (const auto& [machine, tally] : no_dram_) {
    if (is_on_integrated(machine)) {
      add(Severity::kInfo, "dram-counters-absent", tally);
    } else if (!reported("dram-not-collected")) {
      add(Severity::kNotice, "no-dram", tally);
    }
  }
  for (const auto& [id, issue] : clocks_) issues.push_back(issue);
  issues.insert(issues.end(), single_.begin(), single_.end());
}

}  // namespace ridge
