// write_live_recording FILE LAUNCHES: a live recording as `ridge profile` writes it, appended piece by piece, of a
// program that launches forty kernels over and over: times and sampled amounts of every launch, counters of one launch
// each, a reading of clocks every tenth of a second.
// report_memory.py uses it.
#include <algorithm>
#include <charconv>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

#include "store/writer.h"

namespace {

using namespace ridge;

constexpr std::uint32_t kKernels = 40;
constexpr std::uint32_t kPiece = 2000;

Value<double> measured(double value) {
  return {value, Provenance::kMeasured};
}

Measurement counters_of(std::uint32_t kernel) {
  Measurement result;
  double value = 1e6 * (1 + kernel);
  visit_fields(
      [&](std::string_view, auto& field) {
        field = {std::remove_cvref_t<decltype(*field)>(value += 4096), Provenance::kMeasured};
      },
      result.work);
  result.work.compute.push_back({core(DataType::kFp32), result.work.flops});
  result.execution.sm_active = measured(0.9);
  result.conditions.sm_clock = {Hertz(1.755e9), Provenance::kMeasured};
  return result;
}

Profile tables() {
  Profile profile;
  profile.sources.push_back({"live", "", "2026-01-01T00:00:00Z", ""});
  Device& device = profile.devices.emplace_back();
  device.name = "NVIDIA H200";
  device.chip = "GH100";
  for (std::uint32_t k = 0; k < kKernels; ++k) {
    const std::string name = "kernel_" + std::to_string(k);
    profile.kernels.push_back({name, "void " + name + "<float, 128>(float const*, float*, int)", ""});
    Configuration& configuration = profile.configurations.emplace_back();
    configuration.grid = Dim3{132 * (1 + k % 8), 1, 1};
    configuration.block = Dim3{256, 1, 1};
    profile.measurements.push_back(counters_of(k));
  }
  Recording& recording = profile.recordings.emplace_back();
  recording.command = "./train";
  recording.tier = Tier::kCounters;
  return profile;
}

SampledWork sampled_work(std::uint32_t launch) {
  const float noise = static_cast<float>((launch * 2654435761U) % 100003U) / 100003.0F;
  return {1e6F * noise, 5e5F * noise, 3e6F * noise, 2e4F * noise, noise, 0.5F * noise, 0.1F * noise, 0.02F * noise};
}

/// Appends launch number `i` at `now` (nanoseconds) and moves the clock on.
void add_launch(Profile& piece, std::uint32_t i, std::int64_t& now) {
  const std::int64_t duration = 3000 + (std::int64_t{i} * 7919) % 350000;
  Launch& launch = piece.launches.emplace_back();
  launch.kernel = launch.configuration = i % kKernels;
  if (i < kKernels) launch.measurement = i;
  launch.source_id = i + 1;
  launch.process_id = 4711;
  launch.context = 1;
  launch.stream = 7 + i % 3;
  launch.sampled = i;
  launch.start = {Seconds(static_cast<double>(now) * 1e-9), Provenance::kMeasured};
  launch.duration = {Seconds(static_cast<double>(duration) * 1e-9), Provenance::kMeasured};
  piece.sampled.push_back(sampled_work(i));
  now += duration + 1500 + i % 700;
}

void add_reading(Profile& piece, std::int64_t now) {
  Reading& reading = piece.readings.emplace_back();
  reading.time = Seconds(static_cast<double>(now) * 1e-9);
  reading.sm_clock = {Hertz(1.755e9 - 15e6 * static_cast<double>(now / 1000000000 % 8)), Provenance::kReported};
  reading.memory_clock = {Hertz(3.201e9), Provenance::kReported};
  reading.watts = {512.345 + static_cast<double>(now % 97), Provenance::kReported};
}

Result<void> write(const std::string& path, std::uint32_t launches) {
  Result<store::Writer> writer = store::Writer::create(path, true);
  if (!writer) return fail(writer.error());
  RIDGE_TRY(writer->append(tables()));
  std::int64_t now = 0;
  for (std::uint32_t first = 0; first < launches; first += kPiece) {
    Profile piece;
    const std::int64_t began = now;
    for (std::uint32_t i = first; i < std::min(first + kPiece, launches); ++i) add_launch(piece, i, now);
    for (std::int64_t at = began; at < now; at += 100000000) add_reading(piece, at);
    RIDGE_TRY(writer->append(piece));
  }
  Profile last;
  last.recordings = tables().recordings;
  last.recordings[0].finished = true;
  RIDGE_TRY(writer->append(last));
  return writer->finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view text = argc == 3 ? argv[2] : "";
  std::uint32_t launches = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), launches);
  if (error != std::errc() || end != text.data() + text.size() || launches == 0) {
    std::cerr << "write_live_recording FILE LAUNCHES\n";
    return 2;
  }
  const ridge::Result<void> result = write(argv[1], launches);
  if (result) return 0;
  std::cerr << ridge::to_string(result.error()) << '\n';
  return 1;
}
