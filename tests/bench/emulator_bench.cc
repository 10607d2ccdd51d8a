// The emulator on the lab's matrix products, as an H200 would run them: accesses led through the memory system, as in
// `ridge emulate`. Items are the kernel's thread instructions, times are of the wall.
#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "emulator/exec/decode.h"
#include "emulator/ptx/parser.h"
#include "emulator/run/kernel_run.h"
#include "ridgepoint/machines/database.h"

namespace ridge::emulator {
namespace {

struct Product {
  const char* kernel;
  std::uint32_t tile;  ///< of the result, that a block computes in each direction
  Dim3 block;
};
constexpr Product kNaive = {"gemm_naive", 32, {32, 32, 1}};
constexpr Product kRegister = {"gemm_register", 128, {256, 1, 1}};

Result<Program> program_of(const Product& product) {
  std::ifstream file(RIDGE_SOURCE_DIR "/src/lab/ptx/gemm_f32.ptx");
  auto module = ptx::parse({std::istreambuf_iterator<char>(file), {}});
  if (!module) return fail(module.error());
  return decode(std::make_shared<const ptx::Module>(*std::move(module)), product.kernel);
}

/// a and b of small numbers, c, n.
Result<std::vector<std::byte>> arguments(std::uint32_t n, GlobalMemory& memory) {
  std::vector<std::byte> parameters(28);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto address = memory.allocate(std::uint64_t{4} * n * n, "matrix");
    if (!address) return fail(address.error());
    std::memcpy(&parameters[8 * i], &*address, sizeof *address);
    const std::span<std::byte> bytes = memory.bytes(*address);
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
      const float value = static_cast<float>(at / 4 % 97) / 97;
      std::memcpy(&bytes[at], &value, sizeof value);
    }
  }
  std::memcpy(&parameters[24], &n, sizeof n);
  return parameters;
}

Result<KernelRun> run_once(const Program& program, const Product& product, std::uint32_t n, GlobalMemory& memory,
                           const LaunchRequest& request, const Machine& machine, const KernelOptions& options,
                           benchmark::State& state) {
  auto run = run_kernel(program, memory, request, machine, options);
  if (run && !run->faults.empty()) return fail(bad_input(run->faults.front(), product.kernel, ""));
  if (run) state.counters["share"] = 1 / run->sample.scale();
  state.counters["n"] = n;
  return run;
}

/// state.range(0) is n, (1) the number of workers.
void multiply(benchmark::State& state, const Product& product, KernelOptions options) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  options.workers = static_cast<std::uint32_t>(state.range(1));
  const auto machine = find_machine("h200-sxm");
  const auto program = program_of(product);
  GlobalMemory memory;
  const auto parameters = arguments(n, memory);
  if (!machine || !program || !parameters) {
    const Error& error = !machine ? machine.error() : !program ? program.error() : parameters.error();
    return state.SkipWithError(to_string(error).c_str());
  }
  const std::uint32_t blocks = n / product.tile;
  const LaunchRequest request = {{blocks, blocks, 1}, product.block, {1, 1, 1}, 0, *parameters};
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    const auto run = run_once(*program, product, n, memory, request, *machine, options, state);
    if (!run) return state.SkipWithError(to_string(run.error()).c_str());
    instructions += run->thread_instructions;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

KernelOptions options_of(Extent extent, bool check) {
  KernelOptions options;
  options.extent = extent;
  options.check = check;
  return options;
}

/// Thread instructions a second: the second core's gain is the second row over the first.
void naive_gemm(benchmark::State& state) {
  multiply(state, kNaive, options_of(Extent::kWhole, false));
}
BENCHMARK(naive_gemm)->Args({512, 1})->Args({512, 2})->UseRealTime()->Unit(benchmark::kMillisecond);

void register_tiled_gemm(benchmark::State& state) {
  multiply(state, kRegister, options_of(Extent::kWhole, false));
}
BENCHMARK(register_tiled_gemm)->Args({1024, 1})->Args({1024, 2})->UseRealTime()->Unit(benchmark::kMillisecond);

/// Seconds until a person sees the whole of n = 1024, with the checks of shared memory that are on by default.
void naive_gemm_whole(benchmark::State& state) {
  multiply(state, kNaive, options_of(Extent::kWhole, true));
}
BENCHMARK(naive_gemm_whole)->Args({1024, 2})->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

/// n = 4096 as `--sample` runs it, three waves of the grid.
void naive_gemm_sample(benchmark::State& state) {
  multiply(state, kNaive, options_of(Extent::kSample, true));
}
BENCHMARK(naive_gemm_sample)->Args({4096, 2})->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

/// The same with a budget that one wave uses up.
void naive_gemm_one_wave(benchmark::State& state) {
  KernelOptions options = options_of(Extent::kAuto, true);
  options.budget_s = 1e-3;
  multiply(state, kNaive, options);
}
BENCHMARK(naive_gemm_one_wave)->Args({4096, 2})->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
}  // namespace ridge::emulator
