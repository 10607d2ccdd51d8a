// Reading Nsight Compute files: bytes of the file per second on one core, from a file in the page cache up to the
// finished Profile, with memory that the process already has (the first pass is not counted: on a virtual machine the
// first touch of a page can cost more than the work on it). The inputs are made here, in the proportions of recorded
// ones, and large enough that start-up does not count: a report of the full set (2,249 metrics a launch, a tenth of
// them with values per instruction, 656 KB of section definitions), one without sections, one of the default set, a raw
// page of 2,238 columns.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "importers/importer.h"
#include "support/report_writer.h"

namespace ridge {
namespace {

/// A file that goes with the program.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string metric_name(std::size_t i) {
  return "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_" + std::to_string(i) + ".sum";
}

testing::ReportLaunch launch_of(std::size_t metrics, std::size_t with_instances, std::size_t section_bytes) {
  testing::ReportLaunch launch = testing::sample_launch("gemm");
  for (std::size_t i = 0; i < metrics; ++i) {
    testing::ReportMetric metric{metric_name(i), 1234.5 + static_cast<double>(i), {}};
    if (i < with_instances) {
      for (std::uint64_t pc = 0; pc < 110; ++pc) metric.instances.push_back({0x7f8a977a0000 + 16 * pc, pc * 1000});
    }
    launch.metrics.push_back(std::move(metric));
  }
  launch.section_bytes = section_bytes;
  return launch;
}

/// One launch repeated until the file has about `bytes` bytes.
std::string report_of(const testing::ReportLaunch& launch, std::size_t bytes) {
  testing::ReportWriter writer;
  writer.session("ncu --set full -o a ./a", "2025.3.1.0").launch(launch);
  const std::size_t first = writer.text().size();
  writer.launch(launch);
  const std::string block = writer.text().substr(first);  // the names are all written by now
  std::string text = writer.text();
  while (text.size() < bytes) text += block;
  return text;
}

void import_file_repeatedly(benchmark::State& state, const std::string& content) {
  mallopt(M_TRIM_THRESHOLD,
          1 << 30);  // or what one pass frees would be given back, and touched for the first time again
  const TemporaryFile file("ridge_ncu_bench_", content);
  std::size_t launches = 0;
  for (auto _ : state) {
    auto profile = import_file(file.path());
    if (!profile) {
      state.SkipWithError(profile.error().what.c_str());
      return;
    }
    launches = profile->launches.size();
    benchmark::DoNotOptimize(profile);
  }
  state.counters["launches"] = static_cast<double>(launches);
  state.SetBytesProcessed(static_cast<std::int64_t>(content.size()) * static_cast<std::int64_t>(state.iterations()));
}

constexpr std::size_t kFileBytes = std::size_t{32} << 20;

void full_report(benchmark::State& state) {
  import_file_repeatedly(state, report_of(launch_of(2230, 160, 656'200), kFileBytes));
}
BENCHMARK(full_report)->Unit(benchmark::kMillisecond)->MinWarmUpTime(0.2);

void full_report_without_sections(benchmark::State& state) {
  import_file_repeatedly(state, report_of(launch_of(2230, 160, 0), kFileBytes));
}
BENCHMARK(full_report_without_sections)->Unit(benchmark::kMillisecond)->MinWarmUpTime(0.2);

void bare_counters_report(benchmark::State& state) {
  import_file_repeatedly(state, report_of(launch_of(2230, 0, 0), kFileBytes));
}
BENCHMARK(bare_counters_report)->Unit(benchmark::kMillisecond)->MinWarmUpTime(0.2);

void default_set_report(benchmark::State& state) {
  import_file_repeatedly(state, report_of(launch_of(545, 16, 9'126), kFileBytes));
}
BENCHMARK(default_set_report)->Unit(benchmark::kMillisecond)->MinWarmUpTime(0.2);

std::string raw_page(std::size_t columns, std::size_t bytes) {
  std::string header =
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
      "Size\",\"Grid "
      "Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\"";
  std::string units = "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"us\"";
  std::string values = ",\"348.58\"";
  // What recorded cells look like: zeros, per cent, counts with separators, scaled rates.
  const char* const cells[] = {"0", "70.86", "84,375,000", "0",   "1,234.567890",
                               "0", "100",   "3.409398",   "132", "23.157860"};
  for (std::size_t i = 0; i < columns; ++i) {
    header += ",\"" + metric_name(i) + "\"";
    units += ",\"sector\"";
    values += std::string(",\"") + cells[i % std::size(cells)] + "\"";
  }
  std::string text = header + "\n" + units + "\n";
  for (std::size_t id = 0; text.size() < bytes; ++id) {
    text += "\"" + std::to_string(id) +
            "\",\"4711\",\"app\",\"127.0.0.1\",\"void gemm<(int)32>(const float *, const float *, float *, "
            "int)\",\"1\",\"7\","
            "\"(32, 32, 1)\",\"(128, 128, 1)\",\"0\",\"9.0\"" +
            values + "\n";
  }
  return text;
}

void raw_page_of_the_full_set(benchmark::State& state) {
  import_file_repeatedly(state, raw_page(2227, kFileBytes));
}
BENCHMARK(raw_page_of_the_full_set)->Unit(benchmark::kMillisecond)->MinWarmUpTime(0.2);

void raw_page_of_the_roofline_set(benchmark::State& state) {
  import_file_repeatedly(state, raw_page(1303, kFileBytes));
}
BENCHMARK(raw_page_of_the_roofline_set)->Unit(benchmark::kMillisecond)->MinWarmUpTime(0.2);

}  // namespace
}  // namespace ridge
