// Modules, launches, copies, waiting, memory and events.
#include <algorithm>
#include <cstring>

#include "collectors/fake/activity.h"
#include "collectors/fake/driver.h"
#include "collectors/fake/export.h"
#include "collectors/fake/replay.h"

namespace ridge::collectors::fake {
namespace {

// CUpti_driver_api_trace_cbid
enum : std::uint32_t {
  kSynchronise = 17,
  kModuleLoad = 20,
  kCopyHtoD = 276,
  kCopyHtoDAsync = 277,
  kCopyDtoH = 278,
  kCopyDtoHAsync = 279,
  kCopyDtoD = 280,
  kCopyDtoDAsync = 281,
  kSet = 249,
  kSetAsync = 216,
  kAllocate = 243,
  kFree = 245,
  kStreamCreate = 124,
  kStreamSynchronise = 126,
};
constexpr unsigned kMaxBlock = 1024;

/// How a copy runs, and what its record says.
struct CopyWay {
  std::uint32_t cbid;
  const char* name;
  std::uint8_t kind, from, to;  ///< CUpti_ActivityMemcpyKind, ActivityMemoryKind
  bool waits;
};

int run_copy(const CopyWay& way, std::size_t bytes, Stream* stream, bool is_set, std::uint32_t value = 0) {
  int result = 0;
  if (!ready(result)) return result;
  ApiCall call(abi::kDomainDriver, way.cbid, way.name);
  Machine& here = *machine();
  const Context& context = *current_context();
  if (!is_stream(here, stream)) return call.done(kCudaInvalidHandle);
  const Device& device = device_of(here, context);
  const bool inside = way.from == abi::kMemoryDevice && way.to == abi::kMemoryDevice;
  const double rate = inside || is_set ? device.dram_rate / 2 : device.copy_rate;
  Submission submission{&context, stream_id(stream), call.correlation(), {}, true};
  {
    const std::lock_guard lock(here.mutex);
    const auto duration = static_cast<std::uint64_t>(static_cast<double>(bytes) / rate * 1e9) + 1'000;
    submission.span = here.timeline.schedule(context.device, lane(context, stream), now(), duration);
  }
  if (is_set) {
    record_set(submission, bytes, value);
  } else {
    record_copy(submission, bytes, way.kind, way.from, way.to);
  }
  if (way.waits) sleep_until(submission.span.end);
  return call.done(kCudaSuccess);
}

constexpr std::uint8_t kHost = abi::kMemoryPageable, kPinned = abi::kMemoryPinned, kDevice = abi::kMemoryDevice;

/// The function that a handle stands for, if the driver made it.
const Function* find_function(Machine& here, const void* handle) {
  const std::lock_guard lock(here.mutex);
  for (const auto& function : here.functions) {
    if (function.get() == handle) return function.get();
  }
  return nullptr;
}

/// What all launching calls do; `call_with` gives the callback's parameters.
int launch_call(std::uint32_t cbid, const char* name, const void* params, const void* handle,
                Configuration configuration, Stream* stream) {
  int result = 0;
  if (!ready(result)) return result;
  Machine& here = *machine();
  const Function* const function = find_function(here, handle);
  if (function == nullptr) return kCudaInvalidHandle;
  configuration.kernel = function->kernel;
  ApiCall call(abi::kDomainDriver, cbid, name, params, here.world->script.kernels[function->kernel].symbol.c_str());
  return call.done(launch(configuration, stream, call.correlation()));
}

}  // namespace

bool is_stream(Machine& machine, const Stream* stream) {
  if (reinterpret_cast<std::uintptr_t>(stream) <= 2) return true;
  const std::lock_guard lock(machine.mutex);
  return std::any_of(machine.streams.begin(), machine.streams.end(),
                     [&](const auto& one) { return one.get() == stream; });
}

int launch(const Configuration& configuration, Stream* stream, std::uint32_t correlation, const FromGraph& graph) {
  Machine& here = *machine();
  const Context& context = *current_context();
  if (!is_stream(here, stream)) return kCudaInvalidHandle;
  const std::uint64_t size = configuration.block_size();
  if (configuration.blocks() == 0 || size == 0 || size > kMaxBlock) return kCudaInvalidValue;
  const Kernel& kernel = here.world->script.kernels[configuration.kernel];
  Submission submission{&context, stream_id(stream), correlation, {}, true};
  if (graph.node == 0 && replay(here, context, configuration)) {
    submission.timed = false;
  } else {
    const std::lock_guard lock(here.mutex);
    submission.span = here.timeline.schedule(context.device, lane(context, stream), now(), kernel.duration);
    const std::uint64_t blocks = configuration.blocks();
    (void)here.work.append({submission.span.start, submission.span.end, blocks, blocks * size, context.device,
                            static_cast<std::uint32_t>(configuration.kernel)});
  }
  count_in_range(here, context, configuration);
  record_kernel(submission, configuration, kernel, graph.node, graph.graph);
  return kCudaSuccess;
}

int wait_for(Stream* stream, bool whole_device) {
  int result = 0;
  if (!ready(result)) return result;
  ApiCall call(abi::kDomainDriver, whole_device ? kSynchronise : kStreamSynchronise,
               whole_device ? "cuCtxSynchronize" : "cuStreamSynchronize");
  Machine& here = *machine();
  const Context& context = *current_context();
  if (!is_stream(here, stream)) return call.done(kCudaInvalidHandle);
  const std::uint64_t began = now();
  std::uint64_t until = 0;
  {
    const std::lock_guard lock(here.mutex);
    until = whole_device ? here.timeline.end_of(context.device)
                         : here.timeline.end_of(context.device, lane(context, stream));
  }
  if (until > began) sleep_until(until);
  record_wait(context, whole_device ? UINT32_MAX : stream_id(stream), began);
  return call.done(kCudaSuccess);
}

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT int cuModuleLoadDataEx(void** module, const void* image, unsigned /*options*/, int* /*names*/,
                                         void** /*values*/) {
  int result = 0;
  if (!ready(result)) return result;
  if (module == nullptr || image == nullptr) return kCudaInvalidValue;
  ApiCall call(abi::kDomainDriver, kModuleLoad, "cuModuleLoadDataEx");
  *module = machine();  // every module holds every kernel of the script
  return call.done(kCudaSuccess);
}
RIDGE_FAKE_EXPORT int cuModuleLoadData(void** module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
RIDGE_FAKE_EXPORT int cuModuleUnload(void* module) {
  return module == machine() ? kCudaSuccess : kCudaInvalidHandle;
}

RIDGE_FAKE_EXPORT int cuModuleGetFunction(void** function, void* module, const char* name) {
  int result = 0;
  if (!ready(result)) return result;
  Machine& here = *machine();
  if (module != &here) return kCudaInvalidHandle;
  if (function == nullptr || name == nullptr) return kCudaInvalidValue;
  const Kernel* const kernel = here.world->script.find_kernel(name);
  if (kernel == nullptr) return kCudaNotFound;
  const auto number = static_cast<std::size_t>(kernel - here.world->script.kernels.data());
  const std::lock_guard lock(here.mutex);
  here.functions.push_back(std::make_unique<Function>(Function{number}));
  *function = here.functions.back().get();
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuFuncGetAttribute(int* value, int attribute, void* handle) {
  int result = 0;
  if (!ready(result)) return result;
  const Function* const function = find_function(*machine(), handle);
  if (function == nullptr || value == nullptr) return kCudaInvalidHandle;
  const Kernel& kernel = machine()->world->script.kernels[function->kernel];
  switch (attribute) {
    case 0:
      *value = static_cast<int>(kMaxBlock);
      return kCudaSuccess;
    case 1:
      *value = static_cast<int>(kernel.shared_static);
      return kCudaSuccess;
    case 3:
      *value = static_cast<int>(kernel.local);
      return kCudaSuccess;
    case 4:
      *value = static_cast<int>(kernel.registers);
      return kCudaSuccess;
    default:
      *value = 0;
      return kCudaSuccess;
  }
}
RIDGE_FAKE_EXPORT int cuFuncSetAttribute(void* handle, int /*attribute*/, int /*value*/) {
  int result = 0;
  if (!ready(result)) return result;
  return find_function(*machine(), handle) == nullptr ? kCudaInvalidHandle : kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                     Stream* stream, void** parameters, void** extra) {
  const abi::LaunchKernelParams params{
      function,   grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, reinterpret_cast<abi::Stream>(stream),
      parameters, extra};
  return launch_call(abi::kCuLaunchKernel, "cuLaunchKernel", &params, function,
                     {0, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared}, stream);
}

RIDGE_FAKE_EXPORT int cuLaunchCooperativeKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                                unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                                Stream* stream, void** parameters) {
  const abi::LaunchKernelParams params{
      function,   grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, reinterpret_cast<abi::Stream>(stream),
      parameters, nullptr};
  return launch_call(abi::kCuLaunchCooperativeKernel, "cuLaunchCooperativeKernel", &params, function,
                     {0, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared}, stream);
}

RIDGE_FAKE_EXPORT int cuLaunchKernelEx(const abi::LaunchConfig* config, void* function, void** parameters,
                                       void** extra) {
  if (config == nullptr) return kCudaInvalidValue;
  const abi::LaunchKernelExParams params{config, function, parameters, extra};
  return launch_call(abi::kCuLaunchKernelEx, "cuLaunchKernelEx", &params, function,
                     {0,
                      {config->gridDimX, config->gridDimY, config->gridDimZ},
                      {config->blockDimX, config->blockDimY, config->blockDimZ},
                      config->sharedMemBytes},
                     reinterpret_cast<Stream*>(config->hStream));
}

RIDGE_FAKE_EXPORT int cuCtxSynchronize() {
  return wait_for(nullptr, true);
}
RIDGE_FAKE_EXPORT int cuStreamSynchronize(Stream* stream) {
  return wait_for(stream, false);
}

RIDGE_FAKE_EXPORT int cuStreamCreate(Stream** stream, unsigned /*flags*/) {
  int result = 0;
  if (!ready(result)) return result;
  if (stream == nullptr) return kCudaInvalidValue;
  ApiCall call(abi::kDomainDriver, kStreamCreate, "cuStreamCreate");
  Machine& here = *machine();
  {
    const std::lock_guard lock(here.mutex);
    here.streams.push_back(std::make_unique<Stream>(Stream{here.next_stream++, current_context()}));
    *stream = here.streams.back().get();
  }
  tell_resource(3, current_context(), *stream);  // CUPTI_CBID_RESOURCE_STREAM_CREATED
  return call.done(kCudaSuccess);
}
RIDGE_FAKE_EXPORT int cuStreamDestroy_v2(Stream* stream) {
  int result = 0;
  if (!ready(result)) return result;
  return is_stream(*machine(), stream) ? kCudaSuccess : kCudaInvalidHandle;
}

RIDGE_FAKE_EXPORT int cuStreamIsCapturing(Stream* stream, int* status) {
  int result = 0;
  if (!ready(result)) return result;
  if (status == nullptr || !is_stream(*machine(), stream)) return kCudaInvalidValue;
  *status = 0;  // CU_STREAM_CAPTURE_STATUS_NONE: graphs are built node by node here
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  int result = 0;
  if (!ready(result)) return result;
  if (address == nullptr || bytes == 0) return kCudaInvalidValue;
  ApiCall call(abi::kDomainDriver, kAllocate, "cuMemAlloc_v2");
  Machine& here = *machine();
  {
    const std::lock_guard lock(here.mutex);
    *address = here.next_address;
    here.next_address += (bytes + 511) / 512 * 512;
  }
  record_memory(*current_context(), abi::kMemoryAllocation, *address, bytes);
  return call.done(kCudaSuccess);
}
RIDGE_FAKE_EXPORT int cuMemFree_v2(unsigned long long address) {
  int result = 0;
  if (!ready(result)) return result;
  ApiCall call(abi::kDomainDriver, kFree, "cuMemFree_v2");
  record_memory(*current_context(), abi::kMemoryRelease, address, 0);
  return call.done(kCudaSuccess);
}
RIDGE_FAKE_EXPORT int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  int result = 0;
  if (!ready(result)) return result;
  if (free == nullptr || total == nullptr) return kCudaInvalidValue;
  *total = *free = device_of(*machine(), *current_context()).memory;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuMemcpyHtoD_v2(unsigned long long /*to*/, const void* /*from*/, std::size_t bytes) {
  return run_copy({kCopyHtoD, "cuMemcpyHtoD_v2", 1, kHost, kDevice, true}, bytes, nullptr, false);
}
/// Nothing is kept of what was copied in: device memory reads as zeros.
RIDGE_FAKE_EXPORT int cuMemcpyDtoH_v2(void* to, unsigned long long /*from*/, std::size_t bytes) {
  if (to != nullptr) std::memset(to, 0, bytes);
  return run_copy({kCopyDtoH, "cuMemcpyDtoH_v2", 2, kDevice, kHost, true}, bytes, nullptr, false);
}
RIDGE_FAKE_EXPORT int cuMemcpyDtoD_v2(unsigned long long /*to*/, unsigned long long /*from*/, std::size_t bytes) {
  return run_copy({kCopyDtoD, "cuMemcpyDtoD_v2", 8, kDevice, kDevice, false}, bytes, nullptr, false);
}
RIDGE_FAKE_EXPORT int cuMemcpyHtoDAsync_v2(unsigned long long /*to*/, const void* /*from*/, std::size_t bytes,
                                           Stream* stream) {
  return run_copy({kCopyHtoDAsync, "cuMemcpyHtoDAsync_v2", 1, kPinned, kDevice, false}, bytes, stream, false);
}
RIDGE_FAKE_EXPORT int cuMemcpyDtoHAsync_v2(void* to, unsigned long long /*from*/, std::size_t bytes, Stream* stream) {
  if (to != nullptr) std::memset(to, 0, bytes);
  return run_copy({kCopyDtoHAsync, "cuMemcpyDtoHAsync_v2", 2, kDevice, kPinned, false}, bytes, stream, false);
}
RIDGE_FAKE_EXPORT int cuMemcpyDtoDAsync_v2(unsigned long long /*to*/, unsigned long long /*from*/, std::size_t bytes,
                                           Stream* stream) {
  return run_copy({kCopyDtoDAsync, "cuMemcpyDtoDAsync_v2", 8, kDevice, kDevice, false}, bytes, stream, false);
}
RIDGE_FAKE_EXPORT int cuMemsetD8_v2(unsigned long long /*to*/, unsigned char value, std::size_t bytes) {
  return run_copy({kSet, "cuMemsetD8_v2", 0, kDevice, kDevice, false}, bytes, nullptr, true, value);
}
RIDGE_FAKE_EXPORT int cuMemsetD8Async(unsigned long long /*to*/, unsigned char value, std::size_t bytes,
                                      Stream* stream) {
  return run_copy({kSetAsync, "cuMemsetD8Async", 0, kDevice, kDevice, false}, bytes, stream, true, value);
}

RIDGE_FAKE_EXPORT int cuEventCreate(Event** event, unsigned /*flags*/) {
  int result = 0;
  if (!ready(result)) return result;
  if (event == nullptr) return kCudaInvalidValue;
  const std::lock_guard lock(machine()->mutex);
  machine()->events.push_back(std::make_unique<Event>());
  *event = machine()->events.back().get();
  return kCudaSuccess;
}
RIDGE_FAKE_EXPORT int cuEventDestroy_v2(Event* event) {
  return event == nullptr ? kCudaInvalidHandle : kCudaSuccess;
}
RIDGE_FAKE_EXPORT int cuEventRecord(Event* event, Stream* stream) {
  int result = 0;
  if (!ready(result)) return result;
  if (event == nullptr || !is_stream(*machine(), stream)) return kCudaInvalidHandle;
  const Context& context = *current_context();
  const std::lock_guard lock(machine()->mutex);
  event->moment = std::max(now(), machine()->timeline.end_of(context.device, lane(context, stream)));
  return kCudaSuccess;
}
RIDGE_FAKE_EXPORT int cuEventSynchronize(Event* event) {
  if (event == nullptr) return kCudaInvalidHandle;
  if (event->moment > now()) sleep_until(event->moment);
  return kCudaSuccess;
}
RIDGE_FAKE_EXPORT int cuEventElapsedTime(float* milliseconds, const Event* from, const Event* to) {
  if (from == nullptr || to == nullptr || milliseconds == nullptr) return kCudaInvalidHandle;
  if (from->moment == 0 || to->moment == 0) return kCudaInvalidHandle;
  if (from->moment > now() || to->moment > now()) return kCudaNotReady;
  *milliseconds = static_cast<float>(static_cast<double>(to->moment - from->moment) * 1e-6);
  return kCudaSuccess;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
