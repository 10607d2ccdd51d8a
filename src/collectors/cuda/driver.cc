#include "collectors/cuda/driver.h"

#include <fmt/format.h>

namespace ridge::collectors::cuda {

std::string Driver::reason(Status status) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (error_name == nullptr || error_name(status, &name) != kSuccess || name == nullptr) {
    return fmt::format("error {}", status);
  }
  if (error_string(status, &text) != kSuccess || text == nullptr) return name;
  return fmt::format("{}: {}", name, text);
}

Result<Driver> load_driver() {
  auto library = Library::open({"libcuda.so.1", "libcuda.so"}, "install the NVIDIA driver, or work without a GPU");
  if (!library) {
    return fail(not_available("there is no CUDA driver here", "libcuda.so.1",
                              "install the NVIDIA driver (in a container: start it with access to the GPU)"));
  }
  Driver driver;
  driver.library = *std::move(library);
  const char* missing = nullptr;
  const auto need = [&](const char* name, auto*& function) {
    if (!driver.library.find(name, function) && missing == nullptr) missing = name;
  };
  need("cuInit", driver.init);
  need("cuDriverGetVersion", driver.driver_version);
  need("cuGetErrorName", driver.error_name);
  need("cuGetErrorString", driver.error_string);
  need("cuDeviceGetCount", driver.device_count);
  need("cuDeviceGet", driver.device_get);
  need("cuDeviceGetName", driver.device_name);
  need("cuDeviceGetAttribute", driver.device_attribute);
  need("cuDeviceTotalMem_v2", driver.device_memory);
  need("cuDeviceGetPCIBusId", driver.device_address);
  need("cuDevicePrimaryCtxRetain", driver.retain_context);
  need("cuDevicePrimaryCtxRelease_v2", driver.release_context);
  need("cuCtxSetCurrent", driver.set_context);
  need("cuCtxSynchronize", driver.synchronise);
  need("cuMemGetInfo_v2", driver.memory_info);
  need("cuMemAlloc_v2", driver.allocate);
  need("cuMemFree_v2", driver.release);
  need("cuMemcpyHtoD_v2", driver.copy_in);
  need("cuMemcpyDtoH_v2", driver.copy_out);
  need("cuMemcpyDtoD_v2", driver.copy);
  need("cuMemsetD8_v2", driver.fill);
  need("cuModuleLoadDataEx", driver.load_module);
  need("cuModuleUnload", driver.unload_module);
  need("cuModuleGetFunction", driver.find_function);
  need("cuFuncGetAttribute", driver.function_attribute);
  need("cuFuncSetAttribute", driver.set_function_attribute);
  need("cuLaunchKernel", driver.launch);
  need("cuEventCreate", driver.create_event);
  need("cuEventDestroy_v2", driver.destroy_event);
  need("cuEventRecord", driver.record_event);
  need("cuEventSynchronize", driver.wait_event);
  need("cuEventElapsedTime", driver.elapsed);
  if (missing != nullptr) {
    return fail(not_available(fmt::format("the CUDA driver is too old: it has no {}", missing), driver.library.name(),
                              "install a driver of CUDA 11.4 or later"));
  }
  (void)driver.library.find("cuTensorMapEncodeTiled", driver.tensor_map_encode);
  return driver;
}

}  // namespace ridge::collectors::cuda
