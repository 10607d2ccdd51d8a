// Initialising, devices, contexts: the calls with which every program begins.
#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "collectors/fake/driver.h"
#include "collectors/fake/export.h"
#include "collectors/fake/lasting.h"

namespace ridge::collectors::fake {
namespace {

// CUpti_driver_api_trace_cbid
enum : std::uint32_t { kRetain = 386, kRelease = 544, kCreateContext = 235, kDestroyContext = 322 };

/// As the driver does for tools: before the first cuInit returns.
void load_injection() {
  const char* path = variable("CUDA_INJECTION64_PATH");
  if (path == nullptr || *path == '\0') return;
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  void* const symbol = dlsym(library, "InitializeInjection");
  if (symbol != nullptr) reinterpret_cast<int (*)()>(symbol)();
}

struct ErrorName {
  int code;
  const char* name;
  const char* text;
};
constexpr ErrorName kErrors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
    {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

int error_text(int code, const char** text, bool name) {
  if (text == nullptr) return kCudaInvalidValue;
  for (const ErrorName& error : kErrors) {
    if (error.code != code) continue;
    *text = name ? error.name : error.text;
    return kCudaSuccess;
  }
  *text = nullptr;
  return kCudaInvalidValue;
}

const Device* device_at(int number, int& result) {
  Machine* const here = initialised();
  result = kCudaNotInitialised;
  if (here == nullptr) return nullptr;
  result = kCudaInvalidDevice;
  const auto& devices = here->world->script.devices;
  if (number < 0 || static_cast<std::size_t>(number) >= devices.size()) return nullptr;
  result = kCudaSuccess;
  return &devices[static_cast<std::size_t>(number)];
}

/// CUdevice_attribute of what the script says; false: nothing is known of the attribute.
bool known_attribute(const Device& device, int attribute, std::int64_t& value) {
  const auto listed = device.attributes.find(attribute);
  if (listed != device.attributes.end()) {
    value = listed->second;
    return true;
  }
  switch (attribute) {
    case 1:
      value = 1024;
      return true;  // threads in a block
    case 10:
      value = 32;
      return true;  // warp size
    case 12:
      value = 65536;
      return true;  // registers of a block
    case 13:
      value = static_cast<std::int64_t>(device.sm_clock / 1e3);
      return true;
    case 16:
      value = device.sms;
      return true;
    case 36:
      value = static_cast<std::int64_t>(device.memory_clock / 1e3);
      return true;
    case 37:
      value = device.bus_bits;
      return true;
    case 38:
      value = static_cast<std::int64_t>(device.l2);
      return true;
    case 39:
      value = 2048;
      return true;  // threads of an SM
    case 75:
      value = device.major;
      return true;
    case 76:
      value = device.minor;
      return true;
    case 81:
      value = 233472;
      return true;  // shared memory of an SM
    case 82:
      value = 65536;
      return true;  // registers of an SM
    case 97:
      value = 232448;
      return true;  // shared memory that a block may ask for
    case 106:
      value = 32;
      return true;  // blocks of an SM
    case 111:
      value = 1024;
      return true;  // shared memory reserved in each block
    default:
      return false;
  }
}

/// Those below the current one.
std::vector<Context*>& context_stack() {
  static thread_local std::vector<Context*> stack;
  return stack;
}

Context* make_context(Machine& here, std::uint32_t device) {
  announce_context(*here.world, device);
  here.contexts.push_back(std::make_unique<Context>(Context{here.next_context++, device, 1}));
  return here.contexts.back().get();
}

}  // namespace

Machine* machine() {
  static Machine* const one = world() == nullptr ? nullptr : new Machine(*world());  // allow(new): lives for ever
  return one;
}

Machine* initialised() {
  Machine* const here = machine();
  if (here == nullptr) return nullptr;
  const std::lock_guard lock(here->mutex);
  return here->initialised ? here : nullptr;
}

Context*& current_context() {
  static thread_local Context* current = nullptr;
  return current;
}

const Device& device_of(const Machine& machine, const Context& context) {
  return machine.world->script.devices[context.device];
}

bool ready(int& result) {
  result = initialised() == nullptr       ? kCudaNotInitialised
           : current_context() == nullptr ? kCudaInvalidContext
                                          : kCudaSuccess;
  return result == kCudaSuccess;
}

// NOLINTBEGIN(readability-identifier-naming): the vendor's names
RIDGE_FAKE_EXPORT int cuInit(unsigned flags) {
  Machine* const here = machine();
  if (here == nullptr) return kCudaNoDevice;
  if (flags != 0) return kCudaInvalidValue;
  if (here->world->script.faults.init != 0) return here->world->script.faults.init;
  {
    const std::lock_guard lock(here->mutex);
    if (here->initialised) return kCudaSuccess;
    here->initialised = true;
    here->primary.resize(here->world->script.devices.size());
  }
  load_injection();
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDriverGetVersion(int* version) {
  if (version == nullptr) return kCudaInvalidValue;
  if (world() == nullptr) return kCudaNotInitialised;
  *version = world()->script.driver_version;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuGetErrorName(int code, const char** text) {
  return error_text(code, text, true);
}
RIDGE_FAKE_EXPORT int cuGetErrorString(int code, const char** text) {
  return error_text(code, text, false);
}

RIDGE_FAKE_EXPORT int cuDeviceGetCount(int* count) {
  const Machine* const here = initialised();
  if (here == nullptr) return kCudaNotInitialised;
  if (count == nullptr) return kCudaInvalidValue;
  *count = static_cast<int>(here->world->script.devices.size());
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDeviceGet(int* device, int ordinal) {
  int result = 0;
  if (device_at(ordinal, result) == nullptr || device == nullptr) return result;
  *device = ordinal;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDeviceGetName(char* name, int length, int number) {
  int result = 0;
  const Device* device = device_at(number, result);
  if (device == nullptr) return result;
  if (name == nullptr || length <= 0) return kCudaInvalidValue;
  copy_text(device->name, name, static_cast<std::size_t>(length));
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int number) {
  int result = 0;
  const Device* device = device_at(number, result);
  if (device == nullptr) return result;
  std::int64_t known = 0;
  if (value == nullptr || !known_attribute(*device, attribute, known)) return kCudaInvalidValue;
  *value = static_cast<int>(known);
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int number) {
  int result = 0;
  const Device* device = device_at(number, result);
  if (device == nullptr || bytes == nullptr) return device == nullptr ? result : kCudaInvalidValue;
  *bytes = device->memory;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDeviceGetUuid_v2(unsigned char* uuid, int number) {
  int result = 0;
  if (device_at(number, result) == nullptr) return result;
  if (uuid == nullptr) return kCudaInvalidValue;
  for (int i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>(0xf0 + (i == 15 ? number : 0));
  return kCudaSuccess;
}
RIDGE_FAKE_EXPORT int cuDeviceGetUuid(unsigned char* uuid, int number) {
  return cuDeviceGetUuid_v2(uuid, number);
}

RIDGE_FAKE_EXPORT int cuDeviceGetPCIBusId(char* address, int length, int number) {
  int result = 0;
  const Device* device = device_at(number, result);
  if (device == nullptr) return result;
  if (address == nullptr || length <= 0) return kCudaInvalidValue;
  // The driver writes four digits of the domain, NVML eight.
  const std::string& full = device->address;
  copy_text(full.size() == 16 ? full.substr(4) : full, address, static_cast<std::size_t>(length));
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuDevicePrimaryCtxRetain(Context** context, int number) {
  int result = 0;
  if (device_at(number, result) == nullptr) return result;
  if (context == nullptr) return kCudaInvalidValue;
  ApiCall call(abi::kDomainDriver, kRetain, "cuDevicePrimaryCtxRetain");
  Machine& here = *machine();
  bool made = false;
  {
    const std::lock_guard lock(here.mutex);
    Context*& primary = here.primary[static_cast<std::size_t>(number)];
    made = primary == nullptr;
    if (made) primary = make_context(here, static_cast<std::uint32_t>(number));
    if (!made) ++primary->holders;
    *context = primary;
  }
  if (made) tell_resource(abi::kContextCreated, *context);
  return call.done(kCudaSuccess);
}

RIDGE_FAKE_EXPORT int cuDevicePrimaryCtxRelease_v2(int number) {
  int result = 0;
  if (device_at(number, result) == nullptr) return result;
  ApiCall call(abi::kDomainDriver, kRelease, "cuDevicePrimaryCtxRelease_v2");
  Machine& here = *machine();
  Context* gone = nullptr;
  {
    const std::lock_guard lock(here.mutex);
    Context*& primary = here.primary[static_cast<std::size_t>(number)];
    if (primary == nullptr) return call.done(kCudaInvalidContext);
    if (--primary->holders == 0) gone = std::exchange(primary, nullptr);
  }
  if (gone != nullptr) tell_resource(abi::kContextDestroyStarting, gone);
  if (gone != nullptr && current_context() == gone) current_context() = nullptr;
  return call.done(kCudaSuccess);
}

RIDGE_FAKE_EXPORT int cuCtxCreate_v2(Context** context, unsigned /*flags*/, int number) {
  int result = 0;
  if (device_at(number, result) == nullptr) return result;
  if (context == nullptr) return kCudaInvalidValue;
  ApiCall call(abi::kDomainDriver, kCreateContext, "cuCtxCreate_v2");
  {
    const std::lock_guard lock(machine()->mutex);
    *context = make_context(*machine(), static_cast<std::uint32_t>(number));
  }
  current_context() = *context;
  tell_resource(abi::kContextCreated, *context);
  return call.done(kCudaSuccess);
}

RIDGE_FAKE_EXPORT int cuCtxDestroy_v2(Context* context) {
  if (context == nullptr) return kCudaInvalidContext;
  ApiCall call(abi::kDomainDriver, kDestroyContext, "cuCtxDestroy_v2");
  tell_resource(abi::kContextDestroyStarting, context);
  if (current_context() == context) current_context() = nullptr;
  return call.done(kCudaSuccess);
}

RIDGE_FAKE_EXPORT int cuCtxSetCurrent(Context* context) {
  if (initialised() == nullptr) return kCudaNotInitialised;
  current_context() = context;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuCtxGetCurrent(Context** context) {
  if (initialised() == nullptr) return kCudaNotInitialised;
  if (context == nullptr) return kCudaInvalidValue;
  *context = current_context();
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuCtxPushCurrent_v2(Context* context) {
  if (initialised() == nullptr) return kCudaNotInitialised;
  if (context == nullptr) return kCudaInvalidContext;
  context_stack().push_back(std::exchange(current_context(), context));
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuCtxPopCurrent_v2(Context** context) {
  if (initialised() == nullptr) return kCudaNotInitialised;
  if (current_context() == nullptr) return kCudaInvalidContext;
  Context* below = nullptr;
  if (!context_stack().empty()) {
    below = context_stack().back();
    context_stack().pop_back();
  }
  Context* const popped = std::exchange(current_context(), below);
  if (context != nullptr) *context = popped;
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuCtxGetDevice(int* device) {
  int result = 0;
  if (!ready(result)) return result;
  if (device == nullptr) return kCudaInvalidValue;
  *device = static_cast<int>(current_context()->device);
  return kCudaSuccess;
}

RIDGE_FAKE_EXPORT int cuGetProcAddress_v2(const char* symbol, void** function, int /*version*/, std::uint64_t /*flags*/,
                                          int* status) {
  if (symbol == nullptr || function == nullptr) return kCudaInvalidValue;
  // Every name has one version here, the newest that the fake has.
  *function = nullptr;
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&cuInit), &self) != 0) {
    void* const library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    const std::string name(symbol);
    for (const char* version : {"_v2", ""}) {
      if (*function == nullptr && library != nullptr) *function = dlsym(library, (name + version).c_str());
    }
  }
  if (status != nullptr) *status = *function == nullptr ? 1 : 0;  // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *function == nullptr ? kCudaNotFound : kCudaSuccess;
}

/// The tables behind it belong to the vendor's own libraries.
RIDGE_FAKE_EXPORT int cuGetExportTable(const void** table, const void* /*id*/) {
  if (table != nullptr) *table = nullptr;
  return kCudaNotFound;
}

// NOLINTEND(readability-identifier-naming)

}  // namespace ridge::collectors::fake
