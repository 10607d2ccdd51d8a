#include "collectors/fake/cuda_calls.h"

#include <dlfcn.h>

#include <iterator>
#include <mutex>

#include "collectors/fake/lasting.h"
namespace ridge::collectors::fake {
namespace {

// ---- NVTX, which a program carries in its own code: a table of functions that a tool may replace.

using FunctionPointer = void (*)();
constexpr unsigned kRangePushA = 9, kRangePop = 11, kFunctions = 16;  // NvtxCallbackIdCore
constexpr int kCoreModule = 1;

int (*push_function)(const char*) = nullptr;
int (*pop_function)() = nullptr;
FunctionPointer others[kFunctions];

/// Pointers to the pointers, at their numbers; the last one is null.
FunctionPointer** table() {
  static FunctionPointer* pointers[kFunctions + 1];
  for (unsigned i = 1; i < kFunctions; ++i) pointers[i] = &others[i];
  pointers[kRangePushA] = reinterpret_cast<FunctionPointer*>(&push_function);
  pointers[kRangePop] = reinterpret_cast<FunctionPointer*>(&pop_function);
  return pointers;
}

int module_functions(int module, FunctionPointer*** out, unsigned* count) {
  if (module != kCoreModule) return 0;
  *out = table();
  if (count != nullptr) *count = kFunctions - 1;
  return 1;
}

struct CallbacksTable {
  std::size_t size;
  int (*module_functions)(int, FunctionPointer***, unsigned*);
};

const void* export_table(std::uint32_t number) {
  static const CallbacksTable callbacks{sizeof(CallbacksTable), &module_functions};
  return number == 1 ? &callbacks : nullptr;
}

void initialise_nvtx() {
  const char* path = variable("NVTX_INJECTION64_PATH");
  if (path == nullptr) return;
  void* const library = dlopen(path, RTLD_LAZY);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, "InitializeInjectionNvtx2");
  if (symbol != nullptr) reinterpret_cast<int (*)(const void* (*)(std::uint32_t))>(symbol)(&export_table);
}

void once() {
  static std::once_flag flag;
  std::call_once(flag, initialise_nvtx);
}

}  // namespace

void nvtx_push(const char* name) {
  once();
  if (push_function != nullptr) push_function(name);
}

void nvtx_pop() {
  once();
  if (pop_function != nullptr) pop_function();
}

std::string CudaCalls::open() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return dlerror();
  std::string missing;
  const auto find = [&](const char* name, auto*& function) {
    void* const symbol = dlsym(library, name);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
    return symbol != nullptr;
  };
  const auto need = [&](const char* name, auto*& function) {
    if (!find(name, function) && missing.empty()) missing = std::string("libcuda.so.1 has no ") + name;
  };
  need("cuInit", init);
  need("cuGetErrorName", error_name);
  need("cuDevicePrimaryCtxRetain", retain_context);
  need("cuCtxSetCurrent", set_context);
  need("cuCtxSynchronize", synchronise);
  need("cuStreamSynchronize", synchronise_stream);
  need("cuStreamCreate", create_stream);
  need("cuModuleLoadData", load_module);
  need("cuModuleGetFunction", find_function);
  need("cuLaunchKernel", launch);
  need("cuLaunchCooperativeKernel", launch_cooperative);
  need("cuMemAlloc_v2", allocate);
  need("cuMemcpyHtoDAsync_v2", copy_in);
  need("cuMemcpyDtoHAsync_v2", copy_out);
  need("cuMemcpyDtoDAsync_v2", copy);
  need("cuMemsetD8Async", set);
  need("cuGraphCreate", create_graph);
  need("cuGraphAddKernelNode_v2", add_node);
  need("cuGraphInstantiateWithFlags", instantiate);
  need("cuGraphLaunch", launch_graph);
  need("cuProfilerStart", profiler_start);
  need("cuProfilerStop", profiler_stop);
  (void)find("ridge_fake_runtime_enter", runtime_enter);
  (void)find("ridge_fake_runtime_exit", runtime_exit);
  return missing;
}

}  // namespace ridge::collectors::fake
