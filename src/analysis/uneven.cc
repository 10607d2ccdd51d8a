#include "analysis/uneven.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/evidence.h"

namespace ridge {
namespace {

constexpr double kOther = 1.5;              // times as much is other work
constexpr double kOtherInstructions = 1.2;  // counted, so nearly exact; spinning on locks and flags takes some
constexpr double kOtherReplay = 2;          // a replay begins with cold caches, which alone makes a short launch slower
constexpr double kSamplingError = 0.2;      // beyond what neighbours share
constexpr double kLeastBytes = 1e6;         // below it what else moves on the device is as much
constexpr double kLeastShare = 0.1;         // of the launches' time
constexpr Seconds kLeastDifference{5e-6};   // between durations; launches vary by some microseconds
constexpr std::size_t kFewest = 4;          // to speak of a spread
constexpr double kTail = 0.05;

/// Nine tenths of the values lie from `least` to `most`; of a few, all do.
struct Range {
  double least = 0, median = 0, most = 0;
};

Range range_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    return values[static_cast<std::size_t>(std::lround(part * static_cast<double>(values.size() - 1)))];
  };
  return {at(kTail), at(0.5), at(1 - kTail)};
}

struct Group {
  std::vector<const Launch*> measured, others;
  const Measurement* representative = nullptr;  ///< of the others
};

Group group_of(const Profile& profile, const LaunchIndices& launches) {
  Group group;
  const Measurement* last = nullptr;
  CounterOrigin origin = CounterOrigin::kNone;
  for (const std::uint32_t index : launches) {
    const Launch& launch = profile.launches[index];
    const Measurement* counters = measurement_of(profile, launch);
    if (counters == nullptr) continue;
    if (counters != last) origin = origin_of(counters);  // launches that share one need not be looked at one by one
    last = counters;
    if (origin == CounterOrigin::kOwn) {
      group.measured.push_back(&launch);
    } else if (origin == CounterOrigin::kRepresentative) {
      group.others.push_back(&launch);
      group.representative = counters;
    }
  }
  return group;
}

std::vector<double> durations_of(const std::vector<const Launch*>& launches) {
  std::vector<double> durations;
  for (const Launch* launch : launches) {
    if (launch->duration) durations.push_back(launch->duration->count());
  }
  return durations;
}

std::optional<UnevenWork> other_instructions(const Profile& profile, const Group& group) {
  std::vector<double> counts;
  for (const Launch* launch : group.measured) {
    const Value<double>& count = measurement_of(profile, *launch)->work.instructions.warp_instructions;
    if (count && count.provenance() == Provenance::kMeasured) counts.push_back(*count);
  }
  if (counts.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  // Where none executed any, the two are alike as well.
  if (*most == *least || *most < kOtherInstructions * *least) return std::nullopt;
  return UnevenWork{"instructions", Unit::kCount, *least, *most, counts.front(), group.others.size(), false};
}

/// The others by their samples, if enough of them differ from the representative.
std::optional<UnevenWork> other_traffic(const Profile& profile, const Group& group) {
  const Value<Bytes>& counted = group.representative->work.bytes.dram;
  if (!counted) return std::nullopt;
  const double measured = counted->count();
  std::vector<double> own;
  double time = 0, differing = 0;
  for (const Launch* launch : group.others) {
    const SampledWork* samples = usable_samples(profile, *launch);
    if (samples == nullptr || !samples->dram_read || !samples->dram_write) continue;
    const double bytes = static_cast<double>(*samples->dram_read) + static_cast<double>(*samples->dram_write);
    const double error = (kSamplingError + static_cast<double>(samples->uncertainty)) * std::max(bytes, measured);
    const double weight = launch->duration.value_or(Seconds(0)).count();
    own.push_back(bytes);
    time += weight;
    if (std::abs(bytes - measured) > std::max(error, kLeastBytes)) differing += weight;
  }
  if (own.empty() || differing < kLeastShare * time || !(differing > 0)) return std::nullopt;
  const Range range = range_of(own);
  return UnevenWork{"traffic", Unit::kBytes, range.least, range.most, measured, group.others.size(), false};
}

/// How long the measured launch may have taken at the clock of the others: kernels that wait for memory take the same
/// time at any SM clock, the others not.
Range at_running_clock(double measured, const Measurement& counters, const RunningClock& clock) {
  const Value<Hertz>& then = counters.conditions.sm_clock;
  const double factor = then && clock.median && *clock.median > Hertz(0) ? *then / *clock.median : 1;
  return {measured * std::min(1.0, factor), measured, measured * std::max(1.0, factor)};
}

bool is_far(const Range& others, const Range& measured) {
  const double above = others.median - measured.most, below = measured.least - others.median;
  return (others.median > kOtherReplay * measured.most && above > kLeastDifference.count()) ||
         (others.median * kOtherReplay < measured.least && below > kLeastDifference.count());
}

std::optional<UnevenWork> other_durations(const Profile& profile, const Group& group, const RunningClock& clock) {
  std::vector<double> others = durations_of(group.others);
  const std::vector<double> measured = durations_of(group.measured);
  if (others.empty() || measured.empty()) return std::nullopt;
  const bool many = others.size() >= kFewest;
  // The first one loads code and warms caches.
  if (many) others.erase(others.begin());
  const Range range = range_of(others);
  const bool spread =
      many && range.most > kOther * clock.spread * range.least && range.most - range.least > kLeastDifference.count();
  const Measurement& counters = *measurement_of(profile, *group.measured.front());
  if (!spread && !is_far(range, at_running_clock(measured.front(), counters, clock))) return std::nullopt;
  return UnevenWork{"duration", Unit::kSeconds, range.least, range.most, measured.front(), group.others.size(), false};
}

}  // namespace

std::optional<UnevenWork> uneven_work(const Profile& profile, const LaunchIndices& launches,
                                      const RunningClock& clock) {
  const Group group = group_of(profile, launches);
  if (group.measured.empty() || group.others.empty() || group.representative == nullptr) return std::nullopt;
  if (auto instructions = other_instructions(profile, group)) return instructions;
  std::optional<UnevenWork> durations = other_durations(profile, group, clock);
  std::optional<UnevenWork> traffic = other_traffic(profile, group);
  if (!traffic) return durations;
  const bool steady = traffic->most < kOther * traffic->least + kLeastBytes;
  traffic->caches = steady && !durations;
  return traffic;
}

}  // namespace ridge
