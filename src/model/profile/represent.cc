#include "model/profile/represent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "model/profile/measurement_union.h"

namespace ridge {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// FLOP and their parts of `from`, where it knows the total: a total that was not completed by the other counters (the
/// tensor cores', say) is worth less than one that was.
void take_flops(Work& to, const Work& from) {
  if (!from.flops) return;
  to.flops = from.flops;
  to.compute = from.compute;
}

int capability_part(const Value<double>& part) {
  return part ? static_cast<int>(std::clamp(*part, 0.0, 1e6)) : 0;
}

/// Launches of one shape: who was measured, and what stands for the others.
struct Shape {
  std::vector<std::uint32_t> measured;  ///< a launch for each distinct measurement, in recording order
  std::uint32_t representative = kNone;
  double clock_sum = 0, clock_weight = 0;  ///< readings beside the launches that it stands for, by duration
};

/// Device, kernel, and the number of grid, block and dynamic shared memory.
using ShapeKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Configurations that a recording measures as one have one number.
std::vector<std::uint32_t> number_configurations(const std::vector<Configuration>& configurations) {
  std::map<std::tuple<std::optional<Dim3>, std::optional<Dim3>, double>, std::uint32_t> known;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(configurations.size());
  for (const Configuration& configuration : configurations) {
    const double shared = configuration.shared_dynamic ? configuration.shared_dynamic->count() : -1;
    const auto number = static_cast<std::uint32_t>(known.size());
    numbers.push_back(known.emplace(std::tuple(configuration.grid, configuration.block, shared), number).first->second);
  }
  return numbers;
}

/// SM clocks of one device in order of time.
class Clock {
 public:
  void add(const Reading& reading) {
    if (reading.sm_clock) readings_.emplace_back(reading.time.count(), reading.sm_clock->count());
  }
  void sort() { std::sort(readings_.begin(), readings_.end()); }

  /// Of the reading nearest to the middle of the launch, if that is near.
  [[nodiscard]] std::optional<double> beside(const Launch& launch) const {
    if (readings_.empty() || !launch.start || !launch.duration) return std::nullopt;
    const double time = launch.start->count() + launch.duration->count() / 2;
    auto next = std::lower_bound(readings_.begin(), readings_.end(), std::pair(time, 0.0));
    if (next == readings_.end() || (next != readings_.begin() && time - (next - 1)->first < next->first - time)) --next;
    if (std::abs(next->first - time) > kReadingReach.count()) return std::nullopt;
    return next->second;
  }

 private:
  std::vector<std::pair<double, double>> readings_;
};

class Representatives {
 public:
  explicit Representatives(Profile& profile)
      : profile_(profile), configurations_(number_configurations(profile.configurations)) {}

  void run() {
    find_live_devices();
    collect_clocks();
    complete_durations();
    find_measured();
    for (auto& [key, shape] : shapes_) complete_own(shape);
    represent_others();
    set_clocks();
    count();
  }

 private:
  [[nodiscard]] bool is_live(const Launch& launch) const { return live_[launch.device] != kNone; }
  [[nodiscard]] ShapeKey key(const Launch& launch) const {
    return {launch.device, launch.kernel, configurations_[launch.configuration]};
  }

  /// The recording of each device, or kNone.
  void find_live_devices() {
    live_.assign(profile_.devices.size(), kNone);
    for (std::size_t d = 0; d < live_.size(); ++d) {
      for (std::size_t r = 0; r < profile_.recordings.size(); ++r) {
        if (profile_.recordings[r].source == profile_.devices[d].source) live_[d] = static_cast<std::uint32_t>(r);
      }
    }
  }

  void collect_clocks() {
    clocks_.resize(profile_.devices.size());
    for (const Reading& reading : profile_.readings) clocks_[reading.device].add(reading);
    for (Clock& clock : clocks_) clock.sort();
  }

  /// The metric that is the duration of a replayed launch.
  [[nodiscard]] std::vector<std::uint32_t> time_metrics() const {
    std::vector<std::uint32_t> metrics;
    for (const std::string_view name : {"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max"}) {
      const auto found = std::find_if(profile_.metrics.begin(), profile_.metrics.end(),
                                      [&](const MetricName& metric) { return metric.name == name; });
      if (found != profile_.metrics.end()) {
        metrics.push_back(static_cast<std::uint32_t>(found - profile_.metrics.begin()));
      }
    }
    return metrics;
  }

  void complete_durations() {
    const std::vector<std::uint32_t> metrics = time_metrics();
    for (Launch& launch : profile_.launches) {
      if (launch.duration || !launch.measurement || !is_live(launch)) continue;
      const Measurement& measurement = profile_.measurements[*launch.measurement];
      if (is_representative(measurement)) continue;
      for (const std::uint32_t metric : metrics) {
        const auto raw = std::find_if(measurement.raw.begin(), measurement.raw.end(),
                                      [&](const RawMetric& item) { return item.metric == metric; });
        if (raw == measurement.raw.end() || !(raw->value > 0)) continue;
        launch.duration = {Seconds(raw->value), Provenance::kMeasured};
        break;
      }
    }
  }

  void find_measured() {
    std::unordered_set<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < profile_.launches.size(); ++i) {
      const Launch& launch = profile_.launches[i];
      if (!launch.measurement || !is_live(launch)) continue;
      Shape& shape = shapes_[key(launch)];
      if (is_representative(profile_.measurements[*launch.measurement])) {
        shape.representative = *launch.measurement;
      } else if (seen.insert(*launch.measurement).second) {
        shape.measured.push_back(i);
      }
    }
  }

  [[nodiscard]] const Measurement& measurement(std::uint32_t launch) const {
    return profile_.measurements[*profile_.launches[launch].measurement];
  }

  /// Work from the raw counters of every measured launch of the shape, `first` before the others.
  [[nodiscard]] Work union_work(const Shape& shape, std::uint32_t first, Provenance own) const {
    UnionReader reader(profile_.metrics);
    reader.add(measurement(first), own);
    for (const std::uint32_t other : shape.measured) reader.add(measurement(other), Provenance::kSampled);
    const Launch& launch = profile_.launches[first];
    const DeviceAttributes& attributes = profile_.devices[launch.device].attributes;
    LaunchFacts facts;
    facts.capability_major = capability_part(attributes.compute_capability_major);
    facts.capability_minor = capability_part(attributes.compute_capability_minor);
    facts.configuration = profile_.configurations[launch.configuration];
    facts.duration = launch.duration;
    facts.kernel_name = profile_.kernels[launch.kernel].full_name;
    return measurement_from_nvidia(reader, facts).work;
  }

  [[nodiscard]] bool were_measured_alike(const Shape& shape) const {
    return std::all_of(shape.measured.begin(), shape.measured.end(), [&](std::uint32_t launch) {
      return same_counters(measurement(shape.measured.front()), measurement(launch));
    });
  }

  /// The measurement of `first` with what it lacks from the others of its shape.
  [[nodiscard]] Measurement completed(const Shape& shape, std::uint32_t first, Provenance own) const {
    Measurement result = measurement(first);
    for (const std::uint32_t other : shape.measured) {
      if (other != first) fill(result, measurement(other));
    }
    const Work counted = union_work(shape, first, own);
    take_flops(result.work, counted);
    for (const std::uint32_t other : shape.measured) {
      if (!result.work.flops) take_flops(result.work, measurement(other).work);
    }
    return result;
  }

  /// Where launches of a shape were measured with different counters, each gets the values it lacks.
  void complete_own(Shape& shape) {
    if (shape.measured.empty() || were_measured_alike(shape)) return;
    std::vector<Measurement> results;
    for (const std::uint32_t launch : shape.measured) {
      results.push_back(completed(shape, launch, Provenance::kMeasured));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      profile_.measurements[*profile_.launches[shape.measured[i]].measurement] = std::move(results[i]);
    }
  }

  /// The first measured launch as it stands for others, with the counters of all.
  void add_representative(Shape& shape) {
    Measurement result = measurement(shape.measured.front());
    for (const std::uint32_t launch : shape.measured) add_raw(result.raw, measurement(launch).raw);
    make_sampled(result);
    shape.representative = static_cast<std::uint32_t>(profile_.measurements.size());
    profile_.measurements.push_back(std::move(result));
  }

  void represent_others() {
    for (Launch& launch : profile_.launches) {
      if (launch.measurement || !is_live(launch)) continue;
      const auto found = shapes_.find(key(launch));
      if (found == shapes_.end() || found->second.measured.empty()) continue;
      Shape& shape = found->second;
      if (shape.representative == kNone) add_representative(shape);
      launch.measurement = shape.representative;
      const std::optional<double> clock = clocks_[launch.device].beside(launch);
      if (!clock) continue;
      shape.clock_sum += *clock * launch.duration->count();
      shape.clock_weight += launch.duration->count();
    }
  }

  void set_clocks() {
    for (const auto& [key, shape] : shapes_) {
      if (!(shape.clock_weight > 0)) continue;
      profile_.measurements[shape.representative].conditions.sm_clock = {Hertz(shape.clock_sum / shape.clock_weight),
                                                                         Provenance::kSampled};
    }
  }

  void count() {
    std::vector<bool> stands_for_others(profile_.measurements.size());
    for (const auto& [key, shape] : shapes_) {
      if (shape.representative != kNone) stands_for_others[shape.representative] = true;
    }
    std::vector<double> measured(profile_.recordings.size()), represented(profile_.recordings.size());
    for (const Launch& launch : profile_.launches) {
      if (!launch.measurement || !is_live(launch)) continue;
      (stands_for_others[*launch.measurement] ? represented : measured)[live_[launch.device]] += 1;
    }
    for (std::size_t i = 0; i < profile_.recordings.size(); ++i) {
      profile_.recordings[i].measured = {measured[i], Provenance::kMeasured};
      profile_.recordings[i].represented = {represented[i], Provenance::kMeasured};
    }
  }

  Profile& profile_;
  std::vector<std::uint32_t> configurations_;  ///< number of each one's grid, block and dynamic shared memory
  std::vector<std::uint32_t> live_;
  std::vector<Clock> clocks_;
  std::map<ShapeKey, Shape> shapes_;
};

}  // namespace

void represent(Profile& profile) {
  if (!profile.recordings.empty()) Representatives(profile).run();
}

}  // namespace ridge
