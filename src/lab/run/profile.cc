#include "lab/run/profile.h"

#include <algorithm>

namespace ridge::lab {
namespace {

/// The vendor's routine solves the problem with the same FLOP and, at best, the same DRAM traffic; how is not known.
Work vendor_work(const BoundKernel& kernel) {
  const Reason unknown("what the library's kernel does inside is not declared");
  Work work;
  visit_fields(
      [&](std::string_view, auto& value) { value = std::remove_reference_t<decltype(value)>::missing(unknown); }, work);
  work.flops = kernel.work.flops;
  work.bytes.dram = kernel.work.bytes.dram;
  work.bytes.dram_read = kernel.work.bytes.dram_read;
  work.bytes.dram_write = kernel.work.bytes.dram_write;
  const bool fp32 = kernel.declaration->vendor == VendorProduct::kFp32;
  work.compute = {{fp32 ? core(DataType::kFp32) : tensor(DataType::kBf16, TensorPath::kAny), work.flops}};
  return work;
}

/// What no formula gives says so.
Work explained(Work work) {
  const Reason undeclared("the lab declares no such count");
  visit_fields(
      [&](std::string_view, auto& value) {
        if (!value) value = std::remove_reference_t<decltype(value)>::missing(undeclared);
      },
      work);
  return work;
}

Configuration configuration_of(const Run& run) {
  Configuration configuration;
  if (run.vendor) {
    const Reason hidden("the library chooses its launches itself");
    configuration.registers_per_thread = Value<double>::missing(hidden);
    configuration.shared_static = configuration.shared_dynamic = Value<Bytes>::missing(hidden);
    configuration.grid = configuration.block = {0, 0, 0};
    return configuration;
  }
  const LaunchShape& shape = run.kernel.declaration->launch;
  configuration.grid = run.kernel.grid;
  configuration.block = run.kernel.block;
  if (shape.cluster > 1) configuration.cluster = Dim3{shape.cluster, 1, 1};
  configuration.registers_per_thread = Value<double>(run.facts.registers, Provenance::kReported);
  configuration.shared_static = Value<Bytes>(run.facts.shared_static, Provenance::kReported);
  configuration.shared_dynamic = Value<Bytes>(Bytes(shape.dynamic_shared), Provenance::kDeclared);
  return configuration;
}

Launch launch_of(const Profile& profile, std::uint32_t index, Value<Seconds> duration, const char* no_start) {
  Launch launch;
  launch.kernel = launch.configuration = index;
  launch.measurement = index;
  launch.source_id = profile.launches.size();
  launch.duration = duration;
  launch.start = Value<Seconds>::missing(no_start);
  return launch;
}

/// The one launch that was emulated, as counted and predicted.
void add_prediction(Profile& profile, std::uint32_t index, const Prediction& prediction) {
  profile.configurations.push_back(prediction.configuration);
  profile.measurements.push_back(prediction.measurement);
  profile.launches.push_back(launch_of(profile, index, prediction.duration, "it was emulated"));
}

void add_run(Profile& profile, const Run& run) {
  const auto index = static_cast<std::uint32_t>(profile.kernels.size());
  Kernel kernel;
  kernel.short_name = kernel.full_name = run.name;
  if (!run.vendor) kernel.mangled_name = run.kernel.declaration->entry;
  profile.kernels.push_back(std::move(kernel));
  if (run.prediction) return add_prediction(profile, index, *run.prediction);
  profile.configurations.push_back(configuration_of(run));
  Measurement measurement;
  measurement.work = run.vendor ? vendor_work(run.kernel) : explained(run.kernel.work);
  measurement.conditions.sm_clock = run.timing.reading.sm_clock;
  profile.measurements.push_back(std::move(measurement));
  for (const Seconds sample : run.timing.samples) {
    const Value<Seconds> duration(sample, Provenance::kMeasured);
    profile.launches.push_back(launch_of(profile, index, duration, "the lab does not record when"));
  }
}

}  // namespace

Profile make_profile(const device::Identity& gpu, const std::vector<Run>& runs, const std::string& taken) {
  Profile profile;
  const bool emulated =
      std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.prediction.has_value(); });
  profile.sources.push_back({"lab", "", taken, emulated ? "emulated" : "CUDA driver " + gpu.driver});
  Device device;
  device.name = gpu.name;
  device.attributes = gpu.attributes;
  profile.devices.push_back(std::move(device));
  for (const Run& run : runs) {
    if (run.timed() || run.predicted()) add_run(profile, run);
  }
  return profile;
}

}  // namespace ridge::lab
