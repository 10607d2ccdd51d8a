// How long a report takes to be made, by the number of kernels and of launches.
#include <benchmark/benchmark.h>

#include "analysis/test_profiles.h"
#include "ridgepoint/analysis/analyse.h"

namespace ridge {
namespace {

Profile profile_of(std::int64_t kernels, std::int64_t launches) {
  test::ProfileBuilder builder;
  Measurement m = test::idle_measurement();
  test::add_fp32(m, 1e8);
  m.work.bytes.dram = test::measured<Bytes>(1e9);
  m.work.access.l1_wavefronts = test::measured<double>(1e7);
  for (std::int64_t i = 0; i < kernels; ++i) builder.kernel("kernel" + std::to_string(i));
  for (std::int64_t i = 0; i < launches; ++i) {
    builder.launch(static_cast<std::uint32_t>(i % kernels), 1e-3 + 1e-9 * double(i % 97), m);
  }
  return builder.profile();
}

void analyse_profile(benchmark::State& state) {
  const Profile profile = profile_of(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(analyse(profile));
  state.SetItemsProcessed(state.iterations() * state.range(1));
}
BENCHMARK(analyse_profile)->Args({12, 12})->Args({20000, 20000})->Args({100, 100000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge
