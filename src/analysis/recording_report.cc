#include "analysis/recording_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/evidence.h"
#include "analysis/intervals.h"
#include "model/profile/throttle.h"

namespace ridge {
namespace {

constexpr std::string_view kNoTimes = "no launch and no copy has a place on the timeline";

/// What ran when on one device.
struct Timeline {
  Intervals kernels, copies, any;
  std::size_t launches = 0, unplaced = 0;
  std::map<std::string, CopyTotal> copied;
};

std::vector<Timeline> timelines_of(const Profile& profile) {
  std::vector<Timeline> timelines(profile.devices.size());
  for (const Launch& launch : profile.launches) {
    Timeline& timeline = timelines[launch.device];
    ++timeline.launches;
    if (launch.start && launch.duration) {
      timeline.kernels.add(*launch.start, *launch.duration);
    } else {
      ++timeline.unplaced;
    }
  }
  for (const Span& span : profile.spans) {
    if ((span.kind != SpanKind::kCopy && span.kind != SpanKind::kSet) || span.device >= timelines.size()) continue;
    Timeline& timeline = timelines[span.device];
    timeline.copies.add(span.start, span.duration);
    CopyTotal& total = timeline.copied[span.name];
    const Value<Seconds> time(span.duration, Provenance::kMeasured);
    total.time = total.count == 0 ? time : total.time + time;
    total.bytes = total.count == 0 ? span.bytes : total.bytes + span.bytes;
    ++total.count;
  }
  for (Timeline& timeline : timelines) {
    timeline.kernels.join();
    timeline.copies.join();
    timeline.any = timeline.kernels;
    timeline.any.add_all(timeline.copies);
    timeline.any.join();
  }
  return timelines;
}

/// Readings of each device while it ran; all of them where none fell into a busy time.
std::vector<std::vector<const Reading*>> running_readings(const Profile& profile,
                                                          const std::vector<Timeline>& timelines) {
  std::vector<std::vector<const Reading*>> all(timelines.size()), running(timelines.size());
  for (const Reading& reading : profile.readings) {
    if (reading.device >= timelines.size()) continue;
    all[reading.device].push_back(&reading);
    if (timelines[reading.device].any.contains(reading.time)) running[reading.device].push_back(&reading);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (running[i].empty()) running[i] = std::move(all[i]);
  }
  return running;
}

/// The lower of two middle values is a clock that was read; their mean need not be.
template <class T>
Spread spread_of(const std::vector<const Reading*>& readings, Value<T> Reading::*field) {
  std::vector<double> values;
  Spread spread;
  Reason reason("no readings were taken");
  for (const Reading* reading : readings) {
    const Value<double> value = [&] {
      if constexpr (std::is_same_v<T, double>) {
        return reading->*field;
      } else {
        return transform(reading->*field, [](const T& v) { return v.count(); });
      }
    }();
    if (value && std::isfinite(*value)) {
      values.push_back(*value);
    } else if (!value) {
      reason = value.reason();
    }
  }
  if (values.empty()) {
    spread.least = spread.median = spread.most = Value<double>::missing(reason);
    return spread;
  }
  std::sort(values.begin(), values.end());
  spread.least = Value<double>(values.front(), Provenance::kReported);
  spread.median = Value<double>(values[(values.size() - 1) / 2], Provenance::kReported);
  spread.most = Value<double>(values.back(), Provenance::kReported);
  return spread;
}

/// The most over the least, but for a tail of a twentieth at either end: a reading just before or after the work is at
/// the clock of an idle GPU.
double clock_spread(const std::vector<const Reading*>& readings) {
  std::vector<double> clocks;
  for (const Reading* reading : readings) {
    if (reading->sm_clock && *reading->sm_clock > Hertz(0)) clocks.push_back(reading->sm_clock->count());
  }
  if (clocks.empty()) return 1;
  std::sort(clocks.begin(), clocks.end());
  const std::size_t tail = (clocks.size() - 1) / 20;
  return clocks[clocks.size() - 1 - tail] / clocks[tail];
}

std::vector<std::pair<std::string, double>> throttled(const std::vector<const Reading*>& readings) {
  std::vector<std::pair<std::string, double>> shares;
  double known = 0;
  for (const Reading* reading : readings) known += reading->throttle_reasons ? 1 : 0;
  for (std::uint64_t bit = 1; bit <= kSlowingReasons; bit <<= 1U) {
    if ((bit & kSlowingReasons) == 0) continue;
    double count = 0;
    for (const Reading* reading : readings) {
      const Value<double>& mask = reading->throttle_reasons;
      if (mask && (static_cast<std::uint64_t>(*mask) & bit) != 0) ++count;
    }
    if (count > 0) shares.emplace_back(throttle_names(bit).front(), count / known);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return shares;
}

/// Longest first; a device has few kinds of copies, whatever the number of copies.
std::vector<CopyTotal> copies_by_time(std::map<std::string, CopyTotal>& copied) {
  std::vector<CopyTotal> totals;
  for (auto& [name, total] : copied) {
    total.name = name;
    totals.push_back(std::move(total));
  }
  std::stable_sort(totals.begin(), totals.end(), [](const CopyTotal& a, const CopyTotal& b) {
    return a.time.value_or(Seconds(0)) > b.time.value_or(Seconds(0));
  });
  return totals;
}

Value<Seconds> time_or_missing(const Intervals& intervals, Seconds time) {
  return intervals.empty() ? Value<Seconds>::missing(kNoTimes) : Value<Seconds>(time, Provenance::kMeasured);
}

/// Times are read in nanoseconds: less between two of them is what adding them up left.
Seconds without_rounding(Seconds time) {
  constexpr Seconds kTick{1e-9};
  return time < kTick ? Seconds(0) : time;
}

DeviceActivity activity_of(const Device& device, Timeline& timeline, const std::vector<const Reading*>& readings,
                           const Value<Seconds>& own) {
  DeviceActivity activity;
  activity.device = device.index, activity.name = device.name;
  activity.launches = timeline.launches, activity.unplaced = timeline.unplaced;
  activity.kernels = time_or_missing(timeline.any, timeline.kernels.covered());
  activity.copies = time_or_missing(timeline.any, timeline.copies.covered());
  activity.busy = time_or_missing(timeline.any, timeline.any.covered());
  activity.active = time_or_missing(timeline.any, timeline.any.span());
  activity.idle = transform(activity.active - activity.busy, without_rounding);
  activity.longest_gap = time_or_missing(timeline.any, without_rounding(timeline.any.longest_gap()));
  activity.busy_share = activity.busy / own;
  activity.copied = copies_by_time(timeline.copied);
  activity.readings = readings.size();
  activity.sm_clock = spread_of(readings, &Reading::sm_clock);
  activity.memory_clock = spread_of(readings, &Reading::memory_clock);
  activity.watts = spread_of(readings, &Reading::watts);
  activity.celsius = spread_of(readings, &Reading::celsius);
  activity.throttled = throttled(readings);
  return activity;
}

void fill_uncertainty(const Profile& profile, ReportRecording& out) {
  double seconds = 0, shared = 0;
  for (const Launch& launch : profile.launches) {
    if (!launch.sampled || *launch.sampled >= profile.sampled.size()) continue;
    if (profile.devices[launch.device].source != out.recording.source) continue;
    if (usable_samples(profile, launch) == nullptr) ++out.uncertain;
    const double weight = launch.duration ? launch.duration->count() : 0;
    seconds += weight;
    shared += weight * static_cast<double>(profile.sampled[*launch.sampled].uncertainty);
  }
  out.uncertainty = seconds > 0 ? Value<double>(shared / seconds, Provenance::kSampled)
                                : Value<double>::missing("no launch has samples");
}

}  // namespace

Value<Seconds> own_time(const Recording& recording) {
  if (!recording.wall || !recording.counter_time) return recording.wall;
  const Value<Seconds> own = recording.wall - recording.counter_time;
  return *own > Seconds(0) ? own : Value<Seconds>::missing("replays for counters took all of the time");
}

LiveReport report_recordings(const Profile& profile) {
  LiveReport result;
  result.running_clocks.resize(profile.devices.size());
  if (profile.recordings.empty()) return result;
  std::vector<Timeline> timelines = timelines_of(profile);
  const auto readings = running_readings(profile, timelines);
  for (const Recording& recording : profile.recordings) {
    ReportRecording& out = result.recordings.emplace_back();
    out.recording = recording;
    fill_uncertainty(profile, out);
    for (std::size_t i = 0; i < profile.devices.size(); ++i) {
      const bool used = timelines[i].launches > 0 || !timelines[i].any.empty();
      if (profile.devices[i].source != recording.source || !used) continue;
      out.devices.push_back(activity_of(profile.devices[i], timelines[i], readings[i], own_time(recording)));
      // A reading stands for the time around it, as a sample does.
      const Value<double>& clock = out.devices.back().sm_clock.median;
      if (clock)
        result.running_clocks[i] = {Value<Hertz>(Hertz(*clock), Provenance::kSampled), clock_spread(readings[i])};
    }
  }
  return result;
}

}  // namespace ridge
