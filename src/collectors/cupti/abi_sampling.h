// CUPTI's PM sampling of a whole device; no context is needed. The rules are abi_profiler.h's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/cupti/abi_params.h"

namespace ridge::collectors::cupti::abi {

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

// A call's type is its symbol without "cupti".
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
