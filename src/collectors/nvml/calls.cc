#include "collectors/nvml/calls.h"

#include "collectors/library.h"

namespace ridge::collectors::nvml {

Result<Calls> load_calls() {
  // A Library is never unloaded, so the calls stay good without it.
  auto library = Library::open({"libnvidia-ml.so.1"}, "install the NVIDIA driver's management library");
  if (!library) return fail(library.error());
  Calls calls;
  const bool complete =
      library->find("nvmlInit_v2", calls.init) && library->find("nvmlShutdown", calls.shutdown) &&
      library->find("nvmlDeviceGetHandleByPciBusId_v2", calls.by_address) &&
      library->find("nvmlDeviceGetClockInfo", calls.clock) && library->find("nvmlDeviceGetPowerUsage", calls.power) &&
      library->find("nvmlDeviceGetTemperature", calls.temperature) && library->find("nvmlErrorString", calls.error);
  if (!complete) {
    return fail(not_available("this NVML lacks a call that is needed", library->name(), "install a newer driver"));
  }
  (void)library->find("nvmlSystemGetDriverVersion", calls.driver_version);
  (void)library->find("nvmlDeviceGetCount_v2", calls.count);
  (void)library->find("nvmlDeviceGetHandleByIndex_v2", calls.by_index);
  (void)library->find("nvmlDeviceGetHandleByUUID", calls.by_uuid);
  (void)library->find("nvmlDeviceGetName", calls.name);
  (void)library->find("nvmlDeviceGetUUID", calls.uuid);
  (void)library->find("nvmlDeviceGetPciInfo_v3", calls.pci);
  (void)library->find("nvmlDeviceGetCudaComputeCapability", calls.capability);
  (void)library->find("nvmlDeviceGetMaxClockInfo", calls.max_clock);
  // The same call under its name of driver 535 and later, and before.
  (void)(library->find("nvmlDeviceGetCurrentClocksEventReasons", calls.throttle) ||
         library->find("nvmlDeviceGetCurrentClocksThrottleReasons", calls.throttle));
  (void)library->find("nvmlDeviceGetMigMode", calls.mig);
  (void)library->find("nvmlDeviceGetUtilizationRates", calls.utilisation);
  // Version 3 fills the same structure as version 2.
  (void)(library->find("nvmlDeviceGetComputeRunningProcesses_v3", calls.processes) ||
         library->find("nvmlDeviceGetComputeRunningProcesses_v2", calls.processes));
  return calls;
}

}  // namespace ridge::collectors::nvml
