// CUPTI as it was found: the library, and a pointer for each call of the profiler interface. Opened once, shared by all
// that use it, never closed.
//
// What the library answers is typed as a CallError: the caller decides whether permission, a busy counter unit or an
// unknown chip is a step down or the end. Not here: activity and callbacks, which are the agent's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/cupti/abi_profiler.h"
#include "collectors/library.h"
#include "ridgepoint/base/result.h"

namespace ridge::collectors::cupti {

struct Calls {
  Library nvperf, library;
  std::string path;           ///< of libcupti
  std::uint32_t version = 0;  ///< 130000 is CUPTI 13.0

  abi::GetResultString* result_string = nullptr;
  abi::GetTimestamp* timestamp = nullptr;
  abi::ProfilerInitialize* initialise = nullptr;
  abi::ProfilerDeviceSupported* device_supported = nullptr;
  abi::DeviceGetChipName* chip_name = nullptr;

  abi::ProfilerHostInitialize* host_initialise = nullptr;
  abi::ProfilerHostDeinitialize* host_deinitialise = nullptr;
  abi::ProfilerHostGetSupportedChips* host_chips = nullptr;
  abi::ProfilerHostGetBaseMetrics* host_base_metrics = nullptr;
  abi::ProfilerHostGetSubMetrics* host_sub_metrics = nullptr;
  abi::ProfilerHostGetMetricProperties* host_properties = nullptr;
  abi::ProfilerHostConfigAddMetrics* host_add = nullptr;
  abi::ProfilerHostGetConfigImageSize* host_image_size = nullptr;
  abi::ProfilerHostGetConfigImage* host_image = nullptr;
  abi::ProfilerHostGetNumOfPasses* host_passes = nullptr;
  abi::ProfilerHostEvaluateToGpuValues* host_evaluate = nullptr;
  abi::RangeProfilerGetCounterDataInfo* range_info = nullptr;

  /// Sampling is in CUPTI from 12.6 on: nullptr before, see has_sampling().
  abi::PmSamplingEnable* pm_enable = nullptr;
  abi::PmSamplingDisable* pm_disable = nullptr;
  abi::PmSamplingSetConfig* pm_configure = nullptr;
  abi::PmSamplingStart* pm_start = nullptr;
  abi::PmSamplingStop* pm_stop = nullptr;
  abi::PmSamplingDecodeData* pm_decode = nullptr;
  abi::PmSamplingGetCounterDataSize* pm_image_size = nullptr;
  abi::PmSamplingCounterDataImageInitialize* pm_clear = nullptr;
  abi::PmSamplingGetCounterDataInfo* pm_info = nullptr;
  abi::PmSamplingCounterDataGetSampleInfo* pm_sample = nullptr;

  [[nodiscard]] bool has_sampling() const { return pm_sample != nullptr; }
  /// "CUPTI_ERROR_HARDWARE_BUSY".
  [[nodiscard]] std::string name(abi::Result result) const;
};
using SharedCalls = std::shared_ptr<const Calls>;

/// Opens libnvperf_host.so of the same folder, if there is one, then the library at `path`, and finds every call of the
/// range and host profiler.
[[nodiscard]] Result<SharedCalls> open_calls(const std::string& path);

/// The chips that the library can plan for: "GH100". None: its helper libnvperf_host.so could not be loaded.
[[nodiscard]] std::vector<std::string> supported_chips(const Calls& calls);

/// A call that failed, as an Error: "CUPTI says CUPTI_ERROR_INVALID_METRIC_NAME to cuptiProfilerHostConfigAddMetrics".
[[nodiscard]] Error call_failed(const Calls& calls, abi::Result result, const char* call);

}  // namespace ridge::collectors::cupti
