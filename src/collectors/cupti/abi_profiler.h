// CUPTI's profiler interface, loaded at run time: own declarations of the structs, values and calls that are used, so
// that everything builds and starts without a toolkit. Facts as CUPTI's headers of CUDA 13.0 state them; names follow
// the vendor's, so that its documentation can be searched. abi_profiler_layout_test.cc compares each struct with the
// vendor's header where one is installed.
//
// A params struct begins with its size up to and including its last field (kStructSize: without trailing padding, as
// the library expects it); make one with abi::params<T>(). Standard library only: the agent and the fake GPU include
// this. Not here: activity and callbacks (abi_activity.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::collectors::cupti::abi {

using Result = int;  ///< CUptiResult
inline constexpr Result kSuccess = 0;
inline constexpr Result kErrorInvalidParameter = 1;
inline constexpr Result kErrorInvalidDevice = 2;
inline constexpr Result kErrorInvalidContext = 3;
inline constexpr Result kErrorInvalidOperation = 7;
inline constexpr Result kErrorOutOfMemory = 8;
inline constexpr Result kErrorHardware = 9;
inline constexpr Result kErrorApiNotImplemented = 11;
inline constexpr Result kErrorMaxLimitReached = 12;
inline constexpr Result kErrorNotReady = 13;
inline constexpr Result kErrorNotCompatible = 14;
inline constexpr Result kErrorNotInitialized = 15;
inline constexpr Result kErrorInvalidMetricName = 17;
inline constexpr Result kErrorHardwareBusy = 26;
inline constexpr Result kErrorNotSupported = 27;
inline constexpr Result kErrorVirtualizedDeviceNotSupported = 33;
inline constexpr Result kErrorInsufficientPrivileges = 35;
inline constexpr Result kErrorOldProfilerApiInitialized = 36;
inline constexpr Result kErrorLegacyProfilerNotSupported = 38;
inline constexpr Result kErrorMultipleSubscribersNotSupported = 39;
inline constexpr Result kErrorVirtualizedDeviceInsufficientPrivileges = 40;
inline constexpr Result kErrorConfidentialComputingNotSupported = 41;
inline constexpr Result kErrorCmpDeviceNotSupported = 42;
inline constexpr Result kErrorMigDeviceNotSupported = 43;
inline constexpr Result kErrorSliDeviceNotSupported = 44;
inline constexpr Result kErrorWslDeviceNotSupported = 45;
inline constexpr Result kErrorInvalidChipName = 46;
inline constexpr Result kErrorUnknown = 999;

/// What structSize has to be for the struct.
template <class P>
inline constexpr std::size_t kStructSize = 0;

/// A zeroed params struct with its size set.
template <class P>
[[nodiscard]] inline P params() {
  P p{};
  p.structSize = kStructSize<P>;
  return p;
}

#define RIDGE_CUPTI_STRUCT(type, last) \
  template <>                          \
  inline constexpr std::size_t kStructSize<type> = offsetof(type, last) + sizeof(type::last);

// ---- the library, devices

struct ProfilerInitializeParams {
  std::size_t structSize;
  void* pPriv;
};
RIDGE_CUPTI_STRUCT(ProfilerInitializeParams, pPriv)

struct DeviceGetChipNameParams {
  std::size_t structSize;
  void* pPriv;
  std::size_t deviceIndex;
  const char* pChipName;  ///< out
};
RIDGE_CUPTI_STRUCT(DeviceGetChipNameParams, pChipName)

enum SupportLevel : int { kSupportUnknown = 0, kSupportUnsupported = 1, kSupportDisabled = 2, kSupportSupported = 3 };
enum ProfilerApi : int { kApiRangeProfiling = 0, kApiPcSampling = 1, kApiSassMetrics = 2, kApiPmSampling = 3 };

struct DeviceSupportedParams {
  std::size_t structSize;
  void* pPriv;
  int cuDevice;
  SupportLevel isSupported;                                             ///< out: all of the following are
  SupportLevel architecture, sli, vGpu, confidentialCompute, cmp, wsl;  ///< out
  ProfilerApi api;                                                      ///< in
};
RIDGE_CUPTI_STRUCT(DeviceSupportedParams, api)

// ---- host profiler: works without a GPU

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

// ---- range profiler: replays launches of one context

struct RangeProfilerObject;
enum ProfilerRange : int { kAutoRange = 1, kUserRange = 2 };
enum ReplayMode : int { kApplicationReplay = 1, kKernelReplay = 2, kUserReplay = 3 };

struct RangeEnableParams {
  std::size_t structSize;
  void* pPriv;
  void* ctx;                                  ///< CUcontext
  RangeProfilerObject* pRangeProfilerObject;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeEnableParams, pRangeProfilerObject)

struct RangeDisableParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
};
RIDGE_CUPTI_STRUCT(RangeDisableParams, pRangeProfilerObject)

struct RangeSetConfigParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t configSize;
  const std::uint8_t* pConfig;
  std::size_t counterDataImageSize;
  std::uint8_t* pCounterDataImage;
  ProfilerRange range;
  ReplayMode replayMode;
  std::size_t maxRangesPerPass;
  std::uint16_t numNestingLevels;
  std::uint16_t minNestingLevel;
  std::size_t passIndex;
  std::uint16_t targetNestingLevel;
};
RIDGE_CUPTI_STRUCT(RangeSetConfigParams, targetNestingLevel)

struct RangeStartParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
};
RIDGE_CUPTI_STRUCT(RangeStartParams, pRangeProfilerObject)

struct RangeStopParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t passIndex;            ///< out
  std::size_t targetNestingLevel;   ///< out
  std::uint8_t isAllPassSubmitted;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeStopParams, isAllPassSubmitted)

struct RangePushParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  const char* pRangeName;
};
RIDGE_CUPTI_STRUCT(RangePushParams, pRangeName)

struct RangePopParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
};
RIDGE_CUPTI_STRUCT(RangePopParams, pRangeProfilerObject)

struct RangeDecodeDataParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t numOfRangeDropped;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeDecodeDataParams, numOfRangeDropped)

struct RangeGetCounterDataSizeParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  const char** pMetricNames;
  std::size_t numMetrics;
  std::size_t maxNumOfRanges;
  std::uint32_t maxNumRangeTreeNodes;
  std::size_t counterDataSize;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeGetCounterDataSizeParams, counterDataSize)

struct RangeCounterDataImageInitializeParams {
  std::size_t structSize;
  void* pPriv;
  RangeProfilerObject* pRangeProfilerObject;
  std::size_t counterDataSize;
  std::uint8_t* pCounterData;
};
RIDGE_CUPTI_STRUCT(RangeCounterDataImageInitializeParams, pCounterData)

struct RangeGetCounterDataInfoParams {
  std::size_t structSize;
  void* pPriv;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t numTotalRanges;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeGetCounterDataInfoParams, numTotalRanges)

struct RangeCounterDataGetRangeInfoParams {
  std::size_t structSize;
  void* pPriv;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t rangeIndex;
  const char* rangeDelimiter;
  const char* rangeName;  ///< out
};
RIDGE_CUPTI_STRUCT(RangeCounterDataGetRangeInfoParams, rangeName)

// ---- sampling of a whole device, no context needed

struct PmSamplingObject;
/// A number of clocks of the system domain (every chip), or nanoseconds (not Turing, not GA100).
enum TriggerMode : int { kTriggerSysclkInterval = 0, kTriggerTimeInterval = 1 };
enum AppendMode : int { kAppendKeepOldest = 0, kAppendKeepLatest = 1 };
enum DecodeStopReason : int { kDecodeStopOther = 0, kDecodeStopImageFull = 1, kDecodeStopEndOfRecords = 2 };

struct PmEnableParams {
  std::size_t structSize;
  void* pPriv;
  std::size_t deviceIndex;
  PmSamplingObject* pPmSamplingObject;  ///< out
};
RIDGE_CUPTI_STRUCT(PmEnableParams, pPmSamplingObject)

struct PmDisableParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
};
RIDGE_CUPTI_STRUCT(PmDisableParams, pPmSamplingObject)

struct PmSetConfigParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
  std::size_t configSize;
  const std::uint8_t* pConfig;
  std::size_t hardwareBufferSize;
  std::uint64_t samplingInterval;
  TriggerMode triggerMode;
  AppendMode hwBufferAppendMode;
};
RIDGE_CUPTI_STRUCT(PmSetConfigParams, hwBufferAppendMode)

struct PmStartParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
};
RIDGE_CUPTI_STRUCT(PmStartParams, pPmSamplingObject)

struct PmStopParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
};
RIDGE_CUPTI_STRUCT(PmStopParams, pPmSamplingObject)

struct PmDecodeDataParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
  std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  DecodeStopReason decodeStopReason;  ///< out
  std::uint8_t overflow;              ///< out: the hardware buffer was full
};
RIDGE_CUPTI_STRUCT(PmDecodeDataParams, overflow)

struct PmGetCounterAvailabilityParams {
  std::size_t structSize;
  void* pPriv;
  std::size_t deviceIndex;
  std::size_t counterAvailabilityImageSize;  ///< out where the image is nullptr
  std::uint8_t* pCounterAvailabilityImage;
};
RIDGE_CUPTI_STRUCT(PmGetCounterAvailabilityParams, pCounterAvailabilityImage)

struct PmGetCounterDataSizeParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
  const char** pMetricNames;
  std::size_t numMetrics;
  std::uint32_t maxSamples;
  std::size_t counterDataSize;  ///< out
};
RIDGE_CUPTI_STRUCT(PmGetCounterDataSizeParams, counterDataSize)

struct PmCounterDataImageInitializeParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
  std::size_t counterDataSize;
  std::uint8_t* pCounterData;
};
RIDGE_CUPTI_STRUCT(PmCounterDataImageInitializeParams, pCounterData)

struct PmGetCounterDataInfoParams {
  std::size_t structSize;
  void* pPriv;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t numTotalSamples, numPopulatedSamples, numCompletedSamples;  ///< out
};
RIDGE_CUPTI_STRUCT(PmGetCounterDataInfoParams, numCompletedSamples)

struct PmCounterDataGetSampleInfoParams {
  std::size_t structSize;
  void* pPriv;
  PmSamplingObject* pPmSamplingObject;
  const std::uint8_t* pCounterDataImage;
  std::size_t counterDataImageSize;
  std::size_t sampleIndex;
  std::uint64_t startTimestamp, endTimestamp;  ///< out
};
RIDGE_CUPTI_STRUCT(PmCounterDataGetSampleInfoParams, endTimestamp)

#undef RIDGE_CUPTI_STRUCT

// ---- the calls: the type's name is the function's without "cupti"

using GetVersion = Result(std::uint32_t*);
using GetTimestamp = Result(std::uint64_t*);
using GetResultString = Result(Result, const char**);
using ProfilerInitialize = Result(ProfilerInitializeParams*);
using ProfilerDeInitialize = Result(ProfilerInitializeParams*);
using DeviceGetChipName = Result(DeviceGetChipNameParams*);
using ProfilerDeviceSupported = Result(DeviceSupportedParams*);
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
using RangeProfilerEnable = Result(RangeEnableParams*);
using RangeProfilerDisable = Result(RangeDisableParams*);
using RangeProfilerSetConfig = Result(RangeSetConfigParams*);
using RangeProfilerStart = Result(RangeStartParams*);
using RangeProfilerStop = Result(RangeStopParams*);
using RangeProfilerPushRange = Result(RangePushParams*);
using RangeProfilerPopRange = Result(RangePopParams*);
using RangeProfilerDecodeData = Result(RangeDecodeDataParams*);
using RangeProfilerGetCounterDataSize = Result(RangeGetCounterDataSizeParams*);
using RangeProfilerCounterDataImageInitialize = Result(RangeCounterDataImageInitializeParams*);
using RangeProfilerGetCounterDataInfo = Result(RangeGetCounterDataInfoParams*);
using RangeProfilerCounterDataGetRangeInfo = Result(RangeCounterDataGetRangeInfoParams*);
using PmSamplingEnable = Result(PmEnableParams*);
using PmSamplingDisable = Result(PmDisableParams*);
using PmSamplingSetConfig = Result(PmSetConfigParams*);
using PmSamplingStart = Result(PmStartParams*);
using PmSamplingStop = Result(PmStopParams*);
using PmSamplingDecodeData = Result(PmDecodeDataParams*);
using PmSamplingGetCounterAvailability = Result(PmGetCounterAvailabilityParams*);
using PmSamplingGetCounterDataSize = Result(PmGetCounterDataSizeParams*);
using PmSamplingCounterDataImageInitialize = Result(PmCounterDataImageInitializeParams*);
using PmSamplingGetCounterDataInfo = Result(PmGetCounterDataInfoParams*);
using PmSamplingCounterDataGetSampleInfo = Result(PmCounterDataGetSampleInfoParams*);

}  // namespace ridge::collectors::cupti::abi
