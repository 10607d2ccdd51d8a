#include "collectors/agent/cupti.h"

#include <dlfcn.h>

#include <array>

namespace ridge::collectors::agent {
namespace {

template <class F>
void bind(void* library, const char* symbol, F*& function) {
  // POSIX makes a symbol's address a function's; C++ calls the cast conditionally supported.
  function = reinterpret_cast<F*>(dlsym(library, symbol));
}

void bind_activity(void* library, Cupti& cupti) {
  bind(library, "cuptiActivityRegisterCallbacks", cupti.activity_register_callbacks);
  bind(library, "cuptiActivityEnable", cupti.activity_enable);
  bind(library, "cuptiActivityDisable", cupti.activity_disable);
  bind(library, "cuptiActivityGetNextRecord", cupti.activity_get_next_record);
  bind(library, "cuptiActivityGetNumDroppedRecords", cupti.activity_get_num_dropped_records);
  bind(library, "cuptiActivityFlushAll", cupti.activity_flush_all);
  bind(library, "cuptiActivityFlushPeriod", cupti.activity_flush_period);
  bind(library, "cuptiActivityConfigureUnifiedMemoryCounter", cupti.activity_configure_unified_memory_counter);
  bind(library, "cuptiSetThreadIdType", cupti.set_thread_id_type);
  bind(library, "cuptiGetContextId", cupti.get_context_id);
  bind(library, "cuptiGetDeviceId", cupti.get_device_id);
  bind(library, "cuptiGetStreamIdEx", cupti.get_stream_id_ex);
}

void bind_callbacks(void* library, Cupti& cupti) {
  bind(library, "cuptiSubscribe", cupti.subscribe);
  bind(library, "cuptiEnableCallback", cupti.enable_callback);
  bind(library, "cuptiEnableDomain", cupti.enable_domain);
  bind(library, "cuptiGetCallbackName", cupti.get_callback_name);
}

void bind_profiler(void* library, Cupti& cupti) {
  bind(library, "cuptiProfilerInitialize", cupti.profiler_initialize);
  bind(library, "cuptiDeviceGetChipName", cupti.device_get_chip_name);
  bind(library, "cuptiRangeProfilerEnable", cupti.range_enable);
  bind(library, "cuptiRangeProfilerDisable", cupti.range_disable);
  bind(library, "cuptiRangeProfilerSetConfig", cupti.range_set_config);
  bind(library, "cuptiRangeProfilerStart", cupti.range_start);
  bind(library, "cuptiRangeProfilerStop", cupti.range_stop);
  bind(library, "cuptiRangeProfilerPushRange", cupti.range_push);
  bind(library, "cuptiRangeProfilerPopRange", cupti.range_pop);
  bind(library, "cuptiRangeProfilerDecodeData", cupti.range_decode_data);
  bind(library, "cuptiRangeProfilerGetCounterDataSize", cupti.range_get_counter_data_size);
  bind(library, "cuptiRangeProfilerCounterDataImageInitialize", cupti.range_counter_data_image_initialize);
}

// CUPTI loads libnvperf_host by its name, which finds the program's copy or none: the one beside it has to be there
// first.
void load_neighbour(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return;
  const std::string neighbour = path.substr(0, slash + 1) + "libnvperf_host.so";
  static_cast<void>(dlopen(neighbour.c_str(), RTLD_NOW | RTLD_LOCAL));
  static_cast<void>(dlerror());
}

void* load(const std::string& path, std::string& opened, std::string& error) {
  const std::array<std::string, 3> names = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
  if (!path.empty()) {
    load_neighbour(path);
    opened = path;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) error = dlerror();
    return library;
  }
  for (const auto& name : names) {
    opened = name;
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    error = dlerror();
  }
  opened.clear();
  return nullptr;
}

}  // namespace

Cupti Cupti::open(const std::string& path) {
  Cupti cupti;
  std::string error;
  void* library = load(path, cupti.path, error);
  if (library == nullptr) {
    cupti.error = error.empty() ? "CUPTI cannot be opened" : error;
    return cupti;
  }
  bind(library, "cuptiGetVersion", cupti.get_version);
  bind(library, "cuptiGetResultString", cupti.get_result_string);
  bind_activity(library, cupti);
  bind_callbacks(library, cupti);
  bind_profiler(library, cupti);
  if (cupti.get_version != nullptr) cupti.get_version(&cupti.version);
  const bool whole = cupti.get_version != nullptr && cupti.activity_register_callbacks != nullptr &&
                     cupti.activity_enable != nullptr && cupti.activity_disable != nullptr &&
                     cupti.activity_get_next_record != nullptr && cupti.activity_flush_all != nullptr;
  if (!whole) cupti.error = cupti.path + " lacks calls of CUPTI's activity interface";
  return cupti;
}

bool Cupti::can_count() const {
  return profiler_initialize != nullptr && range_enable != nullptr && range_disable != nullptr &&
         range_set_config != nullptr && range_start != nullptr && range_stop != nullptr &&
         range_decode_data != nullptr && range_get_counter_data_size != nullptr &&
         range_counter_data_image_initialize != nullptr;
}

bool Cupti::can_count_ranges() const {
  return can_count() && range_push != nullptr && range_pop != nullptr;
}

std::string Cupti::name(abi::Result result) const {
  const char* text = nullptr;
  if (get_result_string != nullptr && get_result_string(result, &text) == abi::kSuccess && text != nullptr) return text;
  return "CUPTI result " + std::to_string(result);
}

Driver Driver::open() {
  Driver driver;
  // The driver is the one that loads the agent, so it is there; a second copy is never loaded.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return driver;
  bind(library, "cuDriverGetVersion", driver.get_version);
  bind(library, "cuDeviceGet", driver.device_get);
  bind(library, "cuDeviceGetName", driver.device_get_name);
  bind(library, "cuDeviceGetUuid_v2", driver.device_get_uuid);
  bind(library, "cuDeviceGetPCIBusId", driver.device_get_pci_bus_id);
  bind(library, "cuDeviceTotalMem_v2", driver.device_total_mem);
  bind(library, "cuDeviceGetAttribute", driver.device_get_attribute);
  bind(library, "cuCtxPushCurrent_v2", driver.push_context);
  bind(library, "cuCtxPopCurrent_v2", driver.pop_context);
  bind(library, "cuCtxGetCurrent", driver.get_current_context);
  bind(library, "cuCtxSynchronize", driver.synchronise);
  bind(library, "cuStreamIsCapturing", driver.stream_is_capturing);
  return driver;
}

}  // namespace ridge::collectors::agent
