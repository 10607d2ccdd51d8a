#include "lab/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/run/timing.h"

namespace ridge::lab {
namespace {

/// Copies of the buffers together should be this many times L2, and may take this share of the free memory.
constexpr double kTimesL2 = 3;
constexpr double kShareOfMemory = 0.8;
constexpr double kMostCopies = 64;
/// Dynamic shared memory beyond this must be asked for.
constexpr std::uint32_t kUsualShared = 48 << 10;

Result<void> check_capability(const KernelDeclaration& kernel, const device::Identity& gpu) {
  if (runs_on(kernel, gpu.capability)) return {};
  return fail(not_available(fmt::format("{} needs {}", kernel.id, what_it_needs(kernel)),
                            fmt::format("{} has {}.{}", gpu.name, gpu.capability / 10, gpu.capability % 10),
                            "leave it out here, or show its paper model with --on"));
}

std::string name_of(VendorProduct product, const device::Blas& blas, const BoundKernel& kernel) {
  return fmt::format("cuBLAS {} {} {}", blas.version(), product == VendorProduct::kFp32 ? "fp32" : "bf16",
                     kernel.sizes);
}

Result<void> multiply(device::Blas& blas, const BoundKernel& kernel, const BufferSet& set) {
  const auto size = [&](const char* name) { return static_cast<std::int32_t>(kernel.variables.find(name)->second); };
  const KernelDeclaration& declaration = *kernel.declaration;
  const device::Address a = set.address(declaration, "a"), b = set.address(declaration, "b"),
                        c = set.address(declaration, "c");
  if (declaration.vendor == VendorProduct::kFp32) return blas.multiply_fp32(a, b, c, size("n"));
  return blas.multiply_bf16(a, b, c, size("m"), size("n"), size("k"));
}

}  // namespace

Runner::~Runner() {
  for (const auto& [name, loaded] : modules_) device_.unload(loaded.module);
}

Result<Runner::Loaded> Runner::load(std::string_view module) {
  if (const auto at = modules_.find(module); at != modules_.end()) return at->second;
  Loaded loaded;
  const std::string name(module);
  if (const auto binary = images_.binary_of(module)) {
    if (const auto opened = device_.load(*binary, name + ".fatbin")) {
      loaded.module = *opened;
      return modules_.emplace(name, loaded).first->second;
    }
    // no code for this GPU: the driver compiles the PTX
  }
  const auto ptx = images_.ptx_of(module);
  if (!ptx) return fail(internal_error("the program carries no kernels of this module", name, "rebuild it"));
  const auto opened = device_.load(*ptx, name + ".ptx");
  if (!opened) return fail(opened.error());
  loaded.module = *opened;
  loaded.from_ptx = true;
  return modules_.emplace(name, loaded).first->second;
}

Result<Runner::Launchable> Runner::prepare(const BoundKernel& kernel) {
  const KernelDeclaration& declaration = *kernel.declaration;
  RIDGE_TRY(check_capability(declaration, device_.identity()));
  const auto loaded = load(declaration.module);
  if (!loaded) return fail(loaded.error());
  const auto function = device_.find(loaded->module, declaration.entry);
  if (!function) return fail(function.error());
  if (declaration.launch.dynamic_shared > kUsualShared) {
    const double most = device_.identity().attributes.shared_per_block.value_or(Bytes(HUGE_VAL)).count();
    if (declaration.launch.dynamic_shared > most) {
      return fail(not_available(
          fmt::format("{} needs {} bytes of shared memory a block", declaration.id, declaration.launch.dynamic_shared),
          fmt::format("{} has {:.0f}", device_.identity().name, most),
          "leave it out here, or show its paper model with --on"));
    }
    RIDGE_TRY(device_.allow_dynamic_shared(*function, declaration.launch.dynamic_shared));
  }
  const auto facts = device_.facts(*function);
  if (!facts) return fail(facts.error());
  return Launchable{*function, *facts, loaded->from_ptx};
}

int Runner::copies_for(const BoundKernel& kernel) {
  if (options_.check_only || options_.prediction) return 1;
  const double bytes = std::max(buffer_bytes(kernel), 1.0);
  const double l2 = device_.identity().attributes.l2_capacity.value_or(Bytes(0)).count();
  double copies = std::clamp(std::ceil(kTimesL2 * l2 / bytes), 1.0, kMostCopies);
  if (const auto free = device_.free_memory()) {
    copies = std::clamp(std::floor(kShareOfMemory * free->count() / bytes), 1.0, copies);
  }
  return static_cast<int>(copies);
}

Result<std::vector<BufferSet>> Runner::make_sets(const BoundKernel& kernel, const Problem& problem, int copies) {
  std::vector<BufferSet> sets;
  for (int i = 0; i < copies; ++i) {
    auto set = BufferSet::allocate(device_, kernel);
    if (!set && i > 0) break;  // fewer copies will do
    if (!set) return fail(set.error());
    sets.push_back(*std::move(set));
  }
  RIDGE_TRY(sets.front().fill(device_, problem));
  for (std::size_t i = 1; i < sets.size(); ++i) RIDGE_TRY(sets[i].copy_from(device_, sets.front()));
  return sets;
}

Result<void> Runner::check_and_time(Run& run, std::vector<BufferSet>& sets, const Problem& problem,
                                    const Launch& launch) {
  RIDGE_TRY(launch(0));
  RIDGE_TRY(device_.synchronise());
  if (options_.prediction) run.prediction = options_.prediction();
  if (run.prediction && run.prediction->fraction < 1) {
    run.check.not_done = fmt::format("sampled: {:.3g} % of the blocks were run", 100 * run.prediction->fraction);
    return {};
  }
  auto check = check_results(device_, sets.front(), problem);
  if (!check) return fail(check.error());
  run.check = *std::move(check);
  if (!run.check.passed || run.prediction || options_.check_only) return {};
  auto timing = take_time(device_, telemetry_, static_cast<int>(sets.size()), options_.repetitions, launch);
  if (!timing) return fail(timing.error());
  run.timing = *std::move(timing);
  const double l2 = device_.identity().attributes.l2_capacity.value_or(Bytes(0)).count();
  run.timing.l2_resident = static_cast<double>(sets.size()) * buffer_bytes(run.kernel) < l2;
  return {};
}

Result<Run> Runner::run(const BoundKernel& kernel) {
  const auto launchable = prepare(kernel);
  if (!launchable) return fail(launchable.error());
  const Problem problem(kernel, options_.seed);
  auto sets = make_sets(kernel, problem, copies_for(kernel));
  if (!sets) return fail(sets.error());
  std::vector<device::LaunchRequest> requests;
  for (const BufferSet& set : *sets) {
    auto arguments = set.arguments(device_, kernel);
    if (!arguments) return fail(arguments.error());
    requests.push_back({launchable->function, kernel.grid, kernel.block, kernel.declaration->launch.dynamic_shared,
                        *std::move(arguments)});
  }
  Run run;
  run.kernel = kernel;
  run.name = fmt::format("{} {}", kernel.declaration->id, kernel.sizes);
  run.facts = launchable->facts;
  run.from_ptx = launchable->from_ptx;
  RIDGE_TRY(check_and_time(run, *sets, problem, [&](std::size_t set) { return device_.launch(requests[set]); }));
  return run;
}

Result<Run> Runner::run_vendor(const BoundKernel& kernel, device::Blas& blas) {
  const Problem problem(kernel, options_.seed);
  auto sets = make_sets(kernel, problem, copies_for(kernel));
  if (!sets) return fail(sets.error());
  Run run;
  run.kernel = kernel;
  run.name = name_of(kernel.declaration->vendor, blas, kernel);
  run.vendor = true;
  RIDGE_TRY(check_and_time(run, *sets, problem, [&](std::size_t set) { return multiply(blas, kernel, (*sets)[set]); }));
  return run;
}

Result<void> Runner::run_once(const BoundKernel& kernel) {
  const auto launchable = prepare(kernel);
  if (!launchable) return fail(launchable.error());
  const Problem problem(kernel, options_.seed);
  const auto sets = make_sets(kernel, problem, 1);
  if (!sets) return fail(sets.error());
  auto arguments = sets->front().arguments(device_, kernel);
  if (!arguments) return fail(arguments.error());
  RIDGE_TRY(device_.launch({launchable->function, kernel.grid, kernel.block, kernel.declaration->launch.dynamic_shared,
                            *std::move(arguments)}));
  return device_.synchronise();
}

}  // namespace ridge::lab
