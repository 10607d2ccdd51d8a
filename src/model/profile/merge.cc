#include "model/profile/merge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace ridge {

namespace {

using Indices = std::vector<std::uint32_t>;

std::uint32_t index_of_next(std::size_t size) {
  return static_cast<std::uint32_t>(size);
}

/// Appends each item of `from` that `into` does not have; the result says where each is now. Items with equal keys are
/// compared by `same`.
template <class T, class Key, class Same>
Indices join(std::vector<T>& into, std::vector<T>& from, Key key, Same same) {
  std::multimap<decltype(key(into.front())), std::uint32_t> known;
  for (std::size_t i = 0; i < into.size(); ++i) known.emplace(key(into[i]), index_of_next(i));
  Indices indices;
  indices.reserve(from.size());
  for (T& item : from) {
    const auto [begin, end] = known.equal_range(key(item));
    const auto found = std::find_if(begin, end, [&](const auto& entry) { return same(into[entry.second], item); });
    if (found != end) {
      indices.push_back(found->second);
      continue;
    }
    indices.push_back(index_of_next(into.size()));
    known.emplace(key(item), indices.back());
    into.push_back(std::move(item));
  }
  return indices;
}

Indices join_kernels(Profile& profile, Profile& other) {
  const auto key = [](const Kernel& kernel) {
    return std::make_tuple(kernel.full_name, kernel.mangled_name, kernel.short_name);
  };
  return join(profile.kernels, other.kernels, key, [](const Kernel&, const Kernel&) { return true; });
}

Indices join_configurations(Profile& profile, Profile& other) {
  const auto key = [](const Configuration& configuration) {
    return std::make_pair(configuration.grid, configuration.block);
  };
  return join(profile.configurations, other.configurations, key, std::equal_to<>());
}

Indices join_metrics(Profile& profile, Profile& other) {
  const auto key = [](const MetricName& metric) { return std::make_pair(metric.name, metric.unit); };
  return join(profile.metrics, other.metrics, key, [](const MetricName&, const MetricName&) { return true; });
}

void renumber(Measurement& measurement, const Indices& metrics) {
  for (RawMetric& raw : measurement.raw) raw.metric = metrics[raw.metric];
  std::stable_sort(measurement.raw.begin(), measurement.raw.end(),
                   [](const RawMetric& a, const RawMetric& b) { return a.metric < b.metric; });
}

template <class T>
void append(std::vector<T>& into, std::vector<T>& from) {
  if (into.empty()) return into.swap(from);  // a million launches need not be there twice
  into.insert(into.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void merge(Profile& profile, Profile other) {
  const Indices kernels = join_kernels(profile, other);
  const Indices configurations = join_configurations(profile, other);
  const Indices metrics = join_metrics(profile, other);
  const std::uint32_t first_source = index_of_next(profile.sources.size());
  const std::uint32_t first_device = index_of_next(profile.devices.size());
  const std::uint32_t first_measurement = index_of_next(profile.measurements.size());
  const std::uint32_t first_sampled = index_of_next(profile.sampled.size());
  for (Device& device : other.devices) device.source += first_source;
  for (Measurement& measurement : other.measurements) renumber(measurement, metrics);
  for (Launch& launch : other.launches) {
    launch.kernel = kernels[launch.kernel];
    launch.configuration = configurations[launch.configuration];
    launch.device += first_device;
    if (launch.measurement) *launch.measurement += first_measurement;
    if (launch.sampled) *launch.sampled += first_sampled;
  }
  for (Span& span : other.spans) span.device += first_device;
  for (Reading& reading : other.readings) reading.device += first_device;
  for (Recording& recording : other.recordings) recording.source += first_source;
  append(profile.sources, other.sources);
  append(profile.devices, other.devices);
  append(profile.measurements, other.measurements);
  append(profile.launches, other.launches);
  append(profile.sampled, other.sampled);
  append(profile.spans, other.spans);
  append(profile.readings, other.readings);
  append(profile.recordings, other.recordings);
  append(profile.issues, other.issues);
}

}  // namespace ridge
