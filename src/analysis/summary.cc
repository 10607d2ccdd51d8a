#include "analysis/summary.h"

#include <algorithm>
#include <map>

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

Message verdict_of(const std::vector<ReportKernel>& kernels, const Value<Seconds>& total,
                   const std::vector<std::string>& top) {
  if (kernels.empty()) return Message("summary.no-kernels");
  if (!total) return Message("summary.no-durations");
  const TimeClass largest = largest_class(kernels);
  std::vector<Argument> arguments{
      {"time", total->count(), Unit::kSeconds},
      {"kernels", static_cast<double>(kernels.size()), Unit::kCount},
      {"share", largest.seconds / total->count(), Unit::kRatio},
      {"verdict", std::string(name(largest.verdict)), Unit::kNone},
      {"where", largest.where, Unit::kNone},
  };
  const auto first = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const ReportKernel& kernel) { return !top.empty() && kernel.id == top.front(); });
  const bool known = largest.verdict != Verdict::kUnknown;
  if (!known || first == kernels.end()) {
    return Message(known ? "summary.verdict-only" : "summary.unknown", std::move(arguments));
  }
  arguments.push_back({"kernel", first->name, Unit::kNone});
  arguments.push_back({"gap", time_gap_to_roof(*first)->count(), Unit::kSeconds});
  return Message(largest.where.empty() ? "summary.start-with" : "summary.start-with-bound", std::move(arguments));
}

}  // namespace

Value<Seconds> time_gap_to_roof(const ReportKernel& kernel) {
  return combine(kernel.duration, kernel.roof.fraction,
                 [](Seconds time, double fraction) { return time * std::max(1 - fraction, 0.0); });
}

ReportSummary summarise(const std::vector<ReportKernel>& kernels) {
  ReportSummary summary;
  summary.kernel_time = Value<Seconds>::missing("no launch has a duration");
  std::vector<const ReportKernel*> order;
  for (const ReportKernel& kernel : kernels) {
    if (kernel.duration)
      summary.kernel_time = summary.kernel_time ? summary.kernel_time + kernel.duration : kernel.duration;
    if (time_gap_to_roof(kernel)) order.push_back(&kernel);
  }
  std::stable_sort(order.begin(), order.end(), [](const ReportKernel* a, const ReportKernel* b) {
    return *time_gap_to_roof(*a) > *time_gap_to_roof(*b);
  });
  for (const ReportKernel* kernel : order) summary.top.push_back(kernel->id);
  summary.wall = Value<Seconds>::missing(kNoTimeline);
  summary.gpu_busy = Value<double>::missing(kNoTimeline);
  summary.verdict = verdict_of(kernels, summary.kernel_time, summary.top);
  return summary;
}

}  // namespace ridge
