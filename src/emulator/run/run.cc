#include "emulator/run/run.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "base/demangle.h"
#include "emulator/exec/decode.h"
#include "emulator/job/contents.h"
#include "emulator/run/kernel_run.h"

namespace ridge::emulator {
namespace {

// The request's module, without owning it: the caller keeps it for as long as the run takes.
std::shared_ptr<const ptx::Module> borrowed(const ptx::Module& module) {
  return {std::shared_ptr<const ptx::Module>(), &module};
}

Result<std::vector<std::uint64_t>> allocate_buffers(const Job& job, GlobalMemory& memory) {
  std::vector<std::uint64_t> addresses;
  for (const Buffer& each : job.buffers) {
    const auto address = memory.allocate(each.bytes(), each.name);
    if (!address) return fail(address.error());
    fill(each, 0, memory.bytes(*address));
    addresses.push_back(*address);
  }
  return addresses;
}

// The kernel's parameters as bytes, with the addresses of the buffers where pointers go.
std::vector<std::byte> parameters_of(const Job& job, const Program& program,
                                     const std::vector<std::uint64_t>& addresses) {
  std::vector<std::byte> bytes(program.parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < program.parameters.size() && i < job.arguments.size(); ++i) {
    const JobArgument& argument = job.arguments[i];
    std::byte* at = bytes.data() + program.parameters[i].offset;
    std::memcpy(at, argument.bytes.data(), std::min<std::size_t>(argument.bytes.size(), program.parameters[i].bytes));
    for (const Pointer& each : argument.pointers) {
      std::memcpy(at + each.offset, &addresses[each.buffer], sizeof addresses[each.buffer]);
    }
  }
  return bytes;
}

std::string joined(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < kShown; ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > kShown ? text + ", ..." : text;
}

void add_issues(Profile& profile, const KernelRun& run) {
  const auto say = [&](Severity severity, Message message) {
    profile.issues.push_back({severity, std::move(message)});
  };
  if (run.sample.blocks < run.sample.of && run.faults.empty()) {
    say(Severity::kNotice, Message("emulated-sample", {{"share", 1 / run.sample.scale(), Unit::kRatio},
                                                       {"waves", static_cast<double>(run.sample.waves), Unit::kCount},
                                                       {"spread", run.sample.spread, Unit::kRatio}}));
  }
  if (!run.skipped.empty()) {
    say(Severity::kError, Message("emulated-skipped", {{"count", static_cast<double>(run.skipped.size()), Unit::kCount},
                                                       {"instructions", joined(run.skipped)}}));
  }
  if (!run.expanded.empty()) {
    say(Severity::kInfo, Message("emulated-expanded", {{"instructions", joined(run.expanded)}}));
  }
  for (const std::string& each : run.faults) say(Severity::kError, Message("emulated-fault", {{"what", each}}));
  for (const std::string& each : run.findings) say(Severity::kNotice, Message("emulated-finding", {{"what", each}}));
  if (run.faults.empty() && run.shared.allocated != 0 && run.shared.touched < run.shared.allocated) {
    say(Severity::kInfo,
        Message("emulated-shared-unused", {{"touched", static_cast<double>(run.shared.touched), Unit::kBytes},
                                           {"allocated", static_cast<double>(run.shared.allocated), Unit::kBytes}}));
  }
}

Profile profile_of(const RunRequest& request, KernelRun& run) {
  Profile profile;
  profile.sources.push_back({"emulated", request.path, "", ""});
  Device device;
  device.name = request.machine.name;
  device.chip = request.machine.chip;
  device.machine = request.machine;
  profile.devices.push_back(std::move(device));
  Kernel kernel;
  kernel.mangled_name = request.job.kernel;
  kernel.full_name = demangled(request.job.kernel);
  kernel.short_name = kernel.full_name.substr(0, kernel.full_name.find('('));
  if (kernel.short_name.starts_with("void ")) kernel.short_name.erase(0, 5);
  profile.kernels.push_back(std::move(kernel));
  profile.configurations.push_back(std::move(run.configuration));
  profile.measurements.push_back(std::move(run.measurement));
  Launch launch;
  launch.measurement = 0;
  launch.duration = run.time.total;
  launch.start = Value<Seconds>::missing("it was emulated");
  profile.launches.push_back(launch);
  add_issues(profile, run);
  return profile;
}

KernelOptions kernel_options(const RunRequest& request) {
  KernelOptions options;
  options.extent = request.options.extent;
  options.budget_s = request.options.budget.count();
  options.workers = request.options.workers;
  options.check = request.options.checks;
  options.progress = request.progress;
  options.registers_per_thread = request.options.registers_per_thread;
  return options;
}

}  // namespace

Result<RunResult> run(const RunRequest& request) {
  const Job& job = request.job;
  const auto program = decode(borrowed(request.module), job.kernel, {request.options.skip_unsupported, {}});
  if (!program) return fail(program.error());
  GlobalMemory memory;
  RIDGE_TRY(load_variables(*program, memory));
  const auto addresses = allocate_buffers(job, memory);
  if (!addresses) return fail(addresses.error());
  LaunchRequest launch;
  launch.grid = job.grid;
  launch.block = job.block;
  launch.cluster = job.cluster.value_or(Dim3{1, 1, 1});
  launch.dynamic_shared = static_cast<std::uint32_t>(job.dynamic_shared);
  launch.parameters = parameters_of(job, *program, *addresses);
  auto ran = run_kernel(*program, memory, launch, request.machine, kernel_options(request));
  if (!ran) return fail(ran.error());
  RunResult result;
  for (const std::string& each : ran->faults) result.findings.push_back({each, true});
  for (const std::string& each : ran->findings) result.findings.push_back({each, false});
  result.printed = std::move(ran->printed);
  result.fraction = 1 / ran->sample.scale();
  result.profile = profile_of(request, *ran);
  if (ran->sample.blocks < ran->sample.of && ran->faults.empty()) return result;
  for (const std::uint64_t each : *addresses) {
    const auto bytes = memory.bytes(each);
    result.buffers.emplace_back(bytes.begin(), bytes.end());
  }
  return result;
}

}  // namespace ridge::emulator
