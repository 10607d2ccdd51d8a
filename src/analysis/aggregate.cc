#include "analysis/aggregate.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <numeric>
#include <tuple>

namespace ridge {
namespace {

constexpr std::array kExecutionFields{&Execution::achieved_occupancy, &Execution::theoretical_occupancy,
                                      &Execution::waves_per_sm,       &Execution::threads_per_instruction,
                                      &Execution::issue_active,       &Execution::sm_active,
                                      &Execution::l1_hit_rate,        &Execution::l2_hit_rate,
                                      &Execution::tensor_active,      &Execution::compute_throughput,
                                      &Execution::memory_throughput,  &Execution::dram_throughput,
                                      &Execution::l1_throughput,      &Execution::limit_registers,
                                      &Execution::limit_shared,       &Execution::limit_warps,
                                      &Execution::limit_blocks,       &Execution::limit_barriers};

constexpr std::size_t kFields = kWorkFields + kExecutionFields.size();
using Fields = std::bitset<kFields>;

/// Which scalar fields of work and execution have a value.
Fields present_fields(const Measurement& measurement) {
  Fields fields;
  std::size_t index = 0;
  visit_fields([&](std::string_view, const auto& value) { fields.set(index++, value.has_value()); }, measurement.work);
  for (const auto field : kExecutionFields) fields.set(index++, (measurement.execution.*field).has_value());
  return fields;
}

const Measurement* measurement_at(const Profile& profile, std::uint32_t launch) {
  return measurement_of(profile, profile.launches[launch]);
}

/// The fields that at least half of the launches with any counters have.
Fields expected_fields(const Profile& profile, const LaunchIndices& launches) {
  std::array<std::uint32_t, kFields> counts{};
  std::uint32_t with_any = 0;
  for (const std::uint32_t launch : launches) {
    const Measurement* measurement = measurement_at(profile, launch);
    if (measurement == nullptr) continue;
    const Fields fields = present_fields(*measurement);
    if (fields.none()) continue;
    ++with_any;
    for (std::size_t i = 0; i < kFields; ++i) counts[i] += fields[i] ? 1 : 0;
  }
  Fields expected;
  for (std::size_t i = 0; i < kFields; ++i) expected.set(i, counts[i] > 0 && 2 * counts[i] >= with_any);
  return expected;
}

LaunchIndices complete_launches(const Profile& profile, const LaunchIndices& launches) {
  const Fields expected = expected_fields(profile, launches);
  LaunchIndices complete;
  if (expected.none()) return complete;
  const bool timed = std::any_of(launches.begin(), launches.end(),
                                 [&](std::uint32_t launch) { return profile.launches[launch].duration.has_value(); });
  for (const std::uint32_t launch : launches) {
    const Measurement* measurement = measurement_at(profile, launch);
    if (measurement == nullptr || (timed && !profile.launches[launch].duration)) continue;
    if ((present_fields(*measurement) & expected) == expected) complete.push_back(launch);
  }
  return complete;
}

Work sum_of_work(const Profile& profile, const LaunchIndices& launches) {
  Work sum = measurement_at(profile, launches.front())->work;
  for (std::size_t i = 1; i < launches.size(); ++i) sum += measurement_at(profile, launches[i])->work;
  return sum;
}

/// Mean of one field over launches, weighted by their durations; launches without the field do not count.
template <class T, class Get>
Value<T> weighted_mean(const Profile& profile, const LaunchIndices& launches, Get get) {
  double sum = 0, weights = 0;
  Value<T> result;
  for (const std::uint32_t index : launches) {
    const Launch& launch = profile.launches[index];
    const Value<T>& value = get(profile.measurements[*launch.measurement]);
    if (!value) {
      if (!result) result = value;
      continue;
    }
    const double weight = launch.duration ? launch.duration->count() : 0;
    if (launches.size() == 1 || weight <= 0) {
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

std::vector<StallReason> mean_stalls(const Profile& profile, const LaunchIndices& launches) {
  std::vector<StallReason> sums;
  double weights = 0;
  for (const std::uint32_t index : launches) {
    const Launch& launch = profile.launches[index];
    const double weight = launch.duration && *launch.duration > Seconds(0) ? launch.duration->count() : 1;
    weights += weight;
    for (const StallReason& stall : profile.measurements[*launch.measurement].execution.stalls) {
      const auto same =
          std::find_if(sums.begin(), sums.end(), [&](const StallReason& sum) { return sum.name == stall.name; });
      if (same == sums.end()) {
        sums.push_back({stall.name, weight * stall.warps_per_issue});
      } else {
        same->warps_per_issue += weight * stall.warps_per_issue;
      }
    }
  }
  for (StallReason& stall : sums) stall.warps_per_issue /= weights;
  return sums;
}

Execution mean_execution(const Profile& profile, const LaunchIndices& launches) {
  Execution mean;
  for (const auto field : kExecutionFields) {
    mean.*field = weighted_mean<double>(
        profile, launches, [field](const Measurement& m) -> const Value<double>& { return m.execution.*field; });
  }
  mean.stalls = mean_stalls(profile, launches);
  return mean;
}

template <class T>
void mean_condition(const Profile& profile, const LaunchIndices& launches, Conditions& mean,
                    Value<T> Conditions::*field) {
  mean.*field = weighted_mean<T>(profile, launches,
                                 [field](const Measurement& m) -> const Value<T>& { return m.conditions.*field; });
}

Conditions mean_conditions(const Profile& profile, const LaunchIndices& launches) {
  Conditions mean;
  for (const auto field : {&Conditions::sm_clock, &Conditions::l2_clock, &Conditions::dram_clock}) {
    mean_condition(profile, launches, mean, field);
  }
  for (const auto field : {&Conditions::dram_peak, &Conditions::l2_peak}) {
    mean_condition(profile, launches, mean, field);
  }
  for (const auto field : {&Conditions::l2_slices, &Conditions::fp32_fma_per_clock, &Conditions::fp64_fma_per_clock}) {
    mean_condition(profile, launches, mean, field);
  }
  return mean;
}

Value<Seconds> sum_of_durations(const Profile& profile, const LaunchIndices& launches) {
  Value<Seconds> sum;
  for (const std::uint32_t index : launches) {
    const Value<Seconds>& duration = profile.launches[index].duration;
    if (duration) sum = sum ? sum + duration : duration;
  }
  return sum;
}

void fill_durations(const Profile& profile, const LaunchIndices& launches, Aggregate& result) {
  std::vector<Seconds> durations;
  durations.reserve(launches.size());
  Value<Seconds> first;
  for (const std::uint32_t index : launches) {
    const Value<Seconds>& duration = profile.launches[index].duration;
    if (!first) first = duration;
    if (duration) durations.push_back(*duration);
  }
  result.without_duration = static_cast<std::uint32_t>(launches.size() - durations.size());
  result.duration = sum_of_durations(profile, launches);
  if (durations.empty()) {
    result.duration = result.duration_min = result.duration_median = result.duration_max = first;
    return;
  }
  std::sort(durations.begin(), durations.end());
  const std::size_t middle = durations.size() / 2;
  const Seconds median =
      durations.size() % 2 == 1 ? durations[middle] : (durations[middle - 1] + durations[middle]) / 2.0;
  const Provenance provenance = result.duration.provenance();
  result.duration_min = Value<Seconds>(durations.front(), provenance);
  result.duration_median = Value<Seconds>(median, provenance);
  result.duration_max = Value<Seconds>(durations.back(), provenance);
}

}  // namespace

std::vector<LaunchIndices> group_launches(const Profile& profile) {
  const auto key = [&](std::uint32_t index) {
    const Launch& launch = profile.launches[index];
    return std::tuple(launch.kernel, launch.configuration, launch.device);
  };
  LaunchIndices order(profile.launches.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<LaunchIndices> groups;
  for (const std::uint32_t index : order) {
    if (groups.empty() || key(groups.back().front()) != key(index)) groups.emplace_back();
    groups.back().push_back(index);
  }
  std::sort(groups.begin(), groups.end(),
            [](const LaunchIndices& a, const LaunchIndices& b) { return a.front() < b.front(); });
  return groups;
}

Aggregate aggregate(const Profile& profile, const LaunchIndices& launches) {
  Aggregate result;
  fill_durations(profile, launches, result);
  const LaunchIndices complete = complete_launches(profile, launches);
  if (complete.empty()) {
    // Nothing to add up, but the reasons of the first launch are worth keeping.
    const Measurement* first = measurement_at(profile, launches.front());
    if (first != nullptr) result.work = first->work;
    result.measured_duration = Value<Seconds>::missing("no launch has counters");
    return result;
  }
  result.work = sum_of_work(profile, complete);
  result.execution = mean_execution(profile, complete);
  result.conditions = mean_conditions(profile, complete);
  result.measured = static_cast<std::uint32_t>(complete.size());
  result.without_counters = static_cast<std::uint32_t>(launches.size() - complete.size());
  result.measured_duration = sum_of_durations(profile, complete);
  return result;
}

}  // namespace ridge
