#include "importers/join.h"

#include <algorithm>
#include <iterator>
#include <optional>
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
  report.sources.insert(report.sources.end(), page.sources.begin(), page.sources.end());
  update_issues(report);
  return true;
}

namespace {

/// A file's profile while pages move to where they belong.
struct Place {
  Profile* profile;
  bool is_page;  ///< a source page that stands alone so far
  bool one_run;  ///< read from one file; a merged recording says nothing about which of its runs a page belongs to
  bool is_joined = false;
};

bool join_to_nearest(std::vector<Place>& places, std::size_t page) {
  const auto accepts = [&](Place& place) {
    return !place.is_page && place.one_run && join_source_page(*place.profile, *places[page].profile);
  };
  const auto here = places.begin() + static_cast<std::ptrdiff_t>(page);
  return std::any_of(std::make_reverse_iterator(here), places.rend(), accepts) ||
         std::any_of(here, places.end(), accepts);
}

/// The kernels of a profile by what is compared of their names; nothing where one profile tells two such apart.
std::unordered_map<std::string, std::optional<std::size_t>> distinct_names(const Profile& profile) {
  std::unordered_map<std::string, std::optional<std::size_t>> names;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
    const auto [found, is_new] = names.emplace(ncu::comparable_name(profile.kernels[i].full_name), i);
    if (is_new || !found->second) continue;
    if (profile.kernels[*found->second].full_name != profile.kernels[i].full_name) found->second = std::nullopt;
  }
  return names;
}

void spell_alike(std::vector<Profile>& profiles) {
  std::unordered_map<std::string, std::string> spelling;
  for (Profile& profile : profiles) {
    const auto distinct = distinct_names(profile);
    for (Kernel& kernel : profile.kernels) {
      const std::string name = ncu::comparable_name(kernel.full_name);
      if (!distinct.at(name)) continue;
      kernel.full_name = spelling.emplace(name, kernel.full_name).first->second;
    }
  }
}

}  // namespace

void join_files(std::vector<Profile>& profiles) {
  if (profiles.size() < 2) return;
  std::vector<Place> places;
  for (Profile& profile : profiles) {
    const bool one_run = profile.sources.size() == 1;
    places.push_back({&profile, one_run && is_source_page(profile), one_run});
  }
  for (std::size_t i = 0; i < places.size(); ++i) places[i].is_joined = places[i].is_page && join_to_nearest(places, i);
  std::vector<Profile> left;
  for (const Place& place : places) {
    if (!place.is_joined) left.push_back(std::move(*place.profile));
  }
  profiles = std::move(left);
  spell_alike(profiles);
}

}  // namespace ridge
