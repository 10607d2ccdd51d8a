// Writing and reading .ridge files: many launches of few kernels, and few launches with many counters.
#include <benchmark/benchmark.h>

#include "store/store.h"

namespace {

using ridge::Launch;
using ridge::Profile;
using ridge::Provenance;
using ridge::Seconds;

Profile many_launches(std::uint32_t count) {
  Profile profile;
  profile.sources.resize(1);
  profile.devices.resize(1);
  profile.kernels.resize(10);
  profile.configurations.resize(10);
  std::int64_t now = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t duration = 3000 + (i * 7919) % 350000;
    Launch& launch = profile.launches.emplace_back();
    launch.kernel = launch.configuration = i % 10;
    launch.source_id = i;
    launch.stream = 7 + i % 4;
    launch.start = {Seconds(static_cast<double>(now) * 1e-9), Provenance::kMeasured};
    launch.duration = {Seconds(static_cast<double>(duration) * 1e-9), Provenance::kMeasured};
    now += duration + 2000;
  }
  return profile;
}

Profile many_counters(std::uint32_t launches, std::uint32_t counters) {
  Profile profile = many_launches(launches);
  profile.metrics.resize(counters);
  profile.measurements.resize(launches);
  for (std::uint32_t i = 0; i < launches; ++i) {
    profile.launches[i].measurement = i;
    for (std::uint32_t k = 0; k < counters; ++k) profile.measurements[i].raw.push_back({k, 1.0 / (1 + i + k)});
  }
  return profile;
}

void write_and_read(benchmark::State& state, const Profile& profile, bool read) {
  std::string bytes = ridge::store::profile_to_bytes(profile).value_or("");
  for (auto _ : state) {
    if (read) {
      benchmark::DoNotOptimize(ridge::store::profile_from_bytes(bytes, "bench"));
    } else {
      benchmark::DoNotOptimize(ridge::store::profile_to_bytes(profile));
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * state.iterations());
  state.counters["bytes_per_launch"] = static_cast<double>(bytes.size()) / static_cast<double>(profile.launches.size());
}

void write_launches(benchmark::State& state) {
  write_and_read(state, many_launches(200000), false);
}
void read_launches(benchmark::State& state) {
  write_and_read(state, many_launches(200000), true);
}
void write_counters(benchmark::State& state) {
  write_and_read(state, many_counters(100, 2000), false);
}
void read_counters(benchmark::State& state) {
  write_and_read(state, many_counters(100, 2000), true);
}

BENCHMARK(write_launches)->Unit(benchmark::kMillisecond);
BENCHMARK(read_launches)->Unit(benchmark::kMillisecond);
BENCHMARK(write_counters)->Unit(benchmark::kMillisecond);
BENCHMARK(read_counters)->Unit(benchmark::kMillisecond);

}  // namespace
