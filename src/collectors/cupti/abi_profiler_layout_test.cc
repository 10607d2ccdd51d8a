// Our declarations against the vendor's headers, where a toolkit is installed: sizes, offsets and values.
#include <cuda.h>
#include <cupti.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

#include "collectors/cupti/abi_profiler.h"

namespace ridge::collectors::cupti::abi {
namespace {

// Applies RIDGE_FIELD to each further argument: a struct's fields have no other way to be listed.
#define RIDGE_PARENTHESES ()
#define RIDGE_EXPAND(...) RIDGE_EXPAND2(RIDGE_EXPAND2(RIDGE_EXPAND2(RIDGE_EXPAND2(__VA_ARGS__))))
#define RIDGE_EXPAND2(...) RIDGE_EXPAND1(RIDGE_EXPAND1(RIDGE_EXPAND1(RIDGE_EXPAND1(__VA_ARGS__))))
#define RIDGE_EXPAND1(...) __VA_ARGS__
#define RIDGE_EACH(own, vendor, ...) __VA_OPT__(RIDGE_EXPAND(RIDGE_STEP(own, vendor, __VA_ARGS__)))
#define RIDGE_STEP(own, vendor, first, ...) \
  RIDGE_FIELD(own, vendor, first);          \
  __VA_OPT__(RIDGE_AGAIN RIDGE_PARENTHESES(own, vendor, __VA_ARGS__))
#define RIDGE_AGAIN() RIDGE_STEP

#define RIDGE_FIELD(own, vendor, field)                                        \
  EXPECT_EQ(offsetof(own, field), offsetof(vendor, field)) << #own "." #field; \
  EXPECT_EQ(sizeof(own::field), sizeof(vendor::field)) << #own "." #field
#define RIDGE_SAME(own, vendor, ...)                                      \
  EXPECT_EQ(sizeof(own), sizeof(vendor)) << #own;                         \
  EXPECT_EQ(kStructSize<own>, std::size_t{vendor##_STRUCT_SIZE}) << #own; \
  RIDGE_EACH(own, vendor, __VA_ARGS__)

TEST(ProfilerAbi, ResultCodesAreTheVendors) {
  EXPECT_EQ(int(kSuccess), int(CUPTI_SUCCESS));
  EXPECT_EQ(int(kErrorInvalidParameter), int(CUPTI_ERROR_INVALID_PARAMETER));
  EXPECT_EQ(int(kErrorInvalidDevice), int(CUPTI_ERROR_INVALID_DEVICE));
  EXPECT_EQ(int(kErrorInvalidContext), int(CUPTI_ERROR_INVALID_CONTEXT));
  EXPECT_EQ(int(kErrorInvalidOperation), int(CUPTI_ERROR_INVALID_OPERATION));
  EXPECT_EQ(int(kErrorOutOfMemory), int(CUPTI_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(int(kErrorHardware), int(CUPTI_ERROR_HARDWARE));
  EXPECT_EQ(int(kErrorApiNotImplemented), int(CUPTI_ERROR_API_NOT_IMPLEMENTED));
  EXPECT_EQ(int(kErrorMaxLimitReached), int(CUPTI_ERROR_MAX_LIMIT_REACHED));
  EXPECT_EQ(int(kErrorNotReady), int(CUPTI_ERROR_NOT_READY));
  EXPECT_EQ(int(kErrorNotCompatible), int(CUPTI_ERROR_NOT_COMPATIBLE));
  EXPECT_EQ(int(kErrorNotInitialized), int(CUPTI_ERROR_NOT_INITIALIZED));
  EXPECT_EQ(int(kErrorInvalidMetricName), int(CUPTI_ERROR_INVALID_METRIC_NAME));
  EXPECT_EQ(int(kErrorHardwareBusy), int(CUPTI_ERROR_HARDWARE_BUSY));
  EXPECT_EQ(int(kErrorNotSupported), int(CUPTI_ERROR_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorVirtualizedDeviceNotSupported), int(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorInsufficientPrivileges), int(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES));
  EXPECT_EQ(int(kErrorOldProfilerApiInitialized), int(CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED));
  EXPECT_EQ(int(kErrorLegacyProfilerNotSupported), int(CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorMultipleSubscribersNotSupported), int(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorVirtualizedDeviceInsufficientPrivileges),
            int(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES));
  EXPECT_EQ(int(kErrorConfidentialComputingNotSupported), int(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorCmpDeviceNotSupported), int(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorMigDeviceNotSupported), int(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorSliDeviceNotSupported), int(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorWslDeviceNotSupported), int(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED));
  EXPECT_EQ(int(kErrorInvalidChipName), int(CUPTI_ERROR_INVALID_CHIP_NAME));
  EXPECT_EQ(int(kErrorUnknown), int(CUPTI_ERROR_UNKNOWN));
}

TEST(ProfilerAbi, ValuesAreTheVendors) {
  EXPECT_EQ(int(kSupportUnsupported), int(CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED));
  EXPECT_EQ(int(kSupportDisabled), int(CUPTI_PROFILER_CONFIGURATION_DISABLED));
  EXPECT_EQ(int(kSupportSupported), int(CUPTI_PROFILER_CONFIGURATION_SUPPORTED));
  EXPECT_EQ(int(kApiRangeProfiling), int(CUPTI_PROFILER_RANGE_PROFILING));
  EXPECT_EQ(int(kApiPcSampling), int(CUPTI_PROFILER_PC_SAMPLING));
  EXPECT_EQ(int(kApiSassMetrics), int(CUPTI_PROFILER_SASS_METRICS));
  EXPECT_EQ(int(kApiPmSampling), int(CUPTI_PROFILER_PM_SAMPLING));
  EXPECT_EQ(int(kMetricCounter), int(CUPTI_METRIC_TYPE_COUNTER));
  EXPECT_EQ(int(kMetricRatio), int(CUPTI_METRIC_TYPE_RATIO));
  EXPECT_EQ(int(kMetricThroughput), int(CUPTI_METRIC_TYPE_THROUGHPUT));
  EXPECT_EQ(int(kMetricTypeCount), int(CUPTI_METRIC_TYPE__COUNT));
  EXPECT_EQ(int(kTypeRangeProfiler), int(CUPTI_PROFILER_TYPE_RANGE_PROFILER));
  EXPECT_EQ(int(kTypePmSampling), int(CUPTI_PROFILER_TYPE_PM_SAMPLING));
  EXPECT_EQ(int(kAutoRange), int(CUPTI_AutoRange));
  EXPECT_EQ(int(kUserRange), int(CUPTI_UserRange));
  EXPECT_EQ(int(kApplicationReplay), int(CUPTI_ApplicationReplay));
  EXPECT_EQ(int(kKernelReplay), int(CUPTI_KernelReplay));
  EXPECT_EQ(int(kUserReplay), int(CUPTI_UserReplay));
  EXPECT_EQ(int(kTriggerSysclkInterval), int(CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL));
  EXPECT_EQ(int(kTriggerTimeInterval), int(CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL));
  EXPECT_EQ(int(kAppendKeepOldest), int(CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST));
  EXPECT_EQ(int(kAppendKeepLatest), int(CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST));
  EXPECT_EQ(int(kDecodeStopOther), int(CUPTI_PM_SAMPLING_DECODE_STOP_REASON_OTHER));
  EXPECT_EQ(int(kDecodeStopImageFull), int(CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL));
  EXPECT_EQ(int(kDecodeStopEndOfRecords), int(CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS));
}

TEST(ProfilerAbi, StructsOfTheLibraryAndDevicesAreTheVendors) {
  RIDGE_SAME(ProfilerInitializeParams, CUpti_Profiler_Initialize_Params, structSize, pPriv);
  RIDGE_SAME(DeviceGetChipNameParams, CUpti_Device_GetChipName_Params, structSize, pPriv, deviceIndex, pChipName);
  RIDGE_SAME(DeviceSupportedParams, CUpti_Profiler_DeviceSupported_Params, structSize, pPriv, cuDevice, isSupported,
             architecture, sli, vGpu, confidentialCompute, cmp, wsl, api);
}

TEST(ProfilerAbi, StructsOfTheHostProfilerAreTheVendors) {
  RIDGE_SAME(HostInitializeParams, CUpti_Profiler_Host_Initialize_Params, structSize, pPriv, profilerType, pChipName,
             pCounterAvailabilityImage, pHostObject);
  RIDGE_SAME(HostDeinitializeParams, CUpti_Profiler_Host_Deinitialize_Params, structSize, pPriv, pHostObject);
  RIDGE_SAME(HostGetSupportedChipsParams, CUpti_Profiler_Host_GetSupportedChips_Params, structSize, pPriv, numChips,
             ppChipNames);
  RIDGE_SAME(HostGetBaseMetricsParams, CUpti_Profiler_Host_GetBaseMetrics_Params, structSize, pPriv, pHostObject,
             metricType, ppMetricNames, numMetrics);
  RIDGE_SAME(HostGetSubMetricsParams, CUpti_Profiler_Host_GetSubMetrics_Params, structSize, pPriv, pHostObject,
             metricType, pMetricName, numOfSubmetrics, ppSubMetrics);
  RIDGE_SAME(HostGetMetricPropertiesParams, CUpti_Profiler_Host_GetMetricProperties_Params, structSize, pPriv,
             pHostObject, pMetricName, pDescription, pHwUnit, pDimUnit, metricType);
  RIDGE_SAME(HostEvaluateToGpuValuesParams, CUpti_Profiler_Host_EvaluateToGpuValues_Params, structSize, pPriv,
             pHostObject, pCounterDataImage, counterDataImageSize, rangeIndex, ppMetricNames, numMetrics,
             pMetricValues);
  RIDGE_SAME(HostConfigAddMetricsParams, CUpti_Profiler_Host_ConfigAddMetrics_Params, structSize, pPriv, pHostObject,
             ppMetricNames, numMetrics);
  RIDGE_SAME(HostGetConfigImageSizeParams, CUpti_Profiler_Host_GetConfigImageSize_Params, structSize, pPriv,
             pHostObject, configImageSize);
  RIDGE_SAME(HostGetConfigImageParams, CUpti_Profiler_Host_GetConfigImage_Params, structSize, pPriv, pHostObject,
             configImageSize, pConfigImage);
  RIDGE_SAME(HostGetNumOfPassesParams, CUpti_Profiler_Host_GetNumOfPasses_Params, structSize, pPriv, configImageSize,
             pConfigImage, numOfPasses);
}

TEST(ProfilerAbi, StructsOfTheRangeProfilerAreTheVendors) {
  RIDGE_SAME(RangeEnableParams, CUpti_RangeProfiler_Enable_Params, structSize, pPriv, ctx, pRangeProfilerObject);
  RIDGE_SAME(RangeDisableParams, CUpti_RangeProfiler_Disable_Params, structSize, pPriv, pRangeProfilerObject);
  RIDGE_SAME(RangeSetConfigParams, CUpti_RangeProfiler_SetConfig_Params, structSize, pPriv, pRangeProfilerObject,
             configSize, pConfig, counterDataImageSize, pCounterDataImage, range, replayMode, maxRangesPerPass,
             numNestingLevels, minNestingLevel, passIndex, targetNestingLevel);
  RIDGE_SAME(RangeStartParams, CUpti_RangeProfiler_Start_Params, structSize, pPriv, pRangeProfilerObject);
  RIDGE_SAME(RangeStopParams, CUpti_RangeProfiler_Stop_Params, structSize, pPriv, pRangeProfilerObject, passIndex,
             targetNestingLevel, isAllPassSubmitted);
  RIDGE_SAME(RangePushParams, CUpti_RangeProfiler_PushRange_Params, structSize, pPriv, pRangeProfilerObject,
             pRangeName);
  RIDGE_SAME(RangePopParams, CUpti_RangeProfiler_PopRange_Params, structSize, pPriv, pRangeProfilerObject);
  RIDGE_SAME(RangeDecodeDataParams, CUpti_RangeProfiler_DecodeData_Params, structSize, pPriv, pRangeProfilerObject,
             numOfRangeDropped);
  RIDGE_SAME(RangeGetCounterDataSizeParams, CUpti_RangeProfiler_GetCounterDataSize_Params, structSize, pPriv,
             pRangeProfilerObject, pMetricNames, numMetrics, maxNumOfRanges, maxNumRangeTreeNodes, counterDataSize);
  RIDGE_SAME(RangeCounterDataImageInitializeParams, CUpti_RangeProfiler_CounterDataImage_Initialize_Params, structSize,
             pPriv, pRangeProfilerObject, counterDataSize, pCounterData);
  RIDGE_SAME(RangeGetCounterDataInfoParams, CUpti_RangeProfiler_GetCounterDataInfo_Params, structSize, pPriv,
             pCounterDataImage, counterDataImageSize, numTotalRanges);
  RIDGE_SAME(RangeCounterDataGetRangeInfoParams, CUpti_RangeProfiler_CounterData_GetRangeInfo_Params, structSize, pPriv,
             pCounterDataImage, counterDataImageSize, rangeIndex, rangeDelimiter, rangeName);
}

TEST(ProfilerAbi, StructsOfSamplingAreTheVendors) {
  RIDGE_SAME(PmEnableParams, CUpti_PmSampling_Enable_Params, structSize, pPriv, deviceIndex, pPmSamplingObject);
  RIDGE_SAME(PmDisableParams, CUpti_PmSampling_Disable_Params, structSize, pPriv, pPmSamplingObject);
  RIDGE_SAME(PmSetConfigParams, CUpti_PmSampling_SetConfig_Params, structSize, pPriv, pPmSamplingObject, configSize,
             pConfig, hardwareBufferSize, samplingInterval, triggerMode, hwBufferAppendMode);
  RIDGE_SAME(PmStartParams, CUpti_PmSampling_Start_Params, structSize, pPriv, pPmSamplingObject);
  RIDGE_SAME(PmStopParams, CUpti_PmSampling_Stop_Params, structSize, pPriv, pPmSamplingObject);
  RIDGE_SAME(PmDecodeDataParams, CUpti_PmSampling_DecodeData_Params, structSize, pPriv, pPmSamplingObject,
             pCounterDataImage, counterDataImageSize, decodeStopReason, overflow);
  RIDGE_SAME(PmGetCounterAvailabilityParams, CUpti_PmSampling_GetCounterAvailability_Params, structSize, pPriv,
             deviceIndex, counterAvailabilityImageSize, pCounterAvailabilityImage);
  RIDGE_SAME(PmGetCounterDataSizeParams, CUpti_PmSampling_GetCounterDataSize_Params, structSize, pPriv,
             pPmSamplingObject, pMetricNames, numMetrics, maxSamples, counterDataSize);
  RIDGE_SAME(PmCounterDataImageInitializeParams, CUpti_PmSampling_CounterDataImage_Initialize_Params, structSize, pPriv,
             pPmSamplingObject, counterDataSize, pCounterData);
  RIDGE_SAME(PmGetCounterDataInfoParams, CUpti_PmSampling_GetCounterDataInfo_Params, structSize, pPriv,
             pCounterDataImage, counterDataImageSize, numTotalSamples, numPopulatedSamples, numCompletedSamples);
  RIDGE_SAME(PmCounterDataGetSampleInfoParams, CUpti_PmSampling_CounterData_GetSampleInfo_Params, structSize, pPriv,
             pPmSamplingObject, pCounterDataImage, counterDataImageSize, sampleIndex, startTimestamp, endTimestamp);
}

}  // namespace
}  // namespace ridge::collectors::cupti::abi
