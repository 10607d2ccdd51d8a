// How fast a report becomes text: formats of a report of 20,000 kernels.
#include <benchmark/benchmark.h>

#include "render/csv/csv.h"
#include "render/json/json.h"
#include "render/terminal/text.h"
#include "support/report_fixture.h"

namespace ridge::render {
namespace {

const Report& report() {
  static const Report large = test::large_report(20000);
  return large;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
}

void render_json_again(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    write_json(report(), {}, [&](std::string_view piece) { bytes += piece.size(); });
  }
  count_bytes(state, bytes);
}
BENCHMARK(render_json_again)->Unit(benchmark::kMillisecond);

void render_csv_again(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) bytes = render_csv(report()).size();
  count_bytes(state, bytes);
}
BENCHMARK(render_csv_again)->Unit(benchmark::kMillisecond);

void render_text_again(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) bytes = render_text(report()).size();
  count_bytes(state, bytes);
}
BENCHMARK(render_text_again)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ridge::render
