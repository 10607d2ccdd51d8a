// CUPTI's host profiler, which works without a GPU: planning and evaluating counters. The rules are abi_profiler.h's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_params.h"

namespace ridge::collectors::cupti::abi {

struct HostObject;
enum MetricType : int { kMetricCounter = 0, kMetricRatio = 1, kMetricThroughput = 2, kMetricTypeCount = 3 };
enum ProfilerType : int { kTypeRangeProfiler = 0, kTypePmSampling = 1 };

struct HostInitializeParams {
  std::size_t structSize;
  void* pPriv;
  ProfilerType profilerType;
  const char* pChipName;
  const std::uint8_t* pCounterAvailabilityImage;  ///< or nullptr
  HostObject* pHostObject;                        ///< out
};
RIDGE_CUPTI_STRUCT(HostInitializeParams, pHostObject)

struct HostDeinitializeParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
};
RIDGE_CUPTI_STRUCT(HostDeinitializeParams, pHostObject)

struct HostGetSupportedChipsParams {
  std::size_t structSize;
  void* pPriv;
  std::size_t numChips;            ///< out
  const char* const* ppChipNames;  ///< out
};
RIDGE_CUPTI_STRUCT(HostGetSupportedChipsParams, ppChipNames)

struct HostGetBaseMetricsParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  MetricType metricType;
  const char** ppMetricNames;  ///< out
  std::size_t numMetrics;      ///< out
};
RIDGE_CUPTI_STRUCT(HostGetBaseMetricsParams, numMetrics)

struct HostGetSubMetricsParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  MetricType metricType;
  const char* pMetricName;
  std::size_t numOfSubmetrics;  ///< out
  const char** ppSubMetrics;    ///< out
};
RIDGE_CUPTI_STRUCT(HostGetSubMetricsParams, ppSubMetrics)

struct HostGetMetricPropertiesParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  const char* pMetricName;
  const char* pDescription;  ///< out
  const char* pHwUnit;       ///< out
  const char* pDimUnit;      ///< out
  MetricType metricType;     ///< out
};
RIDGE_CUPTI_STRUCT(HostGetMetricPropertiesParams, metricType)

struct HostEvaluateToGpuValuesParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t rangeIndex;
  const char** ppMetricNames;
  std::size_t numMetrics;
  double* pMetricValues;  ///< out, NaN: not collected
};
RIDGE_CUPTI_STRUCT(HostEvaluateToGpuValuesParams, pMetricValues)

struct HostConfigAddMetricsParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  const char** ppMetricNames;
  std::size_t numMetrics;
};
RIDGE_CUPTI_STRUCT(HostConfigAddMetricsParams, numMetrics)

struct HostGetConfigImageSizeParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  std::size_t configImageSize;  ///< out
};
RIDGE_CUPTI_STRUCT(HostGetConfigImageSizeParams, configImageSize)

struct HostGetConfigImageParams {
  std::size_t structSize;
  void* pPriv;
  HostObject* pHostObject;
  std::size_t configImageSize;
  std::uint8_t* pConfigImage;
};
RIDGE_CUPTI_STRUCT(HostGetConfigImageParams, pConfigImage)

struct HostGetNumOfPassesParams {
  std::size_t structSize;
  void* pPriv;
  std::size_t configImageSize;
  std::uint8_t* pConfigImage;
  std::size_t numOfPasses;  ///< out
};
RIDGE_CUPTI_STRUCT(HostGetNumOfPassesParams, numOfPasses)

// A call's type is its symbol without "cupti".
using ProfilerHostInitialize = Result(HostInitializeParams*);
using ProfilerHostDeinitialize = Result(HostDeinitializeParams*);
using ProfilerHostGetSupportedChips = Result(HostGetSupportedChipsParams*);
using ProfilerHostGetBaseMetrics = Result(HostGetBaseMetricsParams*);
using ProfilerHostGetSubMetrics = Result(HostGetSubMetricsParams*);
using ProfilerHostGetMetricProperties = Result(HostGetMetricPropertiesParams*);
using ProfilerHostEvaluateToGpuValues = Result(HostEvaluateToGpuValuesParams*);
using ProfilerHostConfigAddMetrics = Result(HostConfigAddMetricsParams*);
using ProfilerHostGetConfigImageSize = Result(HostGetConfigImageSizeParams*);
using ProfilerHostGetConfigImage = Result(HostGetConfigImageParams*);
using ProfilerHostGetNumOfPasses = Result(HostGetNumOfPassesParams*);

}  // namespace ridge::collectors::cupti::abi
