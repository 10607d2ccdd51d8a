#include "cli/lab/bench.h"

#include <algorithm>

#include "cli/load.h"
#include "collectors/cuda/cuda_device.h"
#include "collectors/nvml/nvml.h"
#include "ridgepoint/machines/match.h"

namespace ridge::cli {
namespace {

constexpr const char* kUsualMachine = "h200-sxm";

}  // namespace

Result<LabGpu> open_lab_gpu(int number, bool with_blas) {
  LabGpu opened;
  auto device = collectors::cuda::open_device(number);
  if (!device) return fail(device.error());
  opened.device = *std::move(device);
  if (auto telemetry = collectors::nvml::open_telemetry(opened.device->identity().address)) {
    opened.telemetry = *std::move(telemetry);
  } else {
    opened.notes.push_back("clocks are not recorded: " + to_string(telemetry.error()));
  }
  if (!with_blas) return opened;
  if (auto blas = collectors::cuda::open_blas()) {
    opened.blas = *std::move(blas);
  } else {
    opened.notes.push_back("no comparison with cuBLAS: " + to_string(blas.error()));
  }
  return opened;
}

Result<Machine> machine_to_emulate(const Arguments& arguments, const Context& context) {
  const auto database = machine_database(context);
  if (!database) return fail(database.error());
  const std::string name = arguments.has("--on") ? arguments.value("--on") : kUsualMachine;
  auto machine = named_machine(name, "--on", *database, context);
  if (!machine) return fail(machine.error());
  RIDGE_TRY(apply_overrides(*machine, arguments.values("--peak"), arguments.values("--bandwidth")));
  return machine;
}

lab::RunOptions emulated(lab::RunOptions options, const emulator::EmulatedDevice& device) {
  options.prediction = [&device] {
    const emulator::KernelRun& run = device.runs().back();
    return lab::Prediction{run.measurement, run.configuration, run.time.total, 1 / run.sample.scale()};
  };
  return options;
}

std::vector<std::string> findings_of(const emulator::EmulatedDevice& device) {
  std::vector<std::string> said;
  for (const emulator::KernelRun& run : device.runs()) {
    for (const std::string& finding : run.findings) {
      if (std::find(said.begin(), said.end(), finding) == said.end()) said.push_back(finding);
    }
  }
  return said;
}

}  // namespace ridge::cli
