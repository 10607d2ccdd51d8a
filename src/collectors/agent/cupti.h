// CUPTI as the agent uses it, opened by path: the program may carry another copy under the same name.
//
// Pointers are null where the library lacks the call; what cannot be done without has been checked by open().
#pragma once

#include <string>

#include "collectors/cupti/abi_callbacks.h"
#include "collectors/cupti/abi_driver.h"

namespace ridge::collectors::agent {

namespace abi = cupti::abi;

struct Cupti {
  std::string path, error;  ///< error: why it could not be opened, else empty
  std::uint32_t version = 0;

  abi::GetVersion* get_version = nullptr;
  abi::GetResultString* get_result_string = nullptr;
  abi::ActivityRegisterCallbacks* activity_register_callbacks = nullptr;
  abi::ActivityEnable* activity_enable = nullptr;
  abi::ActivityDisable* activity_disable = nullptr;
  abi::ActivityGetNextRecord* activity_get_next_record = nullptr;
  abi::ActivityGetNumDroppedRecords* activity_get_num_dropped_records = nullptr;
  abi::ActivityFlushAll* activity_flush_all = nullptr;
  abi::ActivityFlushPeriod* activity_flush_period = nullptr;
  abi::ActivityConfigureUnifiedMemoryCounter* activity_configure_unified_memory_counter = nullptr;
  abi::SetThreadIdType* set_thread_id_type = nullptr;
  abi::GetContextId* get_context_id = nullptr;
  abi::GetDeviceId* get_device_id = nullptr;
  abi::GetStreamIdEx* get_stream_id_ex = nullptr;
  abi::Subscribe* subscribe = nullptr;
  abi::EnableCallback* enable_callback = nullptr;
  abi::EnableDomain* enable_domain = nullptr;
  abi::GetCallbackName* get_callback_name = nullptr;
  abi::ProfilerInitialize* profiler_initialize = nullptr;
  abi::DeviceGetChipName* device_get_chip_name = nullptr;
  abi::RangeProfilerEnable* range_enable = nullptr;
  abi::RangeProfilerDisable* range_disable = nullptr;
  abi::RangeProfilerSetConfig* range_set_config = nullptr;
  abi::RangeProfilerStart* range_start = nullptr;
  abi::RangeProfilerStop* range_stop = nullptr;
  abi::RangeProfilerPushRange* range_push = nullptr;
  abi::RangeProfilerPopRange* range_pop = nullptr;
  abi::RangeProfilerDecodeData* range_decode_data = nullptr;
  abi::RangeProfilerGetCounterDataSize* range_get_counter_data_size = nullptr;
  abi::RangeProfilerCounterDataImageInitialize* range_counter_data_image_initialize = nullptr;

  /// The library at `path`, or where that is empty one of the names of versions 13 and 12.
  static Cupti open(const std::string& path);
  [[nodiscard]] bool usable() const { return error.empty(); }
  [[nodiscard]] bool can_count() const;
  /// Ranges of the program too.
  [[nodiscard]] bool can_count_ranges() const;
  /// CUPTI's name of a result: "CUPTI_ERROR_HARDWARE_BUSY".
  [[nodiscard]] std::string name(abi::Result result) const;
};

/// The calls of the driver that the program has loaded; null where it lacks one.
struct Driver {
  abi::driver::DriverGetVersion* get_version = nullptr;
  abi::driver::DeviceGet* device_get = nullptr;
  abi::driver::DeviceGetName* device_get_name = nullptr;
  abi::driver::DeviceGetUuid_v2* device_get_uuid = nullptr;
  abi::driver::DeviceGetPCIBusId* device_get_pci_bus_id = nullptr;
  abi::driver::DeviceTotalMem_v2* device_total_mem = nullptr;
  abi::driver::DeviceGetAttribute* device_get_attribute = nullptr;
  abi::driver::CtxPushCurrent_v2* push_context = nullptr;
  abi::driver::CtxPopCurrent_v2* pop_context = nullptr;
  abi::driver::CtxGetCurrent* get_current_context = nullptr;
  abi::driver::CtxSynchronize* synchronise = nullptr;
  abi::driver::StreamIsCapturing* stream_is_capturing = nullptr;

  static Driver open();
};

}  // namespace ridge::collectors::agent
