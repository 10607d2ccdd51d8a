#include "importers/join.h"

#include <algorithm>
#include <unordered_map>

#include "importers/ncu/kernel_match.h"

namespace ridge {
namespace {

std::vector<std::string> kernel_names(const Profile& profile) {
  std::vector<std::string> names;
  names.reserve(profile.launches.size());
  for (const Launch& launch : profile.launches) names.push_back(profile.kernels[launch.kernel].full_name);
  return names;
}

/// Adds the page's counters that the launch does not have.
void add_raw(Measurement& to, const Measurement& from, const std::vector<std::uint32_t>& metric_of) {
  const std::size_t own = to.raw.size();
  const auto has = [&](std::uint32_t metric) {
    return std::any_of(to.raw.begin(), to.raw.begin() + static_cast<std::ptrdiff_t>(own),
                       [&](const RawMetric& m) { return m.metric == metric; });
  };
  for (const RawMetric& raw : from.raw) {
    if (!has(metric_of[raw.metric])) to.raw.push_back({metric_of[raw.metric], raw.value});
  }
  std::sort(to.raw.begin(), to.raw.end(), [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
}

void fill_work(Work& to, const Work& from) {
  if (!to.flops && from.flops) to.compute = from.compute;
  visit_fields(
      [](std::string_view, auto& mine, const auto& theirs) {
        if (!mine && theirs) mine = theirs;
      },
      to, from);
}

/// Index in `report` of each metric of `page`.
std::vector<std::uint32_t> merge_metrics(Profile& report, const Profile& page) {
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t i = 0; i < report.metrics.size(); ++i) {
    known.emplace(report.metrics[i].name, static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> result;
  for (const MetricName& metric : page.metrics) {
    const auto [found, is_new] = known.emplace(metric.name, static_cast<std::uint32_t>(report.metrics.size()));
    if (is_new) report.metrics.push_back(metric);
    result.push_back(found->second);
  }
  return result;
}

/// The report said that FLOP were not collected; with the page's counts that may no longer hold.
void update_issues(Profile& report) {
  const bool complete = std::all_of(report.launches.begin(), report.launches.end(), [&](const Launch& launch) {
    const Measurement* measurement = measurement_of(report, launch);
    return measurement != nullptr && measurement->work.flops;
  });
  if (!complete) return;
  std::erase_if(report.issues, [](const Issue& issue) { return issue.message.id == "flops-not-collected"; });
}

}  // namespace

bool is_source_page(const Profile& profile) {
  return !profile.sources.empty() && profile.sources.front().kind == "ncu-csv-source";
}

bool join_source_page(Profile& report, const Profile& page) {
  const auto matches = ncu::match_kernels(kernel_names(page), kernel_names(report));
  if (std::any_of(matches.begin(), matches.end(), [](const auto& m) { return !m.has_value(); })) return false;
  const std::vector<std::uint32_t> metric_of = merge_metrics(report, page);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Measurement* const from = measurement_of(page, page.launches[i]);
    if (from == nullptr) continue;
    Launch& launch = report.launches[*matches[i]];
    if (!launch.measurement) {
      launch.measurement = static_cast<std::uint32_t>(report.measurements.size());
      report.measurements.emplace_back();
    }
    Measurement& to = report.measurements[*launch.measurement];
    add_raw(to, *from, metric_of);
    fill_work(to.work, from->work);
    // The page's lines have the instructions' text; a report's own do not.
    if (!from->hot_lines.empty()) to.hot_lines = from->hot_lines;
  }
  for (const Issue& issue : page.issues) {
    if (issue.message.id != "source-page-alone") report.issues.push_back(issue);
  }
  update_issues(report);
  return true;
}

}  // namespace ridge
