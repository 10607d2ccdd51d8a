#include "analysis/summary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/recording_report.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

constexpr std::string_view kNoTimeline =
    "the recording holds kernels only, each run alone; a timeline of the program is needed";

/// The verdict (with its level or pipe) that most of the time goes under.
struct TimeClass {
  Verdict verdict = Verdict::kUnknown;
  std::string where;
  double seconds = 0;
};

TimeClass largest_class(const std::vector<ReportKernel>& kernels) {
  std::map<std::pair<Verdict, std::string>, double> seconds;
  for (const ReportKernel& kernel : kernels) {
    if (!kernel.duration) continue;
    const bool bound = kernel.verdict == Verdict::kMemoryBound || kernel.verdict == Verdict::kComputeBound;
    const std::string where = bound ? kernel.level + kernel.pipe : "";
    seconds[{kernel.verdict, where}] += kernel.duration->count();
  }
  TimeClass largest;
  for (const auto& [key, time] : seconds) {
    if (time > largest.seconds) largest = {key.first, key.second, time};
  }
  return largest;
}

/// A gap below this share of the kernel's time is rounding.
constexpr double kLeastGap = 1e-6;

Value<Seconds> largest_saving(const ReportKernel& kernel) {
  return kernel.findings.empty() ? Value<Seconds>() : kernel.findings.front().saving;
}

std::vector<std::string> order_kernels(const std::vector<ReportKernel>& kernels) {
  std::vector<const ReportKernel*> order;
  for (const ReportKernel& kernel : kernels) {
    if (largest_saving(kernel) || time_gap_to_roof(kernel)) order.push_back(&kernel);
  }
  const Seconds none(-1);
  std::stable_sort(order.begin(), order.end(), [&](const ReportKernel* a, const ReportKernel* b) {
    const Seconds saved_a = largest_saving(*a).value_or(none), saved_b = largest_saving(*b).value_or(none);
    if (saved_a != saved_b) return saved_a > saved_b;
    return time_gap_to_roof(*a).value_or(none) > time_gap_to_roof(*b).value_or(none);
  });
  std::vector<std::string> ids;
  ids.reserve(order.size());
  for (const ReportKernel* kernel : order) ids.push_back(kernel->id);
  return ids;
}

std::vector<RankedFinding> rank_findings(const std::vector<ReportKernel>& kernels) {
  std::vector<std::pair<Seconds, RankedFinding>> all;
  for (const ReportKernel& kernel : kernels) {
    for (std::size_t i = 0; i < kernel.findings.size(); ++i) {
      const Value<Seconds>& saving = kernel.findings[i].saving;
      if (saving && *saving > Seconds(0)) all.push_back({*saving, {kernel.id, i}});
    }
  }
  // Of equal savings the one of the kernel that `top` names first.
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<RankedFinding> ranked;
  ranked.reserve(all.size());
  for (auto& [saving, finding] : all) ranked.push_back(std::move(finding));
  return ranked;
}

/// Time and verdict of `kernels`, which are `all` of the recording or the part that is shown.
Message verdict_of(const std::vector<ReportKernel>& kernels, std::size_t all, bool times_only) {
  if (kernels.empty()) return Message("summary.no-kernels");
  double total = 0;
  for (const ReportKernel& kernel : kernels) total += kernel.duration.value_or(Seconds(0)).count();
  if (total <= 0) return Message("summary.no-durations");
  const TimeClass largest = largest_class(kernels);
  const bool is_part = kernels.size() < all;
  std::vector<Argument> arguments{
      {"time", total, Unit::kSeconds},
      {"kernels", static_cast<double>(kernels.size()), Unit::kCount},
      {"share", largest.seconds / total, Unit::kRatio},
      {"verdict", std::string(name(largest.verdict)), Unit::kNone},
      {"where", largest.where, Unit::kNone},
  };
  if (is_part) arguments.push_back({"all", static_cast<double>(all), Unit::kCount});
  const std::string subject = is_part ? "summary.shown-" : "summary.";
  if (times_only && largest.verdict == Verdict::kUnknown && kernels.front().share) {
    arguments.push_back({"kernel", kernels.front().id, Unit::kNone});
    arguments.push_back({"first_share", kernels.front().duration.value_or(Seconds(0)).count() / total, Unit::kRatio});
    return Message(subject + "times-only", std::move(arguments));
  }
  if (largest.verdict == Verdict::kUnknown) return Message(subject + "unknown", std::move(arguments));
  return Message(subject + (largest.where.empty() ? "verdict" : "verdict-by"), std::move(arguments));
}

const ReportKernel* find_kernel(const std::vector<ReportKernel>& kernels, const std::string& id) {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const ReportKernel& kernel) { return kernel.id == id; });
  return found == kernels.end() ? nullptr : &*found;
}

Message start_with(const std::vector<ReportKernel>& kernels, const std::vector<std::string>& top) {
  const ReportKernel* first = top.empty() ? nullptr : find_kernel(kernels, top.front());
  if (first == nullptr) return {};
  if (const Value<Seconds> saving = largest_saving(*first)) {
    return Message("summary.start", {{"kernel", first->id, Unit::kNone}, {"saving", saving->count(), Unit::kSeconds}});
  }
  const Value<Seconds> gap = time_gap_to_roof(*first);
  if (!gap || *gap <= *first->duration * kLeastGap) return {};
  return Message("summary.largest-gap", {{"kernel", first->id, Unit::kNone}, {"gap", gap->count(), Unit::kSeconds}});
}

/// True if every source is a live recording that got no evidence but times.
bool is_times_only(const Report& report) {
  return !report.recordings.empty() && report.recordings.size() == report.sources.size() &&
         std::all_of(report.recordings.begin(), report.recordings.end(),
                     [](const ReportRecording& each) { return each.recording.tier == Tier::kTiming; });
}

void speak_of(const Report& report, ReportSummary& summary) {
  const std::vector<ReportKernel>& kernels = report.kernels;
  summary.top = order_kernels(kernels);
  summary.findings = rank_findings(kernels);
  summary.verdict = verdict_of(kernels, summary.kernels, is_times_only(report));
  summary.start = start_with(kernels, summary.top);
}

/// Wall time and the share that the GPUs were busy, of recordings that all have a timeline.
void fill_timeline(const Report& report, ReportSummary& summary) {
  summary.wall = Value<Seconds>::missing(kNoTimeline);
  summary.gpu_busy = Value<double>::missing(kNoTimeline);
  if (report.recordings.empty() || report.recordings.size() != report.sources.size()) return;
  Value<Seconds> wall, busy, own;
  const auto add = [](Value<Seconds>& sum, const Value<Seconds>& each, bool first) { sum = first ? each : sum + each; };
  bool first_device = true;
  for (const ReportRecording& each : report.recordings) {
    add(wall, each.recording.wall, &each == &report.recordings.front());
    for (const DeviceActivity& device : each.devices) {
      add(busy, device.busy, first_device);
      add(own, own_time(each.recording), first_device);
      first_device = false;
    }
  }
  summary.wall = wall;
  summary.gpu_busy = first_device ? Value<double>::missing("no GPU was used") : busy / own;
}

}  // namespace

Value<Seconds> time_gap_to_roof(const ReportKernel& kernel) {
  return combine(kernel.duration, kernel.roof.fraction,
                 [](Seconds time, double fraction) { return time * std::max(1 - fraction, 0.0); });
}

ReportSummary summarise(const Report& report) {
  ReportSummary summary;
  summary.kernels = report.kernels.size();
  summary.kernel_time = Value<Seconds>::missing("no launch has a duration");
  for (const ReportKernel& kernel : report.kernels) {
    if (kernel.duration)
      summary.kernel_time = summary.kernel_time ? summary.kernel_time + kernel.duration : kernel.duration;
  }
  fill_timeline(report, summary);
  speak_of(report, summary);
  return summary;
}

void summarise_shown(Report& report) {
  speak_of(report, report.summary);
}

}  // namespace ridge
