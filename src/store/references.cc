#include "store/references.h"

#include <algorithm>

namespace ridge::store {

namespace {

bool is_sound(const Measurement& measurement, const TableSizes& sizes) {
  std::uint64_t next = 0;
  for (const RawMetric& raw : measurement.raw) {
    if (raw.metric < next || raw.metric >= sizes.metrics) return false;
    next = raw.metric;  // equal neighbours are allowed: a source may state a counter twice
  }
  return true;
}

bool is_sound(const Launch& launch, const TableSizes& sizes) {
  return launch.kernel < sizes.kernels && launch.configuration < sizes.configurations &&
         launch.device < sizes.devices && (!launch.measurement || *launch.measurement < sizes.measurements) &&
         (!launch.sampled || *launch.sampled < sizes.sampled);
}

}  // namespace

TableSizes operator+(const TableSizes& sizes, const Profile& piece) {
  return {sizes.sources + piece.sources.size(), sizes.devices + piece.devices.size(),
          sizes.kernels + piece.kernels.size(), sizes.configurations + piece.configurations.size(),
          sizes.metrics + piece.metrics.size(), sizes.measurements + piece.measurements.size(),
          sizes.sampled + piece.sampled.size()};
}

std::string_view dangling(const Profile& piece, const TableSizes& sizes) {
  const auto all = [](const auto& items, auto sound) { return std::all_of(items.begin(), items.end(), sound); };
  if (!all(piece.devices, [&](const Device& device) { return device.source < sizes.sources; })) {
    return "a device without source";
  }
  if (!all(piece.measurements, [&](const Measurement& measurement) { return is_sound(measurement, sizes); })) {
    return "a counter without name";
  }
  if (!all(piece.launches, [&](const Launch& launch) { return is_sound(launch, sizes); })) {
    return "a launch of nothing";
  }
  if (!all(piece.spans, [&](const Span& span) { return span.device == 0 || span.device < sizes.devices; })) {
    return "a span on no device";
  }
  if (!all(piece.readings, [&](const Reading& reading) { return reading.device < sizes.devices; })) {
    return "a reading of no device";
  }
  if (!all(piece.recordings, [&](const Recording& recording) { return recording.source < sizes.sources; })) {
    return "a recording without source";
  }
  return "";
}

}  // namespace ridge::store
